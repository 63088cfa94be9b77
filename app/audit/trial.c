/* One step from each of many states, on each build: a pool of states that runs came to is varied
 * by states.c, and a finding is played again in fresh processes, on builds whose locals start
 * otherwise. */
#include "app/audit/trial.h"

#include "base/mem.h"
#include "instrument/syntax/sort.h"
#include "model/system/machine.h"
#include "model/term/value.h"

#include <string.h>
#include <time.h>

enum {
    POOL = 32,
    STEPS_MAX = 8,
    LEAST_STEPS = 200,
    LEAST_FACTOR = 4,
    LOOK_EVERY = 16,
    ENDLESS_MAX = 5,
    SHOWN = 12
};

/* One step (or as many as the deepest proof needs) from one state. */
struct row {
    struct native_cells set;
    struct input_events events;
    uint32_t n_steps;
};

struct court {
    const struct trial *t;
    struct states states;
    VEC(struct focus) focus;     /* by proof */
    VEC(bool) usable, tried;     /* by proof */
    VEC(uint64_t) cells, before; /* by cell of the system */
    VEC(uint64_t) inputs;        /* by module input: of the row */
    VEC(uint64_t) pool;          /* POOL states, by cell of the system */
    uint32_t pooled, endless;
    struct row row;
    struct native_result result;
    struct trial_result *out;
    double began;
};

double trial_seconds(double cpu_seconds) {
    static const double share = 0.03, least = 0.05, most = 10;
    double seconds = least + share * cpu_seconds;
    return seconds < most ? seconds : most;
}

static double own_seconds(void) {
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (double)used.tv_sec + (double)used.tv_nsec * 1e-9;
}

static double used_seconds(const struct court *c) {
    const struct trial *t = c->t;
    return own_seconds() - c->began + native_cpu_seconds(t->zero) + native_cpu_seconds(t->pattern) +
           (t->gcc ? native_cpu_seconds(t->gcc) : 0);
}

/* ---- what is run ---- */

static bool before_steps(const struct module_var *v) {
    return v->role == VAR_PARAMETER || v->early || v->only_early;
}

static void draw_inputs(struct court *c) {
    const struct module *m = c->t->module;
    struct input_events *events = &c->row.events;
    vec_clear(events);
    for (uint32_t i = 0; i < m->inputs.len; i++)
        c->inputs.data[i] = states_input(&c->states, i);
    for (uint32_t i = 0; i < m->inputs.len; i++)
        if (before_steps(&m->inputs.data[i]))
            vec_push(events, (struct input_event){NATIVE_INIT, i, c->inputs.data[i]});
    for (uint32_t step = 0; step < c->row.n_steps; step++)
        for (uint32_t i = 0; i < m->inputs.len; i++)
            if (m->inputs.data[i].role != VAR_PARAMETER && !m->inputs.data[i].only_early)
                vec_push(events, (struct input_event){step, i, c->inputs.data[i]});
}

/* False: not to the end of all steps, so there is nothing to compare. */
static bool play(struct court *c, struct native *native, bool fresh, struct err *err) {
    struct native_run run = {.events = &c->row.events,
                             .set = &c->row.set,
                             .n_steps = c->row.n_steps,
                             .trace_steps = c->row.n_steps,
                             .fresh = fresh};
    struct native_result *r = &c->result;
    if (!native_replay(native, &run, r, err))
        return false;
    c->endless += r->end == NATIVE_ENDLESS;
    return r->end == NATIVE_RAN && r->traced == c->row.n_steps && r->n_cells > 0;
}

static void take_cells(struct court *c, const uint64_t *state, uint64_t *cells) {
    states_take(&c->states, state, c->inputs.data, cells);
    for (size_t p = 0; p < c->focus.len; p++)
        if (c->usable.data[p])
            states_derive(&c->states, &c->focus.data[p], cells);
}

/* ---- what is compared ---- */

struct finding {
    uint32_t proof, probe, step;
    const struct clause *clause;
};

