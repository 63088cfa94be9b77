/* engine: how the scheduler drives a model-based engine.
 *
 * An engine is a row in engines.def and one file or folder. It works on a slice with its targets,
 * in ticks (deterministic effort: about one bound change or contractor call each), and reports
 * facts in the indices of the system it was opened on. It never sets a verdict, it knows no C.
 *
 *     struct engine_run *run = engine_open(engine_find("ic3"), &input);
 *     while (engine_step(run, 100000) == ENGINE_MORE) …   // facts come through input.report
 *     engine_close(run);
 */
#ifndef ENGINES_ENGINE_H
#define ENGINES_ENGINE_H

#include "model/fact.h"
#include "engines/solver/solver.h"

enum engine_status {
    ENGINE_MORE,    /* the budget ended, there is more to do */
    ENGINE_DONE,    /* every target is decided */
    ENGINE_GAVE_UP, /* this engine cannot decide what is left */
};

struct engine_options {
    uint64_t seed;
    uint32_t max_depth; /* bmc, kind: 0 = no limit */
    /* the ablation table of papers/icp-and-ic3: one field a technique, see engines/options.def */
    const struct engine_knobs *knobs; /* NULL: the defaults */
};

struct engine_input {
    const struct system *sys; /* whole or sliced; engines may create terms in sys->terms */
    const uint32_t *targets;
    size_t n_targets;
    const struct invariant *lemmas; /* known inductive clauses over sys's cells, or NULL */
    struct engine_options options;
    void (*report)(void *context, const struct fact *fact); /* the engine keeps ownership */
    void *context;
};

struct engine {
    const char *name;
    const char *about;
    void *(*open)(const struct engine_input *input);
    enum engine_status (*step)(void *state, uint64_t ticks);
    void (*close)(void *state);
    bool finds_traces, finds_proofs;
    bool all_targets; /* one run serves all targets at once (houdini) */
};

const struct engine *engine_find(const char *name);
const struct engine *engine_at(size_t index); /* NULL past the end */

#endif
