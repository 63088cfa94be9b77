/* Rules for float operators: only what holds for every value, -0.0, infinities and NaN included.
 * NaNs are canonical, so x * 1 is x; x + 0.0 is not x (for -0.0), x + -0.0 is. */
#include "model/term/simplify.h"

#include <math.h>
#include <stdlib.h>

static bool is_value(const struct terms *ts, term_t t, double value) {
    if (!term_is_const(ts, t))
        return false;
    uint64_t bits = term_bits(ts, t);
    if (term_sort(ts, t) == SORT_F32)
        return bits == f32_bits((float)value);
    return bits == f64_bits(value);
}

static double value_of(const struct terms *ts, term_t t) {
    assert(term_is_const(ts, t) && sort_is_float(term_sort(ts, t)));
    uint64_t bits = term_bits(ts, t);
    return term_sort(ts, t) == SORT_F32 ? (double)bits_f32(bits) : bits_f64(bits);
}

static term_t float_const(struct terms *ts, sort_t sort, double value) {
    assert(sort_is_float(sort));
    return sort == SORT_F32 ? term_f32(ts, (float)value) : term_f64(ts, value);
}

static term_t negate(struct terms *ts, term_t t) {
    return term_op1(ts, OP_FNEG, t);
}

static bool is_negation(const struct terms *ts, term_t t) {
    return term_is(ts, t, OP_FNEG);
}

static bool is_nan_const(const struct terms *ts, term_t t) {
    return term_is_const(ts, t) && bits_are_nan(term_sort(ts, t), term_bits(ts, t));
}

/* Never NaN, as far as the top of the term shows. */
static bool never_nan(const struct terms *ts, term_t t) {
    return term_is(ts, t, OP_S2F) || term_is(ts, t, OP_U2F);
}

static term_t simplify_fadd(struct terms *ts, term_t a, term_t b) {
    if (is_value(ts, b, -0.0))
        return a;
    if (is_negation(ts, b))
        return term_op2(ts, OP_FSUB, a, term_arg(ts, b, 0));
    if (is_negation(ts, a) && !term_is_const(ts, b))
        return term_op2(ts, OP_FSUB, b, term_arg(ts, a, 0));
    if (a == b)
        return term_op2(ts, OP_FMUL, a, float_const(ts, term_sort(ts, a), 2.0));
    return 0;
}

static term_t simplify_fsub(struct terms *ts, term_t a, term_t b) {
    if (term_is_const(ts, b))
        return term_op2(ts, OP_FADD, a, negate(ts, b));
    if (is_value(ts, a, -0.0))
        return negate(ts, b);
    if (is_negation(ts, b))
        return term_op2(ts, OP_FADD, a, term_arg(ts, b, 0));
    return 0;
}

static term_t simplify_fmul(struct terms *ts, term_t a, term_t b) {
    if (is_value(ts, b, 1.0))
        return a;
    if (is_value(ts, b, -1.0))
        return negate(ts, a);
    if (is_negation(ts, a) && is_negation(ts, b))
        return term_op2(ts, OP_FMUL, term_arg(ts, a, 0), term_arg(ts, b, 0));
    if (is_negation(ts, a) && term_is_const(ts, b))
        return term_op2(ts, OP_FMUL, term_arg(ts, a, 0), negate(ts, b));
    return 0;
}

/* Dividing by a power of two is multiplying by its inverse when both are normal numbers. */
static term_t simplify_fdiv(struct terms *ts, term_t a, term_t b) {
    if (is_negation(ts, a) && is_negation(ts, b))
        return term_op2(ts, OP_FDIV, term_arg(ts, a, 0), term_arg(ts, b, 0));
    if (!term_is_const(ts, b) || term_is_const(ts, a))
        return 0;
    double d = value_of(ts, b);
    int exponent, limit = term_sort(ts, b) == SORT_F32 ? 120 : 1000;
    if (!isfinite(d) || d == 0 || fabs(frexp(d, &exponent)) != 0.5 || abs(exponent) > limit)
        return 0;
    return term_op2(ts, OP_FMUL, a, float_const(ts, term_sort(ts, b), 1.0 / d));
}

