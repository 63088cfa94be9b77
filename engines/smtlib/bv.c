/* bv: the theory FixedSizeBitVectors, for results of up to 64 bits. */
#include "engines/smtlib/parts.h"

#include <assert.h>

static bool all_bv(struct smt_call *c) {
    for (uint32_t i = 0; i < c->n; i++)
        if (!smt_expect(c, i, SMT_BV))
            return false;
    return true;
}

static bool all_alike(struct smt_call *c) {
    return all_bv(c) && smt_same_sorts(c, 0);
}

static sort_t width(struct smt_call *c, uint32_t i) {
    assert(i < c->n);
    return (sort_t)c->args[i].sort.a;
}

static term_t ones(struct smt_call *c, sort_t sort) {
    return term_int(smt_terms(c), sort, -1);
}

static term_t complement(struct smt_call *c, term_t x) {
    return term_op2(smt_terms(c), OP_BXOR, x, ones(c, term_sort(smt_terms(c), x)));
}

static bool not_(struct smt_call *c, struct smt_value *out) {
    return all_bv(c) && smt_give(c, out, complement(c, c->args[0].term));
}

static bool negate(struct smt_call *c, struct smt_value *out) {
    if (!all_bv(c))
        return false;
    term_t zero = term_int(smt_terms(c), width(c, 0), 0);
    return smt_give(c, out, term_op2(smt_terms(c), OP_SUB, zero, c->args[0].term));
}

static term_t fold(struct smt_call *c) {
    assert(c->n >= 1);
    term_t t = c->args[0].term;
    for (uint32_t i = 1; i < c->n; i++)
        t = term_op2(smt_terms(c), (enum op)c->row->detail, t, c->args[i].term);
    return t;
}

static bool from_left(struct smt_call *c, struct smt_value *out) {
    return all_alike(c) && smt_give(c, out, fold(c));
}

/* bvnand, bvnor, bvxnor */
static bool from_left_not(struct smt_call *c, struct smt_value *out) {
    return all_alike(c) && smt_give(c, out, complement(c, fold(c)));
}

/* The sign of the remainder is that of the divisor. */
static bool smod(struct smt_call *c, struct smt_value *out) {
    if (!all_alike(c))
        return false;
    struct terms *ts = smt_terms(c);
    term_t x = c->args[0].term, y = c->args[1].term, zero = term_int(ts, width(c, 0), 0);
    term_t rem = term_op2(ts, OP_SREM, x, y);
    term_t signs =
        term_op2(ts, OP_XOR, term_op2(ts, OP_SLT, rem, zero), term_op2(ts, OP_SLT, y, zero));
    term_t add = term_and(ts, term_not(ts, term_eq(ts, rem, zero)), signs);
    return smt_give(c, out, term_ite(ts, add, term_op2(ts, OP_ADD, rem, y), rem));
}

static bool compare(struct smt_call *c, struct smt_value *out) {
    return all_alike(c) && smt_give(c, out, fold(c));
}

/* a > b is b < a */
static bool compare_swapped(struct smt_call *c, struct smt_value *out) {
    return all_alike(c) && smt_give(c, out,
                                    term_op2(smt_terms(c), (enum op)c->row->detail, c->args[1].term,
                                             c->args[0].term));
}

static bool comp(struct smt_call *c, struct smt_value *out) {
    if (!all_alike(c))
        return false;
    term_t same = term_eq(smt_terms(c), c->args[0].term, c->args[1].term);
    return smt_give(c, out, term_cast(smt_terms(c), OP_B2I, 1, same));
}

/* Zero-extends, or keeps as it is. */
static term_t widen(struct smt_call *c, enum op op, sort_t to, term_t x) {
    return term_sort(smt_terms(c), x) == to ? x : term_cast(smt_terms(c), op, to, x);
}

static term_t shift_by(struct smt_call *c, enum op op, term_t x, uint32_t amount) {
    assert(amount < term_sort(smt_terms(c), x));
    sort_t sort = term_sort(smt_terms(c), x);
    return amount == 0 ? x : term_op2(smt_terms(c), op, x, term_int(smt_terms(c), sort, amount));
}

static term_t join(struct smt_call *c, term_t high, term_t low) {
    struct terms *ts = smt_terms(c);
    uint32_t low_width = term_sort(ts, low);
    sort_t sort = (sort_t)(term_sort(ts, high) + low_width);
    assert(sort <= SORT_INT_MAX);
    return term_op2(ts, OP_BOR, shift_by(c, OP_SHL, widen(c, OP_ZEXT, sort, high), low_width),
                    widen(c, OP_ZEXT, sort, low));
}

static bool concat(struct smt_call *c, struct smt_value *out) {
    uint32_t total = 0;
    if (!all_bv(c))
        return false;
    for (uint32_t i = 0; i < c->n; i++)
        total += width(c, i);
    if (total > SORT_INT_MAX)
        return smt_lack(out, smt_sort_lack((struct smt_sort){SMT_BV, total, 0}));
    term_t t = c->args[0].term;
    for (uint32_t i = 1; i < c->n; i++)
        t = join(c, t, c->args[i].term);
    return smt_give(c, out, t);
}

