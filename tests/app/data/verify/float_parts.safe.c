#include <math.h>
extern double __VERIFIER_nondet_double(void);
void reach_error(void) {
}
int main(void) {
    double whole, x = __VERIFIER_nondet_double(), none = fmod(-0.0, x);
    _Bool negative = __builtin_signbit(none);
    int exponent;
    if (!(none == 0.0 && negative) && !isnan(none))
        reach_error();
    if (modf(-3.75, &whole) != -0.75 || whole != -3)
        reach_error();
    if (frexp(0x1p-1074, &exponent) != 0.5 || exponent != -1073)
        reach_error();
    if (ldexp(0x1.8p0, -1074) != 0x1p-1073 || ldexp(-1, 5000) != -INFINITY)
        reach_error();
    if (nextafter(1, 0) != 0x1.fffffffffffffp-1 || nextafter(-0.0, 1) != 0x1p-1074)
        reach_error();
    return 0;
}
