/* Operators in all rounding modes, as terms, against the hardware in its modes. */
#include "model/term/mode.h"

#include "base/rng.h"

#include <fenv.h>
#include <math.h>
#include <unity.h>

static struct terms ts;

void setUp(void) {
    terms_init(&ts);
}
void tearDown(void) {
    fesetround(FE_TONEAREST);
    terms_free(&ts);
}

static const struct {
    enum rounding_mode mode;
    int host;
} modes[] = {
    {RM_RNE, FE_TONEAREST}, {RM_RTP, FE_UPWARD}, {RM_RTN, FE_DOWNWARD}, {RM_RTZ, FE_TOWARDZERO}};

static double some_double(struct rng *rng) {
    static const double corners[] = {0.0, -0.0,      1.0,      -1.0,      0.1,      3.0,
                                     0.5, 0x1p-1074, 0x1p1023, 0x1p-1022, INFINITY, -INFINITY};
    double narrow = (double)(int64_t)rng_below(rng, 4096) - 2048.0;
    switch (rng_below(rng, 4)) {
    case 0:
        return corners[rng_below(rng, sizeof corners / sizeof *corners)];
    case 1:
        return bits_f64(rng_next(rng) & ~(UINT64_C(0x400) << 52));
    case 2:
        return narrow / 16.0;
    default:
        return narrow * 0x1p-30 + narrow;
    }
}

static double on_host(enum op op, const volatile double *x) {
    switch (op) {
    case OP_FADD:
        return x[0] + x[1];
    case OP_FSUB:
        return x[0] - x[1];
    case OP_FMUL:
        return x[0] * x[1];
    case OP_FDIV:
        return x[0] / x[1];
    case OP_FMA:
        return fma(x[0], x[1], x[2]);
    default:
        return sqrt(x[0]);
    }
}

static float on_host_single(enum op op, const volatile float *x) {
    switch (op) {
    case OP_FADD:
        return x[0] + x[1];
    case OP_FSUB:
        return x[0] - x[1];
    case OP_FMUL:
        return x[0] * x[1];
    case OP_FDIV:
        return x[0] / x[1];
    case OP_FMA:
        return fmaf(x[0], x[1], x[2]);
    default:
        return sqrtf(x[0]);
    }
}

static void expect_term(term_t expected, term_t t, size_t mode, const char *what) {
    char text[80];
    snprintf(text, sizeof text, "%s in mode %zu", what, mode);
    TEST_ASSERT_EQUAL_UINT32_MESSAGE(expected, t, text);
}

static void test_arithmetic(void) {
    static const enum op ops[] = {OP_FADD, OP_FSUB, OP_FMUL, OP_FDIV, OP_FMA, OP_FSQRT};
    struct rng rng;
    rng_init(&rng, 7);
    for (int n = 0; n < 20000; n++) {
        enum op op = ops[rng_below(&rng, 6)];
        size_t m = rng_below(&rng, 4);
        volatile double x[3];
        volatile float y[3];
        term_t args[3], single[3];
        for (int i = 0; i < 3; i++) {
            x[i] = i && rng_below(&rng, 6) == 0 ? -x[0] : some_double(&rng);
            y[i] = (float)x[i];
            args[i] = term_f64(&ts, x[i]);
            single[i] = term_f32(&ts, y[i]);
        }
        fesetround(modes[m].host);
        volatile double wide = on_host(op, x);
        volatile float narrow = on_host_single(op, y);
        fesetround(FE_TONEAREST);
        expect_term(term_f64(&ts, wide), mode_arithmetic(&ts, modes[m].mode, op, args), m,
                    op_table[op].text);
        expect_term(term_f32(&ts, narrow), mode_arithmetic(&ts, modes[m].mode, op, single), m,
                    op_table[op].text);
    }
}

static void test_casts(void) {
    struct rng rng;
    rng_init(&rng, 8);
    for (int n = 0; n < 20000; n++) {
        size_t m = rng_below(&rng, 4);
        volatile int64_t i = (int64_t)(rng_next(&rng) >> rng_below(&rng, 64));
        i = rng_below(&rng, 2) ? -i : i;
        volatile uint64_t u = (uint64_t)i;
        volatile double x = some_double(&rng);
        fesetround(modes[m].host);
        volatile float single = (float)i, cut = (float)x, of_unsigned = (float)u;
        volatile double wide = (double)i, whole = rint(x);
        fesetround(FE_TONEAREST);
        term_t t = term_int(&ts, 64, i);
        enum rounding_mode rm = modes[m].mode;
        expect_term(term_f32(&ts, single), mode_int(&ts, rm, OP_S2F, SORT_F32, t), m, "s2f");
        expect_term(term_f64(&ts, wide), mode_int(&ts, rm, OP_S2F, SORT_F64, t), m, "s2f");
        if (u) /* compilers make -0 of 0 downward */
            expect_term(term_f32(&ts, of_unsigned), mode_int(&ts, rm, OP_U2F, SORT_F32, t), m,
                        "u2f");
        expect_term(term_f32(&ts, cut), mode_float(&ts, rm, SORT_F32, term_f64(&ts, x)), m, "f2f");
        expect_term(term_f64(&ts, whole), mode_integral(&ts, rm, term_f64(&ts, x)), m, "rint");
    }
}

static void test_halves_away_from_zero(void) {
    term_t half = term_f64(&ts, 0.5), ulp[2] = {term_f64(&ts, 1.0), term_f64(&ts, 0x1p-53)};
    TEST_ASSERT_EQUAL_UINT32(term_f64(&ts, 1.0), mode_integral(&ts, RM_RNA, half));
    TEST_ASSERT_EQUAL_UINT32(term_f64(&ts, 0.0), mode_integral(&ts, RM_RNE, half));
    TEST_ASSERT_EQUAL_UINT32(term_f64(&ts, 1.0 + 0x1p-52),
                             mode_arithmetic(&ts, RM_RNA, OP_FADD, ulp));
    TEST_ASSERT_EQUAL_UINT32(term_f64(&ts, 1.0), mode_arithmetic(&ts, RM_RNE, OP_FADD, ulp));
    term_t x = term_var(&ts, "x", SORT_F32, true);
    TEST_ASSERT_EQUAL_UINT32(x, mode_float(&ts, RM_RTP, SORT_F32, x));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_arithmetic);
    RUN_TEST(test_casts);
    RUN_TEST(test_halves_away_from_zero);
    return UNITY_END();
}
