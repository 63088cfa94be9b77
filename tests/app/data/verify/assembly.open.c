extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
}
void assume_abort_if_not(int c) {
    if (!c)
        abort();
}

int main(void) {
    int x = 1;
    __asm__("nop" : "+r"(x));
    if (x != 1)
        reach_error();
    return 0;
}
