/* Float operators that round otherwise than to nearest even: the hardware in its directed modes.
 *
 * Toward zero is a mode of the hardware; away from zero is up or down, whichever moves away; the
 * halves between two floats are told from what is nearer to the lesser of them by exact rational
 * arithmetic. Only here is the rounding mode changed, and it is back to nearest even after each
 * operation. */
#include "model/term/round.h"

#include "model/term/eval_op.h"

#include <fenv.h>
#include <gmp.h>
#include <math.h>

struct op_rounding op_rounding(enum op op) {
    static const enum op nearest[] = {OP_FADD, OP_FMUL, OP_FDIV, OP_FMA, OP_FSQRT};
    static const char how[] = {'Z', 'A', 'N'};
    assert(op_rounds_otherwise(op));
    if (op >= OP_F2FZ)
        return (struct op_rounding){OP_F2F, how[op - OP_F2FZ]};
    return (struct op_rounding){nearest[(op - OP_FADDZ) / 3], how[(op - OP_FADDZ) % 3]};
}

enum op op_rounded(enum op nearest, char how) {
    for (enum op op = OP_FADDZ; op <= OP_F2FN; op++) {
        struct op_rounding o = {OP_COUNT, 0};
        if (op_rounds_otherwise(op))
            o = op_rounding(op);
        if (o.nearest == nearest && o.how == how)
            return op;
    }
    assert(nearest == OP_FSQRT && how == 'N');
    return nearest;
}

/* An operator to nearest even on its arguments. */
struct action {
    enum op op;
    sort_t sort, from;
    const uint64_t *args;
};

static double value_of(sort_t sort, uint64_t bits) {
    return sort == SORT_F32 ? (double)bits_f32(bits) : bits_f64(bits);
}

/* The same in another mode of the hardware, which is what computes it. */
static double act(const struct action *a, int mode) {
    assert(sort_is_float(a->sort) && sort_is_float(a->from));
    fesetround(mode);
    uint64_t bits = a->op == OP_F2F ? eval_cast_op(a->op, a->sort, a->from, a->args[0])
                                    : eval_float_op(a->op, a->from, a->args);
    fesetround(FE_TONEAREST);
    return value_of(a->sort, bits);
}

/* An exact zero keeps the sign that it has in all modes but downward. */
static double act_away(const struct action *a) {
    double up = act(a, FE_UPWARD), down = act(a, FE_DOWNWARD);
    return !(up > 0) && down < 0 ? down : up;
}

/* All arguments finite, the divisor not zero. */
static void exact_value(const struct action *a, mpq_t out) {
    assert(a->op != OP_FSQRT);
    mpq_t y, w;
    mpq_inits(y, w, NULL);
    mpq_set_d(out, value_of(a->from, a->args[0]));
    if (a->op != OP_F2F)
        mpq_set_d(y, value_of(a->from, a->args[1]));
    if (a->op == OP_FMA)
        mpq_set_d(w, value_of(a->from, a->args[2]));
    if (a->op == OP_FADD)
        mpq_add(out, out, y);
    else if (a->op == OP_FDIV)
        mpq_div(out, out, y);
    else if (a->op != OP_F2F)
        mpq_mul(out, out, y);
    if (a->op == OP_FMA)
        mpq_add(out, out, w);
    mpq_clears(y, w, NULL);
}

/* Is the exact value half way between these two neighbours? */
static bool is_half(const struct action *a, double low, double high) {
    assert(isfinite(low) && isfinite(high));
    mpq_t twice, sum, other;
    mpq_inits(twice, sum, other, NULL);
    exact_value(a, twice);
    mpq_mul_2exp(twice, twice, 1);
    mpq_set_d(sum, low);
    mpq_set_d(other, high);
    mpq_add(sum, sum, other);
    bool half = mpq_equal(twice, sum) != 0;
    mpq_clears(twice, sum, other, NULL);
    return half;
}

/* To nearest even decides all but the halves that it takes toward zero. The greatest float is odd,
 * so the half above it is not among these. */
static double act_nearest_away(const struct action *a) {
    double even = act(a, FE_TONEAREST), low = act(a, FE_TOWARDZERO), high = act_away(a);
    if (isnan(even) || low == high || even != low || isinf(high))
        return even;
    return is_half(a, low, high) ? high : low;
}

uint64_t eval_rounded_op(enum op op, sort_t sort, sort_t arg_sort, const uint64_t *args) {
    struct op_rounding r = op_rounding(op);
    struct action a = {r.nearest, sort, arg_sort, args};
    double v = r.how == 'Z'   ? act(&a, FE_TOWARDZERO)
               : r.how == 'A' ? act_away(&a)
                              : act_nearest_away(&a);
    return bits_canonical(sort, sort == SORT_F32 ? f32_bits((float)v) : f64_bits(v));
}
