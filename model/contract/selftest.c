/* selftest: each check computes one number that comes out different when the property fails. The
 * operands are volatile, so that the hardware of the run answers and not the compiler. */
#include "model/contract/selftest.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdint.h>

static bool rounds_to_nearest(void) {
    volatile double one = 1, third = 0x1p-53, more = 0x1.8p-53;
    volatile float one_f = 1, half_f = 0x1p-24f, more_f = 0x1.8p-24f;
    return fegetround() == FE_TONEAREST && one + third == one && one + more == 1 + DBL_EPSILON &&
           -one - third == -one && one_f + half_f == one_f && one_f + more_f == 1 + FLT_EPSILON;
}

static bool keeps_subnormals(void) {
    volatile double least = DBL_MIN, tiny = 0x1p-1074, two = 2;
    volatile float least_f = FLT_MIN, tiny_f = 0x1p-149f, two_f = 2;
    volatile double half = least / two, doubled = tiny * two;
    volatile float half_f = least_f / two_f, doubled_f = tiny_f * two_f;
    return half != 0 && doubled == 0x1p-1073 && half_f != 0 && doubled_f == 0x1p-148f;
}

static bool has_no_excess_precision(void) {
    volatile float big = 0x1p24f, one = 1, max = FLT_MAX;
    volatile double large = 0x1p53, unit = 1;
    return FLT_EVAL_METHOD == 0 && (big + one) - big == 0 && (large + unit) - large == 0 &&
           max + max - max == (float)INFINITY;
}

/* (1 + e)^2 - (1 + 2e) is e^2 only when the product was not rounded. */
static bool does_not_contract(void) {
    volatile double a = 1 + 0x1p-30, b = 1 + 0x1p-29;
    volatile float a_f = 1 + 0x1p-13f, b_f = 1 + 0x1p-12f;
    return a * a - b == 0 && a_f * a_f - b_f == 0;
}

static bool rounds_division_and_root(void) {
    volatile double one = 1, three = 3, two = 2;
    volatile float one_f = 1, three_f = 3, two_f = 2;
    return one / three == 0x1.5555555555555p-2 && sqrt(two) == 0x1.6a09e667f3bcdp+0 &&
           one_f / three_f == 0x1.555556p-2f && sqrtf(two_f) == 0x1.6a09e6p+0f;
}

static bool fuses_fma(void) {
    volatile double a = 1 + 0x1p-30, b = -(1 + 0x1p-29);
    volatile float a_f = 1 + 0x1p-13f, b_f = -(1 + 0x1p-12f);
    return fma(a, a, b) == 0x1p-60 && fmaf(a_f, a_f, b_f) == 0x1p-26f;
}

static bool rounds_to_integers(void) {
    volatile double half = 0.5, more = 1.5, below = 0x1.fffffffffffffp-2;
    return rint(half) == 0 && rint(more) == 2 && round(half) == 1 && round(below) == 0 &&
           signbit(ceil(-half)) && signbit(trunc(-half));
}

/* ---- neighbours ----
 *
 * The vectoriser of GCC 12 makes two conversions of neighbours one, and then drops those that it
 * takes for a detour, (double)(float)x. So each kind of operation is done alone and in pairs, with
 * results that differ when a rounding is left out. */

struct pair {
    double first, second;
};

#define KINDS(X)                                                                                   \
    X(narrow, (double)(float)x)                                                                    \
    X(add_f32, (double)((float)x + (float)y))                                                      \
    X(sub_f32, (double)((float)x - (float)y))                                                      \
    X(mul_f32, (double)((float)x * (float)y))                                                      \
    X(div_f32, (double)((float)x / (float)y))                                                      \
    X(sqrt_f32, (double)sqrtf((float)x))                                                           \
    X(add_f64, x + y)                                                                              \
    X(mul_f64, x *y)                                                                               \
    X(div_f64, x / y)                                                                              \
    X(sqrt_f64, sqrt(x))                                                                           \
    X(floor, floor(x))                                                                             \
    X(ceil, ceil(x))                                                                               \
    X(trunc, trunc(x))                                                                             \
    X(rint, rint(x))                                                                               \
    X(round, round(x))                                                                             \
    X(fmin, fmin(x, y))                                                                            \
    X(fmax, fmax(x, y))                                                                            \
    X(copysign, copysign(x, -y))                                                                   \
    X(i32, (double)(int32_t)x)                                                                     \
    X(i64, (double)(int64_t)x)                                                                     \
    X(u64, (double)(uint64_t)x)                                                                    \
    X(i32_f32, (double)(float)(int32_t)x)                                                          \
    X(i64_f32, (double)(float)(int64_t)x)                                                          \
    X(u64_f32, (double)(float)(uint64_t)x)                                                         \
    X(i64_f64, (double)((int64_t)x + 1))                                                           \
    X(u64_f64, (double)((uint64_t)x + 1))

#define ALONE(name, value)                                                                         \
    __attribute__((noinline)) static double alone_##name(double x, double y) {                     \
        (void)y;                                                                                   \
        return value;                                                                              \
    }
#define FIRST_OF(name, value)                                                                      \
    static inline double in_pair_##name(double x, double y) {                                      \
        (void)y;                                                                                   \
        return value;                                                                              \
    }
#define PAIRED(name, value)                                                                        \
    __attribute__((noinline)) static struct pair paired_##name(double a, double b, double y) {     \
        return (struct pair){in_pair_##name(a, y), in_pair_##name(b, y)};                          \
    }
KINDS(ALONE)
KINDS(FIRST_OF)
KINDS(PAIRED)

