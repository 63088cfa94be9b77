/* Stepwise execution: the terms that a step needs are decoded once, then run in order. */
#include "model/system/machine.h"

#include "model/term/machine_code.h"
#include "model/term/simplify.h"

VEC_STRUCT(roots, term_t);

static void add_root(struct roots *roots, term_t t) {
    if (t)
        vec_push(roots, t);
}

static void collect_roots(const struct system *sys, bool initial, struct roots *roots) {
    assert(roots->len == 0);
    for (size_t i = 0; i < sys->cells.len; i++)
        add_root(roots, initial ? sys->cells.data[i].init : sys->cells.data[i].next);
    for (size_t i = 0; i < sys->targets.len; i++)
        add_root(roots, initial ? sys->targets.data[i].init_hit : sys->targets.data[i].hit);
    for (size_t i = 0; i < sys->inputs.len; i++)
        if (sys->inputs.data[i].at_init == initial)
            add_root(roots, sys->inputs.data[i].guard);
    add_root(roots, initial ? sys->init_ok : sys->step_ok);
    add_root(roots, initial ? sys->init_unspecified : sys->unspecified);
}

static struct machine_code *plan(struct machine *m, bool initial) {
    struct roots roots = {0};
    collect_roots(m->sys, initial, &roots);
    struct machine_code *code =
        machine_code_new(m->sys->terms, roots.data, roots.len, m->values.data);
    vec_free(&roots);
    return code;
}

void machine_init(struct machine *m, const struct system *sys) {
    *m = (struct machine){.sys = sys, .initial = true};
    vec_resize_zero(&m->cells, sys->cells.len);
    vec_resize_zero(&m->var_values, sys->terms->vars.len);
    vec_resize_zero(&m->values, sys->terms->nodes.len);
    m->init_code = plan(m, true);
    m->step_code = plan(m, false);
}

void machine_free(struct machine *m) {
    vec_free(&m->cells);
    vec_free(&m->var_values);
    vec_free(&m->values);
    machine_code_free(m->init_code);
    machine_code_free(m->step_code);
}

static void feed(struct machine *m, const uint64_t *inputs, bool initial) {
    assert(inputs || m->sys->inputs.len == 0);
    const struct system *sys = m->sys;
    for (size_t i = 0; i < sys->inputs.len; i++) {
        const struct sys_input *in = &sys->inputs.data[i];
        if (in->at_init == initial)
            m->var_values.data[term_bits(sys->terms, in->var)] = inputs[i];
    }
}

static bool is_true(const struct machine *m, term_t t, bool if_none) {
    return t ? m->values.data[t] != 0 : if_none;
}

/* All next values are read before the first cell is written: they are in `values`. */
static void move(struct machine *m) {
    const struct system *sys = m->sys;
    for (size_t i = 0; i < sys->cells.len; i++) {
        const struct cell *cell = &sys->cells.data[i];
        m->cells.data[i] = m->values.data[m->initial ? cell->init : cell->next];
        m->var_values.data[term_bits(sys->terms, cell->var)] = m->cells.data[i];
    }
}

void machine_reset(struct machine *m, const uint64_t *init_inputs) {
    assert(m->sys && m->cells.len == m->sys->cells.len);
    m->initial = true;
    feed(m, init_inputs, true);
    machine_code_run(m->init_code, m->var_values.data, m->values.data);
    m->unspecified = is_true(m, m->sys->init_unspecified, false);
    m->ended = !is_true(m, m->sys->init_ok, true);
    move(m);
}

void machine_step(struct machine *m, const uint64_t *inputs) {
    assert(!m->ended);
    m->initial = false;
    feed(m, inputs, false);
    machine_code_run(m->step_code, m->var_values.data, m->values.data);
    m->unspecified |= is_true(m, m->sys->unspecified, false);
    m->ended = !is_true(m, m->sys->step_ok, true);
    if (!m->ended)
        move(m);
}

bool machine_hit(const struct machine *m, uint32_t target) {
    assert(target < m->sys->targets.len);
    const struct target *t = &m->sys->targets.data[target];
    return is_true(m, m->initial ? t->init_hit : t->hit, false);
}

void machine_events(const struct machine *m, uint32_t step, struct input_events *events) {
    assert(m->initial == (step == UINT32_MAX));
    const struct system *sys = m->sys;
    for (size_t i = 0; i < sys->inputs.len; i++) {
        const struct sys_input *in = &sys->inputs.data[i];
        if (in->at_init != m->initial || in->module_input == NONE || !is_true(m, in->guard, true))
            continue;
        uint64_t bits = m->var_values.data[term_bits(sys->terms, in->var)];
        vec_push(events, (struct input_event){step, in->module_input, bits});
    }
}

/* ---- traces ---- */

static const uint64_t *step_inputs(const struct trace *trace, uint32_t step) {
    assert(step < trace->n_steps);
    return trace->values.data + (size_t)step * trace->n_inputs;
}

bool trace_hits(const struct system *sys, const struct trace *trace, uint32_t target) {
    assert(trace->n_inputs == sys->inputs.len);
    struct machine m;
    machine_init(&m, sys);
    machine_reset(&m, trace->init.data);
    bool alive = trace->n_steps == 0 || !m.ended;
    for (uint32_t j = 0; j < trace->n_steps && alive; j++) {
        machine_step(&m, step_inputs(trace, j));
        alive = !m.ended || j + 1 == trace->n_steps;
    }
    bool hit = alive && machine_hit(&m, target) && !m.unspecified;
    machine_free(&m);
    return hit;
}

uint32_t trace_program(const struct system *sys, const struct trace *trace, uint32_t cell,
                       uint64_t boundary, struct input_events *events) {
    assert(trace->n_inputs == sys->inputs.len && (cell == NONE || cell < sys->cells.len));
    struct machine m;
    uint32_t step = UINT32_MAX; /* the initialisation; the next one is 0 */
    machine_init(&m, sys);
    machine_reset(&m, trace->init.data);
    machine_events(&m, step, events);
    for (uint32_t j = 0; j < trace->n_steps && !m.ended; j++) {
        size_t first = events->len;
        step += cell == NONE || m.cells.data[cell] == boundary;
        machine_step(&m, step_inputs(trace, j));
        machine_events(&m, j, events);
        for (size_t i = first; i < events->len; i++)
            events->data[i].step = step;
    }
    machine_free(&m);
    return step + 1;
}

void trace_events(const struct system *sys, const struct trace *trace,
                  struct input_events *events) {
    trace_program(sys, trace, NONE, 0, events);
}
