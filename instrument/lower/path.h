/* path: where the symbolic execution stands, and how two ways to the same place become one.
 *
 * A path has three parts:
 *
 *   guard   a node of a tree: the branches taken. Each node adds one literal to its parent. When
 *           all edges of a branch meet again, the guard is the node of the branch again: so after
 *           an if-else the condition is gone from the guard, and terms stay small.
 *   alive   a list of conditions under which the run has not ended yet (assumptions, no division by
 *           zero, …). Lists share their tails, so a merge only looks at what is new.
 *   memory  the root of a persistent map from cells to values (lower/memory.h).
 *
 * Code at a path is executed where guard and alive hold. Guards of one function's pending paths
 * exclude each other. A dead path (the run has ended on it) still takes part in merging, so that
 * guards meet again, but its values are never looked at.
 */
#ifndef INSTRUMENT_LOWER_PATH_H
#define INSTRUMENT_LOWER_PATH_H

#include "instrument/lower/value.h"

struct path {
    uint32_t guard, alive, memory;
    bool dead;
};

/* One way to a join, with the values that its phi nodes take on that way. */
struct way {
    struct path path;
    value_t *values;
    uint32_t n_values;
};
VEC_STRUCT(ways, struct way);

struct guard {
    uint32_t parent;
    uint32_t depth;  /* larger than those of the parent and of the members */
    uint32_t reach;  /* depth of the parent, or the largest reach of a member */
    uint32_t branch; /* edges of one branch exclude each other */
    term_t literal;
    term_t term;                    /* parent and literal */
    uint32_t first_member, members; /* the nodes this one stands for together */
};

struct alive {
    uint32_t parent;
    uint32_t depth;
    term_t conjunct;
    term_t term;
};

struct paths {
    VEC(struct guard) guards; /* [0] is the root: true */
    VEC(struct alive) alives; /* [0] is true */
    VEC(uint32_t) branches;   /* number of edges */
    VEC(uint32_t) members;
};

void paths_init(struct paths *paths, struct terms *ts);
void paths_free(struct paths *paths);

uint32_t path_branch(struct lowering *lw, uint32_t n_edges);
uint32_t path_edge(struct lowering *lw, uint32_t guard, uint32_t branch, term_t literal);
void path_assume(struct lowering *lw, struct path *path, term_t cond);
term_t path_term(struct lowering *lw, const struct path *path);

/* Joins all ways into one, in place. n > 0. */
struct way path_merge(struct lowering *lw, struct ways *ways);

#endif
