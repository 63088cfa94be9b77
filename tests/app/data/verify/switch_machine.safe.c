extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
}
void assume_abort_if_not(int c) {
    if (!c)
        abort();
}

int main(void) {
    int mode = 1, last = 1;
    while (1) {
        last = mode;
        switch (mode) {
        case 1:
            mode = __VERIFIER_nondet_int() ? 2 : 1;
            break;
        case 2:
            mode = 4;
            break;
        case 4:
            mode = __VERIFIER_nondet_int() > 5 ? 1 : 2;
            break;
        default:
            reach_error();
        }
        if (last == 1 && mode == 4)
            reach_error();
    }
}
