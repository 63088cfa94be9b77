/* Operands whose order C leaves open: which expressions are found, and what becomes of them. Each
 * snippet is the body of a step function below the same declarations. */
#include "woven_case.h"

void setUp(void) {
}
void tearDown(void) {
}

static const char around[] =
    "struct inst { int n, m; int tab[4]; };\n"
    "int in, out, other; static int x, y, tab[4]; static struct inst a, b;\n"
    "volatile int port, door;\n"
    "int unknown(int); void written(int *); int read_only(const int *);\n"
    "void exit(int); static int (*table[2])(void);\n"
    "static int two(int p, int q) { return p - q; }\n"
    "static int three(int p, int q, int r) { return p - q - r; }\n"
    "static int pure(int p) { int local = p; local++; return local; }\n"
    "static int set_x(void) { x = in; return 1; }\n"
    "static int get_x(void) { return x; }\n"
    "static int deep_x(void) { return set_x() + 1; }\n"
    "static int set_y(void) { y = in; return 1; }\n"
    "static int kept(void) { static int n; n++; return n; }\n"
    "static void put(int *p, int v) { *p = v; }\n"
    "static int own(int v) { int t; put(&t, v); return t; }\n"
    "static int tick(struct inst *p, int v) { put(&p->n, v + p->n); return p->n; }\n"
    "static int second(struct inst *p) { return p->m; }\n"
    "static int sum(const int *p, int n) { int s = 0; while (n-- > 0) s += *p++; return s; }\n"
    "static int fill(int *p) { p[0] = in; return 1; }\n"
    "static int stop(int v) { if (v) exit(1); return v; }\n"
    "int fesetround(int); int fegetround(void); static double d;\n"
    "static int up(void) { return fesetround(0x800); }\n"
    "static int by_pointer(struct inst *p, struct inst *q) { return tick(p, 1) - tick(q, 1); }\n";

enum becomes { NOTHING_FOUND, BOTH_ORDERS, LIMITATION };

static enum becomes becomes_of(const char *body) {
    struct woven_case c;
    case_open(&c);
    case_source(
        &c, "m.c",
        arena_printf(&c.arena, "%svoid step(void) { table[0] = kept; %s }\n", around, body));
    case_weave(&c);
    size_t n = 0;
    for (size_t i = 0; i < c.woven.goals.limitations.len; i++) {
        const struct limitation *l = &c.woven.goals.limitations.data[i];
        if (!str_starts(l->text, "order of evaluation"))
            continue;
        n++;
        TEST_ASSERT_NOT_NULL(strstr(l->text, "local variable"));
        TEST_ASSERT_TRUE(l->line > 0);
    }
    bool marked = strstr(str_text(&c.woven.text), "gk_unordered()") != NULL;
    bool both = strstr(str_text(&c.woven.text), "gk_first") != NULL;
    TEST_ASSERT_EQUAL_MESSAGE(n > 0, marked, body);
    TEST_ASSERT_FALSE_MESSAGE(n > 0 && both, body);
    case_close(&c);
    return n > 0 ? LIMITATION : both ? BOTH_ORDERS : NOTHING_FOUND;
}

struct row {
    enum becomes expected;
    const char *body;
};

