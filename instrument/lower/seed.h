/* seed: the cells that a step obviously changes, before anything was run. */
#ifndef INSTRUMENT_LOWER_SEED_H
#define INSTRUMENT_LOWER_SEED_H

#include <llvm-c/Core.h>

struct lowering;

/* Adds to the plan what stores in `entry`, and in functions it mentions, reach directly. */
void lower_seed_plan(struct lowering *lw, LLVMValueRef entry);

#endif
