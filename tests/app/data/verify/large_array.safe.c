/* One element of a large array stands for all of them. */
extern void reach_error(void);
enum { N = 100000 };

int main(void) {
    int a[N], i;
    for (i = 0; i < N; i++)
        a[i] = 42;
    for (i = 0; i < N; i++)
        if (a[i] != 42)
            reach_error();
    return 0;
}
