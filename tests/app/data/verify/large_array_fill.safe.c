/* Zeros, by memset() and from the start; at any place, and at one. */
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int zero[100000];

int main(void) {
    int local[70000] = {0}, i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
    if (i < 0 || i >= 70000)
        return 0;
    if (local[i] || zero[i] || zero[4 * i + 7])
        reach_error();
    local[i] = 3;
    if (local[i] != 3 || (j >= 0 && j < 70000 && local[j] != 0 && local[j] != 3))
        reach_error();
    return 0;
}
