/* Its own fabs(), which is not that of the library. */
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

double fabs(double x) {
    return x + x;
}

int main(void) {
    double d = __VERIFIER_nondet_double();
    if (d == -3.0 && fabs(d) != -6.0)
        reach_error();
    return 0;
}
