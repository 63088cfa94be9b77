extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
}
void assume_abort_if_not(int c) {
    if (!c)
        abort();
}

int main(void) {
    int n = __VERIFIER_nondet_int(), sum = 0;
    assume_abort_if_not(n >= 0 && n <= 5);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            sum++;
    if (sum == 10)
        reach_error();
    return 0;
}
