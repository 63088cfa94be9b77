/* fp: the theory FloatingPoint for Float32 and Float64.
 *
 * A rounding mode that is not constant is a choice between the results in all five. What the
 * standard leaves unspecified becomes a free constant that is a function of the operator and its
 * arguments.
 */
#include "engines/smtlib/parts.h"
#include "model/term/mode.h"

#include <assert.h>

static bool all_float(struct smt_call *c, uint32_t from) {
    for (uint32_t i = from; i < c->n; i++)
        if (!smt_expect(c, i, SMT_FLOAT))
            return false;
    return smt_same_sorts(c, from);
}

static sort_t sort_at(struct smt_call *c, uint32_t i) {
    return smt_term_sort(c->args[i].sort);
}

static term_t float_const(struct smt_call *c, sort_t sort, double value) {
    return sort == SORT_F32 ? term_f32(smt_terms(c), (float)value) : term_f64(smt_terms(c), value);
}

static term_t op1(struct smt_call *c, enum op op, term_t a) {
    return term_op1(smt_terms(c), op, a);
}
static term_t op2(struct smt_call *c, enum op op, term_t a, term_t b) {
    return term_op2(smt_terms(c), op, a, b);
}
static term_t both(struct smt_call *c, term_t a, term_t b) {
    return term_and(smt_terms(c), a, b);
}
static term_t not_(struct smt_call *c, term_t a) {
    return term_not(smt_terms(c), a);
}

/* ---- constants ---- */

static bool mode(struct smt_call *c, struct smt_value *out) {
    *out = (struct smt_value){.sort = {SMT_RM, 0, 0},
                              .term = term_int(smt_terms(c), 3, c->row->detail)};
    return true;
}

/* The format that two indices name. */
static bool indexed_format(struct smt_call *c, struct smt_sort *s) {
    assert(c->n_indices == 2);
    s->kind = SMT_FLOAT;
    return smt_index(c, 0, &s->a) && smt_index(c, 1, &s->b);
}

/* (_ +oo eb sb) … */
static bool special(struct smt_call *c, struct smt_value *out) {
    static const double values[] = {0.0, -0.0, __builtin_inf(), -__builtin_inf(),
                                    __builtin_nan("")};
    struct smt_sort s;
    if (!indexed_format(c, &s))
        return false;
    if (smt_sort_lack(s))
        return smt_lack(out, smt_sort_lack(s));
    return smt_give(c, out, float_const(c, smt_term_sort(s), values[c->row->detail]));
}

/* (fp sign exponent fraction) of bit-vectors */
static bool triple(struct smt_call *c, struct smt_value *out) {
    assert(c->n == 3);
    for (uint32_t i = 0; i < 3; i++)
        if (!smt_expect(c, i, SMT_BV))
            return false;
    struct smt_sort s = {SMT_FLOAT, c->args[1].sort.a, c->args[2].sort.a + 1};
    sort_t to = smt_term_sort(s), bits = to == SORT_F32 ? 32 : 64;
    if (c->args[0].sort.a != 1)
        return smt_fail(c, "the sign is one bit");
    if (!to)
        return smt_lack(out, smt_sort_lack(s));
    term_t t = term_cast(smt_terms(c), OP_ZEXT, bits, c->args[2].term);
    term_t shifts[2] = {term_int(smt_terms(c), bits, s.b - 1),
                        term_int(smt_terms(c), bits, bits - 1)};
    for (uint32_t i = 0; i < 2; i++) {
        term_t part = term_cast(smt_terms(c), OP_ZEXT, bits, c->args[1 - i].term);
        t = op2(c, OP_BOR, op2(c, OP_SHL, part, shifts[i]), t);
    }
    return smt_give(c, out, term_cast(smt_terms(c), OP_BITS2F, to, t));
}

/* ---- arithmetic ---- */

static bool unary(struct smt_call *c, struct smt_value *out) {
    return all_float(c, 0) && smt_give(c, out, op1(c, (enum op)c->row->detail, c->args[0].term));
}

/* What an operator gives in one mode. */
typedef term_t in_mode(struct smt_call *c, enum rounding_mode rm, sort_t to);

