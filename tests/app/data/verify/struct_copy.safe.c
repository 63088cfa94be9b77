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
static struct pair swap(struct pair p) {
    struct pair q = {p.b, p.a};
    return q;
}
int main(void) {
    struct pair p = {__VERIFIER_nondet_int(), __VERIFIER_nondet_int()};
    struct pair q = swap(swap(p));
    if (q.a != p.a || q.b != p.b)
        reach_error();
    return 0;
}
