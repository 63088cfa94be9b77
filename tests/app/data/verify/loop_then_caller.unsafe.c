extern int __VERIFIER_nondet_int(void);
void reach_error(void) {
}
static int walk(int n) {
    int i = 0;
    while (i < n)
        if (__VERIFIER_nondet_int())
            i++;
    return i;
}
int main(void) {
    int calls = 0;
    for (;;) {
        calls += walk(3);
        if (calls == 9)
            reach_error();
    }
}
