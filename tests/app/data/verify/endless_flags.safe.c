extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
}
void assume_abort_if_not(int c) {
    if (!c)
        abort();
}

int main(void) {
    int state = 0, alarm = 0;
    for (;;) {
        int event = __VERIFIER_nondet_int();
        if (state == 0 && event == 1)
            state = 1;
        else if (state == 1 && event == 2)
            state = 2;
        else if (state == 2)
            state = 0;
        alarm = state == 3;
        if (alarm)
            reach_error();
    }
}
