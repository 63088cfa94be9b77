extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
}
void assume_abort_if_not(int c) {
    if (!c)
        abort();
}

int main(void) {
    unsigned int x = 1;
    while (__VERIFIER_nondet_int())
        x = x * 2 + 1;
    if (x == 0)
        reach_error();
    return 0;
}
