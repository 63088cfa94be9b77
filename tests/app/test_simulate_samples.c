/* Simulation on the samples: within some million steps it hits every condition and case that can be
 * hit, and never one that the READMEs explain to be dead. */
#include "app/project/read.h"
#include "base/file.h"
#include "instrument/native/simulate.h"
#include "instrument/weave/weave.h"

#include "unity.h"

#include <stdio.h>
#include <string.h>

enum { ROUND = 1000000, ROUNDS = 12 };

static struct str dead;
static struct project project;
static struct woven woven;
static struct err err;

void setUp(void) {
}
void tearDown(void) {
    woven_free(&woven);
    project_free(&project);
    err_clear(&err);
}

static void expect(bool ok) {
    if (!ok)
        err_print(&err);
    TEST_ASSERT_TRUE(ok);
}

static void weave_sample(const char *sample) {
    char path[512];
    snprintf(path, sizeof path, "%s/samples/%s/goalkeeper.json", GK_SOURCE_DIR, sample);
    expect(project_read(path, &project, &err));
    expect(weave(&project, &woven, &err));
}

static bool is_dead(const char *sample, const struct goal *goal) {
    struct str line = {0};
    str_addf(&line, "\n%s|%s|%d|%s|%d\n", sample, goal->function, goal->line, goal->text,
             goal->value);
    bool found = strstr(str_text(&dead), str_text(&line)) != NULL;
    str_free(&line);
    return found;
}

static bool is_checked(const struct goal *goal) {
    return goal->kind == GOAL_condition || goal->kind == GOAL_case;
}

static uint32_t count_missing(const char *sample, const struct simulation *sim) {
    uint32_t n = 0;
    for (size_t i = 0; i < woven.goals.list.len; i++) {
        const struct goal *goal = &woven.goals.list.data[i];
        if (is_checked(goal) && !is_dead(sample, goal) && !simulate_knows(sim, goal->probe))
            n++;
    }
    return n;
}

static uint32_t check_dead_are_open(const char *sample, const struct simulation *sim) {
    uint32_t n = 0;
    for (size_t i = 0; i < woven.goals.list.len; i++) {
        const struct goal *goal = &woven.goals.list.data[i];
        if (!is_checked(goal) || !is_dead(sample, goal))
            continue;
        TEST_ASSERT_FALSE_MESSAGE(simulate_knows(sim, goal->probe), goal->text);
        n++;
    }
    return n;
}

/* `late`: conditions that need more steps than this test has. */
static void simulate_sample(const char *sample, uint32_t n_dead, uint32_t late) {
    weave_sample(sample);
    struct native_program program = {.woven = str_text(&woven.text), .module = &woven.module};
    program.n_probes = woven.goals.n_probes;
    program.spare = woven.goals.spare.data;
    program.n_spare = woven.goals.spare.len;
    struct simulate_options options = {.seed = 1, .shards = 1};
    struct simulation *sim = simulate_open(&program, &options, &err);
    expect(sim != NULL);
    struct simulate_news news = {0};
    uint32_t missing = UINT32_MAX;
    for (int round = 0; round < ROUNDS && missing > late; round++) {
        expect(simulate_step(sim, ROUND, &news, &err));
        missing = count_missing(sample, sim);
    }
    uint32_t checked = check_dead_are_open(sample, sim);
    simulate_news_free(&news);
    simulate_close(sim);
    TEST_ASSERT_EQUAL_UINT32_MESSAGE(n_dead, checked, "dead conditions that exist");
    TEST_ASSERT_LESS_OR_EQUAL_UINT32_MESSAGE(late, missing, "reachable conditions not found");
}

static void test_lane_assist(void) {
    simulate_sample("lane_assist", 15, 0);
}
static void test_cruise_control(void) {
    simulate_sample("cruise_control", 8, 0);
}
static void test_pid_fixed(void) {
    simulate_sample("pid_fixed", 10, 0);
}
static void test_battery_soc(void) {
    simulate_sample("battery_soc", 12, 0);
}
static void test_door_debounce(void) {
    simulate_sample("door_debounce", 8, 0);
}
static void test_cabin_light(void) {
    simulate_sample("cabin_light", 6, 0);
}
static void test_can_guard(void) {
    simulate_sample("can_guard", 9, 22);
}
static void test_injection_map(void) {
    simulate_sample("injection_map", 6, 0);
}
static void test_multi_unit(void) {
    simulate_sample("multi_unit", 12, 0);
}
static void test_awkward(void) {
    simulate_sample("awkward", 5, 0);
}

int main(void) {
    expect(file_read(GK_SOURCE_DIR "/tests/app/data/dead_conditions.txt", &dead, &err));
    UNITY_BEGIN();
    RUN_TEST(test_lane_assist);
    RUN_TEST(test_cruise_control);
    RUN_TEST(test_pid_fixed);
    RUN_TEST(test_battery_soc);
    RUN_TEST(test_door_debounce);
    RUN_TEST(test_cabin_light);
    RUN_TEST(test_can_guard);
    RUN_TEST(test_injection_map);
    RUN_TEST(test_multi_unit);
    RUN_TEST(test_awkward);
    str_free(&dead);
    return UNITY_END();
}
