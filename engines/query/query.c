/* query: what both solvers have in common: literals are made once, answers are kept. */
#include "engines/query/back_end.h"

#include "base/mem.h"

#include <assert.h>

struct query *query_open(struct terms *ts, const struct query_options *options) {
    struct query *q = mem_zalloc(1, sizeof *q);
    q->terms = ts;
    q->options = *options;
    q->back_end = options->back_end == QUERY_Z3 ? &query_z3 : &query_icp;
    q->solver = q->back_end->open(q);
    return q;
}

void query_close(struct query *q) {
    q->back_end->close(q->solver);
    map_free(&q->literals);
    vec_free(&q->core);
    mem_free(q);
}

uint32_t query_frame(struct query *q) {
    q->frames++;
    return q->back_end->frame(q->solver);
}

void query_bind(struct query *q, uint32_t frame, term_t var, uint32_t from, term_t value) {
    assert(frame < q->frames && from < q->frames && term_get(q->terms, var)->op == OP_VAR);
    assert(term_sort(q->terms, var) == term_sort(q->terms, value));
    q->back_end->bind(q->solver, frame, var, from, value);
}

void query_assert(struct query *q, uint32_t frame, term_t t, qlit when) {
    assert(frame < q->frames && term_sort(q->terms, t) == SORT_BOOL);
    q->last = SOLVER_UNKNOWN;
    q->back_end->hold(q->solver, frame, t, when);
}

void query_clause(struct query *q, const qlit *lits, size_t n) {
    q->last = SOLVER_UNKNOWN;
    q->back_end->clause(q->solver, lits, n);
}

qlit query_literal(struct query *q, uint32_t frame, term_t t) {
    assert(frame < q->frames && term_sort(q->terms, t) == SORT_BOOL);
    if (term_get(q->terms, t)->op == OP_NOT)
        return -query_literal(q, frame, term_get(q->terms, t)->arg[0]);
    uint64_t key = (uint64_t)frame << 32 | t;
    uint32_t *known = map_get(&q->literals, key);
    if (known)
        return (qlit)*known;
    qlit made = q->back_end->literal(q->solver, frame, t);
    map_put(&q->literals, key, (uint32_t)made);
    return made;
}

qlit query_activation(struct query *q) {
    return q->back_end->activation(q->solver);
}

enum solver_result query_solve(struct query *q, const qlit *assumed, size_t n, uint64_t ticks) {
    assert(q->frames > 0 || n == 0);
    q->questions++;
    vec_clear(&q->core);
    uint64_t before = query_ticks(q);
    q->last = q->back_end->solve(q->solver, assumed, n, ticks, &q->core);
    if (q->options.total && q->back_end == &query_z3) {
        q->options.total->solves++;
        q->options.total->ticks += query_ticks(q) - before;
    }
    return q->last;
}

const qlit *query_core(const struct query *q, size_t *n) {
    assert(q->last == SOLVER_UNSAT && n);
    *n = q->core.len;
    return q->core.data;
}

bool query_holds(struct query *q, qlit lit) {
    assert(q->last == SOLVER_SAT && lit);
    return lit > 0 ? q->back_end->holds(q->solver, lit) : !q->back_end->holds(q->solver, -lit);
}

term_t query_value(struct query *q, uint32_t frame, term_t t) {
    assert(q->last == SOLVER_SAT && frame < q->frames);
    return q->back_end->value(q->solver, frame, t);
}

uint64_t query_ticks(const struct query *q) {
    return q->back_end->ticks(q->solver);
}

uint64_t query_questions(const struct query *q) {
    return q->questions;
}
