/* simulate_shard: one search in one process, see simulate_internal.h. */
#include "base/map.h"
#include "instrument/native/simulate_internal.h"

#include <assert.h>

enum {
    MOVE_STEPS = 20000000,
    MOST_DEATHS = 8, /* by the program's own doing */
    MOST_KILLS = 1000,
    EXPORT_EVENTS = 8 << 20,
    DEFAULT_LENGTH = 100000,
    DEFAULT_DEPTH = 1000000,
    DEEPER = 100 /* ways that other engines have found */
};

/* Steps of a climb: what a replay does in half a minute, and less than fit into their number. */
static const uint32_t farthest = 4000000000;

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/* A search ends when its caller wants an end, a replay goes on a little longer. */
static void start_process(const struct simulation *sim, struct native_process *process,
                          const char *executable) {
    process_init(process, &sim->program, executable);
    process->cut = sim->options.stop;
    process->cut_context = sim->options.stop_context;
}

void shard_init(struct simulation *sim, unsigned index) {
    struct shard *shard = &sim->shards[index];
    shard->traced = index == sim->options.shards;
    const struct native *native = shard->traced ? sim->traced : sim->fast;
    start_process(sim, &shard->process, native->build.executable);
    shard->seed = hash_mix(sim->options.seed, index);
}

static void layout(struct simulation *sim, struct shard *shard) {
    const struct native_process *process = &shard->process;
    struct gk_search *search = &shard->layout;
    uint64_t next = GK_DATA_AT;
    memset(search, 0, sizeof *search);
    search->found_room = 2 * process->n_probes + 1024;
    search->inputs_at = process_place(&next, sim->inputs.len, sizeof(struct gk_input));
    search->values_at = process_place(&next, sim->values.len, sizeof(uint64_t));
    search->found_at = process_place(&next, search->found_room, sizeof(struct gk_found));
    search->cells_at = process_place(&next, process->n_cells, sizeof(struct gk_cell_seen));
    search->probes_at = process_place(&next, process->n_probes, sizeof(uint32_t));
    search->events_at = process_place(&next, EXPORT_EVENTS, sizeof(struct gk_event));
    shard->process.reserved = next;
    process->shared->search = *search;
    if (sim->inputs.len)
        memcpy(process_data(&shard->process, search->inputs_at), sim->inputs.data,
               sim->inputs.len * sizeof(struct gk_input));
    if (sim->values.len)
        memcpy(process_data(&shard->process, search->values_at), sim->values.data,
               sim->values.len * sizeof(uint64_t));
}

/* A process that has died meanwhile carries out nothing; shard_ready() starts it anew. */
static bool carry_out(struct shard *shard, char command) {
    return shard->process.pid && process_send(&shard->process, command) &&
           process_wait(&shard->process);
}

static bool open_search(struct simulation *sim, struct shard *shard) {
    layout(sim, shard);
    shard->n_inputs = (uint32_t)sim->inputs.len;
    struct gk_search *search = &shard->process.shared->search;
    search->seed = hash_mix(hash_mix(shard->seed, shard->deaths), sim->builds);
    search->max_length = sim->options.max_length ? sim->options.max_length : DEFAULT_LENGTH;
    search->max_depth = sim->options.max_depth ? sim->options.max_depth : DEFAULT_DEPTH;
    shard->most_depth = DEEPER * (search->max_depth + search->max_length);
    search->farthest = sim->options.max_depth ? sim->options.max_depth : farthest;
    if (shard->most_depth < search->farthest)
        shard->most_depth = search->farthest;
    if (!carry_out(shard, GK_OPEN_SEARCH))
        return false;
    VEC(uint32_t) known = {0};
    for (uint32_t i = 0; i < sim->program.n_probes; i++)
        if (sim->known[i])
            vec_push(&known, i);
    bool ok = shard_probes(shard, GK_KNOW, known.data, known.len);
    vec_free(&known);
    return ok;
}

bool shard_ready(struct simulation *sim, struct shard *shard, struct err *err) {
    if (shard->opened && !shard->process.pid) /* it died while it was told something */
        shard_died(sim, shard, NULL);
    while (!shard->lost) {
        if (!process_ready(&shard->process, false, err))
            return false;
        if (shard->opened)
            return true;
        shard->opened = open_search(sim, shard);
        if (shard->opened)
            return true;
        shard_died(sim, shard, NULL);
    }
    return false;
}

