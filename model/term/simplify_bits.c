/* Rules for shifts and masks. A shift to the left by a constant is a multiplication. */
#include "model/term/simplify.h"

static term_t shl_const(struct terms *ts, term_t a, uint64_t by) {
    sort_t width = term_sort(ts, a);
    if (by >= width)
        return term_int(ts, width, 0);
    return term_op2(ts, OP_MUL, a, term_int(ts, width, (int64_t)((uint64_t)1 << by)));
}

/* (x * 2^by) >> by keeps the low bits of x */
static bool is_shifted_left(const struct terms *ts, term_t a, uint64_t by) {
    assert(by < term_sort(ts, a));
    return term_is(ts, a, OP_MUL) && term_is_bits(ts, term_arg(ts, a, 1), (uint64_t)1 << by);
}

static term_t lshr_const(struct terms *ts, term_t a, uint64_t by) {
    sort_t width = term_sort(ts, a);
    if (by >= width || term_int_bounds(ts, a).uhi >> by == 0)
        return term_int(ts, width, 0);
    if (is_shifted_left(ts, a, by)) {
        term_t mask = term_int(ts, width, (int64_t)(int_mask(width) >> by));
        return term_op2(ts, OP_BAND, term_arg(ts, a, 0), mask);
    }
    if (!term_is(ts, a, OP_LSHR) || !term_is_const(ts, term_arg(ts, a, 1)))
        return 0;
    uint64_t sum = by + term_bits(ts, term_arg(ts, a, 1));
    if (sum >= width)
        return term_int(ts, width, 0);
    return term_op2(ts, OP_LSHR, term_arg(ts, a, 0), term_int(ts, width, (int64_t)sum));
}

static term_t ashr_const(struct terms *ts, term_t a, uint64_t by) {
    sort_t width = term_sort(ts, a);
    term_t x = term_is(ts, a, OP_ASHR) ? term_arg(ts, a, 0) : 0;
    uint64_t sum = by < width ? by : width - 1u;
    if (x && term_is_const(ts, term_arg(ts, a, 1))) {
        sum += term_bits(ts, term_arg(ts, a, 1));
        sum = sum < width ? sum : width - 1u;
        return term_op2(ts, OP_ASHR, x, term_int(ts, width, (int64_t)sum));
    }
    if (sum != by)
        return term_op2(ts, OP_ASHR, a, term_int(ts, width, (int64_t)sum));
    if (!is_shifted_left(ts, a, by))
        return 0;
    term_t low = term_cast(ts, OP_TRUNC, (sort_t)(width - by), term_arg(ts, a, 0));
    return term_cast(ts, OP_SEXT, width, low);
}

static term_t simplify_shift(struct terms *ts, enum op op, term_t a, term_t b) {
    assert(term_sort(ts, a) == term_sort(ts, b));
    if (term_is_bits(ts, b, 0) || term_is_bits(ts, a, 0))
        return a;
    if (op == OP_ASHR && term_int_bounds(ts, a).slo >= 0)
        return term_op2(ts, OP_LSHR, a, b);
    if (!term_is_const(ts, b))
        return 0;
    if (op == OP_SHL)
        return shl_const(ts, a, term_bits(ts, b));
    if (op == OP_LSHR)
        return lshr_const(ts, a, term_bits(ts, b));
    return ashr_const(ts, a, term_bits(ts, b));
}

/* ---- masks ---- */

static enum op bool_op(enum op op) {
    assert(op == OP_BAND || op == OP_BOR || op == OP_BXOR);
    return op == OP_BAND ? OP_AND : op == OP_BOR ? OP_OR : OP_XOR;
}

/* Both arguments are conditions as numbers. */
static term_t mask_conditions(struct terms *ts, enum op op, term_t a, term_t b) {
    if (!term_is(ts, a, OP_B2I))
        return 0;
    sort_t width = term_sort(ts, a);
    if (op == OP_BAND && term_is_const(ts, b))
        return term_bits(ts, b) & 1 ? a : term_int(ts, width, 0);
    term_t y = 0;
    if (term_is(ts, b, OP_B2I))
        y = term_arg(ts, b, 0);
    else if (term_is_bits(ts, b, 1))
        y = term_bool(ts, true);
    if (!y)
        return 0;
    return term_cast(ts, OP_B2I, width, term_op2(ts, bool_op(op), term_arg(ts, a, 0), y));
}

/* Of zero-extended values only the low bits take part. */
static term_t mask_narrow(struct terms *ts, enum op op, term_t a, term_t b) {
    assert(term_sort(ts, a) == term_sort(ts, b));
    if (!term_is(ts, a, OP_ZEXT))
        return 0;
    term_t x = term_arg(ts, a, 0), y = 0;
    sort_t low = term_sort(ts, x);
    if (term_is(ts, b, OP_ZEXT) && term_sort(ts, term_arg(ts, b, 0)) == low)
        y = term_arg(ts, b, 0);
    else if (term_is_const(ts, b) && (op == OP_BAND || term_bits(ts, b) <= int_mask(low)))
        y = term_int(ts, low, (int64_t)term_bits(ts, b));
    if (!y)
        return 0;
    return term_cast(ts, OP_ZEXT, term_sort(ts, a), term_op2(ts, op, x, y));
}

static term_t mask_const(struct terms *ts, enum op op, term_t a, term_t b) {
    assert(term_is_const(ts, b));
    uint64_t c = term_bits(ts, b), mask = int_mask(term_sort(ts, a));
    if (c == 0)
        return op == OP_BAND ? b : a;
    if (c == mask && op != OP_BXOR)
        return op == OP_BAND ? a : b;
    uint64_t low_ones = ~(uint64_t)0 >> __builtin_clzll(c);
    if (op == OP_BAND && c == low_ones && term_int_bounds(ts, a).uhi <= c)
        return a;
    struct known_bits known = term_known_bits(ts, a);
    if (op == OP_BAND ? (c | known.zeros) == mask : op == OP_BOR && (known.ones & c) == c)
        return a; /* the mask changes nothing */
    if (op == OP_BAND && (term_is(ts, a, OP_BOR) || term_is(ts, a, OP_BXOR)))
        for (int i = 0; i < 2; i++) /* one side has none of these bits */
            if ((term_known_bits(ts, term_arg(ts, a, i)).zeros & c) == c)
                return term_op2(ts, OP_BAND, term_arg(ts, a, 1 - i), b);
    if (term_is(ts, a, op) && term_is_const(ts, term_arg(ts, a, 1)))
        return term_op2(ts, op, term_arg(ts, a, 0), term_op2(ts, op, term_arg(ts, a, 1), b));
    return 0;
}

static term_t simplify_mask(struct terms *ts, enum op op, term_t a, term_t b) {
    if (a == b)
        return op == OP_BXOR ? term_int(ts, term_sort(ts, a), 0) : a;
    term_t simple = term_is_const(ts, b) ? mask_const(ts, op, a, b) : 0;
    if (!simple)
        simple = mask_conditions(ts, op, a, b);
    return simple ? simple : mask_narrow(ts, op, a, b);
}

term_t simplify_bits(struct terms *ts, enum op op, term_t a, term_t b) {
    if (op == OP_SHL || op == OP_LSHR || op == OP_ASHR)
        return simplify_shift(ts, op, a, b);
    assert(op == OP_BAND || op == OP_BOR || op == OP_BXOR);
    return simplify_mask(ts, op, a, b);
}
