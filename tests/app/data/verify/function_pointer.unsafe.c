extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
}
void assume_abort_if_not(int c) {
    if (!c)
        abort();
}

static int twice(int x) {
    return 2 * x;
}
static int square(int x) {
    return x * x;
}
static int (*const table[2])(int) = {twice, square};
int main(void) {
    int i = __VERIFIER_nondet_int(), x = __VERIFIER_nondet_int();
    assume_abort_if_not(i >= 0 && i < 2 && x > 2 && x < 100);
    if (table[i](x) == 49)
        reach_error();
    return 0;
}
