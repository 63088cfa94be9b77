/* Contractors against MPFR: the hardware rounds as they assume, enclosures hold the exact values of
 * transcendental functions and what libm returns, and comparisons are exact around zero. */
#include "base/rng.h"
#include "model/contract/enclose.h"
#include "model/term/eval.h"

#include "unity.h"

#include <math.h>
#define MPFR_USE_INTMAX_T
#include <mpfr.h>
#include <stdio.h>
#include <string.h>

void setUp(void) {
}
void tearDown(void) {
}

/* ---- random floats: all exponents, corners ---- */

static uint64_t random_bits(struct rng *rng, sort_t sort) {
    static const double corners[] = {0.0, 1.0, 0.5, INFINITY, 3.0, 0x1p-149, 0x1p-1074, 0x1p-126};
    uint64_t bits = rng_next(rng);
    double v = corners[rng_below(rng, 8)];
    switch (rng_below(rng, 4)) {
    case 0:
        v = rng_below(rng, 2) ? -v : v;
        return sort == SORT_F32 ? f32_bits((float)v) : f64_bits(v);
    case 1: /* few bits set: ties are likely */
        bits &= rng_next(rng) & rng_next(rng);
    }
    return sort == SORT_F32 ? bits >> 32 : bits;
}

static double as_double(sort_t sort, uint64_t bits) {
    return sort == SORT_F32 ? (double)bits_f32(bits) : bits_f64(bits);
}

/* ---- correct rounding ---- */

static void exact_result(mpfr_ptr z, enum op op, mpfr_srcptr x, mpfr_srcptr y, mpfr_srcptr w,
                         int *inexact) {
    switch (op) {
    case OP_FADD:
        *inexact = mpfr_add(z, x, y, MPFR_RNDN);
        break;
    case OP_FSUB:
        *inexact = mpfr_sub(z, x, y, MPFR_RNDN);
        break;
    case OP_FMUL:
        *inexact = mpfr_mul(z, x, y, MPFR_RNDN);
        break;
    case OP_FDIV:
        *inexact = mpfr_div(z, x, y, MPFR_RNDN);
        break;
    case OP_FMA:
        *inexact = mpfr_fma(z, x, y, w, MPFR_RNDN);
        break;
    case OP_FSQRT:
        *inexact = mpfr_sqrt(z, x, MPFR_RNDN);
        break;
    case OP_FMOD:
        *inexact = mpfr_fmod(z, x, y, MPFR_RNDN);
        break;
    case OP_FFLOOR:
        *inexact = mpfr_floor(z, x);
        break;
    case OP_FCEIL:
        *inexact = mpfr_ceil(z, x);
        break;
    case OP_FTRUNC:
        *inexact = mpfr_trunc(z, x);
        break;
    case OP_FROUND:
        *inexact = mpfr_round(z, x);
        break;
    case OP_FRINT:
        *inexact = mpfr_rint(z, x, MPFR_RNDN);
        break;
    default:
        TEST_ASSERT_EQUAL_INT(OP_FREM, op);
        *inexact = mpfr_remainder(z, x, y, MPFR_RNDN);
    }
}

/* What IEEE 754 asks for, by MPFR with the exponent range and the subnormals of the format. */
static double mpfr_value(enum op op, sort_t sort, const uint64_t *v, int arity) {
    bool f32 = sort == SORT_F32;
    mpfr_t arg[3], z;
    int inexact;
    mpfr_exp_t old_min = mpfr_get_emin(), old_max = mpfr_get_emax();
    for (int i = 0; i < 3; i++) {
        mpfr_init2(arg[i], 53);
        mpfr_set_d(arg[i], i < arity ? as_double(sort, v[i]) : 0, MPFR_RNDN);
    }
    mpfr_init2(z, f32 ? 24 : 53);
    mpfr_set_emin(f32 ? -148 : -1073);
    mpfr_set_emax(f32 ? 128 : 1024);
    exact_result(z, op, arg[0], arg[1], arg[2], &inexact);
    inexact = mpfr_check_range(z, inexact, MPFR_RNDN);
    mpfr_subnormalize(z, inexact, MPFR_RNDN);
    double value = mpfr_get_d(z, MPFR_RNDN);
    if ((op == OP_FREM || op == OP_FMOD) && value == 0) /* IEEE 754: the sign of x */
        value = copysign(0, as_double(sort, v[0]));
    mpfr_set_emin(old_min);
    mpfr_set_emax(old_max);
    mpfr_clears(arg[0], arg[1], arg[2], z, (mpfr_ptr)NULL);
    return value;
}

