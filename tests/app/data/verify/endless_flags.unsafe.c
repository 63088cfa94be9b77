extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
}
void assume_abort_if_not(int c) {
    if (!c)
        abort();
}

int main(void) {
    int state = 0;
    for (;;) {
        int event = __VERIFIER_nondet_int();
        if (state == 0 && event == 17)
            state = 1;
        else if (state == 1 && event == 4711)
            state = 2;
        else if (state == 2 && event == -5)
            state = 3;
        else
            state = 0;
        if (state == 3)
            reach_error();
    }
}
