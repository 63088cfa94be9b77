extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
}
void assume_abort_if_not(int c) {
    if (!c)
        abort();
}

extern unsigned int __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned int x = __VERIFIER_nondet_uint();
    unsigned int high = x >> 24, low = x & 0xffu;
    if (high + low == 510)
        reach_error();
    return 0;
}
