#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {
}
int main(void) {
    int n = __VERIFIER_nondet_uchar();
    if (n < 1 || n > 40)
        return 0;
    int *p = malloc(n * sizeof *p);
    if (!p)
        return 0;
    for (int i = 0; i < n; i++)
        p[i] = 7;
    if (p[n - 1] != 7)
        reach_error();
    return 0;
}
