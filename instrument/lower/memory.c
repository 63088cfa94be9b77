/* Invariants:
 *   1. Node 0 is all zero and never changes; an empty subtree is node 0.
 *   2. A node whose version is not the newest never changes.
 */
#include "instrument/lower/memory.h"

void memory_init(struct memory *memory) {
    *memory = (struct memory){.version = 1};
    vec_push(&memory->nodes, (struct memory_node){.version = 0});
}

void memory_free(struct memory *memory) {
    vec_free(&memory->nodes);
}

void memory_fork(struct memory *memory) {
    memory->version++;
}

static uint32_t slot(uint32_t cell, int level) {
    return (cell >> (MEMORY_BITS * level)) & (MEMORY_FAN - 1);
}

value_t memory_get(const struct memory *memory, uint32_t root, uint32_t cell) {
    assert(cell < MEMORY_CELLS);
    uint32_t node = root;
    for (int level = MEMORY_LEVELS - 1; level >= 0 && node; level--)
        node = memory->nodes.data[node].child[slot(cell, level)];
    return node;
}

/* The node itself when it may be changed in place, else a copy. */
static uint32_t own(struct memory *memory, uint32_t node) {
    if (node && memory->nodes.data[node].version == memory->version)
        return node;
    struct memory_node copy = memory->nodes.data[node];
    copy.version = memory->version;
    vec_push(&memory->nodes, copy);
    return (uint32_t)memory->nodes.len - 1;
}

static bool is_empty(const struct memory_node *node) {
    for (int i = 0; i < MEMORY_FAN; i++)
        if (node->child[i])
            return false;
    return true;
}

uint32_t memory_set(struct memory *memory, uint32_t root, uint32_t cell, value_t value) {
    assert(cell < MEMORY_CELLS);
    if (memory_get(memory, root, cell) == value)
        return root;
    uint32_t path[MEMORY_LEVELS];
    uint32_t node = root;
    for (int level = MEMORY_LEVELS - 1; level >= 0; level--) {
        path[level] = own(memory, node);
        node = memory->nodes.data[path[level]].child[slot(cell, level)];
    }
    uint32_t below = value;
    for (int level = 0; level < MEMORY_LEVELS; level++) {
        struct memory_node *n = &memory->nodes.data[path[level]];
        n->child[slot(cell, level)] = below;
        below = below || !is_empty(n) ? path[level] : 0;
    }
    return below;
}

static void compare(const struct memory *memory, uint32_t a, uint32_t b, int level, uint32_t base,
                    memory_visit *visit, void *context) {
    for (uint32_t i = 0; i < MEMORY_FAN; i++) {
        /* visit may add nodes and so move them: look them up again each time */
        uint32_t x = memory->nodes.data[a].child[i], y = memory->nodes.data[b].child[i];
        uint32_t at = base | i << (MEMORY_BITS * level);
        if (x == y)
            continue;
        if (level)
            compare(memory, x, y, level - 1, at, visit, context);
        else
            visit(context, at, x, y);
    }
}

void memory_compare(const struct memory *memory, uint32_t a, uint32_t b, memory_visit *visit,
                    void *context) {
    if (a != b)
        compare(memory, a, b, MEMORY_LEVELS - 1, 0, visit, context);
}
