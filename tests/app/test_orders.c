/* Calls whose order C leaves open: gcc for i386 and clang disagree about what these modules do, so
 * no verdict may rest on one of the orders. */
#include "base/tool.h"
#include "folder.h"

#include "unity.h"

#include <stdio.h>

void setUp(void) {
    folder_open();
}
void tearDown(void) {
    folder_close();
}

static void decide_with(const char *step, const char *const *settings) {
    put("m.c", arena_printf(&arena,
                            "int in, out, seen; static int x;\n"
                            "static int two(int a, int b) { return a * 10 + b; }\n"
                            "static int f(void) { x = 1; return x; }\n"
                            "static int g(void) { return x == 1 ? 5 : 7; }\n"
                            "void step(void) { x = 0;\n%s }\n",
                            step));
    put("goalkeeper.json", "{\"name\": \"m\", \"sources\": [\"m.c\"], \"step\": \"step\", "
                           "\"criteria\": [\"branch\"]}\n");
    run_tool("run --engines simulate,houdini,kind --goal-seconds 1 --seconds 60 --db m.db",
             settings);
    expect_end(0, NULL);
}

static void decide(const char *step) {
    decide_with(step, NULL);
}

static int64_t count(const char *status, const char *text) {
    return number_in("m.db", arena_printf(&arena,
                                          "SELECT count(*) FROM goal_status WHERE status = '%s' "
                                          "AND text LIKE '%%%s%%'",
                                          status, text));
}

/* From the left x is 1 in g(), from the right 0: 15 and 17. */
static void test_every_order_is_tried(void) {
    decide("out = two(f(), g());\n"
           "if (out == 17) seen = 1;\n"
           "if (out > 17) seen = 2;\n"
           "if (out > 10 && in > 3) seen = 3;");
    TEST_ASSERT_EQUAL_INT64(2, count("open", "x == 1"));
    TEST_ASSERT_EQUAL_INT64(2, count("open", "out == 17"));
    TEST_ASSERT_EQUAL_INT64(1, count("dead", "out > 17"));
    TEST_ASSERT_EQUAL_INT64(1, count("reachable", "out > 17"));
    TEST_ASSERT_EQUAL_INT64(2, count("reachable", "in > 3"));
    TEST_ASSERT_EQUAL_INT64(0, number_in("m.db", "SELECT count(*) FROM limitation"));
    run_tool("audit m.db", NULL);
    expect_end(0, NULL);
}

/* Where the orders cannot be tried, nothing that comes after the place is dead. */
static void test_nothing_is_dead_behind_other_conflicts(void) {
    decide("if (in > 5) { int t[2] = { f(), g() }; out = t[0] * 10 + t[1]; }\n"
           "if (out == 17) seen = 1;\n"
           "if (in > 9 && in < 9) seen = 2;");
    TEST_ASSERT_EQUAL_INT64(0, count("dead", ""));
    TEST_ASSERT_EQUAL_INT64(1, count("reachable", "in > 9"));
    TEST_ASSERT_EQUAL_INT64(1, number_in("m.db", "SELECT count(*) FROM limitation WHERE line = 6 "
                                                 "AND text LIKE 'order of evaluation%'"));
    TEST_ASSERT_EQUAL_INT64(1, number_in("m.db", "SELECT count(*) FROM goal_status WHERE text = "
                                                 "'out == 17' AND value = 1 AND reason LIKE "
                                                 "'%operands that C evaluates in any order%'"));
}

/* A place that nothing reaches does no harm. */
static void test_a_conflict_that_is_never_evaluated(void) {
    decide("if (in > 5 && in < 3) x += f();\n"
           "if (in > 9 && in < 9) seen = 2;");
    TEST_ASSERT_EQUAL_INT64(2, number_in("m.db", "SELECT count(*) FROM goal_status WHERE status = "
                                                 "'dead' AND line IN (6, 7)"));
}

/* What only clang's order leads to is no witness where there is a gcc. */
static void test_gcc_confirms_witnesses(void) {
    static const char step[] = "out = two(x++, x);\n"
                               "if (out == 1) seen = 1;\n"
                               "if (in == 3) seen = 2;";
    static const char *const no_gcc[] = {"GOALKEEPER_CC=/nowhere/gcc", NULL};
    if (!tool_cc(&arena))
        TEST_IGNORE_MESSAGE("no gcc");
    decide(step);
    TEST_ASSERT_EQUAL_INT64(2, count("open", "out == 1"));
    TEST_ASSERT_EQUAL_INT64(2, count("reachable", "in == 3"));
    TEST_ASSERT_FALSE(says(&r.err, "clang alone"));
    remove(path("m.db"));
    decide_with(step, no_gcc);
    TEST_ASSERT_EQUAL_INT64(1, count("reachable", "out == 1"));
    TEST_ASSERT_TRUE(says(&r.err, "no build by gcc, so witnesses are confirmed by builds of clang "
                                  "alone"));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_every_order_is_tried);
    RUN_TEST(test_nothing_is_dead_behind_other_conflicts);
    RUN_TEST(test_a_conflict_that_is_never_evaluated);
    RUN_TEST(test_gcc_confirms_witnesses);
    return UNITY_END();
}
