/* vars: creation of variables, and the arrays that have one place a variable or a side. */
#ifndef ENGINES_SOLVER_VARS_H
#define ENGINES_SOLVER_VARS_H

#include "engines/solver/core.h"

void vars_init(struct solver *s);
void vars_free(struct solver *s);

/* A variable within `range`, not empty; it gets a NaN companion when range.nan. At level 0. */
svar var_new(struct solver *s, sort_t sort, bool is_signed, struct range range);

/* The variable fixed to this value; the same one for the same value, order and sort. */
svar var_constant(struct solver *s, sort_t sort, bool is_signed, uint64_t bits);

/* What is certain of a variable and may simplify the formula: level-0 bounds, or, while a proof is
 * recorded, only what its definition says. */
struct range var_known_range(const struct solver *s, svar v);
bool var_known(const struct solver *s, struct lit l); /* certainly true */

/* Propagates at level 0 and makes the result the base. Returns s->ok. */
bool solver_settle(struct solver *s);

#endif
