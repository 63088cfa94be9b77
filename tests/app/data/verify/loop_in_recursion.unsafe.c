/* The outer calls may go on where the inner one has stopped. */
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {
}

static int largest(const int *v, int n) {
    int best = n > 1 ? largest(v + 1, n - 1) : 0;
    while (best < v[0] && __VERIFIER_nondet_int())
        best++;
    return best;
}

int main(void) {
    int v[3];
    for (int i = 0; i < 3; i++) {
        v[i] = __VERIFIER_nondet_int();
        if (v[i] > i + 1 || v[2] > 1)
            return 0;
    }
    if (largest(v, 3) == 2)
        reach_error();
    return 0;
}
