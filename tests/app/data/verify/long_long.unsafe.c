extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
}
void assume_abort_if_not(int c) {
    if (!c)
        abort();
}

extern long long __VERIFIER_nondet_longlong(void);
int main(void) {
    long long x = __VERIFIER_nondet_longlong();
    if (x > 5000000000LL && x % 1000003 == 7)
        reach_error();
    return 0;
}
