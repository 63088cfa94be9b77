/* The command line as a user meets it: help, refusals, exit codes, generated texts. */
#include "app/cli/command.h"
#include "run_program.h"

#include "scratch.h"
#include "unity.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct child_result r;

void setUp(void) {
    scratch_open();
}
void tearDown(void) {
    child_result_free(&r);
    scratch_close();
}

static void run(const char *line) {
    child_result_free(&r);
    r = run_program(line, NULL, str_text(&dir));
}

static void expect_error(const char *line, const char *message, const char *remedy) {
    run(line);
    TEST_ASSERT_EQUAL_INT_MESSAGE(2, r.code, line);
    TEST_ASSERT_EQUAL_size_t_MESSAGE(0, r.out.len, line);
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, message), str_text(&r.err));
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, remedy), str_text(&r.err));
}

static void test_every_command_has_help_with_an_example(void) {
    run("--help");
    TEST_ASSERT_EQUAL_INT(0, r.code);
    for (int i = 0; i < COMMANDS; i++) {
        run("--help");
        TEST_ASSERT_TRUE(says(&r.out, commands[i].summary));
        run(arena_printf(&arena, "%s --help", commands[i].name));
        TEST_ASSERT_EQUAL_INT(0, r.code);
        TEST_ASSERT_TRUE_MESSAGE(says(&r.out, "\nexample:\n  goalkeeper "), commands[i].name);
        TEST_ASSERT_TRUE_MESSAGE(says(&r.out, "--quiet"), commands[i].name);
        run(arena_printf(&arena, "help %s", commands[i].name));
        TEST_ASSERT_TRUE(says(&r.out, commands[i].example));
    }
}

static void test_help_shows_exactly_the_options_of_the_command(void) {
    for (int c = 0; c < COMMANDS; c++) {
        run(arena_printf(&arena, "%s --help", commands[c].name));
        for (size_t i = 0; i < option_table.n; i++) {
            const struct option_row *row = &option_table.rows[i];
            const char *shown = arena_printf(&arena, "--%s%s%s", row->name, row->value ? " " : "",
                                             row->value ? row->value : " ");
            bool expert = c == CMD_run && row->commands != UINT64_MAX && row->commands & EXPERT;
            bool known = row->commands >> c & 1 && !expert; /* those stand in 'help engines' */
            const char *alone = arena_printf(&arena, "--%s\n", row->name); /* too long a name */
            if (known)
                TEST_ASSERT_TRUE_MESSAGE(says(&r.out, shown) || says(&r.out, alone), shown);
            else
                TEST_ASSERT_FALSE_MESSAGE(says(&r.out, arena_printf(&arena, "%s\n", shown)), shown);
        }
    }
}

/* A long name means one thing in a command, and every row belongs to some command. */
static void test_option_rows_are_sound(void) {
    const struct option_row *rows = option_table.rows;
    for (size_t i = 0; i < option_table.n; i++) {
        TEST_ASSERT_TRUE_MESSAGE(rows[i].commands & ((UINT64_C(1) << COMMANDS) - 1), rows[i].name);
        TEST_ASSERT_EQUAL_MESSAGE(rows[i].kind == OPTION_FLAG, rows[i].value == NULL, rows[i].name);
        for (size_t k = i + 1; k < option_table.n; k++) {
            if (!(rows[i].commands & rows[k].commands))
                continue;
            TEST_ASSERT_FALSE_MESSAGE(str_same(rows[i].name, rows[k].name), rows[i].name);
            TEST_ASSERT_FALSE_MESSAGE(rows[i].letter && rows[i].letter == rows[k].letter,
                                      rows[i].name);
        }
    }
}

static void test_unknown_words_get_a_suggestion(void) {
    expect_error("statsu", "unknown command 'statsu'", "'status'");
    expect_error("xyzzy", "unknown command", "goalkeeper --help");
    expect_error("--quiet run", "options follow the command", "");
    expect_error("run --egnines ic3", "unknown option '--egnines'", "'--engines'");
    expect_error("run --engines kind,houdni --step f " GK_SOURCE_DIR "/tests/app/test_cli.c",
                 "unknown engine 'houdni'", "did you mean 'houdini'?");
    expect_error("run --engines xyzzy --step f " GK_SOURCE_DIR "/tests/app/test_cli.c",
                 "unknown engine", "simulate, houdini");
    expect_error("query --status deda", "unknown value 'deda'", "'dead'");
    expect_error("run --engine-option ic3.no=1 .", "unknown engine setting 'ic3.no=1'",
                 "goalkeeper help engines");
    expect_error("run --engine-option ic3.gentr=maybe .", "'ic3.gentr' is on or off", "");
    expect_error("run --engine-option ic3.ind=x .", "'ic3.ind' needs a number", "");
    expect_error("help statsu", "unknown command", "goalkeeper --help");
    expect_error("--generate manual", "unknown", "");
}

