/* Names of the woven program: statics at file scope, units that clash, local types, shadowing. */
#include "woven_case.h"

static struct woven_case c;

void setUp(void) {
    case_open(&c);
}
void tearDown(void) {
    case_close(&c);
}

static bool has(const char *text) {
    return strstr(str_text(&c.woven.text), text) != NULL;
}

static void expect_c_expr(const char *path, const char *c_expr) {
    const struct module_var *var = case_state(&c, path);
    TEST_ASSERT_NOT_NULL_MESSAGE(var, path);
    TEST_ASSERT_EQUAL_STRING(c_expr, var->c_expr);
}

static void test_locals_shadow_each_other(void) {
    case_source(&c, "a.c",
                "static int n = 1; int out, step__n_2;\n"
                "static int helper(int n) { { static int n = 5; n++; out += n; } return n; }\n"
                "void step(void) { static int n = 2; { static int n = 3; n += 2; out = n; }\n"
                "  { int n = 4; out += n; } n++; out += n + helper(out) + step__n_2; }\n"
                "int other(void) { return n; }\n");
    case_weave_and_compile(&c);
    expect_c_expr("n", "n");
    expect_c_expr("helper::n", "helper__n");
    expect_c_expr("step::n", "step__n");
    expect_c_expr("step::n#2", "step__n_3"); /* step__n_2 is the user's */
}

static void test_initialisers_move_along(void) {
    case_source(&c, "a.c",
                "int out; static int first = 3; struct p { int *a; const char *s; };\n"
                "void step(void) { enum { N = 2, M = N * 2 }; static const int two = 2;\n"
                "  static int a[M] = {1, [N] = N}, *b = &a[N], k = sizeof a;\n"
                "  static struct p p = {.a = &first, .s = \"a;b{\" /* static */};\n"
                "  static const int *const c = &two;\n"
                "  a[1]++; *b += *c + *p.a + k + p.s[0]; out = a[2]; }\n");
    case_weave_and_compile(&c);
    expect_c_expr("step::a[3]", "step__a[3]");
    expect_c_expr("step::b", "step__b");
}

static void test_local_types_move_along(void) {
    case_source(
        &c, "a.c",
        "struct L { char other; }; struct L outer; int out;\n"
        "void step(void) { struct L { int q; struct In { short s; } in; }; typedef struct L L_t;\n"
        "  typedef enum { RED, GREEN } lamp; union U { int i; char c[4]; } view = {0};\n"
        "  static L_t one; static struct L two[2]; static lamp X = GREEN;\n"
        "  static union U u; static struct { int z; } anon; struct L local = {1, {2}};\n"
        "  one.q += local.q + two[1].in.s + (X == RED); u = view; anon.z++;\n"
        "  out = one.q + u.i + (int)sizeof(struct L) + outer.other; }\n"
        "int same(void) { struct L { long x; } l = {1}; static int k; return (int)l.x + k++; }\n");
    case_weave_and_compile(&c);
    expect_c_expr("step::two[1].in.s", "step__two[1].in.s");
    expect_c_expr("step::anon.z", "step__anon.z");
    TEST_ASSERT_TRUE(has("struct step__L {"));
    TEST_ASSERT_TRUE(has("struct L { char other; }"));
}

static void test_attributes_stay_with_their_function(void) {
    case_source(&c, "a.c",
                "int out; int step(void);\n"
                "__attribute__((noinline)) __attribute__((unused))\n"
                "static int helper(void) { static int n; return n++; }\n"
                "__attribute__((noinline)) int step(void) { static int m; m++; return out = "
                "helper() + m; }\n");
    case_weave_and_compile(&c);
    expect_c_expr("helper::n", "helper__n");
    TEST_ASSERT_TRUE(has("helper__n;\n__attribute__((noinline)) __attribute__((unused))"));
}

#define HEADER                                                                                     \
    "typedef unsigned char uint8; typedef struct { uint8 a; int b; } Bus;\n"                       \
    "enum mode { OFF, ON }; struct tag { Bus bus; enum mode mode; };\n"                            \
    "typedef struct tag Tag; extern Bus shared; extern int exchange(const Tag *t);\n"              \
    "static inline int twice(int x) { return 2 * x; }\n"                                           \
    "static const int table[2] = { 1, 2 };\n"

static void test_units_share_a_header(void) {
    case_source(&c, "one.c",
                HEADER "int out; static int x; Bus shared;\n"
                       "void step(void) { Tag t = {{1, 2}, ON}; x++; shared.b += x;\n"
                       "  out = twice(exchange(&t)) + table[1]; }\n");
    case_source(&c, "two.c",
                HEADER "static int x; int exchange(const Tag *t) { static int calls;\n"
                       "  calls += table[0]; x += twice(t->bus.b); shared.a++;\n"
                       "  return x + calls + (t->mode == OFF); }\n");
    case_weave_and_compile(&c);
    expect_c_expr("one::x", "one__x");
    expect_c_expr("two::x", "two__x");
    expect_c_expr("exchange::calls", "exchange__calls");
    expect_c_expr("shared.b", "shared.b");
}