#define KIND_NUMBER(name, value) KIND_##name,
enum kind { KINDS(KIND_NUMBER) N_KINDS };

static const struct {
    double (*alone)(double x, double y);
    struct pair (*paired)(double a, double b, double y);
} kinds[] = {
#define KIND_ROW(name, value) {alone_##name, paired_##name},
    KINDS(KIND_ROW)
#undef KIND_ROW
};

/* Two operands, a second one for both, and the results; halves round to even. */
static const struct {
    enum kind kind;
    double x[2], y, result[2];
} known[] = {
    {KIND_narrow, {0x1.0000000000001p+0, 0x1.000003p+0}, 0, {0x1p+0, 0x1.000004p+0}},
    {KIND_add_f32, {0x1p+24, 0x1.000002p+24}, 1, {0x1p+24, 0x1.000004p+24}},
    {KIND_sub_f32, {0x1p+25, 0x1.000004p+25}, 1, {0x1p+25, 0x1.000004p+25}},
    {KIND_mul_f32, {0x1.000002p+0, 0x1.000006p+0}, 3, {0x1.800004p+1, 0x1.800008p+1}},
    {KIND_div_f32, {1, 5}, 3, {0x1.555556p-2, 0x1.aaaaaap+0}},
    {KIND_sqrt_f32, {2, 3}, 0, {0x1.6a09e6p+0, 0x1.bb67aep+0}},
    {KIND_add_f64, {0x1p+53, 0x1.0000000000001p+53}, 1, {0x1p+53, 0x1.0000000000002p+53}},
    {KIND_mul_f64, {0x1.0000000000001p+0, 1}, 3, {0x1.8000000000002p+1, 3}},
    {KIND_div_f64, {1, 5}, 3, {0x1.5555555555555p-2, 0x1.aaaaaaaaaaaabp+0}},
    {KIND_sqrt_f64, {2, 4}, 0, {0x1.6a09e667f3bcdp+0, 2}},
    {KIND_floor, {-2.5, 0x1.7ffffffffffffp+1}, 0, {-3, 2}},
    {KIND_ceil, {-2.5, 0x1.4000000000001p+1}, 0, {-2, 3}},
    {KIND_trunc, {-2.5, 0x1.7ffffffffffffp+1}, 0, {-2, 2}},
    {KIND_rint, {-2.5, 0x1.4000000000001p+1}, 0, {-2, 3}},
    {KIND_round, {-2.5, 0x1.fffffffffffffp-2}, 0, {-3, 0}},
    {KIND_fmin, {1, 3}, 2, {1, 2}},
    {KIND_fmax, {1, 3}, 2, {2, 3}},
    {KIND_copysign, {1, -3}, 2, {-1, -3}},
    {KIND_i32, {-2.5, 0x1.fffffffep+30}, 0, {-2, 0x1.fffffffcp+30}},
    {KIND_i64, {-2.5, 0x1.8p+62}, 0, {-2, 0x1.8p+62}},
    {KIND_u64, {2.75, 0x1.8p+63}, 0, {2, 0x1.8p+63}},
    {KIND_i32_f32, {-0x1.000001p+24, 0x1.000003p+24}, 0, {-0x1p+24, 0x1.000004p+24}},
    {KIND_i64_f32, {-0x1.000001p+40, 0x1.000003p+40}, 0, {-0x1p+40, 0x1.000004p+40}},
    {KIND_u64_f32, {0x1.000001p+40, 0x1.000003p+63}, 0, {0x1p+40, 0x1.000004p+63}},
    {KIND_i64_f64, {0x1p+53, 0x1.0000000000001p+53}, 0, {0x1p+53, 0x1.0000000000002p+53}},
    {KIND_u64_f64, {0x1p+53, 0x1.0000000000001p+53}, 0, {0x1p+53, 0x1.0000000000002p+53}},
};

static bool computes_alone(void) {
    bool ok = true;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        for (int k = 0; k < 2; k++) {
            volatile double x = known[i].x[k], y = known[i].y;
            ok &= kinds[known[i].kind].alone(x, y) == known[i].result[k];
        }
    return ok;
}

static bool computes_pairs(void) {
    bool ok = sizeof known / sizeof *known == N_KINDS;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        volatile double a = known[i].x[0], b = known[i].x[1], y = known[i].y;
        struct pair pair = kinds[known[i].kind].paired(a, b, y);
        ok &= pair.first == known[i].result[0] && pair.second == known[i].result[1];
    }
    return ok;
}

bool selftest_float(struct err *err) {
    static const struct {
        bool (*ok)(void);
        const char *what;
    } checks[] = {
        {rounds_to_nearest, "the rounding mode is not to nearest even"},
        {keeps_subnormals, "subnormal numbers are flushed to zero"},
        {has_no_excess_precision, "operations have excess precision"},
        {does_not_contract, "products and sums are contracted to fused operations"},
        {rounds_division_and_root, "division or square root is not correctly rounded"},
        {fuses_fma, "fma() rounds twice"},
        {rounds_to_integers, "rint(), round(), ceil() or trunc() is wrong"},
        {computes_alone, "an operation or a conversion is wrong"},
        {computes_pairs, "operations on two neighbours lose a rounding"},
    };
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        if (!checks[i].ok()) {
            err_set(err, ERR_INTERNAL, "floating-point self-test: %s", checks[i].what);
            return err_remedy(err, "build without -ffast-math, with the options of CMakeLists.txt, "
                                   "for a machine with IEEE 754 arithmetic, and preload no "
                                   "library that changes its modes");
        }
    return true;
}
