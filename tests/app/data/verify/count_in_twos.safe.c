/* That the count is twice the rounds is easy to show, and hard to check by that alone: a solver
 * sees it when it splits on which of the two ends has come first. */
extern void reach_error(void);
int nondet_int(void);

int main(void) {
    int rounds = nondet_int(), total = 0;
    for (int i = 1; i <= rounds; i++)
        total += 2;
    if (total != 2 * rounds && total != 0)
        reach_error();
    return 0;
}
