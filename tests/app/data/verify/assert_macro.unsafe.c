#include <assert.h>
extern short __VERIFIER_nondet_short(void);
int main(void) {
    short x = __VERIFIER_nondet_short();
    assert(x != 1234);
    return 0;
}
