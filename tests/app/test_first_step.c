/* Modules that cannot make their first step: the message tells a contradiction of the project from
 * a program that always stops there, and says what to do. Neither leaves a single dead goal. */
#include "folder.h"

#include "unity.h"

void setUp(void) {
    folder_open();
}
void tearDown(void) {
    folder_close();
}

static void run_module(const char *text, const char *more) {
    put("m.c", text);
    put("goalkeeper.json", arena_printf(&arena,
                                        "{\"name\": \"m\", \"sources\": [\"m.c\"], "
                                        "\"step\": \"step\"%s}\n",
                                        more));
    run_tool("run --seconds 60 --db m.db", NULL);
}

static void expect_nothing_dead(void) {
    TEST_ASSERT_EQUAL_INT64(
        0, number_in("m.db", "SELECT count(*) FROM goal_status WHERE status = 'dead'"));
}

static const char limits[] = "int in, out;\n"
                             "void step(void) { if (in > 4) out = 1; else out = 2; }\n";

static void test_ranges_and_assumptions_contradict_each_other(void) {
    run_module(limits, ", \"inputs\": [{\"name\": \"in\", \"min\": 0, \"max\": 9}], "
                       "\"assumptions\": [\"in > 20\"]");
    expect_end(2, "no input satisfies all ranges and assumptions");
    TEST_ASSERT_TRUE(says(&r.err, "'assumptions' of the project file"));
    expect_nothing_dead();
}

static void test_the_first_step_always_stops(void) {
    run_module("int in, out; static int divisor;\n"
               "void step(void) { out = in / divisor; if (out > 3) divisor = 2; }\n",
               "");
    expect_end(2, "the first step never ends, whatever the inputs are: division by zero in step 1");
    TEST_ASSERT_TRUE(says(&r.err, "that initialise the module under \"init\""));
    TEST_ASSERT_FALSE(says(&r.err, "no input satisfies"));
    expect_nothing_dead();
}

static void test_the_initialisation_always_stops(void) {
    run_module("int in, out; static int *place;\n"
               "void init(void) { *place = 1; }\n"
               "void step(void) { if (in > 3) out = 2; }\n",
               ", \"init\": [\"init\"]");
    expect_end(2, "the initialisation never ends, whatever the inputs are: null pointer during");
    expect_nothing_dead();
}

/* What is needed is given: nothing is left to complain about. */
static void test_a_step_that_can_end(void) {
    run_module("int in, out; static int divisor;\n"
               "void init(void) { divisor = 5; }\n"
               "void step(void) { out = in / divisor; if (out > 3) divisor = 2; }\n",
               ", \"init\": [\"init\"]");
    expect_end(0, NULL);
    run_module(limits, ", \"inputs\": [{\"name\": \"in\", \"min\": 0, \"max\": 9}], "
                       "\"assumptions\": [\"in > 8\"]");
    expect_end(0, NULL);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_ranges_and_assumptions_contradict_each_other);
    RUN_TEST(test_the_first_step_always_stops);
    RUN_TEST(test_the_initialisation_always_stops);
    RUN_TEST(test_a_step_that_can_end);
    return UNITY_END();
}
