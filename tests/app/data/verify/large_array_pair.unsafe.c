/* What is read of an array last is not all that is read. */
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int a[100000];

int main(void) {
    int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
    if (i < 0 || i > 3 || j < 0 || j > 3)
        return 0;
    a[i * 20000] = 5;
    a[j * 20000] += 2;
    int first = a[i * 20000], second = a[j * 20000];
    if (first == 5 && second == 2 && a[7] == 0)
        reach_error();
    return 0;
}
