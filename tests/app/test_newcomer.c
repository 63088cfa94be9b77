/* What people meet on their first day: what is said then, and whether it helps. */
#include "folder.h"

#include "unity.h"

#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

void setUp(void) {
    folder_open();
}
void tearDown(void) {
    folder_close();
}

/* ---- headers of other systems ---- */

static void project_of(const char *source) {
    put("m.c", source);
    put("goalkeeper.json", "{\"name\": \"m\", \"sources\": [\"m.c\"], \"step\": \"step\", "
                           "\"include_dirs\": [\"inc\"]}\n");
    mkdir(path("inc"), 0777);
    put("inc/tl_types.h", "typedef int Int;\n");
}

static void test_a_header_that_is_written_otherwise(void) {
    project_of("#include \"TL_Types.h\"\nInt in, out; void step(void) { if (in) out = 1; }\n");
    run_tool("run --goals-only", NULL);
    expect_end(3, "m.c:1:10: error: 'TL_Types.h' file not found");
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "inc/tl_types.h': here upper and lower case differ"),
                             str_text(&r.err));
    project_of("#include \"Inc\\tl_types.h\"\nInt in, out; void step(void) { if (in) out = 1; }\n");
    run_tool("run --goals-only", NULL);
    expect_end(3, "inc/tl_types.h': here upper and lower case differ, and '/' parts folders");
    project_of("#include \"other.h\"\nInt in, out; void step(void) { if (in) out = 1; }\n");
    run_tool("run --goals-only", NULL);
    expect_end(3, "name the directory of the header with -I DIR");
    put("lib/deep/api/other.h", "\n");
    run_tool("run --goals-only", NULL);
    expect_end(3, "it is in lib/deep/api: add -I lib/deep/api, or \"include_dirs\"");
    put("another/other.h", "typedef int Int;\n");
    run_tool("run --goals-only", NULL);
    expect_end(3, "it is in another: add -I another, or \"include_dirs\": [\"another\"] to the "
                  "project file; there is another in lib/deep/api");
    put("src/deep/n.c", "#include \"other.h\"\nInt in, out; void step(void) { out = in; }\n");
    put("src/deep/goalkeeper.json", "{\"sources\": [\"n.c\"], \"step\": \"step\"}\n");
    put(".git/HEAD", "ref: refs/heads/main\n");
    run_tool("run src/deep --goals-only", NULL);
    expect_end(3, "it is in ../../another: add -I ../../another");
    put("src/deep/goalkeeper.json", "{\"sources\": [\"n.c\"], \"step\": \"step\", "
                                    "\"include_dirs\": [\"../../another\"]}\n");
    run_tool("run src/deep --goals-only", NULL);
    expect_end(0, NULL);
}

static void test_a_source_that_is_written_otherwise(void) {
    project_of("int in, out; void step(void) { if (in) out = 1; }\n");
    TEST_ASSERT_EQUAL_INT(0, rename(path("m.c"), path("M.C")));
    run_tool("run --goals-only", NULL);
    expect_end(2, "M.C': upper and lower case differ here");
}

static void test_a_folder_and_a_text_of_wide_characters(void) {
    project_of("int in, out; void step(void) { if (in) out = 1; }\n");
    put("folder.json", "{\"sources\": [\"inc\"], \"step\": \"step\"}\n");
    run_tool("run folder.json --goals-only", NULL);
    expect_end(2, "inc is a folder, not a C file");
    TEST_ASSERT_TRUE(file_write(path("m.c"), "\xff\xfei\0n\0t\0", 8, &err));
    run_tool("run --goals-only", NULL);
    expect_end(3, "byte order mark");
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "save the file as UTF-8"), str_text(&r.err));
}

/* ---- functions of headers that nobody calls ---- */

static void test_a_function_that_is_never_called_is_one_line(void) {
    project_of("#include \"help.h\"\nint in, out;\n"
               "static int clamp(int x) {\n"
               "  if (x > 5) { return 5; }\n  return x;\n}\n"
               "void step(void) { if (in > 3 && in < 2) { out = 1; } }\n");
    put("inc/help.h", "static inline int helper(int x) {\n"
                      "  if (x > 5) { return 5; }\n  return x;\n}\n");
    run_tool("run --require-complete --seconds 100", NULL);
    expect_end(0, NULL);
    TEST_ASSERT_TRUE_MESSAGE(says(&r.out, "m.c:3  dead because nothing that can run calls `clamp`\n"
                                          "    goals 1, 2, 3, 4, 5, 6, 7, 8\n"),
                             str_text(&r.out));
    TEST_ASSERT_FALSE(says(&r.out, "m.c:4"));
    TEST_ASSERT_TRUE(says(&r.out, "m.c:7  dead because"));
    TEST_ASSERT_EQUAL_INT64(8,
                            number_in("goalkeeper.db", "SELECT count(*) FROM goal_status WHERE "
                                                       "function = 'clamp' AND status = 'dead'"));
    /* what a header offers to whoever wants it is no goal of this module */
    TEST_ASSERT_EQUAL_INT64(0, number_in("goalkeeper.db", "SELECT count(*) FROM goal_status WHERE "
                                                          "function = 'helper'"));
}

