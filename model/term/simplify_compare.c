/* Rules for EQ and the orders of integers.
 *
 * Normal forms: only the strict orders; a constant stands on the right; x < c with the extreme
 * constants is an equality. `x <= c`, `x > c` and `x >= c` are NOT of strict ones, so that a
 * condition and its complement share their atom. */
#include "model/term/simplify.h"

enum { CHAIN = 256 };

/* ---- values that are a choice of constants ---- */

static bool is_choice(const struct terms *ts, term_t t) {
    return term_is(ts, t, OP_ITE) &&
           (term_is_const(ts, term_arg(ts, t, 1)) || term_is_const(ts, term_arg(ts, t, 2)));
}

static term_t compare_b2i(struct terms *ts, enum op op, term_t a, term_t b) {
    assert(term_is(ts, a, OP_B2I) && term_is_const(ts, b));
    sort_t width = term_sort(ts, a);
    term_t one = term_op2(ts, op, term_int(ts, width, 1), b);
    term_t zero = term_op2(ts, op, term_int(ts, width, 0), b);
    return term_ite(ts, term_arg(ts, a, 0), one, zero);
}

term_t simplify_push_compare(struct terms *ts, enum op op, term_t a, term_t b) {
    assert(term_is_const(ts, b));
    if (term_is(ts, a, OP_B2I))
        return compare_b2i(ts, op, a, b);
    term_t chain[CHAIN];
    int n = 0;
    for (; is_choice(ts, a); n++) {
        if (n == CHAIN)
            return 0;
        chain[n] = a;
        a = term_arg(ts, a, term_is_const(ts, term_arg(ts, a, 1)) ? 2 : 1);
    }
    if (n == 0)
        return 0;
    term_t result = term_op2(ts, op, a, b); /* a is no choice any more */
    while (n-- > 0) {
        struct term ite = *term_get(ts, chain[n]);
        bool first = term_is_const(ts, ite.arg[1]);
        term_t other = term_op2(ts, op, ite.arg[first ? 1 : 2], b);
        result = first ? term_ite(ts, ite.arg[0], other, result)
                       : term_ite(ts, ite.arg[0], result, other);
    }
    return result;
}

/* ---- extensions ---- */

/* The value that `t` extends, or a constant cut to that width, seen as the other side of `like`:
 * 0 if `t` does not fit. */
static term_t cut_to(struct terms *ts, term_t t, enum op ext, sort_t width) {
    assert((ext == OP_ZEXT || ext == OP_SEXT) && width < term_sort(ts, t));
    if (term_is(ts, t, ext)) {
        term_t x = term_arg(ts, t, 0);
        if (term_sort(ts, x) == width)
            return x;
        return term_sort(ts, x) < width ? term_cast(ts, ext, width, x) : 0;
    }
    if (ext == OP_SEXT && term_is(ts, t, OP_ZEXT)) {
        term_t x = term_arg(ts, t, 0);
        return term_sort(ts, x) < width ? term_cast(ts, OP_ZEXT, width, x) : 0;
    }
    if (!term_is_const(ts, t))
        return 0;
    uint64_t bits = term_bits(ts, t), low = bits & int_mask(width);
    uint64_t back = ext == OP_ZEXT ? low : (uint64_t)int_signed(width, low);
    if ((back & int_mask(term_sort(ts, t))) != bits)
        return 0;
    return term_const(ts, width, low);
}

static sort_t ext_width(const struct terms *ts, term_t t, enum op ext) {
    return term_is(ts, t, ext) ? term_sort(ts, term_arg(ts, t, 0)) : 0;
}

