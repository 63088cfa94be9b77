/* weave() as a whole: deterministic, clear about what is wrong, and never thrown by its input. */
#include "base/file.h"
#include "base/rng.h"
#include "instrument/weave/weave.h"
#include "random_c.h"

#include "unity.h"

#include <string.h>

static struct str dir;
static struct project project;
static struct woven woven;
static struct err err;

void setUp(void) {
    TEST_ASSERT_TRUE(file_temp_dir(&dir, &err));
    project_defaults(&project);
    project.dir = str_text(&dir);
    project.step = "step";
    project.ilp32 = false;
}

void tearDown(void) {
    woven_free(&woven);
    project_free(&project);
    err_clear(&err);
    file_remove_tree(str_text(&dir));
    str_free(&dir);
}

static bool weave_text(const char *text, size_t len) {
    struct str path = {0};
    str_addf(&path, "%s/a.c", str_text(&dir));
    TEST_ASSERT_TRUE(file_write(str_text(&path), text, len, &err));
    str_free(&path);
    vec_clear(&project.sources);
    vec_push(&project.sources, "a.c");
    return weave(&project, &woven, &err);
}

static void weave_good(const char *text) {
    TEST_ASSERT_TRUE_MESSAGE(weave_text(text, strlen(text)), str_text(&err.message));
}

static void weave_bad(const char *text, int line, const char *message, const char *remedy) {
    TEST_ASSERT_FALSE(weave_text(text, strlen(text)));
    TEST_ASSERT_EQUAL_INT(ERR_SOURCE, err.code);
    TEST_ASSERT_EQUAL_INT(line, err.line);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&err.message), message), str_text(&err.message));
    if (remedy)
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&err.remedy), remedy), str_text(&err.remedy));
    err_clear(&err);
}

static void test_errors_name_place_and_remedy(void) {
    weave_bad("int a;\nvoid step(void) { a = b; }\n", 2, "undeclared identifier 'b'", "include");
    weave_bad("typedef int x;\n\nvoid step(void) { uint8 a; }\n", 3, "uint8", NULL);
    weave_bad("extern uint8 a;\nvoid step(void) { }\n", 1, "unknown type name 'uint8'", "uint8=");
    weave_bad("#include \"tl_types.h\"\nvoid step(void) { }\n", 1, "file not found",
              "include_dirs");
    weave_bad("void step(void) {\n  if (1 {\n}\n", 2, "expected ')'", NULL);
    weave_bad("#line 70 \"C:\\model\\x.c\"\nvoid step(void) { y = 1; }\n", 70, "'y'", NULL);
}

static void test_the_place_is_that_of_another_machine(void) {
    static const char text[] = "# 70 \"C:\\model\\x.c\"\nfoo bar;\n";
    TEST_ASSERT_FALSE(weave_text(text, strlen(text)));
    TEST_ASSERT_EQUAL_STRING("C:/model/x.c", str_text(&err.file));
    err_clear(&err);
}

static void test_same_input_same_output(void) {
    struct str text = {0}, first = {0};
    random_c(&text, 42, 4, true);
    weave_good(str_text(&text));
    str_addn(&first, str_text(&woven.text), woven.text.len);
    woven_free(&woven);
    weave_good(str_text(&text));
    TEST_ASSERT_EQUAL_STRING(str_text(&first), str_text(&woven.text));
    str_free(&text);
    str_free(&first);
}

static void test_text_of_goals_is_utf8(void) {
    static const char text[] = "int a; void step(void) { a = 1; /* \xb0\xb5 */ a = \"\xe4\"[0] "
                               "/* \xfc */ > 3 && a; }\n";
    weave_good(text);
    bool seen = false;
    for (size_t i = 0; i < woven.goals.list.len; i++)
        seen |= strcmp(woven.goals.list.data[i].text, "a = \"\xc3\xa4\"[0] > 3 && a;") == 0;
    TEST_ASSERT_TRUE(seen);
}

/* Statics with decisions: hoisted, and still probed. */
static void test_statics_and_probes_go_together(void) {
    weave_good("static int mode; int out;\n"
               "static int f(int x) { static int seen = 3; if (seen > x && mode) seen = x; "
               "return seen; }\n"
               "void step(void) { mode = !mode; out = f(out) || mode; }\n");
    TEST_ASSERT_NULL(strstr(str_text(&woven.text), "static int seen"));
    int conditions = 0;
    for (size_t i = 0; i < woven.goals.list.len; i++)
        conditions += woven.goals.list.data[i].kind == GOAL_condition;
    TEST_ASSERT_EQUAL_INT(10, conditions);
}

/* Whatever stands in the file, the answer is goals or an error. */

static void mutate(struct str *text, struct rng *rng) {
    static const char *const pieces[] = {"(",  ")",    "{",  "}", ";",    "&&",
                                         "?",  ":",    "\"", "'", "#",    "/*",
                                         "*/", "else", "[",  "]", "\\\n", "\n#line 3\n"};
    for (uint64_t n = 1 + rng_below(rng, 3); n > 0; n--) {
        size_t at = rng_below(rng, text->len), cut = rng_below(rng, 12);
        if (at + cut > text->len)
            cut = text->len - at;
        struct str changed = {0};
        str_addn(&changed, text->data, at);
        str_add(&changed, pieces[rng_below(rng, sizeof pieces / sizeof *pieces)]);
        str_addn(&changed, text->data + at + cut, text->len - at - cut);
        str_free(text);
        *text = changed;
    }
}

static void test_damaged_sources_do_no_harm(void) {
    struct rng rng;
    rng_init(&rng, 3);
    int good = 0, bad = 0;
    for (int round = 0; round < 60; round++) {
        struct str text = {0};
        random_c(&text, 5, 2, true);
        mutate(&text, &rng);
        bool done = weave_text(str_text(&text), text.len);
        TEST_ASSERT_EQUAL(done, err.code == ERR_NONE);
        TEST_ASSERT_TRUE(done || err.message.len > 0);
        good += done;
        bad += !done;
        woven_free(&woven);
        err_clear(&err);
        str_free(&text);
    }
    TEST_ASSERT_GREATER_THAN(3, bad);
    TEST_ASSERT_GREATER_OR_EQUAL(0, good);
}

static void test_empty_and_binary_files(void) {
    static const char zeros[64] = "\0\0int a;\0";
    TEST_ASSERT_FALSE(weave_text("", 0));
    err_clear(&err);
    TEST_ASSERT_FALSE(weave_text(zeros, sizeof zeros));
    err_clear(&err);
    TEST_ASSERT_FALSE(weave_text("\xff\xfe\x00i\x00n\x00t", 8));
    TEST_ASSERT_NOT_EQUAL_INT(ERR_NONE, err.code);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_errors_name_place_and_remedy);
    RUN_TEST(test_the_place_is_that_of_another_machine);
    RUN_TEST(test_same_input_same_output);
    RUN_TEST(test_text_of_goals_is_utf8);
    RUN_TEST(test_statics_and_probes_go_together);
    RUN_TEST(test_damaged_sources_do_no_harm);
    RUN_TEST(test_empty_and_binary_files);
    return UNITY_END();
}