/* A k-inductive proof speaks of runs that hit none of its targets in the steps before the last one;
 * of where the model ends, which no run shows, it speaks as of a target. */
static bool is_excused(const struct court *c, const struct invariant *inv) {
    for (size_t i = 0; i < inv->targets.len && inv->k > 1; i++) {
        const struct target *target = &c->t->sys->targets.data[inv->targets.data[i]];
        if (target->kind == TARGET_OVERRUN)
            return true;
        const struct native_hit *hit = &c->result.first_hit.data[target->id];
        if (hit->step < c->row.n_steps && hit->step + 1 < inv->k)
            return true;
    }
    return false;
}

static bool hits(const struct court *c, uint32_t proof, struct finding *f) {
    const struct trial_proof *p = &c->t->proofs.data[proof];
    if (is_excused(c, p->inv))
        return false;
    for (size_t i = 0; i < p->n_probes; i++) {
        const struct native_hit *hit = &c->result.first_hit.data[p->probes[i]];
        if (hit->tainted || hit->step >= c->row.n_steps || hit->step + 1 < p->inv->k)
            continue;
        *f = (struct finding){.proof = proof, .probe = p->probes[i], .step = hit->step};
        return true;
    }
    return false;
}

static bool leaves(const struct court *c, uint32_t proof, uint32_t step, const uint64_t *cells,
                   struct finding *f) {
    const struct invariant *inv = c->t->proofs.data[proof].inv;
    for (size_t i = 0; i < inv->clauses.len; i++)
        if (!clause_holds(&inv->clauses.data[i], c->t->sys, cells)) {
            *f = (struct finding){proof, NONE, step, &inv->clauses.data[i]};
            return true;
        }
    return false;
}

static bool is_tried(const struct court *c, uint32_t proof) {
    return c->usable.data[proof] &&
           states_holds(&c->states, c->t->proofs.data[proof].inv, c->before.data);
}

/* The result is of a run to its end. The state behind its last step is in `cells` then. */
static bool find(struct court *c, struct finding *f) {
    bool found = false;
    take_cells(c, c->result.init_cells.data, c->before.data);
    for (uint32_t p = 0; p < c->focus.len && !found; p++) {
        bool tried = is_tried(c, p);
        c->tried.data[p] |= tried;
        found = tried && hits(c, p, f);
    }
    for (uint32_t step = 0; step < c->row.n_steps && !found; step++) {
        take_cells(c, c->result.cells.data + (size_t)step * c->result.n_cells, c->cells.data);
        for (uint32_t p = 0; p < c->focus.len && !found; p++)
            found = is_tried(c, p) && leaves(c, p, step, c->cells.data, f);
    }
    return found;
}

/* ---- is it so? ---- */

static void model_inputs(const struct court *c, uint64_t *values) {
    const struct system *sys = c->t->sys;
    for (size_t i = 0; i < sys->inputs.len; i++) {
        uint32_t id = sys->inputs.data[i].module_input;
        values[i] = id == NONE ? 0 : c->inputs.data[id];
    }
}

/* The model ends the run in one of these steps: inside of an object no build may see why. */
static bool model_ends(struct court *c) {
    const struct system *sys = c->t->sys;
    struct machine m;
    VEC(uint64_t) inputs = {0};
    vec_resize_zero(&inputs, sys->inputs.len + 1);
    model_inputs(c, inputs.data);
    machine_init(&m, sys);
    machine_reset(&m, inputs.data);
    m.ended = false;
    for (uint32_t cell = 0; cell < sys->cells.len; cell++)
        if (c->states.place.data[cell] != PLACE_NONE) {
            m.cells.data[cell] = c->before.data[cell];
            m.var_values.data[term_get(sys->terms, sys->cells.data[cell].var)->payload] =
                c->before.data[cell];
        }
    for (uint32_t step = 0; step < c->row.n_steps && !m.ended; step++)
        machine_step(&m, inputs.data);
    bool ended = m.ended;
    machine_free(&m);
    vec_free(&inputs);
    return ended;
}

