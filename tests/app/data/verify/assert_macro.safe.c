#include <assert.h>
extern short __VERIFIER_nondet_short(void);
int main(void) {
    short x = __VERIFIER_nondet_short();
    int square = x * x;
    assert(square >= 0);
    return 0;
}
