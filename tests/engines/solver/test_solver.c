/* The contract of engines/solver/solver.h, point by point. */
#include "engines/solver/solver.h"

#include "unity.h"

#include <signal.h>
#include <sys/time.h>

static struct solver *s;
static struct terms ts;
static struct frame *frame;

void setUp(void) {
    terms_init(&ts);
    s = solver_new(&(struct solver_options){.seed = 1});
    frame = solver_frame_new(s, &ts);
}
void tearDown(void) {
    solver_free(s);
    terms_free(&ts);
}

static bool require(term_t t) {
    svar v = solver_encode(s, frame, t);
    return solver_add_clause(s, (struct slit[]){slit_true(v)}, 1);
}

static void assert_lit(struct slit expected, struct slit actual) {
    TEST_ASSERT_EQUAL_UINT32(expected.var, actual.var);
    TEST_ASSERT_EQUAL(expected.ge, actual.ge);
    TEST_ASSERT_EQUAL_INT64(expected.ordinal, actual.ordinal);
}

static void test_negation_is_the_neighbour(void) {
    assert_lit(slit_le(7, 4), slit_negate(slit_ge(7, 5)));
    assert_lit(slit_ge(7, 5), slit_negate(slit_le(7, 4)));
    assert_lit(slit_false(3), slit_negate(slit_true(3)));
    assert_lit(slit_le(3, INT64_MAX - 1), slit_negate(slit_ge(3, INT64_MAX)));
}

/* "ICP and IC3" III-A: with propagation between the assumptions l2 is redundant */
static void test_assumptions_are_propagated_one_by_one(void) {
    svar l[7];
    for (int i = 1; i <= 6; i++)
        l[i] = solver_new_bool(s);
    solver_add_clause(s, (struct slit[]){slit_false(l[1]), slit_true(l[3])}, 2);
    solver_add_clause(s, (struct slit[]){slit_false(l[1]), slit_true(l[4])}, 2);
    solver_add_clause(s, (struct slit[]){slit_false(l[1]), slit_true(l[5])}, 2);
    solver_add_clause(s, (struct slit[]){slit_false(l[5]), slit_false(l[6])}, 2);
    solver_add_clause(s, (struct slit[]){slit_false(l[2]), slit_true(l[6])}, 2);
    solver_add_clause(s, (struct slit[]){slit_false(l[3]), slit_false(l[4]), slit_true(l[6])}, 3);
    struct slit assumptions[2] = {slit_true(l[1]), slit_true(l[2])};
    TEST_ASSERT_EQUAL_INT(SOLVER_UNSAT, solver_solve(s, assumptions, 2, 0));
    size_t n;
    const struct slit *core = solver_core(s, &n);
    TEST_ASSERT_EQUAL_size_t(1, n);
    assert_lit(assumptions[0], core[0]);
    TEST_ASSERT_EQUAL_INT(SOLVER_SAT, solver_solve(s, assumptions + 1, 1, 0));
}

static void test_core_starts_with_the_failed_one_and_its_weakest_bound(void) {
    svar a = solver_new_bool(s), b = solver_new_bool(s), x = solver_new_var(s, 16, true);
    solver_add_clause(s, (struct slit[]){slit_false(a), slit_ge(x, 10)}, 2);
    struct slit assumptions[3] = {slit_true(a), slit_true(b), slit_le(x, 5)};
    TEST_ASSERT_EQUAL_INT(SOLVER_UNSAT, solver_solve(s, assumptions, 3, 0));
    size_t n;
    const struct slit *core = solver_core(s, &n);
    TEST_ASSERT_EQUAL_size_t(2, n);
    assert_lit(slit_le(x, 5), core[0]);
    assert_lit(slit_true(a), core[1]);
    assert_lit(slit_le(x, 9), solver_core_weakest(s));
}

/* "ICP and IC3" III-A, step 3: of the assumptions that are false the one that became so first. */
static void test_core_starts_with_the_assumption_that_failed_first(void) {
    svar a = solver_new_bool(s), b = solver_new_bool(s), c = solver_new_bool(s);
    solver_add_clause(s, (struct slit[]){slit_false(a), slit_false(c)}, 2);
    solver_add_clause(s, (struct slit[]){slit_true(c), slit_false(b)}, 2);
    struct slit assumptions[3] = {slit_true(a), slit_true(b), slit_true(c)};
    TEST_ASSERT_EQUAL_INT(SOLVER_UNSAT, solver_solve(s, assumptions, 3, 0));
    size_t n;
    const struct slit *core = solver_core(s, &n);
    TEST_ASSERT_EQUAL_size_t(2, n);
    assert_lit(slit_true(c), core[0]);
    assert_lit(slit_true(a), core[1]);
}

