#include "kept.h"

#include "base/mem.h"
#include "base/rng.h"
#include "instrument/lower/lower.h"
#include "model/system/machine.h"
#include "model/term/eval.h"
#include "cfa_text.h"

enum { SEGMENTS_MAX = 20000, INPUT_IDS = 64 };

struct side {
    struct terms terms;
    struct system sys, located;
    struct cfa cfa;
    struct lowered lowered;
    struct machine machine;
    uint64_t *inputs, *values;
    uint32_t pc, boundary; /* cell and value; NONE: every step ends at the boundary */
    bool *hits;            /* by probe, in this step of the module */
    bool left_open;        /* the model has ended where it could not go on */
};

static bool open_unrolled(struct side *s, const struct differential *d, struct err *err) {
    struct lower_options options = {.n_probes = d->n_probes};
    terms_init(&s->terms);
    system_init(&s->sys, &s->terms);
    s->pc = NONE;
    if (!lower(d->text, d->module, &options, &s->sys, &s->lowered, err))
        return false;
    machine_init(&s->machine, &s->sys);
    return true;
}

static void find_boundary(struct side *s) {
    s->pc = NONE;
    for (uint32_t i = 0; i < s->sys.cells.len; i++)
        if (str_same(s->sys.cells.data[i].name, "pc"))
            s->pc = i;
    for (uint32_t l = 1; l < s->cfa.locations.len; l++)
        if (s->cfa.locations.data[l].kind == CFA_STEP)
            s->boundary = l - 1;
}

static bool open_kept(struct side *s, const struct differential *d, uint32_t unroll,
                      struct err *err) {
    struct lower_options options = {.n_probes = d->n_probes, .unroll = unroll};
    terms_init(&s->terms);
    system_init(&s->located, &s->terms);
    if (!lower_cfa(d->text, d->module, &options, &s->located, &s->cfa, &s->lowered, err))
        return false;
    cfa_to_system(&s->cfa, &s->sys);
    find_boundary(s);
    machine_init(&s->machine, &s->sys);
    return true;
}

static void prepare(struct side *s, const struct differential *d) {
    s->inputs = mem_zalloc(s->sys.inputs.len + 1, sizeof *s->inputs);
    s->values = mem_zalloc(s->terms.nodes.len, sizeof *s->values);
    s->hits = mem_zalloc(d->n_probes + 1, sizeof *s->hits);
}

static void close_side(struct side *s) {
    machine_free(&s->machine);
    lowered_free(&s->lowered);
    mem_free(s->inputs);
    mem_free(s->values);
    mem_free(s->hits);
}

static void take_hits(struct side *s) {
    for (uint32_t t = 0; t < s->sys.targets.len; t++)
        if (machine_hit(&s->machine, t)) {
            if (s->sys.targets.data[t].kind == TARGET_GOAL)
                s->hits[s->sys.targets.data[t].id] = true;
            else
                s->left_open = true;
        }
}

static bool at_boundary(const struct side *s) {
    return s->pc == NONE || s->machine.cells.data[s->pc] == s->boundary;
}

/* One step of the module (or the initialisation), however many of the system. */
static bool module_step(struct side *s, const struct differential *d, const uint64_t *by_id,
                        bool first, struct kept_result *result) {
    memset(s->hits, 0, d->n_probes * sizeof *s->hits);
    for (size_t i = 0; i < s->sys.inputs.len; i++) {
        const struct sys_input *in = &s->sys.inputs.data[i];
        int width = sort_width(term_sort(&s->terms, in->var));
        uint64_t mask = width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
        s->inputs[i] = in->module_input < INPUT_IDS ? by_id[in->module_input] & mask : 0;
    }
    for (int n = 0; n < SEGMENTS_MAX; n++) {
        if (first && n == 0)
            machine_reset(&s->machine, s->inputs);
        else
            machine_step(&s->machine, s->inputs);
        result->segments++;
        take_hits(s);
        if (s->machine.ended || at_boundary(s))
            return true;
    }
    return false;
}

