/* Known ways to be wrong, each as a small system on which some prover was once wrong. */
#include "engine_case.h"

static const char *const provers[] = {"kind", "ic3", "houdini", "itp"};
enum { PROVERS = sizeof provers / sizeof *provers };

static void expect_not_dead(uint32_t target) {
    for (int i = 0; i < PROVERS; i++)
        TEST_ASSERT_EQUAL_INT_MESSAGE(0, run(provers[i], target, 20).deads, provers[i]);
}

/* y is what the input was: no range, so NaN too. No interval of numbers holds NaN. */
static void test_nan_is_outside_every_interval(void) {
    term_t y = add_cell("y", SORT_F32, true, term_f32(&ts, 0)), u = add_input("u", SORT_F32, true);
    sys.cells.data[0].next = u;
    term_t low = term_op2(&ts, OP_FLE, y, term_f32(&ts, 10));
    term_t high = term_op2(&ts, OP_FLT, term_f32(&ts, 10), y);
    uint32_t neither =
        add_target("neither", term_and(&ts, term_not(&ts, low), term_not(&ts, high)));
    expect_not_dead(neither);
    TEST_ASSERT_EQUAL_INT(1, run("ic3", neither, 0).hits);
    TEST_ASSERT_EQUAL_INT(1, run("bmc", neither, 0).hits);
}

/* The same with a range: (x >= lo && x <= hi) excludes NaN, !(x > hi) would not. */
static void test_nan_passes_a_negated_comparison(void) {
    term_t y = add_cell("y", SORT_F32, true, term_f32(&ts, 0)), u = add_input("u", SORT_F32, true);
    sys.cells.data[0].next = u;
    sys.step_ok = term_and(&ts, term_not(&ts, term_op2(&ts, OP_FLT, term_f32(&ts, 10), u)),
                           term_not(&ts, term_op2(&ts, OP_FLT, u, term_f32(&ts, -10))));
    uint32_t nan = add_target("nan", term_op1(&ts, OP_FISNAN, y));
    uint32_t big = add_target("big", term_op2(&ts, OP_FLT, term_f32(&ts, 11), y));
    expect_not_dead(nan);
    TEST_ASSERT_EQUAL_INT(1, run("ic3", nan, 0).hits);
    TEST_ASSERT_EQUAL_INT(1, run("ic3", big, 0).deads);
}

/* Clamping lets NaN through; the numbers that come out are within the bounds all the same. */
static void test_numbers_beside_nan_have_bounds(void) {
    term_t y = add_cell("y", SORT_F32, true, term_f32(&ts, 0)), u = add_input("u", SORT_F32, true);
    term_t z = add_cell("z", SORT_F32, true, term_f32(&ts, 0));
    term_t five = term_f32(&ts, 5), low = term_f32(&ts, -5);
    term_t clamped = term_ite(&ts, term_op2(&ts, OP_FLT, five, u), five,
                              term_ite(&ts, term_op2(&ts, OP_FLT, u, low), low, u));
    sys.cells.data[0].next = clamped;
    sys.cells.data[1].next = y;
    uint32_t big = add_target("z > 6", term_op2(&ts, OP_FLT, term_f32(&ts, 6), z));
    uint32_t full = add_target("z > 4", term_op2(&ts, OP_FLT, term_f32(&ts, 4), z));
    uint32_t nan = add_target("nan", term_op1(&ts, OP_FISNAN, z));
    expect_not_dead(nan);
    expect_not_dead(full);
    TEST_ASSERT_EQUAL_INT(1, run("ic3", big, 0).deads);
    TEST_ASSERT_EQUAL_INT(1, run("ic3", nan, 0).hits);
}

/* A cell that only hands on what another one holds: induction must free that one, too. */
static void test_state_behind_state_is_free(void) {
    term_t a = add_cell("a", 16, true, i16(0)), b = add_cell("b", 16, true, i16(0));
    sys.cells.data[0].next = b;
    sys.cells.data[1].next = term_op2(&ts, OP_ADD, b, i16(1));
    uint32_t target = add_target("a == 5", term_eq(&ts, a, i16(5)));
    expect_not_dead(target);
    TEST_ASSERT_EQUAL_INT(1, run("ic3", target, 0).hits);
    TEST_ASSERT_EQUAL_INT(1, run("bmc", target, 0).hits);
}

/* The run may end in the step that hits: the hit counts. */
static void test_a_hit_counts_where_the_run_ends(void) {
    term_t n = add_cell("n", 16, true, i16(0));
    sys.cells.data[0].next = term_op2(&ts, OP_ADD, n, i16(1));
    sys.step_ok = term_op2(&ts, OP_SLT, n, i16(3));
    uint32_t last = add_target("n == 3", term_eq(&ts, n, i16(3)));
    uint32_t past = add_target("n == 4", term_eq(&ts, n, i16(4)));
    expect_not_dead(last);
    struct findings found = run("bmc", last, 0);
    TEST_ASSERT_EQUAL_INT(1, found.hits);
    TEST_ASSERT_EQUAL_UINT32(4, found.trace_steps);
    TEST_ASSERT_EQUAL_INT(1, run("ic3", last, 0).hits);
    TEST_ASSERT_EQUAL_INT(1, run("ic3", past, 0).deads);
    TEST_ASSERT_EQUAL_INT(1, run("kind", past, 20).deads);
}