/* Both sides are extensions of the same kind (or constants): compare what was extended. */
static term_t compare_narrow(struct terms *ts, enum op op, term_t a, term_t b) {
    static const enum op exts[2] = {OP_ZEXT, OP_SEXT};
    for (int i = 0; i < 2; i++) {
        if (op == OP_SLT && exts[i] == OP_ZEXT)
            continue; /* sign extension keeps both orders, zero extension one */
        sort_t m = ext_width(ts, a, exts[i]), n = ext_width(ts, b, exts[i]);
        sort_t width = m > n ? m : n;
        if (width == 0 || width == term_sort(ts, a))
            continue;
        term_t x = cut_to(ts, a, exts[i], width), y = cut_to(ts, b, exts[i], width);
        if (x && y)
            return term_op2(ts, op, x, y);
    }
    return 0;
}

/* ---- equality ---- */

static term_t eq_bool(struct terms *ts, term_t a, term_t b) {
    assert(a != b && term_sort(ts, a) == SORT_BOOL);
    if (term_is_const(ts, b))
        return term_bits(ts, b) ? a : term_not(ts, a);
    if (term_opposite(ts, a, b))
        return term_bool(ts, false);
    if (term_is(ts, a, OP_NOT))
        return term_not(ts, term_eq(ts, term_arg(ts, a, 0), b));
    if (term_is(ts, b, OP_NOT))
        return term_not(ts, term_eq(ts, a, term_arg(ts, b, 0)));
    return 0;
}

/* Whatever sign x has: it is a multiple of 2^n when its low n bits are 0. */
static term_t eq_multiple(struct terms *ts, term_t x, term_t of) {
    uint64_t c = term_is_const(ts, of) ? term_bits(ts, of) : 0;
    sort_t width = term_sort(ts, x);
    if (c == 0 || (c & (c - 1)) != 0)
        return 0;
    term_t low = term_op2(ts, OP_BAND, x, term_int(ts, width, (int64_t)(c - 1)));
    return term_eq(ts, low, term_int(ts, width, 0));
}

/* x op c = b for constants: x = b undone by op */
static term_t eq_const(struct terms *ts, term_t a, term_t b) {
    assert(term_is_const(ts, b));
    struct term node = *term_get(ts, a);
    if (node.op == OP_ADD && term_is_const(ts, node.arg[1]))
        return term_eq(ts, node.arg[0], term_op2(ts, OP_SUB, b, node.arg[1]));
    if (node.op == OP_BXOR && term_is_const(ts, node.arg[1]))
        return term_eq(ts, node.arg[0], term_op2(ts, OP_BXOR, b, node.arg[1]));
    if (node.op == OP_SUB && term_is_const(ts, node.arg[0]))
        return term_eq(ts, node.arg[1], term_op2(ts, OP_SUB, node.arg[0], b));
    if (node.op == OP_SREM && term_bits(ts, b) == 0)
        return eq_multiple(ts, node.arg[0], node.arg[1]);
    if ((node.op == OP_SUB || node.op == OP_BXOR) && term_bits(ts, b) == 0)
        return term_eq(ts, node.arg[0], node.arg[1]);
    return 0;
}

static term_t eq_int(struct terms *ts, term_t a, term_t b) {
    struct int_bounds x = term_int_bounds(ts, a), y = term_int_bounds(ts, b);
    if (x.uhi < y.ulo || y.uhi < x.ulo || x.shi < y.slo || y.shi < x.slo)
        return term_bool(ts, false);
    struct known_bits p = term_known_bits(ts, a), q = term_known_bits(ts, b);
    if ((p.ones & q.zeros) | (p.zeros & q.ones))
        return term_bool(ts, false);
    if (term_is(ts, a, OP_B2I) && term_is(ts, b, OP_B2I))
        return term_eq(ts, term_arg(ts, a, 0), term_arg(ts, b, 0));
    term_t simple = term_is_const(ts, b) ? eq_const(ts, a, b) : 0;
    if (!simple)
        simple = simplify_equal_sums(ts, a, b);
    return simple ? simple : compare_narrow(ts, OP_EQ, a, b);
}