/* x = y - w >= 17 when w <= 3 is assumed, but only x >= 5 is needed, which y >= 9 gives as well as
 * y >= 20: the assumption that says the latter is in no core. */
static void test_bounds_that_are_not_needed_are_not_explained(void) {
    term_t y = term_var(&ts, "y", 16, true), w = term_var(&ts, "w", 16, true);
    svar x = solver_encode(s, frame, term_op2(&ts, OP_SUB, y, w)), p[4];
    svar vy = solver_encode(s, frame, y), vw = solver_encode(s, frame, w);
    const struct slit implied[4] = {slit_ge(vy, 9), slit_ge(vy, 20), slit_le(vw, 3), slit_le(x, 4)};
    for (int i = 0; i < 2; i++) {
        solver_add_clause(s, (struct slit[]){slit_ge(i ? vy : vw, 0)}, 1);
        solver_add_clause(s, (struct slit[]){slit_le(i ? vy : vw, 100)}, 1);
    }
    struct slit assumptions[4];
    for (int i = 0; i < 4; i++) {
        p[i] = solver_new_bool(s);
        solver_add_clause(s, (struct slit[]){slit_false(p[i]), implied[i]}, 2);
        assumptions[i] = slit_true(p[i]);
    }
    TEST_ASSERT_EQUAL_INT(SOLVER_UNSAT, solver_solve(s, assumptions, 4, 0));
    size_t n;
    const struct slit *core = solver_core(s, &n);
    TEST_ASSERT_EQUAL_size_t(3, n);
    for (size_t i = 0; i < n; i++)
        TEST_ASSERT_TRUE(core[i].var != p[1]);
}

static void test_contradictory_assumptions_are_a_core(void) {
    svar x = solver_new_var(s, 8, false);
    struct slit assumptions[2] = {slit_ge(x, 100), slit_le(x, 50)};
    TEST_ASSERT_EQUAL_INT(SOLVER_UNSAT, solver_solve(s, assumptions, 2, 0));
    size_t n;
    solver_core(s, &n);
    TEST_ASSERT_EQUAL_size_t(2, n);
    assert_lit(slit_le(x, 99), solver_core_weakest(s));
}

static void test_core_is_empty_when_the_formula_is_false(void) {
    svar a = solver_new_bool(s);
    TEST_ASSERT_TRUE(solver_add_clause(s, (struct slit[]){slit_true(a)}, 1));
    TEST_ASSERT_FALSE(solver_add_clause(s, (struct slit[]){slit_false(a)}, 1));
    size_t n = 1;
    TEST_ASSERT_EQUAL_INT(SOLVER_UNSAT, solver_solve(s, (struct slit[]){slit_true(a)}, 1, 0));
    solver_core(s, &n);
    TEST_ASSERT_EQUAL_size_t(0, n);
}

static void test_level_zero_bounds_are_visible(void) {
    term_t x = term_var(&ts, "x", 32, true), five = term_int(&ts, 32, 5);
    svar sum = solver_encode(s, frame, term_op2(&ts, OP_ADD, x, five));
    svar v = solver_encoded(frame, x);
    TEST_ASSERT_EQUAL_INT64(INT32_MIN, solver_min(s, v));
    solver_add_clause(s, (struct slit[]){slit_ge(v, 10)}, 1);
    solver_add_clause(s, (struct slit[]){slit_le(v, 20)}, 1);
    TEST_ASSERT_EQUAL_INT64(15, solver_min(s, sum));
    TEST_ASSERT_EQUAL_INT64(25, solver_max(s, sum));
    TEST_ASSERT_EQUAL_UINT32(0, solver_nan(s, v));
}