/* Only a value that C leaves open reaches it: neither a witness nor a proof nor a bound. */
static void test_an_unspecified_value_is_no_witness(void) {
    term_t n = add_cell("n", 16, true, i16(0)), any = add_input("any", 16, true);
    sys.inputs.data[0].unspecified = true;
    sys.inputs.data[0].module_input = NONE;
    sys.cells.data[0].next = any;
    sys.unspecified = term_bool(&ts, true);
    uint32_t target = add_target("n == 7", term_eq(&ts, n, i16(7)));
    expect_not_dead(target);
    for (int i = 0; i < PROVERS; i++)
        TEST_ASSERT_EQUAL_INT_MESSAGE(0, run(provers[i], target, 10).hits, provers[i]);
    struct findings found = run("bmc", target, 10);
    TEST_ASSERT_EQUAL_INT(0, found.hits);
    TEST_ASSERT_LESS_OR_EQUAL_UINT32(1, found.depth);
}

/* A hit in the first step is none of the steps that induction looks at. */
static void test_the_base_case_is_asked(void) {
    term_t n = add_cell("n", 16, true, i16(9)), in = add_input("in", SORT_BOOL, false);
    sys.cells.data[0].next = i16(1);
    uint32_t target = add_target("n == 9", term_and(&ts, in, term_eq(&ts, n, i16(9))));
    expect_not_dead(target);
    TEST_ASSERT_EQUAL_INT(1, run("ic3", target, 0).hits);
    TEST_ASSERT_EQUAL_INT(1, run("kind", target, 0).hits);
}

/* A hit during initialisation, with and without the initialisation coming to its end. */
static void test_initialisation_can_hit(void) {
    term_t n = add_cell("n", 16, true, i16(0)), p = add_input("p", 16, true);
    sys.inputs.data[0].at_init = true;
    sys.cells.data[0].next = n;
    sys.init_ok = term_op2(&ts, OP_SLT, p, i16(5));
    uint32_t target = add_target("p == 6", term_bool(&ts, false));
    sys.targets.data[target].init_hit = term_eq(&ts, p, i16(6));
    expect_not_dead(target);
    TEST_ASSERT_EQUAL_INT(1, run("bmc", target, 0).hits);
}

/* Proofs stand alone: what was known beforehand is part of them as far as they need it. */
static void test_known_lemmas_become_part_of_the_proof(void) {
    term_t n = add_cell("n", 16, true, i16(0)), go = add_input("go", SORT_BOOL, false);
    term_t up = term_op2(&ts, OP_ADD, n, i16(2));
    term_t below = term_op2(&ts, OP_SLT, n, i16(100));
    sys.cells.data[0].next = term_ite(&ts, term_and(&ts, go, below), up, n);
    uint32_t target = add_target("n == 2000", term_eq(&ts, n, i16(2000)));
    struct invariant lemmas;
    invariant_init(&lemmas);
    lemmas.k = 1;
    invariant_add(&lemmas, &(struct bound){0, BOUND_LE, 101}, 1);
    known = &lemmas;
    /* run() checks each proof by itself, without the lemmas */
    for (int i = 0; i < PROVERS; i++)
        TEST_ASSERT_EQUAL_INT_MESSAGE(1, run(provers[i], target, 20).deads, provers[i]);
    known = NULL;
    invariant_free(&lemmas);
}

/* No step ever ends, so everything is inductive: only the initial states limit what holds. Many
 * initial values, so that bounds are tried again after they had to give way. */
static void test_bounds_hold_initially_too(void) {
    term_t x = add_cell("x", 16, true, i16(0)), f = add_cell("f", SORT_BOOL, false, i16(0));
    term_t p = add_input("p", 16, true), q = add_input("q", SORT_BOOL, false);
    sys.inputs.data[0].at_init = sys.inputs.data[1].at_init = true;
    sys.cells.data[0].init = p;
    sys.cells.data[1].init = q;
    sys.cells.data[0].next = term_ite(&ts, f, x, i16(3));
    sys.cells.data[1].next = f;
    sys.step_ok = term_bool(&ts, false);
    uint32_t target = add_target("x == -4", term_and(&ts, f, term_eq(&ts, x, i16(-4))));
    expect_not_dead(target); /* and every lemma passes its check */
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_nan_is_outside_every_interval);
    RUN_TEST(test_nan_passes_a_negated_comparison);
    RUN_TEST(test_numbers_beside_nan_have_bounds);
    RUN_TEST(test_state_behind_state_is_free);
    RUN_TEST(test_a_hit_counts_where_the_run_ends);
    RUN_TEST(test_an_unspecified_value_is_no_witness);
    RUN_TEST(test_the_base_case_is_asked);
    RUN_TEST(test_initialisation_can_hit);
    RUN_TEST(test_bounds_hold_initially_too);
    RUN_TEST(test_known_lemmas_become_part_of_the_proof);
    return UNITY_END();
}
