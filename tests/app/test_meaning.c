/* What C leaves open or leaves to the environment, from the source to the verdict: a line that ends
 * in one of the words `reached`, `dead`, `open` as a comment says what its `out = …;` is. */
#include "folder.h"

#include "unity.h"

#include <stdio.h>
#include <string.h>

static const char *further_sources = ""; /* ", \"other.c\"" */

void setUp(void) {
    further_sources = "";
    folder_open();
}
void tearDown(void) {
    folder_close();
}

/* "12 dead\n" for each marked line of the source. */
static void expected_of(const char *source, struct str *out) {
    static const char *const words[] = {"reached", "dead", "open"};
    static const char *const statuses[] = {"reachable", "dead", "open"};
    unsigned line = 1;
    for (; *source; line++) {
        const char *end = strchr(source, '\n');
        TEST_ASSERT_NOT_NULL(end);
        for (int i = 0; i < 3; i++) {
            size_t n = strlen(words[i]);
            if (end > source + n && strncmp(end - n, words[i], n) == 0)
                str_addf(out, "%u %s\n", line, statuses[i]);
        }
        source = end + 1;
    }
}

static void stored_verdicts(struct str *out) {
    struct store *store = NULL;
    TEST_ASSERT_TRUE_MESSAGE(store_open(&store, path("m.db"), STORE_READ, &err),
                             str_text(&err.message));
    struct rows *rows =
        rows_open(store,
                  "SELECT DISTINCT line, status FROM goal_status WHERE kind = 'statement' AND text "
                  "LIKE 'out = %' ORDER BY line, status",
                  &err);
    while (rows_next(rows))
        str_addf(out, "%s %s\n", rows_text(rows, 0), rows_text(rows, 1));
    TEST_ASSERT_TRUE_MESSAGE(rows_close(rows, &err), str_text(&err.message));
    store_close(store);
}

/* `project`: what goalkeeper.json says behind the step function, ", …" or "". */
static void expect_verdicts(const char *source, const char *project) {
    struct str expected = {0}, found = {0}, same = {0};
    put("m.c", source);
    put("goalkeeper.json", arena_printf(&arena, "{\"sources\": [\"m.c\"%s], \"step\": \"step\"%s}",
                                        further_sources, project));
    run_tool("run --db m.db -j 1 --criteria statement --seconds 60", NULL);
    expect_end(0, NULL);
    expected_of(source, &expected);
    stored_verdicts(&found);
    TEST_ASSERT_GREATER_THAN_size_t(0, expected.len);
    for (const char *at = str_text(&found); *at; at = strchr(at, '\n') + 1) {
        const char *line = arena_strndup(&arena, at, strcspn(at, " ") + 1);
        const char *marked = strstr(str_text(&expected), line);
        if (marked && (marked == str_text(&expected) || marked[-1] == '\n'))
            str_addn(&same, at, strcspn(at, "\n") + 1);
    }
    TEST_ASSERT_EQUAL_STRING(str_text(&expected), str_text(&same));
    str_free(&expected);
    str_free(&found);
    str_free(&same);
}

/* ---- volatile ---- */

static const char calibration[] = "struct par { short lim; unsigned char mode; };\n"
                                  "const volatile short Kp = 5;\n"
                                  "static const volatile unsigned char Tab[4] = {1, 2, 3, 4};\n"
                                  "const volatile struct par Par = {100, 2};\n"
                                  "struct { const volatile int gain; int sum; } Mixed = {3, 0};\n"
                                  "const volatile short Free = 7;\n"
                                  "const volatile struct par Both = {9, 9};\n"
                                  "volatile int Given = 11;\n"
                                  "volatile int Port;\n"
                                  "int in, out; unsigned char idx;\n"
                                  "static int get(const volatile short *p) { return *p; }\n"
                                  "void step(void) {\n"
                                  "    static const volatile short Loc = 7;\n"
                                  "    const volatile unsigned char *t = Tab;\n"
                                  "    volatile int own = 3, two[2] = {1, 2};\n"
                                  "    struct par copy = Par, both = Both;\n"
                                  "    int free1 = Free, free2 = Free;\n"
                                  "    if (Kp > 6) out = 1; // dead\n"
                                  "    if (Tab[idx & 3] > 4) out = 2; // dead\n"
                                  "    if (Par.lim < 100) out = 3; // dead\n"
                                  "    if (get(&Kp) != get(&Par.lim) - 95) out = 4; // dead\n"
                                  "    if (t[2] != 3) out = 5; // dead\n"
                                  "    if (Loc != 7) out = 6; // dead\n"
                                  "    if (Mixed.gain != 3) out = 7; // dead\n"
                                  "    if (copy.mode != 2) out = 8; // dead\n"
                                  "    if (own != 3) out = 9; // dead\n"
                                  "    if (two[idx & 1] == 3) out = 10; // dead\n"
                                  "    if (Given != 11) out = 11; // dead\n"
                                  "    if (get(&Kp) == 5 && in > 7) out = 12; // reached\n"
                                  "    if (free1 == 12) out = 13; // reached\n"
                                  "    if (free1 == 14) out = 14; // dead\n"
                                  "    if (free1 != free2) out = 15; // dead\n"
                                  "    if (both.lim == 4) out = 16; // reached\n"
                                  "    if (both.lim != Both.lim) out = 17; // dead\n"
                                  "    if (Port != Port) out = 18; // reached\n"
                                  "    if (get(&Free) == 14) out = 19; // dead\n"
                                  "}\n";

