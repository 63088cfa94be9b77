/* native: runs a woven program compiled by the system's C compiler, for comparison.
 *
 * Each run is a list of steps with the input events that a step consumes. The program runs every
 * run in a process of its own, so a trap ends only that run. */
#ifndef TESTS_FUZZ_NATIVE_H
#define TESTS_FUZZ_NATIVE_H

#include "base/err.h"
#include "coverage/module.h"
#include "model/system/trace.h"

enum native_end {
    NATIVE_GOES_ON,
    NATIVE_ASSUMED,     /* gk_assume was false */
    NATIVE_TRAPPED,     /* a signal */
    NATIVE_WRONG_INPUT, /* asked for another input than the event at hand */
    NATIVE_UNUSED_INPUT /* events were left over */
};

/* What one step (or, first of a run, the initialisation) did. */
struct native_step {
    enum native_end end;
    uint64_t *hits;  /* one per probe, 0 or 1 */
    uint64_t *cells; /* one per variable of module.state: its bits */
};

struct native_run {
    uint32_t n_steps; /* without the initialisation */
    struct input_events events;
};

struct native {
    const char *dir; /* for files; the caller's */
    struct module *module;
    uint32_t n_probes;
};

/* Compiles `text` and executes the runs. steps[r * (longest + 1) + j] is step j of run r (0: the
 * initialisation); longest: the largest n_steps. Arrays live in `arena`. */
bool native_execute(const struct native *native, const char *text, const struct native_run *runs,
                    size_t n_runs, struct native_step **steps, struct arena *arena,
                    struct err *err);

#endif
