/* mem: allocation that never returns NULL.
 *
 * Running out of memory ends the process with one message and exit code 6, here and nowhere else.
 * Results are committed to the database as they come, so nothing but the work in flight is lost.
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>

/* The end: for libraries that say themselves that they have no memory left. */
_Noreturn void mem_exhausted(const char *wanted);

void *mem_alloc(size_t size);                /* uninitialised */
void *mem_zalloc(size_t count, size_t size); /* zeroed, overflow checked */
void *mem_realloc(void *old, size_t size);
char *mem_strdup(const char *text);
void mem_free(void *block); /* NULL is allowed */
/* Zeroed, and the same memory in children that are forked later. */
void *mem_shared(size_t size);
void mem_shared_free(void *block, size_t size); /* NULL is allowed */

#endif