static void test_const_volatile_follows_its_mode(void) {
    expect_verdicts(calibration,
                    ", \"parameters\": [{\"name\": \"Free\", \"mode\": \"range\", \"min\": 3, "
                    "\"max\": 13}, {\"name\": \"Both\", \"mode\": \"range\"}, "
                    "{\"name\": \"Kp\", \"mode\": \"fixed\"}, "
                    "{\"name\": \"Given\", \"mode\": \"fixed\"}]");
}

static const char devices[] = "struct reg { short lim; unsigned char mode; };\n"
                              "const volatile int K = 5;\n"
                              "volatile int Port; volatile int Bank[2];\n"
                              "int in, out;\n"
                              "static int get(const volatile int *p) { return *p; }\n"
                              "static int first(volatile int *p) { return *p++; }\n"
                              "void step(void) {\n"
                              "    volatile int own = 3;\n"
                              "    if (get(&K) == 6) out = 1; // dead\n"
                              "    if (get(&Port) == 6) out = 2; // reached\n"
                              "    if (get(&Bank[in & 1]) == -77) out = 3; // reached\n"
                              "    if (first(&own) != 3) out = 4; // dead\n"
                              "    if (get(in ? &K : &Port) == 8 && in) out = 5; // dead\n"
                              "}\n";

/* One pointer leads to calibration data and to devices. */
static void test_a_pointer_to_both(void) {
    expect_verdicts(devices, "");
}

static const char whole[] =
    "struct reg { short lim; unsigned char mode; };\n"
    "struct dev { volatile int status; int data; };\n"
    "volatile struct reg R, Bank[2]; struct dev Dev; int *volatile Where;\n"
    "int in, out;\n"
    "void step(void) {\n"
    "    if (R.lim == 100) out = 1; // reached\n"
    "    if (in == 1) { struct reg l = R; if (l.lim == 100) out = 2; } // open\n"
    "    if (in == 2) { struct reg m; m = Bank[in & 1];\n"
    "        if (m.mode == 3) out = 3; } // open\n"
    "    if (in == 3) { struct dev d = Dev;\n"
    "        if (d.status == 3) out = 4; } // open\n"
    "    if (in == 4) { int *w = Where;\n"
    "        if (!w) out = 5; } // open\n"
    "}\n";

static void test_volatile_structs_read_as_a_whole(void) {
    expect_verdicts(whole, "");
}

/* ---- floats ---- */

/* Just above a float lie doubles that become that float. Few of the inputs do: they are found by
 * reasoning, which a lost rounding would forbid. */
static const char rounding[] = "double in; int out;\n"
                               "void step(void) {\n"
                               "    double d = in + 0.1;\n"
                               "    if (d > 1000.25) {\n"
                               "        if ((float)d == 1000.25f) out = 1; // reached\n"
                               "    }\n"
                               "    if (in > 1.0) { if ((float)in == 1.0f) out = 2; } // reached\n"
                               "    if (in > 1.0) { if ((float)in < 1.0f) out = 3; } // dead\n"
                               "}\n";

static void test_a_number_above_rounds_down(void) {
    expect_verdicts(rounding, "");
}

/* The end of every module on rounding modes: upward, 2 + 2^-53 is above 2. */
#define ABOVE "x >= 1.0 && x <= 2.0 && x + 0x1p-53 > 2.0"

