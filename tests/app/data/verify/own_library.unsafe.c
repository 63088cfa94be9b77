/* Its own fabs() and exit(), which are not those of the library. */
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

static int ended;

void exit(int code) {
    ended += code;
}
double fabs(double x) {
    return x + x;
}

int main(void) {
    double d = __VERIFIER_nondet_double();
    exit(1);
    if (ended == 1 && d < 0.0 && fabs(d) == -6.0)
        reach_error();
    return 0;
}
