extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
}
void assume_abort_if_not(int c) {
    if (!c)
        abort();
}

int main(void) {
    int a[3] = {0, 0, 0};
    int i = __VERIFIER_nondet_int();
    a[i] = 1;
    if (i > 2 || i < 0)
        reach_error();
    return 0;
}
