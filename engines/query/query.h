/* query: what is asked about a system, as an incremental conjunction of terms over several copies
 * of their variables, with assumptions, cores and models. Two solvers stand behind it: ours (bit-
 * exact integers and floats, bounds), and Z3 (bit-vectors, floats, unbounded numbers).
 *
 *     struct query *q = query_open(ts, &(struct query_options){.back_end = QUERY_ICP});
 *     uint32_t now = query_frame(q), then = query_frame(q);
 *     query_bind(q, then, x, now, next_of_x);             // x of `then` is that term of `now`
 *     qlit lemma = query_activation(q);
 *     query_assert(q, now, small, lemma);                 // holds where `lemma` is assumed
 *     qlit ask[] = {lemma, -query_literal(q, then, small)};
 *     if (query_solve(q, ask, 2, ticks) == SOLVER_UNSAT)
 *         core = query_core(q, &n);                       // some of the assumptions
 *     query_close(q);
 *
 * Nothing is taken back: what is asserted under an activation literal is given up by asserting its
 * negation (query_clause), and a conversation that has become long by opening a new one. Terms may
 * be made while it goes on.
 */
#ifndef ENGINES_QUERY_QUERY_H
#define ENGINES_QUERY_QUERY_H

#include "engines/solver/solver.h"

/* A literal: -l is its negation, 0 none. */
typedef int32_t qlit;
VEC_STRUCT(qlits, qlit);

enum query_back_end { QUERY_ICP, QUERY_Z3 };

struct query_options {
    enum query_back_end back_end;
    uint64_t seed;
    double deadline; /* of clock_seconds(): questions end there, unanswered; 0: none (Z3 only) */
    struct solver_stats *total; /* as in solver_options; of Z3 its questions and ticks */
};

struct query;

struct query *query_open(struct terms *ts, const struct query_options *options);
void query_close(struct query *q);

uint32_t query_frame(struct query *q); /* a copy of the variables, all free */
/* The variable of a frame is a term of another frame: before anything of the frame is used. */
void query_bind(struct query *q, uint32_t frame, term_t var, uint32_t from, term_t value);
/* The Boolean term holds in this frame where `when` is assumed; for good if that is 0. */
void query_assert(struct query *q, uint32_t frame, term_t t, qlit when);
void query_clause(struct query *q, const qlit *lits, size_t n); /* some literal holds, for good */

/* The same literal for the same term of a frame, and -l for its negation. */
qlit query_literal(struct query *q, uint32_t frame, term_t t);
qlit query_activation(struct query *q); /* a fresh literal */

/* `ticks` 0 is no limit. What the solver knows only an enclosure of (sine …) can make an answer
 * unknown, never wrong. */
enum solver_result query_solve(struct query *q, const qlit *assumed, size_t n, uint64_t ticks);
/* After UNSAT: assumptions that contradict what is asserted; with our solver the one that failed
 * comes first ("ICP and IC3", III-A). Valid until the next question. */
const qlit *query_core(const struct query *q, size_t *n);

/* After SAT, until the next question or assertion: is it true in the model? */
bool query_holds(struct query *q, qlit lit);
/* The same for any term of a frame, as a constant term. */
term_t query_value(struct query *q, uint32_t frame, term_t t);

uint64_t query_ticks(const struct query *q);     /* effort so far */
uint64_t query_questions(const struct query *q); /* how many */

#endif