static int64_t ordinal_of_double(sort_t sort, double value) {
    return ordinal_of(sort, false, sort == SORT_F32 ? f32_bits((float)value) : f64_bits(value));
}

/* Points through the contractor are the value that MPFR computes, signs of zeros included. */
static void test_points_are_correctly_rounded(void) {
    static const enum op ops[] = {OP_FADD,   OP_FSUB,   OP_FMUL, OP_FDIV,   OP_FMA,
                                  OP_FSQRT,  OP_FREM,   OP_FMOD, OP_FFLOOR, OP_FCEIL,
                                  OP_FTRUNC, OP_FROUND, OP_FRINT};
    struct rng rng;
    rng_init(&rng, 11);
    for (int i = 0; i < 200000; i++) {
        enum op op = ops[rng_below(&rng, sizeof ops / sizeof *ops)];
        sort_t sort = rng_below(&rng, 2) ? SORT_F32 : SORT_F64;
        int arity = op_table[op].arity;
        struct prim p = {.op = op, .sort = {sort}};
        struct range r[4] = {range_full(sort, false)}, out;
        uint64_t v[3];
        for (int k = 0; k < arity; k++) {
            v[k] = random_bits(&rng, sort);
            p.sort[k + 1] = sort;
            r[k + 1] = range_of_bits(sort, false, v[k]);
        }
        double wanted = mpfr_value(op, sort, v, arity);
        contract(&p, r, 0, &out);
        TEST_ASSERT_TRUE_MESSAGE(range_is_point(out), op_table[op].name);
        TEST_ASSERT_EQUAL_INT_MESSAGE(isnan(wanted), out.nan, op_table[op].name);
        if (!isnan(wanted))
            TEST_ASSERT_EQUAL_INT64_MESSAGE(ordinal_of_double(sort, wanted), out.lo,
                                            op_table[op].name);
    }
}

/* ---- casts ---- */

/* The number that an integer pattern stands for. */
static void set_int(mpfr_ptr out, sort_t width, bool is_signed, uint64_t bits) {
    if (is_signed)
        mpfr_set_sj(out, (intmax_t)(bits << (64 - width)) >> (64 - width), MPFR_RNDN);
    else
        mpfr_set_uj(out, bits, MPFR_RNDN);
}

/* Rounded to a format without subnormals in the way: integers have none. */
static uint64_t rounded_bits(mpfr_srcptr x, sort_t sort) {
    return sort == SORT_F32 ? f32_bits(mpfr_get_flt(x, MPFR_RNDN))
                            : f64_bits(mpfr_get_d(x, MPFR_RNDN));
}

/* The integer toward zero; 0 when it does not fit. */
static uint64_t truncated_bits(mpfr_ptr x, sort_t width, bool is_signed) {
    mpfr_t lo, hi;
    uint64_t bits = 0;
    mpfr_inits2(100, lo, hi, (mpfr_ptr)NULL);
    mpfr_set_si_2exp(lo, is_signed ? -1 : 0, is_signed ? width - 1 : 0, MPFR_RNDN);
    mpfr_set_ui_2exp(hi, 1, is_signed ? width - 1 : width, MPFR_RNDN);
    if (mpfr_number_p(x)) {
        mpfr_trunc(x, x);
        if (mpfr_greaterequal_p(x, lo) && mpfr_less_p(x, hi))
            bits = is_signed ? (uint64_t)mpfr_get_sj(x, MPFR_RNDN) : mpfr_get_uj(x, MPFR_RNDN);
    }
    mpfr_clears(lo, hi, (mpfr_ptr)NULL);
    return bits & UINT64_MAX >> (64 - width);
}

/* An integer, or a float about as large as integers of the width. */
static uint64_t cast_argument(struct rng *rng, sort_t from, sort_t width) {
    uint64_t bits = rng_next(rng) >> rng_below(rng, 64);
    if (sort_is_int(from))
        return (rng_below(rng, 2) ? bits : 0 - bits) & UINT64_MAX >> (64 - from);
    if (rng_below(rng, 4) == 0)
        return random_bits(rng, from);
    double v = ldexp((double)(int64_t)rng_next(rng), (int)rng_below(rng, width + 2u) - 63);
    v = rng_below(rng, 3) ? v : rint(v) + ((double)rng_below(rng, 3) - 1) / 2;
    return from == SORT_F32 ? f32_bits((float)v) : f64_bits(v);
}

