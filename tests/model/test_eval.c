/* Reference evaluation against the C that it stands for, on corner values, bit for bit. The C side
 * is compiled from plain expressions on native types; what C leaves undefined is checked against
 * the total semantics of ops.def. */
#include "model/term/eval.h"
#include "model/term/eval_op.h"

#include "unity.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdio.h>

void setUp(void) {
    TEST_ASSERT_EQUAL_INT(FE_TONEAREST, fegetround());
}
void tearDown(void) {
}

/* ---- integers ---- */

static const uint64_t int_corners[] = {0,          1,
                                       2,          3,
                                       7,          8,
                                       9,          31,
                                       32,         63,
                                       64,         100,
                                       127,        128,
                                       129,        255,
                                       256,        32767,
                                       32768,      65535,
                                       65536,      0x7fffffff,
                                       0x80000000, 0xffffffff,
                                       1ull << 32, 1ull << 62,
                                       1ull << 63, ~(1ull << 63),
                                       ~0ull,      ~0ull - 1,
                                       ~0ull - 2,  ~0ull - 6,
                                       ~0ull - 99, 0x5555555555555555};
enum { INT_CORNERS = sizeof int_corners / sizeof *int_corners };

static void expect(enum op op, sort_t sort, sort_t arg_sort, const uint64_t *args,
                   uint64_t wanted) {
    uint64_t got = term_eval_op(op, sort, arg_sort, args);
    if (got == wanted)
        return;
    char text[200];
    snprintf(text, sizeof text, "%s %s->%s of %#llx %#llx %#llx: wanted %#llx, got %#llx",
             op_table[op].name, sort_name(arg_sort), sort_name(sort), (unsigned long long)args[0],
             (unsigned long long)args[1], (unsigned long long)args[2], (unsigned long long)wanted,
             (unsigned long long)got);
    TEST_FAIL_MESSAGE(text);
}

/* One pair of values of one native width. Signed overflow is undefined in C: sums are formed
 * unsigned, the smallest value divided by -1 is left to the checks of corner cases. */
#define INT_PAIR(W, U, S)                                                                          \
    static void pair_##W(uint64_t x, uint64_t y) {                                                 \
        U a = (U)x, b = (U)y;                                                                      \
        S s = (S)a, t = (S)b;                                                                      \
        uint64_t args[3] = {a, b, 0};                                                              \
        expect(OP_ADD, W, W, args, (U)((uint64_t)a + b));                                          \
        expect(OP_SUB, W, W, args, (U)((uint64_t)a - b));                                          \
        expect(OP_MUL, W, W, args, (U)((uint64_t)a * b));                                          \
        expect(OP_BAND, W, W, args, (U)(a & b));                                                   \
        expect(OP_BOR, W, W, args, (U)(a | b));                                                    \
        expect(OP_BXOR, W, W, args, (U)(a ^ b));                                                   \
        expect(OP_ULT, SORT_BOOL, W, args, a < b);                                                 \
        expect(OP_ULE, SORT_BOOL, W, args, a <= b);                                                \
        expect(OP_SLT, SORT_BOOL, W, args, s < t);                                                 \
        expect(OP_SLE, SORT_BOOL, W, args, s <= t);                                                \
        expect(OP_EQ, SORT_BOOL, W, args, a == b);                                                 \
        if (b != 0) {                                                                              \
            expect(OP_UDIV, W, W, args, (U)(a / b));                                               \
            expect(OP_UREM, W, W, args, (U)(a % b));                                               \
        }                                                                                          \
        if (b != 0 && b != (U) - 1) {                                                              \
            expect(OP_SDIV, W, W, args, (U)(s / t));                                               \
            expect(OP_SREM, W, W, args, (U)(s % t));                                               \
        }                                                                                          \
        if (b < W) {                                                                               \
            expect(OP_SHL, W, W, args, (U)((uint64_t)a << b));                                     \
            expect(OP_LSHR, W, W, args, (U)(a >> b));                                              \
            expect(OP_ASHR, W, W, args, (U)(s >> b));                                              \
        }                                                                                          \
        expect(OP_S2F, SORT_F32, W, args, f32_bits((float)s));                                     \
        expect(OP_U2F, SORT_F32, W, args, f32_bits((float)a));                                     \
        expect(OP_S2F, SORT_F64, W, args, f64_bits((double)s));                                    \
        expect(OP_U2F, SORT_F64, W, args, f64_bits((double)a));                                    \
        expect(OP_ZEXT, 64, W, args, (uint64_t)a);                                                 \
        expect(OP_SEXT, 64, W, args, (uint64_t)(int64_t)s);                                        \
        expect(OP_TRUNC, 8, W, args, (uint8_t)a);                                                  \
    }
