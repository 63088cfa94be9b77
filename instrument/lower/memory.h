/* memory: a persistent map from cell numbers to values.
 *
 * A radix tree whose nodes are shared between versions. Root 0 is empty. A store copies the nodes
 * on its way, except those that were made since the last memory_fork(): nobody else has them.
 * Merging two versions visits only where they differ.
 */
#ifndef INSTRUMENT_LOWER_MEMORY_H
#define INSTRUMENT_LOWER_MEMORY_H

#include "instrument/lower/value.h"

enum { MEMORY_BITS = 4, MEMORY_FAN = 1 << MEMORY_BITS, MEMORY_LEVELS = 6 };
enum { MEMORY_CELLS = 1 << (MEMORY_BITS * MEMORY_LEVELS) };

struct memory_node {
    uint32_t child[MEMORY_FAN]; /* nodes, or values on the lowest level */
    uint32_t version;           /* may be changed in place while it is the newest */
};

struct memory {
    VEC(struct memory_node) nodes; /* [0] is the empty node */
    uint32_t version;
};

void memory_init(struct memory *memory);
void memory_free(struct memory *memory);

void memory_fork(struct memory *memory); /* all roots handed out so far are now fixed */
value_t memory_get(const struct memory *memory, uint32_t root, uint32_t cell); /* 0: not stored */
/* Returns the new root; value 0 takes the cell out. */
uint32_t memory_set(struct memory *memory, uint32_t root, uint32_t cell, value_t value);

/* Calls visit for every cell whose entries differ, ascending; entries are 0 where absent. */
typedef void memory_visit(void *context, uint32_t cell, value_t a, value_t b);
void memory_compare(const struct memory *memory, uint32_t a, uint32_t b, memory_visit *visit,
                    void *context);

#endif
