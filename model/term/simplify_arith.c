/* Rules for ADD, SUB, MUL and the divisions, all modulo 2^width. A subtracted constant is written
 * as an added one. */
#include "model/term/simplify.h"

static bool is_op_const(const struct terms *ts, term_t t, enum op op) {
    return term_is(ts, t, op) && term_is_const(ts, term_arg(ts, t, 1));
}

static term_t negated_const(struct terms *ts, term_t c) {
    assert(term_is_const(ts, c));
    return term_int(ts, term_sort(ts, c), (int64_t)(0 - term_bits(ts, c)));
}

static term_t simplify_add(struct terms *ts, term_t a, term_t b) {
    assert(term_sort(ts, a) == term_sort(ts, b) && !term_is_const(ts, a));
    if (term_is_bits(ts, b, 0))
        return a;
    if (term_is_const(ts, b) && is_op_const(ts, a, OP_ADD)) {
        term_t sum = term_op2(ts, OP_ADD, term_arg(ts, a, 1), b);
        return term_op2(ts, OP_ADD, term_arg(ts, a, 0), sum);
    }
    if (term_is_const(ts, b) && term_is(ts, a, OP_SUB) && term_is_const(ts, term_arg(ts, a, 0))) {
        term_t sum = term_op2(ts, OP_ADD, term_arg(ts, a, 0), b);
        return term_op2(ts, OP_SUB, sum, term_arg(ts, a, 1));
    }
    if (term_is(ts, b, OP_SUB) && term_arg(ts, b, 1) == a)
        return term_arg(ts, b, 0); /* a + (x - a); the older argument is the first */
    if (term_is(ts, b, OP_SUB) && term_is_bits(ts, term_arg(ts, b, 0), 0))
        return term_op2(ts, OP_SUB, a, term_arg(ts, b, 1)); /* a + -x */
    if (term_is(ts, a, OP_SUB) && term_is_bits(ts, term_arg(ts, a, 0), 0))
        return term_op2(ts, OP_SUB, b, term_arg(ts, a, 1));
    return 0;
}

static term_t simplify_sub(struct terms *ts, term_t a, term_t b) {
    sort_t width = term_sort(ts, a);
    if (a == b)
        return term_int(ts, width, 0);
    if (term_is_const(ts, b))
        return term_op2(ts, OP_ADD, a, negated_const(ts, b));
    if (term_is(ts, a, OP_ADD) && term_arg(ts, a, 0) == b)
        return term_arg(ts, a, 1); /* (b + x) - b */
    if (term_is(ts, a, OP_ADD) && term_arg(ts, a, 1) == b)
        return term_arg(ts, a, 0);
    if (term_is(ts, b, OP_SUB) && term_arg(ts, b, 0) == a)
        return term_arg(ts, b, 1); /* a - (a - x) */
    if (term_is_bits(ts, a, 0) && term_is(ts, b, OP_SUB))
        return term_op2(ts, OP_SUB, term_arg(ts, b, 1), term_arg(ts, b, 0));
    if (term_is_const(ts, a) && is_op_const(ts, b, OP_ADD)) { /* c - (x + d) */
        term_t rest = term_op2(ts, OP_SUB, a, term_arg(ts, b, 1));
        return term_op2(ts, OP_SUB, rest, term_arg(ts, b, 0));
    }
    return 0;
}

static term_t simplify_mul(struct terms *ts, term_t a, term_t b) {
    sort_t width = term_sort(ts, a);
    if (!term_is_const(ts, b))
        return 0;
    if (term_bits(ts, b) <= 1)
        return term_bits(ts, b) ? a : b;
    if (term_bits(ts, b) == int_mask(width))
        return term_op2(ts, OP_SUB, term_int(ts, width, 0), a);
    if (!is_op_const(ts, a, OP_MUL))
        return 0;
    term_t product = term_op2(ts, OP_MUL, term_arg(ts, a, 1), b);
    return term_op2(ts, OP_MUL, term_arg(ts, a, 0), product);
}

/* What is left by 2^n are the low n bits. */
static term_t low_bits(struct terms *ts, term_t a, term_t b) {
    uint64_t by = term_is_const(ts, b) ? term_bits(ts, b) : 0;
    if (by == 0 || (by & (by - 1)) != 0)
        return 0;
    return term_op2(ts, OP_BAND, a, term_int(ts, term_sort(ts, a), (int64_t)(by - 1)));
}

/* Divisions by constants; what cannot be negative is divided unsigned. */
static term_t simplify_div(struct terms *ts, enum op op, term_t a, term_t b) {
    assert(op >= OP_UDIV && op <= OP_SREM);
    bool quotient = op == OP_UDIV || op == OP_SDIV;
    bool is_signed = op == OP_SDIV || op == OP_SREM;
    sort_t width = term_sort(ts, a);
    struct int_bounds x = term_int_bounds(ts, a), y = term_int_bounds(ts, b);
    if (is_signed && x.slo >= 0 && y.slo >= 0 && y.ulo > 0)
        return term_op2(ts, quotient ? OP_UDIV : OP_UREM, a, b);
    if (!is_signed && x.uhi < y.ulo)
        return quotient ? term_int(ts, width, 0) : a;
    if (term_is_bits(ts, b, 0) && !quotient)
        return a;
    if (term_is_bits(ts, b, 0) && op == OP_UDIV)
        return term_int(ts, width, -1);
    if (term_is_bits(ts, b, 1) && (width > 1 || !is_signed))
        return quotient ? a : term_int(ts, width, 0);
    if (is_signed && term_is_bits(ts, b, int_mask(width)))
        return quotient ? term_op2(ts, OP_SUB, term_int(ts, width, 0), a) : term_int(ts, width, 0);
    return op == OP_UREM ? low_bits(ts, a, b) : 0;
}

term_t simplify_arith(struct terms *ts, enum op op, term_t a, term_t b) {
    switch (op) {
    case OP_ADD:
        return simplify_add(ts, a, b);
    case OP_SUB:
        return simplify_sub(ts, a, b);
    case OP_MUL:
        return simplify_mul(ts, a, b);
    default:
        assert(op >= OP_UDIV && op <= OP_SREM);
        return simplify_div(ts, op, a, b);
    }
}