INT_PAIR(8, uint8_t, int8_t)
INT_PAIR(16, uint16_t, int16_t)
INT_PAIR(32, uint32_t, int32_t)
INT_PAIR(64, uint64_t, int64_t)

static void test_integer_operators_are_those_of_c(void) {
    for (int i = 0; i < INT_CORNERS; i++)
        for (int j = 0; j < INT_CORNERS; j++) {
            pair_8(int_corners[i], int_corners[j]);
            pair_16(int_corners[i], int_corners[j]);
            pair_32(int_corners[i], int_corners[j]);
            pair_64(int_corners[i], int_corners[j]);
        }
}

/* All values of small widths, against arithmetic in int. */
static void all_pairs(sort_t w) {
    int size = 1 << w, half = size / 2;
    for (int a = 0; a < size; a++)
        for (int b = 0; b < size; b++) {
            uint64_t args[3] = {(uint64_t)a, (uint64_t)b, 0}, mask = (uint64_t)size - 1;
            int s = a < half ? a : a - size, t = b < half ? b : b - size;
            expect(OP_ADD, w, w, args, (uint64_t)(a + b) & mask);
            expect(OP_SUB, w, w, args, (uint64_t)(a - b) & mask);
            expect(OP_MUL, w, w, args, (uint64_t)(a * b) & mask);
            expect(OP_UDIV, w, w, args, b ? (uint64_t)(a / b) : mask);
            expect(OP_UREM, w, w, args, (uint64_t)(b ? a % b : a));
            expect(OP_SDIV, w, w, args, (uint64_t)(t ? s / t : s < 0 ? 1 : -1) & mask);
            expect(OP_SREM, w, w, args, (uint64_t)(t ? s % t : s) & mask);
            expect(OP_SHL, w, w, args, b >= w ? 0 : (uint64_t)(a << b) & mask);
            expect(OP_LSHR, w, w, args, b >= w ? 0 : (uint64_t)(a >> b));
            expect(OP_ASHR, w, w, args, (uint64_t)(b >= w ? (s < 0 ? -1 : 0) : s >> b) & mask);
            expect(OP_SLT, SORT_BOOL, w, args, s < t);
            expect(OP_SLE, SORT_BOOL, w, args, s <= t);
            expect(OP_SEXT, 13, w, args, (uint64_t)s & 0x1fff);
            expect(OP_S2F, SORT_F32, w, args, f32_bits((float)s));
        }
}

static void test_small_widths_exhaustively(void) {
    for (sort_t w = 1; w <= 6; w++)
        all_pairs(w);
}

static void test_total_semantics_where_c_has_none(void) {
    for (sort_t w = 1; w <= 64; w++) {
        uint64_t mask = int_mask(w), min = (uint64_t)1 << (w - 1);
        expect(OP_UDIV, w, w, (uint64_t[]){min, 0, 0}, mask);
        expect(OP_UREM, w, w, (uint64_t[]){min, 0, 0}, min);
        expect(OP_SDIV, w, w, (uint64_t[]){min, 0, 0}, 1);
        expect(OP_SDIV, w, w, (uint64_t[]){0, 0, 0}, mask);
        expect(OP_SREM, w, w, (uint64_t[]){min, 0, 0}, min);
        expect(OP_SDIV, w, w, (uint64_t[]){min, mask, 0}, min);
        expect(OP_SREM, w, w, (uint64_t[]){min, mask, 0}, 0);
        if (w <= mask) {
            expect(OP_SHL, w, w, (uint64_t[]){1, w, 0}, 0);
            expect(OP_LSHR, w, w, (uint64_t[]){mask, w, 0}, 0);
            expect(OP_ASHR, w, w, (uint64_t[]){min, w, 0}, mask);
            expect(OP_ASHR, w, w, (uint64_t[]){mask, mask, 0}, mask);
        }
    }
}

