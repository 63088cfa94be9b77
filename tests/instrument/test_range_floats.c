/* Bounds of floating-point terms are rounded as the operation itself rounds. Both ends of an
 * interval are computed side by side, which a vectoriser takes for a pair: MPFR says what each of
 * them must be. */
#include "base/rng.h"
#include "instrument/lower/range.h"

#include "unity.h"

#include <math.h>
#define MPFR_USE_INTMAX_T
#include <stdint.h>
#include <mpfr.h>
#include <stdio.h>

enum { ROUNDS = 60000, EXACT = 2300 }; /* bits that hold every sum and product of doubles */

static struct terms ts;
static struct ranges ranges;
static struct rng rng;
static mpfr_t x, y, z;

void setUp(void) {
    terms_init(&ts);
    ranges_init(&ranges, &ts);
    rng_init(&rng, 5);
    mpfr_inits2(EXACT, x, y, z, (mpfr_ptr)NULL);
}
void tearDown(void) {
    mpfr_clears(x, y, z, (mpfr_ptr)NULL);
    mpfr_free_cache();
    ranges_free(&ranges);
    terms_free(&ts);
}

static double in_format(sort_t sort) {
    return sort == SORT_F32 ? (double)mpfr_get_flt(z, MPFR_RNDN) : mpfr_get_d(z, MPFR_RNDN);
}

/* A number of the format; small exponents, so that results are often halfway between two others. */
static double random_number(sort_t sort) {
    uint64_t fraction = rng_next(&rng) >> 11;
    if (rng_below(&rng, 2))
        fraction &= rng_next(&rng) & ~(uint64_t)0 << rng_below(&rng, 53);
    double v = ldexp(1 + (double)fraction * 0x1p-53, (int)rng_below(&rng, 60) - 30);
    v = rng_below(&rng, 40) ? v : ldexp(v, rng_below(&rng, 2) ? -140 : 97);
    mpfr_set_d(z, rng_below(&rng, 2) ? -v : v, MPFR_RNDN);
    return in_format(sort);
}

struct interval {
    double lo, hi;
};

static struct interval interval(sort_t sort) {
    double a = random_number(sort), b = random_number(sort);
    return (struct interval){fmin(a, b), fmax(a, b)};
}

static int64_t ordinal(sort_t sort, double value) {
    return ordinal_of(sort, false, sort == SORT_F32 ? f32_bits((float)value) : f64_bits(value));
}
static double value(sort_t sort, int64_t ordinal) {
    uint64_t bits = ordinal_bits(sort, false, ordinal);
    return sort == SORT_F32 ? (double)bits_f32(bits) : bits_f64(bits);
}
static struct views views(sort_t sort, struct interval v) {
    struct range r = range_between(ordinal(sort, v.lo), ordinal(sort, v.hi));
    return (struct views){r, r};
}

static void compute(enum op op) {
    switch (op) {
    case OP_FADD:
        mpfr_add(z, x, y, MPFR_RNDN);
        break;
    case OP_FSUB:
        mpfr_sub(z, x, y, MPFR_RNDN);
        break;
    case OP_FMUL:
        mpfr_mul(z, x, y, MPFR_RNDN);
        break;
    case OP_FDIV:
        mpfr_div(z, x, y, MPFR_RNDN);
        break;
    case OP_FFLOOR:
        mpfr_floor(z, x);
        break;
    case OP_FCEIL:
        mpfr_ceil(z, x);
        break;
    case OP_FTRUNC:
        mpfr_trunc(z, x);
        break;
    case OP_FROUND:
        mpfr_round(z, x);
        break;
    case OP_FRINT:
        mpfr_rint(z, x, MPFR_RNDN);
        break;
    case OP_FNEG:
        mpfr_neg(z, x, MPFR_RNDN);
        break;
    default:
        mpfr_set(z, x, MPFR_RNDN); /* conversions */
    }
}

static double result_of(enum op op, sort_t sort, double a, double b) {
    mpfr_set_d(x, a, MPFR_RNDN);
    mpfr_set_d(y, b, MPFR_RNDN);
    compute(op);
    return in_format(sort);
}

