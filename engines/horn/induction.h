/* induction: BMC and k-induction ("ICP and IC3", II-B) on questions to Z3, for the one target of a
 * system. Two conversations that grow: runs from the start, and runs of clean steps from any state.
 *
 *     struct induction *run = induction_open(&sys, &how);
 *     while (induction_step(run, INDUCTION_RUNS, ticks) == INDUCTION_MORE) …
 *     induction_close(run);
 */
#ifndef ENGINES_HORN_INDUCTION_H
#define ENGINES_HORN_INDUCTION_H

#include "engines/query/query.h"
#include "model/system/system.h"

enum induction_status {
    INDUCTION_MORE,
    INDUCTION_SAFE, /* induction_depth() clean steps are followed by one, and begin each run */
    INDUCTION_HIT,  /* a run of induction_depth() states ends with the hit; 0: the start is one */
};

enum induction_lane { INDUCTION_RUNS, INDUCTION_STEPS };

struct induction;

struct induction *induction_open(struct system *sys, const struct query_options *how);
void induction_close(struct induction *run);

/* One of the conversations goes on with so much effort. */
enum induction_status induction_step(struct induction *run, enum induction_lane lane,
                                     uint64_t ticks);
uint64_t induction_ticks(const struct induction *run, enum induction_lane lane);

uint32_t induction_depth(const struct induction *run);
/* INDUCTION_HIT: a constant; `step` 0 is the start, step j + 1 what is read in state j. */
term_t induction_input(const struct induction *run, uint32_t step, size_t input);

#endif