static const char nearest[] = "#include <fenv.h>\n"
                              "double in; unsigned char k; int out;\n"
                              "void step(void) {\n"
                              "    double x = in;\n"
                              "    fesetround(FE_TONEAREST);\n"
                              "    fesetenv(FE_DFL_ENV);\n"
                              "    if (k > 300) { fesetround(FE_UPWARD); out = 1; } // dead\n"
                              "    if (fegetround() != FE_TONEAREST) out = 2; // dead\n"
                              "    if (" ABOVE ") out = 3; // dead\n"
                              "    if (x >= 1.0 && x + 1.0 < 4.0) out = 4; // reached\n"
                              "}\n";

static void test_rounding_to_nearest_is_set_again(void) {
    expect_verdicts(nearest, "");
}

/* The native build really changes it, for the steps that follow too. */
static const char upward[] = "#include <fenv.h>\n"
                             "double in; unsigned char up; int out;\n"
                             "void step(void) {\n"
                             "    double x = in;\n"
                             "    if (" ABOVE ") out = 1; // reached\n"
                             "    if (x > 2.0 && x < 1.0) out = 2; // open\n"
                             "    if (up) fesetround(FE_UPWARD);\n"
                             "}\n";
static const char restored[] = "#include <fenv.h>\n"
                               "double in; fenv_t saved; static int n; int out;\n"
                               "void step(void) {\n"
                               "    double x = in;\n"
                               "    if (n == 0) fegetenv(&saved);\n"
                               "    if (n == 1) { fesetround(FE_UPWARD);\n"
                               "        if (" ABOVE ") out = 1; } // reached\n"
                               "    if (n == 2) fesetenv(&saved);\n"
                               "    if (n < 3) n++;\n"
                               "    if (n == 3 && " ABOVE ") out = 2; // open\n"
                               "}\n";
static const char control_word[] = "#include <xmmintrin.h>\n"
                                   "double in; int out;\n"
                                   "void step(void) {\n"
                                   "    double x = in;\n"
                                   "    if (" ABOVE ") out = 1; // reached\n"
                                   "    if (x > 2.0 && x < 1.0) out = 2; // open\n"
                                   "    _mm_setcsr(0x5f80);\n"
                                   "}\n";

static void test_other_rounding_modes(void) {
    expect_verdicts(upward, "");
    expect_verdicts(restored, "");
    expect_verdicts(control_word, "");
}

/* Nobody can run it here: what lies behind it is neither dead nor reached. */
static const char foreign[] = "unsigned _controlfp(unsigned, unsigned);\n"
                              "double in; int out;\n"
                              "void step(void) {\n"
                              "    double x = in;\n"
                              "    if (x > 3.0) out = 1; // reached\n"
                              "    if (x < 3.0) _controlfp(0x100, 0x300);\n"
                              "    if (" ABOVE ") out = 2; // open\n"
                              "    if (x < 2.0) out = 3; // open\n"
                              "    if (x > 4.0) out = 4; // reached\n"
                              "}\n";

static void test_a_rounding_mode_of_another_target(void) {
    expect_verdicts(foreign, "");
    TEST_ASSERT_EQUAL_INT64(1, number_in("m.db", "SELECT count(*) FROM goal_status WHERE reason "
                                                 "LIKE '%rounding mode changes here%m.c:6)%' AND "
                                                 "text = 'out = 3;'"));
}

/* A NaN comes from 0 / 0; which one it is nobody knows, but it stays the same. */
#define NAN_HEAD                                                                                   \
    "#include <math.h>\n#include <string.h>\n"                                                     \
    "union view { float f; unsigned w; unsigned char b[4]; };\n"                                   \
    "float above, below; int out; static union view kept; static float last;\n"

static const char patterns[] =
    NAN_HEAD "void step(void) {\n"
             "    union view v; unsigned w; float q = above / below; int nan = q != q;\n"
             "    v.f = q; memcpy(&w, &v, 4);\n"
             "    int masked = (v.w & 0x7f800000u) == 0x7f800000u && (v.w & 0x007fffffu) != 0;\n"
             "    int copied = (w & 0x7fffffffu) > 0x7f800000u;\n"
             "    if (nan && !masked) out = 1; // dead\n"
             "    if (!nan && masked) out = 2; // dead\n"
             "    if (copied != nan) out = 3; // dead\n"
             "    if (v.b[3] != v.w >> 24) out = 4; // dead\n"
             "    if (v.w != v.w) out = 5; // dead\n"
             "    if (!signbit(q) != !signbit(q)) out = 6; // dead\n"
             "    if (signbit(v.f) ? !(v.w >> 31) : v.w >> 31) out = 12; // dead\n"
             "    if (nan && v.b[3] == 0x7e) out = 7; // dead\n"
             "    if (nan && signbit(q)) out = 8; // reached\n"
             "    if (nan && (w & 0x00400000u)) out = 9; // reached\n"
             "    v.w = v.w & 0x7fffffffu;\n"
             "    if (nan && v.f == v.f) out = 10; // dead\n"
             "    if (!nan && v.f != fabsf(q)) out = 11; // dead\n"
             "}\n";

