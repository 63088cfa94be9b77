extern int __VERIFIER_nondet_int(void);
void reach_error(void) {
}
int main(void) {
    int n = __VERIFIER_nondet_int(), even = 0, i = 0;
    if (n < 0 || n > 1000)
        return 0;
    if (n & 1)
        goto odd;
    while (i < n) {
        even++;
        i++;
        if (i >= n)
            break;
    odd:
        i++;
    }
    if (i == 11 && even == 5)
        reach_error();
    return 0;
}
