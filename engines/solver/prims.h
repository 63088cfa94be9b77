/* prims: primitive constraints, one operator over variables each. */
#ifndef ENGINES_SOLVER_PRIMS_H
#define ENGINES_SOLVER_PRIMS_H

#include "engines/solver/core.h"

/* The variable that is op(args); built once for equal operators and arguments, and a constant when
 * the arguments leave one value. `is_signed` is the order of a new integer result. */
svar prims_result(struct solver *s, const struct prim *kind, const svar args[3]);

/* Asserts result = op(args) for a variable that exists already. */
void prims_assert(struct solver *s, const struct prim *kind, svar result, const svar args[3]);

/* contract(), and where it says less than it could: arguments that are points have one result. */
bool prims_contract(const struct prim *kind, const struct range r[4], int which, struct range *out);

/* The operator on bits. */
uint64_t prims_value(const struct prim *kind, const uint64_t args[3]);

void prims_watch(struct solver *s, svar v, uint32_t prim); /* run it when v changes */

/* A constraint seen as operands: how many, which variables, how many of them it can narrow. */
struct constraint {
    const svar *var;
    int n, n_narrowed;
};
bool prims_asleep(const struct solver *s, uint32_t prim); /* running it would do nothing */
struct constraint prims_constraint(const struct solver *s, uint32_t prim);
bool prims_narrow(const struct solver *s, uint32_t prim, const struct range *r, int which,
                  struct range *out);

/* The kind of constraint for these operands. */
struct prim prims_kind(const struct solver *s, enum op op, sort_t sort, bool is_signed,
                       const struct term_table *table, const svar args[3]);

/* Running it once is counted. */
static inline void prims_count_call(struct solver *s, uint32_t prim) {
    const struct prim_use *use = &s->prims.data[prim];
    s->stats.ticks += use->cost;
    s->stats.calls_int += use->family == FAMILY_INT;
    s->stats.calls_float += use->family == FAMILY_FLOAT;
    s->stats.calls_linear += use->family == FAMILY_LINEAR;
    s->stats.calls_mix += use->family == FAMILY_MIX;
}

#endif