static const char signs[] =
    NAN_HEAD "void step(void) {\n"
             "    float q = above / below;\n"
             "    if (signbit(copysign(NAN, -2.0))) out = 1; // reached\n"
             "    if (signbit(-NAN)) out = 2; // reached\n"
             "    if (q != q && signbit(copysignf(q, -above))) out = 3; // reached\n"
             "    if (q != q && signbit(-q) && !signbit(q)) out = 4; // open\n"
             "    kept.f = last; \n"
             "    if (last == last && kept.w == 0xffc00000u) out = 5; // dead\n"
             "    if (last != last && kept.w == 0xffc00000u) out = 6; // reached\n"
             "    last = q;\n"
             "}\n";

static void test_bits_of_a_nan(void) {
    expect_verdicts(patterns, "");
    expect_verdicts(signs, "");
}

/* ---- inputs before the init functions ---- */

static const char before_init[] =
    "struct cfg { short a, b; };\n"
    "extern int Boot;\n"
    "signed char in, mate, other, calm; static int mode, kept, first; int out, given = 5;\n"
    "void init(const struct cfg *c) {\n"
    "    kept = c->a;\n"
    "    if (in == 0) mode = 7;\n"
    "    if (in == 2) mode = 1;\n"
    "    if (in == 3) mode = 2;\n"
    "    if (Boot == 77) first = 4;\n"
    "    if (given != 5) first = 9;\n"
    "    other = 4; if (other == 4 && mate == 100) first = 8;\n"
    "}\n"
    "void step(void) {\n"
    "    if (mode == 1) out = 1; // reached\n"
    "    if (mode == 2 && in == 1) out = 2; // reached\n"
    "    if (mode == 7) out = 3; // dead\n"
    "    if (kept == 1234) out = 4; // reached\n"
    "    if (first == 4) out = 5; // reached\n"
    "    if (first == 9) out = 6; // dead\n"
    "    if (given == 6) out = 7; // reached\n"
    "    if (first == 8 && mode != 2) out = 8; // dead\n"
    "    if (first == 8 && mate == 50) out = 9; // reached\n"
    "    if (in == 0) out = 10; // dead\n"
    "    if (other == 3 && calm == 3) out = 11; // reached\n"
    "    mode += 0; kept += 0; first += 0;\n"
    "}\n";

static void test_inputs_before_init(void) {
    expect_verdicts(before_init,
                    ", \"init\": [\"init\"], \"inputs\": [{\"name\": \"in\", \"min\": 1, "
                    "\"max\": 3}, {\"name\": \"given\"}], "
                    "\"assumptions\": [\"mate != 100 || in == 3\"]");
    TEST_ASSERT_EQUAL_INT64(0,
                            number_in("m.db", "SELECT count(*) FROM witness_step WHERE (step = 0 "
                                              "AND input IN ('given', 'calm')) OR (step > 0 AND "
                                              "input IN ('Boot', 'c->a'))"));
    TEST_ASSERT_GREATER_THAN_INT64(
        0, number_in("m.db", "SELECT count(*) FROM witness_step w JOIN goal_status g ON g.goal_id "
                             "= w.goal_id WHERE text = 'out = 2;' AND step = 0 AND input = 'in' "
                             "AND CAST(w.value AS INTEGER) = 3"));
    run_tool(arena_printf(&arena, "replay m.db %lld",
                          (long long)number_in("m.db", "SELECT goal_id FROM goal_status WHERE "
                                                       "text = 'out = 2;'")),
             NULL);
    expect_end(0, NULL);
    TEST_ASSERT_TRUE_MESSAGE(says(&r.out, "\n   0  input "), str_text(&r.out));
}

/* ---- locals of blocks ---- */

