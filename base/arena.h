/* arena: memory with one lifetime.
 *
 * Everything that lives as long as a program, a model or an engine run is allocated from the
 * arena of that lifetime and freed with it at once. Blocks never move.
 *
 *     struct arena arena = {0};
 *     char *name = arena_strdup(&arena, "x");
 *     arena_free(&arena);
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena_chunk;

struct arena {
    struct arena_chunk *chunks; /* newest first */
    char *next, *end;           /* free room in the newest chunk */
};

void *arena_alloc(struct arena *arena, size_t size); /* zeroed, aligned for any type */
void *arena_copy(struct arena *arena, const void *source, size_t size);
char *arena_strdup(struct arena *arena, const char *text);
char *arena_strndup(struct arena *arena, const char *text, size_t len);
char *arena_printf(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void arena_free(struct arena *arena); /* the arena is empty and usable again */

#define arena_new(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define arena_array(arena, type, n) ((type *)arena_alloc((arena), (n) * sizeof(type)))

#endif
