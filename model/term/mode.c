/* Up and down are a choice between away from zero and toward it; integers of more bits than a float
 * are cut into two that it holds. */
#include "model/term/mode.h"

#include "model/term/round.h"

static term_t real(struct terms *ts, sort_t sort, double value) {
    return sort == SORT_F32 ? term_f32(ts, (float)value) : term_f64(ts, value);
}

static term_t apply(struct terms *ts, enum op op, const term_t *a) {
    assert(1 <= op_table[op].arity && op_table[op].arity <= 3);
    return op_table[op].arity == 1   ? term_op1(ts, op, a[0])
           : op_table[op].arity == 2 ? term_op2(ts, op, a[0], a[1])
                                     : term_op3(ts, op, a[0], a[1], a[2]);
}

/* By the sign of what away gives: that is zero only where the exact result is. */
static term_t directed(struct terms *ts, enum rounding_mode rm, term_t away, term_t toward) {
    assert(rm == RM_RTP || rm == RM_RTN);
    term_t zero = real(ts, term_sort(ts, away), 0.0);
    term_t moves =
        rm == RM_RTP ? term_op2(ts, OP_FLT, zero, away) : term_op2(ts, OP_FLT, away, zero);
    return term_ite(ts, moves, away, toward);
}

/* Downward, the sum of a and b is -0 where it is exactly zero, unless both are +0. `exact` is zero
 * there, and nowhere else: a sum in any mode, for it is a multiple of the least float; with a
 * product in it what is rounded away from zero. */
static term_t zero_down(struct terms *ts, term_t sum, term_t exact, term_t a_negative,
                        term_t b_negative) {
    sort_t sort = term_sort(ts, sum);
    term_t zero = term_op2(ts, OP_FEQ, exact, real(ts, sort, 0.0));
    term_t plus = term_and(ts, term_not(ts, a_negative), term_not(ts, b_negative));
    return term_ite(ts, term_and(ts, zero, term_not(ts, plus)), real(ts, sort, -0.0), sum);
}

term_t mode_arithmetic(struct terms *ts, enum rounding_mode rm, enum op op, const term_t *args) {
    if (rm == RM_RNE)
        return apply(ts, op, args);
    if (op == OP_FSUB) {
        term_t sum[2] = {args[0], term_op1(ts, OP_FNEG, args[1])};
        return mode_arithmetic(ts, rm, OP_FADD, sum);
    }
    if (rm == RM_RNA || rm == RM_RTZ)
        return apply(ts, op_rounded(op, rm == RM_RNA ? 'N' : 'Z'), args);
    term_t away = apply(ts, op_rounded(op, 'A'), args);
    term_t t = directed(ts, rm, away, apply(ts, op_rounded(op, 'Z'), args));
    if (rm == RM_RTP || (op != OP_FADD && op != OP_FMA))
        return t;
    term_t first = term_op1(ts, OP_FSIGN, args[0]), second = term_op1(ts, OP_FSIGN, args[1]);
    return op == OP_FADD ? zero_down(ts, t, t, first, second)
                         : zero_down(ts, t, away, term_op2(ts, OP_XOR, first, second),
                                     term_op1(ts, OP_FSIGN, args[2]));
}

term_t mode_integral(struct terms *ts, enum rounding_mode rm, term_t x) {
    static const enum op ops[] = {OP_FRINT, OP_FROUND, OP_FCEIL, OP_FFLOOR, OP_FTRUNC};
    assert(rm < RM_COUNT);
    return term_op1(ts, ops[rm], x);
}

term_t mode_float(struct terms *ts, enum rounding_mode rm, sort_t to, term_t x) {
    if (term_sort(ts, x) == to)
        return x;
    if (rm == RM_RNE || to == SORT_F64)
        return term_cast(ts, OP_F2F, to, x);
    if (rm == RM_RNA || rm == RM_RTZ)
        return term_cast(ts, rm == RM_RNA ? OP_F2FN : OP_F2FZ, to, x);
    return directed(ts, rm, term_cast(ts, OP_F2FA, to, x), term_cast(ts, OP_F2FZ, to, x));
}

/* An integer that float64 holds is rounded once; a wider one is the sum of two that it holds, or,
 * on its way to float32, loses bits to the odd one of its neighbours, which no rounding mode
 * confuses with a float32 or with the middle of two. */
static term_t wide_int(struct terms *ts, enum rounding_mode rm, enum op op, sort_t to, term_t x) {
    sort_t width = term_sort(ts, x), less = (sort_t)(width - 53);
    assert(width > 53 && width <= 64);
    term_t low = term_cast(ts, OP_TRUNC, less, x);
    term_t high = term_op2(ts, op == OP_U2F ? OP_LSHR : OP_ASHR, x, term_int(ts, width, less));
    term_t unit = term_f64(ts, (double)(1u << less));
    if (to == SORT_F64) {
        term_t parts[2] = {term_op2(ts, OP_FMUL, term_cast(ts, op, to, high), unit),
                           term_cast(ts, OP_U2F, to, low)};
        return mode_arithmetic(ts, rm, OP_FADD, parts);
    }
    term_t few =
        term_cast(ts, op == OP_U2F ? OP_ZEXT : OP_SEXT, width, term_cast(ts, OP_TRUNC, 53, x));
    term_t lost = term_not(ts, term_eq(ts, low, term_int(ts, less, 0)));
    high = term_op2(ts, OP_BOR, high, term_cast(ts, OP_B2I, width, lost));
    term_t odd = term_op2(ts, OP_FMUL, term_cast(ts, op, SORT_F64, high), unit);
    term_t exact = term_cast(ts, op, SORT_F64, x);
    return mode_float(ts, rm, to, term_ite(ts, term_eq(ts, few, x), exact, odd));
}

term_t mode_int(struct terms *ts, enum rounding_mode rm, enum op op, sort_t to, term_t x) {
    assert(op == OP_S2F || op == OP_U2F);
    if (rm == RM_RNE)
        return term_cast(ts, op, to, x);
    if (term_sort(ts, x) <= 53)
        return mode_float(ts, rm, to, term_cast(ts, op, SORT_F64, x));
    return wide_int(ts, rm, op, to, x);
}
