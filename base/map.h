/* map: hash maps with uint32_t values, open addressing, no deletion.
 *
 * struct map    uint64_t key -> uint32_t value.
 * struct intern text -> dense id 0, 1, 2 …; the texts are copied and never move.
 *
 *     struct map map = {0};
 *     map_put(&map, key, 7);
 *     uint32_t *v = map_get(&map, key);   // NULL when absent; dies with the next put
 *     map_free(&map);
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include "base/arena.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

struct map_slot {
    uint64_t key;
    uint32_t value;
    bool used;
};

struct map {
    struct map_slot *slots;
    size_t len, cap; /* cap is 0 or a power of two */
};

uint32_t *map_get(const struct map *map, uint64_t key);
void map_put(struct map *map, uint64_t key, uint32_t value); /* replaces */
void map_clear(struct map *map);
void map_free(struct map *map);

uint64_t hash_mix(uint64_t a, uint64_t b); /* combines two hashes, order matters */
uint64_t hash_bytes(const void *data, size_t size);
uint64_t hash_text(const char *text);

struct intern {
    struct arena arena;
    VEC(const char *) texts;
    uint32_t *slots; /* id + 1, 0 is free */
    size_t cap;
};

#define INTERN_NONE UINT32_MAX

uint32_t intern_id(struct intern *in, const char *text);         /* adds when new */
uint32_t intern_find(const struct intern *in, const char *text); /* INTERN_NONE when absent */
const char *intern_text(const struct intern *in, uint32_t id);
void intern_free(struct intern *in);

#endif
