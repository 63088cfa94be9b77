/* bmc: the bounded search for hits, as an engine and as the base case of others.
 *
 * Targets are counted as in the engine's input: 0 .. n_targets-1.
 */
#ifndef ENGINES_BMC_H
#define ENGINES_BMC_H

#include "engines/engine.h"
#include "engines/unroll.h"

struct bmc;

struct bmc *bmc_open(const struct engine_input *input);
void bmc_close(struct bmc *b);

/* Asks one more depth for all open targets. DONE: that depth is complete; MORE: out of ticks. */
enum engine_status bmc_deepen(struct bmc *b, uint64_t ticks);
uint32_t bmc_depth(const struct bmc *b);       /* steps that are complete: not hit within them */
uint64_t bmc_ticks(const struct bmc *b);       /* spent so far */
uint64_t bmc_step_effort(const struct bmc *b); /* of making one step, in ticks */
size_t bmc_count_open(const struct bmc *b);
bool bmc_is_open(const struct bmc *b, size_t target);
bool bmc_is_sure(const struct bmc *b, size_t target); /* the bound holds for it */
void bmc_drop(struct bmc *b, size_t target);          /* decided by somebody else */

#endif
