/* The command line parser: every form, every refusal, and who beats whom. */
#include "base/option.h"

#include "unity.h"

#include <stdlib.h>
#include <string.h>

struct values {
    struct option_values head;
    bool flag, other;
    const char *text, *choice;
    struct texts list, each, choices, pairs;
    uint64_t count;
    double seconds;
};

enum { ONE = 1, TWO = 2 };

static const struct option_row rows[] = {
    {"flag", 'f', OPTION_FLAG, ONE, NULL, NULL, "", offsetof(struct values, flag)},
    {"other", 'o', OPTION_FLAG, ONE | TWO, NULL, NULL, "", offsetof(struct values, other)},
    {"text", 't', OPTION_TEXT, ONE, "T", "preset", "", offsetof(struct values, text)},
    {"choice", 0, OPTION_CHOICE, ONE, "red|green", NULL, "", offsetof(struct values, choice)},
    {"list", 'l', OPTION_LIST, ONE, "L", "p,q", "", offsetof(struct values, list)},
    {"each", 'D', OPTION_EACH, ONE, "E", NULL, "", offsetof(struct values, each)},
    {"choices", 0, OPTION_CHOICES, ONE, "a|bc", NULL, "", offsetof(struct values, choices)},
    {"pairs", 0, OPTION_PAIRS, ONE, "N=V", NULL, "", offsetof(struct values, pairs)},
    {"big-count", 'c', OPTION_COUNT, ONE, "N", "5", "", offsetof(struct values, count)},
    {"seconds", 0, OPTION_SECONDS, ONE, "N", NULL, "", offsetof(struct values, seconds)},
};
enum { ROWS = sizeof rows / sizeof *rows };
static const struct option_table table = {rows, ROWS, "GKTEST_"};

static struct values v;
static enum option_source source[ROWS];
static struct err err;

void setUp(void) {
    memset(&v, 0, sizeof v);
    v.head.source = source;
    options_preset(&table, &v.head);
}

void tearDown(void) {
    vec_free(&v.list);
    vec_free(&v.each);
    vec_free(&v.choices);
    vec_free(&v.pairs);
    vec_free(&v.head.arguments);
    arena_free(&v.head.arena);
    err_clear(&err);
}

/* Parses the words of line, which are separated by blanks. */
static bool parse(const char *line) {
    char *argv[32], *rest = arena_strdup(&v.head.arena, line);
    size_t n = 0;
    while ((argv[n] = strsep(&rest, " ")))
        n++;
    return options_parse(&table, ONE, argv, &v.head, &err);
}

static void test_presets(void) {
    TEST_ASSERT_EQUAL_STRING("preset", v.text);
    TEST_ASSERT_EQUAL_UINT64(5, v.count);
    TEST_ASSERT_EQUAL_size_t(2, v.list.len);
    TEST_ASSERT_NULL(v.choice);
    TEST_ASSERT_EQUAL_INT(FROM_PRESET, source[2]);
}

static void test_forms(void) {
    TEST_ASSERT_TRUE(parse("a -fo --text x --choice=green -c7 b --seconds 1.5 -l x,y -l z"));
    TEST_ASSERT_TRUE(v.flag && v.other);
    TEST_ASSERT_EQUAL_STRING("x", v.text);
    TEST_ASSERT_EQUAL_STRING("green", v.choice);
    TEST_ASSERT_EQUAL_UINT64(7, v.count);
    TEST_ASSERT_EQUAL_DOUBLE(1.5, v.seconds);
    TEST_ASSERT_EQUAL_size_t(3, v.list.len);
    TEST_ASSERT_EQUAL_STRING("z", v.list.data[2]);
    TEST_ASSERT_EQUAL_size_t(2, v.head.arguments.len);
    TEST_ASSERT_EQUAL_STRING("b", v.head.arguments.data[1]);
    TEST_ASSERT_EQUAL_INT(FROM_COMMAND_LINE, source[2]);
}

static void test_each_keeps_commas(void) {
    TEST_ASSERT_TRUE(parse("-DF(a,b)=a -D G"));
    TEST_ASSERT_EQUAL_size_t(2, v.each.len);
    TEST_ASSERT_EQUAL_STRING("F(a,b)=a", v.each.data[0]);
}

static void test_pairs_take_what_follows(void) {
    TEST_ASSERT_TRUE(parse("--pairs a=1 b=2,c=3 file d=4"));
    TEST_ASSERT_EQUAL_size_t(3, v.pairs.len);
    TEST_ASSERT_EQUAL_size_t(2, v.head.arguments.len);
    TEST_ASSERT_FALSE(parse("--pairs nothing"));
}

