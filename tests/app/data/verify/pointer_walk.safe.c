extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
}
void assume_abort_if_not(int c) {
    if (!c)
        abort();
}

int main(void) {
    int a[5] = {1, 2, 3, 4, 5}, sum = 0;
    for (const int *p = a; p < a + 5; p++)
        sum += *p;
    if (sum != 15)
        reach_error();
    return 0;
}
