/* What production code is full of, as text models without any C: counters that saturate late, mode
 * flags, saturations, filters, debouncing, controllers. Each has a target that is dead because of
 * the state, behind a slot that keeps it from being inductive by itself, and one that is reached.
 */
#include "engine_case.h"

#include "base/file.h"
#include "system_read.h"

static const char *const models[] = {"counter",      "mode_flag", "saturation", "filter_float",
                                     "filter_fixed", "debounce",  "controller"};
enum { MODELS = sizeof models / sizeof *models, DEAD = 0, REACHABLE = 1 };

static void read_model(const char *name) {
    struct str path = {0}, text = {0};
    struct err err = {0};
    tearDown();
    terms_init(&ts);
    system_init(&sys, &ts);
    str_addf(&path, "%s/tests/engines/models/%s.txt", GK_SOURCE_DIR, name);
    TEST_ASSERT_TRUE_MESSAGE(file_read(str_text(&path), &text, &err), str_text(&err.message));
    TEST_ASSERT_TRUE_MESSAGE(system_read(&sys, str_text(&text), str_text(&path), &err),
                             str_text(&err.message));
    TEST_ASSERT_EQUAL_STRING("dead", sys.targets.data[DEAD].name);
    TEST_ASSERT_EQUAL_STRING("reachable", sys.targets.data[REACHABLE].name);
    str_free(&path);
    str_free(&text);
}

static void prove_all(const char *engine) {
    for (int i = 0; i < MODELS; i++) {
        read_model(models[i]);
        struct findings found = run(engine, DEAD, 0);
        TEST_ASSERT_EQUAL_INT_MESSAGE(1, found.deads, models[i]);
        TEST_ASSERT_EQUAL_INT_MESSAGE(0, found.hits, models[i]);
    }
}

static void test_ic3_proves_every_model(void) {
    prove_all("ic3");
}

static void test_houdini_proves_every_model(void) {
    prove_all("houdini");
}

/* Between two parameters: their ranges are no constants of the step, and boxes alone would let the
 * mean leave them. */
static void test_houdini_proves_what_interpolation_keeps(void) {
    read_model("interpolation");
    struct findings found = run("houdini", DEAD, 0);
    TEST_ASSERT_EQUAL_INT(1, found.deads);
    TEST_ASSERT_EQUAL_INT(0, found.hits);
    TEST_ASSERT_EQUAL_INT(1, run("bmc", REACHABLE, 0).hits);
    TEST_ASSERT_EQUAL_INT(0, run("houdini", REACHABLE, 0).deads);
}

static void test_what_is_reachable_is_reached(void) {
    for (int i = 0; i < MODELS; i++) {
        read_model(models[i]);
        TEST_ASSERT_EQUAL_INT_MESSAGE(1, run("bmc", REACHABLE, 0).hits, models[i]);
        TEST_ASSERT_EQUAL_INT_MESSAGE(0, run("houdini", REACHABLE, 0).deads, models[i]);
        TEST_ASSERT_EQUAL_INT_MESSAGE(0, run("kind", REACHABLE, 12).deads, models[i]);
        TEST_ASSERT_EQUAL_INT_MESSAGE(0, run("ic3", REACHABLE, 0).deads, models[i]);
    }
}

/* A run that is interrupted goes on where it was. */
static void test_ic3_goes_on_after_interruptions(void) {
    int interrupted = 0;
    for (int i = 0; i < MODELS; i++) {
        read_model(models[i]);
        struct findings found = run_steps("ic3", DEAD, 0, 400, 30000);
        TEST_ASSERT_EQUAL_INT_MESSAGE(1, found.deads, models[i]);
        interrupted += found.interrupted;
    }
    TEST_ASSERT_GREATER_THAN_INT(3, interrupted);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_ic3_proves_every_model);
    RUN_TEST(test_houdini_proves_every_model);
    RUN_TEST(test_houdini_proves_what_interpolation_keeps);
    RUN_TEST(test_what_is_reachable_is_reached);
    RUN_TEST(test_ic3_goes_on_after_interruptions);
    return UNITY_END();
}
