/* Float operators on bits, by the hardware and libm in round to nearest even (the build forbids
 * contraction). One template serves both types. */
#include "model/term/eval_op.h"
#include "model/term/round.h"

#include "base/bug.h"

#include <math.h>

#define F32_NAN 0x7fc00000u
#define F64_NAN 0x7ff8000000000000u

uint64_t bits_canonical(sort_t sort, uint64_t bits) {
    assert(sort != SORT_NONE && sort <= SORT_F64);
    if (!bits_are_nan(sort, bits))
        return bits;
    return sort == SORT_F32 ? F32_NAN : F64_NAN;
}

static uint64_t store_f32(float value) {
    return isnan(value) ? F32_NAN : f32_bits(value);
}

static uint64_t store_f64(double value) {
    return isnan(value) ? F64_NAN : f64_bits(value);
}

#define REAL float
#define FN(name) name##f
#define LIBM libm_f32
#define NAME float_op_f32
#define LOAD bits_f32
#define STORE store_f32
#include "model/term/eval_libm.inc"
#include "model/term/eval_float.inc"
#undef REAL
#undef FN
#undef LIBM
#undef NAME
#undef LOAD
#undef STORE

#define REAL double
#define FN(name) name
#define LIBM libm_f64
#define NAME float_op_f64
#define LOAD bits_f64
#define STORE store_f64
#include "model/term/eval_libm.inc"
#include "model/term/eval_float.inc"

uint64_t eval_float_op(enum op op, sort_t arg_sort, const uint64_t *args) {
    int arity = op_table[op].arity;
    if (op_rounds_otherwise(op))
        return eval_rounded_op(op, arg_sort, arg_sort, args);
    if (arg_sort == SORT_F32)
        return float_op_f32(op, args, arity);
    assert(arg_sort == SORT_F64);
    return float_op_f64(op, args, arity);
}

/* Truncation toward zero; what does not fit gives 0, as does NaN. */
static uint64_t float_to_int(sort_t width, bool is_signed, double value) {
    assert(sort_is_int(width));
    double whole = trunc(value);
    double limit = ldexp(1.0, is_signed ? width - 1 : width);
    double least = is_signed ? -limit : 0.0;
    if (!(whole >= least && whole < limit))
        return 0;
    uint64_t bits = is_signed ? (uint64_t)(int64_t)whole : (uint64_t)whole;
    return bits & int_mask(width);
}

static double float_value(sort_t sort, uint64_t bits) {
    assert(sort_is_float(sort));
    return sort == SORT_F32 ? (double)bits_f32(bits) : bits_f64(bits);
}

uint64_t eval_cast_op(enum op op, sort_t sort, sort_t arg_sort, uint64_t arg) {
    assert(op_table[op].result == 'p' && op_table[op].arity == 1);
    switch (op) {
    case OP_ZEXT:
    case OP_B2I:
        return arg;
    case OP_SEXT:
        return (uint64_t)int_signed(arg_sort, arg) & int_mask(sort);
    case OP_TRUNC:
        return arg & int_mask(sort);
    case OP_F2F:
        if (sort == SORT_F32)
            return store_f32((float)float_value(arg_sort, arg));
        return store_f64(float_value(arg_sort, arg));
    case OP_F2FZ:
    case OP_F2FA:
    case OP_F2FN:
        return eval_rounded_op(op, sort, arg_sort, &arg);
    case OP_S2F:
        if (sort == SORT_F32)
            return f32_bits((float)int_signed(arg_sort, arg));
        return f64_bits((double)int_signed(arg_sort, arg));
    case OP_U2F:
        return sort == SORT_F32 ? f32_bits((float)arg) : f64_bits((double)arg);
    case OP_F2S:
        return float_to_int(sort, true, float_value(arg_sort, arg));
    case OP_F2U:
        return float_to_int(sort, false, float_value(arg_sort, arg));
    case OP_BITS2F:
        return bits_canonical(sort, arg);
    case OP_F2BITS:
        return bits_canonical(arg_sort, arg);
    default:
        bug("%s is no cast", op_table[op].name);
    }
}
