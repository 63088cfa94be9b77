/* From the left g() comes behind f(), from the right before it: compilers may do either. */
extern void reach_error(void);
static int x;

static int two(int a, int b) {
    return a * 10 + b;
}
static int f(void) {
    x = 1;
    return x;
}
static int g(void) {
    return x == 1 ? 5 : 7;
}

int main(void) {
    if (two(f(), g()) == 17)
        reach_error();
    return 0;
}
