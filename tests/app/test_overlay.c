/* What tests cover, beside the verdicts: three kinds of files, and what must not be guessed. */
#include "base/tool.h"
#include "folder.h"

#include "unity.h"

void setUp(void) {
}
void tearDown(void) {
}

static const char module[] = "int in, out;\n"
                             "static int seen;\n"
                             "void step(void)\n"
                             "{\n"
                             "    if (in > 5 && in < 9) {\n"
                             "        seen = 1;\n"
                             "    }\n"
                             "    if (in > 7) seen = 2;\n"
                             "    if (in > 200) {\n" /* dead */
                             "        seen = 3;\n"
                             "    }\n"
                             "    out = seen;\n"
                             "}\n";

static void decide(void) {
    put("m.c", module);
    put("goalkeeper.json", "{\"name\": \"m\", \"sources\": [\"m.c\"], \"step\": \"step\", "
                           "\"inputs\": [{\"name\": \"in\", \"min\": 0, \"max\": 100}]}\n");
    run_tool("run --engines simulate,houdini,kind --seconds 60 --db m.db --require-complete", NULL);
    expect_end(0, NULL);
}

static int64_t count(const char *overlay, const char *where) {
    return number_in(
        "m.db", arena_printf(&arena, "SELECT count(*) FROM overlay WHERE overlay = '%s' AND %s",
                             overlay, where));
}

static void test_lines_say_what_they_can(void) {
    TEST_ASSERT_EQUAL_INT64(0, number_in("m.db", "SELECT count(*) FROM overlay"));
    put("c.info", "TN:\nSF:/elsewhere/m.c\nFN:3,step\nFNDA:4,step\n"
                  "BRDA:5,0,0,4\nBRDA:5,0,1,2\nBRDA:5,0,2,1\nBRDA:5,0,3,1\n"
                  "BRDA:8,0,0,4\nBRDA:8,0,1,0\nDA:3,4\nDA:5,4\nDA:6,0\nDA:8,4\nDA:9,4\n"
                  "DA:10,0\nDA:12,4\n"
                  "MCDC:5,2,t,1,0,in > 5\nMCDC:5,2,f,0,0,in > 5\nend_of_record\n");
    run_tool("overlay m.db c.info", NULL);
    expect_end(0, NULL);
    TEST_ASSERT_EQUAL_INT64(1, count("covered", "kind = 'function'"));
    TEST_ASSERT_EQUAL_INT64(1, count("gap", "kind = 'statement' AND line = 6"));
    TEST_ASSERT_EQUAL_INT64(6, count("covered", "kind IN ('branch', 'condition') AND line = 5"));
    /* the second statement of a line, and a branch of two: nobody can say */
    TEST_ASSERT_EQUAL_INT64(1, count("unknown", "kind = 'statement' AND line = 8"));
    TEST_ASSERT_EQUAL_INT64(2, count("unknown", "kind = 'branch' AND line = 8"));
    TEST_ASSERT_EQUAL_INT64(1, count("covered", "kind = 'mcdc' AND text = 'in > 5'"));
    TEST_ASSERT_EQUAL_INT64(1, count("gap", "kind = 'mcdc' AND text = 'in > 5'"));
    TEST_ASSERT_EQUAL_INT64(1, count("dead", "kind = 'statement' AND line = 10"));
    run_tool("gate m.db --min covered=60 --of reachable", NULL);
    expect_end(0, NULL);
    run_tool("gate m.db --min covered=100 --of reachable", NULL);
    expect_end(1, NULL);
}

/* Both are kept; nobody knows yet who is right. */
static void test_a_hit_on_a_dead_goal_is_an_alarm(void) {
    put("c.info", "SF:m.c\nDA:10,3\nend_of_record\n");
    run_tool("overlay m.db c.info", NULL);
    expect_end(5, "is dead, and was hit");
    TEST_ASSERT_EQUAL_INT64(1, count("alarm", "line = 10"));
    TEST_ASSERT_EQUAL_INT64(1, number_in("m.db", "SELECT count(*) FROM goal_status WHERE line = 10 "
                                                 "AND status = 'dead'"));
    run_tool("gate m.db --max-open 99", NULL);
    expect_end(5, NULL);
}