/* 80 columns, 50 lines; what only experts need is told elsewhere. */
static void test_help_of_run_fits_a_screen(void) {
    run("run --help");
    int lines = 0;
    for (const char *at = str_text(&r.out); *at; at += strcspn(at, "\n") + 1, lines++)
        TEST_ASSERT_LESS_OR_EQUAL_INT(82, strcspn(at, "\n")); /* bytes: "…" has three */
    TEST_ASSERT_LESS_OR_EQUAL_INT(50, lines);
    TEST_ASSERT_NULL(strstr(str_text(&r.out), "--goal-ticks"));
    run("help engines");
    TEST_ASSERT_NOT_NULL(strstr(str_text(&r.out), "--goal-ticks"));
}

static void test_numbers_of_arguments(void) {
    expect_error("init", "missing argument, wanted FILE", "compile_commands.json");
    expect_error("replay x.db", "missing argument, wanted DB GOAL", "usage");
    expect_error("audit a.db b.db", "unexpected argument 'b.db'", "usage");
    expect_error("doctor now", "unexpected argument 'now'", "usage");
}

static void test_nothing_at_all_shows_the_usage(void) {
    child_result_free(&r);
    r = run_program("", NULL, NULL);
    TEST_ASSERT_EQUAL_INT(2, r.code);
    TEST_ASSERT_TRUE(says(&r.err, "usage: goalkeeper COMMAND"));
}

static void test_versions_agree(void) {
    run("--version");
    const char first[] = "goalkeeper " GK_VERSION " (", *id = strstr(str_text(&r.out), "build ");
    TEST_ASSERT_EQUAL_STRING_LEN(first, str_text(&r.out), sizeof first - 1);
    TEST_ASSERT_NOT_NULL(id);
    TEST_ASSERT_EQUAL_size_t(16, strspn(id + 6, "0123456789abcdef"));
    char *alone = strdup(str_text(&r.out));
    run("gate --version");
    TEST_ASSERT_EQUAL_STRING(alone, str_text(&r.out));
    free(alone);
    TEST_ASSERT_EQUAL_STRING(GK_CMAKE_VERSION, GK_VERSION);
}

static void test_environment_variables(void) {
    const char *bad[] = {"GOALKEEPER_JOBS=many", NULL};
    child_result_free(&r);
    r = run_program("run", bad, str_text(&dir));
    TEST_ASSERT_EQUAL_INT(2, r.code);
    TEST_ASSERT_TRUE(says(&r.err, "GOALKEEPER_JOBS: 'many' is not a whole number"));
    const char *typo[] = {"GOALKEEPER_JOSB=1", NULL};
    child_result_free(&r);
    r = run_program("help", typo, NULL);
    TEST_ASSERT_EQUAL_INT(0, r.code);
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "did you mean GOALKEEPER_JOBS?"), str_text(&r.err));
}

static void test_full_disk_is_not_success(void) {
    const char *argv[] = {"sh", "-c", GK_BINARY_DIR "/goalkeeper --help > /dev/full", NULL};
    struct child_spec spec = {.argv = argv};
    child_result_free(&r);
    TEST_ASSERT_TRUE(child_run(&spec, &r, &err));
    TEST_ASSERT_EQUAL_INT(2, r.code);
    TEST_ASSERT_TRUE(says(&r.err, "cannot write the output"));
}

static void test_closed_standard_streams(void) {
    const char *argv[] = {"sh", "-c", GK_BINARY_DIR "/goalkeeper doctor >&- 2>&- <&-; echo $?",
                          NULL};
    struct child_spec spec = {.argv = argv};
    child_result_free(&r);
    TEST_ASSERT_TRUE(child_run(&spec, &r, &err));
    TEST_ASSERT_TRUE(str_same(str_text(&r.out), "0\n") || str_same(str_text(&r.out), "2\n"));
}

/* Nobody gets the result, so it is none. */
static void test_closed_output_is_not_success(void) {
    const char *argv[] = {"sh", "-c", GK_BINARY_DIR "/goalkeeper --help >&-", NULL};
    struct child_spec spec = {.argv = argv};
    child_result_free(&r);
    TEST_ASSERT_TRUE(child_run(&spec, &r, &err));
    TEST_ASSERT_EQUAL_INT(2, r.code);
    TEST_ASSERT_TRUE(says(&r.err, "cannot write the output"));
}

static void test_manual_page_is_clean_and_complete(void) {
    run("--generate man");
    TEST_ASSERT_EQUAL_INT(0, r.code);
    for (int i = 0; i < COMMANDS; i++)
        TEST_ASSERT_TRUE(
            says(&r.out, arena_printf(&arena, ".SS goalkeeper %s ", commands[i].name)));
    const char *page = path("goalkeeper.1");
    TEST_ASSERT_TRUE(file_write(page, r.out.data, r.out.len, &err));
    const char *argv[] = {"groff", "-man", "-Kutf8", "-Tutf8", "-ww", "-z", page, NULL};
    struct child_spec spec = {.argv = argv};
    child_result_free(&r);
    if (!child_run(&spec, &r, &err)) {
        err_clear(&err);
        TEST_IGNORE_MESSAGE("groff is not installed");
    }
    TEST_ASSERT_EQUAL_INT(0, r.code);
    TEST_ASSERT_EQUAL_STRING("", str_text(&r.err));
}

