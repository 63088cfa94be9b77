/* overflow: the predicates of SMT-LIB 2.7 that say whether an operation on bit-vectors
 * overflows, and the reductions of a vector to one bit that other solvers have beside the standard.
 */
#include "engines/smtlib/parts.h"

#include <assert.h>

/* The vectors that a predicate is about, and its terms. */
struct pair {
    struct terms *ts;
    sort_t width;
    term_t x, y, zero, least; /* y is 0 where there is one argument; the least signed value */
};

static bool pair_of(struct smt_call *c, struct pair *p) {
    for (uint32_t i = 0; i < c->n; i++)
        if (!smt_expect(c, i, SMT_BV))
            return false;
    if (!smt_same_sorts(c, 0))
        return false;
    sort_t width = (sort_t)c->args[0].sort.a;
    assert(sort_is_int(width) && c->n <= 2);
    *p = (struct pair){.ts = smt_terms(c), .width = width, .x = c->args[0].term};
    p->y = c->n > 1 ? c->args[1].term : 0;
    p->zero = term_int(p->ts, width, 0);
    p->least = term_const(p->ts, width, (uint64_t)1 << (width - 1));
    return true;
}

static term_t negative(const struct pair *p, term_t t) {
    return term_op2(p->ts, OP_SLT, t, p->zero);
}

/* x and y (or the complement of its sign) have one sign, the result has the other. */
static term_t sign_breaks(const struct pair *p, term_t result, bool subtract) {
    term_t differ = term_op2(p->ts, OP_XOR, negative(p, p->x), negative(p, p->y));
    term_t like = subtract ? differ : term_not(p->ts, differ);
    term_t broken = term_op2(p->ts, OP_XOR, negative(p, p->x), negative(p, result));
    return term_and(p->ts, like, broken);
}

/* A product that was cut off is never divided back to its factor, save the least value by -1. */
static term_t product_breaks(const struct pair *p, bool is_signed) {
    term_t product = term_op2(p->ts, OP_MUL, p->x, p->y);
    term_t back = term_op2(p->ts, is_signed ? OP_SDIV : OP_UDIV, product, p->y);
    term_t broken = term_not(p->ts, term_eq(p->ts, back, p->x));
    if (is_signed) {
        term_t minus = term_eq(p->ts, p->y, term_int(p->ts, p->width, -1));
        broken = term_or(p->ts, broken, term_and(p->ts, minus, term_eq(p->ts, p->x, p->least)));
    }
    return term_and(p->ts, term_not(p->ts, term_eq(p->ts, p->y, p->zero)), broken);
}

static term_t overflow(const struct pair *p, enum op op, bool is_signed) {
    switch (op) {
    case OP_ADD: {
        term_t sum = term_op2(p->ts, OP_ADD, p->x, p->y);
        return is_signed ? sign_breaks(p, sum, false) : term_op2(p->ts, OP_ULT, sum, p->x);
    }
    case OP_SUB:
        return is_signed ? sign_breaks(p, term_op2(p->ts, OP_SUB, p->x, p->y), true)
                         : term_op2(p->ts, OP_ULT, p->x, p->y);
    case OP_MUL:
        return product_breaks(p, is_signed);
    default:
        assert(op == OP_SDIV);
        return term_and(p->ts, term_eq(p->ts, p->x, p->least),
                        term_eq(p->ts, p->y, term_int(p->ts, p->width, -1)));
    }
}

static bool unsigned_overflow(struct smt_call *c, struct smt_value *out) {
    struct pair p;
    return pair_of(c, &p) && smt_give(c, out, overflow(&p, (enum op)c->row->detail, false));
}

static bool signed_overflow(struct smt_call *c, struct smt_value *out) {
    struct pair p;
    return pair_of(c, &p) && smt_give(c, out, overflow(&p, (enum op)c->row->detail, true));
}

static bool negation_overflow(struct smt_call *c, struct smt_value *out) {
    struct pair p;
    return pair_of(c, &p) && smt_give(c, out, term_eq(p.ts, p.x, p.least));
}

/* ---- reductions ---- */

static bool is_value(struct smt_call *c, struct smt_value *out, int64_t value, bool equal) {
    struct pair p;
    if (!pair_of(c, &p))
        return false;
    term_t same = term_eq(p.ts, p.x, term_int(p.ts, p.width, value));
    return smt_give(c, out, term_cast(p.ts, OP_B2I, 1, equal ? same : term_not(p.ts, same)));
}

static bool any_bit(struct smt_call *c, struct smt_value *out) {
    return is_value(c, out, 0, false);
}
static bool all_bits(struct smt_call *c, struct smt_value *out) {
    return is_value(c, out, -1, true);
}

/* Halves are folded on each other. */
static bool odd_bits(struct smt_call *c, struct smt_value *out) {
    struct pair p;
    if (!pair_of(c, &p))
        return false;
    term_t t = p.x;
    for (int by = 32; by > 0; by /= 2)
        if (by < p.width)
            t = term_op2(p.ts, OP_BXOR, t, term_op2(p.ts, OP_LSHR, t, term_int(p.ts, p.width, by)));
    return smt_give(c, out, p.width == 1 ? t : term_cast(p.ts, OP_TRUNC, 1, t));
}

const struct smt_builtin smt_overflow_rows[] = {
    {"bvnego", 0, 1, 1, negation_overflow, 0},
    {"bvuaddo", 0, 2, 2, unsigned_overflow, OP_ADD},
    {"bvsaddo", 0, 2, 2, signed_overflow, OP_ADD},
    {"bvusubo", 0, 2, 2, unsigned_overflow, OP_SUB},
    {"bvssubo", 0, 2, 2, signed_overflow, OP_SUB},
    {"bvumulo", 0, 2, 2, unsigned_overflow, OP_MUL},
    {"bvsmulo", 0, 2, 2, signed_overflow, OP_MUL},
    {"bvsdivo", 0, 2, 2, signed_overflow, OP_SDIV},
    {"bvredor", 0, 1, 1, any_bit, 0},
    {"bvredand", 0, 1, 1, all_bits, 0},
    {"bvredxor", 0, 1, 1, odd_bits, 0},
};
const uint32_t smt_overflow_count = sizeof smt_overflow_rows / sizeof *smt_overflow_rows;
