/* expand: a run in large steps as one in small steps. */
#ifndef ENGINES_HORN_EXPAND_H
#define ENGINES_HORN_EXPAND_H

#include "engines/horn/large.h"
#include "engines/horn/core.h"

/* Inputs of a run of large->sys, of the start and of each state, become those of `sys`, and
 * `states` the number of small ones. False: Z3 has not found one of the steps. */
bool large_expand(const struct large *large, const struct system *sys, struct horn_terms *inputs,
                  uint32_t *states);

#endif
