/* Neighbours are related, which one element does not say. */
extern void reach_error(void);
enum { N = 100000 };
static int a[N];

int main(void) {
    for (int i = 0; i < N; i++)
        a[i] = 2 * i;
    for (int i = 1; i < N; i++)
        if (a[i - 1] > a[i])
            reach_error();
    return 0;
}
