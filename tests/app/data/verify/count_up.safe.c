extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
}
void assume_abort_if_not(int c) {
    if (!c)
        abort();
}

int main(void) {
    int i = 0;
    while (i < 100000)
        i++;
    if (i != 100000)
        reach_error();
    return 0;
}
