/* heap: variables by activity, the most active first; ties by index, so runs are repeatable. */
#ifndef ENGINES_SOLVER_HEAP_H
#define ENGINES_SOLVER_HEAP_H

#include "engines/solver/core.h"

static inline bool heap_has(const struct heap *h, svar v) {
    return v < h->cap && h->place[v];
}
void heap_add(struct heap *h, const double *activity, svar v);   /* not in it yet */
void heap_raise(struct heap *h, const double *activity, svar v); /* its activity has grown */
svar heap_pop(struct heap *h, const double *activity);
void heap_free(struct heap *h);

#endif
