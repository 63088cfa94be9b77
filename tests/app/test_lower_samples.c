/* The model of every sample against its native build: state, outputs and hits, bit for bit. As a
 * test 100 random sequences each; `./dev fuzz samples [N]` runs 1,000, or N. */
#include "app/project/read.h"
#include "differential.h"
#include "instrument/weave/weave.h"

#include "scratch.h"
#include "unity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 200 };

static uint32_t runs = 100;

void setUp(void) {
    scratch_open();
}

void tearDown(void) {
    scratch_close();
}

static struct differential_result check_sample(const char *name, bool all_criteria,
                                               bool traps_end) {
    struct project project = {0};
    struct woven woven = {0};
    struct differential_result result;
    const char *file = arena_printf(&arena, "%s/samples/%s/goalkeeper.json", GK_SOURCE_DIR, name);
    TEST_ASSERT_TRUE_MESSAGE(project_read(file, &project, &err), str_text(&err.message));
    for (int kind = 0; kind < GOAL_KINDS; kind++)
        project.criteria[kind] |= all_criteria;
    TEST_ASSERT_TRUE_MESSAGE(weave(&project, &woven, &err), str_text(&err.message));
    struct differential d = {.text = str_text(&woven.text),
                             .module = &woven.module,
                             .n_probes = woven.goals.n_probes,
                             .dir = str_text(&dir),
                             .runs = runs,
                             .steps = STEPS,
                             .seed = 1,
                             .traps_end = traps_end};
    bool same = differential_run(&d, &result, &err);
    const char *message = arena_printf(&arena, "%s: %s", name, str_text(&err.message));
    TEST_ASSERT_TRUE_MESSAGE(same, message);
    printf("%s: %llu steps, %llu hits, %u runs left open, %u ended\n", name,
           (unsigned long long)result.steps, (unsigned long long)result.hits, result.open_runs,
           result.ended_runs);
    woven_free(&woven);
    project_free(&project);
    return result;
}

static const char *const samples[] = {"battery_soc",    "cabin_light",   "can_guard",
                                      "cruise_control", "door_debounce", "lane_assist",
                                      "multi_unit",     "pid_fixed",     "service_meter"};

static void check_all(bool all_criteria) {
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        struct differential_result r = check_sample(samples[i], all_criteria, true);
        TEST_ASSERT_EQUAL_UINT32(0, r.overruns);
        TEST_ASSERT_GREATER_THAN_UINT64((uint64_t)runs * STEPS / 2, r.steps);
    }
}

static void test_models_of_samples_behave_like_the_program(void) {
    check_all(false);
}

static void test_models_with_all_criteria_behave_like_the_program(void) {
    check_all(true);
}

/* Whatever the lowering cannot follow ends the run in the model, never changes what happens. */
static void test_what_cannot_be_followed_is_an_overrun(void) {
    struct differential_result r = check_sample("awkward", false, false);
    TEST_ASSERT_GREATER_THAN_UINT32(0, r.overruns);
}

int main(int argc, char **argv) {
    if (argc > 1 || strstr(argv[0], "/fuzz/"))
        runs = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1000;
    UNITY_BEGIN();
    RUN_TEST(test_models_of_samples_behave_like_the_program);
    RUN_TEST(test_models_with_all_criteria_behave_like_the_program);
    RUN_TEST(test_what_cannot_be_followed_is_an_overrun);
    return UNITY_END();
}
