/* formula: random formulas over integers of several widths, both float formats, Booleans, casts and
 * tables: too large to enumerate, so that other solvers have to say what is right.
 *
 * Equal seeds and profiles give equal formulas.
 *
 *     struct formula f;
 *     formula_make(&f, seed, FORMULA_C);
 *     … solve the conjunction of f.roots …
 *     formula_free(&f);
 */
#ifndef TESTS_SOLVER_FORMULA_H
#define TESTS_SOLVER_FORMULA_H

#include "base/rng.h"
#include "base/vec.h"
#include "engines/solver/solver.h"

enum formula_profile {
    FORMULA_SMT, /* only what print_smt() can say, of one width and one float format */
    FORMULA_C,   /* everything that tests/solver/print_c.h can say, several widths and formats */
    FORMULA_ALL, /* remainders and fused operations too */
};

VEC_STRUCT(pool, term_t);

enum { FORMULA_SORTS = 6, FORMULA_VARS = 16 };

struct formula {
    struct terms ts;
    struct rng rng;
    enum formula_profile profile;
    sort_t sort[FORMULA_SORTS]; /* Bool first, then integers, then floats */
    int n_ints, n_sorts;
    struct pool pool[FORMULA_SORTS]; /* terms of each sort */
    struct pool roots;               /* Bool: to be satisfied together */
};

void formula_make(struct formula *f, uint64_t seed, enum formula_profile profile);
void formula_free(struct formula *f);

/* Our answer within so many ticks: a model is evaluated, and a second solver has to do the same
 * work. NULL, or what is wrong. */
const char *formula_solve(const struct formula *f, uint64_t ticks, enum solver_result *result);

/* Solves subsets of the roots under assumptions, with one solver for all and with a new one for
 * each; both must agree, cores must be unsatisfiable. NULL, or what is wrong. */
const char *formula_solve_subsets(struct formula *f, uint64_t ticks, int queries, int *answered);

#endif
