#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {
}
int main(void) {
    int n = __VERIFIER_nondet_uchar(), kept = 0;
    int *last = 0;
    for (int i = 0; i < n; i++) {
        int *p = malloc(sizeof *p);
        *p = i;
        if (last && *last != i - 1)
            reach_error();
        last = p;
    }
    return 0;
}
