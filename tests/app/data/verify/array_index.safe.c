extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
}
void assume_abort_if_not(int c) {
    if (!c)
        abort();
}

int main(void) {
    int table[4] = {3, 5, 7, 9};
    int i = __VERIFIER_nondet_int();
    assume_abort_if_not(i >= 0 && i < 4);
    if (table[i] > 9 || table[i] < 3)
        reach_error();
    return 0;
}
