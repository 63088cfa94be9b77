extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
}
void assume_abort_if_not(int c) {
    if (!c)
        abort();
}

int main(void) {
    int table[8] = {3, 5, 7, 9, 11, 13, 15, 17};
    int i = __VERIFIER_nondet_int();
    assume_abort_if_not(i >= 0 && i < 8);
    if (table[i] == 13)
        reach_error();
    return 0;
}
