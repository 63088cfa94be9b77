/* ia: IC3 with implicit predicate abstraction, after A. Cimatti et al., "Infinite-state Invariant
 * Checking with IC3 and Predicate Abstraction".
 *
 * Frames, cubes and clauses speak of predicates over the cells, questions of the concrete step:
 * with cubes over predicates, one concrete step answers as the abstract relative induction (4) of
 * the paper does (Theorem 1: the copies may be the states themselves). An abstract counterexample
 * is simulated; if it is spurious, predicates are added that exclude it, and all clauses are kept.
 *
 *     struct ia *ia = ia_open(&sys, target, &(struct ia_options){.knobs = &knobs_default});
 *     while (ia_step(ia, 1000000) == IA_MORE) …
 *     ia_clauses(ia, &n), ia_inputs(ia, step, i)
 *     ia_close(ia);
 */
#ifndef ENGINES_IA_IA_H
#define ENGINES_IA_IA_H

#include "engines/knobs.h"
#include "engines/query/project.h"
#include "engines/query/query.h"
#include "engines/window.h"
#include "model/system/invariant.h"

enum ia_status {
    IA_MORE,    /* the budget ended */
    IA_SAFE,    /* ia_clauses() are an inductive invariant that excludes the hit */
    IA_HIT,     /* the target can be hit, ia_input() says how */
    IA_GAVE_UP, /* no predicates could be found that exclude a spurious path */
};

struct ia_options {
    const struct engine_knobs *knobs;
    const struct invariant *lemmas; /* known to be inductive, or NULL */
    enum query_back_end back_end;
    uint64_t seed;
    double deadline;       /* as in query_options */
    struct window *window; /* what can be seen of its work, or NULL */
    bool runs_elsewhere;   /* somebody else looks for runs of each length */
};

/* Figs. 8 to 10 of the paper. */
struct ia_stats {
    uint64_t refinements, queries, predicates, obligations, clauses, ticks;
    uint32_t frames;
};

struct ia;

/* The system must not change while it is open, but for terms. */
struct ia *ia_open(struct system *sys, uint32_t target, const struct ia_options *options);
enum ia_status ia_step(struct ia *ia, uint64_t ticks);
void ia_close(struct ia *ia);

/* IA_SAFE: clauses, each a disjunction of predicates and negated ones. */
size_t ia_clause_count(const struct ia *ia);
const term_t *ia_clause(const struct ia *ia, size_t clause, size_t *n);

/* IA_HIT: the target is hit in step steps - 1, 0: during the initialisation. Values are constant
 * terms; `step` 0 has those at the start, step j + 1 those of step j. */
uint32_t ia_steps(const struct ia *ia);
term_t ia_input(const struct ia *ia, uint32_t step, size_t input);

struct ia_stats ia_stats(const struct ia *ia);

#endif
