/* A local of a block lives anew in each iteration, and nobody has said what it holds. */
extern void reach_error(void);

int main(void) {
    int a = 0;
    for (int i = 0; i < 2; i++) {
        int y;
        if (i == 0)
            a = y;
        else if (a != y)
            reach_error();
    }
    return 0;
}
