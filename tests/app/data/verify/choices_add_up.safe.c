extern int __VERIFIER_nondet_int(void);
void reach_error(void) {
}
int main(void) {
    int i = 0, a = 0, b = 0, n = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000000)
        return 0;
    for (; i < n; i++) {
        if (__VERIFIER_nondet_int()) {
            a += 1;
            b += 2;
        } else {
            a += 2;
            b += 1;
        }
    }
    if (a + b != 3 * n)
        reach_error();
    return 0;
}
