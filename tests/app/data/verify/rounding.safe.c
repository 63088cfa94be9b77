/* The mode is kept over calls and loops, and asked for. */
#include <assert.h>
#include <fenv.h>
#include <math.h>
extern int __VERIFIER_nondet_int(void);
static void set(int mode) {
    int refused = fesetround(mode);
    assert(refused == 0);
}
int main(void) {
    int modes[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    int saved = fegetround();
    assert(saved == FE_TONEAREST && fesetround(12345) != 0 && fegetround() == FE_TONEAREST);
    while (__VERIFIER_nondet_int())
        set(modes[__VERIFIER_nondet_int() & 3]);
    int mode = fegetround();
    double third = 1.0 / 3.0;
    assert(third == (mode == FE_UPWARD ? 0x1.5555555555556p-2 : 0x1.5555555555555p-2));
    assert((float)16777217 == (mode == FE_UPWARD ? 16777218.0f : 16777216.0f));
    set(FE_DOWNWARD);
    assert(signbit(third - third) != 0);
    set(saved);
    assert(1.0 + 0x1p-53 == 1.0 && signbit(third - third) == 0);
    set(FE_DOWNWARD);
    assert(rint(-third) == -1.0 && lrint(third) == 0 && lrintf(-1.5f) == -2);
    set(FE_UPWARD);
    assert(nearbyint(third) == 1.0 && ldexp(1.5, -1074) == 0x1p-1073 &&
           sqrt(2.0) > 0x1.6a09e667f3bccp0);
    set(FE_TOWARDZERO);
    assert(fma(third, third, 1.0) < 0x1.1c71c71c71c72p0 && ldexp(1.5, -1074) == 0x1p-1074);
    return 0;
}
