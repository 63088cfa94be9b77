/* Rules for NOT, AND, OR, XOR and ITE.
 *
 * Normal forms: XOR is written with EQ, comparisons with their strict form (so that a condition
 * and its complement are one atom and NOT), conditions of ITE carry no NOT. */
#include "model/term/simplify.h"

static term_t strip_not(const struct terms *ts, term_t t) {
    return term_is(ts, t, OP_NOT) ? term_arg(ts, t, 0) : t;
}

/* Is `part` one of the operands of the AND or OR `t`, looked at two levels deep? */
static bool has_operand(const struct terms *ts, enum op op, term_t t, term_t part, int levels) {
    if (t == part)
        return true;
    if (levels == 0 || !term_is(ts, t, op))
        return false;
    return has_operand(ts, op, term_arg(ts, t, 0), part, levels - 1) ||
           has_operand(ts, op, term_arg(ts, t, 1), part, levels - 1);
}

static bool has_opposite(const struct terms *ts, enum op op, term_t t, term_t part, int levels) {
    if (term_opposite(ts, t, part))
        return true;
    if (levels == 0 || !term_is(ts, t, op))
        return false;
    return has_opposite(ts, op, term_arg(ts, t, 0), part, levels - 1) ||
           has_opposite(ts, op, term_arg(ts, t, 1), part, levels - 1);
}

/* The operand of `t` (an `op`) beside the opposite of `part`, 0 if there is none. */
static term_t beside_opposite(const struct terms *ts, enum op op, term_t t, term_t part) {
    if (!term_is(ts, t, op))
        return 0;
    term_t x = term_arg(ts, t, 0), y = term_arg(ts, t, 1);
    if (term_opposite(ts, x, part))
        return y;
    return term_opposite(ts, y, part) ? x : 0;
}

/* The operand of `t` (an `op`) beside `part`, 0 if there is none. */
static term_t beside(const struct terms *ts, enum op op, term_t t, term_t part) {
    if (!term_is(ts, t, op))
        return 0;
    term_t x = term_arg(ts, t, 0), y = term_arg(ts, t, 1);
    if (x == part)
        return y;
    return y == part ? x : 0;
}

/* absorb() below for b = NOT inner, read by de Morgan's laws. */
static term_t absorb_negated(struct terms *ts, enum op op, enum op dual, term_t a, term_t b) {
    assert(term_is(ts, b, OP_NOT));
    term_t inner = term_arg(ts, b, 0);
    term_t rest = beside(ts, op, inner, a);
    if (rest)
        return term_op2(ts, op, a, term_not(ts, rest)); /* a & !(a & x) */
    if (has_operand(ts, dual, inner, a, 3))
        return term_bool(ts, op == OP_OR); /* a & !(a | x) */
    if (has_opposite(ts, dual, inner, a, 3))
        return b; /* a & !(!a | x) */
    if (has_opposite(ts, op, inner, a, 3))
        return a; /* a & !(!a & x) */
    return 0;
}

/* AND and OR are dual: `op` is one, `dual` the other, of one operand b seen from the other, a. */
static term_t absorb(struct terms *ts, enum op op, enum op dual, term_t a, term_t b) {
    assert(op != dual && (op == OP_AND || op == OP_OR));
    if (has_operand(ts, op, b, a, 3))
        return b; /* a & (a & x) */
    if (has_operand(ts, dual, b, a, 3))
        return a; /* a & (a | x) */
    if (has_opposite(ts, op, b, a, 3))
        return term_bool(ts, op == OP_OR); /* a & (!a & x) */
    term_t rest = beside_opposite(ts, dual, b, a);
    if (rest)
        return term_op2(ts, op, a, rest); /* a & (!a | x) */
    return term_is(ts, b, OP_NOT) ? absorb_negated(ts, op, dual, a, b) : 0;
}

/* (x & y) | (!x & y) is y */
static term_t merge_paths(struct terms *ts, enum op dual, term_t a, term_t b) {
    assert(dual == OP_AND || dual == OP_OR);
    if (!term_is(ts, a, dual) || !term_is(ts, b, dual))
        return 0;
    for (int i = 0; i < 4; i++) {
        term_t x = term_arg(ts, a, i / 2), y = term_arg(ts, a, 1 - i / 2);
        term_t u = term_arg(ts, b, i % 2), v = term_arg(ts, b, 1 - i % 2);
        if (y == v && term_opposite(ts, x, u))
            return y;
    }
    return 0;
}

static term_t simplify_junction(struct terms *ts, enum op op, term_t a, term_t b) {
    bool neutral = op == OP_AND;
    enum op dual = op == OP_AND ? OP_OR : OP_AND;
    if (term_is_const(ts, b))
        return term_bits(ts, b) == neutral ? a : b;
    if (a == b)
        return a;
    term_t simple = absorb(ts, op, dual, a, b);
    if (!simple)
        simple = absorb(ts, op, dual, b, a);
    if (!simple)
        simple = merge_paths(ts, dual, a, b);
    if (!simple)
        simple = simplify_atoms(ts, op, a, b);
    return simple;
}

static term_t simplify_not(struct terms *ts, term_t a) {
    assert(term_sort(ts, a) == SORT_BOOL);
    return term_is(ts, a, OP_NOT) ? term_arg(ts, a, 0) : 0;
}

