/* scenario: see scenario.h. */
#include "instrument/scenario.h"

#include <stdlib.h>

void scenario_free(struct scenario *scenario) {
    vec_free(&scenario->events);
    vec_free(&scenario->hits);
}

void scenario_copy(struct scenario *to, const struct scenario *from) {
    vec_clear(&to->events);
    vec_clear(&to->hits);
    vec_append(&to->events, from->events.data, from->events.len);
    vec_append(&to->hits, from->hits.data, from->hits.len);
    to->n_steps = from->n_steps;
}

const struct probe_hit *scenario_hits(const struct scenario *scenario, uint32_t probe) {
    for (size_t i = 0; i < scenario->hits.len; i++)
        if (scenario->hits.data[i].probe == probe)
            return &scenario->hits.data[i];
    return NULL;
}

/* Initialisation comes first: its number is the largest, plus 1 it is 0. */
static int by_step(const void *a, const void *b) {
    const struct probe_hit *x = a, *y = b;
    uint32_t s = x->step + 1, t = y->step + 1;
    if (s != t)
        return s < t ? -1 : 1;
    return x->probe < y->probe ? -1 : x->probe > y->probe;
}

static bool counts(const struct native_hit *hit) {
    return hit->step != NATIVE_NEVER && !hit->tainted;
}

bool scenario_confirm(struct native *zero, struct native *pattern, struct scenario *scenario,
                      struct err *err) {
    struct native_run run = {.events = &scenario->events, .n_steps = scenario->n_steps};
    struct native_result a = {0}, b = {0};
    run.fresh = true;
    bool ok = native_replay(zero, &run, &a, err) && native_replay(pattern, &run, &b, err);
    vec_clear(&scenario->hits);
    for (uint32_t i = 0; ok && i < a.first_hit.len; i++) {
        const struct native_hit *x = &a.first_hit.data[i], *y = &b.first_hit.data[i];
        if (counts(x) && counts(y) && x->step == y->step)
            vec_push(&scenario->hits, (struct probe_hit){i, x->step});
    }
    if (scenario->hits.len > 1)
        qsort(scenario->hits.data, scenario->hits.len, sizeof *scenario->hits.data, by_step);
    native_result_free(&a);
    native_result_free(&b);
    return ok;
}
