/* simulate_rebuild: probes that are known cost time at each step; from time to time they are
 * compiled away with all that was computed only for them (Nagy and Hicks, UnTracer: most runs show
 * nothing new). A search moves to the new executable by re-executing the ways to its best entries.
 */
#include "instrument/native/simulate_internal.h"

#include <assert.h>
#include <stdio.h>

enum { FIRST_BUILD = 16000000, GROWTH = 4, FEW_NEW = 8 };

static void begin(struct simulation *sim) {
    struct native_program program = sim->program;
    struct native_build *build = &sim->build[sim->builds % 2];
    struct err err = {0};
    char name[32];
    native_build_free(build); /* that of the last but one */
    snprintf(name, sizeof name, "fast%u", ++sim->builds);
    program.known = sim->known;
    sim->found_at_build = sim->statistics.found;
    bool begun = native_build_start(build, &program, NATIVE_FAST, program.build_dir, name, &err);
    uint64_t steps = simulate_statistics(sim).steps;
    sim->use_at = begun ? steps + steps / 4 : 0;
    err_clear(&err); /* the old executable does as well */
}

static void use(struct simulation *sim) {
    struct native_build *build = &sim->build[(sim->builds - 1) % 2];
    struct err err = {0};
    assert(sim->builds > 0);
    sim->use_at = 0;
    if (native_build_finish(build, &err)) {
        /* a shard that cannot be moved keeps the path of the older one */
        const char *executable = arena_strdup(&sim->arena, build->executable);
        for (unsigned i = 0; i < sim->options.shards; i++)
            shard_move(sim, &sim->shards[i], executable);
    }
    err_clear(&err);
}

void rebuild_turn(struct simulation *sim) {
    uint64_t steps = simulate_statistics(sim).steps;
    if (sim->use_at && steps >= sim->use_at)
        use(sim);
    if (sim->next_build == 0)
        sim->next_build = FIRST_BUILD;
    if (sim->use_at || steps < sim->next_build ||
        sim->statistics.found < sim->found_at_build + FEW_NEW)
        return;
    sim->next_build = steps * GROWTH;
    begin(sim);
}
