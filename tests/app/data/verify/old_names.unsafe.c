extern void __VERIFIER_error(void) __attribute__((__noreturn__));
extern void __VERIFIER_assume(int);
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
void __VERIFIER_assert(int cond) {
    if (!cond) {
    ERROR:
        __VERIFIER_error();
    }
}
int main(void) {
    unsigned long x = __VERIFIER_nondet_ulong();
    _Bool b = __VERIFIER_nondet_bool();
    __VERIFIER_assume(x < 1000 && b);
    __VERIFIER_assert(x != 999);
    return 0;
}
