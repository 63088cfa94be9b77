#include "differential.h"

#include "instrument/lower/lower.h"
#include "model/system/machine.h"
#include "model/term/eval.h"
#include "native.h"

#include "base/mem.h"
#include "base/rng.h"

struct compared {
    const struct differential *d;
    struct terms terms;
    struct system sys;
    struct lowered lowered;
    struct machine machine;
    struct rng rng;
    struct arena arena;
    uint64_t *inputs; /* one per system input, of the step at hand */
    uint64_t *values; /* one per term */
};

/* ---- inputs: small numbers, corner cases, anything ---- */

static uint64_t random_float(struct rng *rng, sort_t sort) {
    static const double corners[] = {
        0.0,     -0.0,     1.0,          -1.0,         0.5,       2.0,        1e-40,
        -1e-310, 1e30,     -1e30,        3e38,         255.0,     256.0,      32767.0,
        32768.0, -32769.0, 2147483648.0, 4294967296.0, 1.0 / 0.0, -1.0 / 0.0, 0.0 / 0.0};
    double value = 0;
    switch (rng_below(rng, 4)) {
    case 0:
        value = corners[rng_below(rng, sizeof corners / sizeof *corners)];
        break;
    case 1:
        value = (double)(int64_t)rng_below(rng, 41) - 20;
        break;
    case 2:
        value = (rng_unit(rng) - 0.5) * 1000;
        break;
    default:
        return sort == SORT_F32 ? rng_next(rng) & 0xffffffffu : rng_next(rng);
    }
    return sort == SORT_F32 ? f32_bits((float)value) : f64_bits(value);
}

static uint64_t random_bits(struct rng *rng, sort_t sort) {
    if (sort_is_float(sort))
        return random_float(rng, sort);
    int width = sort_width(sort);
    uint64_t mask = width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
    switch (rng_below(rng, 4)) {
    case 0:
        return rng_below(rng, 8) & mask;
    case 1:
        return (uint64_t)((int64_t)rng_below(rng, 5) - 2) & mask;
    case 2:
        return ((UINT64_C(1) << rng_below(rng, (uint64_t)width)) - rng_below(rng, 2)) & mask;
    default:
        return rng_next(rng) & mask;
    }
}

/* A value between two ordinals: the ends, their neighbours, or any; floats mostly even by value. */
static uint64_t random_between(struct rng *rng, sort_t sort, bool is_signed, int64_t lo,
                               int64_t hi) {
    uint64_t width = (uint64_t)hi - (uint64_t)lo, near = rng_below(rng, 3);
    uint64_t kind = rng_below(rng, 8);
    if (kind < 2 && near <= width)
        return ordinal_bits(sort, is_signed, kind ? hi - (int64_t)near : lo + (int64_t)near);
    if (sort_is_float(sort) && kind < 7) {
        double a = sort == SORT_F32 ? (double)bits_f32(ordinal_bits(sort, true, lo))
                                    : bits_f64(ordinal_bits(sort, true, lo));
        double b = sort == SORT_F32 ? (double)bits_f32(ordinal_bits(sort, true, hi))
                                    : bits_f64(ordinal_bits(sort, true, hi));
        double x = a + (b - a) * rng_unit(rng);
        return sort == SORT_F32 ? f32_bits((float)x) : f64_bits(x);
    }
    uint64_t step = width == UINT64_MAX ? rng_next(rng) : rng_below(rng, width + 1);
    return ordinal_bits(sort, is_signed, (int64_t)((uint64_t)lo + step));
}

/* Values often stay: what needs several steps in a row happens then. */
static uint64_t draw_input(struct compared *c, size_t i) {
    const struct sys_input *in = &c->sys.inputs.data[i];
    sort_t sort = term_sort(&c->terms, in->var);
    const struct module *m = c->d->module;
    if (rng_below(&c->rng, 3) == 0)
        return c->inputs[i];
    if (in->module_input >= m->inputs.len || !m->inputs.data[in->module_input].has_range)
        return random_bits(&c->rng, sort);
    const struct module_var *var = &m->inputs.data[in->module_input];
    bool is_signed = var->type == TYPE_SIGNED || var->type == TYPE_FLOAT;
    return random_between(&c->rng, sort, is_signed, ordinal_of(sort, is_signed, var->min),
                          ordinal_of(sort, is_signed, var->max));
}

