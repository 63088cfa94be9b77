/* guess: initial states are asked for that the guess does not cover, and it gives way, then steps
 * from states that it covers to others, until there are none ("symbolic abstraction",
 * T. Reps, M. Sagiv, G. Yorsh). */
#include "engines/horn/guess.h"

#include "engines/horn/rooms.h"
#include "engines/query/query.h"
#include "model/term/simplify.h"

#include <assert.h>

enum { MOST_TRIES = 6, MOST_QUESTIONS = 60, QUESTION_TICKS = 2000, HARD = 1500000 };

struct guess {
    const struct system *sys;
    struct terms *ts;
    const struct query_options *how;
    struct query *q;
    struct rooms *rooms;
    struct horn_terms state; /* scratch, by variable */
    uint64_t ticks;          /* where q ends */
};

/* The state of the model. */
static void read_state(struct guess *g, uint32_t frame) {
    for (size_t i = 0; i < g->sys->cells.len; i++) {
        term_t var = g->sys->cells.data[i].var;
        g->state.data[term_bits(g->ts, var)] = query_value(g->q, frame, var);
    }
}

/* One hard question is not worth all the effort there is for easy ones. */
static enum solver_result ask(struct guess *g, const struct qlits *assumed) {
    uint64_t used = query_ticks(g->q);
    assert(assumed->len > 0);
    if (used >= g->ticks)
        return SOLVER_UNKNOWN;
    uint64_t left = g->ticks - used;
    return query_solve(g->q, assumed->data, assumed->len, left < HARD ? left : HARD);
}

/* What is assumed of the frame before: NONE: nothing. */
static void assume_covered(struct guess *g, uint32_t before, struct qlits *assumed) {
    for (size_t i = 0; i < rooms_count(g->rooms) && before != NONE; i++)
        if (!term_is_true(g->ts, rooms_term(g->rooms, i)))
            vec_push(assumed, query_literal(g->q, before, rooms_term(g->rooms, i)));
}

/* Wishes that are in the core are refused. */
static void refuse(struct guess *g, uint32_t frame, uint32_t room,
                   const struct horn_terms *wishes) {
    size_t n;
    assert(room < rooms_count(g->rooms) && wishes->len > 0);
    const qlit *core = query_core(g->q, &n);
    for (size_t w = 0; w < wishes->len; w++)
        for (size_t i = 0; i < n; i++)
            if (core[i] == query_literal(g->q, frame, wishes->data[w]))
                rooms_refuse(g->rooms, room, wishes->data[w]);
}

/* There is a state that is new: one that is new in many ways is worth as much as many samples. */
static void look_for_better(struct guess *g, uint32_t frame, uint32_t before) {
    struct horn_terms wishes = {0};
    enum solver_result said = SOLVER_UNSAT;
    for (int tries = 0; tries < MOST_TRIES && said == SOLVER_UNSAT; tries++) {
        struct qlits assumed = {0};
        uint32_t room = rooms_wishes(g->rooms, &g->state, &wishes);
        said = SOLVER_UNKNOWN;
        if (wishes.len > 1) {
            vec_push(&assumed, query_literal(g->q, frame, rooms_here(g->rooms, room)));
            assume_covered(g, before, &assumed);
            for (size_t i = 0; i < wishes.len; i++)
                vec_push(&assumed, query_literal(g->q, frame, wishes.data[i]));
            said = ask(g, &assumed);
        }
        if (said == SOLVER_SAT)
            read_state(g, frame);
        if (said == SOLVER_UNSAT)
            refuse(g, frame, room, &wishes);
        vec_free(&assumed);
    }
    vec_free(&wishes);
}

/* A state that the guess does not cover, among those of a frame; before: where it covers all in
 * that one, NONE: no matter. */
static enum solver_result take_uncovered(struct guess *g, uint32_t frame, uint32_t before) {
    struct qlits clause = {0}, assumed = {0};
    qlit on = query_activation(g->q);
    vec_push(&clause, -on);
    vec_push(&assumed, on);
    for (size_t i = 0; i < rooms_count(g->rooms); i++)
        if (!term_is_true(g->ts, rooms_term(g->rooms, i)))
            vec_push(&clause, -query_literal(g->q, frame, rooms_term(g->rooms, i)));
    query_clause(g->q, clause.data, clause.len);
    assume_covered(g, before, &assumed);
    enum solver_result said = ask(g, &assumed);
    if (said == SOLVER_SAT) {
        read_state(g, frame);
        look_for_better(g, frame, before);
        rooms_take(g->rooms, &g->state);
    }
    query_clause(g->q, (qlit[]){-on}, 1);
    vec_free(&clause);
    vec_free(&assumed);
    return said;
}

/* The first state, or one step: the frame after it. */
static uint32_t open_step(struct guess *g, bool initial) {
    g->q = query_open(g->ts, g->how);
    uint32_t before = query_frame(g->q), frame = query_frame(g->q);
    query_assert(g->q, before, initial ? g->sys->init_ok : g->sys->step_ok, 0);
    for (size_t i = 0; i < g->sys->cells.len; i++) {
        const struct cell *c = &g->sys->cells.data[i];
        query_bind(g->q, frame, c->var, before, initial ? c->init : c->next);
    }
    return frame;
}

/* Samples until all states of the start are covered, or all that a step leads to from what is;
 * false: the effort is spent. What was said of rooms earlier is in the way of a solver, which is
 * why there is a new one now and then. */
static bool cover(struct guess *g, bool initial, uint64_t ticks) {
    enum solver_result said = SOLVER_SAT;
    uint64_t spent = 0;
    assert(ticks > 0);
    while (said == SOLVER_SAT && spent < ticks) {
        uint32_t frame = open_step(g, initial);
        g->ticks = ticks - spent;
        while (said == SOLVER_SAT && query_questions(g->q) < MOST_QUESTIONS)
            said = take_uncovered(g, frame, initial ? NONE : frame - 1);
        spent += query_ticks(g->q) + QUESTION_TICKS * query_questions(g->q);
        query_close(g->q);
    }
    return said == SOLVER_UNSAT;
}

term_t guess_invariant(const struct system *sys, const struct horn_terms *places,
                       const struct query_options *how, uint64_t ticks) {
    struct guess g = {.sys = sys, .ts = sys->terms, .how = how};
    term_t found = term_bool(sys->terms, true);
    struct horn_terms all = {0};
    assert(places->len > 0 && ticks > 0);
    g.rooms = rooms_open(sys, places);
    if (g.rooms) {
        vec_resize_zero(&g.state, sys->terms->vars.len);
        bool settled = cover(&g, true, ticks / 8) && cover(&g, false, ticks / 2);
        rooms_conditions(g.rooms, settled, &all);
        if (!settled)
            guess_settle(sys, &all, how, 3 * ticks / 8);
    }
    for (size_t i = 0; i < all.len; i++)
        found = term_and(sys->terms, found, all.data[i]);
    rooms_close(g.rooms);
    vec_free(&all);
    vec_free(&g.state);
    return found;
}
