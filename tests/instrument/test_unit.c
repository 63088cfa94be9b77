/* Preprocessing and parsing: places, comments, foreign line markers, and what is reported when the
 * C is wrong. */
#include "instrument/syntax/edits.h"
#include "instrument/syntax/preprocess.h"
#include "instrument/syntax/unit.h"

#include "unity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct project project;
static struct unit unit;
static struct err err;
static char dir[64];

void setUp(void) {
    project_defaults(&project);
    snprintf(dir, sizeof dir, "/tmp/gk-test-XXXXXX");
    TEST_ASSERT_NOT_NULL(mkdtemp(dir));
    project.dir = dir;
}

static void remove_file(const char *name) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    unlink(path);
}

void tearDown(void) {
    if (unit.tu)
        unit_close(&unit);
    err_clear(&err);
    project_free(&project);
    static const char *const names[] = {"a.c", "a.h", "compile_commands.json", "db.json"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        remove_file(names[i]);
    rmdir(dir);
}

static void write_file(const char *name, const char *text) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *file = fopen(path, "w");
    TEST_ASSERT_NOT_NULL(file);
    fputs(text, file);
    fclose(file);
}

static bool open_text(const char *text) {
    write_file("a.c", text);
    bool good = unit_open(&unit, &project, "a.c", &err);
    if (!good && !err.code)
        TEST_FAIL_MESSAGE("failure without an error");
    return good;
}

static struct place place_of_text(const char *needle) {
    const char *at = strstr(unit.text, needle);
    TEST_ASSERT_NOT_NULL(at);
    return unit_place(&unit, (size_t)(at - unit.text));
}

static void test_places_survive_includes_and_comments(void) {
    write_file("a.h", "/* one\n two */\nint in_header;\n");
    TEST_ASSERT_TRUE(
        open_text("#include \"a.h\"\n/* x\n\n*/ int in_file;\n#define N 3\nint n[N];\n"));
    struct place place = place_of_text("in_header");
    TEST_ASSERT_EQUAL_STRING("a.h", place.file);
    TEST_ASSERT_EQUAL_INT(3, place.line);
    place = place_of_text("in_file");
    TEST_ASSERT_EQUAL_STRING("a.c", place.file);
    TEST_ASSERT_EQUAL_INT(4, place.line);
    place = place_of_text("n[3]");
    TEST_ASSERT_EQUAL_INT(6, place.line);
    TEST_ASSERT_EQUAL_INT(5, place.col);
    TEST_ASSERT_EQUAL_INT(7, place_of_text("3]").col);
    TEST_ASSERT_FALSE(place.system);
}

static void test_columns_are_those_of_the_file(void) {
    TEST_ASSERT_TRUE(open_text("#define BOTH(a, b) ((a) && (b))\n"
                               "int f(int x,   int yy)   { if (BOTH(x,yy)   || yy   > 3) return"
                               "   x; return 0; }\n"));
    TEST_ASSERT_EQUAL_INT(2, place_of_text("yy)").line);
    TEST_ASSERT_EQUAL_INT(20, place_of_text("yy)").col);
    TEST_ASSERT_EQUAL_INT(28, place_of_text("if (").col);
    TEST_ASSERT_EQUAL_INT(32, place_of_text("((x)").col);
    TEST_ASSERT_EQUAL_INT(32, place_of_text("(yy))").col);
    TEST_ASSERT_EQUAL_INT(48, place_of_text("yy > 3").col);
    TEST_ASSERT_EQUAL_INT(67, place_of_text("x; return 0").col);
}

static void test_system_headers_are_marked(void) {
    TEST_ASSERT_TRUE(open_text("#include <stddef.h>\nsize_t mine;\n"));
    TEST_ASSERT_TRUE(place_of_text("typedef").system);
    TEST_ASSERT_FALSE(place_of_text("mine").system);
}

static void test_windows_markers_are_accepted(void) {
    TEST_ASSERT_TRUE(open_text("# 1 \"C:\\\\proj\\\\x.c\"\nint a;\n# 40 \"C:\\proj\\y.c\"\nint b;\n"
                               "#line 7 \"C:\\x\\new\\t.h\"\nint c;\n"));
    TEST_ASSERT_EQUAL_STRING("C:/proj/x.c", place_of_text("int a").file);
    TEST_ASSERT_EQUAL_STRING("C:/proj/y.c", place_of_text("int b").file);
    TEST_ASSERT_EQUAL_INT(40, place_of_text("int b").line);
    TEST_ASSERT_EQUAL_STRING("C:/x/new/t.h", place_of_text("int c").file);
    TEST_ASSERT_EQUAL_INT(7, place_of_text("int c").line);
}

