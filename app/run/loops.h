/* loops: asks the solver whether loops go on, while a program is lowered.
 *
 *     struct lower_options options = {.n_probes = n};
 *     loops_ask(&options);
 *     lower(…, &options, …);
 *
 * Each question has a small budget and a solver of its own, so that the model of a program is
 * always the same; no answer within it means that the loop goes on.
 */
#ifndef APP_RUN_LOOPS_H
#define APP_RUN_LOOPS_H

#include "instrument/lower/lower.h"

void loops_ask(struct lower_options *options);

#endif
