/* differential: the model of a woven program against the program itself.
 *
 * The text is lowered, the model is run on random inputs, and the compiled program is run on the
 * same inputs: every state cell and every hit must be equal after every step, bit for bit (any NaN
 * equals any NaN). Where the model says that a step used a value which C leaves open, the run is
 * not compared any further. */
#ifndef TESTS_FUZZ_DIFFERENTIAL_H
#define TESTS_FUZZ_DIFFERENTIAL_H

#include "base/err.h"
#include "coverage/module.h"

struct differential {
    const char *text;
    struct module *module;
    uint32_t n_probes;
    const char *dir; /* for files */
    uint32_t runs, steps;
    uint64_t seed;
    bool traps_end; /* the program cannot go on where the model ends a run */
};

struct differential_result {
    uint64_t steps; /* compared */
    uint64_t hits;
    uint32_t open_runs;  /* ended early because C leaves the rest open */
    uint32_t ended_runs; /* where the model ends the run */
    uint32_t overruns;   /* targets */
    size_t cells, terms, limitations;
};

/* False: something went wrong; a difference is an error with a text that tells it. */
bool differential_run(const struct differential *d, struct differential_result *result,
                      struct err *err);

#endif