static void test_names_of_the_host_are_free(void) {
    TEST_ASSERT_TRUE(open_text("int linux, unix, i386;\n"));
}

static void test_data_model_follows_the_target(void) {
    project.ilp32 = true;
    TEST_ASSERT_TRUE(open_text("char a[sizeof(long) == 4 && sizeof(void *) == 4 ? 1 : -1];\n"));
    unit_close(&unit);
    project.ilp32 = false;
    TEST_ASSERT_TRUE(open_text("char a[sizeof(long) == 8 && sizeof(void *) == 8 ? 1 : -1];\n"));
    unit_close(&unit);
    project.char_is_signed = false;
    TEST_ASSERT_TRUE(open_text("char a[(char)-1 > 0 ? 1 : -1];\n"));
}

static void test_unknown_type_names_the_remedy(void) {
    TEST_ASSERT_FALSE(open_text("int a;\n\nsint16 b;\n"));
    TEST_ASSERT_EQUAL_INT(ERR_SOURCE, err.code);
    TEST_ASSERT_EQUAL_STRING("a.c", str_text(&err.file));
    TEST_ASSERT_EQUAL_INT(3, err.line);
    TEST_ASSERT_EQUAL_INT(1, err.col);
    TEST_ASSERT_EQUAL_STRING("unknown type name 'sint16'", str_text(&err.message));
    TEST_ASSERT_NOT_NULL(strstr(str_text(&err.remedy), "sint16"));
}

static void test_missing_include_names_the_remedy(void) {
    TEST_ASSERT_FALSE(open_text("int a;\n#include \"absent.h\"\n"));
    TEST_ASSERT_EQUAL_INT(ERR_SOURCE, err.code);
    TEST_ASSERT_EQUAL_STRING("a.c", str_text(&err.file));
    TEST_ASSERT_EQUAL_INT(2, err.line);
    TEST_ASSERT_EQUAL_INT(10, err.col);
    TEST_ASSERT_NOT_NULL(strstr(str_text(&err.remedy), "include_dirs"));
}

static void test_missing_file_is_reported(void) {
    TEST_ASSERT_FALSE(unit_open(&unit, &project, "absent.c", &err));
    TEST_ASSERT_EQUAL_INT(ERR_SOURCE, err.code);
    TEST_ASSERT_NOT_NULL(strstr(str_text(&err.message), "absent.c"));
}

static void test_garbage_is_an_error(void) {
    TEST_ASSERT_FALSE(open_text("}}}} \x01\xff ((("));
    TEST_ASSERT_EQUAL_INT(ERR_SOURCE, err.code);
}

static void test_old_c_is_accepted(void) {
    TEST_ASSERT_TRUE(open_text("f(a) int a; { return undeclared(a); }\n"));
}

static void test_defines_reach_preprocessed_text(void) {
    vec_push(&project.defines, "__far=");
    TEST_ASSERT_TRUE(open_text("# 1 \"D:\\x.c\"\nint __far a;\n"));
}

static void test_words_of_other_compilers_are_left_out(void) {
    TEST_ASSERT_TRUE(open_text("#define FAR __far\n"
                               "__ASTREE_attributes((coverage_ignore, raise_at_caller));\n"
                               "FAR int a;\n"
                               "__interrupt void b(void) { __ASTREE_modify((a; [0, (1)])); }\n"));
    TEST_ASSERT_NOT_NULL(strstr(unit.text, " void b(void) { ; }"));
    TEST_ASSERT_NULL(strstr(unit.text, "__"));
}

static void test_words_that_mean_something_here_stay(void) {
    vec_push(&project.defines, "__near=const");
    TEST_ASSERT_TRUE(open_text("__near int __nearly = 1;\nint at(int __at) { return __at; }\n"));
    TEST_ASSERT_NOT_NULL(strstr(unit.text, "const int __nearly = 1;"));
    TEST_ASSERT_NOT_NULL(strstr(unit.text, "{ return __at; }"));
}

