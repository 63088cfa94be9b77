/* The text of a place as its author wrote it: macros, casts, arguments; what no macro explains is
 * told as the preprocessor has it. */
#include "instrument/syntax/spelling.h"

#include "unity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct project project;
static struct unit unit;
static struct err err;
static struct arena arena;
static char dir[64], file[80];

void setUp(void) {
    project_defaults(&project);
    snprintf(dir, sizeof dir, "/tmp/gk-test-XXXXXX");
    TEST_ASSERT_NOT_NULL(mkdtemp(dir));
    snprintf(file, sizeof file, "%s/a.c", dir);
    project.dir = dir;
}

void tearDown(void) {
    if (unit.tu)
        unit_close(&unit);
    unlink(file);
    rmdir(dir);
    err_clear(&err);
    arena_free(&arena);
    project_free(&project);
}

static const char macros[] = "#define ACTIVE ((unsigned char)3)\n"
                             "#define BIGGER(a, b) ((a) > (b) ? (a) : (b))\n"
                             "#define READY (state == 2)\n"
                             "#define BOTH(a, b) ((a) && (b))\n"
                             "#define NOTHING\n"
                             "int mode, in, out, state;\n";

/* The body of a function behind the macros. */
static void open_body(const char *body) {
    FILE *f = fopen(file, "w");
    TEST_ASSERT_NOT_NULL(f);
    fprintf(f, "%svoid f(void) {\n%s\n}\n", macros, body);
    fclose(f);
    TEST_ASSERT_TRUE_MESSAGE(unit_open(&unit, &project, "a.c", &err), str_text(&err.message));
}

/* How the user wrote what the preprocessed text holds once. */
static void expect(const char *preprocessed, const char *written) {
    const char *at = strstr(unit.text, preprocessed);
    TEST_ASSERT_NOT_NULL_MESSAGE(at, preprocessed);
    struct span span = {(size_t)(at - unit.text), (size_t)(at - unit.text) + strlen(preprocessed)};
    TEST_ASSERT_EQUAL_STRING(written, spelling_line(&unit, span, &arena));
}

static void test_names_of_constants(void) {
    open_body(
        "if (mode >= ACTIVE && in < ACTIVE) { out = 1; }\nswitch (in) { case ACTIVE: break; }");
    expect("mode >= ((unsigned char)3)", "mode >= ACTIVE");
    expect("in < ((unsigned char)3)", "in < ACTIVE");
    expect("mode >= ((unsigned char)3) && in < ((unsigned char)3)",
           "mode >= ACTIVE && in < ACTIVE");
    expect("case ((unsigned char)3)", "case ACTIVE");
    expect("out = 1;", "out = 1;");
}

static void test_macros_with_arguments(void) {
    open_body("if (BIGGER(mode, 4) > in) out = 1;\nif (READY) out = 2;\nif (BOTH(in > 3, mode)) "
              "out = 3;");
    expect("((mode) > (4) ? (mode) : (4)) > in", "BIGGER(mode, 4) > in");
    expect("(state == 2)", "READY");
    expect("state == 2", "READY"); /* the macro but for its brackets */
    expect("((in > 3) && (mode))", "BOTH(in > 3, mode)");
    expect("in > 3", "in > 3"); /* a part of what a macro stands for */
}

static void test_several_lines(void) {
    open_body("if (mode == ACTIVE && /* both\n  of them */\n#if 0\n  old &&\n#endif\n"
              "    NOTHING in == ACTIVE)\n  out = (unsigned char)in;");
    expect("out = (unsigned char)in;", "out = (unsigned char)in;");
    const char *at = strstr(unit.text, "mode == "), *end = strstr(at, "in == ((unsigned char)3)");
    struct span span = {(size_t)(at - unit.text),
                        (size_t)(end - unit.text) + strlen("in == ((unsigned char)3)")};
    TEST_ASSERT_EQUAL_STRING("mode == ACTIVE && in == ACTIVE", spelling_line(&unit, span, &arena));
}

static void test_arguments_over_two_lines_stay_as_they_are(void) {
    open_body("if (BIGGER(mode,\n 4) > in) out = 1;");
    expect("((mode) > (4) ? (mode) : (4)) > in", "((mode) > (4) ? (mode) : (4)) > in");
}

/* Its own lines are not those that its markers number. */
static void test_preprocessed_text_has_no_other_spelling(void) {
    open_body("# 3 \"a.c\"\nif (mode >= 3) out = 1;");
    expect("mode >= 3", "mode >= 3");
}

/* Two lines of many tokens are not laid side by side: that takes time to the third. */
static void test_long_lines(void) {
    struct str body = {0};
    str_add(&body, "out = ACTIVE");
    for (int i = 0; i < 400; i++)
        str_addf(&body, " + in * %d", i);
    str_addc(&body, ';');
    open_body(str_text(&body));
    expect("((unsigned char)3) + in * 0", "((unsigned char)3) + in * 0");
    str_free(&body);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_names_of_constants);
    RUN_TEST(test_macros_with_arguments);
    RUN_TEST(test_several_lines);
    RUN_TEST(test_arguments_over_two_lines_stay_as_they_are);
    RUN_TEST(test_preprocessed_text_has_no_other_spelling);
    RUN_TEST(test_long_lines);
    return UNITY_END();
}
