/* What the model reads elsewhere than at the place that it follows may lead anywhere: it ends
 * there, and the program goes on. */
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
enum { N = 100000 };
static int x = 1, y = 2, *p[N];

int main(void) {
    int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
    if (i < 0 || i >= N || j < 0 || j >= N || i == j)
        return 0;
    p[i] = &x;
    p[j] = &y;
    int first = *p[i], second = *p[j];
    if (first == 1 && second == 2)
        reach_error();
    return 0;
}
