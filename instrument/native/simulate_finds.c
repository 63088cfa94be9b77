/* simulate_finds: from "this entry of that shard hit these probes" to confirmed scenarios. */
#include "instrument/native/simulate_internal.h"

#include <assert.h>
#include <stdlib.h>

/* Others do not go through ways that take longer than searching anew. */
enum { MOST_REFUSALS = 16, MOST_OFFERED = 20000000 };

VEC_STRUCT(finds, struct gk_found);

/* Early hits first: a scenario that ends early is cheap to run, and may give others for free. The
 * entries of one run share their beginning; those of one entry are next to each other. */
static int by_step(const void *a, const void *b) {
    const struct gk_found *x = a, *y = b;
    uint32_t s = x->step + 1, t = y->step + 1; /* initialisation is 0 */
    if (s != t)
        return s < t ? -1 : 1;
    if (x->entry != y->entry)
        return x->entry < y->entry ? -1 : 1;
    return x->probe < y->probe ? -1 : x->probe > y->probe;
}

/* Leaves only the hits of probes that were not known, and makes them known. */
static void take_credit(struct simulation *sim, struct scenario *scenario) {
    size_t n = 0;
    for (size_t i = 0; i < scenario->hits.len; i++) {
        struct probe_hit hit = scenario->hits.data[i];
        assert(hit.probe < sim->program.n_probes);
        if (sim->known[hit.probe])
            continue;
        simulate_know(sim, hit.probe);
        sim->statistics.found++;
        scenario->hits.data[n++] = hit;
    }
    vec_truncate(&scenario->hits, n);
}

static void offer_to_others(struct simulation *sim, const struct shard *finder,
                            const struct scenario *scenario) {
    for (unsigned i = 0; i < sim->n_shards; i++) {
        struct shard *shard = &sim->shards[i];
        if (shard != finder && shard->opened && scenario->n_steps <= MOST_OFFERED &&
            !shard_import(shard, &scenario->events, scenario->n_steps))
            shard_died(sim, shard, NULL);
    }
}

/* Shortening must not take more time than searching: what is left of its share of this round goes
 * to the finds that are still to come, in equal parts. */
static bool shorten(struct simulation *sim, struct scenario *scenario, uint32_t probe,
                    struct err *err) {
    uint64_t most = sim->options.shorten_steps + 100 * (uint64_t)scenario->n_steps;
    uint64_t part = sim->shorten_left / (sim->finds_left ? sim->finds_left : 1);
    uint64_t budget = part < most ? part : most, left = budget;
    bool ok = scenario_shorten(sim->zero, scenario, probe, &left, err);
    sim->shorten_left -= budget - left;
    return ok;
}

/* Confirms the scenario for `probe`: shortened if that holds, else as it was found. */
static bool settle(struct simulation *sim, struct scenario *found, uint32_t probe,
                   struct scenario *settled, struct err *err) {
    scenario_copy(settled, found);
    if (!shorten(sim, settled, probe, err) ||
        !scenario_confirm(sim->zero, sim->pattern, settled, err))
        return false;
    if (scenario_hits(settled, probe))
        return true;
    scenario_copy(settled, found);
    return scenario_confirm(sim->zero, sim->pattern, settled, err);
}

static void refuse(struct simulation *sim, uint32_t probe) {
    assert(!sim->known[probe]);
    sim->statistics.unconfirmed++;
    if (sim->refused[probe] < MOST_REFUSALS) {
        sim->refused[probe]++;
        vec_push(&sim->to_forget, probe);
    }
}

/* Confirms the way for the probe and offers it; false only when nothing can be run. `hit` says
 * whether it was good. */
static bool settle_way(struct simulation *sim, struct shard *shard, struct scenario *way,
                       uint32_t probe, struct simulate_news *news, bool *hit, struct err *err) {
    struct scenario settled = {0};
    bool ok = settle(sim, way, probe, &settled, err);
    *hit = ok && scenario_hits(&settled, probe);
    if (*hit) {
        take_credit(sim, &settled);
        offer_to_others(sim, shard, &settled);
        vec_push(&news->scenarios, settled);
    } else {
        scenario_free(&settled);
    }
    return ok;
}

static uint32_t first_unknown(const struct simulation *sim, const struct scenario *way) {
    for (size_t i = 0; i < way->hits.len; i++)
        if (!sim->known[way->hits.data[i].probe])
            return way->hits.data[i].probe;
    return GK_NONE;
}