static void test_end_of_options_and_dash(void) {
    TEST_ASSERT_TRUE(parse("- -- --text -f"));
    TEST_ASSERT_EQUAL_size_t(3, v.head.arguments.len);
    TEST_ASSERT_EQUAL_STRING("-", v.head.arguments.data[0]);
    TEST_ASSERT_EQUAL_STRING("-f", v.head.arguments.data[2]);
    TEST_ASSERT_FALSE(v.flag);
}

struct bad {
    const char *line, *message, *remedy;
};

static void test_refusals(void) {
    static const struct bad bad[] = {
        {"--txet x", "unknown option '--txet'", "'--text'"},
        {"--zzzzzzz", "unknown option", "--help"},
        {"-z", "unknown option '-z'", "--help"},
        {"-fz", "unknown option '-z'", "--help"},
        {"--text", "--text needs a value (T)", ""},
        {"-t", "-t needs a value (T)", ""},
        {"--flag=1", "takes no value", ""},
        {"--choice gren", "unknown value 'gren'", "'green'"},
        {"--choice zzzz", "unknown value", "red|green"},
        {"--choice=", "unknown value ''", ""},
        {"--choices a,b", "unknown value 'b'", ""},
        {"--list a,,b", "without empty words", ""},
        {"--big-count -1", "whole number", ""},
        {"--big-count 18446744073709551616", "whole number", ""},
        {"--big-count 1x", "whole number", ""},
        {"--big-count +1", "whole number", ""},
        {"--seconds nan", "number of seconds", ""},
        {"--seconds inf", "number of seconds", ""},
        {"--seconds -1", "number of seconds", ""},
        {"--seconds 1s", "number of seconds", ""},
        {"--text=x --big", "unknown option '--big'", ""},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        TEST_ASSERT_FALSE_MESSAGE(parse(bad[i].line), bad[i].line);
        TEST_ASSERT_EQUAL_INT(ERR_USAGE, err.code);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&err.message), bad[i].message),
                                     str_text(&err.message));
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&err.remedy), bad[i].remedy),
                                     str_text(&err.remedy));
        err_clear(&err);
    }
}

static void test_rows_of_other_commands_are_unknown(void) {
    char *argv[] = {"--text", "x", NULL};
    TEST_ASSERT_FALSE(options_parse(&table, TWO, argv, &v.head, &err));
}

static void test_environment_beats_preset_and_is_beaten(void) {
    setenv("GKTEST_BIG_COUNT", "6", 1);
    setenv("GKTEST_LIST", "e", 1);
    setenv("GKTEST_FLAG", "1", 1);
    setenv("GKTEST_TEXT", "", 1); /* empty: not given */
    TEST_ASSERT_TRUE(options_environment(&table, ONE, &v.head, &err));
    TEST_ASSERT_EQUAL_UINT64(6, v.count);
    TEST_ASSERT_EQUAL_size_t(1, v.list.len);
    TEST_ASSERT_TRUE(v.flag);
    TEST_ASSERT_EQUAL_STRING("preset", v.text);
    TEST_ASSERT_EQUAL_INT(FROM_ENVIRONMENT, source[8]);
    TEST_ASSERT_TRUE(parse("-l x -c 9"));
    TEST_ASSERT_EQUAL_size_t(1, v.list.len);
    TEST_ASSERT_EQUAL_STRING("x", v.list.data[0]);
    TEST_ASSERT_EQUAL_UINT64(9, v.count);
    setenv("GKTEST_FLAG", "yes", 1);
    TEST_ASSERT_FALSE(options_environment(&table, ONE, &v.head, &err));
    TEST_ASSERT_NOT_NULL(strstr(str_text(&err.message), "GKTEST_FLAG"));
    TEST_ASSERT_TRUE(options_environment(&table, TWO, &v.head, &err));
    unsetenv("GKTEST_BIG_COUNT"), unsetenv("GKTEST_LIST");
    unsetenv("GKTEST_FLAG"), unsetenv("GKTEST_TEXT");
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_presets);
    RUN_TEST(test_forms);
    RUN_TEST(test_each_keeps_commas);
    RUN_TEST(test_pairs_take_what_follows);
    RUN_TEST(test_end_of_options_and_dash);
    RUN_TEST(test_refusals);
    RUN_TEST(test_rows_of_other_commands_are_unknown);
    RUN_TEST(test_environment_beats_preset_and_is_beaten);
    return UNITY_END();
}