static const struct row rows[] = {
    /* calls that touch the same object: each before the other */
    {BOTH_ORDERS, "out = two(set_x(), get_x());"},
    {BOTH_ORDERS, "out = two(deep_x(), get_x());"},
    {BOTH_ORDERS, "out = set_x() + get_x();"},
    {BOTH_ORDERS, "out = kept() - kept();"},
    {BOTH_ORDERS, "out = x + set_x();"},
    {BOTH_ORDERS, "out = deep_x() * x;"},
    {BOTH_ORDERS, "out = tick(&a, 1) - tick(&a, 2);"},
    {BOTH_ORDERS, "struct inst *p = in ? &a : &b; out = tick(p, 1) - tick(&a, 2);"},
    {BOTH_ORDERS, "out = by_pointer(&a, &a);"},
    {BOTH_ORDERS, "out = tick(&a, 1) - second(&a) - a.n;"},
    {BOTH_ORDERS, "out = three(in, set_x(), get_x());"},
    {BOTH_ORDERS, "int t = 1; written(&t); out = fill(&t) + t;"},
    {BOTH_ORDERS, "out = table[0]() < table[0]();"},
    {BOTH_ORDERS, "if (two(set_x(), get_x()) && in) out = 1;"},
    {BOTH_ORDERS, "int local = two(get_x(), set_x()); out = local;"},
    {BOTH_ORDERS, "out = sum(tab, 4) + fill(tab);"},
    {BOTH_ORDERS, "out = set_x() + get_x() ? two(kept(), kept()) : 0;"},
    {BOTH_ORDERS, "out = two(x++, get_x());"}, /* nothing but what is stored matters */
    {BOTH_ORDERS, "out = two(set_x() + get_x(), x);"},
    /* more than two orders, or nothing to keep them in */
    {LIMITATION, "out = three(set_x(), get_x(), get_x());"},
    {LIMITATION, "out = (x + x) - set_x();"},
    {LIMITATION, "out = two(x++, set_x());"},
    {LIMITATION, "out = x++ + x;"},
    {LIMITATION, "x = x++;"},
    {LIMITATION, "tab[x++] = x;"},
    {LIMITATION, "tab[x] = set_x();"},
    {LIMITATION, "x += set_x();"},
    {LIMITATION, "int t[2] = {set_x(), get_x()}; out = t[0] - t[1];"},
    {LIMITATION, "struct inst s = {.n = set_x(), .m = get_x()}; out = s.n - s.m;"},
    {LIMITATION, "out = two(stop(in), set_x());"},
    {LIMITATION, "out = set_x() << get_x();"},
    {LIMITATION, "int t = 0; out = (t = 2) + t;"},
    /* the rounding mode is an object of the calls that set it, and of all that rounds */
    {LIMITATION, "out = up() + (d + d > 1.0);"},
    {LIMITATION, "out = (float)d > 1.0f + up();"},
    {LIMITATION, "out = two(up(), pure(in));"},
    {LIMITATION, "out = up() + fegetround();"},
    {NOTHING_FOUND, "out = up() == d; out = up() + (-d > 1.0); out = up() + (d > in + 1);"},
    {NOTHING_FOUND, "d = up() + 1.0; d = d * (1.0 / 3.0) + fegetround();"},
    /* no conflict, or an order */
    {NOTHING_FOUND, "out = two(set_x(), set_y());"},
    {NOTHING_FOUND, "out = two(pure(x), pure(x));"},
    {NOTHING_FOUND, "out = own(1) + own(2);"},
    {NOTHING_FOUND, "out = tick(&a, 1) + tick(&b, 1);"},
    {NOTHING_FOUND, "out = by_pointer(&a, &b);"},
    {NOTHING_FOUND, "out = tick(&a, 1) + second(&a);"},
    {NOTHING_FOUND, "out = get_x() + get_x() * x;"},
    {NOTHING_FOUND, "out = set_x() && get_x();"},
    {NOTHING_FOUND, "out = set_x() || get_x();"},
    {NOTHING_FOUND, "out = (set_x(), get_x());"},
    {NOTHING_FOUND, "out = set_x() ? get_x() : x;"},
    {NOTHING_FOUND, "x = set_x();"},
    {NOTHING_FOUND, "x = x + 1; x += in; x++; tab[x++] = in;"},
    {NOTHING_FOUND, "out = other = in; tab[0] = tab[1] = 0;"},
    {NOTHING_FOUND, "out = two(set_x(), 3); out = two(in, set_x());"},
    {NOTHING_FOUND, "out = port + door; out = port * port;"},
    {NOTHING_FOUND, "out = unknown(x) + unknown(x);"},
    {NOTHING_FOUND, "out = read_only(&x) + read_only(&x);"},
    {NOTHING_FOUND, "int t[2] = {set_x(), set_y()}; out = t[0];"},
    {NOTHING_FOUND, "out = sum(tab, 4) + sum(tab, 2);"},
    {NOTHING_FOUND, "int i = 0, s = 0; while (i < 4) s += tab[i++]; out = s;"},
    {NOTHING_FOUND, "out = sizeof(x++) + x;"},
};

static void test_each_expression(void) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        TEST_ASSERT_EQUAL_INT_MESSAGE(rows[i].expected, becomes_of(rows[i].body), rows[i].body);
}

/* Functions that nobody enters are not looked at. */
static void test_only_what_runs(void) {
    struct woven_case c;
    case_open(&c);
    case_source(&c, "m.c",
                "int in, out; static int x;\n"
                "int idle(void) { return x++ + x; }\n"
                "void step(void) { out = in; }\n");
    case_weave(&c);
    TEST_ASSERT_EQUAL_size_t(0, c.woven.goals.limitations.len);
    case_close(&c);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_each_expression);
    RUN_TEST(test_only_what_runs);
    return UNITY_END();
}
