/* result: from what a run collected to a clean system in the caller's terms.
 *
 * Only terms that something depends on are copied; cells and unspecified inputs that nothing reads
 * are left out. */
#ifndef INSTRUMENT_LOWER_RESULT_H
#define INSTRUMENT_LOWER_RESULT_H

#include "instrument/lower/lower.h"

struct lowering;

/* What only the driver of the run knows. */
struct run_result {
    term_t init_ok, step_ok;
    struct { /* module.state over the cells */
        term_t *data;
        size_t len;
    } state;
};

void lower_finish(struct lowering *lw, const struct run_result *run, struct system *sys,
                  struct lowered *lowered);

#endif