static void draw_inputs(struct compared *c) {
    for (size_t i = 0; i < c->sys.inputs.len; i++)
        c->inputs[i] = draw_input(c, i);
}

/* Most random inputs break assumptions: a few draws until one keeps them. */
static void step_machine(struct compared *c, bool first) {
    struct machine *m = &c->machine;
    VEC(uint64_t) cells = {0}, vars = {0};
    bool unspecified = m->unspecified;
    vec_append(&cells, m->cells.data, m->cells.len);
    vec_append(&vars, m->var_values.data, m->var_values.len);
    for (int tries = 0; tries < 60; tries++) {
        memcpy(m->cells.data, cells.data, cells.len * sizeof *cells.data);
        memcpy(m->var_values.data, vars.data, vars.len * sizeof *vars.data);
        m->unspecified = unspecified;
        m->ended = false;
        draw_inputs(c);
        if (first)
            machine_reset(m, c->inputs);
        else
            machine_step(m, c->inputs);
        if (!m->ended)
            break;
    }
    vec_free(&cells);
    vec_free(&vars);
}

/* ---- what the model says ---- */

struct expected {
    bool unspecified, ended;
    uint64_t *hits, *cells;
    bool *has_cell;
};

static void state_values(struct compared *c, struct expected *e) {
    size_t n = c->lowered.state.len;
    e->cells = arena_array(&c->arena, uint64_t, n + 1);
    e->has_cell = arena_array(&c->arena, bool, n + 1);
    for (size_t i = 0; i < n; i++) {
        term_t t = c->lowered.state.data[i];
        if (!t)
            continue;
        term_eval(&c->terms, &t, 1, c->machine.var_values.data, c->values);
        e->cells[i] = c->values[t];
        e->has_cell[i] = true;
    }
}

static struct expected expect_step(struct compared *c, uint32_t step, bool first,
                                   struct native_run *run) {
    struct expected e = {0};
    step_machine(c, first);
    e.unspecified = c->machine.unspecified;
    e.ended = c->machine.ended;
    e.hits = arena_array(&c->arena, uint64_t, c->d->n_probes + 1);
    for (uint32_t t = 0; t < c->sys.targets.len; t++)
        if (c->sys.targets.data[t].kind == TARGET_GOAL && machine_hit(&c->machine, t))
            e.hits[c->sys.targets.data[t].id] = 1;
    machine_events(&c->machine, step, &run->events);
    state_values(c, &e);
    return e;
}

/* Fills e[0] (the initialisation) .. e[steps]. */
static void expect_run(struct compared *c, struct expected *e, struct native_run *run) {
    c->machine.unspecified = c->machine.ended = false;
    e[0] = expect_step(c, UINT32_MAX, true, run);
    for (uint32_t j = 1; j <= c->d->steps && !e[j - 1].ended; j++) {
        e[j] = expect_step(c, j - 1, false, run);
        run->n_steps = j;
    }
}

/* ---- comparison ---- */

static bool same_value(const struct module_var *var, uint64_t a, uint64_t b) {
    if (var->type == TYPE_FLOAT) {
        sort_t sort = var->bits == 32 ? SORT_F32 : SORT_F64;
        return a == b || (bits_are_nan(sort, a) && bits_are_nan(sort, b));
    }
    uint64_t mask = var->bits == 64 ? UINT64_MAX : (UINT64_C(1) << var->bits) - 1;
    return (a & mask) == (b & mask);
}

static bool compare_hits(const struct compared *c, const struct expected *e,
                         const struct native_step *s, uint32_t step,
                         struct differential_result *result, struct err *err) {
    for (uint32_t p = 0; p < c->d->n_probes; p++) {
        if (e->hits[p] != s->hits[p])
            return err_set(err, ERR_EVIDENCE,
                           "step %u: probe %u is %s by the program, against the model", step, p,
                           s->hits[p] ? "hit" : "not hit");
        result->hits += e->hits[p];
    }
    return true;
}