/* Bits high..low. */
static term_t slice(struct smt_call *c, term_t x, uint32_t high, uint32_t low) {
    assert(low <= high && high < term_sort(smt_terms(c), x));
    term_t shifted = shift_by(c, OP_LSHR, x, low);
    sort_t to = (sort_t)(high - low + 1);
    return term_sort(smt_terms(c), x) == to ? x : term_cast(smt_terms(c), OP_TRUNC, to, shifted);
}

static bool extract(struct smt_call *c, struct smt_value *out) {
    uint32_t high, low;
    if (!all_bv(c) || !smt_index(c, 0, &high) || !smt_index(c, 1, &low))
        return false;
    if (high < low || high >= width(c, 0))
        return smt_fail(c, "bits %u to %u of a vector of %u bits", high, low, width(c, 0));
    return smt_give(c, out, slice(c, c->args[0].term, high, low));
}

static bool extend(struct smt_call *c, struct smt_value *out) {
    uint32_t more;
    if (!all_bv(c) || !smt_index(c, 0, &more))
        return false;
    if (more > (uint32_t)SORT_INT_MAX - width(c, 0))
        return smt_lack(out, smt_sort_lack((struct smt_sort){SMT_BV, SORT_INT_MAX + 1, 0}));
    return smt_give(
        c, out, widen(c, (enum op)c->row->detail, (sort_t)(width(c, 0) + more), c->args[0].term));
}

/* detail 1: to the left */
static bool rotate(struct smt_call *c, struct smt_value *out) {
    uint32_t by, n = width(c, 0);
    if (!all_bv(c) || !smt_index(c, 0, &by))
        return false;
    by %= n;
    uint32_t left = c->row->detail ? by : (n - by) % n;
    term_t x = c->args[0].term;
    if (left == 0)
        return smt_give(c, out, x);
    return smt_give(c, out, join(c, slice(c, x, n - left - 1, 0), slice(c, x, n - 1, n - left)));
}

static bool repeat(struct smt_call *c, struct smt_value *out) {
    uint32_t times;
    if (!all_bv(c) || !smt_index(c, 0, &times))
        return false;
    if (times == 0)
        return smt_fail(c, "zero times");
    if (times > SORT_INT_MAX / width(c, 0))
        return smt_lack(out, smt_sort_lack((struct smt_sort){SMT_BV, SORT_INT_MAX + 1, 0}));
    term_t t = c->args[0].term;
    for (uint32_t i = 1; i < times; i++)
        t = join(c, t, c->args[0].term);
    return smt_give(c, out, t);
}

const struct smt_builtin smt_bv_rows[] = {
    {"bvnot", 0, 1, 1, not_, 0},
    {"bvneg", 0, 1, 1, negate, 0},
    {"bvand", 0, 2, MANY, from_left, OP_BAND},
    {"bvor", 0, 2, MANY, from_left, OP_BOR},
    {"bvxor", 0, 2, MANY, from_left, OP_BXOR},
    {"bvadd", 0, 2, MANY, from_left, OP_ADD},
    {"bvmul", 0, 2, MANY, from_left, OP_MUL},
    {"bvsub", 0, 2, MANY, from_left, OP_SUB},
    {"bvudiv", 0, 2, 2, from_left, OP_UDIV},
    {"bvurem", 0, 2, 2, from_left, OP_UREM},
    {"bvsdiv", 0, 2, 2, from_left, OP_SDIV},
    {"bvsrem", 0, 2, 2, from_left, OP_SREM},
    {"bvsmod", 0, 2, 2, smod, 0},
    {"bvshl", 0, 2, 2, from_left, OP_SHL},
    {"bvlshr", 0, 2, 2, from_left, OP_LSHR},
    {"bvashr", 0, 2, 2, from_left, OP_ASHR},
    {"bvnand", 0, 2, 2, from_left_not, OP_BAND},
    {"bvnor", 0, 2, 2, from_left_not, OP_BOR},
    {"bvxnor", 0, 2, 2, from_left_not, OP_BXOR},
    {"bvult", 0, 2, 2, compare, OP_ULT},
    {"bvule", 0, 2, 2, compare, OP_ULE},
    {"bvslt", 0, 2, 2, compare, OP_SLT},
    {"bvsle", 0, 2, 2, compare, OP_SLE},
    {"bvugt", 0, 2, 2, compare_swapped, OP_ULT},
    {"bvuge", 0, 2, 2, compare_swapped, OP_ULE},
    {"bvsgt", 0, 2, 2, compare_swapped, OP_SLT},
    {"bvsge", 0, 2, 2, compare_swapped, OP_SLE},
    {"bvcomp", 0, 2, 2, comp, 0},
    {"concat", 0, 2, MANY, concat, 0},
    {"extract", 2, 1, 1, extract, 0},
    {"zero_extend", 1, 1, 1, extend, OP_ZEXT},
    {"sign_extend", 1, 1, 1, extend, OP_SEXT},
    {"rotate_left", 1, 1, 1, rotate, 1},
    {"rotate_right", 1, 1, 1, rotate, 0},
    {"repeat", 1, 1, 1, repeat, 0},
};
const uint32_t smt_bv_count = sizeof smt_bv_rows / sizeof *smt_bv_rows;
