/* Linear equations modulo powers of two: elimination against enumeration, the search against
 * enumeration of all values, and questions that nothing else decides within the same effort. */
#include "base/rng.h"
#include "engines/solver/core.h"
#include "engines/solver/relations/howell.h"
#include "model/term/eval.h"

#include "unity.h"

#include <stdio.h>

void setUp(void) {
}
void tearDown(void) {
}

/* ---- elimination ---- */

enum { UNKNOWNS = 3, MAX_EQUATIONS = 5, VALUES = 8, POINTS = VALUES * VALUES * VALUES };

static const uint64_t unit = (uint64_t)1 << 61; /* of equations modulo 8 */

struct small {
    size_t n;
    uint64_t coef[MAX_EQUATIONS][UNKNOWNS + 1];
};

static uint64_t value_at(const uint64_t *coef, unsigned point) {
    uint64_t sum = coef[UNKNOWNS];
    for (int j = 0; j < UNKNOWNS; j++, point /= VALUES)
        sum += coef[j] * (point % VALUES);
    return sum % VALUES;
}

static bool solves(const struct small *e, unsigned point, const bool *only) {
    for (size_t i = 0; i < e->n; i++)
        if ((!only || only[i]) && value_at(e->coef[i], point) != 0)
            return false;
    return true;
}

static struct small random_equations(struct rng *rng) {
    struct small e = {.n = 1 + rng_below(rng, MAX_EQUATIONS)};
    for (size_t i = 0; i < e.n; i++)
        for (int j = 0; j <= UNKNOWNS; j++)
            e.coef[i][j] = rng_below(rng, 3) ? rng_below(rng, VALUES) : 0;
    return e;
}

/* A contradiction is found exactly where there is no solution, and the rows named have none. */
static void check_contradiction(const struct small *e, const struct howell *h) {
    bool from[MAX_EQUATIONS] = {false}, any = false, any_from = false;
    bool found = howell_contradiction(h, from);
    for (unsigned p = 0; p < POINTS; p++) {
        any |= solves(e, p, NULL);
        any_from |= found && solves(e, p, from);
    }
    TEST_ASSERT_EQUAL_INT(!any, found);
    TEST_ASSERT_FALSE(any_from);
}

/* A combination loses its unknowns exactly where all solutions give it one value: that one. */
static void check_value(const struct small *e, struct howell *h, struct rng *rng) {
    uint64_t test[UNKNOWNS + 1] = {0}, full[UNKNOWNS + 1];
    bool from[MAX_EQUATIONS] = {false}, seen[VALUES] = {false}, seen_from[VALUES] = {false};
    for (int j = 0; j < UNKNOWNS; j++)
        test[j] = rng_below(rng, VALUES);
    memcpy(full, test, sizeof full);
    for (int j = 0; j <= UNKNOWNS; j++)
        test[j] *= unit;
    bool known = howell_reduce(h, test, from);
    int n = 0;
    for (unsigned p = 0; p < POINTS; p++) {
        if (solves(e, p, NULL))
            seen[value_at(full, p)] = true;
        if (known && solves(e, p, from))
            seen_from[value_at(full, p)] = true;
    }
    for (int i = 0; i < VALUES; i++) {
        n += seen[i];
        TEST_ASSERT_TRUE(!seen_from[i] || (uint64_t)i * unit == test[UNKNOWNS]);
    }
    if (n > 0)
        TEST_ASSERT_EQUAL_INT(n == 1, known);
}

static void test_elimination_against_enumeration(void) {
    struct rng rng;
    rng_init(&rng, 5);
    for (int round = 0; round < 1000; round++) {
        struct small e = random_equations(&rng);
        struct howell h;
        howell_init(&h, UNKNOWNS, e.n);
        for (size_t i = 0; i < e.n; i++) {
            uint64_t *row = howell_row(&h);
            for (int j = 0; j <= UNKNOWNS; j++)
                row[j] = unit * e.coef[i][j];
        }
        howell_solve(&h);
        check_contradiction(&e, &h);
        for (int k = 0; k < 8; k++)
            check_value(&e, &h, &rng);
        howell_free(&h);
    }
}

/* ---- the search ---- */

struct formula {
    struct terms ts;
    struct rng rng;
    term_t x[3];
    term_t all;
};