static uint64_t cast_result(const struct prim *p, uint64_t bits) {
    sort_t to = p->sort[0], from = p->sort[1];
    mpfr_t x;
    mpfr_init2(x, 64);
    if (sort_is_int(from))
        set_int(x, from, p->op == OP_S2F, bits);
    else
        mpfr_set_d(x, as_double(from, bits), MPFR_RNDN);
    uint64_t result =
        sort_is_int(to) ? truncated_bits(x, to, p->op == OP_F2S) : rounded_bits(x, to);
    mpfr_clear(x);
    return result;
}

/* Points through the contractor; and the argument is not lost on the way back. */
static void test_casts_are_those_of_mpfr(void) {
    static const enum op ops[] = {OP_S2F, OP_U2F, OP_F2S, OP_F2U, OP_F2F};
    static const sort_t widths[] = {8, 16, 32, 64};
    struct rng rng;
    rng_init(&rng, 14);
    for (int i = 0; i < 100000; i++) {
        enum op op = ops[rng_below(&rng, 5)];
        sort_t width =
            rng_below(&rng, 2) ? widths[rng_below(&rng, 4)] : (sort_t)(1 + rng_below(&rng, 64));
        sort_t real = rng_below(&rng, 2) ? SORT_F32 : SORT_F64, to = real, from = width;
        if (op == OP_F2S || op == OP_F2U) {
            to = width;
            from = real;
        } else if (op == OP_F2F) {
            from = real == SORT_F32 ? SORT_F64 : SORT_F32;
        }
        struct prim p = {.op = op, .sort = {to, from}};
        p.is_signed[0] = sort_is_int(to) && rng_below(&rng, 2);
        p.is_signed[1] = sort_is_int(from) && rng_below(&rng, 2);
        uint64_t x = cast_argument(&rng, from, width), z = cast_result(&p, x);
        struct range r[4] = {range_full(to, p.is_signed[0]),
                             range_of_bits(from, p.is_signed[1], x)},
                     out;
        contract(&p, r, 0, &out);
        TEST_ASSERT_TRUE_MESSAGE(range_same(out, range_of_bits(to, p.is_signed[0], z)),
                                 op_table[op].name);
        r[0] = out;
        r[1] = range_full(from, p.is_signed[1]);
        contract(&p, r, 1, &out);
        TEST_ASSERT_TRUE_MESSAGE(range_has_bits(out, from, p.is_signed[1], x), op_table[op].name);
    }
}

/* ---- arguments from results, decided by MPFR ---- */

static bool result_reaches(enum op op, sort_t sort, int which, int64_t at, uint64_t other,
                           int64_t bound, bool ge) {
    uint64_t v[2] = {other, other};
    v[which - 1] = ordinal_bits(sort, false, at);
    double z = mpfr_value(op, sort, v, op_table[op].arity);
    if (isnan(z))
        return false;
    int64_t o = ordinal_of_double(sort, z);
    return ge ? o >= bound : o <= bound;
}

/* An argument narrowed from a bound of the result and a value of the other argument: its ends pass
 * the bound, what is beside them does not. */
static void check_ends(const struct prim *p, int which, struct range *r, bool ge) {
    sort_t sort = p->sort[0];
    uint64_t other = ordinal_bits(sort, false, r[3 - which].lo);
    struct range out;
    contract(p, r, which, &out);
    if (!out.num)
        return;
    for (int high = 0; high < 2; high++) {
        int64_t end = high ? out.hi : out.lo, beside = high ? end + 1 : end - 1;
        int64_t bound = ge ? r[0].lo : r[0].hi;
        TEST_ASSERT_TRUE_MESSAGE(result_reaches(p->op, sort, which, end, other, bound, ge),
                                 op_table[p->op].name);
        if (range_has(r[which], beside))
            TEST_ASSERT_FALSE_MESSAGE(result_reaches(p->op, sort, which, beside, other, bound, ge),
                                      op_table[p->op].name);
    }
}

