/* simulate: concrete runs along an abstract path, formula (5): one query that grows with the
 * longest path, cubes and the hit as assumptions. */
#include "engines/ia/core.h"

static void open_path(struct ia *ia) {
    ia->path = query_open(ia->ts, &(struct query_options){ia->options.back_end, ia->options.seed});
    ia->path_init = query_frame(ia->path);
    ia->path_steps = 0;
}

static uint32_t frame_of(const struct ia *ia, uint32_t step) {
    assert(step < ia->path_steps);
    return ia->path_init + 1 + step;
}

/* The next state; `path_step` of it is assumed where the run is to come that far. */
static void grow_path(struct ia *ia) {
    uint32_t from = ia->path_steps ? frame_of(ia, ia->path_steps - 1) : ia->path_init;
    bool first = ia->path_steps == 0;
    qlit on = query_activation(ia->path);
    uint32_t frame = query_frame(ia->path);
    ia->path_steps++;
    query_assert(ia->path, from, first ? ia->sys->init_ok : ia->sys->step_ok, on);
    vec_push(&ia->path_step, on);
    for (size_t i = 0; i < ia->sys->cells.len; i++) {
        const struct cell *c = &ia->sys->cells.data[i];
        if (!c->is)
            query_bind(ia->path, frame, c->var, from, first ? c->init : c->next);
    }
    for (size_t i = 0; i < ia->sys->cells.len; i++) {
        const struct cell *c = &ia->sys->cells.data[i];
        if (c->is)
            query_bind(ia->path, frame, c->var, frame, c->is);
    }
}

static void read_inputs(struct ia *ia, uint32_t frame, bool at_init) {
    for (size_t i = 0; i < ia->sys->inputs.len; i++) {
        const struct sys_input *input = &ia->sys->inputs.data[i];
        bool here = input->at_init == at_init;
        vec_push(&ia->trace, here ? query_value(ia->path, frame, input->var) : 0);
    }
}

static void read_run(struct ia *ia, uint32_t n) {
    vec_clear(&ia->trace);
    ia->n_steps = n;
    read_inputs(ia, ia->path_init, true);
    for (uint32_t j = 0; j < n; j++)
        read_inputs(ia, frame_of(ia, j), false);
    assert(ia->trace.len == (n + 1) * ia->sys->inputs.len);
}

static qlit path_literal(struct ia *ia, ia_lit lit, uint32_t step) {
    qlit l = query_literal(ia->path, frame_of(ia, step), ia->predicates.data[lit / 2]);
    return lit & 1 ? -l : l;
}

static void assume_path(struct ia *ia, const struct ia_cube *path, uint32_t n, struct qlits *ask) {
    assert(n <= ia->path_step.len && ia->path_step.len == ia->path_steps);
    vec_append(ask, ia->path_step.data, n);
    for (uint32_t j = 0; j < n; j++)
        for (size_t i = 0; i < path[j].len; i++)
            vec_push(ask, path_literal(ia, path[j].data[i], j));
}

/* Of each cube what is in the core. */
static void keep_core(struct ia *ia, struct ia_cube *path, uint32_t n) {
    struct map in_core = {0};
    size_t n_core;
    const qlit *core = query_core(ia->path, &n_core);
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
static enum solver_result prefer_defined(struct ia *ia, struct qlits *ask, uint32_t n) {
    const struct system *sys = ia->sys;
    size_t before = ask->len;
    if (!term_is_false(ia->ts, sys->init_unspecified))
        vec_push(ask, -query_literal(ia->path, ia->path_init, sys->init_unspecified));
    for (uint32_t j = 0; j < n && !term_is_false(ia->ts, sys->unspecified); j++)
        vec_push(ask, -query_literal(ia->path, frame_of(ia, j), sys->unspecified));
    if (ask->len == before)
        return SOLVER_SAT;
    enum solver_result said = ia_ask(ia, ia->path, ask);
    ask->len = before;
    return said == SOLVER_UNSAT ? ia_ask(ia, ia->path, ask) : said;
}

enum ia_answer ia_simulate(struct ia *ia, struct ia_cube *path, uint32_t n) {
    struct qlits ask = {0};
    enum solver_result said;
    if (!ia->path)
        open_path(ia);
    while (ia->path_steps < n)
        grow_path(ia);
    term_t hit = ia->sys->targets.data[ia->target].hit;
    size_t before;
    assert(n > 0 && hit);
    do { /* a core of a core is often smaller */
        before = path_size(path, n);
        vec_clear(&ask);
        vec_push(&ask, query_literal(ia->path, frame_of(ia, n - 1), hit));
        assume_path(ia, path, n, &ask);
        said = ia_ask(ia, ia->path, &ask);
        if (said == SOLVER_UNSAT)
            keep_core(ia, path, n);
    } while (said == SOLVER_UNSAT && path_size(path, n) < before);
    if (said == SOLVER_SAT)
        said = prefer_defined(ia, &ask, n);
    if (said == SOLVER_SAT)
        read_run(ia, n);
    vec_free(&ask);
    return said == SOLVER_SAT ? IA_YES : said == SOLVER_UNSAT ? IA_NO : IA_STOPPED;
}

enum ia_answer ia_simulate_start(struct ia *ia) {
    struct qlits ask = {0};
    term_t init_hit = ia->sys->targets.data[ia->target].init_hit;
    if (!init_hit)
        return IA_NO;
    if (!ia->path)
        open_path(ia);
    vec_push(&ask, query_literal(ia->path, ia->path_init, init_hit));
    enum solver_result said = ia_ask(ia, ia->path, &ask);
    if (said == SOLVER_SAT)
        said = prefer_defined(ia, &ask, 0);
    if (said == SOLVER_SAT)
        read_run(ia, 0);
    vec_free(&ask);
    return said == SOLVER_SAT ? IA_YES : said == SOLVER_UNSAT ? IA_NO : IA_STOPPED;
}