static term_t resized(struct formula *f, sort_t sort, term_t t) {
    sort_t from = term_sort(&f->ts, t);
    if (from == sort)
        return t;
    enum op up = rng_below(&f->rng, 2) ? OP_ZEXT : OP_SEXT;
    return term_cast(&f->ts, from > sort ? OP_TRUNC : up, sort, t);
}

static term_t random_sum(struct formula *f, int depth) {
    struct rng *rng = &f->rng;
    if (depth == 0 || rng_below(rng, 6) == 0)
        return resized(f, 5, f->x[rng_below(rng, 3)]);
    term_t a = random_sum(f, depth - 1), b = random_sum(f, depth - 1);
    term_t c = term_int(&f->ts, 5, (int64_t)rng_below(rng, 32));
    switch (rng_below(rng, 8)) {
    case 4:
        return term_op2(&f->ts, OP_ADD, a, c);
    case 0:
        return term_op2(&f->ts, OP_MUL, a, c);
    case 1:
        return term_op2(&f->ts, OP_BAND + (enum op)rng_below(rng, 3), a, c);
    case 2:
        return resized(f, 5, resized(f, (sort_t)(2 + rng_below(rng, 6)), a));
    case 3:
        return term_ite(&f->ts, term_op2(&f->ts, OP_ULT, b, c), a, b);
    default:
        return term_op2(&f->ts, rng_below(rng, 2) ? OP_ADD : OP_SUB, a, b);
    }
}

static void formula_open(struct formula *f, uint64_t seed) {
    *f = (struct formula){0};
    rng_init(&f->rng, seed);
    terms_init(&f->ts);
    for (int i = 0; i < 3; i++)
        f->x[i] = term_var(&f->ts, "x", (sort_t)(3 + i % 2), rng_below(&f->rng, 2));
    f->all = term_bool(&f->ts, true);
    for (uint64_t n = 2 + rng_below(&f->rng, 4); n > 0; n--) {
        static const enum op ops[] = {OP_EQ, OP_EQ, OP_EQ, OP_ULT, OP_SLT, OP_ULE, OP_SLE};
        term_t x = random_sum(f, 3), y = random_sum(f, 3);
        term_t equal = term_op2(&f->ts, ops[rng_below(&f->rng, 7)], x, y);
        bool differ = rng_below(&f->rng, 3) == 0;
        f->all = term_and(&f->ts, f->all, differ ? term_not(&f->ts, equal) : equal);
    }
}

static bool is_satisfiable(struct formula *f) {
    uint64_t *values = mem_zalloc(f->ts.nodes.len, sizeof *values);
    bool any = false;
    for (uint64_t p = 0; p < 8 * 16 * 8 && !any; p++) {
        uint64_t vars[3] = {p % 8, p / 8 % 16, p / 128};
        term_eval(&f->ts, &f->all, 1, vars, values);
        any = values[f->all] == 1;
    }
    mem_free(values);
    return any;
}

static void test_search_against_enumeration(void) {
    uint64_t conflicts = 0;
    int sat = 0;
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        struct formula f;
        formula_open(&f, seed);
        struct solver *s = solver_new(&(struct solver_options){.seed = seed, .cone = seed % 2});
        struct frame *frame = solver_frame_new(s, &f.ts);
        struct slit all = slit_true(solver_encode(s, frame, f.all));
        enum solver_result expected = is_satisfiable(&f) ? SOLVER_SAT : SOLVER_UNSAT;
        TEST_ASSERT_EQUAL_INT(expected, solver_solve(s, &all, 1, 0));
        conflicts += solver_stats(s)->modular_conflicts;
        sat += expected == SOLVER_SAT;
        solver_free(s);
        terms_free(&f.ts);
    }
    printf("%d of 2000 satisfiable, %lu modular conflicts\n", sat, (unsigned long)conflicts);
    TEST_ASSERT_TRUE(sat > 200 && sat < 1800 && conflicts > 100);
}

/* ---- what it is for ---- */

enum { FEW_TICKS = 20000 };

static enum solver_result answer(struct terms *ts, term_t question) {
    struct solver *s = solver_new(&(struct solver_options){.seed = 1});
    struct frame *frame = solver_frame_new(s, ts);
    struct slit asked = slit_true(solver_encode(s, frame, question));
    enum solver_result result = solver_solve(s, &asked, 1, FEW_TICKS);
    solver_free(s);
    return result;
}

/* p - q = r is kept when p and r grow by the same, over 32 bits that wrap; not when one does not.
 */
