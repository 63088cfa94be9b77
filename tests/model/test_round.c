/* Roundings that are not to nearest even: against MPFR, and the halves against C's round(). */
#include "model/term/eval.h"
#include "model/term/round.h"

#include "base/rng.h"

#include <math.h>
#include <mpfr.h>
#include <unity.h>

void setUp(void) {
}
void tearDown(void) {
}

static const enum op nearest_ops[] = {OP_FADD, OP_FMUL, OP_FDIV, OP_FMA, OP_FSQRT, OP_F2F};

static void test_each_operator_has_its_roundings(void) {
    int found = 0;
    for (enum op op = OP_NOT; op < OP_COUNT; op++)
        if (op_rounds_otherwise(op)) {
            struct op_rounding o = op_rounding(op);
            TEST_ASSERT_EQUAL_INT(op, op_rounded(o.nearest, o.how));
            TEST_ASSERT_EQUAL_STRING_LEN(op_table[o.nearest].text, op_table[op].text,
                                         strlen(op_table[o.nearest].text));
            TEST_ASSERT_EQUAL_CHAR(o.how | 32, op_table[op].text[strlen(op_table[op].text) - 1]);
            found++;
        }
    TEST_ASSERT_EQUAL_INT(17, found);
    TEST_ASSERT_EQUAL_INT(OP_FSQRT, op_rounded(OP_FSQRT, 'N'));
}

static double as_double(sort_t sort, uint64_t bits) {
    return sort == SORT_F32 ? (double)bits_f32(bits) : bits_f64(bits);
}

/* Near each other often, so that sums cancel and quotients have few digits. */
static uint64_t some_float(struct rng *rng, sort_t sort, uint64_t near) {
    static const double corners[] = {0.0,       -0.0, 1.0,      -1.0,     INFINITY,
                                     -INFINITY, NAN,  0x1p-149, 0x1p-1074};
    uint64_t bits = sort == SORT_F32 ? rng_next(rng) >> 32 : rng_next(rng);
    double corner = corners[rng_below(rng, 9)];
    switch (rng_below(rng, 5)) {
    case 0:
        return sort == SORT_F32 ? f32_bits((float)corner) : f64_bits(corner);
    case 1:
        return near ^ rng_below(rng, 16) ^ rng_below(rng, 2) << (sort_width(sort) - 1);
    case 2: /* few digits */
        return bits & ~(uint64_t)0 << rng_below(rng, sort == SORT_F32 ? 23 : 52);
    case 3: /* small */
        return bits & (sort == SORT_F32 ? 0x80ffffff : 0x801fffffffffffff);
    default:
        return bits;
    }
}

static int by_mpfr(mpfr_ptr z, enum op op, mpfr_t *a, mpfr_rnd_t mode) {
    switch (op) {
    case OP_FADD:
        return mpfr_add(z, a[0], a[1], mode);
    case OP_FMUL:
        return mpfr_mul(z, a[0], a[1], mode);
    case OP_FDIV:
        return mpfr_div(z, a[0], a[1], mode);
    case OP_FMA:
        return mpfr_fma(z, a[0], a[1], a[2], mode);
    case OP_FSQRT:
        return mpfr_sqrt(z, a[0], mode);
    default:
        return mpfr_set(z, a[0], mode);
    }
}

static double expected(enum op op, sort_t to, sort_t from, const uint64_t *v, mpfr_rnd_t mode) {
    mpfr_exp_t old_min = mpfr_get_emin(), old_max = mpfr_get_emax();
    mpfr_t a[3], z;
    for (int i = 0; i < 3; i++) {
        mpfr_init2(a[i], 53);
        mpfr_set_d(a[i], i < op_table[op].arity ? as_double(from, v[i]) : 0, MPFR_RNDN);
    }
    mpfr_init2(z, to == SORT_F32 ? 24 : 53);
    mpfr_set_emin(to == SORT_F32 ? -148 : -1073);
    mpfr_set_emax(to == SORT_F32 ? 128 : 1024);
    int inexact = by_mpfr(z, op, a, mode);
    inexact = mpfr_check_range(z, inexact, mode);
    mpfr_subnormalize(z, inexact, mode);
    double value = mpfr_get_d(z, MPFR_RNDN);
    mpfr_set_emin(old_min);
    mpfr_set_emax(old_max);
    mpfr_clears(a[0], a[1], a[2], z, (mpfr_ptr)NULL);
    return value;
}