static void test_bounds_of_arguments_are_exact(void) {
    static const enum op ops[] = {OP_FADD,  OP_FSUB,   OP_FMUL, OP_FDIV,
                                  OP_FSQRT, OP_FFLOOR, OP_FRINT};
    struct rng rng;
    rng_init(&rng, 12);
    for (int i = 0; i < 40000; i++) {
        enum op op = ops[rng_below(&rng, sizeof ops / sizeof *ops)];
        sort_t sort = rng_below(&rng, 2) ? SORT_F32 : SORT_F64;
        int which = 1 + (int)rng_below(&rng, (uint64_t)op_table[op].arity);
        struct prim p = {.op = op, .sort = {sort, sort, sort}};
        int64_t inf = float_inf(sort), bound = ordinal_of(sort, false, random_bits(&rng, sort));
        bool ge = rng_below(&rng, 2);
        /* one sign of the argument: the result is monotone there */
        struct range r[4] = {ge ? range_between(bound, inf) : range_between(~inf, bound)};
        r[1] = r[2] = range_point(ordinal_of(sort, false, random_bits(&rng, sort)));
        r[which] = rng_below(&rng, 2) ? range_between(0, inf) : range_between(~inf, -1);
        check_ends(&p, which, r, ge);
    }
}

/* ---- enclosures ---- */

typedef int function1(mpfr_ptr out, mpfr_srcptr x, mpfr_rnd_t rnd);

static const struct {
    enum op op;
    function1 *f;
} functions[] = {
    {OP_SIN, mpfr_sin},   {OP_COS, mpfr_cos},   {OP_TAN, mpfr_tan},     {OP_ASIN, mpfr_asin},
    {OP_ACOS, mpfr_acos}, {OP_ATAN, mpfr_atan}, {OP_SINH, mpfr_sinh},   {OP_COSH, mpfr_cosh},
    {OP_TANH, mpfr_tanh}, {OP_EXP, mpfr_exp},   {OP_EXP2, mpfr_exp2},   {OP_EXPM1, mpfr_expm1},
    {OP_LOG, mpfr_log},   {OP_LOG2, mpfr_log2}, {OP_LOG10, mpfr_log10}, {OP_LOG1P, mpfr_log1p},
    {OP_CBRT, mpfr_cbrt},
};

/* A range of a few ordinals up to all of them, around a random number. */
static struct range random_range(struct rng *rng, sort_t sort) {
    int64_t inf = float_inf(sort), a = ordinal_of(sort, false, random_bits(rng, sort));
    uint64_t width = rng_next(rng) >> (sort == SORT_F32 ? 32 : 1) >> rng_below(rng, 40);
    int64_t b = (int64_t)((uint64_t)a + width);
    return range_between(a < ~inf ? ~inf : a > inf ? inf : a, b < a || b > inf ? inf : b);
}

static int64_t random_member(struct rng *rng, struct range r) {
    uint64_t width = (uint64_t)r.hi - (uint64_t)r.lo;
    return (int64_t)((uint64_t)r.lo + (width ? rng_next(rng) % width : 0));
}

/* The exact value of f(x) at a point of the range, to 200 bits, lies within the enclosure of the
 * range; at a point the enclosure is at most 2 * ENCLOSE_ULPS + 1 wide. */
