extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
}
void assume_abort_if_not(int c) {
    if (!c)
        abort();
}

static int clamp_steps(int from, int to) {
    while (from < to) {
        if (__VERIFIER_nondet_int())
            break;
        from++;
    }
    return from;
}
int main(void) {
    int a = clamp_steps(0, 50), b = clamp_steps(10, 60);
    if (a > 50 || b > 60 || b < 10)
        reach_error();
    return 0;
}
