/* A function that calls itself a few times, each time with a loop that has no end to be seen, and
 * with locals of its own. */
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {
}

static int largest(const int *v, int n) {
    int own = 10 * n, best = n > 1 ? largest(v + 1, n - 1) : 0;
    while (best < v[0] && __VERIFIER_nondet_int())
        best++;
    if (own != 10 * n)
        reach_error();
    return best;
}

int main(void) {
    int v[3];
    for (int i = 0; i < 3; i++) {
        v[i] = __VERIFIER_nondet_int();
        if (v[i] > 100000)
            return 0;
    }
    if (largest(v, 3) > 100000)
        reach_error();
    return 0;
}
