/* From the arguments of `run` to a project: what is named, and what beats what. */
#include "app/cli/command.h"

#include "scratch.h"
#include "unity.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct options o;
static struct project p;

static const char file[] =
    "{\"sources\": [\"a.c\"], \"step\": \"go\", \"seed\": 7, \"init\": [\"start\"],"
    " \"criteria\": [\"branch\"], \"include_dirs\": [\"inc\"], \"target\": \"lp64\","
    " \"budget\": {\"goal_seconds\": 5, \"total_seconds\": 9, \"jobs\": 2}}";

void setUp(void) {
    memset(&o, 0, sizeof o);
    o.command = CMD_run;
    o.values.source = o.source;
    options_preset(&option_table, &o.values);
    scratch_open();
    put("a.c", "");
    put("goalkeeper.json", file);
}

void tearDown(void) {
    options_free(&o);
    project_free(&p);
    scratch_close();
}

/* Like `goalkeeper run` with these words; %s in line is the folder of the test. */
static bool project(const char *line) {
    char *argv[64], *rest = arena_printf(&arena, line, str_text(&dir), str_text(&dir));
    size_t n = 0;
    while ((argv[n] = strsep(&rest, " ")))
        n++;
    uint64_t bit = UINT64_C(1) << CMD_run;
    TEST_ASSERT_TRUE(options_environment(&option_table, bit, &o.values, &err));
    TEST_ASSERT_TRUE_MESSAGE(options_parse(&option_table, bit, argv, &o.values, &err),
                             str_text(&err.message));
    o.arguments = o.values.arguments;
    return options_project(&o, &p, &err);
}

static void expect_error(const char *line, const char *message) {
    TEST_ASSERT_FALSE(project(line));
    TEST_ASSERT_EQUAL_INT(ERR_USAGE, err.code);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&err.message), message), str_text(&err.message));
}

static void test_folder_and_file_name_the_same_project(void) {
    TEST_ASSERT_TRUE_MESSAGE(project("%s"), str_text(&err.message));
    TEST_ASSERT_EQUAL_UINT64(7, p.seed);
    TEST_ASSERT_EQUAL_STRING(path("goalkeeper.db"), options_run_database(&o, &p));
    project_free(&p);
    o.values.arguments.len = 0;
    TEST_ASSERT_TRUE(project("%s/goalkeeper.json --db other.db"));
    TEST_ASSERT_EQUAL_STRING(str_text(&dir), p.dir);
    TEST_ASSERT_EQUAL_STRING("other.db", options_run_database(&o, &p));
}

static void test_the_current_folder_is_the_default(void) {
    char *here = getcwd(NULL, 0);
    TEST_ASSERT_EQUAL_INT(0, chdir(str_text(&dir)));
    char *argv[] = {NULL};
    TEST_ASSERT_TRUE(options_parse(&option_table, 1u << CMD_run, argv, &o.values, &err));
    TEST_ASSERT_TRUE(options_project(&o, &p, &err));
    TEST_ASSERT_EQUAL_STRING("go", p.step);
    TEST_ASSERT_EQUAL_STRING("goalkeeper.db", options_run_database(&o, &p));
    TEST_ASSERT_EQUAL_INT(0, chdir(here));
    free(here);
}

static void test_options_beat_environment_beats_project_file(void) {
    setenv("GOALKEEPER_SEED", "8", 1);
    setenv("GOALKEEPER_GOAL_SECONDS", "6", 1);
    TEST_ASSERT_TRUE(project("%s --seed 9"));
    unsetenv("GOALKEEPER_SEED"), unsetenv("GOALKEEPER_GOAL_SECONDS");
    TEST_ASSERT_EQUAL_UINT64(9, p.seed);
    TEST_ASSERT_EQUAL_DOUBLE(6, p.goal_seconds);
    TEST_ASSERT_EQUAL_DOUBLE(9, p.total_seconds);
}

