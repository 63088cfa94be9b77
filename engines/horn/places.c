/* places: breadth first; what follows a place is asked for until there is nothing new. */
#include "engines/horn/places.h"

#include "engines/query/query.h"

#include <assert.h>

enum { PLACES_TICKS = 60000000 };

struct search {
    struct places *p;
    const struct system *sys;
    struct query *q;
    uint32_t now, then, start, started;
    qlit stepping, starting;
};

static void bind(struct search *s, uint32_t frame, uint32_t from, bool initial) {
    for (size_t i = 0; i < s->sys->cells.len; i++) {
        const struct cell *c = &s->sys->cells.data[i];
        query_bind(s->q, frame, c->var, from, initial ? c->init : c->next);
    }
}

static void open_search(struct search *s, const struct query_options *how) {
    s->q = query_open(s->sys->terms, how);
    s->now = query_frame(s->q);
    s->then = query_frame(s->q);
    s->start = query_frame(s->q);
    s->started = query_frame(s->q);
    bind(s, s->then, s->now, false);
    bind(s, s->started, s->start, true);
    s->stepping = query_activation(s->q);
    s->starting = query_activation(s->q);
    query_assert(s->q, s->now, s->sys->step_ok, s->stepping);
    query_assert(s->q, s->start, s->sys->init_ok, s->starting);
}

static uint32_t index_of(struct places *p, uint32_t at) {
    for (uint32_t i = 0; i < p->at.len; i++)
        if (p->at.data[i] == at)
            return i;
    assert(at >> p->cells.len == 0);
    vec_push(&p->at, at);
    return (uint32_t)p->at.len - 1;
}

/* The place of the model in this frame; `other` is that it is another one. */
static uint32_t read_place(struct search *s, uint32_t frame, struct qlits *other) {
    uint32_t at = 0;
    VEC(qlit) lits = {0};
    for (size_t i = 0; i < s->p->cells.len; i++)
        vec_push(&lits, query_literal(s->q, frame, s->p->cells.data[i]));
    for (size_t i = 0; i < lits.len; i++) {
        bool holds = query_holds(s->q, lits.data[i]);
        at |= (uint32_t)holds << i;
        vec_push(other, holds ? -lits.data[i] : lits.data[i]);
    }
    vec_free(&lits);
    return at;
}

static bool is_too_much(const struct search *s) {
    return s->p->at.len > PLACES_MOST || s->p->edges.len > PLACES_MOST_EDGES ||
           query_ticks(s->q) > PLACES_TICKS;
}

/* All places of the frame under these assumptions. */
static bool list_places(struct search *s, struct qlits *ask, uint32_t frame, uint32_t from) {
    qlit on = query_activation(s->q);
    enum solver_result said;
    assert(frame == s->then || frame == s->started);
    vec_push(ask, on);
    for (size_t i = 0; i < s->p->cells.len; i++)
        query_literal(s->q, frame, s->p->cells.data[i]);
    while ((said = query_solve(s->q, ask->data, ask->len, PLACES_TICKS)) == SOLVER_SAT) {
        struct qlits other = {0};
        vec_push(&other, -on);
        uint32_t to = index_of(s->p, read_place(s, frame, &other));
        if (from != NONE)
            vec_push(&s->p->edges, (struct place_edge){from, to});
        query_clause(s->q, other.data, other.len);
        vec_free(&other);
        if (is_too_much(s))
            return false;
    }
    query_clause(s->q, (qlit[]){-on}, 1);
    return said == SOLVER_UNSAT;
}

static bool list_following(struct search *s, uint32_t place) {
    struct qlits ask = {0};
    assert(place < s->p->at.len);
    vec_push(&ask, s->stepping);
    for (size_t i = 0; i < s->p->cells.len; i++) {
        qlit lit = query_literal(s->q, s->now, s->p->cells.data[i]);
        vec_push(&ask, places_bit(s->p, place, i) ? lit : -lit);
    }
    bool ok = list_places(s, &ask, s->then, place);
    vec_free(&ask);
    return ok;
}

bool places_find(struct places *p, const struct system *sys, const struct query_options *how) {
    struct search s = {.p = p, .sys = sys};
    *p = (struct places){0};
    for (size_t i = 0; i < sys->cells.len; i++)
        if (term_sort(sys->terms, sys->cells.data[i].var) == SORT_BOOL)
            vec_push(&p->cells, sys->cells.data[i].var);
    if (p->cells.len == 0 || p->cells.len > PLACES_MOST_CELLS || p->cells.len == sys->cells.len)
        return false;
    open_search(&s, how);
    struct qlits ask = {0};
    vec_push(&ask, s.starting);
    bool ok = list_places(&s, &ask, s.started, NONE);
    p->initial = p->at.len;
    for (uint32_t place = 0; place < p->at.len && ok; place++)
        ok = list_following(&s, place);
    vec_free(&ask);
    query_close(s.q);
    return ok;
}

void places_free(struct places *p) {
    vec_free(&p->cells);
    vec_free(&p->at);
    vec_free(&p->edges);
}

bool places_bit(const struct places *p, uint32_t place, size_t cell) {
    assert(place < p->at.len && cell < p->cells.len);
    return p->at.data[place] >> cell & 1;
}

term_t places_term(const struct places *p, struct terms *ts, uint32_t place) {
    term_t t = term_bool(ts, true);
    for (size_t i = 0; i < p->cells.len; i++) {
        term_t cell = p->cells.data[i];
        t = term_and(ts, t, places_bit(p, place, i) ? cell : term_not(ts, cell));
    }
    return t;
}
