#include "base/vec.h"

#include "base/mem.h"

#include <stdint.h>

void *vec_grow(void *data, size_t *cap, size_t wanted, size_t item_size) {
    size_t grown = *cap ? *cap * 2 : 8;
    if (grown < wanted)
        grown = wanted;
    assert(grown <= SIZE_MAX / item_size);
    *cap = grown;
    return mem_realloc(data, grown * item_size);
}

void vec_release(void *data) {
    mem_free(data);
}
