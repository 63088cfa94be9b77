/* query: one interpolation problem over the cells of one state, the shared one.
 *
 *   A   the shared state is initial; or: it is a state that satisfies the clauses `reached`, or the
 *       state after one step from such a state
 *   B   from the shared state the target is hit in step `depth` - 1, not before
 *
 * Both sides may assume the lemmas: those are known to hold in all reachable states. The sides have
 * their own copies of everything but the shared state, so every constraint belongs to one side and
 * the interpolant is over cells.
 *
 * `reached`, the initial values and the hit hold under assumptions: at level 0 a proof would
 * contain all that they imply, however strong, above it only what is needed.
 *
 *     struct itp_query q;
 *     itp_query_open(&q, &problem);
 *     if (itp_query_solve(&q, ticks) == SOLVER_UNSAT && itp_query_read(&q, 1000, &clauses))
 *         …                                       // A implies the clauses, they exclude B
 *     itp_query_close(&q);
 */
#ifndef ENGINES_INTERPOLATION_QUERY_H
#define ENGINES_INTERPOLATION_QUERY_H

#include "base/map.h"
#include "engines/unroll.h"

struct itp_problem {
    const struct system *sys;
    const struct invariant *lemmas; /* or NULL */
    const struct clauses *reached;  /* NULL: the initial states */
    uint32_t target, depth;         /* depth >= 1 */
    uint64_t seed;
    struct solver_stats *total; /* as in solver_options */
};

struct itp_query {
    struct itp_problem problem;
    struct solver *solver;
    struct unroll a, b; /* the shared state is step 0 of b */
    svar go_a, go_b;    /* assumed: turn what may differ between queries on */
    struct map shared;  /* solver variable -> 2 * cell, or 2 * cell + 1 for its NaN flag */
};

void itp_query_open(struct itp_query *q, const struct itp_problem *problem);
void itp_query_close(struct itp_query *q);
enum solver_result itp_query_solve(struct itp_query *q, uint64_t ticks);
/* After UNSAT. False: more than max_clauses; `out` is then empty. */
bool itp_query_read(const struct itp_query *q, size_t max_clauses, struct clauses *out);

/* By fresh solvers without proofs: does A imply the clauses, and do they exclude B? bug() when not;
 * a check that needs more ticks than these is given up. */
void itp_query_check(const struct itp_problem *problem, const struct clauses *clauses,
                     uint64_t ticks);
/* Do the lemmas and `from` imply `to`? UNKNOWN when out of ticks. */
enum solver_result itp_implies(const struct itp_problem *problem, const struct clauses *from,
                               const struct clauses *to, uint64_t ticks);

void clauses_free(struct clauses *clauses);

#endif