static bool is_whole(const struct terms *ts, term_t t) {
    switch (term_get(ts, t)->op) {
    case OP_FFLOOR:
    case OP_FCEIL:
    case OP_FTRUNC:
    case OP_FROUND:
    case OP_FRINT:
    case OP_S2F:
    case OP_U2F:
        return true;
    default:
        return false;
    }
}

static term_t simplify_sign_op(struct terms *ts, enum op op, term_t a) {
    assert(op == OP_FNEG || op == OP_FABS);
    enum op inner = term_get(ts, a)->op;
    if (op == OP_FNEG && inner == OP_FNEG)
        return term_arg(ts, a, 0);
    if (op == OP_FABS && inner == OP_FABS)
        return a;
    if (op == OP_FABS && (inner == OP_FNEG || inner == OP_FCOPYSIGN))
        return term_op1(ts, OP_FABS, term_arg(ts, a, 0));
    if (op == OP_FABS && inner == OP_U2F)
        return a;
    return 0;
}

static term_t simplify_class(struct terms *ts, enum op op, term_t a) {
    assert(op == OP_FISNAN || op == OP_FISINF || op == OP_FSIGN);
    enum op inner = term_get(ts, a)->op;
    if (op == OP_FSIGN)
        return inner == OP_FABS || inner == OP_U2F ? term_bool(ts, false) : 0;
    if (inner == OP_FNEG || inner == OP_FABS)
        return term_op1(ts, op, term_arg(ts, a, 0));
    if (inner == OP_S2F || inner == OP_U2F)
        return term_bool(ts, false); /* 2^64 is far below the largest float */
    if (inner == OP_F2F && (op == OP_FISNAN || term_sort(ts, a) == SORT_F64))
        return term_op1(ts, op, term_arg(ts, a, 0));
    return 0;
}

static term_t simplify_minmax(struct terms *ts, term_t a, term_t b) {
    assert(term_sort(ts, a) == term_sort(ts, b));
    if (a == b || is_nan_const(ts, b))
        return a;
    return 0;
}

/* Of zero: zero, unless it is divided by zero or a NaN. */
static term_t simplify_remainder(struct terms *ts, term_t a, term_t b) {
    assert(term_sort(ts, a) == term_sort(ts, b));
    if (!is_value(ts, a, 0.0) && !is_value(ts, a, -0.0))
        return 0;
    term_t zero = term_op2(ts, OP_FEQ, b, float_const(ts, term_sort(ts, b), 0.0));
    term_t none = term_or(ts, zero, term_op1(ts, OP_FISNAN, b));
    return term_ite(ts, none, float_const(ts, term_sort(ts, a), (double)NAN), a);
}

term_t simplify_float(struct terms *ts, enum op op, const term_t *args) {
    switch (op) {
    case OP_FMOD:
    case OP_FREM:
        return simplify_remainder(ts, args[0], args[1]);
    case OP_FADD:
        return simplify_fadd(ts, args[0], args[1]);
    case OP_FSUB:
        return simplify_fsub(ts, args[0], args[1]);
    case OP_FMUL:
        return simplify_fmul(ts, args[0], args[1]);
    case OP_FDIV:
        return simplify_fdiv(ts, args[0], args[1]);
    case OP_FNEG:
    case OP_FABS:
        return simplify_sign_op(ts, op, args[0]);
    case OP_FFLOOR:
    case OP_FCEIL:
    case OP_FTRUNC:
    case OP_FROUND:
    case OP_FRINT:
        return is_whole(ts, args[0]) ? args[0] : 0;
    case OP_FMIN:
    case OP_FMAX:
        return simplify_minmax(ts, args[0], args[1]);
    case OP_FISNAN:
    case OP_FISINF:
    case OP_FSIGN:
        return simplify_class(ts, op, args[0]);
    default:
        return 0;
    }
}

/* ---- comparisons ---- */

static term_t is_number(struct terms *ts, term_t t) {
    return term_not(ts, term_op1(ts, OP_FISNAN, t));
}

static term_t compare_same(struct terms *ts, enum op op, term_t a) {
    assert(op == OP_FEQ || op == OP_FLT || op == OP_FLE);
    return op == OP_FLT ? term_bool(ts, false) : is_number(ts, a);
}