/* The choice by the mode that is the first argument; it is one of the five. */
static term_t by_mode(struct smt_call *c, in_mode *give, sort_t to) {
    struct terms *ts = smt_terms(c);
    term_t mode = c->args[0].term, t = 0;
    if (term_is_const(ts, mode))
        return give(c, (enum rounding_mode)term_get(ts, mode)->payload, to);
    for (enum rounding_mode rm = RM_RNE; rm < RM_COUNT; rm++) {
        term_t here = give(c, rm, to);
        t = t ? term_ite(ts, term_eq(ts, mode, term_int(ts, 3, rm)), here, t) : here;
    }
    return t;
}

static term_t rounded_in(struct smt_call *c, enum rounding_mode rm, sort_t to) {
    assert(2 <= c->n && c->n <= 4 && sort_is_float(to));
    enum op op = (enum op)c->row->detail;
    term_t a[3] = {0};
    for (uint32_t i = 1; i < c->n; i++)
        a[i - 1] = c->args[i].term;
    return mode_arithmetic(smt_terms(c), rm, op, a);
}

/* rm, then one to three floats */
static bool rounded(struct smt_call *c, struct smt_value *out) {
    assert(2 <= c->n && c->n <= 4);
    return smt_expect(c, 0, SMT_RM) && all_float(c, 1) &&
           smt_give(c, out, by_mode(c, rounded_in, sort_at(c, 1)));
}

static term_t integral_in(struct smt_call *c, enum rounding_mode rm, sort_t to) {
    assert(rm < RM_COUNT && to == sort_at(c, 1));
    (void)to;
    return mode_integral(smt_terms(c), rm, c->args[1].term);
}

static bool integral(struct smt_call *c, struct smt_value *out) {
    return smt_expect(c, 0, SMT_RM) && all_float(c, 1) &&
           smt_give(c, out, by_mode(c, integral_in, sort_at(c, 1)));
}

static bool remainder_(struct smt_call *c, struct smt_value *out) {
    return all_float(c, 0) && smt_give(c, out, op2(c, OP_FREM, c->args[0].term, c->args[1].term));
}

/* Which zero fp.min or fp.max gives for (-0, +0) or (+0, -0): a free Boolean for each. */
static term_t zero_choice(struct smt_call *c, bool is_max, term_t first_negative) {
    assert(sort_is_float(sort_at(c, 0)));
    term_t *slots = &c->smt->zero_choice[(sort_at(c, 0) == SORT_F64) * 4 + is_max * 2];
    for (int i = 0; i < 2; i++)
        if (!slots[i])
            slots[i] = term_var(smt_terms(c), "zero", SORT_BOOL, false);
    return term_ite(smt_terms(c), first_negative, slots[0], slots[1]);
}

static bool min_max(struct smt_call *c, struct smt_value *out) {
    if (!all_float(c, 0))
        return false;
    term_t x = c->args[0].term, y = c->args[1].term;
    term_t plus = float_const(c, sort_at(c, 0), 0.0), minus = float_const(c, sort_at(c, 0), -0.0);
    term_t zeros = both(c, op2(c, OP_FEQ, x, plus), op2(c, OP_FEQ, y, plus));
    term_t differ = both(c, zeros, not_(c, term_eq(smt_terms(c), x, y)));
    term_t usual = op2(c, (enum op)c->row->detail, x, y);
    if (term_is_false(smt_terms(c), differ))
        return smt_give(c, out, usual);
    term_t pick = zero_choice(c, c->row->detail == OP_FMAX, op1(c, OP_FSIGN, x));
    term_t zero = term_ite(smt_terms(c), pick, plus, minus);
    return smt_give(c, out, term_ite(smt_terms(c), differ, zero, usual));
}

/* ---- comparisons and classes ---- */

/* Chainable; detail is the operator, negative: arguments swapped. */
static bool compare(struct smt_call *c, struct smt_value *out) {
    assert(c->n >= 2);
    int detail = c->row->detail;
    if (!all_float(c, 0))
        return false;
    term_t t = term_bool(smt_terms(c), true);
    for (uint32_t i = 0; i + 1 < c->n; i++) {
        term_t x = c->args[i].term, y = c->args[i + 1].term;
        t = both(c, t,
                 detail < 0 ? op2(c, (enum op) - detail, y, x) : op2(c, (enum op)detail, x, y));
    }
    return smt_give(c, out, t);
}

