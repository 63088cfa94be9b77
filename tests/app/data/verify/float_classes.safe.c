extern float __VERIFIER_nondet_float(void);
extern int __isnanf(float), __isinff(float), __finitef(float), __fpclassifyf(float);
extern int __signbitf(float), isnan(double);
extern long lround(double);
void reach_error(void) {
}
int main(void) {
    float x = __VERIFIER_nondet_float();
    int classes = (__fpclassifyf(x) == 0) + (__fpclassifyf(x) == 1) + (__fpclassifyf(x) == 2) +
                  (__fpclassifyf(x) == 3) + (__fpclassifyf(x) == 4);
    if (classes != 1 || (__fpclassifyf(x) == 0) != __isnanf(x))
        reach_error();
    if (__finitef(x) && (__isinff(x) || __isnanf(x)))
        reach_error();
    if (__isinff(x) == -1 && (x > 0.0f || !__signbitf(x)))
        reach_error();
    if (__fpclassifyf(x) == 3 && (x > 1.2e-38f || x < -1.2e-38f))
        reach_error();
    if (x >= 0.5f && x < 1.5f && lround(x) != 1)
        reach_error();
    return isnan(0.0);
}
