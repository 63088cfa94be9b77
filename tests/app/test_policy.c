/* The numbers of the schedule: budgets grow and stay bounded, idle engines lose their share. */
#include "app/run/policy.h"

#include "unity.h"

void setUp(void) {
}
void tearDown(void) {
}

static void test_budgets_grow_to_the_limit(void) {
    for (uint32_t round = 1; round < POLICY_ROUNDS; round++)
        TEST_ASSERT_EQUAL_UINT64(4 * policy_ticks(1000000, round - 1, 0),
                                 policy_ticks(1000000, round, 0));
    TEST_ASSERT_EQUAL_UINT64(1000000, policy_ticks(1000000, 0, 0));
    TEST_ASSERT_EQUAL_UINT64(500, policy_ticks(1000000, 0, 500));
    TEST_ASSERT_EQUAL_UINT64(5000000, policy_ticks(1000000, 3, 5000000));
}

/* Ten times what the engines need, and more where there is more to read: nobody is cut off by it
 * but who does not count what it does. */
static void test_an_attempt_has_an_end(void) {
    TEST_ASSERT_TRUE(policy_attempt_cpu(4000000, 1000) > 10 * 0.25);
    TEST_ASSERT_TRUE(policy_attempt_cpu(0, 1000) >= 2);
    TEST_ASSERT_TRUE(policy_attempt_cpu(0, 1000000) >= 20);
    TEST_ASSERT_TRUE(policy_attempt_cpu(64000000, 0) > policy_attempt_cpu(16000000, 0) + 29);
}

static unsigned rounds_with_share(uint32_t attempts, uint32_t successes) {
    unsigned n = 0;
    for (uint32_t round = 0; round < POLICY_ROUNDS; round++)
        n += policy_has_share(attempts, successes, round);
    return n;
}

static void test_an_engine_that_never_helps_loses_its_share(void) {
    TEST_ASSERT_EQUAL_UINT(POLICY_ROUNDS, rounds_with_share(0, 0));
    TEST_ASSERT_EQUAL_UINT(POLICY_ROUNDS, rounds_with_share(7, 0));
    TEST_ASSERT_EQUAL_UINT(POLICY_ROUNDS / 2, rounds_with_share(8, 0));
    TEST_ASSERT_EQUAL_UINT(POLICY_ROUNDS / 4, rounds_with_share(1000, 0));
    TEST_ASSERT_EQUAL_UINT(POLICY_ROUNDS, rounds_with_share(1000, 1));
}

/* Slices without news until the phase ends; how many steps they had in all. */
static uint64_t quiet_phase(uint32_t probes, uint32_t round, double seconds_a_slice) {
    struct pace pace = policy_pace(probes);
    uint64_t steps = 0;
    for (int slices = 0; !policy_quiet(&pace, round, 3600); slices++) {
        TEST_ASSERT_LESS_THAN_INT(1000000, slices);
        steps += pace.slice;
        policy_slice_done(&pace, seconds_a_slice, seconds_a_slice, false);
    }
    return steps;
}

static void test_simulation_ends_and_later_rounds_are_more_patient(void) {
    TEST_ASSERT_GREATER_THAN_UINT64(quiet_phase(100, 0, 0), quiet_phase(100, 1, 0));
    TEST_ASSERT_EQUAL_UINT64(quiet_phase(100, 4, 0), quiet_phase(100, 11, 0));
    TEST_ASSERT_LESS_THAN_UINT64(quiet_phase(100, 0, 0), quiet_phase(5000, 0, 0));
}

static void test_a_tenth_of_the_time_is_enough_without_news(void) {
    struct pace pace = policy_pace(300);
    policy_slice_done(&pace, 5, 5, false);
    TEST_ASSERT_FALSE(policy_quiet(&pace, 0, 60));
    policy_slice_done(&pace, 2, 2, false);
    TEST_ASSERT_TRUE(policy_quiet(&pace, 0, 60));
    TEST_ASSERT_FALSE(policy_quiet(&pace, 0, 3600));
    policy_slice_done(&pace, 500, 500, true);
    TEST_ASSERT_FALSE(policy_quiet(&pace, 0, 60));
}

/* On a busy machine the same slices take longer on the clock: only a third of the run ends them. */
static void test_the_clock_has_a_say_only_when_the_machine_is_very_busy(void) {
    struct pace alone = policy_pace(300), busy = alone;
    for (int i = 0; i < 5; i++) {
        policy_slice_done(&alone, 0.4, 0.4, false);
        policy_slice_done(&busy, 0.4, 3, false);
        TEST_ASSERT_EQUAL_UINT64(alone.slice, busy.slice);
        TEST_ASSERT_FALSE(policy_quiet(&busy, 4, 60));
    }
    for (int i = 0; i < 2; i++)
        policy_slice_done(&busy, 0.1, 3, false);
    TEST_ASSERT_TRUE(policy_quiet(&busy, 4, 60));
}