static void test_nan_has_a_flag_until_it_is_impossible(void) {
    term_t x = term_var(&ts, "x", SORT_F64, true);
    svar v = solver_encode(s, frame, x), nan = solver_nan(s, v);
    TEST_ASSERT_TRUE(nan != 0);
    TEST_ASSERT_EQUAL_INT(SOLVER_SAT, solver_solve(s, (struct slit[]){slit_true(nan)}, 1, 0));
    TEST_ASSERT_TRUE(solver_value_nan(s, v));
    TEST_ASSERT_TRUE(bits_are_nan(SORT_F64, solver_value(s, v)));
    require(term_op2(&ts, OP_FLE, x, term_f64(&ts, 1)));
    TEST_ASSERT_EQUAL_UINT32(0, solver_nan(s, v));
    TEST_ASSERT_EQUAL_INT(SOLVER_UNSAT, solver_solve(s, (struct slit[]){slit_true(nan)}, 1, 0));
}

/* The least and the greatest of x and something are on either side of x only if x is a number. */
static void test_order_knows_that_extremes_pass_over_nan(void) {
    term_t x = term_var(&ts, "x", SORT_F32, true), y = term_var(&ts, "y", SORT_F32, true);
    term_t z = term_var(&ts, "z", SORT_F32, true);
    term_t least = term_op2(&ts, OP_FMIN, x, y), most = term_op2(&ts, OP_FMAX, x, z);
    require(term_op2(&ts, OP_FLT, most, least));
    TEST_ASSERT_EQUAL_INT(SOLVER_SAT, solver_solve(s, NULL, 0, 0));
    TEST_ASSERT_TRUE(solver_value_nan(s, solver_encoded(frame, x)));
    require(term_op2(&ts, OP_FLE, x, x));
    TEST_ASSERT_EQUAL_INT(SOLVER_UNSAT, solver_solve(s, NULL, 0, 0));
}

static void test_isnan_is_the_flag(void) {
    term_t x = term_var(&ts, "x", SORT_F32, true);
    svar is = solver_encode(s, frame, term_op1(&ts, OP_FISNAN, x));
    TEST_ASSERT_EQUAL_UINT32(solver_nan(s, solver_encoded(frame, x)), is);
}

/* n pigeons in n-1 holes: no short proof by clause learning, so it runs long enough to be stopped
 */
static void add_pigeons(int n) {
    svar in[12][12];
    struct slit lits[12] = {{0}};
    for (int p = 0; p < n; p++) {
        for (int h = 0; h < n - 1; h++) {
            in[p][h] = solver_new_bool(s);
            lits[h] = slit_true(in[p][h]);
        }
        solver_add_clause(s, lits, (size_t)n - 1);
    }
    for (int h = 0; h < n - 1; h++)
        for (int p = 0; p < n; p++)
            for (int q = 0; q < p; q++)
                solver_add_clause(s, (struct slit[]){slit_false(in[p][h]), slit_false(in[q][h])},
                                  2);
}

static void test_budget_ends_a_solve_and_work_is_kept(void) {
    add_pigeons(7);
    int calls = 1;
    while (solver_solve(s, NULL, 0, 2000) == SOLVER_UNKNOWN)
        calls++;
    TEST_ASSERT_TRUE(calls > 2);
    TEST_ASSERT_EQUAL_INT(SOLVER_UNSAT, solver_solve(s, NULL, 0, 2000));
    TEST_ASSERT_EQUAL_UINT64((uint64_t)calls + 1, solver_stats(s)->solves);
}

static void test_interrupt_ends_one_solve(void) {
    add_pigeons(5);
    solver_interrupt(s);
    TEST_ASSERT_EQUAL_INT(SOLVER_UNKNOWN, solver_solve(s, NULL, 0, 0));
    TEST_ASSERT_EQUAL_INT(SOLVER_UNSAT, solver_solve(s, NULL, 0, 0));
}

static void on_alarm(int signal) {
    (void)signal;
    solver_interrupt(s);
}

/* Stopped wherever it happens to be, again and again, the search goes on and answers. */
static void test_interrupts_anywhere_do_no_harm(void) {
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART}, old;
    struct itimerval often = {{0, 700}, {0, 700}}, never = {{0, 0}, {0, 0}};
    sigaction(SIGALRM, &action, &old);
    for (int n = 5; n <= 8; n++) {
        tearDown();
        setUp();
        add_pigeons(n);
        setitimer(ITIMER_REAL, &often, NULL);
        enum solver_result result = SOLVER_UNKNOWN;
        for (int calls = 0; calls < 300 && !result; calls++)
            result = solver_solve(s, NULL, 0, 0);
        setitimer(ITIMER_REAL, &never, NULL);
        solver_solve(s, NULL, 0, 1); /* takes an interrupt that came too late */
        TEST_ASSERT_EQUAL_INT(SOLVER_UNSAT, result ? result : solver_solve(s, NULL, 0, 0));
    }
    sigaction(SIGALRM, &old, NULL);
}