static void test_booleans(void) {
    for (uint64_t a = 0; a < 2; a++)
        for (uint64_t b = 0; b < 2; b++) {
            uint64_t args[3] = {a, b, !b};
            expect(OP_NOT, SORT_BOOL, SORT_BOOL, args, !a);
            expect(OP_AND, SORT_BOOL, SORT_BOOL, args, a && b);
            expect(OP_OR, SORT_BOOL, SORT_BOOL, args, a || b);
            expect(OP_XOR, SORT_BOOL, SORT_BOOL, args, a != b);
            expect(OP_EQ, SORT_BOOL, SORT_BOOL, args, a == b);
            expect(OP_ITE, SORT_BOOL, SORT_BOOL, args, a ? b : !b);
            expect(OP_B2I, 7, SORT_BOOL, args, a);
        }
}

/* ---- floats ---- */

static const double float_corners[] = {0.0,
                                       0.25,
                                       0.5,
                                       0.75,
                                       1.0,
                                       1.5,
                                       2.0,
                                       2.5,
                                       3.0,
                                       3.5,
                                       0.1,
                                       1.0 / 3,
                                       7.0,
                                       100.0,
                                       127.0,
                                       127.5,
                                       128.0,
                                       255.0,
                                       255.99,
                                       256.0,
                                       32767.9,
                                       65536.0,
                                       8388607.5,
                                       8388608.0,
                                       16777216.0,
                                       16777217.0,
                                       2147483647.0,
                                       2147483648.0,
                                       4294967295.0,
                                       4294967296.0,
                                       4503599627370495.5,
                                       9007199254740993.0,
                                       9223372036854775807.0,
                                       18446744073709551615.0,
                                       1e10,
                                       1e30,
                                       FLT_MIN,
                                       FLT_TRUE_MIN,
                                       FLT_MAX,
                                       3.5e38,
                                       1e-310,
                                       DBL_MIN,
                                       DBL_TRUE_MIN,
                                       DBL_MAX,
                                       FLT_EPSILON,
                                       DBL_EPSILON,
                                       INFINITY};
enum { FLOAT_CORNERS = 2 * sizeof float_corners / sizeof *float_corners + 1 };

static double corner(int i) {
    if (i == FLOAT_CORNERS - 1)
        return NAN;
    return i & 1 ? -float_corners[i / 2] : float_corners[i / 2];
}

/* The bits of a result: NaNs are canonical. */
static uint64_t image_f32(float x) {
    return isnan(x) ? 0x7fc00000u : f32_bits(x);
}
static uint64_t image_f64(double x) {
    return isnan(x) ? 0x7ff8000000000000u : f64_bits(x);
}

