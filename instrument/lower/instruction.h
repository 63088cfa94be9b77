/* instruction: instructions that compute a value from values, and constant expressions. */
#ifndef INSTRUMENT_LOWER_INSTRUCTION_H
#define INSTRUMENT_LOWER_INSTRUCTION_H

#include "instrument/lower/function.h"
#include "instrument/lower/path.h"
#include "instrument/lower/value.h"

/* One call that runs: its registers, and the ways that wait at its blocks. */
struct frame {
    struct lower_function *fn;
    value_t *values; /* a slot each */
    struct ways *waiting;
    struct ways exits;                 /* values[0]: what is returned */
    uint64_t key;                      /* of the function and the calls that led to it */
    LLVMValueRef call;                 /* that runs */
    LLVMValueRef at;                   /* where the caller stands */
    uint32_t first_object, first_cell; /* of its locals */
};

value_t lower_operand(struct lowering *lw, struct frame *frame, LLVMValueRef v);

/* The value of an instruction (or constant expression, frame NULL) without effects on memory;
 * may end the run (division by zero). VALUE_NONE: not such an instruction. */
value_t lower_operation(struct lowering *lw, struct frame *frame, LLVMValueRef v,
                        LLVMOpcode opcode);

/* The register of an operand that holds the float `v` is looked at; what it holds from now on. */
value_t pun_register(struct lowering *lw, struct frame *frame, LLVMValueRef operand, value_t v);
/* Sets, clears or flips nothing but the sign in the bits of a float: it stays a float. VALUE_NONE:
 * this is something else. */
value_t pun_sign(struct lowering *lw, LLVMOpcode opcode, value_t a, value_t b);

/* signbit() that clang has written out; its result, some number other than 0 where negative. */
bool pun_is_signbit(LLVMValueRef number);
struct scalar pun_signbit(struct lowering *lw, struct scalar negative, sort_t sort);

/* Out of range it is any value, and tainted. op: OP_F2S or OP_F2U. */
value_t lower_float_to_int(struct lowering *lw, enum op op, sort_t to, struct scalar a);

#endif
