#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {
}
int main(void) {
    int *p = malloc(4), x = __VERIFIER_nondet_int();
    if (!p)
        return 0;
    *p = 0;
    while (__VERIFIER_nondet_int()) {
        if (*p < 10)
            ++*p;
    }
    if (*p > 10)
        reach_error();
    free(p);
    return 0;
}
