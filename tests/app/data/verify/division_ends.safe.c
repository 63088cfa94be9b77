extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
}
void assume_abort_if_not(int c) {
    if (!c)
        abort();
}

int main(void) {
    int d = __VERIFIER_nondet_int();
    int q = 100 / d;
    if (d == 0)
        reach_error();
    return q;
}