/* Comparisons that an infinity decides. */
static term_t compare_infinite(struct terms *ts, enum op op, term_t a, term_t b) {
    if (op == OP_FLT && (is_value(ts, b, -INFINITY) || is_value(ts, a, INFINITY)))
        return term_bool(ts, false);
    if (op == OP_FLE && is_value(ts, b, INFINITY))
        return is_number(ts, a);
    if (op == OP_FLE && is_value(ts, a, -INFINITY))
        return is_number(ts, b);
    return 0;
}

static term_t widened_from(const struct terms *ts, term_t t) {
    return term_is(ts, t, OP_F2F) && term_sort(ts, t) == SORT_F64 ? term_arg(ts, t, 0) : 0;
}

/* Both sides are float32 values in float64: compare them as float32. */
static term_t compare_as_f32(struct terms *ts, enum op op, term_t a, term_t b) {
    term_t x = widened_from(ts, a), y = widened_from(ts, b);
    if (!x && !y)
        return 0;
    if (!x && term_is_const(ts, a))
        x = term_cast(ts, OP_F2F, SORT_F32, a);
    if (!y && term_is_const(ts, b))
        y = term_cast(ts, OP_F2F, SORT_F32, b);
    if (!x || !y || term_sort(ts, x) != SORT_F32 || term_sort(ts, y) != SORT_F32)
        return 0;
    if (term_cast(ts, OP_F2F, SORT_F64, x) != a || term_cast(ts, OP_F2F, SORT_F64, y) != b)
        return 0; /* the constant is no float32 */
    return term_op2(ts, op, x, y);
}

static term_t compare_zero(struct terms *ts, enum op op, term_t a, term_t b) {
    term_t zero = float_const(ts, term_sort(ts, a), 0.0);
    if (is_value(ts, a, -0.0))
        return term_op2(ts, op, zero, b);
    if (is_value(ts, b, -0.0))
        return term_op2(ts, op, a, zero);
    return 0;
}

static term_t compare_negated(struct terms *ts, enum op op, term_t a, term_t b) {
    if (!(is_negation(ts, a) && (is_negation(ts, b) || term_is_const(ts, b))) &&
        !(term_is_const(ts, a) && is_negation(ts, b)))
        return 0;
    return term_op2(ts, op, negate(ts, b), negate(ts, a));
}

/* x + 0 is x but for the sign of a zero, which comparisons do not see. */
static term_t without_zero(const struct terms *ts, term_t t) {
    bool added = term_is(ts, t, OP_FADD) && is_value(ts, term_arg(ts, t, 1), 0.0);
    return added ? term_arg(ts, t, 0) : t;
}

static term_t compare_sums(struct terms *ts, enum op op, term_t a, term_t b) {
    term_t x = without_zero(ts, a), y = without_zero(ts, b);
    assert(op == OP_FEQ || op == OP_FLT || op == OP_FLE);
    return x == a && y == b ? 0 : term_op2(ts, op, x, y);
}

/* x = c is identity unless c is a zero. */
static term_t feq_const(struct terms *ts, term_t a, term_t b) {
    assert(term_is_const(ts, b));
    return value_of(ts, b) != 0 ? term_eq(ts, a, b) : 0;
}

term_t simplify_float_compare(struct terms *ts, enum op op, term_t a, term_t b) {
    assert(term_sort(ts, a) == term_sort(ts, b));
    if (is_nan_const(ts, a) || is_nan_const(ts, b))
        return term_bool(ts, false);
    if (a == b)
        return never_nan(ts, a) ? term_bool(ts, op != OP_FLT) : compare_same(ts, op, a);
    term_t simple = compare_infinite(ts, op, a, b);
    if (!simple)
        simple = compare_zero(ts, op, a, b);
    if (!simple)
        simple = compare_negated(ts, op, a, b);
    if (!simple)
        simple = compare_as_f32(ts, op, a, b);
    if (!simple)
        simple = compare_sums(ts, op, a, b);
    if (!simple)
        simple = simplify_compare_choice(ts, op, a, b);
    if (!simple && term_is_const(ts, b))
        simple = simplify_push_compare(ts, op, a, b);
    if (!simple && op == OP_FEQ && term_is_const(ts, b))
        simple = feq_const(ts, a, b);
    return simple;
}