enum class { IS_NORMAL, IS_SUBNORMAL, IS_ZERO, IS_POSITIVE };

static bool classify(struct smt_call *c, struct smt_value *out) {
    if (!all_float(c, 0))
        return false;
    term_t x = c->args[0].term;
    sort_t sort = sort_at(c, 0);
    term_t zero = float_const(c, sort, 0.0), size = op1(c, OP_FABS, x);
    term_t normal = float_const(c, sort, sort == SORT_F32 ? 0x1p-126 : 0x1p-1022);
    term_t inf = float_const(c, sort, __builtin_inf());
    switch (c->row->detail) {
    case IS_NORMAL:
        return smt_give(c, out, both(c, op2(c, OP_FLE, normal, size), op2(c, OP_FLT, size, inf)));
    case IS_SUBNORMAL:
        return smt_give(c, out, both(c, op2(c, OP_FLT, zero, size), op2(c, OP_FLT, size, normal)));
    case IS_ZERO:
        return smt_give(c, out, op2(c, OP_FEQ, x, zero));
    default:
        return smt_give(c, out,
                        both(c, not_(c, op1(c, OP_FSIGN, x)), not_(c, op1(c, OP_FISNAN, x))));
    }
}

/* ---- conversions ---- */

static term_t from_float(struct smt_call *c, enum rounding_mode rm, sort_t to) {
    assert(c->args[1].sort.kind == SMT_FLOAT);
    return mode_float(smt_terms(c), rm, to, c->args[1].term);
}

static term_t from_real(struct smt_call *c, enum rounding_mode rm, sort_t to) {
    assert(c->args[1].real < c->smt->reals.len);
    return term_const(smt_terms(c), to,
                      smt_real_round(c->smt->reals.data[c->args[1].real].q, to, rm));
}

static term_t from_bits(struct smt_call *c, enum rounding_mode rm, sort_t to) {
    enum op op = c->row->detail ? OP_U2F : OP_S2F;
    assert(sort_is_float(to));
    return mode_int(smt_terms(c), rm, op, to, c->args[1].term);
}

/* ((_ to_fp eb sb) x): bits, or rm and a float, real or signed number; unsigned: detail 1 */
static bool to_fp(struct smt_call *c, struct smt_value *out) {
    assert(c->n == 1 || c->n == 2);
    struct smt_sort s;
    if (!indexed_format(c, &s))
        return false;
    const struct smt_value *x = &c->args[c->n - 1];
    sort_t to = smt_term_sort(s);
    if (!to)
        return smt_lack(out, smt_sort_lack(s));
    if (c->n == 1) {
        if (c->row->detail || x->sort.kind != SMT_BV || x->sort.a != s.a + s.b)
            return smt_fail(c, "the pattern needs %u bits", s.a + s.b);
        return smt_give(c, out, term_cast(smt_terms(c), OP_BITS2F, to, x->term));
    }
    if (!smt_expect(c, 0, SMT_RM))
        return false;
    if (x->sort.kind == SMT_BV)
        return smt_give(c, out, by_mode(c, from_bits, to));
    if (c->row->detail || (x->sort.kind != SMT_REAL && x->sort.kind != SMT_FLOAT))
        return smt_fail(c, "cannot convert an argument of this sort");
    return smt_give(c, out, by_mode(c, x->sort.kind == SMT_REAL ? from_real : from_float, to));
}

/* A new constant for the result of `op` where it is unspecified, equal to the earlier ones of the
 * same operator whose arguments are equal. */
