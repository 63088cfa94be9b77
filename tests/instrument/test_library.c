/* Functions of <math.h> that take floats apart, in the model and by the native library: bit for
 * bit, on numbers at the borders of the format and on random ones. */
#include "lowered_case.h"

#include "base/rng.h"

#include <math.h>

static struct lowered_case c;

void setUp(void) {
}
void tearDown(void) {
    case_close(&c);
}

union f64 {
    double f;
    uint64_t bits;
};
union f32 {
    float f;
    uint32_t bits;
};

static uint64_t some_f64(struct rng *r) {
    static const uint64_t borders[] = {0,
                                       1,
                                       2,
                                       0x000fffffffffffff,
                                       0x0010000000000000,
                                       0x0010000000000001,
                                       0x3fefffffffffffff,
                                       0x3ff0000000000000,
                                       0x3ff8000000000000,
                                       0x4004000000000000,
                                       0x433fffffffffffff,
                                       0x4340000000000000,
                                       0x7fefffffffffffff,
                                       0x7ff0000000000000,
                                       0x7ff8000000000000};
    uint64_t n = sizeof borders / sizeof *borders, sign = rng_below(r, 2) << 63;
    if (rng_below(r, 3) == 0)
        return sign | borders[rng_below(r, n)];
    uint64_t bits = rng_next(r);
    if (rng_below(r, 2))
        bits = (bits & 0x800fffffffffffff) | (1023 + rng_below(r, 60)) << 52;
    return isnan((union f64){.bits = bits}.f) ? 0x7ff8000000000000 : bits;
}

static uint32_t some_f32(struct rng *r) {
    static const uint32_t borders[] = {0,          1,          0x007fffff, 0x00800000,
                                       0x00800001, 0x3f7fffff, 0x3f800000, 0x4b7fffff,
                                       0x4b800000, 0x7f7fffff, 0x7f800000, 0x7fc00000};
    uint64_t n = sizeof borders / sizeof *borders, sign = rng_below(r, 2) << 31;
    if (rng_below(r, 3) == 0)
        return (uint32_t)sign | borders[rng_below(r, n)];
    uint32_t bits = (uint32_t)rng_next(r);
    return isnan((union f32){.bits = bits}.f) ? 0x7fc00000 : bits;
}

static int some_exponent(struct rng *r) {
    return rng_below(r, 8) ? (int)rng_below(r, 2300) - 1150 : (int)(uint32_t)rng_next(r);
}

/* probe 0: another result, probe 1: another integer */
#define F64_CASE(declare, call, integer)                                                           \
    declare "union u { double f; long long bits; };\n"                                             \
            "void gk_step(void) { double x = gk_input_f64(0), y = gk_input_f64(1), p = 0;\n"       \
            "int n = gk_input_i32(2), k = 0; union u r; r.f = " call ";\n"                         \
            "long long want = gk_input_i64(3);\n"                                                  \
            "if (r.f != r.f ? want != 0x7ff8000000000000 : r.bits != want) gk_hit(0);\n"           \
            "if (" integer " != gk_input_i32(4)) gk_hit(1); }\n"
#define F32_CASE(declare, call, integer)                                                           \
    declare "union u { float f; int bits; };\n"                                                    \
            "void gk_step(void) { float x = gk_input_f32(0), y = gk_input_f32(1), p = 0;\n"        \
            "int n = gk_input_i32(2), k = 0; union u r; r.f = " call ";\n"                         \
            "int want = gk_input_i32(3);\n"                                                        \
            "if (r.f != r.f ? want != 0x7fc00000 : r.bits != want) gk_hit(0);\n"                   \
            "if (" integer " != gk_input_i32(4)) gk_hit(1); }\n"

/* What the library says: the result, and an integer beside it. */
typedef double native_f64(double x, double y, int n, int *k);
typedef float native_f32(float x, float y, int n, int *k);

enum { ROUNDS = 3000 };

static void expect_same(uint64_t x, uint64_t y, int n) {
    const char *at = arena_printf(&c.lowered.arena, "x %llx, y %llx, n %d", (unsigned long long)x,
                                  (unsigned long long)y, n);
    TEST_ASSERT_FALSE_MESSAGE(case_hit(&c, 0), at);
    TEST_ASSERT_FALSE_MESSAGE(case_hit(&c, 1), at);
}

static void compare_f64(const char *text, native_f64 *native) {
    struct rng r;
    rng_init(&r, 7);
    case_open(&c, text);
    TEST_ASSERT_EQUAL_size_t(0, c.lowered.limitations.len);
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t x = some_f64(&r), y = some_f64(&r);
        int n = some_exponent(&r), k = 0;
        union f64 want = {.f = native((union f64){.bits = x}.f, (union f64){.bits = y}.f, n, &k)};
        if (isnan(want.f))
            want.bits = 0x7ff8000000000000;
        case_step(&c, x, y, (uint32_t)n, want.bits, (uint32_t)k);
        expect_same(x, y, n);
    }
}

static void compare_f32(const char *text, native_f32 *native) {
    struct rng r;
    rng_init(&r, 8);
    case_open(&c, text);
    TEST_ASSERT_EQUAL_size_t(0, c.lowered.limitations.len);
    for (int i = 0; i < ROUNDS; i++) {
        uint32_t x = some_f32(&r), y = some_f32(&r);
        int n = some_exponent(&r) / 4, k = 0;
        union f32 want = {.f = native((union f32){.bits = x}.f, (union f32){.bits = y}.f, n, &k)};
        if (isnan(want.f))
            want.bits = 0x7fc00000;
        case_step(&c, x, y, (uint32_t)n, want.bits, (uint32_t)k);
        expect_same(x, y, n);
    }
}

