/* engine: how the scheduler drives a model-based engine.
 *
 * An engine is a row in engines.def and one file or folder. It works on a slice with its targets,
 * in ticks (deterministic effort, counted by the solver), and reports facts in the indices of the
 * system it was opened on. It never sets a verdict, it knows no C.
 *
 *     const struct engine *e = engine_find("ic3")->engine;
 *     void *run = e->open(&input);
 *     while (e->step(run, 100000) == ENGINE_MORE) …   // facts come through input.report
 *     e->close(run);
 *
 * Proofs stand alone: an invariant that is reported includes the lemmas it rests on.
 */
#ifndef ENGINES_ENGINE_H
#define ENGINES_ENGINE_H

#include "model/system/fact.h"
#include "engines/knobs.h"
#include "engines/solver/solver.h"
#include "engines/window.h"

enum engine_status {
    ENGINE_MORE,    /* the budget ended, there is more to do */
    ENGINE_DONE,    /* every target is decided */
    ENGINE_GAVE_UP, /* this engine cannot decide what is left */
};

struct engine_options {
    uint64_t seed;
    uint32_t max_depth; /* bmc, kind: 0 = no limit */
    struct engine_knobs knobs;
};

/* What simulation has seen of a cell, in ordinals. A hint: nothing sound rests on it. */
struct cell_seen {
    bool valid;
    bool nan;
    int64_t lo, hi;
};

struct engine_input {
    struct system *sys; /* whole or sliced; engines may add terms, and derived cells at the end */
    const uint32_t *targets;
    size_t n_targets;
    const struct invariant *lemmas; /* known inductive clauses over sys's cells, or NULL */
    const struct cell_seen *seen;   /* one per cell, or NULL */
    struct engine_options options;
    struct window *window; /* what can be seen of its work, or NULL */
    void (*report)(void *context, const struct fact *fact); /* the engine keeps ownership */
    void *context;
};

/* What all solvers of an engine are made with. */
static inline struct solver_options engine_solver(const struct engine_input *input) {
    return (struct solver_options){.seed = input->options.seed,
                                   .total = window_solver(input->window)};
}

/* Reports a fact, and shows that. */
void engine_report(const struct engine_input *input, const struct fact *fact);

struct engine {
    void *(*open)(const struct engine_input *input); /* copies the input, not what it points to */
    enum engine_status (*step)(void *state, uint64_t ticks);
    void (*close)(void *state);
};

/* The columns of engines.def. */
enum engine_home { ENGINE_MODEL, ENGINE_NATIVE, ENGINE_CBMC };
enum engine_does { ENGINE_PROVES = 1, ENGINE_AT_ONCE = 2, ENGINE_RELATES = 4, ENGINE_LATE = 8 };

struct engine_row {
    const char *name, *about;
    unsigned does;        /* bits of enum engine_does */
    uint64_t start_ticks; /* budget of the first attempt */
    enum engine_home home;
    const struct engine *engine; /* NULL: it does not run on the model */
};
extern const struct engine_row engine_rows[];           /* ends with a row without name */
const struct engine_row *engine_find(const char *name); /* NULL when unknown */
bool engine_is_cbmc(const char *name);                  /* NULL and "" are no engine */
static inline bool engine_does(const struct engine_row *row, enum engine_does what) {
    return row->does & what;
}

#endif
