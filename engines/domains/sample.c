/* Random runs of the model: inputs take the ends of their ranges and values in between, and keep
 * them for a while. A step that breaks an assumption is tried with other inputs. */
#include "engines/domains/domains.h"

#include "base/rng.h"
#include "model/system/machine.h"

enum { RUNS = 24, STEPS = 40, TRIES = 6, HOLD = 3 };

struct runner {
    const struct domains *d;
    struct machine m;
    struct rng rng;
    VEC(uint64_t) inputs;
};

/* As far as the assumptions bound it by themselves. */
static void input_ends(const struct domains *d, term_t var, bool at_init, int64_t *lo,
                       int64_t *hi) {
    const struct term_var *v =
        &d->input.sys->terms->vars.data[term_get(d->input.sys->terms, var)->payload];
    const struct frame *frame = at_init ? d->from_init.init : d->from_any.steps.data[0];
    svar s = solver_encoded(frame, var);
    *lo = ordinal_min(v->sort, v->is_signed);
    *hi = ordinal_max(v->sort, v->is_signed);
    struct solver *solver = at_init ? d->first : d->step;
    if (!s || solver_is_signed(solver, s) != v->is_signed)
        return;
    *lo = solver_min(solver, s);
    *hi = solver_max(solver, s);
}

static uint64_t draw(struct runner *r, term_t var, bool at_init) {
    const struct terms *ts = r->d->input.sys->terms;
    const struct term_var *v = &ts->vars.data[term_get(ts, var)->payload];
    int64_t lo, hi;
    input_ends(r->d, var, at_init, &lo, &hi);
    assert(lo <= hi);
    uint64_t width = (uint64_t)hi - (uint64_t)lo;
    int64_t at = lo;
    switch (rng_below(&r->rng, 6)) {
    case 0:
        break;
    case 1:
        at = hi;
        break;
    case 2:
        at = lo <= 0 && hi >= 0 ? (int64_t)rng_below(&r->rng, 2) : lo;
        at = at > hi ? hi : at;
        break;
    default:
        at = (int64_t)((uint64_t)lo +
                       (width == UINT64_MAX ? rng_next(&r->rng) : rng_below(&r->rng, width + 1)));
    }
    return ordinal_bits(v->sort, v->is_signed, at);
}

static void draw_inputs(struct runner *r, bool at_init, bool all) {
    const struct system *sys = r->d->input.sys;
    for (size_t i = 0; i < sys->inputs.len; i++)
        if (sys->inputs.data[i].at_init == at_init && (all || rng_below(&r->rng, HOLD) == 0))
            r->inputs.data[i] = draw(r, sys->inputs.data[i].var, at_init);
}

static void note_state(struct runner *r, struct sample *out) {
    assert(r->m.cells.len >= out->cells);
    vec_append(&out->bits, r->m.cells.data, out->cells);
}

/* From the state that the machine is in, which stays when the step does not come to its end. */
static bool one_step(struct runner *r) {
    assert(!r->m.ended);
    for (int i = 0; i < TRIES; i++) {
        draw_inputs(r, false, i > 0);
        machine_step(&r->m, r->inputs.data);
        if (!r->m.ended)
            return true;
        r->m.ended = false;
    }
    return false;
}

static void one_run(struct runner *r, struct sample *out) {
    bool begun = false;
    for (int i = 0; i < TRIES && !begun; i++) {
        draw_inputs(r, true, true);
        draw_inputs(r, false, true);
        machine_reset(&r->m, r->inputs.data);
        begun = !r->m.ended;
    }
    if (!begun)
        return;
    note_state(r, out);
    for (int i = 0; i < STEPS && one_step(r); i++)
        note_state(r, out);
}

void sample_take(const struct domains *d, struct sample *out) {
    struct runner r = {.d = d};
    *out = (struct sample){.cells = d->n_cells};
    machine_init(&r.m, d->input.sys);
    rng_init(&r.rng, d->input.options.seed);
    vec_resize_zero(&r.inputs, d->input.sys->inputs.len + 1);
    for (int i = 0; i < RUNS && d->n_cells > 0; i++)
        one_run(&r, out);
    machine_free(&r.m);
    vec_free(&r.inputs);
}
