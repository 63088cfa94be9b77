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
    float x = __VERIFIER_nondet_float();
    assume_abort_if_not(x >= 0.0f && x <= 10.0f);
    float y = x * 0.5f + 1.0f;
    if (y < 1.0f || y > 6.0f)
        reach_error();
    return 0;
}
