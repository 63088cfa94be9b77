/* kept: a woven program with its loops unrolled against the same program with its loops kept.
 *
 * Both models run on the same inputs; after every step of the module their state and the probes hit
 * in it must be equal. Where a step uses a value that C leaves open the run is not compared any
 * further. */
#ifndef TESTS_FUZZ_KEPT_H
#define TESTS_FUZZ_KEPT_H

#include "differential.h"

struct kept_result {
    uint64_t steps, segments; /* of the module; of the automaton */
    uint32_t locations;
    uint32_t open_runs; /* ended early because the automaton does not follow them */
};

/* d->dir and d->traps_end are not used. `unroll`: iterations after which a loop is kept. */
bool kept_run(const struct differential *d, uint32_t unroll, struct kept_result *result,
              struct err *err);

#endif