static bool has_meaning(struct court *c, struct native *native, struct err *err) {
    return play(c, native, true, err) && c->result.unspecified == NATIVE_DEFINED;
}

/* Found again by the same build in a fresh process, where the checks of the others see nothing. */
static bool stands(struct court *c, struct native *native, struct finding *f, struct err *err) {
    return has_meaning(c, c->t->pattern, err) && has_meaning(c, c->t->zero, err) &&
           play(c, native, true, err) && find(c, f) && !(c->t->may_end && model_ends(c));
}

/* ---- in words ---- */

static void name_value(struct str *out, const struct module_var *v, uint64_t bits) {
    str_addf(out, "%s%s = ", out->len ? ", " : "", v->path);
    value_print(var_sort(v), v->type == TYPE_SIGNED, bits, out);
}

static void describe(struct court *c, const struct native *native, const struct finding *f) {
    const struct module *m = c->t->module;
    const struct focus *focus = &c->focus.data[f->proof];
    struct str state = {0}, inputs = {0};
    for (size_t i = 0, n = 0; i < c->states.cell_of.len && n < SHOWN; i++)
        for (size_t k = 0; k < focus->cells.len; k++)
            if (focus->cells.data[k] == c->states.cell_of.data[i] && n++ < SHOWN)
                name_value(&state, &m->state.data[i], c->before.data[focus->cells.data[k]]);
    for (uint32_t i = 0; i < m->inputs.len && i < SHOWN; i++)
        if (m->inputs.data[i].type != TYPE_POINTER)
            name_value(&inputs, &m->inputs.data[i], c->inputs.data[i]);
    str_addf(&c->out->what, "in the state {%s} a step with {%s} ", str_text(&state),
             str_text(&inputs));
    if (f->clause) {
        str_add(&c->out->what, "leaves ");
        clause_print(f->clause, c->t->sys, &c->out->what);
    } else {
        str_add(&c->out->what, "hits it");
    }
    str_addf(&c->out->what, " in the build by %s", native == c->t->gcc ? "gcc" : "clang");
    str_free(&state);
    str_free(&inputs);
}

static bool judge(struct court *c, struct native *native, struct err *err) {
    struct finding f;
    struct err again = {0};
    if (!find(c, &f))
        return false;
    bool so = stands(c, native, &f, &again);
    err_clear(&again);
    (void)err;
    if (!so)
        return false;
    c->out->failed = true;
    c->out->proof = f.proof;
    c->out->probe = f.probe;
    describe(c, native, &f);
    return true;
}

/* ---- states that runs come to ---- */

static void keep(struct court *c, const uint64_t *cells) {
    size_t n = c->t->sys->cells.len;
    size_t at = c->pooled < POOL ? c->pooled++ : rng_below(&c->states.rng, POOL);
    if (n > 0)
        memcpy(c->pool.data + at * n, cells, n * sizeof *cells);
}

/* The initial state, and what a few random steps make of it. */
static bool fill_pool(struct court *c, struct err *err) {
    vec_clear(&c->row.set);
    c->row.n_steps = STEPS_MAX;
    for (int i = 0; i < POOL / 2; i++) {
        draw_inputs(c);
        if (!play(c, c->t->zero, false, err) && err->code != ERR_NONE)
            return false;
        if (c->result.init_cells.len == 0)
            continue;
        take_cells(c, c->result.init_cells.data, c->cells.data);
        keep(c, c->cells.data);
        uint32_t n = c->result.traced;
        if (n == 0)
            continue;
        size_t step = rng_below(&c->states.rng, n);
        take_cells(c, c->result.cells.data + step * c->result.n_cells, c->cells.data);
        keep(c, c->cells.data);
    }
    return true;
}

/* ---- the loop ---- */

