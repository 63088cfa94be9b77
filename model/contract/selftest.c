/* selftest: each check computes one number that comes out different when the property fails. The
 * operands are volatile, so that the hardware of the run answers and not the compiler. */
#include "model/contract/selftest.h"

#include <fenv.h>
#include <float.h>
#include <math.h>

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
    };
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        if (!checks[i].ok()) {
            err_set(err, ERR_INTERNAL, "floating-point self-test: %s", checks[i].what);
            return err_remedy(err, "build without -ffast-math, for a machine with IEEE 754 "
                                   "arithmetic, and preload no library that changes its modes");
        }
    return true;
}
