extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
}
void assume_abort_if_not(int c) {
    if (!c)
        abort();
}

int main(void) {
    int x, y[2];
    if (x != x || y[1] != y[1])
        reach_error();
    return 0;
}
