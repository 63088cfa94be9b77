/* Changed sources open exactly the goals whose slice of the program has changed. The second run has
 * no engine that proves anything, so what is dead after it was dead before. */
#include "folder.h"

#include "unity.h"

#include <string.h>
#include <sys/stat.h>

void setUp(void) {
    folder_open();
}
void tearDown(void) {
    folder_close();
}

/* Two counters that do not know each other. */
static const char original[] = "int in, out;\n"
                               "static int low, high;\n"
                               "static void Left(void) {\n"
                               "  if (in > 3) { if (low < 10) low++; } else { low = 0; }\n"
                               "  if (low > 10) out = 1; }\n"
                               "static void Right(void) {\n"
                               "  if (in > 5) { if (high < 20) high++; } else { high = 0; }\n"
                               "  if (high > 20) out = 2; }\n"
                               "void step(void) { Left(); Right(); }\n";

static const char *replaced(const char *from, const char *to) {
    const char *at = strstr(original, from);
    TEST_ASSERT_NOT_NULL(at);
    return arena_printf(&arena, "%.*s%s%s", (int)(at - original), original, to, at + strlen(from));
}

static void run(const char *source, const char *options) {
    put("a.c", source);
    run_tool(arena_printf(&arena, "run --quiet --db a.db %s", options), NULL);
    expect_end(0, NULL);
}

/* What was carried over stands without the program that it was proved of. */
static void audit(void) {
    run_tool("audit --quiet a.db", NULL);
    expect_end(0, NULL);
}

static int64_t count(const char *where) {
    return number_in("a.db",
                     arena_printf(&arena, "SELECT count(*) FROM goal_status WHERE %s", where));
}

static void prove_original(void) {
    put("goalkeeper.json", "{\"name\": \"a\", \"sources\": [\"a.c\"], \"step\": \"step\",\n"
                           " \"inputs\": [{\"name\": \"in\", \"min\": -5, \"max\": 20}]}\n");
    run(original, "--seconds 60");
    TEST_ASSERT_EQUAL_INT64(0, count("status = 'open'"));
    TEST_ASSERT_EQUAL_INT64(3, count("status = 'dead' AND function = 'Left'"));
    TEST_ASSERT_EQUAL_INT64(3, count("status = 'dead' AND function = 'Right'"));
}

static void test_a_change_opens_what_depends_on_it(void) {
    prove_original();
    /* that it is even now is more than the old proof knows */
    run(replaced("high < 20) high++", "high < 20) high += 2"), "--engines simulate --seconds 60");
    TEST_ASSERT_EQUAL_INT64(3, count("status = 'dead' AND function = 'Left'"));
    TEST_ASSERT_EQUAL_INT64(3, count("status = 'open'"));
    TEST_ASSERT_EQUAL_INT64(3, count("status = 'open' AND function = 'Right' AND value IS NOT 0"));
    audit();
}

/* It moves functions to other lines, and changes nothing. */
static void test_a_comment_opens_nothing(void) {
    prove_original();
    int64_t reachable = count("status = 'reachable'");
    run(replaced("static void Left", "/* left\n * counter */\nstatic\nvoid Left"),
        "--engines simulate --seconds 60");
    TEST_ASSERT_EQUAL_INT64(6, count("status = 'dead'"));
    TEST_ASSERT_EQUAL_INT64(reachable, count("status = 'reachable'"));
    TEST_ASSERT_EQUAL_INT64(3, count("status = 'dead' AND line > 9"));
    audit();
}

static int64_t last_witness(void) {
    return number_in("a.db", "SELECT max(id) FROM witness");
}

/* Runs are not made again where the program is the same, and are where a number has changed, or
 * what the compiler takes `char` for. */
static void test_a_comment_runs_nothing_again(void) {
    static const char settings[] = "{\"name\": \"a\", \"sources\": [\"a.c\"], \"step\": "
                                   "\"step\", \"char\": \"%s\",\n \"inputs\": [{\"name\": "
                                   "\"in\", \"min\": -5, \"max\": 20}]}\n";
    prove_original();
    int64_t last = last_witness();
    run(replaced("static void Left", "/* left's */\n\nstatic void Left"), "--seconds 60");
    TEST_ASSERT_EQUAL_INT64(0, count("status = 'open'"));
    TEST_ASSERT_EQUAL_INT64(3, count("status = 'dead' AND line = 7"));
    TEST_ASSERT_EQUAL_INT64(last, last_witness());
    audit();
    put("goalkeeper.json", arena_printf(&arena, settings, "unsigned"));
    run(replaced("static void Left", "\nstatic void Left"), "--seconds 60");
    TEST_ASSERT_GREATER_THAN_INT64(last, last_witness());
    last = last_witness();
    run(replaced("high < 20", "high < 19"), "--seconds 60");
    TEST_ASSERT_GREATER_THAN_INT64(last, last_witness());
    audit();
}

/* A compiler that refuses what only a search needs. */
static const char *without_search(void) {
    static const char text[] = "#!/bin/sh\n"
                               "case \" $* \" in *' -o /'*fast*|*' -o /'*traced*) exit 5;; esac\n"
                               "exec clang-19 \"$@\"\n";
    put("clang", text);
    TEST_ASSERT_EQUAL_INT(0, chmod(path("clang"), 0755));
    return arena_printf(&arena, "GOALKEEPER_CLANG=%s", path("clang"));
}

