extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
}
void assume_abort_if_not(int c) {
    if (!c)
        abort();
}

int main(void) {
    int n = 0;
again:
    n += __VERIFIER_nondet_int() ? 2 : 3;
    if (n < 20)
        goto again;
    if (n == 22)
        reach_error();
    return 0;
}