#define DECLARE                                                                                    \
    "double frexp(double, int *); float frexpf(float, int *);\n"                                   \
    "double ldexp(double, int); float ldexpf(float, int); double scalbn(double, int);\n"           \
    "double modf(double, double *); float modff(float, float *);\n"                                \
    "double nextafter(double, double); float nextafterf(float, float);\n"                          \
    "double logb(double); int ilogb(double); float logbf(float);\n"                                \
    "double remquo(double, double, int *); double nan(const char *);\n"

/* frexp says nothing of the exponent of what is not finite. */
static double native_frexp(double x, double y, int n, int *k) {
    (void)y, (void)n;
    double r = frexp(x, k);
    *k = isfinite(x) ? *k : 0;
    return r;
}

static float native_frexpf(float x, float y, int n, int *k) {
    (void)y, (void)n;
    float r = frexpf(x, k);
    *k = isfinite(x) ? *k : 0;
    return r;
}

static void test_exponent_taken(void) {
    compare_f64(F64_CASE(DECLARE, "frexp(x, &k)", "(x - x == 0 ? k : 0)"), native_frexp);
    case_close(&c);
    compare_f32(F32_CASE(DECLARE, "frexpf(x, &k)", "(x - x == 0 ? k : 0)"), native_frexpf);
}

static double native_ldexp(double x, double y, int n, int *k) {
    (void)y, (void)k;
    return ldexp(x, n);
}

static float native_ldexpf(float x, float y, int n, int *k) {
    (void)y, (void)k;
    return ldexpf(x, n);
}

static void test_exponent_put(void) {
    compare_f64(F64_CASE(DECLARE, "ldexp(x, n)", "k"), native_ldexp);
    case_close(&c);
    compare_f64(F64_CASE(DECLARE, "scalbn(x, n)", "k"), native_ldexp);
    case_close(&c);
    compare_f32(F32_CASE(DECLARE, "ldexpf(x, n)", "k"), native_ldexpf);
}

static double native_modf(double x, double y, int n, int *k) {
    double whole, rest = modf(x, &whole);
    (void)y, (void)n;
    *k = whole == x;
    return rest;
}

static float native_modff(float x, float y, int n, int *k) {
    float whole;
    (void)y, (void)n, (void)k;
    (void)modff(x, &whole);
    return whole;
}

static void test_whole_part(void) {
    compare_f64(F64_CASE(DECLARE, "modf(x, &p)", "(p == x)"), native_modf);
    case_close(&c);
    compare_f32(F32_CASE(DECLARE, "(modff(x, &p), p)", "k"), native_modff);
}

static double native_next(double x, double y, int n, int *k) {
    (void)n, (void)k;
    return nextafter(x, y);
}

static float native_nextf(float x, float y, int n, int *k) {
    (void)n, (void)k;
    return nextafterf(x, y);
}

static void test_next_number(void) {
    compare_f64(F64_CASE(DECLARE, "nextafter(x, y)", "k"), native_next);
    case_close(&c);
    compare_f32(F32_CASE(DECLARE, "nextafterf(x, y)", "k"), native_nextf);
}

static double native_logb(double x, double y, int n, int *k) {
    (void)y, (void)n;
    *k = x == 0 || isnan(x) ? 0 : ilogb(x);
    return logb(x);
}

static float native_logbf(float x, float y, int n, int *k) {
    (void)y, (void)n, (void)k;
    return logbf(x);
}

static void test_exponent_as_number(void) {
    compare_f64(F64_CASE(DECLARE, "logb(x)", "(x == 0 || x != x ? 0 : ilogb(x))"), native_logb);
    case_close(&c);
    compare_f32(F32_CASE(DECLARE, "logbf(x)", "k"), native_logbf);
}

static double native_remquo(double x, double y, int n, int *k) {
    int quotient;
    (void)n, (void)k;
    return remquo(x, y, &quotient);
}

static void test_remainder(void) {
    compare_f64(F64_CASE(DECLARE, "remquo(x, y, &k)", "0"), native_remquo);
}

/* What the standard leaves open is any value, and counts as such. */
static void test_what_is_left_open(void) {
    case_open(&c, DECLARE "void gk_step(void) { int k = 0; double x = gk_input_f64(0);\n"
                          "(void)frexp(x, &k); if (k == 5) gk_hit(0);\n"
                          "double y = nan(\"1\"); if (y == y) gk_hit(1); }\n");
    case_step(&c, 0x7ff0000000000000);
    TEST_ASSERT_TRUE(c.machine.unspecified);
    case_reset(&c);
    case_step(&c, 0x4030000000000000);
    TEST_ASSERT_TRUE(case_hit(&c, 0));
    TEST_ASSERT_FALSE(c.machine.unspecified);
    TEST_ASSERT_FALSE(case_hit(&c, 1));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_exponent_taken);
    RUN_TEST(test_exponent_put);
    RUN_TEST(test_whole_part);
    RUN_TEST(test_next_number);
    RUN_TEST(test_exponent_as_number);
    RUN_TEST(test_remainder);
    RUN_TEST(test_what_is_left_open);
    return UNITY_END();
}
