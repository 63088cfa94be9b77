/* What libm gives in other modes than to nearest is not known. */
#include <fenv.h>
#include <math.h>

extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
    double x = __VERIFIER_nondet_double();
    fesetround(FE_UPWARD);
    if (x >= 0.0 && x <= 1.0 && sin(x) < -0.5)
        reach_error();
    return 0;
}
