extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
}
void assume_abort_if_not(int c) {
    if (!c)
        abort();
}

int main(void) {
    int a[10];
    for (int i = 0; i < 10; i++)
        a[i] = i;
    int k = __VERIFIER_nondet_int();
    assume_abort_if_not(k >= 0 && k < 10);
    if (a[k] != k)
        reach_error();
    return 0;
}
