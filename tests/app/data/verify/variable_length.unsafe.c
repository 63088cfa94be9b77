#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {
}
int main(void) {
    int n = __VERIFIER_nondet_uchar();
    if (n < 2 || n > 40)
        return 0;
    int p[n];
    for (int i = 1; i < n; i++)
        p[i] = i;
    p[0] = 0;
    if (p[n - 1] == 17)
        reach_error();
    return 0;
}