static const char blocks[] = "struct s { short a; int b[3]; };\n"
                             "static void keep(int *p) { (void)p; }\n"
                             "unsigned char in; int out;\n"
                             "void step(void) {\n"
                             "    int a = 0, c = 0, d = 0, e = 0, f = 0, i;\n"
                             "    for (i = 0; i < 2; i++) {\n"
                             "        int y, k[2], z; struct s t; keep(&z);\n"
                             "        if (i == 0) { a = y; c = t.a; d = k[1]; e = z; }\n"
                             "        else {\n"
                             "            if (a != y) out = 1; // open\n"
                             "            if (a == y) out = 2; // open\n"
                             "            if (c != t.a) out = 3; // open\n"
                             "            if (d != k[1]) out = 4; // open\n"
                             "            if (d == k[1]) out = 5; // open\n"
                             "            if (e != z) out = 6; // open\n"
                             "        }\n"
                             "    }\n"
                             "    i = 0;\n"
                             "again: {\n"
                             "        int y;\n"
                             "        if (i == 0) f = y;\n"
                             "        else if (f != y) out = 7; // open\n"
                             "        if (i++ == 0) goto again;\n"
                             "    }\n"
                             "    if (in == 3) out = 8; // reached\n"
                             "}\n";

static void test_locals_live_anew_in_each_iteration(void) {
    expect_verdicts(blocks, ", \"engines\": [\"simulate\", \"houdini\", \"kind\"]");
}

/* ---- what compilers may choose ----
 *
 * Each goal that is open here is one that some build by gcc or clang reaches and another does not,
 * or that C lets them reach. */

#define CHOOSE ", \"engines\": [\"simulate\", \"houdini\", \"cbmc-bmc\", \"cbmc-kind\"]"

/* What was never set is read anew at each use, also through copies and operations. */
static const char never_set[] = "unsigned char in; int out;\n"
                                "void step(void) {\n"
                                "    int u, w[2], x = 0, y = 0, a = 0, b = 0;\n"
                                "    _Bool f;\n"
                                "    if (in == 1 && u != u) out = 1; // open\n"
                                "    if (in == 2) { x = u; y = x + 1; }\n"
                                "    if (in == 2 && y - 1 != x) out = 2; // open\n"
                                "    if (in == 3 && w[0] != w[0]) out = 3; // open\n"
                                "    if (in == 4) { if (u == 3) a = 1; if (u == 4) b = 1; }\n"
                                "    if (a && b) out = 4; // open\n"
                                "    if (in == 5 && f != 0 && f != 1) out = 5; // open\n"
                                "    if (in == 6) { int i = f; if (i > 1) out = 6; } // open\n"
                                "    if (in & 8) u = 7;\n"
                                "    if ((in & 8) && u != 7) out = 7; // dead\n"
                                "    if (in == 7 && in == 9) out = 8; // dead\n"
                                "}\n";

static const char bytes[] = "union flag { _Bool b; unsigned char c; };\n"
                            "struct pad { char c; int i; };\n"
                            "unsigned char in, k; int out; static int kept; static _Bool on;\n"
                            "void step(void) {\n"
                            "    union flag v; struct pad p;\n"
                            "    v.c = k; p.c = 1; p.i = 2;\n"
                            "    if (kept == 2) out = 1; // open\n"
                            "    kept = 0;\n"
                            "    if (in == 1 && k == 2 && v.b) out = 2; // open\n"
                            "    if (in == 2 && k == 2 && (int)v.b == 2) out = 3; // open\n"
                            "    if (in == 3) kept = v.b;\n"
                            "    if (in == 4 && ((unsigned char *)&p)[1] != 0) out = 4; // open\n"
                            "    if (in == 5 && k == 1 && !v.b) out = 5; // dead\n"
                            "    on = in > 5; if ((int)on > 1) out = 6; // dead\n"
                            "}\n";

static void test_what_was_never_set(void) {
    expect_verdicts(never_set, CHOOSE);
    expect_verdicts(bytes, CHOOSE);
}