static void check_directed(struct rng *rng, enum op op, sort_t sort) {
    sort_t from = op == OP_F2F ? SORT_F64 : sort, to = op == OP_F2F ? SORT_F32 : sort;
    uint64_t v[3] = {0};
    for (int i = 0; i < op_table[op].arity; i++)
        v[i] = some_float(rng, from, v[0]);
    for (int away = 0; away < 2; away++) {
        enum op other = op_rounded(op, away ? 'A' : 'Z');
        double wanted = expected(op, to, from, v, away ? MPFR_RNDA : MPFR_RNDZ);
        double got = as_double(to, term_eval_op(other, to, from, v));
        TEST_ASSERT_EQUAL_INT_MESSAGE(isnan(wanted), isnan(got), op_table[other].name);
        if (!isnan(wanted)) {
            TEST_ASSERT_TRUE_MESSAGE(wanted == got, op_table[other].name);
            TEST_ASSERT_EQUAL_INT_MESSAGE(signbit(wanted), signbit(got), op_table[other].name);
        }
    }
}

static void test_directed_roundings_are_those_of_mpfr(void) {
    struct rng rng;
    rng_init(&rng, 5);
    for (int i = 0; i < 60000; i++)
        check_directed(&rng, nearest_ops[rng_below(&rng, 6)], i & 1 ? SORT_F32 : SORT_F64);
}

/* A number that is no float32 subnormal, as a float32 by C's round(), which takes halves away from
 * zero. */
static float rounded_half_away(double exact) {
    int exponent;
    frexp(exact, &exponent);
    return (float)ldexp(round(ldexp(exact, 24 - exponent)), exponent - 24);
}

/* Of 13 and 12 digits: the product has 24 or 25, so half of those that do not fit are halves. */
static float few_digits(struct rng *rng, int digits) {
    double v = (double)(rng_below(rng, 1u << digits) | 1u << (digits - 1));
    return (float)ldexp(rng_below(rng, 2) ? v : -v, (int)rng_below(rng, 20) - 10);
}

static void test_halves_go_away_from_zero(void) {
    struct rng rng;
    int halves = 0;
    rng_init(&rng, 9);
    for (int i = 0; i < 20000; i++) {
        float x = few_digits(&rng, 13), y = few_digits(&rng, 12);
        double product = (double)x * y, sum = (double)x + ldexp(y, -12);
        uint64_t v[3] = {f32_bits(x), f32_bits(y), 0}, wide = f64_bits(product);
        halves += rounded_half_away(product) != (float)product;
        TEST_ASSERT_EQUAL_HEX64(f32_bits(rounded_half_away(product)),
                                term_eval_op(OP_FMULN, SORT_F32, SORT_F32, v));
        TEST_ASSERT_EQUAL_HEX64(f32_bits(rounded_half_away(product)),
                                term_eval_op(OP_FMAN, SORT_F32, SORT_F32, v));
        TEST_ASSERT_EQUAL_HEX64(f32_bits(rounded_half_away(product)),
                                term_eval_op(OP_F2FN, SORT_F32, SORT_F64, &wide));
        v[1] = f32_bits((float)ldexp(y, -12));
        TEST_ASSERT_EQUAL_HEX64(f32_bits(rounded_half_away(sum)),
                                term_eval_op(OP_FADDN, SORT_F32, SORT_F32, v));
    }
    TEST_ASSERT_GREATER_THAN(1000, halves);
}

/* Half of the least subnormal, and what lies just below and above it. */
static void test_the_least_half(void) {
    uint64_t least[2] = {1, f64_bits(0.5)}, less[2] = {1, f64_bits(0.5) - 1};
    TEST_ASSERT_EQUAL_HEX64(1, term_eval_op(OP_FMULN, SORT_F64, SORT_F64, least));
    TEST_ASSERT_EQUAL_HEX64(0, term_eval_op(OP_FMULN, SORT_F64, SORT_F64, less));
    TEST_ASSERT_EQUAL_HEX64(0, term_eval_op(OP_FMUL, SORT_F64, SORT_F64, least));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_each_operator_has_its_roundings);
    RUN_TEST(test_directed_roundings_are_those_of_mpfr);
    RUN_TEST(test_halves_go_away_from_zero);
    RUN_TEST(test_the_least_half);
    return UNITY_END();
}