static void test_same_seed_same_work(void) {
    struct solver_stats first;
    add_pigeons(6);
    solver_solve(s, NULL, 0, 0);
    first = *solver_stats(s);
    solver_free(s);
    s = solver_new(&(struct solver_options){.seed = 1});
    add_pigeons(6);
    solver_solve(s, NULL, 0, 0);
    TEST_ASSERT_EQUAL_MEMORY(&first, solver_stats(s), sizeof first);
}

/* A counter that saturates at 30: frame j+1's cell is frame j's next state. */
static void test_frames_are_bound_into_an_unrolling(void) {
    term_t c = term_var(&ts, "c", 16, false), limit = term_int(&ts, 16, 30);
    term_t next = term_ite(&ts, term_op2(&ts, OP_ULT, c, limit),
                           term_op2(&ts, OP_ADD, c, term_int(&ts, 16, 1)), c);
    term_t at_limit = term_eq(&ts, c, limit);
    struct frame *f = frame;
    svar cell = solver_encode(s, f, c);
    solver_add_clause(s, (struct slit[]){slit_le(cell, 0)}, 1);
    for (int step = 0; step <= 30; step++) {
        svar hit = solver_encode(s, f, at_limit);
        enum solver_result expected = step < 30 ? SOLVER_UNSAT : SOLVER_SAT;
        TEST_ASSERT_EQUAL_INT(expected, solver_solve(s, (struct slit[]){slit_true(hit)}, 1, 0));
        svar after = solver_encode(s, f, next);
        f = solver_frame_new(s, &ts);
        solver_frame_bind(s, f, c, after);
    }
}

/* Formulas are switched by activation literals over many calls. */
static void test_activation_literals_switch_formulas(void) {
    svar x = solver_new_var(s, 20, false);
    for (int i = 0; i < 2000; i++) {
        svar on = solver_new_bool(s);
        solver_add_clause(s, (struct slit[]){slit_false(on), slit_ge(x, i)}, 2);
        solver_add_clause(s, (struct slit[]){slit_false(on), slit_le(x, i)}, 2);
        TEST_ASSERT_EQUAL_INT(SOLVER_SAT, solver_solve(s, (struct slit[]){slit_true(on)}, 1, 0));
        TEST_ASSERT_EQUAL_UINT64((uint64_t)i, solver_value(s, x));
        struct slit wrong[2] = {slit_true(on), slit_ge(x, i + 1)};
        TEST_ASSERT_EQUAL_INT(SOLVER_UNSAT, solver_solve(s, wrong, 2, 0));
        solver_add_clause(s, (struct slit[]){slit_false(on)}, 1);
    }
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_negation_is_the_neighbour);
    RUN_TEST(test_assumptions_are_propagated_one_by_one);
    RUN_TEST(test_core_starts_with_the_failed_one_and_its_weakest_bound);
    RUN_TEST(test_core_starts_with_the_assumption_that_failed_first);
    RUN_TEST(test_bounds_that_are_not_needed_are_not_explained);
    RUN_TEST(test_contradictory_assumptions_are_a_core);
    RUN_TEST(test_core_is_empty_when_the_formula_is_false);
    RUN_TEST(test_level_zero_bounds_are_visible);
    RUN_TEST(test_nan_has_a_flag_until_it_is_impossible);
    RUN_TEST(test_order_knows_that_extremes_pass_over_nan);
    RUN_TEST(test_isnan_is_the_flag);
    RUN_TEST(test_budget_ends_a_solve_and_work_is_kept);
    RUN_TEST(test_interrupt_ends_one_solve);
    RUN_TEST(test_interrupts_anywhere_do_no_harm);
    RUN_TEST(test_same_seed_same_work);
    RUN_TEST(test_frames_are_bound_into_an_unrolling);
    RUN_TEST(test_activation_literals_switch_formulas);
    return UNITY_END();
}
