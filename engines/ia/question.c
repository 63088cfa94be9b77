/* question: one step between `now` and `then`, and what is asked of it. */
#include "engines/ia/core.h"

enum { MOST_TEMPORARY = 1500 }; /* dead clauses: then a new solver is quicker */

static void bind_derived(struct ia *ia, uint32_t frame) {
    for (size_t i = 0; i < ia->sys->cells.len; i++) {
        const struct cell *c = &ia->sys->cells.data[i];
        if (c->is)
            query_bind(ia->q, frame, c->var, frame, c->is);
    }
}

static void bind_next(struct ia *ia) {
    for (size_t i = 0; i < ia->sys->cells.len; i++) {
        const struct cell *c = &ia->sys->cells.data[i];
        if (!c->is)
            query_bind(ia->q, ia->then, c->var, ia->now, c->next);
    }
}

/* The cells of `now` are initial ones where that is assumed. */
static void assert_initial(struct ia *ia) {
    ia->initial = query_activation(ia->q);
    query_assert(ia->q, ia->now, ia->sys->init_ok, ia->initial);
    for (size_t i = 0; i < ia->sys->cells.len; i++) {
        const struct cell *c = &ia->sys->cells.data[i];
        if (!c->is)
            query_assert(ia->q, ia->now, term_eq(ia->ts, c->var, c->init), ia->initial);
    }
}

static void assert_lemmas(struct ia *ia) {
    const struct invariant *inv = ia->options.lemmas;
    for (size_t i = 0; inv && inv->k <= 1 && i < inv->clauses.len; i++)
        query_assert(ia->q, ia->now, clause_term(ia->sys, &inv->clauses.data[i]), 0);
}

void ia_ask_open(struct ia *ia) {
    assert(!ia->q && "one at a time");
    const struct target *target = &ia->sys->targets.data[ia->target];
    struct query_options options = {ia->options.back_end, ia->options.seed, ia->options.deadline,
                                    window_solver(ia->options.window)};
    ia->q = query_open(ia->ts, &options);
    ia->now = query_frame(ia->q);
    ia->then = query_frame(ia->q);
    bind_derived(ia, ia->now);
    bind_next(ia);
    bind_derived(ia, ia->then);
    assert_initial(ia);
    ia->stepping = query_activation(ia->q);
    query_assert(ia->q, ia->now, ia->sys->step_ok, ia->stepping);
    assert_lemmas(ia);
    ia->hit = query_literal(ia->q, ia->now, target->hit);
    ia->init_hit = target->init_hit ? query_literal(ia->q, ia->now, target->init_hit) : 0;
    vec_clear(&ia->level);
    ia->temporary = 0;
    ia->retired = 0;
    while (ia->level.len <= ia->top)
        ia_add_level(ia);
    for (size_t i = 0; i < ia->blocked.len; i++)
        if (!ia->blocked.data[i].dead)
            ia_assert_blocked(ia, &ia->blocked.data[i]);
}

void ia_ask_close(struct ia *ia) {
    ia->closed_ticks += query_ticks(ia->q);
    ia->closed_queries += query_questions(ia->q);
    assert(ia->q);
    query_close(ia->q);
    ia->q = NULL;
}

static void renew(struct ia *ia) {
    if (ia->temporary < MOST_TEMPORARY)
        return;
    ia_ask_close(ia);
    ia_ask_open(ia);
}

uint64_t ia_ticks(const struct ia *ia) {
    return ia->closed_ticks + (ia->q ? query_ticks(ia->q) : 0) +
           (ia->path.q ? query_ticks(ia->path.q) : 0) +
           (ia->all_runs.q ? query_ticks(ia->all_runs.q) : 0);
}

enum solver_result ia_ask(struct ia *ia, struct query *q, const struct qlits *assumed) {
    uint64_t used = ia_ticks(ia);
    if (used >= ia->until)
        return SOLVER_UNKNOWN;
    return query_solve(q, assumed->data, assumed->len, ia->until - used);
}

/* ---- literals ---- */

static qlit literal_in(struct ia *ia, ia_lit lit, uint32_t frame) {
    assert(lit / 2 < ia->predicates.len);
    qlit l = query_literal(ia->q, frame, ia->predicates.data[lit / 2]);
    return lit & 1 ? -l : l;
}

