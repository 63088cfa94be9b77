/* Simulation of a verification task: each run begins at main() with other random values, and ends
 * where the program does. There is nothing to go on from, so there are no shards and no corpus. */
#include "base/log.h"
#include "base/mem.h"
#include "instrument/native/simulate_internal.h"

#include <assert.h>

/* What a slice of so many steps is for a task. */
enum { STEPS_A_RUN = 100, STEPS_A_MS = 500 };

bool simulate_task_open(struct simulation *sim, struct err *err) {
    assert(sim->program.module->task && sim->n_shards == 0);
    sim->zero = native_open(&sim->program, NATIVE_ZERO, err);
    sim->pattern = sim->zero ? native_open(&sim->program, NATIVE_PATTERN, err) : NULL;
    sim->known = mem_zalloc(sim->program.n_probes + 1, sizeof *sim->known);
    sim->cells = mem_zalloc(1, sizeof *sim->cells);
    return sim->pattern != NULL;
}

/* What was found by the build for searching counts only when those for replay agree. */
static bool take(struct simulation *sim, const struct task_values *values,
                 struct simulate_news *news, struct err *err) {
    struct scenario scenario = {.n_steps = (uint32_t)values->len};
    for (uint32_t i = 0; i < values->len; i++)
        vec_push(&scenario.events, (struct input_event){i, 0, values->data[i]});
    bool ok = scenario_confirm(sim->zero, sim->pattern, &scenario, err);
    if (ok && scenario.hits.len > 0) {
        sim->statistics.found++;
        vec_push(&news->scenarios, scenario);
        return true;
    }
    sim->statistics.unconfirmed++;
    scenario_free(&scenario);
    return ok;
}

bool simulate_task_step(struct simulation *sim, uint64_t steps, struct simulate_news *news,
                        struct err *err) {
    uint64_t round = sim->dry_rounds++;
    struct task_search search = {.seed = sim->options.seed * 4096 + round,
                                 .runs = (uint32_t)(steps / STEPS_A_RUN + 1),
                                 .milliseconds = (uint32_t)(steps / STEPS_A_MS + 1),
                                 .is_long = (round & (round + 1)) == 0}; /* ever more seldom */
    struct task_values values = {0};
    bool reached = false;
    double began = clock_seconds();
    bool ok = task_native_search(&sim->zero->task, &search, &values, &reached, err);
    double most = search.milliseconds / 1000.0, spent = clock_seconds() - began;
    sim->statistics.cpu_seconds += spent < most ? spent : most;
    sim->statistics.runs += search.runs;
    ok = ok && (!reached || take(sim, &values, news, err));
    vec_free(&values);
    return ok;
}
