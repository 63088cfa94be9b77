extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
}
void assume_abort_if_not(int c) {
    if (!c)
        abort();
}

static int walk(int from, int to) {
    while (from < to) {
        if (__VERIFIER_nondet_int())
            break;
        from += 3;
    }
    return from;
}
int main(void) {
    if (walk(0, 50) == 51)
        reach_error();
    return 0;
}
