/* function: what the symbolic executor needs to know about a function before it runs it.
 *
 * Blocks are numbered in reverse postorder (block 0 is the entry). Natural loops form a forest;
 * loop 0 stands for the whole function. The nodes of a loop are the blocks whose innermost loop it
 * is, and the headers of the loops directly inside it, in an order in which every edge that is not
 * a back edge goes forward. So a loop is run by running its nodes once an iteration.
 */
#ifndef INSTRUMENT_LOWER_FUNCTION_H
#define INSTRUMENT_LOWER_FUNCTION_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"

#include <llvm-c/Core.h>

struct lower_block {
    LLVMBasicBlockRef block;
    uint32_t loop;   /* innermost loop that holds it */
    uint32_t n_phis; /* the first instructions */
};

struct lower_loop {
    uint32_t header; /* block; 0 for loop 0 */
    uint32_t parent;
    uint32_t depth;      /* 0 for loop 0 */
    VEC(uint32_t) nodes; /* blocks, ascending; the header first */
};

struct lower_function {
    LLVMValueRef fn;
    const char *name;
    VEC(struct lower_block) blocks;
    VEC(struct lower_loop) loops;
    struct map block_index; /* LLVMBasicBlockRef -> block */
    struct map value_index; /* LLVMValueRef of argument or instruction -> slot */
    uint32_t n_values;
    uint32_t n_args;
    bool irreducible;  /* a loop with two entries: cannot be run */
    struct live *live; /* lower/live.h; NULL: not asked for yet */
};

struct lower_function *lower_function_new(LLVMValueRef fn);
void lower_function_delete(struct lower_function *f);

uint32_t lower_function_block(const struct lower_function *f, LLVMBasicBlockRef block);
uint32_t lower_function_slot(const struct lower_function *f, LLVMValueRef value);

#endif