static void test_sums_that_wrap(void) {
    struct terms ts;
    terms_init(&ts);
    term_t p = term_var(&ts, "p", 32, true), q = term_var(&ts, "q", 32, true);
    term_t r = term_var(&ts, "r", 32, true), by = term_var(&ts, "by", 16, true);
    term_t wide = term_cast(&ts, OP_SEXT, 32, by), b = term_var(&ts, "b", SORT_BOOL, false);
    term_t grown = term_op2(&ts, OP_ADD, r, wide);
    term_t p2 = term_ite(&ts, b, term_op2(&ts, OP_ADD, p, wide), p);
    term_t q2 = term_ite(&ts, b, q, term_op2(&ts, OP_SUB, q, wide));
    term_t before = term_eq(&ts, term_op2(&ts, OP_SUB, p, q), r);
    term_t after = term_eq(&ts, term_op2(&ts, OP_SUB, p2, q2), grown);
    term_t wrong = term_eq(&ts, term_op2(&ts, OP_ADD, p2, q2), grown);
    TEST_ASSERT_EQUAL_INT(SOLVER_UNSAT, answer(&ts, term_and(&ts, before, term_not(&ts, after))));
    TEST_ASSERT_NOT_EQUAL(SOLVER_UNSAT, answer(&ts, term_and(&ts, before, term_not(&ts, wrong))));
    terms_free(&ts);
}

static void test_low_bits(void) {
    struct terms ts;
    terms_init(&ts);
    term_t x = term_var(&ts, "x", 32, false), y = term_var(&ts, "y", 32, false);
    term_t seven = term_int(&ts, 32, 7), one = term_int(&ts, 32, 1), six = term_int(&ts, 32, 6);
    term_t even = term_eq(&ts, term_op2(&ts, OP_BAND, x, one), term_int(&ts, 32, 0));
    term_t next = term_op2(&ts, OP_ADD, x, six);
    term_t odd = term_eq(&ts, term_op2(&ts, OP_BAND, next, one), one);
    TEST_ASSERT_EQUAL_INT(SOLVER_UNSAT, answer(&ts, term_and(&ts, even, odd)));
    term_t apart = term_op2(&ts, OP_BAND, term_op2(&ts, OP_SUB, x, y), seven);
    term_t same = term_eq(&ts, term_op2(&ts, OP_BAND, x, seven), term_op2(&ts, OP_BAND, y, seven));
    term_t differ = term_not(&ts, term_eq(&ts, apart, term_int(&ts, 32, 0)));
    TEST_ASSERT_EQUAL_INT(SOLVER_UNSAT, answer(&ts, term_and(&ts, same, differ)));
    TEST_ASSERT_NOT_EQUAL(SOLVER_UNSAT, answer(&ts, term_and(&ts, even, differ)));
    terms_free(&ts);
}

/* A loop is left where i < n does not hold, and never lets i pass n: then i is n in sums, too. */
static void test_orders_that_hold_both_ways(void) {
    struct terms ts;
    terms_init(&ts);
    term_t a = term_var(&ts, "a", 32, true), b = term_var(&ts, "b", 32, true);
    term_t i = term_var(&ts, "i", 32, true), n = term_var(&ts, "n", 32, true);
    term_t three = term_int(&ts, 32, 3), sum = term_op2(&ts, OP_ADD, a, b);
    term_t kept = term_eq(&ts, sum, term_op2(&ts, OP_MUL, i, three));
    term_t wrong = term_not(&ts, term_eq(&ts, sum, term_op2(&ts, OP_MUL, n, three)));
    term_t left = term_not(&ts, term_op2(&ts, OP_SLT, i, n));
    term_t both = term_and(&ts, kept, wrong);
    term_t inside = term_not(&ts, term_op2(&ts, OP_SLT, n, i));
    term_t unsigned_inside = term_not(&ts, term_op2(&ts, OP_ULT, n, i));
    term_t question = term_and(&ts, both, left);
    TEST_ASSERT_EQUAL_INT(SOLVER_UNSAT, answer(&ts, term_and(&ts, question, inside)));
    TEST_ASSERT_NOT_EQUAL(SOLVER_UNSAT, answer(&ts, term_and(&ts, question, unsigned_inside)));
    terms_free(&ts);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_elimination_against_enumeration);
    RUN_TEST(test_search_against_enumeration);
    RUN_TEST(test_sums_that_wrap);
    RUN_TEST(test_low_bits);
    RUN_TEST(test_orders_that_hold_both_ways);
    return UNITY_END();
}
