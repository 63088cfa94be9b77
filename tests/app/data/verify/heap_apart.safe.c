#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {
}
int main(void) {
    int *p = malloc(100), *q = calloc(25, 4);
    if (!p || !q)
        return 0;
    p[24] = 3;
    for (int i = 0; i < 25; i++)
        if (q[i])
            reach_error();
    q[24] = 4;
    if (p == q || p[24] != 3)
        reach_error();
    return 0;
}
