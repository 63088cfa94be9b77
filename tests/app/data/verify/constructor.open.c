extern int __VERIFIER_nondet_int(void);
void reach_error(void) {
}

static int started;
__attribute__((constructor)) static void start(void) {
    started = 1;
}
int main(void) {
    if (__VERIFIER_nondet_int() > 3 && started > 1)
        reach_error();
    return 0;
}