term_t simplify_bool(struct terms *ts, enum op op, const term_t *args) {
    switch (op) {
    case OP_NOT:
        return simplify_not(ts, args[0]);
    case OP_XOR:
        return term_not(ts, term_eq(ts, args[0], args[1]));
    default:
        assert(op == OP_AND || op == OP_OR);
        return simplify_junction(ts, op, args[0], args[1]);
    }
}

/* ---- ITE ---- */

static term_t ite_bool(struct terms *ts, term_t c, term_t a, term_t b) {
    assert(term_sort(ts, a) == SORT_BOOL && term_sort(ts, b) == SORT_BOOL);
    if (term_is_true(ts, a) || a == c)
        return term_or(ts, c, b);
    if (term_is_false(ts, a) || term_opposite(ts, a, c))
        return term_and(ts, term_not(ts, c), b);
    if (term_is_true(ts, b) || term_opposite(ts, b, c))
        return term_or(ts, term_not(ts, c), a);
    if (term_is_false(ts, b) || b == c)
        return term_and(ts, c, a);
    if (term_opposite(ts, a, b))
        return term_eq(ts, c, a);
    return 0;
}

/* The condition as which t is 1 or 0: of b2i(x) and the constants 1 and 0; else 0. */
static term_t as_condition(struct terms *ts, term_t t) {
    assert(sort_is_int(term_sort(ts, t)));
    if (term_is(ts, t, OP_B2I))
        return term_arg(ts, t, 0);
    if (term_is(ts, t, OP_CONST) && term_bits(ts, t) <= 1)
        return term_bool(ts, term_bits(ts, t) == 1);
    return 0;
}

static term_t ite_int(struct terms *ts, term_t c, term_t a, term_t b) {
    assert(term_sort(ts, a) == term_sort(ts, b));
    term_t x = as_condition(ts, a), y = as_condition(ts, b);
    if (!x || !y)
        return 0;
    return term_cast(ts, OP_B2I, term_sort(ts, a), term_ite(ts, c, x, y));
}

/* What `t` is worth once c is known to have the value `known`, looking at ITEs at its top. */
static term_t under(const struct terms *ts, term_t t, term_t c, bool known) {
    assert(term_sort(ts, c) == SORT_BOOL);
    for (int levels = 0; levels < 8 && term_is(ts, t, OP_ITE); levels++) {
        term_t d = term_arg(ts, t, 0);
        bool same = d == c || (known && has_operand(ts, OP_AND, c, d, 3)) ||
                    (!known && has_operand(ts, OP_OR, c, d, 3));
        bool opposite = (known && has_opposite(ts, OP_AND, c, d, 3)) ||
                        (!known && has_opposite(ts, OP_OR, c, d, 3));
        if (!same && !opposite)
            break;
        t = term_arg(ts, t, same == known ? 1 : 2);
    }
    return t;
}

/* ite(c, ite(d, x, y), y) and its mirror images */
static term_t ite_nested(struct terms *ts, term_t c, term_t a, term_t b) {
    if (term_is(ts, a, OP_ITE)) {
        term_t d = term_arg(ts, a, 0), x = term_arg(ts, a, 1), y = term_arg(ts, a, 2);
        if (y == b)
            return term_ite(ts, term_and(ts, c, d), x, b);
        if (x == b)
            return term_ite(ts, term_and(ts, c, term_not(ts, d)), y, b);
    }
    if (term_is(ts, b, OP_ITE)) {
        term_t d = term_arg(ts, b, 0), x = term_arg(ts, b, 1), y = term_arg(ts, b, 2);
        if (x == a)
            return term_ite(ts, term_or(ts, c, d), a, y);
        if (y == a)
            return term_ite(ts, term_or(ts, c, term_not(ts, d)), a, x);
    }
    return 0;
}

/* ite(a = b, a, b) is b */
static bool chooses_equal(const struct terms *ts, term_t c, term_t a, term_t b) {
    assert(a != b);
    if (!term_is(ts, c, OP_EQ))
        return false;
    term_t x = term_arg(ts, c, 0), y = term_arg(ts, c, 1);
    return (x == a && y == b) || (x == b && y == a);
}

term_t simplify_ite(struct terms *ts, term_t c, term_t a, term_t b) {
    assert(term_sort(ts, c) == SORT_BOOL && term_sort(ts, a) == term_sort(ts, b));
    if (term_is_const(ts, c))
        return term_bits(ts, c) ? a : b;
    if (a == b)
        return a;
    term_t bare = strip_not(ts, c);
    if (bare != c)
        return term_ite(ts, bare, b, a);
    if (chooses_equal(ts, c, a, b))
        return b;
    term_t x = under(ts, a, c, true), y = under(ts, b, c, false);
    if (x != a || y != b)
        return term_ite(ts, c, x, y);
    term_t simple = 0;
    if (term_sort(ts, a) == SORT_BOOL)
        simple = ite_bool(ts, c, a, b);
    else if (sort_is_int(term_sort(ts, a)))
        simple = ite_int(ts, c, a, b);
    return simple ? simple : ite_nested(ts, c, a, b);
}
