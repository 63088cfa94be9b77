/* solver: conflict-driven clause learning over interval bounds (ICP, as iSAT3).
 *
 * Variables are typed and have bounds in ordinals (model/term/ordinal.h). A literal is a bound on a
 * variable: `var >= ordinal` or `var <= ordinal`; its negation is the neighbouring ordinal.
 * Booleans are 0..1. A float variable that may be NaN has a Boolean companion, solver_nan(); while
 * it is true the ordinal means nothing (it may be anything).
 *
 *     struct solver *s = solver_new(&(struct solver_options){.seed = 1});
 *     struct frame *f0 = solver_frame_new(s, &ts); // one copy of the variables
 *     svar x = solver_encode(s, f0, term);         // defines var x = term
 *     solver_add_clause(s, (struct slit[]){slit_ge(x, 1)}, 1);
 *     if (solver_solve(s, assumptions, n, budget) == SOLVER_UNSAT)
 *         core = solver_core(s, &n_core);
 *     solver_free(s);
 */
#ifndef ENGINES_SOLVER_SOLVER_H
#define ENGINES_SOLVER_SOLVER_H

#include "base/str.h"
#include "model/term/term.h"

typedef uint32_t svar; /* 0 is "none" */

struct slit {
    svar var;
    bool ge; /* var >= ordinal, else var <= ordinal */
    int64_t ordinal;
};
VEC_STRUCT(slits, struct slit);

static inline struct slit slit_ge(svar var, int64_t ordinal) {
    return (struct slit){var, true, ordinal};
}
static inline struct slit slit_le(svar var, int64_t ordinal) {
    return (struct slit){var, false, ordinal};
}
static inline struct slit slit_true(svar var) {
    return slit_ge(var, 1);
}
static inline struct slit slit_false(svar var) {
    return slit_le(var, 0);
}
/* x >= c becomes x <= c-1 and back. Never called at the end of the ordinal range: a literal that is
 * true or false in itself must not be created (the solver asserts it). */
struct slit slit_negate(struct slit lit);

enum solver_result { SOLVER_SAT = 10, SOLVER_UNSAT = 20, SOLVER_UNKNOWN = 0 };

struct solver_stats {
#define STAT(name, about) uint64_t name;
#include "engines/solver/stats.def"
#undef STAT
};

struct solver_options {
    uint64_t seed;
    bool log_proof;  /* keep resolution chains with partition labels, for interpolation and checking
                      */
    bool weak_cores; /* what follows from assumptions alone is explained with the weakest bounds of
                      * all, so that solver_core_weakest() has much to give */
    struct solver_stats *total; /* what it counts is added there, at restarts and after questions;
                                 * or NULL */
    bool cone; /* look only at what a question depends on; then a model says nothing about
                * defined variables that it does not depend on: read sources only */
};

struct solver *solver_new(const struct solver_options *options);
void solver_free(struct solver *s);

/* ---- building ---- */

/* A frame is one copy of the variables of a DAG (one time step). Sources (term variables) become
 * solver variables on first use; other terms are defined by primitive constraints. Encoding is
 * memoised a frame and simplifies against level-0 bounds. */
struct frame;
struct frame *solver_frame_new(struct solver *s, const struct terms *ts);
/* Within `frame`, term t (usually a VAR) is the existing solver variable v: cell j+1 = next of j.
 */
void solver_frame_bind(struct solver *s, struct frame *frame, term_t t, svar v);
svar solver_encode(struct solver *s, struct frame *frame, term_t t);
/* The same for an integer whose bounds must be in this order: for bounds known from elsewhere. */
svar solver_encode_as(struct solver *s, struct frame *frame, term_t t, bool is_signed);
svar solver_encoded(const struct frame *frame, term_t t); /* 0 when not yet encoded */

/* Asserts z = (c ? a : b) for an existing variable z: unlike a definition it says nothing about z
 * that a proof would not have to mention. a and b have z's sort. */
void solver_add_choice(struct solver *s, svar z, svar c, svar a, svar b);

svar solver_new_var(struct solver *s, sort_t sort, bool is_signed); /* full range, may be NaN */
svar solver_new_bool(struct solver *s);                             /* activation literals … */
svar solver_nan(const struct solver *s, svar var); /* the NaN flag, 0 when it cannot be NaN */
bool solver_is_signed(const struct solver *s, svar var);
sort_t solver_sort(const struct solver *s, svar var);
/* In which order, signed or not, an integer term is best bounded: what its users compare it as. */
bool solver_orders_signed(struct solver *s, const struct terms *ts, term_t t);

/* Clauses are at level 0 and permanent; guard them by an activation literal to retract them.
 * Returns false when the solver became unsatisfiable for good. */
bool solver_add_clause(struct solver *s, const struct slit *lits, size_t n);
/* A clause that follows from the others: questions do not depend on it. */
bool solver_add_lemma(struct solver *s, const struct slit *lits, size_t n);
void solver_set_partition(struct solver *s, uint32_t partition); /* for what is added from now on */

/* ---- solving ---- */

/* Assumptions are pseudo-decisions, one at a time in the given order, each propagated before the
 * next ("ICP and IC3" III-A depends on it). `ticks` 0 is no limit. */
enum solver_result solver_solve(struct solver *s, const struct slit *assumptions, size_t n,
                                uint64_t ticks);

/* After UNSAT: a subset of the assumptions that is contradictory with the formula; empty when the
 * formula itself is. `failed` in the core comes first: the assumption that was already false when
 * its turn came (section III-A, step 3-5: the first literal is l_j, then the decisions). */
const struct slit *solver_core(const struct solver *s, size_t *n);
/* After UNSAT: for core[0] = (x <= c) that failed because the others imply x >= d, d > c: the
 * weakest bound that still fails, i.e. x <= d-1 (section III-B). Equal to core[0] if none. */
struct slit solver_core_weakest(const struct solver *s);

/* After SAT: the model. */
uint64_t solver_value(const struct solver *s, svar var); /* bits */
int64_t solver_value_ordinal(const struct solver *s, svar var);
bool solver_value_nan(const struct solver *s, svar var);

/* Level-0 bounds, valid between solves. */
int64_t solver_min(const struct solver *s, svar var);
int64_t solver_max(const struct solver *s, svar var);

/* Async-signal-safe: the running solve, or the next one when none runs, returns UNKNOWN. */
void solver_interrupt(struct solver *s);
const struct solver_stats *solver_stats(const struct solver *s);
uint64_t solver_calls(const struct solver_stats *stats); /* of contractors, of all families */

#endif