static void test_enclosures_hold_exact_values(void) {
    struct rng rng;
    mpfr_t x, z, bound;
    mpfr_inits2(200, x, z, bound, (mpfr_ptr)NULL);
    rng_init(&rng, 13);
    for (int i = 0; i < 20000; i++) {
        size_t f = rng_below(&rng, sizeof functions / sizeof *functions);
        sort_t sort = rng_below(&rng, 2) ? SORT_F32 : SORT_F64;
        struct prim p = {.op = functions[f].op, .sort = {sort, sort}};
        struct range r[4] = {range_full(sort, false), random_range(&rng, sort)}, out;
        int64_t at = random_member(&rng, r[1]);
        if (rng_below(&rng, 2))
            r[1] = range_point(at);
        mpfr_set_d(x, as_double(sort, ordinal_bits(sort, false, at)), MPFR_RNDN);
        functions[f].f(z, x, MPFR_RNDN);
        contract(&p, r, 0, &out);
        if (mpfr_nan_p(z)) {
            TEST_ASSERT_TRUE_MESSAGE(out.nan, op_table[p.op].name);
            continue;
        }
        TEST_ASSERT_TRUE_MESSAGE(out.num, op_table[p.op].name);
        mpfr_set_d(bound, as_double(sort, ordinal_bits(sort, false, out.lo)), MPFR_RNDN);
        TEST_ASSERT_TRUE_MESSAGE(mpfr_lessequal_p(bound, z), op_table[p.op].name);
        mpfr_set_d(bound, as_double(sort, ordinal_bits(sort, false, out.hi)), MPFR_RNDN);
        TEST_ASSERT_TRUE_MESSAGE(mpfr_greaterequal_p(bound, z), op_table[p.op].name);
        if (r[1].lo == r[1].hi)
            TEST_ASSERT_TRUE_MESSAGE(out.hi - out.lo <= 2 * ENCLOSE_ULPS + 1, op_table[p.op].name);
    }
    mpfr_clears(x, z, bound, (mpfr_ptr)NULL);
}

/* The same for two arguments. */
static void test_enclosures_of_two_arguments(void) {
    static const struct {
        enum op op;
        int (*f)(mpfr_ptr out, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t rnd);
    } pairs[] = {{OP_ATAN2, mpfr_atan2}, {OP_POW, mpfr_pow}, {OP_HYPOT, mpfr_hypot}};
    struct rng rng;
    mpfr_t v[2], z, bound;
    mpfr_inits2(200, v[0], v[1], z, bound, (mpfr_ptr)NULL);
    rng_init(&rng, 15);
    for (int i = 0; i < 20000; i++) {
        size_t f = rng_below(&rng, 3);
        sort_t sort = rng_below(&rng, 2) ? SORT_F32 : SORT_F64;
        struct prim p = {.op = pairs[f].op, .sort = {sort, sort, sort}};
        struct range r[4] = {range_full(sort, false)}, out;
        for (int k = 0; k < 2; k++) {
            r[k + 1] = random_range(&rng, sort);
            int64_t at = random_member(&rng, r[k + 1]);
            if (rng_below(&rng, 2))
                r[k + 1] = range_point(at);
            mpfr_set_d(v[k], as_double(sort, ordinal_bits(sort, false, at)), MPFR_RNDN);
        }
        pairs[f].f(z, v[0], v[1], MPFR_RNDN);
        contract(&p, r, 0, &out);
        TEST_ASSERT_TRUE_MESSAGE(mpfr_nan_p(z) ? out.nan : out.num, op_table[p.op].name);
        if (mpfr_nan_p(z))
            continue;
        mpfr_set_d(bound, as_double(sort, ordinal_bits(sort, false, out.lo)), MPFR_RNDN);
        TEST_ASSERT_TRUE_MESSAGE(mpfr_lessequal_p(bound, z), op_table[p.op].name);
        mpfr_set_d(bound, as_double(sort, ordinal_bits(sort, false, out.hi)), MPFR_RNDN);
        TEST_ASSERT_TRUE_MESSAGE(mpfr_greaterequal_p(bound, z), op_table[p.op].name);
    }
    mpfr_clears(v[0], v[1], z, bound, (mpfr_ptr)NULL);
}

/* A whole wave stays below 1, half a one keeps its sign, and the argument comes back. */
static void test_waves(void) {
    struct prim p = {OP_SIN, {SORT_F64, SORT_F64}, {false}, NULL};
    struct range all = range_full(SORT_F64, false), out;
    int64_t one = ordinal_of_double(SORT_F64, 1), pi = ordinal_of_double(SORT_F64, 3.14159265);
    contract(&p, (struct range[4]){all, range_between(0, pi)}, 0, &out);
    TEST_ASSERT_EQUAL_INT64(one, out.hi);
    TEST_ASSERT_TRUE(out.lo >= -ENCLOSE_ULPS);
    contract(&p, (struct range[4]){all, range_between(~one, pi)}, 0, &out);
    TEST_ASSERT_EQUAL_INT64(one, out.hi);
    TEST_ASSERT_TRUE(fabs(bits_f64(ordinal_bits(SORT_F64, false, out.lo)) + sin(1)) < 1e-12);
    contract(&p, (struct range[4]){all, range_between(0, one + (one >> 4))}, 0, &out);
    TEST_ASSERT_EQUAL_INT64(one, out.hi);
    TEST_ASSERT_EQUAL_INT64(~one, out.lo);
    contract(&p, (struct range[4]){all, range_full(SORT_F64, false)}, 0, &out);
    TEST_ASSERT_TRUE(out.nan && out.lo == ~one && out.hi == one);
    /* sin x >= 0.5 on [-1, 1]: x >= asin 0.5 */
    int64_t half = ordinal_of_double(SORT_F64, 0.5);
    contract(&p, (struct range[4]){range_between(half, one), range_between(~one, one)}, 1, &out);
    double from = bits_f64(ordinal_bits(SORT_F64, false, out.lo));
    TEST_ASSERT_TRUE(from <= asin(0.5) && from > asin(0.5) - 1e-12);
}