/* What it has found is lost, the way to its end too: the step is all that is known. */
void shard_died(struct simulation *sim, struct shard *shard, struct simulate_news *news) {
    const struct gk_shared *shared = shard->process.shared;
    bool killed = shard->process.ended_outside;
    process_kill(&shard->process);
    shard->steps += shared->search.steps;
    shard->runs += shared->search.runs;
    shard->opened = false;
    shard->deaths++;
    shard->own_deaths += !killed;
    shard->lost = shard->own_deaths >= MOST_DEATHS || shard->deaths >= MOST_KILLS;
    assert(shard->own_deaths <= shard->deaths);
    sim->statistics.restarts++;
    if (news && !killed)
        vec_push(&news->crashes, (struct simulate_crash){.end = NATIVE_EXIT, .step = shared->step});
}

/* Ways are re-executed by the new process: that many steps in all at most. */
static void hand_over(struct shard *from, struct shard *to) {
    struct scenario way = {0};
    struct gk_search *search = &from->process.shared->search;
    const struct gk_found *found = process_data(&from->process, from->layout.found_at);
    uint64_t steps = 0;
    uint32_t n_found = least(search->n_found, from->layout.found_room);
    for (uint32_t i = 0; i < n_found && steps < MOVE_STEPS; i++) {
        steps += found[i].step + 1000u;
        if (steps >= MOVE_STEPS || !shard_export(from, found[i].entry, &way) ||
            !shard_import(to, &way.events, way.n_steps))
            break;
    }
    scenario_free(&way);
}

void shard_move(struct simulation *sim, struct shard *shard, const char *executable) {
    struct shard next = *shard;
    struct err err = {0};
    if (!shard->opened)
        return;
    start_process(sim, &next.process, executable);
    next.opened = process_ready(&next.process, true, &err) && open_search(sim, &next);
    if (next.opened && carry_out(shard, GK_SURVIVORS))
        hand_over(shard, &next);
    err_clear(&err);
    if (!next.opened || !next.process.pid) { /* the old one goes on */
        process_free(&next.process);
        return;
    }
    next.steps += shard->process.shared->search.steps;
    next.runs += shard->process.shared->search.runs;
    process_free(&shard->process);
    *shard = next;
}

bool shard_begin(struct shard *shard, uint64_t steps) {
    assert(shard->opened);
    shard->process.shared->search.budget = steps;
    shard->process.shared->search.stop = 0;
    return shard->process.pid && process_send(&shard->process, GK_SEARCH);
}

bool shard_end(struct simulation *sim, struct shard *shard) {
    if (!process_wait(&shard->process))
        return false;
    shard->entries = shard->process.shared->search.n_entries;
    const struct gk_cell_seen *seen = process_data(&shard->process, shard->layout.cells_at);
    for (uint32_t i = 0; i < shard->process.n_cells; i++)
        simulate_see_cell(sim, i, &seen[i]);
    return true;
}

/* The process may have written anything: inputs that there are, in order, within the depth. */
static bool is_way(const struct shard *shard, const struct scenario *way) {
    uint32_t last = 0; /* one more than the step: initialisation comes first */
    for (size_t i = 0; i < way->events.len; i++) {
        const struct input_event *event = &way->events.data[i];
        if (event->input >= shard->n_inputs || event->step + 1 < last)
            return false;
        last = event->step + 1;
    }
    return way->n_steps <= shard->most_depth;
}

bool shard_export(struct shard *shard, uint32_t entry, struct scenario *scenario) {
    struct gk_search *search = &shard->process.shared->search;
    search->entry = entry;
    search->n_events = EXPORT_EVENTS;
    if (!carry_out(shard, GK_EXPORT) || search->failed)
        return false;
    const struct input_event *events = process_data(&shard->process, shard->layout.events_at);
    vec_clear(&scenario->events);
    vec_append(&scenario->events, events, least(search->n_events, EXPORT_EVENTS));
    vec_clear(&scenario->hits);
    scenario->n_steps = search->n_steps;
    return is_way(shard, scenario);
}

bool shard_import(struct shard *shard, const struct input_events *events, uint32_t n_steps) {
    struct native_run run = {.events = events, .n_steps = n_steps};
    struct err err = {0};
    bool ok = process_place_run(&shard->process, &run, &err);
    err_clear(&err);
    return !ok || carry_out(shard, GK_IMPORT); /* too long: this shard does without */
}

bool shard_probes(struct shard *shard, char command, const uint32_t *probes, size_t n) {
    struct gk_search *search = &shard->process.shared->search;
    assert(n <= shard->process.n_probes);
    search->n_probes_listed = (uint32_t)n;
    if (n == 0)
        return true;
    memcpy(process_data(&shard->process, shard->layout.probes_at), probes, n * sizeof *probes);
    return carry_out(shard, command);
}