/* Draws a state of that proof, and the inputs of a step. */
static bool prepare(struct court *c, uint32_t proof) {
    size_t n = c->t->sys->cells.len;
    const uint64_t *from = c->pool.data + rng_below(&c->states.rng, c->pooled) * n;
    c->row.n_steps = c->t->proofs.data[proof].inv->k;
    draw_inputs(c);
    if (n > 0)
        memcpy(c->cells.data, from, n * sizeof *from);
    for (uint32_t cell = 0; cell < n; cell++)
        if (c->states.place.data[cell] == PLACE_PARAMETER)
            c->cells.data[cell] = c->inputs.data[c->states.input_of.data[cell]];
    if (!states_draw(&c->states, &c->focus.data[proof], c->cells.data))
        return false;
    states_set(&c->states, c->cells.data, &c->row.set);
    return true;
}

static bool goes_on(const struct court *c, uint64_t round) {
    const struct trial *t = c->t;
    if (c->out->failed || c->endless > ENDLESS_MAX || (t->most_steps && round >= t->most_steps))
        return false;
    if (round % LOOK_EVERY)
        return true;
    double used = used_seconds(c);
    return used < t->cpu_seconds || (round < LEAST_STEPS && used < LEAST_FACTOR * t->cpu_seconds);
}

static bool try_all(struct court *c, struct err *err) {
    const struct trial *t = c->t;
    uint32_t n = (uint32_t)c->focus.len;
    for (uint64_t round = 0; goes_on(c, round); round++) {
        uint32_t proof = (uint32_t)(round / 2 % n);
        struct native *native = t->gcc && round % 2 ? t->gcc : t->zero;
        if (!c->usable.data[proof] || !prepare(c, proof))
            continue;
        bool ran = play(c, native, false, err);
        if (!ran && err->code != ERR_NONE)
            return false;
        if (!ran)
            continue;
        c->out->steps++;
        if (!judge(c, native, err) && rng_below(&c->states.rng, 4) == 0)
            keep(c, c->cells.data);
    }
    return true;
}

/* Long proofs by induction would make long rows. */
static void admit(struct court *c) {
    const struct trial *t = c->t;
    for (size_t p = 0; p < t->proofs.len; p++) {
        struct focus f;
        bool known = focus_open(&f, &c->states, t->proofs.data[p].inv);
        vec_push(&c->focus, f);
        vec_push(&c->usable, known && t->proofs.data[p].inv->k <= STEPS_MAX);
        vec_push(&c->tried, false);
    }
}

static void court_open(struct court *c) {
    const struct trial *t = c->t;
    size_t cells = t->sys->cells.len;
    c->began = own_seconds();
    states_open(&c->states, t->sys, t->module, t->seed);
    vec_resize_zero(&c->cells, cells + 1);
    vec_resize_zero(&c->before, cells + 1);
    vec_resize_zero(&c->pool, cells * POOL + 1);
    vec_resize_zero(&c->inputs, t->module->inputs.len + 1);
    admit(c);
}

static void court_close(struct court *c) {
    for (size_t p = 0; p < c->focus.len; p++)
        focus_close(&c->focus.data[p]);
    vec_free(&c->focus);
    vec_free(&c->usable);
    vec_free(&c->tried);
    vec_free(&c->cells);
    vec_free(&c->before);
    vec_free(&c->pool);
    vec_free(&c->inputs);
    vec_free(&c->row.set);
    vec_free(&c->row.events);
    native_result_free(&c->result);
    states_close(&c->states);
}

bool trial_run(const struct trial *t, struct trial_result *r, struct err *err) {
    struct court c = {.t = t, .out = r};
    *r = (struct trial_result){.probe = NONE};
    assert(t->zero && t->pattern && !t->module->task);
    court_open(&c);
    bool any = false;
    for (size_t p = 0; p < c.usable.len; p++)
        any |= c.usable.data[p];
    bool ok = !any || (fill_pool(&c, err) && (c.pooled == 0 || try_all(&c, err)));
    for (size_t p = 0; p < c.tried.len; p++)
        r->tried += c.tried.data[p];
    court_close(&c);
    return ok;
}

void trial_result_free(struct trial_result *r) {
    str_free(&r->what);
}