static bool compare_cells(const struct compared *c, const struct expected *e,
                          const struct native_step *s, uint32_t step, struct err *err) {
    for (size_t i = 0; i < c->d->module->state.len; i++) {
        const struct module_var *var = &c->d->module->state.data[i];
        if (e->has_cell[i] && !same_value(var, e->cells[i], s->cells[i]))
            return err_set(
                err, ERR_EVIDENCE, "step %u: '%s' is 0x%llx in the model, 0x%llx in the program",
                step, var->path, (unsigned long long)e->cells[i], (unsigned long long)s->cells[i]);
    }
    return true;
}

static bool compare_step(const struct compared *c, const struct expected *e,
                         const struct native_step *s, uint32_t step,
                         struct differential_result *result, struct err *err) {
    static const char *const ends[] = {"goes on", "breaks an assumption", "traps",
                                       "asks for another input", "leaves inputs unread"};
    bool native_ended = s->end == NATIVE_ASSUMED || s->end == NATIVE_TRAPPED;
    if (s->end == NATIVE_WRONG_INPUT || s->end == NATIVE_UNUSED_INPUT ||
        (native_ended && !e->ended) || (!native_ended && e->ended && c->d->traps_end))
        return err_set(err, ERR_EVIDENCE, "step %u: the program %s, the model %s", step,
                       ends[s->end], e->ended ? "ends the run" : "goes on");
    if (e->ended && !native_ended)
        return true;
    return compare_hits(c, e, s, step, result, err) &&
           (e->ended || compare_cells(c, e, s, step, err));
}

static bool compare_run(const struct compared *c, const struct expected *e,
                        const struct native_step *s, uint32_t n, struct differential_result *result,
                        struct err *err) {
    for (uint32_t j = 0; j <= n; j++) {
        if (e[j].unspecified) {
            result->open_runs++;
            return true;
        }
        if (!compare_step(c, &e[j], &s[j], j, result, err))
            return false;
        result->steps++;
        if (e[j].ended) {
            result->ended_runs++;
            return true;
        }
    }
    return true;
}

static bool compare_all(struct compared *c, struct differential_result *result, struct err *err) {
    const struct differential *d = c->d;
    uint32_t width = d->steps + 1, longest = 0;
    struct expected *expected = arena_array(&c->arena, struct expected, d->runs * width);
    struct native_run *runs = arena_array(&c->arena, struct native_run, d->runs);
    for (uint32_t r = 0; r < d->runs; r++) {
        expect_run(c, &expected[r * width], &runs[r]);
        longest = runs[r].n_steps > longest ? runs[r].n_steps : longest;
    }
    struct native native = {d->dir, d->module, d->n_probes};
    struct native_step *steps = NULL;
    bool ok = native_execute(&native, d->text, runs, d->runs, &steps, &c->arena, err);
    for (uint32_t r = 0; r < d->runs && ok; r++)
        ok = compare_run(c, &expected[r * width], &steps[r * (longest + 1)], runs[r].n_steps,
                         result, err);
    for (uint32_t r = 0; r < d->runs; r++)
        vec_free(&runs[r].events);
    return ok;
}

static void describe(const struct compared *c, struct differential_result *result) {
    result->overruns = (uint32_t)c->sys.overruns.len;
    result->cells = c->sys.cells.len;
    result->terms = c->terms.nodes.len;
    result->limitations = c->lowered.limitations.len;
}

bool differential_run(const struct differential *d, struct differential_result *result,
                      struct err *err) {
    struct compared c = {.d = d};
    struct lower_options options = {.n_probes = d->n_probes};
    *result = (struct differential_result){0};
    terms_init(&c.terms);
    system_init(&c.sys, &c.terms);
    rng_init(&c.rng, d->seed);
    bool ok = lower(d->text, d->module, &options, &c.sys, &c.lowered, err);
    if (ok) {
        describe(&c, result);
        machine_init(&c.machine, &c.sys);
        c.inputs = mem_zalloc(c.sys.inputs.len + 1, sizeof *c.inputs);
        c.values = mem_zalloc(c.terms.nodes.len, sizeof *c.values);
        ok = compare_all(&c, result, err);
        mem_free(c.values);
        mem_free(c.inputs);
        machine_free(&c.machine);
        lowered_free(&c.lowered);
    }
    system_free(&c.sys);
    terms_free(&c.terms);
    arena_free(&c.arena);
    return ok;
}
