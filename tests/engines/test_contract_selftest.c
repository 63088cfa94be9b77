/* The self-test of the floating-point environment accepts this one and notices broken ones
 * (x86-64: the modes are bits of MXCSR). */
#include "engines/solver/selftest.h"

#include "unity.h"

#include <fenv.h>
#include <string.h>
#include <xmmintrin.h>

static unsigned modes;

static void save_modes(void) {
    modes = _mm_getcsr();
}
static void restore_modes(void) {
    _mm_setcsr(modes);
}
static void flush_to_zero(unsigned bits) {
    _mm_setcsr(modes | bits);
}

void setUp(void) {
    save_modes();
}
void tearDown(void) {
    restore_modes();
    fesetround(FE_TONEAREST);
}

static void expect_failure(const char *what) {
    struct err err = {0};
    bool ok = selftest_float(&err);
    restore_modes();
    fesetround(FE_TONEAREST);
    TEST_ASSERT_FALSE(ok);
    TEST_ASSERT_NOT_NULL(strstr(str_text(&err.message), what));
    TEST_ASSERT_EQUAL_INT(ERR_INTERNAL, err.code);
    err_clear(&err);
}

static void test_this_environment_is_right(void) {
    struct err err = {0};
    TEST_ASSERT_TRUE(selftest_float(&err));
    TEST_ASSERT_EQUAL_INT(ERR_NONE, err.code);
}

static void test_other_rounding_modes_are_noticed(void) {
    const int other[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    for (int i = 0; i < 3; i++) {
        fesetround(other[i]);
        expect_failure("rounding mode");
    }
}

static void test_flushing_to_zero_is_noticed(void) {
    flush_to_zero(0x8000); /* results */
    expect_failure("subnormal");
    flush_to_zero(0x0040); /* operands */
    expect_failure("subnormal");
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_this_environment_is_right);
    RUN_TEST(test_other_rounding_modes_are_noticed);
    RUN_TEST(test_flushing_to_zero_is_noticed);
    return UNITY_END();
}
