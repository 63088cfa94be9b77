/* trail: bounds in the order in which they were set, and taking them back (core.h, 1 to 3). */
#ifndef ENGINES_SOLVER_TRAIL_H
#define ENGINES_SOLVER_TRAIL_H

#include "engines/solver/core.h"

/* The literal becomes true. It is neither true nor false yet. */
void trail_push(struct solver *s, struct lit l, reason_t reason);
void trail_open_level(struct solver *s);
/* Undoes everything above `level`, and forgets pending propagation. */
void trail_backtrack(struct solver *s, uint32_t level);
/* At level 0, after propagation: what holds becomes the base. */
void trail_commit(struct solver *s);

/* The first entry that makes the literal true, 0 when it holds at level 0. */
uint32_t trail_find(const struct solver *s, struct lit l);
/* The newest entry of vs below `pos`, 0 when only the base is left. */
uint32_t trail_before(const struct solver *s, uint32_t vs, uint32_t pos);

static inline int64_t trail_bound(const struct solver *s, uint32_t vs, uint32_t entry) {
    return entry ? s->trail.data[entry].bound : s->base.data[vs];
}

#endif
