extern double __VERIFIER_nondet_double(void);
extern int __isinf(double), __signbit(double);
extern long lrint(double);
extern int printf(const char *, ...);
void reach_error(void) {
}
int main(void) {
    double x = __VERIFIER_nondet_double();
    printf("%f\n", x);
    if (__isinf(x) || !__signbit(x))
        return 0;
    if (x > -3.0 && lrint(x) == -2 && x != -2.0)
        reach_error();
    return 0;
}
