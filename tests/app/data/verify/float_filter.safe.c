extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
}
void assume_abort_if_not(int c) {
    if (!c)
        abort();
}

extern float __VERIFIER_nondet_float(void);
int main(void) {
    float y = 0.0f;
    for (;;) {
        float u = __VERIFIER_nondet_float();
        assume_abort_if_not(u >= -1.0f && u <= 1.0f);
        y = 0.5f * y + 0.25f * u;
        if (y > 1.0f)
            reach_error();
    }
}
