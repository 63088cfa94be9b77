extern int __VERIFIER_nondet_int(void);
void reach_error(void) {
}

int main(void) {
    long double x = __VERIFIER_nondet_int();
    if (__builtin_isnan(x))
        reach_error();
    return 0;
}
