/* What rose as often as the first loop went round is taken back once a round of the second. */
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int rounds = __VERIFIER_nondet_int(), held = 0;
    for (int i = 0; i < rounds; i++)
        held++;
    for (int i = 0; i < rounds; i++) {
        if (held < 1)
            reach_error();
        held--;
    }
    return 0;
}