/* ---- comparisons and signs around zero, all ranges ---- */

enum { NEAR = 4 };

/* The ordinals -NEAR..NEAR-1 of a float: a few subnormals and both zeros. All pairs of ranges with
 * and without NaN, against enumeration through the reference evaluation. */
static struct range nth_range(int n) {
    int lo = -NEAR + n / 2 % (2 * NEAR), hi = -NEAR + n / 2 / (2 * NEAR);
    struct range r = range_between(lo, hi);
    r.nan = n & 1;
    return r;
}

static uint64_t nth_bits(int n) {
    return n == 2 * NEAR ? f32_bits(NAN) : ordinal_bits(SORT_F32, false, n - NEAR);
}

static void check_pair(const struct prim *p, const struct range *r, int arity) {
    struct range hull[3] = {range_empty(), range_empty(), range_empty()}, out;
    for (int a = 0; a <= 2 * NEAR; a++)
        for (int b = 0; b <= (arity > 1 ? 2 * NEAR : 0); b++) {
            uint64_t v[3] = {0, nth_bits(a), nth_bits(b)};
            v[0] = term_eval_op(p->op, p->sort[0], SORT_F32, v + 1);
            bool inside = true;
            for (int i = 0; i <= arity; i++)
                inside &= range_has_bits(r[i], p->sort[i], false, v[i]);
            for (int i = 0; i <= arity && inside; i++)
                hull[i] = range_join(hull[i], range_of_bits(p->sort[i], false, v[i]));
        }
    for (int i = 0; i <= arity; i++) {
        contract(p, r, i, &out);
        TEST_ASSERT_TRUE_MESSAGE(range_same(out, hull[i]), op_table[p->op].name);
    }
}

static void check_all_near_zero(enum op op) {
    enum { RANGES = 2 * 4 * NEAR * NEAR };
    int arity = op_table[op].arity;
    bool truth = op_table[op].result == 'b';
    struct prim p = {.op = op, .sort = {truth ? SORT_BOOL : SORT_F32, SORT_F32}};
    p.sort[2] = arity > 1 ? SORT_F32 : SORT_NONE;
    for (int x = 0; x < RANGES; x++)
        for (int y = 0; y < (arity > 1 ? RANGES : 1); y++)
            for (int z = 0; z < (truth ? 3 : RANGES); z += truth ? 1 : 7) {
                struct range r[4] = {nth_range(z), nth_range(x), nth_range(y)};
                if (truth)
                    r[0] = range_between(z == 1, z != 0);
                if (!range_is_empty(r[0]) && !range_is_empty(r[1]) &&
                    (arity == 1 || !range_is_empty(r[2])))
                    check_pair(&p, r, arity);
            }
}

static void test_comparisons_near_zero(void) {
    static const enum op ops[] = {OP_FEQ,   OP_FLT,  OP_FLE,  OP_EQ,   OP_FISNAN, OP_FISINF,
                                  OP_FSIGN, OP_FNEG, OP_FABS, OP_FMIN, OP_FMAX,   OP_FCOPYSIGN};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        check_all_near_zero(ops[i]);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_points_are_correctly_rounded);
    RUN_TEST(test_casts_are_those_of_mpfr);
    RUN_TEST(test_bounds_of_arguments_are_exact);
    RUN_TEST(test_enclosures_hold_exact_values);
    RUN_TEST(test_enclosures_of_two_arguments);
    RUN_TEST(test_waves);
    RUN_TEST(test_comparisons_near_zero);
    return UNITY_END();
}
