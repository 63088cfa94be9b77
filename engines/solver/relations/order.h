/* order: what comparisons say together.
 *
 * Boxes creep forever on x < y and y < x. So comparisons, differences, choices and a few monotone
 * operations are also edges `from <= to + weight` of a graph, each under guards (bound literals)
 * that make it hold. When an edge comes to hold, the graph is searched for a cycle of negative
 * weight through it; the guards on such a cycle cannot all be true, and that is a clause.
 *
 * Comparisons of one pair exclude each other by clauses, and the sign of its difference is one of
 * them. Where a program divides two distances from one point, their ends are compared as well, so
 * that a fraction is known to be at most 1; where it takes the mean of two, these are, so that the
 * mean is known to lie between.
 *
 * Nodes are variables in one order: floats (as numbers, both zeros equal), integers as signed,
 * integers as unsigned. Weights of integers are exact differences; of floats only the sign counts
 * (-1: strictly less).
 */
#ifndef ENGINES_SOLVER_RELATIONS_ORDER_H
#define ENGINES_SOLVER_RELATIONS_ORDER_H

#include "engines/solver/core.h"

/* The edges of a primitive constraint that was just built. */
void order_add(struct solver *s, uint32_t prim);

/* The bound of vs has passed from `old` to `now`: edges that it may complete are noted. */
void order_wake(struct solver *s, uint32_t vs, int64_t old, int64_t now);
void order_forget(struct solver *s); /* nothing is noted any more */

/* Examines the noted edges. False: a clause was found, and it is false now: s->conflict. A clause
 * that leaves one literal is propagated instead (after going back to where it became unit). */
bool order_propagate(struct solver *s);
void order_free(struct solver *s);

#endif
