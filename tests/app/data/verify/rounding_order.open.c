/* From the right the sum comes before the call. */
#include <fenv.h>

extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

static int upward(void) {
    return fesetround(FE_UPWARD);
}

int main(void) {
    double x = __VERIFIER_nondet_double();
    if (x >= 1.0 && x <= 2.0 && upward() + (x + 0x1p-60) == x)
        reach_error();
    return 0;
}
