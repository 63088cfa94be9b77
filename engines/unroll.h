/* unroll: a system over several steps inside one solver.
 *
 * Step 0 starts in the initial states or in any state. In step j the cells are those of frame j,
 * the inputs are free; step j+1 exists only on runs where step_ok held in step j.
 *
 *     struct unroll u;
 *     unroll_init(&u, sys, solver, UNROLL_FROM_INIT, NULL);
 *     unroll_to(&u, 3);                              // steps 0..3
 *     svar hit = unroll_term(&u, 3, sys->targets.data[t].hit);
 *     solver_solve(solver, (struct slit[]){slit_true(hit)}, 1, ticks);
 *     unroll_free(&u);
 *
 * Invariant: for all steps but the last, step_ok is asserted at level 0 (unless UNCHECKED); init_ok
 * is, once there is a step 0. Before that init_hit can be asked: a hit during initialisation counts
 * even where the initialisation does not come to its end.
 */
#ifndef ENGINES_UNROLL_H
#define ENGINES_UNROLL_H

#include "engines/solver/solver.h"
#include "model/system/invariant.h"
#include "model/system/trace.h"

enum unroll_start {
    UNROLL_FROM_INIT,
    UNROLL_FROM_ANY,
    UNROLL_UNCHECKED, /* from any state, and step_ok is not asserted between steps */
};

struct unroll {
    const struct system *sys;
    struct solver *solver;
    const struct invariant *lemmas; /* asserted in every step; NULL: none */
    struct frame *init;             /* init inputs; NULL when starting anywhere */
    bool unchecked;
    VEC(struct frame *) steps;
};

void unroll_init(struct unroll *u, const struct system *sys, struct solver *solver,
                 enum unroll_start start, const struct invariant *lemmas);
void unroll_free(struct unroll *u);              /* the solver stays */
void unroll_to(struct unroll *u, uint32_t step); /* makes steps up to this one */

svar unroll_term(struct unroll *u, uint32_t step, term_t term);
svar unroll_cell(struct unroll *u, uint32_t step, uint32_t cell);
/* A bound on a cell of a step as a literal. false: the bound is constant there; *truth says which.
 */
bool unroll_bound(struct unroll *u, uint32_t step, struct bound bound, struct slit *lit,
                  bool *truth);
/* Asserts a clause over the cells of a step, preceded by the given literals (activation). */
void unroll_clause(struct unroll *u, uint32_t step, const struct bound *bounds, size_t n,
                   const struct slit *before, size_t n_before);
/* The same with what bounds say of NaN, which has ordinal 0 for them (model/term/ordinal.h): for
 * unroll_clause() a cell that is NaN may satisfy any bound. unroll_negated() is exact in that. */
void unroll_exact_clause(struct unroll *u, uint32_t step, const struct clause *c,
                         const struct slit *before, size_t n_before);
/* A clause of which the steps before take care: no reason to look at its cells. */
void unroll_lemma(struct unroll *u, uint32_t step, const struct clause *clause);

/* Adds the literals that say that a clause is false in a step. false: it is always true there. */
bool unroll_negated(struct unroll *u, uint32_t step, const struct clause *c, struct slits *out);
/* Adds "no target of the invariant is hit" for the steps before its last one, k - 1. */
void unroll_clean_prefix(struct unroll *u, const struct invariant *inv, struct slits *assume);

/* After SAT: the inputs of the run as a trace of n_steps steps (from init only). */
void unroll_trace(struct unroll *u, uint32_t n_steps, struct trace *trace);
uint64_t unroll_value(const struct unroll *u, uint32_t step, term_t var); /* 0 when free */

#endif
