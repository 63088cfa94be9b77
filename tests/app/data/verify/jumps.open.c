extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) {
}
void assume_abort_if_not(int c) {
    if (!c)
        abort();
}

#include <setjmp.h>
static jmp_buf place;
int main(void) {
    if (setjmp(place))
        reach_error();
    return 0;
}
