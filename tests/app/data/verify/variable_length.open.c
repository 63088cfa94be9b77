#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1)
        return 0;
    int p[n];
    p[0] = 1;
    if (p[0] != 1)
        reach_error();
    return 0;
}