static void test_tests_get_the_same_macros(void) {
    write_file("a.c", "__ASTREE_modify((x)); int __far a;\n");
    struct arena arena = {0};
    struct texts flags = {0};
    TEST_ASSERT_TRUE(preprocess_flags(&project, "a.c", &arena, &flags, &err));
    size_t seen = 0;
    for (size_t i = 0; i < flags.len; i++)
        seen += strcmp(flags.data[i], "-D__ASTREE_modify(...)=") == 0 ||
                strcmp(flags.data[i], "-D__far=") == 0;
    TEST_ASSERT_EQUAL_size_t(2, seen);
    vec_free(&flags);
    arena_free(&arena);
}

static void test_compile_commands_supply_flags(void) {
    struct str json = {0};
    str_addf(
        &json,
        "[{\"directory\": \"%s\", \"file\": \"a.c\", \"command\": \"armcc --cpu=x -DN=4 -D M=2 "
        "-I . -c a.c -o a.o\"}]",
        dir);
    write_file("db.json", str_text(&json));
    str_free(&json);
    project.compile_commands = "db.json";
    TEST_ASSERT_TRUE(open_text("char a[N == 4 && M == 2 ? 1 : -1];\n"));
}

static void test_lines_are_clean(void) {
    TEST_ASSERT_TRUE(open_text("int a = 1 /* x */\n  +  2; char *s = \"a  b\"; /* \xe4 */\n"));
    const char *start = strstr(unit.text, "int a");
    const char *end = strstr(unit.text, "; /*");
    struct span span = {(size_t)(start - unit.text), (size_t)(end - unit.text)};
    TEST_ASSERT_EQUAL_STRING("int a = 1 + 2; char *s = \"a  b\"",
                             unit_line(&unit, span, &unit.arena));
}

static void test_edits_nest(void) {
    struct edits edits = {0};
    struct str out = {0};
    const char *text = "a && b;";
    edits_wrap(&edits, 5, 6, "(", ")");
    edits_wrap(&edits, 0, 1, "[", "]");
    edits_open(&edits, 0, 7, "hit; ");
    edits_wrap(&edits, 0, 7, "{ ", " }");
    edits_wrap(&edits, 0, 6, "<", ">");
    edits_replace(&edits, 5, 6, "long");
    edits_apply(&edits, text, strlen(text), &out);
    TEST_ASSERT_EQUAL_STRING("hit; { <[a] && (long)>; }", str_text(&out));
    str_free(&out);
    edits_replace(&edits, 0, 7, "x;");
    edits_apply(&edits, text, strlen(text), &out);
    TEST_ASSERT_EQUAL_STRING("hit; { x; }", str_text(&out));
    str_free(&out);
    edits_free(&edits);
}

static void test_edits_of_a_part(void) {
    struct edits edits = {0};
    struct str out = {0};
    const char *text = "static int x = y + 1;";
    edits_replace(&edits, 15, 16, "renamed");
    edits_replace(&edits, 0, 21, "");
    edits_apply_range(&edits, text, 15, 20, &out);
    TEST_ASSERT_EQUAL_STRING("renamed + 1", str_text(&out));
    str_free(&out);
    edits_apply(&edits, text, strlen(text), &out);
    TEST_ASSERT_EQUAL_STRING("", str_text(&out));
    str_free(&out);
    edits_free(&edits);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_places_survive_includes_and_comments);
    RUN_TEST(test_columns_are_those_of_the_file);
    RUN_TEST(test_system_headers_are_marked);
    RUN_TEST(test_windows_markers_are_accepted);
    RUN_TEST(test_names_of_the_host_are_free);
    RUN_TEST(test_data_model_follows_the_target);
    RUN_TEST(test_unknown_type_names_the_remedy);
    RUN_TEST(test_missing_include_names_the_remedy);
    RUN_TEST(test_missing_file_is_reported);
    RUN_TEST(test_garbage_is_an_error);
    RUN_TEST(test_old_c_is_accepted);
    RUN_TEST(test_defines_reach_preprocessed_text);
    RUN_TEST(test_words_of_other_compilers_are_left_out);
    RUN_TEST(test_words_that_mean_something_here_stay);
    RUN_TEST(test_tests_get_the_same_macros);
    RUN_TEST(test_compile_commands_supply_flags);
    RUN_TEST(test_lines_are_clean);
    RUN_TEST(test_edits_nest);
    RUN_TEST(test_edits_of_a_part);
    return UNITY_END();
}