static struct interval corners(enum op op, sort_t sort, struct interval a, struct interval b) {
    struct interval s = {INFINITY, -INFINITY};
    for (int i = 0; i < 4; i++) {
        double v = result_of(op, sort, i & 1 ? a.hi : a.lo, i & 2 ? b.hi : b.lo);
        s.lo = fmin(s.lo, v);
        s.hi = fmax(s.hi, v);
    }
    return s;
}

static void expect(term_t t, const struct views *args, struct interval wanted) {
    struct range got = ranges_of_node(&ranges, t, args).u;
    const struct term *node = term_get(&ts, t);
    double lo = value(node->sort, got.lo), hi = value(node->sort, got.hi);
    char text[200];
    snprintf(text, sizeof text, "%s: %a .. %a, not %a .. %a", op_table[node->op].name, wanted.lo,
             wanted.hi, lo, hi);
    TEST_ASSERT_TRUE_MESSAGE(wanted.lo == lo && wanted.hi == hi && got.num && !got.nan, text);
}

static void test_operations_round_both_ends(void) {
    static const enum op ops[] = {OP_FADD,  OP_FSUB,   OP_FMUL,   OP_FDIV,  OP_FFLOOR,
                                  OP_FCEIL, OP_FTRUNC, OP_FROUND, OP_FRINT, OP_FNEG};
    for (int i = 0; i < ROUNDS; i++) {
        enum op op = ops[rng_below(&rng, sizeof ops / sizeof *ops)];
        sort_t sort = rng_below(&rng, 2) ? SORT_F32 : SORT_F64;
        struct interval x0 = interval(sort), x1 = interval(sort);
        struct views args[3] = {views(sort, x0), views(sort, x1)};
        if (op == OP_FDIV && x1.lo <= 0 && x1.hi >= 0)
            continue;
        term_t a = term_var(&ts, "a", sort, true), b = term_var(&ts, "b", sort, true);
        term_t t = op_table[op].arity == 2 ? term_op2(&ts, op, a, b) : term_op1(&ts, op, a);
        expect(t, args, corners(op, sort, x0, x1));
    }
}

static void test_conversions_round_both_ends(void) {
    for (int i = 0; i < ROUNDS; i++) {
        struct interval x0 = interval(SORT_F64);
        struct views args[3] = {views(SORT_F64, x0)};
        term_t a = term_var(&ts, "a", SORT_F64, true);
        term_t t = term_cast(&ts, OP_F2F, SORT_F32, a);
        expect(t, args, corners(OP_F2F, SORT_F32, x0, x0));
    }
}

static void test_integers_round_both_ends(void) {
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t a = rng_next(&rng) >> rng_below(&rng, 64);
        uint64_t b = rng_next(&rng) >> rng_below(&rng, 64);
        bool is_signed = rng_below(&rng, 2);
        sort_t to = rng_below(&rng, 2) ? SORT_F32 : SORT_F64;
        a >>= is_signed;
        b >>= is_signed;
        uint64_t least = a < b ? a : b, most = a < b ? b : a;
        struct views args[3] = {{range_full(64, false), range_full(64, true)}};
        if (is_signed)
            args[0].s = range_between(-(int64_t)most, -(int64_t)least);
        else
            args[0].u = range_between(ordinal_of(64, false, least), ordinal_of(64, false, most));
        term_t v = term_var(&ts, "v", 64, is_signed);
        term_t t = term_cast(&ts, is_signed ? OP_S2F : OP_U2F, to, v);
        struct interval wanted;
        mpfr_set_uj(z, is_signed ? most : least, MPFR_RNDN);
        wanted.lo = is_signed ? -in_format(to) : in_format(to);
        mpfr_set_uj(z, is_signed ? least : most, MPFR_RNDN);
        wanted.hi = is_signed ? -in_format(to) : in_format(to);
        expect(t, args, wanted);
    }
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_operations_round_both_ends);
    RUN_TEST(test_conversions_round_both_ends);
    RUN_TEST(test_integers_round_both_ends);
    return UNITY_END();
}
