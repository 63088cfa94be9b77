/* run --verify on tasks whose answer is known (data/verify/<name>.<answer>.c), what it says of
 * programs that cannot be analysed, and run --dump-model. */
#include "model/system/system.h"
#include "folder.h"

#include "unity.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TASKS GK_SOURCE_DIR "/tests/app/data/verify"

void setUp(void) {
    folder_open();
}
void tearDown(void) {
    folder_close();
}

static void run(const char *line) {
    run_tool(line, NULL);
}

static void verify(const char *name, const char *options) {
    run(arena_printf(&arena, "run --verify %s/%s %s", TASKS, name, options));
}

static const char *write_task(const char *text) {
    put("task.c", text);
    return path("task.c");
}

static void check_task(const char *name, const char *answer) {
    bool open = str_same(answer, "open");
    verify(name, open ? "--seconds 2" : "--seconds 100");
    const char *said = arena_printf(&arena, "%s: %s%s", name, str_text(&r.out), str_text(&r.err));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, said);
    const char *verdict = open                       ? "verdict: open\n"
                          : str_same(answer, "safe") ? "verdict: dead\n"
                                                     : "verdict: reachable";
    const char *by = open                       ? "reason: "
                     : str_same(answer, "safe") ? "checked by: solver\n"
                                                : "checked by: replay\n";
    TEST_ASSERT_TRUE_MESSAGE(str_starts(str_text(&r.out), verdict), said);
    TEST_ASSERT_TRUE_MESSAGE(says(&r.out, by), said);
}

static void check_all(const char *answer) {
    DIR *d = opendir(TASKS);
    const char *suffix = arena_printf(&arena, ".%s.c", answer);
    size_t n = 0;
    TEST_ASSERT_NOT_NULL(d);
    for (struct dirent *e; (e = readdir(d));)
        if (str_ends(e->d_name, suffix)) {
            check_task(e->d_name, answer);
            n++;
        }
    closedir(d);
    TEST_ASSERT_TRUE_MESSAGE(n >= 5, answer);
}

static void test_errors_that_cannot_be_reached(void) {
    check_all("safe");
}

static void test_errors_that_can_be_reached(void) {
    check_all("unsafe");
}

static void test_what_cannot_be_analysed_is_open(void) {
    check_all("open");
}

static void test_a_limitation_is_named_with_its_place(void) {
    verify("assembly.open.c", "--seconds 1");
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "assembly.open.c:12: in 'main': inline assembly"),
                             str_text(&r.err));
    verify("threads.open.c", "--seconds 1");
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "'pthread_create' has no body"), str_text(&r.err));
}

static void test_an_open_task_is_incomplete(void) {
    verify("heap.open.c", "--seconds 1 --require-complete");
    TEST_ASSERT_EQUAL_INT(4, r.code);
}

static void test_the_data_model_matters(void) {
    const char *file = write_task("extern void reach_error(void);\n"
                                  "int main(void) { if (sizeof(long) == 8) reach_error(); }\n");
    run(arena_printf(&arena, "run --verify %s --target ilp32", file));
    TEST_ASSERT_TRUE_MESSAGE(says(&r.out, "verdict: dead\n"), str_text(&r.err));
    run(arena_printf(&arena, "run --verify %s --target lp64", file));
    TEST_ASSERT_TRUE_MESSAGE(says(&r.out, "verdict: reachable\n"), str_text(&r.err));
}

/* Then the argument has the type that the call gives it. */
static void test_assert_without_a_declaration(void) {
    static const struct {
        const char *condition, *verdict;
    } rows[] = {{"p", "reachable"}, {"&x", "dead"}, {"d", "reachable"}, {"d + 2", "dead"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *file =
            write_task(arena_printf(&arena,
                                    "int nondet_int(void);\n"
                                    "int main(void) { int x = nondet_int(), *p = x ? &x : 0;\n"
                                    "  double d = x > 0 ? 1 : -0.0; assert(%s); }\n",
                                    rows[i].condition));
        const char *expected = arena_printf(&arena, "verdict: %s\n", rows[i].verdict);
        run(arena_printf(&arena, "run --verify %s", file));
        TEST_ASSERT_TRUE_MESSAGE(says(&r.out, expected), rows[i].condition);
    }
}

static void test_bad_tasks_are_refused(void) {
    run(arena_printf(&arena, "run --verify %s", write_task("int main(void) { return x; }\n")));
    TEST_ASSERT_EQUAL_INT(3, r.code);
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "task.c:1:25: error: "), str_text(&r.err));
    run(arena_printf(&arena, "run --verify %s", write_task("int f(void) { return 1; }\n")));
    TEST_ASSERT_EQUAL_INT(3, r.code);
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "no function main"), str_text(&r.err));
    run("run --verify nothing.c");
    TEST_ASSERT_EQUAL_INT(2, r.code);
    run("run --verify a.c b.c");
    TEST_ASSERT_EQUAL_INT(2, r.code);
    TEST_ASSERT_TRUE(says(&r.err, "one C file"));
}

/* ---- models as text ---- */

static void check_survives(const char *text) {
    struct terms terms;
    struct system sys;
    struct str again = {0};
    terms_init(&terms);
    system_init(&sys, &terms);
    bool ok = system_read(&sys, text, "model", &err);
    TEST_ASSERT_TRUE_MESSAGE(ok, str_text(&err.message));
    TEST_ASSERT_TRUE(sys.targets.len > 0);
    system_write(&sys, &again);
    TEST_ASSERT_EQUAL_STRING(text, str_text(&again));
    str_free(&again);
    system_free(&sys);
    terms_free(&terms);
}

static void test_a_dumped_model_can_be_read_again(void) {
    run("run --dump-model - " GK_SOURCE_DIR "/samples/door_debounce");
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.err));
    check_survives(str_text(&r.out));
    verify("float_filter.safe.c", "--dump-model -");
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.err));
    check_survives(str_text(&r.out));
}

static void test_a_dump_replaces_only_a_dump(void) {
    struct str text = {0};
    const char *file = path_join(&arena, str_text(&dir), "model.txt");
    const char *dump =
        arena_printf(&arena, "run --dump-model %s %s/samples/door_debounce", file, GK_SOURCE_DIR);
    run(dump);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.err));
    run(dump);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.err));
    TEST_ASSERT_TRUE(file_write(file, "mine\n", 5, &err));
    run(dump);
    TEST_ASSERT_EQUAL_INT(2, r.code);
    TEST_ASSERT_TRUE(file_read(file, &text, &err));
    TEST_ASSERT_EQUAL_STRING("mine\n", str_text(&text));
    str_free(&text);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_errors_that_cannot_be_reached);
    RUN_TEST(test_errors_that_can_be_reached);
    RUN_TEST(test_what_cannot_be_analysed_is_open);
    RUN_TEST(test_a_limitation_is_named_with_its_place);
    RUN_TEST(test_an_open_task_is_incomplete);
    RUN_TEST(test_the_data_model_matters);
    RUN_TEST(test_assert_without_a_declaration);
    RUN_TEST(test_bad_tasks_are_refused);
    RUN_TEST(test_a_dumped_model_can_be_read_again);
    RUN_TEST(test_a_dump_replaces_only_a_dump);
    return UNITY_END();
}
