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
    vec_resize_zero(&d->sets, d->n_cells);
    vec_resize_zero(&d->dead, input->n_targets);
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
    for (size_t i = 0; i < d->sets.len; i++)
        vec_free(&d->sets.data[i].pieces);
    vec_free(&d->sets);
    vec_free(&d->dead);
    invariant_free(&d->found);
    mem_free(d);
}

void domains_known(const struct domains *d, struct invariant *out) {
    invariant_init(out);
    if (d->input.lemmas)
        invariant_copy(out, d->input.lemmas);
    vec_clear(&out->targets);
    for (size_t i = 0; i < d->found.clauses.len; i++)
        invariant_add(out, d->found.clauses.data[i].data, d->found.clauses.data[i].len);
}

/* What has been found since the last time. */
static void tell(struct domains *d) {
    struct invariant all;
    assert(d->told <= d->found.clauses.len);
    if (d->told == d->found.clauses.len)
        return;
    d->told = d->found.clauses.len;
    domains_known(d, &all);
    tell_dead(&d->input, &all, d->dead.data);
    tell_lemma(&d->input, &all);
    invariant_free(&all);
}

/* Groups come first, then targets; true when there is nothing left to look at. */
static bool look_at_next(struct domains *d) {
    size_t target = d->next - d->groups.len;
    if (d->next < d->groups.len)
        affine_group(d, &d->groups.data[d->next]);
    else if (target >= d->input.n_targets)
        return true;
    else if (!d->dead.data[target])
        d->dead.data[target] = values_target(d, d->input.targets[target]);
    d->next++;
    if (d->next == d->groups.len) /* others wait for equations */
        tell(d);
    WINDOW_ADD(d->input.window, stats.candidates, 1);
    return false;
}

static uint64_t effort_of(const struct domains *d) {
    return solver_stats(d->step)->ticks + d->work;
}

static enum engine_status domains_step(void *state, uint64_t ticks) {
    struct domains *d = state;
    uint64_t until = effort_of(d) + ticks;
    while (!look_at_next(d))
        if (effort_of(d) >= until)
            return ENGINE_MORE;
    tell(d);
    bool done = true;
    for (size_t i = 0; i < d->dead.len; i++)
        done &= d->dead.data[i];
    return done ? ENGINE_DONE : ENGINE_GAVE_UP;
}

const struct engine engine_domains = {
    .open = domains_open,
    .step = domains_step,
    .close = domains_close,
};
