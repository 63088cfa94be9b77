/* simulate: concrete runs along an abstract path, formula (5): one query that grows with the
 * longest path, cubes and the hit as assumptions. */
#include "engines/ia/core.h"

static void open_runs(struct ia *ia, struct ia_runs *runs) {
    if (runs->q)
        return;
    struct query_options how = {ia->options.back_end, ia->options.seed, ia->options.deadline,
                                window_solver(ia->options.window)};
    runs->q = query_open(ia->ts, &how);
    runs->init = query_frame(runs->q);
}

static uint32_t frame_of(const struct ia_runs *runs, uint32_t step) {
    assert(step < runs->on.len);
    return runs->init + 1 + step;
}

/* The next state; `on` of it is assumed where the run is to come that far. */
static void grow_runs(struct ia *ia, struct ia_runs *runs) {
    uint32_t n = (uint32_t)runs->on.len, from = n ? frame_of(runs, n - 1) : runs->init;
    qlit on = query_activation(runs->q);
    uint32_t frame = query_frame(runs->q);
    query_assert(runs->q, from, n ? ia->sys->step_ok : ia->sys->init_ok, on);
    vec_push(&runs->on, on);
    for (size_t i = 0; i < ia->sys->cells.len; i++) {
        const struct cell *c = &ia->sys->cells.data[i];
        if (!c->is)
            query_bind(runs->q, frame, c->var, from, n ? c->next : c->init);
    }
    for (size_t i = 0; i < ia->sys->cells.len; i++) {
        const struct cell *c = &ia->sys->cells.data[i];
        if (c->is)
            query_bind(runs->q, frame, c->var, frame, c->is);
    }
}

static void read_inputs(struct ia *ia, struct query *q, uint32_t frame, bool at_init) {
    for (size_t i = 0; i < ia->sys->inputs.len; i++) {
        const struct sys_input *input = &ia->sys->inputs.data[i];
        bool here = input->at_init == at_init;
        vec_push(&ia->trace, here ? query_value(q, frame, input->var) : 0);
    }
}

static void read_run(struct ia *ia, struct ia_runs *runs, uint32_t n) {
    vec_clear(&ia->trace);
    ia->n_steps = n;
    read_inputs(ia, runs->q, runs->init, true);
    for (uint32_t j = 0; j < n; j++)
        read_inputs(ia, runs->q, frame_of(runs, j), false);
    assert(ia->trace.len == (n + 1) * ia->sys->inputs.len);
}

static qlit path_literal(struct ia *ia, ia_lit lit, uint32_t step) {
    qlit l = query_literal(ia->path.q, frame_of(&ia->path, step), ia->predicates.data[lit / 2]);
    return lit & 1 ? -l : l;
}

static void assume_path(struct ia *ia, const struct ia_cube *path, uint32_t n, struct qlits *ask) {
    assert(n <= ia->path.on.len);
    vec_append(ask, ia->path.on.data, n);
    for (uint32_t j = 0; j < n; j++)
        for (size_t i = 0; i < path[j].len; i++)
            vec_push(ask, path_literal(ia, path[j].data[i], j));
}

/* Of each cube what is in the core. */
static void keep_core(struct ia *ia, struct ia_cube *path, uint32_t n) {
    struct map in_core = {0};
    size_t n_core;
    const qlit *core = query_core(ia->path.q, &n_core);
    for (size_t i = 0; i < n_core; i++)
        map_put(&in_core, (uint32_t)core[i], 1);
    for (uint32_t j = 0; j < n; j++) {
        size_t kept = 0;
        for (size_t i = 0; i < path[j].len; i++)
            if (map_get(&in_core, (uint32_t)path_literal(ia, path[j].data[i], j)))
                path[j].data[kept++] = path[j].data[i];
        path[j].len = kept;
    }
    map_free(&in_core);
}

static size_t path_size(const struct ia_cube *path, uint32_t n) {
    size_t size = 0;
    for (uint32_t j = 0; j < n; j++)
        size += path[j].len;
    return size;
}

/* There is a run. One that uses no value which C leaves open is worth more; the answer is SAT
 * either way, unless the budget ends. */
static enum solver_result prefer_defined(struct ia *ia, struct ia_runs *runs, struct qlits *ask,
                                         uint32_t n) {
    const struct system *sys = ia->sys;
    size_t before = ask->len;
    if (!term_is_false(ia->ts, sys->init_unspecified))
        vec_push(ask, -query_literal(runs->q, runs->init, sys->init_unspecified));
    for (uint32_t j = 0; j < n && !term_is_false(ia->ts, sys->unspecified); j++)
        vec_push(ask, -query_literal(runs->q, frame_of(runs, j), sys->unspecified));
    if (ask->len == before)
        return SOLVER_SAT;
    enum solver_result said = ia_ask(ia, runs->q, ask);
    ask->len = before;
    return said == SOLVER_UNSAT ? ia_ask(ia, runs->q, ask) : said;
}

/* What was asked has this answer; a run is kept. */
static enum ia_answer conclude(struct ia *ia, struct ia_runs *runs, struct qlits *ask, uint32_t n,
                               enum solver_result said) {
    if (said == SOLVER_SAT)
        said = prefer_defined(ia, runs, ask, n);
    if (said == SOLVER_SAT)
        read_run(ia, runs, n);
    return said == SOLVER_SAT ? IA_YES : said == SOLVER_UNSAT ? IA_NO : IA_STOPPED;
}

enum ia_answer ia_simulate(struct ia *ia, struct ia_cube *path, uint32_t n) {
    struct qlits ask = {0};
    enum solver_result said;
    struct ia_runs *runs = &ia->path;
    term_t hit = ia->sys->targets.data[ia->target].hit;
    size_t before;
    assert(n > 0 && hit);
    open_runs(ia, runs);
    while (runs->on.len < n)
        grow_runs(ia, runs);
    do { /* a core of a core is often smaller */
        before = path_size(path, n);
        vec_clear(&ask);
        vec_push(&ask, query_literal(runs->q, frame_of(runs, n - 1), hit));
        assume_path(ia, path, n, &ask);
        said = ia_ask(ia, runs->q, &ask);
        if (said == SOLVER_UNSAT)
            keep_core(ia, path, n);
    } while (said == SOLVER_UNSAT && path_size(path, n) < before);
    enum ia_answer answer = conclude(ia, runs, &ask, n, said);
    vec_free(&ask);
    return answer;
}

enum ia_answer ia_simulate_all(struct ia *ia, uint32_t n) {
    struct qlits ask = {0};
    struct ia_runs *runs = &ia->all_runs;
    const struct target *target = &ia->sys->targets.data[ia->target];
    if (n == 0 && !target->init_hit)
        return IA_NO;
    open_runs(ia, runs);
    while (runs->on.len < n)
        grow_runs(ia, runs);
    vec_push(&ask, n == 0 ? query_literal(runs->q, runs->init, target->init_hit)
                          : query_literal(runs->q, frame_of(runs, n - 1), target->hit));
    vec_append(&ask, runs->on.data, n);
    enum ia_answer answer = conclude(ia, runs, &ask, n, ia_ask(ia, runs->q, &ask));
    vec_free(&ask);
    return answer;
}
