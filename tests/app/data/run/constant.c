int in, out;

static int level(void) {
    return 3;
}

void constant(void) {
    int off = 0;
    if (off)
        out = 1; /* dead */
    if (level() > 5 && in)
        out = 2; /* dead */
    if (in > 3)
        out = 3;
}
