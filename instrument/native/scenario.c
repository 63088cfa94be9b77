/* scenario: see scenario.h. */
#include "instrument/native/scenario.h"

#include "base/mem.h"

#include <assert.h>
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

/* Keeps the hits that `other` has, too, in the same step. */
static void keep_common(struct scenario *scenario, const struct native_result *other) {
    size_t n = 0;
    for (size_t i = 0; i < scenario->hits.len; i++) {
        struct probe_hit hit = scenario->hits.data[i];
        assert(hit.probe < other->first_hit.len);
        const struct native_hit *same = &other->first_hit.data[hit.probe];
        if (counts(same) && same->step == hit.step)
            scenario->hits.data[n++] = hit;
    }
    vec_truncate(&scenario->hits, n);
}

static void take_hits(struct scenario *scenario, const struct native_result *result) {
    vec_clear(&scenario->hits);
    for (uint32_t i = 0; i < result->first_hit.len; i++)
        if (counts(&result->first_hit.data[i]))
            vec_push(&scenario->hits, (struct probe_hit){i, result->first_hit.data[i].step});
    if (scenario->hits.len > 1)
        qsort(scenario->hits.data, scenario->hits.len, sizeof *scenario->hits.data, by_step);
}

enum { BUILDS = 4 };

/* The last is done without where there is no gcc. */
static struct native *build_at(struct native *zero, struct native *pattern, int build,
                               struct err *err) {
    struct err ignored = {0};
    struct native *native = build == 0   ? zero
                            : build == 1 ? pattern
                            : build == 2 ? native_positive(pattern, err)
                                         : native_gcc(pattern, &ignored);
    err_clear(&ignored);
    return native;
}

/* What the builds of clang have shown of a run: which probes they hit, and when they first came to
 * something after which builds may differ. Steps are counted from the initialisation, which is 0.
 */
struct shown {
    bool *hit;
    uint32_t until;
};

static void show(struct shown *shown, const struct native_result *result) {
    if (!shown->hit)
        shown->hit = mem_zalloc(result->first_hit.len + 1, sizeof *shown->hit);
    for (size_t i = 0; i < result->first_hit.len; i++)
        shown->hit[i] |= result->first_hit.data[i].step != NATIVE_NEVER;
    if (result->end != NATIVE_RAN && result->end_step + 1 < shown->until)
        shown->until = result->end_step + 1;
    if (result->unspecified != NATIVE_DEFINED && result->unspecified_step + 1 < shown->until)
        shown->until = result->unspecified_step + 1;
}

static void note_odds(struct native *pattern, const struct shown *shown,
                      const struct native_result *gcc, const struct native_run *run) {
    for (uint32_t i = 0; i < gcc->first_hit.len; i++) {
        uint32_t step = gcc->first_hit.data[i].step;
        if (step != NATIVE_NEVER && !shown->hit[i] && step + 1 < shown->until)
            native_note_odd(pattern, i, step, run);
    }
}

/* One build after the other, as long as there is something to confirm. */
bool scenario_confirm(struct native *zero, struct native *pattern, struct scenario *scenario,
                      struct err *err) {
    struct native_run run = {
        .events = &scenario->events, .n_steps = scenario->n_steps, .fresh = true};
    struct shown shown = {.until = UINT32_MAX};
    bool ok = true;
    vec_clear(&scenario->hits);
    for (int build = 0; ok && build < BUILDS && (build == 0 || scenario->hits.len > 0); build++) {
        struct native *native = build_at(zero, pattern, build, err);
        struct native_result result = {0};
        if (!native && build + 1 == BUILDS)
            break;
        ok = native && native_replay(native, &run, &result, err);
        if (ok && build + 1 == BUILDS)
            note_odds(pattern, &shown, &result, &run);
        else if (ok)
            show(&shown, &result);
        if (ok && build == 0)
            take_hits(scenario, &result);
        else if (ok)
            keep_common(scenario, &result);
        native_result_free(&result);
    }
    mem_free(shown.hit);
    return ok;
}