/* On floats EQ is identity of values, so signs can be undone. */
static term_t eq_float(struct terms *ts, term_t a, term_t b) {
    assert(sort_is_float(term_sort(ts, a)));
    if (term_is(ts, a, OP_FNEG) && term_is_const(ts, b))
        return term_eq(ts, term_arg(ts, a, 0), term_op1(ts, OP_FNEG, b));
    if (term_is(ts, a, OP_FNEG) && term_is(ts, b, OP_FNEG))
        return term_eq(ts, term_arg(ts, a, 0), term_arg(ts, b, 0));
    if (term_is_const(ts, b) && bits_are_nan(term_sort(ts, b), term_bits(ts, b)))
        return term_op1(ts, OP_FISNAN, a);
    return 0;
}

static term_t simplify_eq(struct terms *ts, term_t a, term_t b) {
    assert(term_sort(ts, a) == term_sort(ts, b));
    if (a == b)
        return term_bool(ts, true);
    if (term_is_const(ts, b)) {
        term_t simple = simplify_push_compare(ts, OP_EQ, a, b);
        if (simple)
            return simple;
    }
    term_t choice = simplify_compare_choice(ts, OP_EQ, a, b);
    if (choice)
        return choice;
    sort_t sort = term_sort(ts, a);
    if (sort == SORT_BOOL)
        return eq_bool(ts, a, b);
    return sort_is_int(sort) ? eq_int(ts, a, b) : eq_float(ts, a, b);
}

/* ---- order ---- */

static term_t less_const(struct terms *ts, enum op op, term_t a, term_t b) {
    assert(term_is_const(ts, b));
    sort_t width = term_sort(ts, a);
    int64_t least = ordinal_min(width, op == OP_SLT), most = ordinal_max(width, op == OP_SLT);
    int64_t c = ordinal_of(width, op == OP_SLT, term_bits(ts, b));
    if (c == least + 1)
        return term_eq(ts, a, term_const(ts, width, ordinal_bits(width, op == OP_SLT, least)));
    if (c == most)
        return term_not(ts, term_eq(ts, a, b));
    return 0;
}

/* c < x is !(x < c + 1); c is not the largest value, the bounds have seen to that */
static term_t const_less(struct terms *ts, enum op op, term_t a, term_t b) {
    assert(term_is_const(ts, a) && !term_is_const(ts, b));
    term_t next = term_op2(ts, OP_ADD, a, term_int(ts, term_sort(ts, a), 1));
    return term_not(ts, term_op2(ts, op, b, next));
}

static term_t simplify_less(struct terms *ts, enum op op, term_t a, term_t b) {
    assert(op == OP_ULT || op == OP_SLT);
    struct int_bounds x = term_int_bounds(ts, a), y = term_int_bounds(ts, b);
    bool yes = op == OP_ULT ? x.uhi < y.ulo : x.shi < y.slo;
    bool no = op == OP_ULT ? x.ulo >= y.uhi : x.slo >= y.shi;
    if (yes || no || a == b)
        return term_bool(ts, yes);
    if (op == OP_SLT && x.slo >= 0 && y.slo >= 0)
        return term_op2(ts, OP_ULT, a, b);
    if (term_is_const(ts, a))
        return const_less(ts, op, a, b);
    term_t simple = compare_narrow(ts, op, a, b);
    if (!simple)
        simple = simplify_compare_choice(ts, op, a, b);
    if (!simple && term_is_const(ts, b))
        simple = less_const(ts, op, a, b);
    if (!simple && term_is_const(ts, b))
        simple = simplify_push_compare(ts, op, a, b);
    return simple;
}

term_t simplify_compare(struct terms *ts, enum op op, term_t a, term_t b) {
    switch (op) {
    case OP_EQ:
        return simplify_eq(ts, a, b);
    case OP_ULE:
        return term_not(ts, term_op2(ts, OP_ULT, b, a));
    case OP_SLE:
        return term_not(ts, term_op2(ts, OP_SLT, b, a));
    default:
        assert(op == OP_ULT || op == OP_SLT);
        return simplify_less(ts, op, a, b);
    }
}
