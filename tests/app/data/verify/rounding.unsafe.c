#include <fenv.h>

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern float __VERIFIER_nondet_float(void);

int main(void) {
    float x = __VERIFIER_nondet_float();
    int mode = __VERIFIER_nondet_int();
    if (fesetround(mode) == 0 && x > 1.0f && x < 2.0f && x * x - 2.0f == 0x1p-22f &&
        x * 3.0f > 4.2426405f && mode != FE_TONEAREST)
        reach_error();
    return 0;
}
