extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
}
void assume_abort_if_not(int c) {
    if (!c)
        abort();
}

struct pair {
    int a, b;
};
int main(void) {
    struct pair p = {__VERIFIER_nondet_int(), __VERIFIER_nondet_int()}, q = p;
    q.a++;
    if (p.a == -3 && q.a + p.b == 40)
        reach_error();
    return 0;
}
