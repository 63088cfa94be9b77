/* The solver beside Z3 and CBMC on random formulas that are too large to enumerate. Where both
 * answer they must agree. Needs these programs; what is missing is left out. More: ./dev fuzz
 * solver. */
#include "rivals.h"

#include "unity.h"

#include <stdio.h>

static struct rivals rivals;

void setUp(void) {
}
void tearDown(void) {
}

typedef enum solver_result ask_fn(struct rivals *r, const struct formula *f, double seconds);

static void run(ask_fn *ask, enum formula_profile profile, uint64_t n) {
    uint64_t both = 0, sat = 0;
    for (uint64_t seed = 1; seed <= n; seed++) {
        struct formula f;
        char message[120];
        enum solver_result own, other = SOLVER_UNKNOWN;
        formula_make(&f, seed, profile);
        const char *fault = formula_solve(&f, 1000000, &own);
        if (own && !fault)
            other = ask(&rivals, &f, 5);
        formula_free(&f);
        snprintf(message, sizeof message, "seed %llu: %s", (unsigned long long)seed,
                 fault ? fault : "another answer");
        TEST_ASSERT_NULL_MESSAGE(fault, message);
        if (own && other)
            TEST_ASSERT_EQUAL_INT_MESSAGE(other, own, message);
        both += own && other;
        sat += own == SOLVER_SAT;
    }
    printf("%llu of %llu compared, %llu sat\n", (unsigned long long)both, (unsigned long long)n,
           (unsigned long long)sat);
}

static void test_no_answer_contradicts_z3(void) {
    if (!rivals.z3)
        TEST_IGNORE_MESSAGE("z3 is not installed");
    run(rival_z3, FORMULA_SMT, 25);
}

static void test_no_answer_contradicts_cbmc(void) {
    if (!rivals.cbmc.program)
        TEST_IGNORE_MESSAGE("CBMC is not installed");
    run(rival_cbmc, FORMULA_C, 25);
}

int main(void) {
    struct err err = {0};
    UNITY_BEGIN();
    if (!rivals_open(&rivals, &err)) {
        err_print(&err);
        return 1;
    }
    RUN_TEST(test_no_answer_contradicts_z3);
    RUN_TEST(test_no_answer_contradicts_cbmc);
    rivals_close(&rivals);
    return UNITY_END();
}
