/* Unbounded numbers: sums, bounds and equalities in normal form are worth what they were built
 * from, and what is equal is one term. */
#include "model/term/number.h"

#include "base/rng.h"

#include "unity.h"

enum { ROUNDS = 3000, VARS = 3 };

void setUp(void) {
}
void tearDown(void) {
}

static term_t small(struct terms *ts, sort_t sort, struct rng *rng, mpq_t value) {
    long den = sort == SORT_REAL ? 1 + (long)rng_below(rng, 3) : 1;
    mpq_set_si(value, (long)rng_below(rng, 9) - 4, (unsigned long)den);
    mpq_canonicalize(value);
    return term_number_q(ts, sort, value);
}

/* Random sums: the term, and beside it its value at the given point. */
static term_t grow(struct terms *ts, sort_t sort, struct rng *rng, const term_t *vars,
                   mpq_t *const *at, mpq_t value) {
    mpq_t part;
    mpq_init(part);
    term_t t = small(ts, sort, rng, value);
    for (int i = 0; i < 5; i++) {
        uint64_t v = rng_below(rng, VARS);
        term_t times = small(ts, sort, rng, part);
        mpq_mul(part, part, *at[v]);
        t = term_op2(ts, OP_NADD, t, term_op2(ts, OP_NMUL, times, vars[v]));
        mpq_add(value, value, part);
        if (rng_below(rng, 4) == 0) {
            times = small(ts, sort, rng, part);
            t = term_op2(ts, OP_NMUL, t, times);
            mpq_mul(value, value, part);
        }
    }
    mpq_clear(part);
    return t;
}

static void check_round(struct rng *rng, sort_t sort) {
    struct terms ts;
    mpq_t at[VARS], a, b;
    mpq_t *const points[VARS] = {&at[0], &at[1], &at[2]};
    term_t vars[VARS], map[VARS];
    terms_init(&ts);
    mpq_inits(a, b, NULL);
    for (int v = 0; v < VARS; v++) {
        mpq_init(at[v]);
        vars[v] = term_var(&ts, "v", sort, true);
        map[v] = small(&ts, sort, rng, at[v]);
    }
    term_t x = grow(&ts, sort, rng, vars, points, a), y = grow(&ts, sort, rng, vars, points, b);
    term_t roots[3] = {term_op2(&ts, OP_NADD, x, y), term_op2(&ts, OP_NLE, x, y),
                       term_eq(&ts, x, y)};
    TEST_ASSERT_EQUAL(roots[0], term_op2(&ts, OP_NADD, y, x));
    TEST_ASSERT_EQUAL(roots[2], term_eq(&ts, y, x));
    check_terms(&ts);
    term_substitute(&ts, map, VARS, roots, 3);
    TEST_ASSERT_EQUAL(term_bool(&ts, mpq_cmp(a, b) <= 0), roots[1]);
    TEST_ASSERT_EQUAL(term_bool(&ts, mpq_equal(a, b) != 0), roots[2]);
    mpq_add(a, a, b);
    TEST_ASSERT_EQUAL(term_number_q(&ts, sort, a), roots[0]);
    for (int v = 0; v < VARS; v++)
        mpq_clear(at[v]);
    mpq_clears(a, b, NULL);
    terms_free(&ts);
}

static void test_random_sums(void) {
    struct rng rng;
    rng_init(&rng, 5);
    for (int i = 0; i < ROUNDS; i++)
        check_round(&rng, i % 2 ? SORT_INTEGER : SORT_REAL);
}

/* 2x < 5, x <= 2 and not 3 <= x are one condition of integers. */
static void test_one_form(void) {
    struct terms ts;
    terms_init(&ts);
    term_t x = term_var(&ts, "x", SORT_INTEGER, true);
    term_t two = term_number(&ts, SORT_INTEGER, "2"), three = term_number(&ts, SORT_INTEGER, "3");
    term_t five = term_number(&ts, SORT_INTEGER, "5");
    term_t twice = term_op2(&ts, OP_NMUL, x, two);
    term_t bound = term_op2(&ts, OP_NLE, x, two);
    TEST_ASSERT_EQUAL(bound, term_op2(&ts, OP_NLE, twice, five));
    TEST_ASSERT_EQUAL(bound, term_not(&ts, term_op2(&ts, OP_NLE, three, x)));
    TEST_ASSERT_EQUAL(term_bool(&ts, false), term_eq(&ts, twice, five));
    term_t r = term_var(&ts, "r", SORT_REAL, true), half = term_number(&ts, SORT_REAL, "2/4");
    TEST_ASSERT_EQUAL_STRING("1/2", term_number_text(&ts, half));
    TEST_ASSERT_EQUAL(r, term_op2(&ts, OP_NADD, term_op2(&ts, OP_NMUL, half, r),
                                  term_op2(&ts, OP_NMUL, r, half)));
    TEST_ASSERT_EQUAL(r, term_ite(&ts, term_bool(&ts, true), r, half));
    check_terms(&ts);
    terms_free(&ts);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_random_sums);
    RUN_TEST(test_one_form);
    return UNITY_END();
}