/* Nobody reads forty lines that say the same. */
static void test_many_open_goals_are_told_by_what_they_wait_for(void) {
    static const char source[] =
        "unsigned char in, out;\n"
        "void step(void) {\n  __asm__ volatile(\"svc 0\" :: \"r\"(&out));\n"
        "  if (in > 3) out = 1;\n%s}\n";
#define MORE "  if (in > 4) out = 2;\n  if (in > 5) out = 3;\n  if (in > 6) out = 4;\n"
    project_of(arena_printf(&arena, source, MORE MORE MORE MORE));
    run_tool("run --seconds 30", NULL);
    expect_end(0, NULL);
    TEST_ASSERT_FALSE_MESSAGE(says(&r.out, "Open goals:\n"), str_text(&r.out));
    TEST_ASSERT_TRUE_MESSAGE(says(&r.out, "Open goals, by what they wait for:\n"
                                          "  waits for: construct. Lever: the model ends where "
                                          "this may be reached: inline assembly is not supported "
                                          "(step, m.c:3)\n    goals 3, 4, 5, "),
                             str_text(&r.out));
    TEST_ASSERT_TRUE_MESSAGE(says(&r.out, ", 61, 62 and 18 more\n"), str_text(&r.out));
#undef MORE
    project_of(arena_printf(&arena, source, ""));
    run_tool("run --seconds 30", NULL);
    expect_end(0, NULL);
    TEST_ASSERT_TRUE_MESSAGE(says(&r.out, "Open goals:\n  3  m.c:4  statement  if (in > 3)  (pro"),
                             str_text(&r.out));
}

/* ---- several step functions ---- */

static const char rates[] =
    "extern short Speed; extern unsigned char Door;\n"
    "static short filt; static unsigned char cnt; unsigned char Warn, Lamp;\n"
    "void Mod_Init(void) { filt = 0; cnt = 0; }\n"
    "void Mod_10ms(void) { filt = (short)((filt + Speed) / 2); Warn = filt > 100; }\n"
    "void Mod_100ms(void) {\n"
    "  if (Door && Warn) { if (cnt < 3) { cnt++; } } else { cnt = 0; }\n"
    "  if (cnt == 3) { Lamp = 1; } else { Lamp = 0; }\n"
    "  if (cnt > 3) { Lamp = 2; }\n"
    "}\n";

static void test_several_step_functions_are_named(void) {
    put("rates.c", rates);
    run_tool("init rates.c", NULL);
    TEST_ASSERT_EQUAL_INT(0, r.code);
    const struct str *said = says(&r.out, "note: ") ? &r.out : &r.err;
    TEST_ASSERT_TRUE_MESSAGE(says(said, "nobody calls Mod_10ms"), str_text(said));
    TEST_ASSERT_TRUE_MESSAGE(says(said, "init --steps Mod_100ms,Mod_10ms"), str_text(said));
    put("goalkeeper.json", "{\"name\": \"m\", \"sources\": [\"rates.c\"],\n"
                           " \"step\": [\"Mod_10ms\", \"Mod_100ms\"]}\n");
    run_tool("run --goals-only", NULL);
    expect_end(2, "goalkeeper.json:2:10: error: 'step' must be a text");
    TEST_ASSERT_TRUE(says(&r.err, "Several step functions"));
}

/* The reports know the real file only. */
static void test_a_driver_of_several_rates(void) {
    put("rates.c", rates);
    put("driver.c", "void Mod_10ms(void), Mod_100ms(void);\n"
                    "void Mod_step(void) {\n"
                    "    static unsigned char n;\n"
                    "    Mod_10ms(); if (++n == 10) { n = 0; Mod_100ms(); }\n"
                    "}\n");
    put("goalkeeper.json", "{\"name\": \"rates\", \"sources\": [\"rates.c\", \"driver.c\"], "
                           "\"init\": [\"Mod_Init\"],\n"
                           " \"step\": \"Mod_step\", \"exclude\": [\"files:driver.c\"]}\n");
    run_tool("run --require-complete --seconds 200", NULL);
    expect_end(0, NULL);
    TEST_ASSERT_EQUAL_INT64(0, number_in("goalkeeper.db", "SELECT count(*) FROM goal_status "
                                                          "WHERE file <> 'rates.c'"));
    TEST_ASSERT_EQUAL_INT64(
        1, number_in("goalkeeper.db", "SELECT count(*) = 1 AND min(depth) >= 30 FROM goal_status "
                                      "WHERE text = 'Lamp = 1;' AND status = 'reachable'"));
    TEST_ASSERT_EQUAL_INT64(1,
                            number_in("goalkeeper.db", "SELECT count(*) FROM goal_status WHERE "
                                                       "text = 'Lamp = 2;' AND status = 'dead'"));
    run_tool("report -o out --format cobertura,lcov,junit", NULL);
    expect_end(0, NULL);
    static const char *const files[] = {"out/cobertura.xml", "out/lcov.info", "out/junit.xml"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct str text = {0};
        TEST_ASSERT_TRUE_MESSAGE(file_read(path(files[i]), &text, &err), files[i]);
        TEST_ASSERT_TRUE_MESSAGE(says(&text, "rates.c"), files[i]);
        TEST_ASSERT_FALSE_MESSAGE(says(&text, "driver.c"), files[i]);
        str_free(&text);
    }
}