/* What a crash cut off from the probes that the search watches. */
static bool credit_crash(struct simulation *sim, struct shard *shard, struct scenario *way,
                         struct simulate_news *news, struct err *err) {
    bool ok = scenario_confirm(sim->zero, sim->pattern, way, err), hit = true;
    struct scenario copy = {0};
    scenario_copy(&copy, way);
    for (uint32_t probe; ok && hit && (probe = first_unknown(sim, &copy)) != GK_NONE;)
        ok = settle_way(sim, shard, way, probe, news, &hit, err);
    scenario_free(&copy);
    return ok;
}

static bool settle_crash(struct simulation *sim, struct shard *shard, const struct gk_found *found,
                         struct simulate_news *news, struct err *err) {
    struct scenario way = {0};
    bool ok = true;
    assert(found->probe == GK_NONE && found->end != GK_RAN);
    if (shard_export(shard, found->entry, &way)) {
        struct simulate_crash crash = {.end = (enum native_end)found->end, .step = found->step};
        way.n_steps = found->step == GK_INIT_STEP ? 0 : found->step + 1;
        if (crash.end != NATIVE_ASSUMPTION) {
            vec_append(&crash.events, way.events.data, way.events.len);
            vec_push(&news->crashes, crash);
        }
        ok = credit_crash(sim, shard, &way, news, err);
    } else if (!shard->process.pid) {
        shard_died(sim, shard, news);
    }
    scenario_free(&way);
    return ok;
}

static bool settle_find(struct simulation *sim, struct shard *shard, const struct gk_found *found,
                        struct simulate_news *news, struct err *err) {
    struct scenario way = {0};
    bool ok = true, hit = false;
    assert(found->probe < sim->program.n_probes && !sim->known[found->probe]);
    if (!shard_export(shard, found->entry, &way)) {
        scenario_free(&way);
        return true; /* the shard has died, or the way is too long to be of use */
    }
    /* the entry was made some steps later; a run that was left made the step only in part */
    way.n_steps = found->step == GK_INIT_STEP ? 0 : found->step + 1;
    ok = settle_way(sim, shard, &way, found->probe, news, &hit, err);
    if (ok && !hit)
        refuse(sim, found->probe);
    scenario_free(&way);
    return ok;
}

/* What is there may be written by anybody in the process. */
static bool can_be(const struct shard *shard, const struct gk_found *found) {
    bool crash = found->probe == GK_NONE && found->end != GK_RAN;
    return (crash || found->probe < shard->process.n_probes) && found->end < NATIVE_ENDS &&
           (found->step == GK_INIT_STEP || found->step < shard->most_depth);
}

static void copy_finds(const struct shard *shard, struct finds *finds) {
    const struct gk_search *layout = &shard->layout;
    const struct gk_found *found = process_data(&shard->process, layout->found_at);
    uint32_t n = shard->process.shared->search.n_found;
    for (uint32_t i = 0; i < n && i < layout->found_room; i++)
        if (can_be(shard, &found[i]))
            vec_push(finds, found[i]);
    if (finds->len > 1)
        qsort(finds->data, finds->len, sizeof *finds->data, by_step);
}

/* How many more scenarios are to be expected: finds of one entry often come together. */
static uint32_t count_left(const struct simulation *sim, const struct finds *finds, size_t from) {
    uint32_t n = 0, last = GK_NONE;
    for (size_t i = from; i < finds->len; i++) {
        const struct gk_found *found = &finds->data[i];
        if (found->probe == GK_NONE || sim->known[found->probe] || found->entry == last)
            continue;
        last = found->entry;
        n++;
    }
    return n;
}

bool simulate_stopped(const struct simulation *sim) {
    return sim->options.stop && sim->options.stop(sim->options.stop_context);
}

bool finds_collect(struct simulation *sim, struct shard *shard, struct simulate_news *news,
                   struct err *err) {
    struct finds finds = {0};
    bool ok = true;
    copy_finds(shard, &finds);
    vec_clear(&sim->to_forget);
    for (size_t i = 0; ok && shard->opened && i < finds.len && !simulate_stopped(sim); i++) {
        const struct gk_found *found = &finds.data[i];
        sim->finds_left = count_left(sim, &finds, i);
        if (found->probe == GK_NONE)
            ok = settle_crash(sim, shard, found, news, err);
        else if (!sim->known[found->probe])
            ok = settle_find(sim, shard, found, news, err);
    }
    if (shard->opened && !shard_probes(shard, GK_FORGET, sim->to_forget.data, sim->to_forget.len))
        shard_died(sim, shard, news);
    vec_free(&finds);
    return ok;
}
