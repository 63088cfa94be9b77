#include "app/cost/phases.h"

#include "base/log.h"

#include <assert.h>
#include <stdio.h>

const struct phase_row phase_rows[PHASES] = {
#define PHASE(name, about) {#name, about},
#include "app/cost/phases.def"
#undef PHASE
};

void phases_enter(struct phases *p, enum phase phase, double cpu) {
    double wall = clock_seconds();
    assert(p->now < PHASES && phase < PHASES && wall >= p->wall_since);
    p->wall[p->now] += wall - p->wall_since;
    p->cpu[p->now] += cpu - p->cpu_since;
    p->now = phase;
    p->wall_since = wall;
    p->cpu_since = cpu;
}

/* What the process has used before is part of the first phase. */
void phases_begin(struct phases *p) {
    *p = (struct phases){.wall_since = clock_seconds()};
}

static bool store_seconds(struct store *db, const char *kind, enum phase phase, double seconds,
                          struct err *err) {
    char key[64], value[32];
    snprintf(key, sizeof key, "%s:%s", kind, phase_rows[phase].name);
    snprintf(value, sizeof value, "%.2f", seconds);
    return store_info(db, key, value, err);
}

bool phases_store(const struct phases *p, struct store *db, struct err *err) {
    bool ok = true;
    for (enum phase i = 0; ok && i < PHASES; i++)
        ok = store_seconds(db, "wall", i, p->wall[i], err) &&
             store_seconds(db, "cpu", i, p->cpu[i], err);
    return ok;
}