qlit ia_now(struct ia *ia, ia_lit lit) {
    return literal_in(ia, lit, ia->now);
}

void ia_assume_cube(struct ia *ia, const struct ia_cube *cube, bool then, struct qlits *out) {
    for (size_t i = 0; i < cube->len; i++)
        vec_push(out, literal_in(ia, cube->data[i], then ? ia->then : ia->now));
}

void ia_assume_frame(struct ia *ia, uint32_t level, struct qlits *out) {
    if (level == 0)
        vec_push(out, ia->initial);
    for (size_t i = level > 0 ? level : 1; i < ia->level.len; i++)
        vec_push(out, ia->level.data[i]);
}

void ia_add_level(struct ia *ia) {
    vec_push(&ia->level, query_activation(ia->q));
}

void ia_assert_blocked(struct ia *ia, const struct ia_blocked *b) {
    struct qlits clause = {0};
    assert(!b->dead && b->level < ia->level.len);
    vec_push(&clause, -ia->level.data[b->level]);
    for (size_t i = 0; i < b->cube.len; i++)
        vec_push(&clause, -ia_now(ia, b->cube.data[i]));
    query_clause(ia->q, clause.data, clause.len);
    vec_free(&clause);
}

void ia_read_cube(struct ia *ia, struct ia_cube *cube) {
    vec_clear(cube);
    for (uint32_t p = 0; p < ia->predicates.len; p++) {
        term_t value = query_value(ia->q, ia->now, ia->predicates.data[p]);
        vec_push(cube, 2 * p + (term_is_true(ia->ts, value) ? 0 : 1));
    }
}

void ia_core_cube(struct ia *ia, const struct ia_cube *cube, bool then, struct ia_cube *out) {
    struct map in_core = {0};
    size_t n;
    const qlit *core = query_core(ia->q, &n);
    for (size_t i = 0; i < n; i++)
        map_put(&in_core, (uint32_t)core[i], 1);
    vec_clear(out);
    assert(out != cube);
    for (size_t i = 0; i < cube->len; i++)
        if (map_get(&in_core, (uint32_t)literal_in(ia, cube->data[i], then ? ia->then : ia->now)))
            vec_push(out, cube->data[i]);
    map_free(&in_core);
}

/* ---- questions ---- */

static enum ia_answer unless_sat(enum solver_result said) {
    return said == SOLVER_UNSAT ? IA_YES : said == SOLVER_SAT ? IA_NO : IA_STOPPED;
}

enum ia_answer ia_apart(struct ia *ia, const struct ia_cube *cube, struct ia_cube *why) {
    struct qlits ask = {0};
    ia_assume_frame(ia, 0, &ask);
    ia_assume_cube(ia, cube, false, &ask);
    enum ia_answer said = unless_sat(ia_ask(ia, ia->q, &ask));
    if (said == IA_YES && why)
        ia_core_cube(ia, cube, false, why);
    vec_free(&ask);
    return said;
}

/* The clause that the cube does not hold now, for one question. */
static qlit exclude_now(struct ia *ia, const struct ia_cube *cube) {
    struct qlits clause = {0};
    if (ia->retired)
        query_clause(ia->q, (qlit[]){-ia->retired}, 1);
    qlit on = query_activation(ia->q);
    ia->retired = on;
    vec_push(&clause, -on);
    for (size_t i = 0; i < cube->len; i++)
        vec_push(&clause, -ia_now(ia, cube->data[i]));
    query_clause(ia->q, clause.data, clause.len);
    vec_free(&clause);
    return on;
}

enum ia_answer ia_relative(struct ia *ia, const struct ia_cube *cube, uint32_t level,
                           struct ia_cube *core) {
    struct qlits ask = {0};
    assert(level > 0);
    renew(ia);
    ia_assume_frame(ia, level - 1, &ask);
    vec_push(&ask, ia->stepping);
    qlit on = level > 1 ? exclude_now(ia, cube) : 0;
    if (on)
        vec_push(&ask, on);
    ia_assume_cube(ia, cube, true, &ask);
    enum ia_answer said = unless_sat(ia_ask(ia, ia->q, &ask));
    if (said == IA_YES && core)
        ia_core_cube(ia, cube, true, core);
    vec_free(&ask);
    ia->temporary += on != 0;
    return said;
}
