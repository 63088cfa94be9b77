extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
}
void assume_abort_if_not(int c) {
    if (!c)
        abort();
}

struct flags {
    unsigned int a : 3, b : 5;
};
int main(void) {
    struct flags f = {0, 0};
    f.a = (unsigned int)__VERIFIER_nondet_int();
    f.b = f.a * 9;
    if (f.b == 13)
        reach_error();
    return 0;
}
