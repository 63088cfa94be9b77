/* The last round of the second loop begins with one. */
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int rounds = __VERIFIER_nondet_int(), held = 0;
    for (int i = 0; i < rounds; i++)
        held++;
    for (int i = 0; i < rounds; i++) {
        if (held < 2)
            reach_error();
        held--;
    }
    return 0;
}
