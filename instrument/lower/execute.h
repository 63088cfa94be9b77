/* execute: runs a function symbolically, block by block, from lw->now.
 *
 * The blocks of a loop run once an iteration, in topological order; ways into a block are merged
 * when it is its turn. A loop goes on while its header can be reached; when that does not end
 * within the limits, the rest of the loop becomes an overrun target.
 */
#ifndef INSTRUMENT_LOWER_EXECUTE_H
#define INSTRUMENT_LOWER_EXECUTE_H

#include "instrument/lower/instruction.h"

/* Afterwards lw->now is where the function returns; VALUE_UNDEF when it returns nothing. */
value_t lower_run(struct lowering *lw, LLVMValueRef fn, const value_t *args, uint32_t n_args);

/* The parts of lower_run, for a function that is entered in the middle. Between open and close the
 * registers are set and ways put to wait; closing joins all exits. `entry`: `now` after opening. */
bool lower_frame_open(struct lowering *lw, struct frame *frame, LLVMValueRef fn);
value_t lower_frame_close(struct lowering *lw, struct frame *frame, struct path entry);
/* Goes on behind a call that has returned `result`, to the end of its block. */
void lower_continue(struct lowering *lw, struct frame *frame, LLVMValueRef call, value_t result);
/* Runs what waits in the loop, then what waits around it, up to the whole function. What waits at
 * the head of the loop begins an iteration (`at_head`), or has come back to it. */
void lower_run_outwards(struct lowering *lw, struct frame *frame, uint32_t loop, bool at_head);

/* Merges ways; `now` becomes the merged path. Clears the list. */
struct way lower_meet(struct lowering *lw, struct ways *ways);

/* One call instruction; the value it gives, VALUE_UNDEF for void. */
value_t lower_call(struct lowering *lw, struct frame *frame, LLVMValueRef call);

struct call {
    LLVMValueRef instruction;
    const char *name; /* of the callee */
    const value_t *args;
    uint32_t n_args;
    LLVMTypeRef type; /* of the result */
};

/* Functions that are not defined in the module. VALUE_NONE: not known here. */
value_t lower_harness_call(struct lowering *lw, const struct call *call);
value_t lower_intrinsic(struct lowering *lw, const struct call *call);
value_t lower_heap_call(struct lowering *lw, const struct call *call); /* of a task */
value_t lower_library_call(struct lowering *lw, const struct call *call);
bool lower_ends_run(const char *name); /* exit() and its like */
value_t lower_float_parts(struct lowering *lw, const struct call *call);
value_t lower_classify(struct lowering *lw, const struct call *call);

/* Operators on floats, in the mode in which the program rounds where `lw->now` stands
 * (lower/library/ rounding.c): FADD FSUB FMUL FDIV FMA FSQRT, FRINT for a whole number, F2F S2F
 * U2F. Where nothing changes the mode that is the operator to nearest even. */
struct rounding_task {
    enum op op;
    sort_t sort; /* of the result */
    uint32_t n;
    struct scalar args[3];
};
struct scalar lower_round(struct lowering *lw, struct rounding_task task);
/* lrint() and, halves away from zero whatever the mode is, lround(); `call` has one float. */
value_t lower_nearest_int(struct lowering *lw, const struct call *call, bool in_mode);
/* Does it round to nearest even here? Enclosures of sin() and its like hold for that mode. */
term_t lower_rounds_to_nearest(struct lowering *lw);
/* fesetround() and its like; VALUE_NONE: not such a function. */
value_t lower_float_mode(struct lowering *lw, const struct call *call);
value_t lower_float_mode_intrinsic(struct lowering *lw, const char *name); /* without "llvm." */

/* llvm.<name> for a function of lower/library/library.def; name without "llvm." */
value_t lower_float_intrinsic(struct lowering *lw, const struct call *call, const char *name);

/* Argument i as a scalar of its declared type. */
struct scalar lower_argument(struct lowering *lw, const struct call *call, uint32_t i);

#endif
