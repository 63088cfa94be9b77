/* The last element is not set, and two elements are compared with each other. */
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
enum { N = 70000 };
static int a[N];

int main(void) {
    int i;
    for (i = 0; i < N - 1; i++)
        a[i] = 42;
    for (i = 1; i < N; i++)
        if (a[i] != a[i - 1])
            reach_error();
    return 0;
}
