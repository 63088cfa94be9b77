/* The engine: see domains.h. */
#include "engines/domains/domains.h"

#include "base/mem.h"
#include "engines/invariant/tell.h"

static void *domains_open(const struct engine_input *input) {
    struct domains *d = mem_zalloc(1, sizeof *d);
    struct solver_options options = engine_solver(input);
    options.cone = true;
    d->input = *input;
    d->n_cells = input->sys->cells.len;
    d->first = solver_new(&options);
    d->step = solver_new(&options);
    unroll_init(&d->from_init, input->sys, d->first, UNROLL_FROM_INIT, NULL);
    unroll_to(&d->from_init, 0);
    unroll_init(&d->from_any, input->sys, d->step, UNROLL_FROM_ANY, input->lemmas);
    unroll_to(&d->from_any, 1);
    invariant_init(&d->found);
    sample_take(d, &d->sample);
    groups_find(input->sys, &d->groups);
    return d;
}

static void domains_close(void *state) {
    struct domains *d = state;
    unroll_free(&d->from_init);
    unroll_free(&d->from_any);
    solver_free(d->first);
    solver_free(d->step);
    vec_free(&d->sample.bits);
    vec_free(&d->groups);
    invariant_free(&d->found);
    mem_free(d);
}

static bool tell(struct domains *d) {
    struct invariant all;
    assert(d->found.clauses.len > 0);
    bool *dead = mem_zalloc(d->input.n_targets + 1, sizeof *dead);
    invariant_init(&all);
    if (d->input.lemmas)
        invariant_copy(&all, d->input.lemmas);
    vec_clear(&all.targets);
    for (size_t i = 0; i < d->found.clauses.len; i++)
        invariant_add(&all, d->found.clauses.data[i].data, d->found.clauses.data[i].len);
    bool done = tell_dead(&d->input, &all, dead);
    tell_lemma(&d->input, &all);
    invariant_free(&all);
    mem_free(dead);
    return done;
}

static enum engine_status domains_step(void *state, uint64_t ticks) {
    struct domains *d = state;
    assert(d->next <= d->groups.len);
    uint64_t until = solver_stats(d->step)->ticks + ticks;
    for (; d->next < d->groups.len; d->next++) {
        if (solver_stats(d->step)->ticks >= until)
            return ENGINE_MORE;
        affine_group(d, &d->groups.data[d->next]);
        WINDOW_ADD(d->input.window, stats.candidates, 1);
    }
    return d->found.clauses.len > 0 && tell(d) ? ENGINE_DONE : ENGINE_GAVE_UP;
}

const struct engine engine_domains = {
    .open = domains_open,
    .step = domains_step,
    .close = domains_close,
};