static void test_every_option_reaches_the_project(void) {
    TEST_ASSERT_TRUE_MESSAGE(
        project("%s --step s2 --init a,b -I /x -D Q=1 --cflag -g --compile-commands /c.json "
                "--assume x<1 --exclude functions:f --target ilp32 --char unsigned "
                "--criteria mcdc,vector --mcdc unique-cause --decisions literal --asil A "
                "--engines ic3,kind --seconds 3 --goal-seconds 4 --goal-ticks 5 --memory-mb 6 -j0"),
        str_text(&err.message));
    TEST_ASSERT_EQUAL_STRING("s2", p.step);
    TEST_ASSERT_EQUAL_size_t(2, p.init.len);
    TEST_ASSERT_EQUAL_STRING("/x", p.include_dirs.data[0]);
    TEST_ASSERT_EQUAL_STRING("Q=1", p.defines.data[0]);
    TEST_ASSERT_EQUAL_STRING("-g", p.cflags.data[0]);
    TEST_ASSERT_EQUAL_STRING("/c.json", p.compile_commands);
    TEST_ASSERT_EQUAL_STRING("x<1", p.assumptions.data[0]);
    TEST_ASSERT_EQUAL_STRING("functions:f", p.exclude.data[0]);
    TEST_ASSERT_TRUE(p.ilp32 && !p.char_is_signed);
    TEST_ASSERT_TRUE(p.criteria[GOAL_mcdc] && p.criteria[GOAL_vector] && !p.criteria[GOAL_branch]);
    TEST_ASSERT_TRUE(p.mcdc_unique_cause && p.literal_decisions);
    TEST_ASSERT_EQUAL_STRING("A", p.asil);
    TEST_ASSERT_EQUAL_size_t(2, p.engines.len);
    TEST_ASSERT_EQUAL_DOUBLE(3, p.total_seconds);
    TEST_ASSERT_EQUAL_DOUBLE(4, p.goal_seconds);
    TEST_ASSERT_EQUAL_UINT64(5, p.goal_ticks);
    TEST_ASSERT_EQUAL_UINT64(6, p.memory_mb);
    TEST_ASSERT_EQUAL_UINT(0, p.jobs);
}

static void test_relative_paths_of_options_start_here(void) {
    char *here = getcwd(NULL, 0);
    TEST_ASSERT_TRUE(project("%s -I sub"));
    TEST_ASSERT_EQUAL_STRING(path_join(&arena, here, "sub"), p.include_dirs.data[0]);
    free(here);
}

static void test_bare_sources_are_guessed(void) {
    put("pump.c", "int level, out;\nstatic int last;\n"
                  "void RESTART_pump(void) { last = 0; }\n"
                  "void pump(void) { if (level > last) out++; last = level; }\n");
    TEST_ASSERT_TRUE_MESSAGE(project("%s/pump.c"), str_text(&err.message));
    TEST_ASSERT_EQUAL_STRING("pump", p.step);
    TEST_ASSERT_EQUAL_STRING("pump", p.name);
    TEST_ASSERT_EQUAL_size_t(1, p.init.len);
    TEST_ASSERT_EQUAL_STRING("RESTART_pump", p.init.data[0]);
}

static void test_bare_sources(void) {
    put("a.c", "int x;\nvoid go(void) { if (x) x = 0; }\n");
    TEST_ASSERT_TRUE_MESSAGE(project("%s/a.c --step go"), str_text(&err.message));
    TEST_ASSERT_EQUAL_STRING("go", p.name);
    TEST_ASSERT_EQUAL_size_t(1, p.sources.len);
    TEST_ASSERT_TRUE(p.ilp32);
    TEST_ASSERT_EQUAL_STRING("", p.file);
}

static void test_refusals(void) {
    static const char *const bad[][2] = {
        {"%s/none.c --step go", "no such file"},
        {"%s/none", "no such file"},
        {"%s/none.json", "cannot open"},
        {"%s/a.c %s", "this is a folder"},
        {"%s --criteria brunch", "unknown kind 'brunch'"},
        {"%s --engines simulate,ic4", "unknown engine 'ic4'"},
        {"%s --step 1x", "not the name of a function"},
        {"%s --init a-b", "not the name of a function"},
        {"%s --exclude f", "functions:NAME"},
        {"/", "no goalkeeper.json"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        tearDown();
        setUp();
        expect_error(bad[i][0], bad[i][1]);
    }
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_folder_and_file_name_the_same_project);
    RUN_TEST(test_the_current_folder_is_the_default);
    RUN_TEST(test_options_beat_environment_beats_project_file);
    RUN_TEST(test_every_option_reaches_the_project);
    RUN_TEST(test_relative_paths_of_options_start_here);
    RUN_TEST(test_bare_sources);
    RUN_TEST(test_bare_sources_are_guessed);
    RUN_TEST(test_refusals);
    return UNITY_END();
}
