/* settle: what a step, or the start, breaks is dropped until nothing breaks. */
#include "engines/horn/guess.h"

#include "engines/query/query.h"

#include <assert.h>

struct settling {
    const struct system *sys;
    struct query *q;
    struct horn_terms *conditions;
    uint64_t ticks;
};

static void bind(struct settling *s, uint32_t frame, uint32_t from, bool initial) {
    query_assert(s->q, from, initial ? s->sys->init_ok : s->sys->step_ok, 0);
    for (size_t i = 0; i < s->sys->cells.len; i++) {
        const struct cell *c = &s->sys->cells.data[i];
        query_bind(s->q, frame, c->var, from, initial ? c->init : c->next);
    }
}

/* Takes out what does not hold in the model. */
static void drop_broken(struct settling *s, uint32_t frame) {
    size_t kept = 0;
    VEC(bool) holds = {0};
    for (size_t i = 0; i < s->conditions->len; i++)
        vec_push(&holds, query_holds(s->q, query_literal(s->q, frame, s->conditions->data[i])));
    for (size_t i = 0; i < s->conditions->len; i++)
        if (holds.data[i])
            s->conditions->data[kept++] = s->conditions->data[i];
    assert(kept < s->conditions->len && "the model breaks one of them");
    s->conditions->len = kept;
    vec_free(&holds);
}

/* All of them, where `assume` also before, until the last model is refuted. */
static bool settle_in(struct settling *s, uint32_t frame, uint32_t before, bool assume) {
    assert(frame != before);
    while (s->conditions->len > 0) {
        struct qlits ask = {0}, broken = {0};
        qlit on = query_activation(s->q);
        vec_push(&ask, on);
        vec_push(&broken, -on);
        for (size_t i = 0; i < s->conditions->len; i++) {
            vec_push(&broken, -query_literal(s->q, frame, s->conditions->data[i]));
            if (assume)
                vec_push(&ask, query_literal(s->q, before, s->conditions->data[i]));
        }
        query_clause(s->q, broken.data, broken.len);
        uint64_t used = query_ticks(s->q);
        enum solver_result said = SOLVER_UNKNOWN;
        if (used < s->ticks)
            said = query_solve(s->q, ask.data, ask.len, s->ticks - used);
        if (said == SOLVER_SAT)
            drop_broken(s, frame);
        vec_free(&ask);
        vec_free(&broken);
        if (said != SOLVER_SAT)
            return said == SOLVER_UNSAT;
        query_clause(s->q, (qlit[]){-on}, 1);
    }
    return true;
}

static bool settle_kind(const struct system *sys, struct horn_terms *conditions, bool initial,
                        const struct query_options *how, uint64_t ticks) {
    assert(how->back_end == QUERY_Z3 && ticks > 0);
    struct settling s = {.sys = sys, .conditions = conditions, .ticks = ticks};
    s.q = query_open(sys->terms, how);
    uint32_t from = query_frame(s.q), to = query_frame(s.q);
    bind(&s, to, from, initial);
    bool ok = settle_in(&s, to, from, !initial);
    query_close(s.q);
    return ok;
}

bool guess_settle(const struct system *sys, struct horn_terms *conditions,
                  const struct query_options *how, uint64_t ticks) {
    bool ok = settle_kind(sys, conditions, true, how, ticks / 2) &&
              settle_kind(sys, conditions, false, how, ticks / 2);
    if (!ok)
        vec_clear(conditions);
    return ok;
}