static term_t free_result(struct smt_call *c, uint32_t op, sort_t sort, term_t argument) {
    struct smt *smt = c->smt;
    for (size_t i = 0; i < smt->free_results.len; i++)
        if (smt->free_results.data[i].op == op && smt->free_results.data[i].argument == argument)
            return smt->free_results.data[i].result;
    term_t result = term_var(&smt->terms, "unspecified", sort, false);
    for (size_t i = 0; i < smt->free_results.len; i++) {
        struct smt_free_result f = smt->free_results.data[i];
        if (f.op == op && term_sort(&smt->terms, f.argument) == term_sort(&smt->terms, argument))
            smt_assert_always(smt,
                              term_implies(&smt->terms, term_eq(&smt->terms, f.argument, argument),
                                           term_eq(&smt->terms, f.result, result)));
    }
    vec_push(&smt->free_results, (struct smt_free_result){op, argument, result});
    return result;
}

/* The rounded number when it fits, else unspecified. */
static term_t integer_in(struct smt_call *c, enum rounding_mode rm, sort_t to) {
    struct terms *ts = smt_terms(c);
    bool is_signed = c->row->detail != 0;
    sort_t from = sort_at(c, 1);
    assert(sort_is_float(from) && sort_is_int(to));
    term_t x = integral_in(c, rm, from);
    double end = __builtin_ldexp(1.0, to - is_signed), least = is_signed ? -end : 0.0;
    term_t fits = both(c, op2(c, OP_FLE, float_const(c, from, least), x),
                       op2(c, OP_FLT, x, float_const(c, from, end)));
    term_t value = term_cast(ts, is_signed ? OP_F2S : OP_F2U, to, x);
    if (term_is_true(ts, fits))
        return value;
    uint32_t op = (uint32_t)rm << 16 | (uint32_t)is_signed << 8 | to;
    return term_ite(ts, fits, value, free_result(c, op, to, c->args[1].term));
}

/* ((_ fp.to_ubv n) rm x), fp.to_sbv */
static bool to_bv(struct smt_call *c, struct smt_value *out) {
    assert(c->n == 2);
    uint32_t n;
    if (!smt_index(c, 0, &n) || !smt_expect(c, 0, SMT_RM) || !all_float(c, 1))
        return false;
    struct smt_sort s = {SMT_BV, n, 0};
    if (n == 0)
        return smt_fail(c, "zero bits");
    if (smt_sort_lack(s))
        return smt_lack(out, smt_sort_lack(s));
    return smt_give(c, out, by_mode(c, integer_in, (sort_t)n));
}

/* The pattern; that of NaN is some pattern of a NaN. */
static bool to_ieee_bv(struct smt_call *c, struct smt_value *out) {
    enum { KEY = 1 << 24 };
    if (!all_float(c, 0))
        return false;
    struct terms *ts = smt_terms(c);
    sort_t from = sort_at(c, 0), to = from == SORT_F32 ? 32 : 64;
    term_t x = c->args[0].term, nan = op1(c, OP_FISNAN, x);
    term_t value = term_cast(ts, OP_F2BITS, to, x);
    if (term_is_false(ts, nan))
        return smt_give(c, out, value);
    term_t other = free_result(c, KEY, to, x);
    smt_assert_always(c->smt, op1(c, OP_FISNAN, term_cast(ts, OP_BITS2F, from, other)));
    return smt_give(c, out, term_ite(ts, nan, other, value));
}

/* ---- constant reals: arguments of to_fp ---- */

static bool real_op(struct smt_call *c, struct smt_value *out) {
    assert(c->n >= 1);
    if (c->smt->options.numbers)
        return smt_unbounded_arithmetic(c, out);
    for (uint32_t i = 0; i < c->n; i++)
        if (!smt_expect(c, i, SMT_REAL))
            return false;
    uint32_t at = smt_real_new(c->smt);
    mpq_ptr z = c->smt->reals.data[at].q;
    mpq_set(z, c->smt->reals.data[c->args[0].real].q);
    if (c->n == 1)
        mpq_neg(z, z);
    for (uint32_t i = 1; i < c->n; i++) {
        mpq_srcptr y = c->smt->reals.data[c->args[i].real].q;
        if (c->row->detail == '/' && mpq_sgn(y) == 0)
            return smt_fail(c, "division by zero");
        switch (c->row->detail) {
        case '+':
            mpq_add(z, z, y);
            break;
        case '-':
            mpq_sub(z, z, y);
            break;
        case '*':
            mpq_mul(z, z, y);
            break;
        default:
            mpq_div(z, z, y);
        }
    }
    *out = (struct smt_value){.sort = {SMT_REAL, 0, 0}, .real = at};
    return true;
}

