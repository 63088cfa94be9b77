/* Which texts are the same program: comments and blank lines say nothing, everything else does. */
#include "app/project/same.h"

#include "unity.h"

void setUp(void) {
}
void tearDown(void) {
}

static void expect(bool same, const char *a, const char *b) {
    struct str x = {0}, y = {0};
    same_text(a, &x);
    same_text(b, &y);
    TEST_ASSERT_EQUAL_INT_MESSAGE(same, str_same(str_text(&x), str_text(&y)), b);
    str_free(&x);
    str_free(&y);
}

static void test_comments_and_blank_lines_say_nothing(void) {
    expect(true, "int a;\nint b;\n", "/* one */\n\nint a; // two\n\n\n  int  /* b */ b;\n");
    expect(true, "int a;\n", "/* \" */ int a; // it's\n");
    expect(true, "x = '\"';\n", "x = '\"'; /* ' */\n");
    expect(true, "s = \"\\\"/*\";\n", "s = \"\\\"/*\"; /* \" */");
}

static void test_tokens_do(void) {
    expect(false, "ab;\n", "a/**/b;\n");
    expect(false, "a --b;\n", "a - /* */ -b;\n");
    expect(false, "s = \"a b\";\n", "s = \"a  b\";\n");
    expect(false, "s = \"a/* */\";\n", "s = \"a\";\n");
    expect(false, "c = '/*'; d = 1; e = '*/';\n", "c = '/*'; d = 2; e = '*/';\n");
    expect(false, "if (n < 20) n++;\n", "if (n < 21) n++;\n");
    expect(false, "#define A 1\nint b;\n", "#define A 1 int b;\n");
    expect(false, "x; // y\nz;\n", "x; // y z;\n");
}

/* Settings of the compiler show in line markers; guards are comments for it, but not for CBMC. */
static void test_what_the_weave_needs_stays(void) {
    expect(false, "# 400 \"<built-in>\" 3\n", "# 401 \"<built-in>\" 3\n");
    expect(false, "a[/*gk+ f( gk+*/0/*gk+ ) gk+*/]\n", "a[0]\n");
    expect(false, "/*gk+ f( gk+*//*gk+ ) gk+*/0\n", "/*gk+ f( gk+*//*gk+ , gk+*/0\n");
}

static void test_tricks_are_not_read(void) {
    TEST_ASSERT_TRUE(same_is_plain("s = \"\\\\n\"; c = L'a'; // it's\n"));
    TEST_ASSERT_FALSE(same_is_plain("// a \\\nx = 1;\n"));
    TEST_ASSERT_FALSE(same_is_plain("/* a *\\ \n/ x = 1; /* */\n"));
    TEST_ASSERT_FALSE(same_is_plain("// a ?"
                                    "?/\nx = 1;\n"));
    TEST_ASSERT_FALSE(same_is_plain("x = 1'0 + f(\"'//\");\n"));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_comments_and_blank_lines_say_nothing);
    RUN_TEST(test_tokens_do);
    RUN_TEST(test_tricks_are_not_read);
    RUN_TEST(test_what_the_weave_needs_stays);
    return UNITY_END();
}
