#include "base/mem.h"

#include "base/stop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void mem_exhausted(const char *wanted) {
    fprintf(stderr, "goalkeeper: out of memory (%s wanted)\n", wanted);
    _Exit(6);
}

static void *mem_checked(void *block, size_t size) {
    char wanted[40];
    if (size == 0 || (block && !stop_at(STOP_MEMORY)))
        return block;
    snprintf(wanted, sizeof wanted, "%zu bytes", size);
    mem_exhausted(wanted);
}

void *mem_alloc(size_t size) {
    return mem_checked(malloc(size), size);
}

void *mem_zalloc(size_t count, size_t size) {
    return mem_checked(calloc(count, size), count && size ? 1 : 0);
}

void *mem_realloc(void *old, size_t size) {
    return mem_checked(realloc(old, size), size);
}

char *mem_strdup(const char *text) {
    size_t size = strlen(text) + 1;
    return memcpy(mem_alloc(size), text, size);
}

void mem_free(void *block) {
    free(block);
}

void *mem_shared(size_t size) {
    void *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return mem_checked(block == MAP_FAILED ? NULL : block, size);
}

void mem_shared_free(void *block, size_t size) {
    if (block)
        munmap(block, size);
}
