#include "engines/engine.h"

#include <assert.h>
#include <string.h>

#define MODEL(name) extern const struct engine engine_##name;
#define NATIVE(name)
#define CBMC(name)
#define ENGINE(name, home, does, start, about) home(name)
#include "engines/engines.def"
#undef ENGINE
#undef MODEL
#undef NATIVE
#undef CBMC

#define PROVES ENGINE_PROVES
#define AT_ONCE ENGINE_AT_ONCE
#define RELATES ENGINE_RELATES
#define LATE ENGINE_LATE
const struct engine_row engine_rows[] = {
#define MODEL(name) ENGINE_MODEL, &engine_##name
#define NATIVE(name) ENGINE_NATIVE, NULL
#define CBMC(name) ENGINE_CBMC, NULL
#define ENGINE(name, home, does, start, about) {#name, about, does, start, home(name)},
#include "engines/engines.def"
#undef ENGINE
    {NULL, NULL, 0, 0, ENGINE_MODEL, NULL},
};

void engine_report(const struct engine_input *input, const struct fact *fact) {
    static const char *const names[] = {[FACT_HIT] = "hit",
                                        [FACT_DEAD] = "dead",
                                        [FACT_BOUND] = "bound",
                                        [FACT_LEMMA] = "invariant"};
    WINDOW_ADD(input->window, stats.facts, 1);
    if (fact->kind == FACT_HIT || fact->kind == FACT_BOUND)
        WINDOW_EVENT(input->window, names[fact->kind], "\"target\":%u,\"steps\":%u", fact->target,
                     fact->kind == FACT_HIT ? fact->trace.n_steps : fact->depth);
    else
        WINDOW_EVENT(input->window, names[fact->kind], "\"targets\":%zu,\"clauses\":%zu",
                     fact->invariant.targets.len, fact->invariant.clauses.len);
    input->report(input->context, fact);
}

const struct engine_row *engine_find(const char *name) {
    assert(name && name[0]);
    for (const struct engine_row *row = engine_rows; row->name; row++)
        if (strcmp(row->name, name) == 0)
            return row;
    return NULL;
}

bool engine_is_cbmc(const char *name) {
    const struct engine_row *row = name && name[0] ? engine_find(name) : NULL;
    return row && row->home == ENGINE_CBMC;
}