static bool not_here(struct smt_call *c, struct smt_value *out) {
    (void)c;
    return smt_lack(out, "real arithmetic");
}

const struct smt_builtin smt_fp_rows[] = {
    {"RNE", 0, 0, 0, mode, RM_RNE},
    {"RNA", 0, 0, 0, mode, RM_RNA},
    {"RTP", 0, 0, 0, mode, RM_RTP},
    {"RTN", 0, 0, 0, mode, RM_RTN},
    {"RTZ", 0, 0, 0, mode, RM_RTZ},
    {"roundNearestTiesToEven", 0, 0, 0, mode, RM_RNE},
    {"roundNearestTiesToAway", 0, 0, 0, mode, RM_RNA},
    {"roundTowardPositive", 0, 0, 0, mode, RM_RTP},
    {"roundTowardNegative", 0, 0, 0, mode, RM_RTN},
    {"roundTowardZero", 0, 0, 0, mode, RM_RTZ},
    {"+zero", 2, 0, 0, special, 0},
    {"-zero", 2, 0, 0, special, 1},
    {"+oo", 2, 0, 0, special, 2},
    {"-oo", 2, 0, 0, special, 3},
    {"NaN", 2, 0, 0, special, 4},
    {"fp", 0, 3, 3, triple, 0},
    {"fp.abs", 0, 1, 1, unary, OP_FABS},
    {"fp.neg", 0, 1, 1, unary, OP_FNEG},
    {"fp.add", 0, 3, 3, rounded, OP_FADD},
    {"fp.sub", 0, 3, 3, rounded, OP_FSUB},
    {"fp.mul", 0, 3, 3, rounded, OP_FMUL},
    {"fp.div", 0, 3, 3, rounded, OP_FDIV},
    {"fp.fma", 0, 4, 4, rounded, OP_FMA},
    {"fp.sqrt", 0, 2, 2, rounded, OP_FSQRT},
    {"fp.rem", 0, 2, 2, remainder_, 0},
    {"fp.roundToIntegral", 0, 2, 2, integral, 0},
    {"fp.min", 0, 2, 2, min_max, OP_FMIN},
    {"fp.max", 0, 2, 2, min_max, OP_FMAX},
    {"fp.eq", 0, 2, MANY, compare, OP_FEQ},
    {"fp.lt", 0, 2, MANY, compare, OP_FLT},
    {"fp.leq", 0, 2, MANY, compare, OP_FLE},
    {"fp.gt", 0, 2, MANY, compare, -OP_FLT},
    {"fp.geq", 0, 2, MANY, compare, -OP_FLE},
    {"fp.isNormal", 0, 1, 1, classify, IS_NORMAL},
    {"fp.isSubnormal", 0, 1, 1, classify, IS_SUBNORMAL},
    {"fp.isZero", 0, 1, 1, classify, IS_ZERO},
    {"fp.isPositive", 0, 1, 1, classify, IS_POSITIVE},
    {"fp.isInfinite", 0, 1, 1, unary, OP_FISINF},
    {"fp.isNaN", 0, 1, 1, unary, OP_FISNAN},
    {"fp.isNegative", 0, 1, 1, unary, OP_FSIGN},
    {"to_fp", 2, 1, 2, to_fp, 0},
    {"to_fp_unsigned", 2, 2, 2, to_fp, 1},
    {"fp.to_ubv", 1, 2, 2, to_bv, 0},
    {"fp.to_sbv", 1, 2, 2, to_bv, 1},
    {"fp.to_ieee_bv", 0, 1, 1, to_ieee_bv, 0},
    {"fp.to_real", 0, 1, 1, not_here, 0},
    {"/", 0, 2, MANY, real_op, '/'},
    {"-", 0, 1, MANY, real_op, '-'},
    {"+", 0, 2, MANY, real_op, '+'},
    {"*", 0, 2, MANY, real_op, '*'},
};
const uint32_t smt_fp_count = sizeof smt_fp_rows / sizeof *smt_fp_rows;
