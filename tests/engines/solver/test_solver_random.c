/* The solver against enumeration of small random problems: every answer, model and core
 * (problem.h); and one solver that answers many questions against a new one for each. More: ./dev
 * fuzz solver. */
#include "formula.h"
#include "problem.h"

#include "unity.h"

#include <stdio.h>

void setUp(void) {
}
void tearDown(void) {
}

static void run(uint64_t from, uint64_t n, struct solver_knobs knobs, bool proof) {
    struct problem_counts counts = {0};
    for (uint64_t seed = from; seed < from + n; seed++) {
        struct problem p;
        problem_open(&p, seed, knobs, proof);
        const char *fault = problem_run(&p, &counts);
        problem_close(&p);
        if (fault) {
            char message[120];
            snprintf(message, sizeof message, "seed %llu: %s", (unsigned long long)seed, fault);
            TEST_FAIL_MESSAGE(message);
        }
    }
    printf("%llu sat, %llu unsat, %llu conflicts, %llu proof steps\n",
           (unsigned long long)counts.sat, (unsigned long long)counts.unsat,
           (unsigned long long)counts.conflicts, (unsigned long long)counts.proof_steps);
    TEST_ASSERT_TRUE(counts.sat > n && counts.unsat > n);
    TEST_ASSERT_EQUAL_INT(proof, counts.proof_steps > 0);
}

static void test_answers_are_those_of_enumeration(void) {
    run(1, 3000, solver_default_knobs, false);
}

static void test_answers_with_hostile_settings(void) {
    struct solver_knobs knobs = {
        .restart_every = 1, .reduce_first = 3, .reduce_step = 1, .max_trials = 0, .check = true};
    run(1000000, 200, knobs, false);
    knobs.restart_every = 2;
    knobs.max_trials = 3;
    knobs.relax_first = 1000;
    knobs.walk_first = 3000;
    run(2000000, 200, knobs, false);
}

static void test_answers_with_programs_and_walks_everywhere(void) {
    struct solver_knobs knobs = solver_default_knobs;
    knobs.relax_first = 0; /* linear programs, and local searches */
    knobs.walk_first = 0;
    run(4000000, 1500, knobs, false);
}

static void test_answers_with_proofs(void) {
    run(3000000, 1000, solver_default_knobs, true);
}

static void test_one_solver_answers_like_new_ones(void) {
    int answered = 0;
    for (uint64_t seed = 1; seed <= 25; seed++) {
        struct formula f;
        formula_make(&f, seed, FORMULA_ALL);
        TEST_ASSERT_NULL(formula_solve_subsets(&f, 300000, 40, &answered));
        formula_free(&f);
    }
    TEST_ASSERT_GREATER_THAN_INT(800, answered);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_answers_are_those_of_enumeration);
    RUN_TEST(test_answers_with_hostile_settings);
    RUN_TEST(test_answers_with_programs_and_walks_everywhere);
    RUN_TEST(test_answers_with_proofs);
    RUN_TEST(test_one_solver_answers_like_new_ones);
    return UNITY_END();
}