static uint64_t state_value(struct side *s, size_t i) {
    term_t t = s->lowered.state.data[i];
    term_eval(&s->terms, &t, 1, s->machine.var_values.data, s->values);
    return s->values[t];
}

static bool compare_state(struct side *a, struct side *b, const struct differential *d,
                          uint32_t step, struct err *err) {
    for (size_t i = 0; i < d->module->state.len; i++) {
        if (!a->lowered.state.data[i] || !b->lowered.state.data[i])
            continue;
        uint64_t x = state_value(a, i), y = state_value(b, i);
        sort_t sort = term_sort(&a->terms, a->lowered.state.data[i]);
        bool both_nan = sort_is_float(sort) && bits_are_nan(sort, x) && bits_are_nan(sort, y);
        if (x != y && !both_nan)
            return err_set(err, ERR_EVIDENCE, "step %u: '%s' is 0x%llx unrolled, 0x%llx kept", step,
                           d->module->state.data[i].path, (unsigned long long)x,
                           (unsigned long long)y);
    }
    return true;
}

static bool compare(struct side *a, struct side *b, const struct differential *d, uint32_t step,
                    struct err *err) {
    for (uint32_t p = 0; p < d->n_probes; p++)
        if (a->hits[p] != b->hits[p])
            return err_set(err, ERR_EVIDENCE, "step %u: probe %u is %s unrolled, not so kept", step,
                           p, a->hits[p] ? "hit" : "not hit");
    if (a->machine.ended != b->machine.ended)
        return err_set(err, ERR_EVIDENCE, "step %u: the run %s unrolled, not so kept", step,
                       a->machine.ended ? "ends" : "goes on");
    return a->machine.ended || compare_state(a, b, d, step, err);
}

static bool one_run(struct side *a, struct side *b, const struct differential *d, struct rng *rng,
                    struct kept_result *result, struct err *err) {
    uint64_t by_id[INPUT_IDS];
    a->machine.unspecified = a->left_open = b->left_open = false;
    for (uint32_t step = 0; step <= d->steps; step++) {
        for (size_t i = 0; i < INPUT_IDS; i++)
            by_id[i] = rng_below(rng, 3) ? rng_below(rng, 8) : rng_next(rng);
        struct kept_result ignored;
        (void)module_step(a, d, by_id, step == 0, &ignored);
        if (a->machine.unspecified || a->left_open)
            return true;
        if (!module_step(b, d, by_id, step == 0, result))
            return err_set(err, ERR_EVIDENCE, "step %u does not end with its loops kept", step);
        if (b->left_open) {
            result->open_runs++;
            return true;
        }
        result->steps++;
        if (!compare(a, b, d, step, err))
            return false;
        if (a->machine.ended)
            return true;
    }
    return true;
}

bool kept_run(const struct differential *d, uint32_t unroll, struct kept_result *result,
              struct err *err) {
    struct side a = {0}, b = {0};
    struct rng rng;
    *result = (struct kept_result){0};
    rng_init(&rng, d->seed);
    bool has_a = open_unrolled(&a, d, err), has_b = has_a && open_kept(&b, d, unroll, err);
    bool ok = has_a && has_b;
    if (ok) {
        prepare(&a, d);
        prepare(&b, d);
        result->locations = (uint32_t)b.cfa.locations.len - 1;
    }
    for (uint32_t r = 0; ok && r < d->runs; r++)
        ok = one_run(&a, &b, d, &rng, result, err);
    if (has_a)
        close_side(&a);
    if (has_b) {
        close_side(&b);
        system_free(&b.sys);
        cfa_free(&b.cfa);
    }
    system_free(&a.sys);
    system_free(&b.located);
    terms_free(&a.terms);
    terms_free(&b.terms);
    return ok;
}