static void test_gcov_has_lines_and_conditions(void) {
    put("c.json",
        "{\"gcc_version\": \"14.2.0\", \"files\": [{\"file\": \"src/m.c\", \"functions\": "
        "[{\"name\": \"step\", \"execution_count\": 4}], \"lines\": ["
        "{\"line_number\": 5, \"count\": 4, \"branches\": [{\"count\": 1}, {\"count\": 0}], "
        "\"conditions\": [{\"count\": 4, \"covered\": 3, \"not_covered_true\": [1], "
        "\"not_covered_false\": []}]}, {\"line_number\": 6, \"count\": 0, \"branches\": []}]}]}");
    run_tool("overlay m.db c.json", NULL);
    expect_end(0, NULL);
    TEST_ASSERT_EQUAL_INT64(3, count("covered", "kind = 'mcdc'"));
    TEST_ASSERT_EQUAL_INT64(1, count("gap", "kind = 'mcdc' AND text = 'in < 9' AND value = 1"));
    TEST_ASSERT_EQUAL_INT64(1, count("gap", "line = 6"));
    TEST_ASSERT_EQUAL_INT64(6, count("unknown", "line = 5 AND kind IN ('branch', 'condition')"));
}

/* clang's own counts of the tests that were exported leave no gap. */
static void test_exported_tests_leave_no_gap(void) {
    static const char *const needed[] = {"llvm-profdata-19", "llvm-cov-19", "make"};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!tool_find(&arena, "", &needed[i], 1))
            TEST_IGNORE_MESSAGE("no llvm-cov or no make");
    run_tool("export m.db -o out --tests plain", NULL);
    expect_end(0, NULL);
    const char *const argv[] = {"make", "-s", "-C", path("out/plain"), "coverage", NULL};
    struct child_result made = {0};
    TEST_ASSERT_TRUE(
        child_run(&(struct child_spec){.argv = argv, .wall_seconds = 120}, &made, &err));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, made.code, str_text(&made.err));
    child_result_free(&made);
    run_tool("overlay m.db out/plain/build/coverage/coverage.json", NULL);
    expect_end(0, NULL);
    TEST_ASSERT_EQUAL_INT64(0, count("gap", "1"));
    TEST_ASSERT_EQUAL_INT64(0, count("unknown", "1"));
    TEST_ASSERT_EQUAL_INT64(
        number_in("m.db", "SELECT count(*) FROM goal_status WHERE status = 'reachable'"),
        count("covered", "1"));
}

static void refuse(const char *text, const char *words) {
    put("bad", text);
    run_tool("overlay m.db bad", NULL);
    expect_end(2, words);
}

static void test_other_files_are_refused(void) {
    int64_t before = number_in("m.db", "SELECT sum(hit) FROM measured");
    TEST_ASSERT_GREATER_THAN_INT64(0, before);
    refuse("what is this", "no file of coverage");
    refuse("SF:m.c\nDA:10\nend_of_record\n", "bad:2");
    refuse("SF:m.c\nDA:10,1\n", "end of the file");
    refuse("DA:10,1\nSF:m.c\nend_of_record\n", "bad:1");
    refuse("SF:other.c\nDA:10,1\nend_of_record\n", "no goal of");
    refuse("{\"type\": \"something else\"}", "neither of llvm-cov nor of gcov");
    refuse("{\"gcc_version\": ", "bad:1:17: error: the file ends here");
    refuse("{\"gcc_version\": 1}", "neither of llvm-cov nor of gcov");
    TEST_ASSERT_EQUAL_INT64(before, number_in("m.db", "SELECT sum(hit) FROM measured"));
}

/* One module for all tests. */
int main(void) {
    UNITY_BEGIN();
    folder_open();
    RUN_TEST(decide);
    RUN_TEST(test_lines_say_what_they_can);
    RUN_TEST(test_a_hit_on_a_dead_goal_is_an_alarm);
    RUN_TEST(test_gcov_has_lines_and_conditions);
    RUN_TEST(test_exported_tests_leave_no_gap);
    RUN_TEST(test_other_files_are_refused);
    folder_close();
    return UNITY_END();
}
