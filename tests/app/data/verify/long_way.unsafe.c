/* One run, and it is long: no engine follows it, and a short look at it sees nothing. */
extern void reach_error(void);

int main(void) {
    unsigned int x = 1;
    for (unsigned int i = 0; i < 60000000; i++)
        x = x * 1664525 + 1013904223;
    if (x & 1)
        reach_error();
    return 0;
}
