/* GNU expressions and _Generic: out = 1 can be reached, out = 2 cannot. */
int i0, i1, i2;
int out;
static int kept;

static int twice(int x) {
    return x > 3 ? 2 * x : 0;
}

static void elvis(void) {
    static int own;
    int e = i0 ?: 7;
    if (e == 7)
        out = 1;
    if (e == 0)
        out = 2;
    own = (own ?: 2) + 1;
    if (own > 4 && own < 6)
        out = 1;
    int h = (i0 && i1) ?: twice(i2);
    if (h == 8)
        out = 1;
    if (h == 2)
        out = 2;
    int *p = (i0 > 3 ? &kept : 0) ?: &own;
    if (*p > 3)
        out = 1;
}

void gnu(void) {
    int g = _Generic(i1, int: i2 + 1, default: kept);
    if (g == 6)
        out = 1;
    if (g == 0)
        out = 2;
    if (__builtin_choose_expr(1, i0 + 1, kept) == 0)
        out = 2;
    elvis();
}
