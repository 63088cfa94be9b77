/* problem: a random formula over few Booleans, narrow integers and floats of few values, so that
 * enumeration of all points says what is right: of every answer, model, core and weakened core,
 * while clauses are added and solves are stopped and gone on with.
 *
 *     struct problem p;
 *     problem_open(&p, seed, solver_default_knobs, false);
 *     fault = problem_run(&p, &counts);       // NULL, or what is wrong
 *     problem_close(&p);
 */
#ifndef TESTS_SOLVER_PROBLEM_H
#define TESTS_SOLVER_PROBLEM_H

#include "base/rng.h"
#include "engines/solver/core.h"

enum { PROBLEM_VARS = 8, PROBLEM_QUERIES = 8 };

struct problem {
    struct terms ts;
    struct rng rng;
    VEC(term_t) bools;
    VEC(term_t) ints;
    VEC(term_t) floats;
    sort_t width, real;
    bool of_order;
    size_t n_vars;
    struct {
        uint64_t values[16];
        size_t n;
    } domain[PROBLEM_VARS];
    size_t n_points;
    uint64_t *values; /* [point * n_terms + term] */
    size_t n_terms;
    bool *alive; /* the clauses so far hold at this point */
    struct solver *s;
    struct frame *frame;
};

struct problem_counts {
    uint64_t sat, unsat, conflicts, proof_steps;
};

void problem_open(struct problem *p, uint64_t seed, struct solver_knobs knobs, bool proof);
void problem_close(struct problem *p);

/* PROBLEM_QUERIES questions. NULL, or what is wrong. */
const char *problem_run(struct problem *p, struct problem_counts *counts);

#endif
