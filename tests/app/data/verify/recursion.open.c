extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
}
void assume_abort_if_not(int c) {
    if (!c)
        abort();
}

static int depth(int n) {
    return n <= 0 ? 0 : 1 + depth(n - 1);
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (depth(n) < 0)
        reach_error();
    return 0;
}
