/* task: a verification task for CBMC: the whole program, its loops followed so far.
 *
 * What the task asks of its environment (instrument/syntax/task_calls.h) is put in words of CBMC:
 * the error is property 0, a value is nondeterministic and shows in the trace as input 0.
 *
 *     struct cbmc_run run = {.cbmc = cbmc, .ilp32 = true, .unwind = 16, .seconds = 20};
 *     if (cbmc_task_verify(&run, woven, &detail) == CBMC_SUCCESSFUL) …
 */
#ifndef INSTRUMENT_CBMC_TASK_H
#define INSTRUMENT_CBMC_TASK_H

#include "instrument/cbmc/cbmc.h"
#include "instrument/cbmc/output.h"

/* Appends the program. */
void cbmc_task_write(const char *woven, struct str *out);

/* Can the error be reached within so many iterations of each loop? As cbmc_ask(). */
bool cbmc_task_ask(const struct cbmc_run *run, const char *woven, struct cbmc_output *answer,
                   struct str *detail);

/* CBMC_FAILED only when the run to the error does nothing before that has no meaning in C. */
enum cbmc_answer cbmc_task_verify(const struct cbmc_run *run, const char *woven,
                                  struct str *detail);

#endif
