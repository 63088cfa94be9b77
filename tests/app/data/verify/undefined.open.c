/* What another unit defines may be of any size, and may point anywhere. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern int table[], *place;
int main(void) {
    int i = __VERIFIER_nondet_int();
    if (i > 1 && i < 9 && (table[i] == 3 || *place == 4))
        reach_error();
    return 0;
}