/* Where objects lie, and which literals are one. */
static const char places[] =
    "#include <stdint.h>\n"
    "int in, out, a[4], b[4]; static const char *text = \"abc\";\n"
    "static int *gone(void) { int x, *volatile p = &x; return p; }\n"
    "void step(void) {\n"
    "    const char *p = \"abc\", *q = \"abc\", *end = \"bc\", *other = \"xyz\";\n"
    "    if (in == 1 && p != q) out = 1; // open\n"
    "    if (in == 2 && p != text) out = 2; // open\n"
    "    if (in == 3 && p + 1 == end) out = 3; // open\n"
    "    if (in == 4 && p + 1 != end) out = 4; // open\n"
    "    if (in == 5 && p == other) out = 5; // dead\n"
    "    if (in == 6 && &a[4] == &b[0]) out = 6; // open\n"
    "    if (in == 7 && &b[4] == &a[0]) out = 7; // open\n"
    "    if (in == 8 && &a[3] == &b[0]) out = 8; // dead\n"
    "    if (in == 9 && &a[0] < &b[0]) out = 9; // open\n"
    "    if (in == 10 && (uintptr_t)&a[0] > (uintptr_t)&b[0]) out = 10; // open\n"
    "    if (in == 11 && &a[1] < &a[0]) out = 11; // dead\n"
    "    if (in == 12) { int x, *g = gone(); if (g == &x) out = 12; } // open\n"
    "}\n";

static void test_where_objects_lie(void) {
    expect_verdicts(places, CHOOSE);
}

/* Numbers; CBMC, which has one possibility in mind, claims no bound for them. */
static const char numbers[] =
    "#include <math.h>\n#include <string.h>\n"
    "int in, n; float f; int out; struct pad { char c; int i; } s, t;\n"
    "void step(void) {\n"
    "    if (in == 1 && (signbit(f) > 1 || signbit(f) < 0)) out = 1; // open\n"
    "    if (in == 2 && signbit(f) && f >= 1.0f) out = 2; // dead\n"
    "    if (in == 3 && n == 33 && (1 << n) == 2) out = 3; // open\n"
    "    if (in == 4 && n == 33 && (1 << n) == 0) out = 4; // open\n"
    "    if (in == 5 && f > 1e20f && (unsigned char)f == 77) out = 5; // open\n"
    "    if (in == 6 && f > 1e20f && (int)f == -77) out = 6; // open\n"
    "    if (in == 7) { int i = (int)f; if (i > 9) i = 9; if (i > 9) out = 7; } // dead\n"
    "    s.c = 1; t.c = 1; s.i = t.i = 2;\n"
    "    if (in == 8 && memcmp(&s, &t, sizeof s) != 0) out = 8; // open\n"
    "}\n";

static void test_numbers_that_c_leaves_open(void) {
    expect_verdicts(numbers, CHOOSE);
    TEST_ASSERT_EQUAL_INT64(0, number_in("m.db", "SELECT count(*) FROM goal_status WHERE status = "
                                                 "'open' AND bound > 0"));
}

/* One thread, whatever the variables say of it: atomic accesses are accesses. */
static void test_atomic_and_thread_local(void) {
    static const char source[] =
        "static _Atomic unsigned sum;\n"
        "static _Thread_local int mine;\n"
        "int in, out, word = 4;\n"
        "void step(void) {\n"
        "    static __thread unsigned char inner;\n"
        "    int was = 4;\n"
        "    inner++;\n"
        "    mine += inner;\n"
        "    sum |= 1u << (in & 3);\n"
        "    __sync_synchronize();\n"
        "    if (mine == 6) out = 1; // reached\n"
        "    if (sum == 15) out = 3; // reached\n"
        "    if (sum > 15) out = 4; // dead\n"
        "    if (__sync_bool_compare_and_swap(&word, was, 9)) out = 5; // reached\n"
        "    if (word == 4) out = 6; // dead\n"
        "    if (__sync_fetch_and_add(&word, 1) == 11) out = 7; // reached\n"
        "}\n";
    expect_verdicts(source, "");
    TEST_ASSERT_NULL(strstr(str_text(&r.err), "without a body"));
}

/* What a compiler sees of an expression: neither answer can be relied on. */
static void test_what_compilers_see(void) {
    static const char source[] =
        "int in, out; char kept[7];\n"
        "static int known(int k) { return __builtin_constant_p(k); }\n"
        "static unsigned room(void *p) { return (unsigned)__builtin_object_size(p, 0); }\n"
        "void step(void) {\n"
        "    if (in == 1 && known(3)) out = 1; // open\n"
        "    if (in == 2 && !known(in)) out = 2; // open\n"
        "    if (in == 3 && room(kept) == 7) out = 3; // open\n"
        "    if (in == 4 && room(kept) == -1u) out = 4; // open\n"
        "    if (in == 5 && known(4) && in == 6) out = 5; // dead\n"
        "}\n";
    expect_verdicts(source, CHOOSE);
}