/* ---- the report ---- */

static int64_t bytes_of_pages;

static int add_page(const char *name, const struct stat *info, int kind, struct FTW *at) {
    (void)at;
    bytes_of_pages += kind == FTW_F && strstr(name, ".html") ? info->st_size : 0;
    return 0;
}

/* A report of thousands of goals is looked at on a server and sent by mail: what a goal and a page
 * cost is what it is made of. */
static void test_a_report_is_small(void) {
    enum { DECISIONS = 60, MOST_BYTES_A_GOAL = 745 };
    struct str text = {0};
    str_add(&text, "unsigned char in, out;\nvoid step(void) {\n");
    for (int i = 0; i < DECISIONS; i++)
        str_addf(&text, "    if (in > %d && out < %d) out = %d;\n", i, 200 - i, i);
    str_add(&text, "}\n");
    project_of(str_text(&text));
    put("goalkeeper.json", "{\"sources\": [\"m.c\"], \"step\": \"step\", "
                           "\"inputs\": [{\"name\": \"in\"}]}\n");
    run_tool("run --quiet --engines simulate --cpu-seconds 20 -j 1", NULL);
    expect_end(0, NULL);
    run_tool("report -o out --format html", NULL);
    expect_end(0, NULL);
    bytes_of_pages = 0;
    TEST_ASSERT_EQUAL_INT(0, nftw(path("out"), add_page, 16, FTW_PHYS));
    int64_t goals = number_in("goalkeeper.db", "SELECT count(*) FROM goal_status");
    TEST_ASSERT_TRUE(goals > 8 * DECISIONS);
    TEST_ASSERT_TRUE_MESSAGE(bytes_of_pages < MOST_BYTES_A_GOAL * goals,
                             arena_printf(&arena, "%lld bytes for %lld goals",
                                          (long long)bytes_of_pages, (long long)goals));
    str_free(&text);
}

static void expect_page(const char *page, const char *words) {
    struct str text = {0};
    TEST_ASSERT_TRUE_MESSAGE(file_read(path(page), &text, &err), page);
    TEST_ASSERT_TRUE_MESSAGE(says(&text, words), str_text(&text));
    str_free(&text);
}

/* What two dead goals on different pages rest on is a long list, and the same one. */
static void test_long_assumptions_are_told_once(void) {
    enum { INPUTS = 20 };
    struct str text = {0}, list = {0};
    str_add(&text, "unsigned char out;\n");
    for (int i = 0; i < INPUTS; i++) {
        str_addf(&text, "unsigned char input_%d;\n", i);
        str_addf(&list, "%s{\"name\": \"input_%d\", \"min\": 0, \"max\": 9}", i ? ", " : "", i);
    }
    str_add(&text, "void step(void) {\n  unsigned s = 0;\n");
    for (int i = 0; i < INPUTS; i++)
        str_addf(&text, "  s += input_%d;\n", i);
    str_add(&text, "  if (s > 180) out = 1;\n  if (s > 181) out = 2;\n}\n");
    project_of(str_text(&text));
    put("goalkeeper.json", arena_printf(&arena,
                                        "{\"sources\": [\"m.c\"], \"step\": \"step\", "
                                        "\"inputs\": [%s]}\n",
                                        str_text(&list)));
    run_tool("run --quiet --require-complete --seconds 60", NULL);
    expect_end(0, NULL);
    run_tool("report -o out --format html", NULL);
    expect_end(0, NULL);
    expect_page("out/decision/1.html", "<h3>It rests on</h3>\n<p><code>input_0 in [0, 9]; ");
    expect_page("out/decision/2.html", "<p>It rests on the same as <a href=\"../decision/1.html#g");
    str_free(&text);
    str_free(&list);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_a_report_is_small);
    RUN_TEST(test_long_assumptions_are_told_once);
    RUN_TEST(test_a_header_that_is_written_otherwise);
    RUN_TEST(test_a_source_that_is_written_otherwise);
    RUN_TEST(test_a_folder_and_a_text_of_wide_characters);
    RUN_TEST(test_a_function_that_is_never_called_is_one_line);
    RUN_TEST(test_many_open_goals_are_told_by_what_they_wait_for);
    RUN_TEST(test_several_step_functions_are_named);
    RUN_TEST(test_a_driver_of_several_rates);
    return UNITY_END();
}
