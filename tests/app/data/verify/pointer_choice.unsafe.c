extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
}
void assume_abort_if_not(int c) {
    if (!c)
        abort();
}

int main(void) {
    int a = 1, b = 2, *p = &a;
    if (__VERIFIER_nondet_int() == 12345)
        p = &b;
    *p = 7;
    if (a == 1 && b == 7)
        reach_error();
    return 0;
}
