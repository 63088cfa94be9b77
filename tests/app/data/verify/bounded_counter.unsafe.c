extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
}
void assume_abort_if_not(int c) {
    if (!c)
        abort();
}

int main(void) {
    int x = 0;
    while (__VERIFIER_nondet_int()) {
        if (x <= 10)
            x++;
        else
            x = 0;
    }
    if (x > 10)
        reach_error();
    return 0;
}