#define FLOAT_PAIR(S, T, F, IMAGE)                                                                 \
    static void pair_##T(T x, T y, T z) {                                                          \
        volatile T a = x, b = y, c = z;                                                            \
        uint64_t args[3] = {IMAGE(x), IMAGE(y), IMAGE(z)};                                         \
        expect(OP_FADD, S, S, args, IMAGE(a + b));                                                 \
        expect(OP_FSUB, S, S, args, IMAGE(a - b));                                                 \
        expect(OP_FMUL, S, S, args, IMAGE(a *b));                                                  \
        expect(OP_FDIV, S, S, args, IMAGE(a / b));                                                 \
        expect(OP_FMA, S, S, args, IMAGE(F(fma)(a, b, c)));                                        \
        expect(OP_FMOD, S, S, args, IMAGE(F(fmod)(a, b)));                                         \
        expect(OP_FREM, S, S, args, IMAGE(F(remainder)(a, b)));                                    \
        expect(OP_FEQ, SORT_BOOL, S, args, a == b);                                                \
        expect(OP_FLT, SORT_BOOL, S, args, a < b);                                                 \
        expect(OP_FLE, SORT_BOOL, S, args, a <= b);                                                \
        expect(OP_EQ, SORT_BOOL, S, args,                                                          \
               (isnan(a) && isnan(b)) || (a == b && !signbit(a) == !signbit(b)));                  \
        if (a != b || !signbit(a) == !signbit(b)) {                                                \
            expect(OP_FMIN, S, S, args, IMAGE(F(fmin)(a, b)));                                     \
            expect(OP_FMAX, S, S, args, IMAGE(F(fmax)(a, b)));                                     \
        }                                                                                          \
        if (!isnan(a) && !isnan(b))                                                                \
            expect(OP_FCOPYSIGN, S, S, args, IMAGE(F(copysign)(a, b)));                            \
        expect(OP_ATAN2, S, S, args, IMAGE(F(atan2)(a, b)));                                       \
        expect(OP_POW, S, S, args, IMAGE(F(pow)(a, b)));                                           \
        expect(OP_HYPOT, S, S, args, IMAGE(F(hypot)(a, b)));                                       \
    }                                                                                              \
    static void one_##T(T x) {                                                                     \
        volatile T a = x;                                                                          \
        uint64_t args[3] = {IMAGE(x), 0, 0};                                                       \
        expect(OP_FNEG, S, S, args, IMAGE(-a));                                                    \
        expect(OP_FABS, S, S, args, IMAGE(F(fabs)(a)));                                            \
        expect(OP_FSQRT, S, S, args, IMAGE(F(sqrt)(a)));                                           \
        expect(OP_FFLOOR, S, S, args, IMAGE(F(floor)(a)));                                         \
        expect(OP_FCEIL, S, S, args, IMAGE(F(ceil)(a)));                                           \
        expect(OP_FTRUNC, S, S, args, IMAGE(F(trunc)(a)));                                         \
        expect(OP_FROUND, S, S, args, IMAGE(F(round)(a)));                                         \
        expect(OP_FRINT, S, S, args, IMAGE(F(nearbyint)(a)));                                      \
        expect(OP_FISNAN, SORT_BOOL, S, args, a != a);                                             \
        expect(OP_FISINF, SORT_BOOL, S, args, a > 0 ? a - a != a - a : a < 0 && a - a != a - a);   \
        expect(OP_FSIGN, SORT_BOOL, S, args, a == a && signbit(a));                                \
        expect(OP_F2F, SORT_F32, S, args, image_f32((float)a));                                    \
        expect(OP_F2F, SORT_F64, S, args, image_f64((double)a));                                   \
        expect(OP_F2BITS, sizeof(T) * 8, S, args, IMAGE(a));                                       \
        expect(OP_SIN, S, S, args, IMAGE(F(sin)(a)));                                              \
        expect(OP_COS, S, S, args, IMAGE(F(cos)(a)));                                              \
        expect(OP_TAN, S, S, args, IMAGE(F(tan)(a)));                                              \
        expect(OP_ASIN, S, S, args, IMAGE(F(asin)(a)));                                            \
        expect(OP_ACOS, S, S, args, IMAGE(F(acos)(a)));                                            \
        expect(OP_ATAN, S, S, args, IMAGE(F(atan)(a)));                                            \
        expect(OP_SINH, S, S, args, IMAGE(F(sinh)(a)));                                            \
        expect(OP_COSH, S, S, args, IMAGE(F(cosh)(a)));                                            \
        expect(OP_TANH, S, S, args, IMAGE(F(tanh)(a)));                                            \
        expect(OP_EXP, S, S, args, IMAGE(F(exp)(a)));                                              \
        expect(OP_EXP2, S, S, args, IMAGE(F(exp2)(a)));                                            \
        expect(OP_EXPM1, S, S, args, IMAGE(F(expm1)(a)));                                          \
        expect(OP_LOG, S, S, args, IMAGE(F(log)(a)));                                              \
        expect(OP_LOG2, S, S, args, IMAGE(F(log2)(a)));                                            \
        expect(OP_LOG10, S, S, args, IMAGE(F(log10)(a)));                                          \
        expect(OP_LOG1P, S, S, args, IMAGE(F(log1p)(a)));                                          \
        expect(OP_CBRT, S, S, args, IMAGE(F(cbrt)(a)));                                            \
    }
