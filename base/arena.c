#include "base/arena.h"

#include "base/mem.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { ARENA_CHUNK = 64 * 1024, ARENA_ALIGN = 16 };

struct arena_chunk {
    struct arena_chunk *older;
    size_t size;
    _Alignas(ARENA_ALIGN) char data[];
};

static void arena_add_chunk(struct arena *arena, size_t size) {
    if (size < ARENA_CHUNK)
        size = ARENA_CHUNK;
    struct arena_chunk *chunk = mem_alloc(sizeof *chunk + size);
    chunk->older = arena->chunks;
    chunk->size = size;
    arena->chunks = chunk;
    arena->next = chunk->data;
    arena->end = chunk->data + size;
}

void *arena_alloc(struct arena *arena, size_t size) {
    assert(size <= SIZE_MAX - ARENA_ALIGN);
    size = (size + ARENA_ALIGN - 1) & ~(size_t)(ARENA_ALIGN - 1);
    if ((size_t)(arena->end - arena->next) < size)
        arena_add_chunk(arena, size);
    void *block = arena->next;
    arena->next += size;
    assert(arena->next <= arena->end);
    return size ? memset(block, 0, size) : block;
}

void *arena_copy(struct arena *arena, const void *source, size_t size) {
    void *block = arena_alloc(arena, size);
    return size ? memcpy(block, source, size) : block;
}

char *arena_strndup(struct arena *arena, const char *text, size_t len) {
    char *copy = arena_alloc(arena, len + 1);
    memcpy(copy, text, len);
    return copy;
}

char *arena_strdup(struct arena *arena, const char *text) {
    return arena_strndup(arena, text, strlen(text));
}

char *arena_printf(struct arena *arena, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int len = vsnprintf(NULL, 0, format, args);
    va_end(args);
    assert(len >= 0 && "the format is invalid");
    char *text = arena_alloc(arena, (size_t)len + 1);
    va_start(args, format);
    vsnprintf(text, (size_t)len + 1, format, args);
    va_end(args);
    return text;
}

void arena_free(struct arena *arena) {
    for (struct arena_chunk *chunk = arena->chunks, *older; chunk; chunk = older) {
        older = chunk->older;
        mem_free(chunk);
    }
    *arena = (struct arena){0};
}
