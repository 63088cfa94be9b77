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

static struct span interval(sort_t sort) {
    double a = random_number(sort), b = random_number(sort);
    struct span s = {0};
    s.lo = fmin(a, b);
    s.hi = fmax(a, b);
    return s;
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

static struct span corners(enum op op, sort_t sort, struct span a, struct span b) {
    struct span s = {0};
    s.lo = INFINITY;
    s.hi = -INFINITY;
    for (int i = 0; i < 4; i++) {
        double v = result_of(op, sort, i & 1 ? a.hi : a.lo, i & 2 ? b.hi : b.lo);
        s.lo = fmin(s.lo, v);
        s.hi = fmax(s.hi, v);
    }
    return s;
}

static void expect_span(enum op op, struct span wanted, struct span got) {
    char text[200];
    snprintf(text, sizeof text, "%s: %a .. %a, not %a .. %a", op_table[op].name, wanted.lo,
             wanted.hi, got.lo, got.hi);
    TEST_ASSERT_TRUE_MESSAGE(wanted.lo == got.lo && wanted.hi == got.hi && !got.nan, text);
}

static void test_operations_round_both_ends(void) {
    static const enum op ops[] = {OP_FADD,  OP_FSUB,   OP_FMUL,   OP_FDIV,  OP_FFLOOR,
                                  OP_FCEIL, OP_FTRUNC, OP_FROUND, OP_FRINT, OP_FNEG};
    for (int i = 0; i < ROUNDS; i++) {
        enum op op = ops[rng_below(&rng, sizeof ops / sizeof *ops)];
        sort_t sort = rng_below(&rng, 2) ? SORT_F32 : SORT_F64;
        struct span args[3] = {interval(sort), interval(sort)};
        if (op == OP_FDIV && args[1].lo <= 0 && args[1].hi >= 0)
            continue;
        term_t a = term_var(&ts, "a", sort, true), b = term_var(&ts, "b", sort, true);
        term_t t = op_table[op].arity == 2 ? term_op2(&ts, op, a, b) : term_op1(&ts, op, a);
        expect_span(op, corners(op, sort, args[0], args[1]), ranges_of_node(&ranges, t, args));
    }
}

static void test_conversions_round_both_ends(void) {
    for (int i = 0; i < ROUNDS; i++) {
        struct span args[3] = {interval(SORT_F64)};
        term_t a = term_var(&ts, "a", SORT_F64, true);
        term_t t = term_cast(&ts, OP_F2F, SORT_F32, a);
        expect_span(OP_F2F, corners(OP_F2F, SORT_F32, args[0], args[0]),
                    ranges_of_node(&ranges, t, args));
    }
}

static void test_integers_round_both_ends(void) {
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t a = rng_next(&rng) >> rng_below(&rng, 64);
        uint64_t b = rng_next(&rng) >> rng_below(&rng, 64);
        struct span args[3] = {0}, *arg = args;
        bool is_signed = rng_below(&rng, 2);
        sort_t to = rng_below(&rng, 2) ? SORT_F32 : SORT_F64;
        a >>= is_signed;
        b >>= is_signed;
        arg->ulo = a < b ? a : b;
        arg->uhi = a < b ? b : a;
        arg->slo = is_signed ? -(int64_t)arg->uhi : INT64_MIN;
        arg->shi = is_signed ? -(int64_t)arg->ulo : INT64_MAX;
        term_t v = term_var(&ts, "v", 64, is_signed);
        term_t t = term_cast(&ts, is_signed ? OP_S2F : OP_U2F, to, v);
        struct span wanted = {0};
        mpfr_set_uj(z, is_signed ? arg->uhi : arg->ulo, MPFR_RNDN);
        wanted.lo = is_signed ? -in_format(to) : in_format(to);
        mpfr_set_uj(z, is_signed ? arg->ulo : arg->uhi, MPFR_RNDN);
        wanted.hi = is_signed ? -in_format(to) : in_format(to);
        expect_span(is_signed ? OP_S2F : OP_U2F, wanted, ranges_of_node(&ranges, t, args));
    }
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_operations_round_both_ends);
    RUN_TEST(test_conversions_round_both_ends);
    RUN_TEST(test_integers_round_both_ends);
    return UNITY_END();
}
