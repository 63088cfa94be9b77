/* What a loop has written at all places holds at the one that is followed, once it is passed. */
extern void reach_error(void);
enum { N = 1000000 };

int main(void) {
    int a[N];
    for (int i = 0; i < N; i++)
        a[i] = 42;
    for (int i = 0; i < N; i++)
        if (a[i] != 42)
            reach_error();
    if (a[0] != 42)
        reach_error();
    return 0;
}