/* Elements of 12 bytes, addresses of 32 bits: what CBMC takes for any element is one, and no place
 * between two of them that a wrapped offset leads to. */
static void test_pointers_to_elements(void) {
    static const char source[] =
        "struct node { struct node *next; int v; unsigned char used; };\n"
        "static struct node pool[4], *head;\n"
        "unsigned char in; int out;\n"
        "void step(void) {\n"
        "    unsigned short low = (unsigned short)(in + 5);\n"
        "    if (in < 4 && !pool[in].used) {\n"
        "        pool[in].used = 1; pool[in].v = in; pool[in].next = head; head = &pool[in];\n"
        "    } else if (in == 9 && head) {\n"
        "        head->used = 0; head = head->next;\n"
        "    }\n"
        "    if (head && head->v == 3) out = 1; // reached\n"
        "    if (low > 65535) out = 2; // dead\n"
        "}\n";
    expect_verdicts(source, "");
}

/* ---- flags that change what the source means ---- */

static void test_flags_that_lay_things_out(void) {
    static const char enums[] = "enum e { A, B };\n"
                                "typedef enum __attribute__((aligned(4))) { C = -200 } f;\n"
                                "int in, out; enum e kept; f low;\n"
                                "enum e pass(enum e v) { return v; }\n"
                                "void step(void) {\n"
                                "    kept = in;\n"
                                "    low = in;\n"
                                "    if (sizeof kept != 1 || sizeof(enum e) > 1) out = 1; // dead\n"
                                "    if ((int)kept > 255) out = 2; // dead\n"
                                "    if ((int)kept == 255) out = 3; // reached\n"
                                "    if (low < -32768 || low > 32767) out = 4; // dead\n"
                                "    if (pass(in) == 256) out = 5; // dead\n"
                                "}\n";
    static const char packed[] = "struct s { char c; int i; double d; } s;\n"
                                 "int in, out;\n"
                                 "void step(void) {\n"
                                 "    unsigned char *bytes = (unsigned char *)&s;\n"
                                 "    s.i = in;\n"
                                 "    if (sizeof s != 14) out = 1; // dead\n"
                                 "    if (bytes[2] != (in & 255)) out = 2; // dead\n"
                                 "    if (bytes[3] == 7) out = 3; // reached\n"
                                 "}\n";
    expect_verdicts(enums, ", \"cflags\": [\"-fshort-enums\"]");
    expect_verdicts(packed, ", \"cflags\": [\"-fpack-struct=2\"]");
}

/* What one unit sets and does not take back is nothing to the next one. */
static void test_alignments_of_a_unit(void) {
    static const char source[] = "#pragma pack(push, 2)\n"
                                 "struct a { char c; int i; };\n"
                                 "#pragma pack(push, 1)\n"
                                 "struct b { char c; int i; };\n"
                                 "#pragma pack(4)\n"
                                 "int in, out; int one(void), two(void);\n"
                                 "void step(void) {\n"
                                 "    if (sizeof(struct a) != 6) out = 1; // dead\n"
                                 "    if (sizeof(struct b) != 5) out = 2; // dead\n"
                                 "    if (in == 3 && one() != 1) out = 3; // dead\n"
                                 "    if (in == 4 && two() == 7) out = 4; // reached\n"
                                 "}\n";
    put("one.c", "#pragma pack(pop)\nstruct c { char c; int i; };\n"
                 "int one(void) { return sizeof(struct c) == 8; }\n#pragma pack(1)\n");
    put("two.c", "struct d { char c[3]; int i; };\n"
                 "int two(void) { return sizeof(struct d) - 1; }\n");
    further_sources = ", \"one.c\", \"two.c\"";
    expect_verdicts(source, "");
}

/* C90 has no long long: 2147483648 is unsigned. */
static void test_constants_of_c90(void) {
    static const char source[] = "int in, out;\n"
                                 "void step(void) {\n"
                                 "    if (in == 1 && -2147483648 > 0) out = 1; /* reached\n"
                                 "*/  if (in == 2 && -2147483648 < 0) out = 2; /* dead\n"
                                 "*/  if (in == 4294967295) out = 3; /* reached\n"
                                 "*/  if (in - 3000000000l < 0) out = 4; /* dead\n"
                                 "*/\n"
                                 "}\n";
    expect_verdicts(source, ", \"cflags\": [\"-std=gnu99\", \"-std=c90\"]");
}

