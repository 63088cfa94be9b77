/* scenario: inputs from reset, and the probes that they are known to hit.
 *
 * A scenario is worth something only when scenario_confirm() has filled `hits`: each probe in it is
 * hit in a process that has run nothing before, in the same step whatever uninitialised locals hold
 * (builds NATIVE_ZERO, NATIVE_PATTERN and NATIVE_POSITIVE), and before any other unspecified value
 * has been used. Credit: the first step + 1 steps of the scenario are a witness of that probe.
 *
 *     scenario_shorten(zero, &s, probe, &steps, err);   // fewer steps, fewer changes, rounder
 *     if (scenario_confirm(zero, pattern, &s, err) && scenario_hits(&s, probe))
 *         store(&s);
 */
#ifndef INSTRUMENT_NATIVE_SCENARIO_H
#define INSTRUMENT_NATIVE_SCENARIO_H

#include "instrument/native/native.h"

struct probe_hit {
    uint32_t probe;
    uint32_t step; /* NATIVE_INIT or the step */
};

struct scenario {
    struct input_events events; /* ordered by step, initialisation first */
    uint32_t n_steps;
    VEC(struct probe_hit) hits; /* by step, initialisation first */
};

void scenario_free(struct scenario *scenario);
void scenario_copy(struct scenario *to, const struct scenario *from); /* `to` is initialised */
/* The hit of `probe`, NULL when it is not among the confirmed ones. */
const struct probe_hit *scenario_hits(const struct scenario *scenario, uint32_t probe);

/* Replays in fresh processes and replaces `hits`. False only when that was not possible. */
bool scenario_confirm(struct native *zero, struct native *pattern, struct scenario *scenario,
                      struct err *err);

/* Makes the scenario simpler as long as it still hits `probe` without unspecified values: ends with
 * the hit, then fewer steps, fewer changes of inputs, rounder values. Executes at most about *steps
 * steps and takes what was used from it. A scenario that does not hit the probe is left alone.
 * `hits` is emptied. */
bool scenario_shorten(struct native *zero, struct scenario *scenario, uint32_t probe,
                      uint64_t *steps, struct err *err);

#endif
