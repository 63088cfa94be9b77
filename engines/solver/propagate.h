/* propagate: bounds to their consequences through clauses first, then contractors. */
#ifndef ENGINES_SOLVER_PROPAGATE_H
#define ENGINES_SOLVER_PROPAGATE_H

#include "engines/solver/core.h"

/* Runs to the fixpoint. False: contradiction, s->conflict says why. */
bool propagate(struct solver *s);
void propagate_wake(struct solver *s, uint32_t prim); /* the contractor is to run */
void propagate_forget(struct solver *s);              /* no contractor is to run */

/* What is known about a variable now. */
struct range var_range(const struct solver *s, svar v);

#endif
