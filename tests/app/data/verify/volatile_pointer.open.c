extern void reach_error(void);

volatile int *volatile device;

int main(void) {
    volatile int *now = device;
    if (now && *now == 3)
        reach_error();
    return 0;
}
