extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
}
void assume_abort_if_not(int c) {
    if (!c)
        abort();
}

extern void exit(int);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 5)
        exit(1);
    if (x == 6)
        reach_error();
    return 0;
}
