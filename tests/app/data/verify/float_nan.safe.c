extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
}
void assume_abort_if_not(int c) {
    if (!c)
        abort();
}

extern double __VERIFIER_nondet_double(void);
int main(void) {
    double x = __VERIFIER_nondet_double();
    assume_abort_if_not(x > -1e300 && x < 1e300);
    if (x + 1.0 != x + 1.0)
        reach_error();
    return 0;
}
