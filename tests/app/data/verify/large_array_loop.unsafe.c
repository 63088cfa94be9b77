/* All places but the first. */
extern void reach_error(void);
enum { N = 1000000 };

int main(void) {
    static int a[N];
    for (int i = 1; i < N; i++)
        a[i] = 42;
    if (a[0] != 42)
        reach_error();
    return 0;
}