/* Runs the completion for a line whose last word is being typed. */
static const char *complete(const char *words, int current) {
    const char *script = arena_printf(
        &arena,
        "source <('%s/goalkeeper' --generate completion); COMP_WORDS=(%s); COMP_CWORD=%d\n"
        "_goalkeeper; echo \"${COMPREPLY[*]}\"",
        GK_BINARY_DIR, words, current);
    const char *argv[] = {"bash", "-c", script, NULL};
    struct child_spec spec = {.argv = argv};
    child_result_free(&r);
    TEST_ASSERT_TRUE(child_run(&spec, &r, &err));
    TEST_ASSERT_EQUAL_STRING("", str_text(&r.err));
    return str_text(&r.out);
}

static void test_completion(void) {
    TEST_ASSERT_EQUAL_STRING("report replay\n", complete("goalkeeper rep", 1));
    TEST_ASSERT_EQUAL_STRING("--criteria\n", complete("goalkeeper run --crit", 2));
    TEST_ASSERT_EQUAL_STRING("dead\n", complete("goalkeeper query --status d", 3));
    TEST_ASSERT_EQUAL_STRING("\n", complete("goalkeeper query some", 2));
    /* names that tables know, also behind a comma, an equals sign, or as the next word of a list */
    TEST_ASSERT_EQUAL_STRING("mcdc\n", complete("goalkeeper run --criteria mc", 3));
    TEST_ASSERT_EQUAL_STRING("html,sarif\n", complete("goalkeeper report --format html,sar", 3));
    TEST_ASSERT_EQUAL_STRING("branch=\n", complete("goalkeeper gate --min br", 3));
    TEST_ASSERT_EQUAL_STRING("cbmc-bmc cbmc-kind\n", complete("goalkeeper run --engines cb", 3));
    TEST_ASSERT_EQUAL_STRING("ic3.gentr=\n", complete("goalkeeper run --engine-option ic3.gen", 3));
    TEST_ASSERT_EQUAL_STRING("dead\n", complete("goalkeeper query --status = d", 4));
    TEST_ASSERT_EQUAL_STRING("engines export\n", complete("goalkeeper help e", 2));
}

/* Names that only the database knows. */
static void test_completion_from_a_database(void) {
    const char *db = path("m.db");
    child_result_free(&r);
    r = run_program(
        arena_printf(&arena,
                     "run " GK_SOURCE_DIR "/samples/lane_assist --goals-only --quiet --db %s", db),
        NULL, NULL);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.err));
    const char *line =
        arena_printf(&arena, "%s/goalkeeper query %s --function Sa", GK_BINARY_DIR, db);
    TEST_ASSERT_EQUAL_STRING("Sa3_DriverSupervision Sa4_AssistTorque\n", complete(line, 4));
}

static void test_crash_gives_exit_code_6(void) {
    const char *crash[] = {"GOALKEEPER_STOP=CHILD_START=crash", NULL};
    child_result_free(&r);
    r = run_program("doctor", crash, NULL);
    TEST_ASSERT_EQUAL_INT(6, r.code);
    TEST_ASSERT_TRUE(says(&r.err, "internal error"));
}

/* Memory runs out at the n-th allocation: one message, exit code 6, and the next run is fine. */
static void test_out_of_memory_at_many_places(void) {
    const char *line = "run " GK_SOURCE_DIR "/samples/can_guard --goals-only --db x.db --quiet";
    int refused = 0;
    for (unsigned long n = 1;; n = n * 3 / 2 + 1) {
        const char *fault = arena_printf(&arena, "GOALKEEPER_STOP=MEMORY:%lu=fail", n);
        const char *environment[] = {fault, NULL};
        child_result_free(&r);
        r = run_program(line, environment, str_text(&dir));
        if (r.code == 0)
            break;
        TEST_ASSERT_EQUAL_INT_MESSAGE(6, r.code, fault);
        TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "out of memory"), str_text(&r.err));
        refused++;
    }
    TEST_ASSERT_GREATER_THAN_INT(10, refused);
    run("status x.db");
    TEST_ASSERT_EQUAL_INT(0, r.code);
    TEST_ASSERT_TRUE(says(&r.out, "all files"));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_every_command_has_help_with_an_example);
    RUN_TEST(test_help_shows_exactly_the_options_of_the_command);
    RUN_TEST(test_option_rows_are_sound);
    RUN_TEST(test_unknown_words_get_a_suggestion);
    RUN_TEST(test_help_of_run_fits_a_screen);
    RUN_TEST(test_numbers_of_arguments);
    RUN_TEST(test_nothing_at_all_shows_the_usage);
    RUN_TEST(test_versions_agree);
    RUN_TEST(test_environment_variables);
    RUN_TEST(test_full_disk_is_not_success);
    RUN_TEST(test_closed_standard_streams);
    RUN_TEST(test_closed_output_is_not_success);
    RUN_TEST(test_manual_page_is_clean_and_complete);
    RUN_TEST(test_completion);
    RUN_TEST(test_completion_from_a_database);
    RUN_TEST(test_crash_gives_exit_code_6);
    RUN_TEST(test_out_of_memory_at_many_places);
    return UNITY_END();
}
