/* linear: sums in which a variable occurs more than once.
 *
 * A box says nothing about x + g * (u - x) being a mean of x and u: the two x are taken as
 * independent. So when a sum is encoded, its definition is expanded until a variable repeats, and
 * the collected form becomes a redundant constraint
 *
 *     z = sum of coef * leaf + constant + the errors of the operations in between ("mids")
 *
 * over the reals. Errors come from the present bounds of each mid: rounding is at most half a unit
 * in the last place of a finite result, an integer operation is exact while its ideal result fits
 * its sort, a shift or a cast to integer loses less than one. Through an if-then-else the form
 * continues under the guard of its condition.
 *
 * Operands of the constraint, in this order: z, leaves, mids, guards.
 */
#ifndef ENGINES_SOLVER_RELATIONS_LINEAR_H
#define ENGINES_SOLVER_RELATIONS_LINEAR_H

#include "engines/solver/core.h"

/* Adds the forms of variable v, if any are worth it; v has just been defined. */
void linear_add(struct solver *s, svar v);

/* As contract(), for leaves and z (which <= n_leaves). */
bool linear_contract(const struct solver *s, const struct linear *form, const struct range *r,
                     int which, struct range *out);
/* False while a guard is open or against it: then the form says nothing. */
bool linear_awake(const struct solver *s, const struct linear *form);
int linear_operands(const struct linear *form);

/* The definition of v as a form of one step, its arguments being the leaves. False: not linear. */
bool linear_step(const struct solver *s, svar v, struct linear *one);
/* How far v can be from that form, whatever happens: by what is known at level 0. INFINITY when v
 * or an argument may be no finite number, or when an integer operation may wrap. */
double linear_step_error(const struct solver *s, const struct linear *one);
double linear_value(const struct solver *s, svar v, int64_t ordinal);

#endif