#define FLOAT_NAME(name) name##f
#define DOUBLE_NAME(name) name
FLOAT_PAIR(SORT_F32, float, FLOAT_NAME, image_f32)
FLOAT_PAIR(SORT_F64, double, DOUBLE_NAME, image_f64)

static void test_float_operators_are_those_of_c(void) {
    for (int i = 0; i < FLOAT_CORNERS; i++) {
        one_float((float)corner(i));
        one_double(corner(i));
        for (int j = 0; j < FLOAT_CORNERS; j++) {
            double z = corner((i * 7 + j * 3) % FLOAT_CORNERS);
            pair_float((float)corner(i), (float)corner(j), (float)z);
            pair_double(corner(i), corner(j), z);
        }
    }
}

static void test_zeros_have_an_order_in_fmin_and_fmax(void) {
    uint64_t zeros[3] = {f32_bits(-0.0f), f32_bits(0.0f), 0}, back[3] = {zeros[1], zeros[0], 0};
    expect(OP_FMIN, SORT_F32, SORT_F32, zeros, zeros[0]);
    expect(OP_FMIN, SORT_F32, SORT_F32, back, zeros[0]);
    expect(OP_FMAX, SORT_F32, SORT_F32, zeros, zeros[1]);
    expect(OP_FMAX, SORT_F32, SORT_F32, back, zeros[1]);
}

/* The signs that NaN does not have. */
static void test_operators_on_nan(void) {
    uint64_t nan = f64_bits(NAN) & ~((uint64_t)1 << 63), one = f64_bits(1.0);
    expect(OP_FNEG, SORT_F64, SORT_F64, (uint64_t[]){nan, 0, 0}, nan);
    expect(OP_FCOPYSIGN, SORT_F64, SORT_F64, (uint64_t[]){f64_bits(-1.0), nan, 0}, one);
    expect(OP_FCOPYSIGN, SORT_F64, SORT_F64, (uint64_t[]){nan, f64_bits(-1.0), 0}, nan);
    expect(OP_BITS2F, SORT_F64, 64, (uint64_t[]){0xfff0000000000001u, 0, 0}, nan);
    expect(OP_BITS2F, SORT_F32, 32, (uint64_t[]){0xffffffffu, 0, 0}, 0x7fc00000u);
    expect(OP_BITS2F, SORT_F32, 32, (uint64_t[]){0xff800000u, 0, 0}, 0xff800000u);
    expect(OP_FADD, SORT_F64, SORT_F64, (uint64_t[]){f64_bits(INFINITY), f64_bits(-INFINITY), 0},
           nan);
}

/* ---- from floats to integers ---- */

/* Against long double, whose 64 digits hold every value in question. */
static uint64_t truncated(double x, sort_t w, bool is_signed) {
    long double t = truncl((long double)x), limit = ldexpl(1.0L, is_signed ? w - 1 : w);
    if (isnan(x) || t >= limit || t < (is_signed ? -limit : 0.0L))
        return 0;
    uint64_t bits = t < 0 ? 0 - (uint64_t)-t : (uint64_t)t;
    return bits & int_mask(w);
}