static void test_slow_slices_become_short(void) {
    struct pace pace = policy_pace(300);
    uint64_t first = pace.slice;
    for (int i = 0; i < 30; i++)
        policy_slice_done(&pace, 20, 20, true);
    TEST_ASSERT_LESS_THAN_UINT64(first, pace.slice);
    TEST_ASSERT_GREATER_THAN_UINT64(0, pace.slice);
    for (int i = 0; i < 30; i++)
        policy_slice_done(&pace, 0.01, 0.01, true);
    TEST_ASSERT_EQUAL_UINT64(pace.most, pace.slice);
    TEST_ASSERT_FALSE(policy_quiet(&pace, 0, 3600));
}

static void test_checks_by_cbmc_get_more_in_large_modules_and_late(void) {
    TEST_ASSERT_TRUE(policy_confirm_cpu(0, 1) == policy_confirm_cpu(0, 300));
    TEST_ASSERT_TRUE(policy_confirm_cpu(0, 300) < policy_confirm_cpu(1, 300));
    TEST_ASSERT_TRUE(policy_confirm_cpu(0, 300) < policy_confirm_cpu(0, 3000));
    TEST_ASSERT_FALSE(policy_late(200, 300));
    TEST_ASSERT_TRUE(policy_late(90, 300));
    TEST_ASSERT_TRUE(policy_confirm_share(0, 0, false));
    TEST_ASSERT_FALSE(policy_confirm_share(50, 100, false));
    TEST_ASSERT_TRUE(policy_confirm_share(50, 100, true));
    TEST_ASSERT_FALSE(policy_confirm_share(150, 100, true));
}

/* Turns until each has used so many seconds; how much simulation got. The engines find nothing. */
static double share_of_simulation(double finds_a_second, double seconds) {
    struct yield simulation = {0}, engines = {0};
    double due = 0;
    while (simulation.total + engines.total < seconds)
        if (policy_simulate(&simulation, &engines)) {
            due += finds_a_second / 4;
            policy_spent(&simulation, 0.25, (uint32_t)due);
            due -= (uint32_t)due;
        } else {
            policy_spent(&engines, 0.25, 0);
        }
    return simulation.total / seconds;
}

static void test_who_finds_more_gets_the_next_second(void) {
    TEST_ASSERT_TRUE(share_of_simulation(40, 100) > 0.95);
    TEST_ASSERT_TRUE(share_of_simulation(0, 100) > 0.2); /* never nothing */
    TEST_ASSERT_TRUE(share_of_simulation(0, 100) < 0.5); /* and the provers get most */
    struct yield simulation = {0}, engines = {0};
    TEST_ASSERT_TRUE(policy_simulate(&simulation, &engines)); /* it begins */
    policy_spent(&simulation, 0.4, 100);
    TEST_ASSERT_TRUE(policy_simulate(&simulation, &engines));
    policy_spent(&simulation, 0.05, 0);
    TEST_ASSERT_TRUE(policy_simulate(&simulation, &engines));
    for (int i = 0; i < 2; i++)
        policy_spent(&simulation, 0.05, 0); /* what was found before does not count for long */
    TEST_ASSERT_FALSE(policy_simulate(&simulation, &engines));
    policy_spent(&engines, 2, 30);
    TEST_ASSERT_FALSE(policy_simulate(&simulation, &engines));
    policy_spent(&engines, 20, 1);
    policy_spent(&simulation, 0.25, 9);
    TEST_ASSERT_TRUE(policy_simulate(&simulation, &engines));
}

/* One goal that is found says little about the others. */
static void test_a_find_does_not_begin_the_wait_anew(void) {
    struct pace pace = policy_pace(300);
    policy_slice_done(&pace, 5.9, 5.9, false);
    policy_slice_done(&pace, 0.1, 0.1, true);
    policy_slice_done(&pace, 3.2, 3.2, false);
    TEST_ASSERT_TRUE(policy_quiet(&pace, 0, 60));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_budgets_grow_to_the_limit);
    RUN_TEST(test_an_attempt_has_an_end);
    RUN_TEST(test_an_engine_that_never_helps_loses_its_share);
    RUN_TEST(test_simulation_ends_and_later_rounds_are_more_patient);
    RUN_TEST(test_a_tenth_of_the_time_is_enough_without_news);
    RUN_TEST(test_the_clock_has_a_say_only_when_the_machine_is_very_busy);
    RUN_TEST(test_slow_slices_become_short);
    RUN_TEST(test_who_finds_more_gets_the_next_second);
    RUN_TEST(test_a_find_does_not_begin_the_wait_anew);
    RUN_TEST(test_checks_by_cbmc_get_more_in_large_modules_and_late);
    return UNITY_END();
}
