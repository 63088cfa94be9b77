/* A place and what is stored there count together, also where places are of 64 bits. */
extern void reach_error(void);
enum { N = 1000000 };

int main(void) {
    int a[N];
    for (int i = 0; i < N; i++)
        a[i] = i;
    for (int i = 0; i < N; i++)
        if (a[i] != i)
            reach_error();
    return 0;
}
