#include "engines/engine.h"

#include <assert.h>
#include <string.h>

#define MODEL(name) extern const struct engine engine_##name;
#define WOVEN(name)
#define ENGINE(name, kind, start, about) kind(name)
#include "engines/engines.def"
#undef ENGINE
#undef MODEL
#undef WOVEN

const struct engine_row engine_rows[] = {
#define MODEL(name) &engine_##name
#define WOVEN(name) NULL
#define ENGINE(name, kind, start, about) {#name, about, start, kind(name)},
#include "engines/engines.def"
#undef ENGINE
#undef MODEL
#undef WOVEN
    {NULL, NULL, 0, NULL},
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
