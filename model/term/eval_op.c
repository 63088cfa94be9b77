/* Reference semantics of the operators on bits: Booleans and integers here, the dispatch over all.
 * Integer operators are total as in SMT-LIB (see ops.def). */
#include "model/term/eval_op.h"

#include "base/bug.h"
#include "model/term/eval.h"

/* The quotient of magnitudes with the sign put back; x sdiv 0 is 1 for negative x, else -1. */
static uint64_t signed_divide(sort_t width, uint64_t a, uint64_t b) {
    assert(sort_is_int(width));
    int64_t x = int_signed(width, a), y = int_signed(width, b);
    if (y == 0)
        return x < 0 ? 1 : ~(uint64_t)0;
    if (y == -1)
        return 0 - (uint64_t)x;
    return (uint64_t)(x / y);
}

static uint64_t signed_remainder(sort_t width, uint64_t a, uint64_t b) {
    assert(sort_is_int(width));
    int64_t x = int_signed(width, a), y = int_signed(width, b);
    if (y == 0)
        return a;
    return y == -1 ? 0 : (uint64_t)(x % y);
}

static uint64_t shift_right_signed(sort_t width, uint64_t a, uint64_t b) {
    int64_t x = int_signed(width, a);
    return (uint64_t)(b >= width ? x >> 63 : x >> b);
}

uint64_t eval_int_op(enum op op, sort_t width, const uint64_t *args) {
    uint64_t a = args[0], b = args[1], mask = int_mask(width);
    assert((a & ~mask) == 0 && (b & ~mask) == 0);
    switch (op) {
    case OP_ADD:
        return (a + b) & mask;
    case OP_SUB:
        return (a - b) & mask;
    case OP_MUL:
        return (a * b) & mask;
    case OP_UDIV:
        return b ? a / b : mask;
    case OP_SDIV:
        return signed_divide(width, a, b) & mask;
    case OP_UREM:
        return b ? a % b : a;
    case OP_SREM:
        return signed_remainder(width, a, b) & mask;
    case OP_SHL:
        return b >= width ? 0 : (a << b) & mask;
    case OP_LSHR:
        return b >= width ? 0 : a >> b;
    case OP_ASHR:
        return shift_right_signed(width, a, b) & mask;
    case OP_BAND:
        return a & b;
    case OP_BOR:
        return a | b;
    case OP_BXOR:
        return a ^ b;
    case OP_ULT:
        return a < b;
    case OP_ULE:
        return a <= b;
    case OP_SLT:
        return int_signed(width, a) < int_signed(width, b);
    case OP_SLE:
        return int_signed(width, a) <= int_signed(width, b);
    default:
        bug("%s is no integer operator", op_table[op].name);
    }
}

uint64_t term_eval_op(enum op op, sort_t sort, sort_t arg_sort, const uint64_t *args) {
    switch (op) {
    case OP_NOT:
        return !args[0];
    case OP_AND:
        return args[0] & args[1];
    case OP_OR:
        return args[0] | args[1];
    case OP_XOR:
        return args[0] ^ args[1];
    case OP_ITE:
        return args[0] ? args[1] : args[2];
    case OP_EQ: /* NaNs are canonical by now */
        return args[0] == args[1];
    case OP_CONST:
    case OP_VAR:
    case OP_TABLE:
        bug("%s has no value without its payload", op_table[op].name);
    default:
        break;
    }
    if (op >= OP_ADD && op <= OP_SLE)
        return eval_int_op(op, arg_sort, args);
    if (op_table[op].result == 'p')
        return eval_cast_op(op, sort, arg_sort, args[0]);
    return eval_float_op(op, arg_sort, args);
}
