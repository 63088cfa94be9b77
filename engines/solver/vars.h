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

/* Level-0 bounds and NaN possibility. */
struct range var_base_range(const struct solver *s, svar v);

/* Propagates at level 0 and makes the result the base. Returns s->ok. */
bool solver_settle(struct solver *s);

#endif