static void expect_contradiction(const char *flag, const char *remedy) {
    put("m.c", "char c; void step(void) { c = 'a'; }\n");
    put("goalkeeper.json", "{\"sources\": [\"m.c\"], \"step\": \"step\"}");
    run_tool(arena_printf(&arena, "run --goals-only --cflag %s", flag), NULL);
    expect_end(2, remedy);
}

static void test_flags_against_the_project(void) {
    expect_contradiction("-funsigned-char", "--char unsigned");
    expect_contradiction("-m64", "--target lp64");
    put("m.c", "int out; void step(void) { out = L'\\xffff'; }\n");
    run_tool("run m.c --step step --goals-only --cflag -fshort-wchar", NULL);
    expect_end(3, "wide characters");
    run_tool("run m.c --step step --goals-only --char unsigned --cflag -funsigned-char", NULL);
    expect_end(0, NULL);
}

static void test_constants_of_one_precision(void) {
    static const char source[] = "float x; int out;\n"
                                 "void step(void) {\n"
                                 "    if (x == 0.1 && x > 0.05) out = 1; // reached\n"
                                 "    if (sizeof 0x1p-1 != 4 || sizeof 1e3 != 4) out = 2; // dead\n"
                                 "    if (sizeof 1.0f != 4 || sizeof 3 != 4) out = 3; // dead\n"
                                 "}\n";
    expect_verdicts(source, ", \"cflags\": [\"-fsingle-precision-constant\"]");
}

static void test_flags_that_are_not_followed(void) {
    static const char commands[] =
        "[{\"directory\": \".\", \"file\": \"m.c\", \"arguments\": [\"gcc\", \"%s\", \"-c\", "
        "\"m.c\"]}]\n";
    put("m.c", "float x; int out; void step(void) { out = x != x; }\n");
    put("compile_commands.json", arena_printf(&arena, commands, "-ffast-math"));
    run_tool("run m.c --step step --goals-only --compile-commands compile_commands.json", NULL);
    expect_end(0, "-ffast-math");
    put("compile_commands.json", arena_printf(&arena, commands, "-funsigned-bitfields"));
    run_tool("run m.c --step step --goals-only --compile-commands compile_commands.json", NULL);
    expect_end(2, "-funsigned-bitfields");
}

/* The data model alone would have them computed as long double. */
static void test_floats_are_computed_as_they_are(void) {
    static const char source[] = "#include <float.h>\n#include <math.h>\n"
                                 "#ifdef __SSE2__\n#error a controller has none\n#endif\n"
                                 "float x; int out;\n"
                                 "void step(void) {\n"
                                 "    float_t wide = x; double_t wider = x;\n"
                                 "    if (FLT_EVAL_METHOD != 0) out = 1; // dead\n"
                                 "    if (sizeof wide != 4 || sizeof wider != 8) out = 2; // dead\n"
                                 "    if (wide > 1 && wide + 1 == wide) out = 3; // reached\n"
                                 "}\n";
    expect_verdicts(source, "");
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_const_volatile_follows_its_mode);
    RUN_TEST(test_a_pointer_to_both);
    RUN_TEST(test_volatile_structs_read_as_a_whole);
    RUN_TEST(test_a_number_above_rounds_down);
    RUN_TEST(test_rounding_to_nearest_is_set_again);
    RUN_TEST(test_other_rounding_modes);
    RUN_TEST(test_a_rounding_mode_of_another_target);
    RUN_TEST(test_bits_of_a_nan);
    RUN_TEST(test_inputs_before_init);
    RUN_TEST(test_locals_live_anew_in_each_iteration);
    RUN_TEST(test_what_was_never_set);
    RUN_TEST(test_where_objects_lie);
    RUN_TEST(test_numbers_that_c_leaves_open);
    RUN_TEST(test_atomic_and_thread_local);
    RUN_TEST(test_what_compilers_see);
    RUN_TEST(test_pointers_to_elements);
    RUN_TEST(test_flags_that_lay_things_out);
    RUN_TEST(test_alignments_of_a_unit);
    RUN_TEST(test_constants_of_c90);
    RUN_TEST(test_floats_are_computed_as_they_are);
    RUN_TEST(test_flags_against_the_project);
    RUN_TEST(test_constants_of_one_precision);
    RUN_TEST(test_flags_that_are_not_followed);
    return UNITY_END();
}
