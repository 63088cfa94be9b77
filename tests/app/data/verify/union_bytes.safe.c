extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
}
void assume_abort_if_not(int c) {
    if (!c)
        abort();
}

union word {
    unsigned int whole;
    unsigned char byte[4];
};
extern unsigned int __VERIFIER_nondet_uint(void);
int main(void) {
    union word w;
    w.whole = __VERIFIER_nondet_uint();
    if (w.byte[0] != (unsigned char)w.whole)
        reach_error();
    return 0;
}
