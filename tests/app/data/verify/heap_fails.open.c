#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {
}
int main(void) {
    int *p = malloc(sizeof *p);
    if (!p)
        reach_error();
    return 0;
}