static void test_nothing_is_built_for_a_search_that_nobody_needs(void) {
    prove_original();
    int64_t reachable = count("status = 'reachable'");
    const char *environment[] = {without_search(), NULL};
    put("a.c", replaced("high < 20", "high < 19"));
    run_tool("run --quiet --no-cache --db a.db --seconds 60", environment);
    expect_end(0, NULL);
    TEST_ASSERT_FALSE_MESSAGE(says(&r.err, "failed"), str_text(&r.err));
    TEST_ASSERT_EQUAL_INT64(reachable, count("status = 'reachable'"));
    TEST_ASSERT_EQUAL_INT64(6, count("status = 'dead'"));
    audit();
}

/* What was dead may live: never kept by its key alone. */
static void test_a_change_can_make_dead_goals_reachable(void) {
    prove_original();
    run(replaced("low < 10", "low < 11"), "--engines simulate --seconds 60");
    TEST_ASSERT_EQUAL_INT64(0, count("status = 'dead' AND function = 'Left'"));
    TEST_ASSERT_EQUAL_INT64(3, count("status = 'reachable' AND line = 5 AND value IS NOT 0 AND "
                                     "text IN ('low > 10', 'out = 1;')"));
    TEST_ASSERT_EQUAL_INT64(3, count("status = 'dead' AND function = 'Right'"));
}

/* A part of the model that has changed: the old proof is tried first, and what is left of it. */
static void test_old_proofs_are_tried_on_what_has_changed(void) {
    prove_original();
    run(replaced("in > 5", "in > 6"), "--engines simulate --seconds 60");
    TEST_ASSERT_EQUAL_INT64(6, count("status = 'dead'"));
    TEST_ASSERT_EQUAL_INT64(0, count("status = 'open'"));
    run(replaced("static int low, high;", "static int new, low, high;"),
        "--engines simulate --seconds 60");
    TEST_ASSERT_EQUAL_INT64(6, count("status = 'dead'"));
}

/* Goals are listed, or a run is stopped: nothing is lost, and nothing counts that is not shown. */
static void test_verdicts_survive_until_they_are_found_again(void) {
    prove_original();
    int64_t all = count("1"), reachable = count("status = 'reachable'");
    run(replaced("if (in > 3)", "/* a comment */ if (in > 3)"), "--goals-only");
    TEST_ASSERT_EQUAL_INT64(all, count("status = 'open'"));
    TEST_ASSERT_EQUAL_INT64(6, count("reason LIKE 'dead before the sources changed%'"));
    run(replaced("if (in > 3)", "/* another */ if (in > 3)"), "--goals-only");
    run(replaced("if (in > 3)", "/* another */ if (in > 3)"), "--engines bmc --seconds 60");
    TEST_ASSERT_EQUAL_INT64(6, count("status = 'dead'"));
    TEST_ASSERT_EQUAL_INT64(reachable, count("status = 'reachable'"));
    TEST_ASSERT_EQUAL_INT64(0, number_in("a.db", "SELECT count(*) FROM earlier"));
    TEST_ASSERT_EQUAL_INT64(0, number_in("a.db", "SELECT count(*) FROM earlier_input"));
    run(replaced("high < 20", "high < 21"), "--engines kind --seconds 60");
    run_tool("run --db a.db --engines kind --seconds 60", NULL);
    TEST_ASSERT_EQUAL_INT64(0, count("status = 'dead' AND function = 'Right'"));
}

/* Witnesses are replayed with the inputs that they were found with, whatever their numbers are, and
 * old proofs are good for a model that has another input. */
static void test_a_new_input_opens_nothing(void) {
    prove_original();
    int64_t reachable = count("status = 'reachable'");
    put("goalkeeper.json", "{\"name\": \"a\", \"sources\": [\"a.c\"], \"step\": \"step\",\n"
                           " \"inputs\": [{\"name\": \"first\", \"min\": 0, \"max\": 1},\n"
                           "              {\"name\": \"in\", \"min\": -5, \"max\": 20}]}\n");
    run(replaced("int in, out;",
                 "int first, in, out, use;\nstatic void Use(void) { use = first; }\n"),
        "--engines simulate --seconds 60");
    TEST_ASSERT_EQUAL_INT64(6, count("status = 'dead' AND function <> 'Use'"));
    TEST_ASSERT_EQUAL_INT64(0, count("status = 'open'"));
    TEST_ASSERT_EQUAL_INT64(reachable, count("status = 'reachable' AND engine = 'simulate'"));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_a_change_opens_what_depends_on_it);
    RUN_TEST(test_a_comment_opens_nothing);
    RUN_TEST(test_a_comment_runs_nothing_again);
    RUN_TEST(test_nothing_is_built_for_a_search_that_nobody_needs);
    RUN_TEST(test_a_change_can_make_dead_goals_reachable);
    RUN_TEST(test_old_proofs_are_tried_on_what_has_changed);
    RUN_TEST(test_verdicts_survive_until_they_are_found_again);
    RUN_TEST(test_a_new_input_opens_nothing);
    return UNITY_END();
}