static void test_float_to_int(void) {
    for (int i = 0; i < FLOAT_CORNERS; i++)
        for (sort_t w = 1; w <= 64; w++)
            for (int step = -1; step <= 1; step++) {
                double x = corner(i);
                float f = (float)x;
                x = step ? nextafter(x, step * INFINITY) : x;
                f = step ? nextafterf(f, (float)step * INFINITY) : f;
                uint64_t dx[3] = {image_f64(x), 0, 0}, fx[3] = {image_f32(f), 0, 0};
                expect(OP_F2S, w, SORT_F64, dx, truncated(x, w, true));
                expect(OP_F2U, w, SORT_F64, dx, truncated(x, w, false));
                expect(OP_F2S, w, SORT_F32, fx, truncated((double)f, w, true));
                expect(OP_F2U, w, SORT_F32, fx, truncated((double)f, w, false));
            }
}

static void test_casts_of_c_that_are_defined(void) {
    volatile double x = -0.9, y = 4294967295.9, z = -2147483648.9;
    expect(OP_F2U, 8, SORT_F64, (uint64_t[]){f64_bits(x), 0, 0}, (uint8_t)x);
    expect(OP_F2U, 32, SORT_F64, (uint64_t[]){f64_bits(y), 0, 0}, (uint32_t)y);
    expect(OP_F2S, 32, SORT_F64, (uint64_t[]){f64_bits(z), 0, 0}, (uint32_t)(int32_t)z);
}

/* ---- ordinals ---- */

static void test_ordinals_keep_the_order(void) {
    for (int i = 0; i < FLOAT_CORNERS - 1; i++)
        for (int j = 0; j < FLOAT_CORNERS - 1; j++) {
            double x = corner(i), y = corner(j);
            int64_t a = ordinal_of(SORT_F64, true, f64_bits(x));
            int64_t b = ordinal_of(SORT_F64, true, f64_bits(y));
            TEST_ASSERT_TRUE(x == y ? a - b <= 1 && b - a <= 1 : (x < y) == (a < b));
            TEST_ASSERT_EQUAL_HEX64(f64_bits(x), ordinal_bits(SORT_F64, true, a));
            int64_t c = ordinal_of(SORT_F32, true, f32_bits((float)x));
            TEST_ASSERT_EQUAL_HEX64(f32_bits((float)x), ordinal_bits(SORT_F32, true, c));
        }
    TEST_ASSERT_EQUAL_INT64(-1, ordinal_of(SORT_F32, true, f32_bits(-0.0f)));
    TEST_ASSERT_EQUAL_INT64(0, ordinal_of(SORT_F32, true, f32_bits(NAN)));
}

static void test_ordinals_of_integers(void) {
    for (sort_t w = 1; w <= 64; w++)
        for (int i = 0; i < INT_CORNERS; i++)
            for (int is_signed = 0; is_signed < 2; is_signed++) {
                uint64_t bits = int_corners[i] & int_mask(w);
                int64_t o = ordinal_of(w, is_signed, bits);
                TEST_ASSERT_TRUE(o >= ordinal_min(w, is_signed) && o <= ordinal_max(w, is_signed));
                TEST_ASSERT_EQUAL_HEX64(bits, ordinal_bits(w, is_signed, o));
            }
    TEST_ASSERT_EQUAL_INT64(-1, ordinal_of(8, true, 255));
    TEST_ASSERT_EQUAL_INT64(255, ordinal_of(8, false, 255));
    TEST_ASSERT_EQUAL_INT64(INT64_MAX, ordinal_of(64, false, UINT64_MAX));
    TEST_ASSERT_EQUAL_INT64(INT64_MIN, ordinal_of(64, false, 0));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_integer_operators_are_those_of_c);
    RUN_TEST(test_small_widths_exhaustively);
    RUN_TEST(test_total_semantics_where_c_has_none);
    RUN_TEST(test_booleans);
    RUN_TEST(test_float_operators_are_those_of_c);
    RUN_TEST(test_zeros_have_an_order_in_fmin_and_fmax);
    RUN_TEST(test_operators_on_nan);
    RUN_TEST(test_float_to_int);
    RUN_TEST(test_casts_of_c_that_are_defined);
    RUN_TEST(test_ordinals_keep_the_order);
    RUN_TEST(test_ordinals_of_integers);
    return UNITY_END();
}