static void test_types_of_one_name_that_differ(void) {
    case_source(
        &c, "one.c",
        "typedef struct { int a; } Local; enum { LIMIT = 3, BOTH }; struct node { Local l; };\n"
        "typedef short speed; int out; extern int other(void); static Local keep;\n"
        "static struct node tree; static speed helper(void) { return LIMIT; }\n"
        "void step(void) { keep.a += BOTH; tree.l.a = helper(); out = keep.a + other(); }\n");
    case_source(&c, "two.c",
                "typedef struct { float b; char c; } Local; enum { LIMIT = 30 }; struct node;\n"
                "struct node { Local l; struct node *next; }; enum word { BOTH = 7 };\n"
                "static Local keep; static struct node tree; int speed;\n"
                "static int helper(void) { enum word w = BOTH; return LIMIT + (int)w; }\n"
                "int other(void) { Local l = {1.0F, 'c'}; keep = l; tree.next = &tree; speed++;\n"
                "  tree.next->l.b += (float)sizeof(Local);\n"
                "  return helper() + (int)keep.b + (int)tree.l.b; }\n");
    case_weave_and_compile(&c);
    expect_c_expr("one::keep.a", "one__keep.a");
    expect_c_expr("two::tree.l.b", "two__tree.l.b");
    expect_c_expr("speed", "speed");
}

/* The same text means something else where a name in it does. */
static void test_same_text_other_meaning(void) {
    case_source(&c, "one.c",
                "typedef int base; struct box { base v; }; int out; int other(void);\n"
                "static struct box b; void step(void) { b.v++; out = b.v + other(); }\n");
    case_source(&c, "two.c",
                "typedef double base; struct box { base v; };\n"
                "static struct box b; int other(void) { b.v += 0.5; return (int)b.v; }\n");
    case_weave_and_compile(&c);
    TEST_ASSERT_EQUAL_CHAR('i', case_state(&c, "one::b.v")->type);
    TEST_ASSERT_EQUAL_CHAR('f', case_state(&c, "two::b.v")->type);
}

static void test_arguments_of_a_renamed_type(void) {
    case_source(&c, "one.c",
                "typedef struct { int a; } Par; int helper(int x) { Par p = {x}; return p.a; }\n");
    case_source(&c, "two.c",
                "typedef struct { float f; } Par; extern int helper(int x); int out;\n"
                "extern void get(Par *p);\n"
                "void step(const Par *p) { Par q; get(&q); out = helper((int)(p->f + q.f)); }\n");
    case_weave_and_compile(&c);
    TEST_ASSERT_NOT_NULL(case_input(&c, "p->f"));
    TEST_ASSERT_NOT_NULL(case_input(&c, "get::*p.f"));
}

static void test_declarations_in_functions(void) {
    case_source(
        &c, "a.c",
        "int out; void step(void) { extern int inside; extern const float cal; out = inside;\n"
        "  if (cal > 0.5F) { extern int inside; out += inside; } }\n"
        "static int kept; int other(void) { extern int kept; return kept++; }\n");
    case_weave_and_compile(&c);
    TEST_ASSERT_NOT_NULL(case_input(&c, "inside"));
    TEST_ASSERT_EQUAL_INT(VAR_PARAMETER, case_input(&c, "cal")->role);
}

static void test_units_that_do_not_fit(void) {
    case_source(&c, "one.c",
                "int shared; int out; int other(void);\nvoid step(void) { out = other(); }\n");
    case_source(&c, "two.c", "extern float shared;\nint other(void) { return (int)shared; }\n");
    case_fails(&c, "the sources do not fit together", "alike");
    TEST_ASSERT_EQUAL_INT(ERR_SOURCE, c.err.code);
    TEST_ASSERT_EQUAL_STRING("two.c", str_text(&c.err.file));
    TEST_ASSERT_EQUAL_INT(1, c.err.line);
}

static void test_function_defined_twice(void) {
    case_source(&c, "one.c",
                "int out; int other(void) { return 1; }\nvoid step(void) { out = other(); }\n");
    case_source(&c, "two.c", "int other(void) { return 2; }\n");
    case_fails(&c, "redefinition of 'other'", "once");
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_units_that_do_not_fit);
    RUN_TEST(test_function_defined_twice);
    RUN_TEST(test_locals_shadow_each_other);
    RUN_TEST(test_initialisers_move_along);
    RUN_TEST(test_local_types_move_along);
    RUN_TEST(test_attributes_stay_with_their_function);
    RUN_TEST(test_units_share_a_header);
    RUN_TEST(test_types_of_one_name_that_differ);
    RUN_TEST(test_same_text_other_meaning);
    RUN_TEST(test_arguments_of_a_renamed_type);
    RUN_TEST(test_declarations_in_functions);
    return UNITY_END();
}
