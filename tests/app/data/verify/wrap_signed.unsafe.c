extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
}
void assume_abort_if_not(int c) {
    if (!c)
        abort();
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    assume_abort_if_not(x > 2147483000);
    int y = x + 1000;
    if (y < 0)
        reach_error();
    return 0;
}
