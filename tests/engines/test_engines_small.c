/* Every model engine on small systems whose truth is known by construction. */
#include "engine_case.h"

/* A counter that saturates: n' = enable ? min(n + 1, 100) : 0 */
static term_t saturating_counter(void) {
    term_t n = add_cell("n", 16, true, i16(0)), enable = add_input("enable", SORT_BOOL, false);
    term_t below = term_op2(&ts, OP_SLT, n, i16(100));
    term_t up = term_ite(&ts, below, term_op2(&ts, OP_ADD, n, i16(1)), n);
    sys.cells.data[0].next = term_ite(&ts, enable, up, i16(0));
    return n;
}

/* x starts anywhere and takes one of many constants later: bounds that hold later hold no more for
 * the start, and a chain that passes over them in strides must not come back to them. */
static void test_bounds_of_houdini_hold_initially(void) {
    term_t any = add_input("any", 16, true), which = add_input("which", 8, false);
    sys.inputs.data[0].at_init = true;
    term_t x = add_cell("x", 16, true, any), n = add_cell("n", 16, true, i16(0));
    term_t next = i16(0);
    for (int i = 0; i < 100; i++) {
        term_t here = term_eq(&ts, which, term_int(&ts, 8, i));
        next = term_ite(&ts, here, i16(i * 11 - 600), next);
    }
    sys.cells.data[0].next = next;
    sys.cells.data[1].next = term_ite(&ts, term_op2(&ts, OP_SLT, x, i16(7)), i16(3), i16(4));
    uint32_t target = add_target("n > 4", term_op2(&ts, OP_SLT, i16(4), n));
    struct findings found = run("houdini", target, 0);
    TEST_ASSERT_EQUAL_INT(1, found.deads);
    TEST_ASSERT_EQUAL_INT(1, found.lemmas);
}

/* Many modes that depend on each other, and one counter that has nothing to do with them. */
static uint32_t many_modes(void) {
    enum { MODES = 16 };
    term_t mode[MODES], n = saturating_counter();
    for (int i = 0; i < MODES; i++)
        mode[i] = add_cell("mode", 8, false, term_int(&ts, 8, 0));
    for (int i = 0; i < MODES; i++) {
        term_t event = add_input("event", 8, false), go = term_bool(&ts, true);
        for (int k = 1; k < 5; k++)
            go =
                term_and(&ts, go,
                         term_not(&ts, term_eq(&ts, mode[(i + k) % MODES],
                                               term_op2(&ts, OP_ADD, event, term_int(&ts, 8, k)))));
        term_t more = term_op2(&ts, OP_ADD, mode[i], term_int(&ts, 8, 1));
        more = term_ite(&ts, term_op2(&ts, OP_ULT, mode[i], term_int(&ts, 8, 6)), more,
                        term_int(&ts, 8, 0));
        sys.cells.data[1 + i].next = term_ite(&ts, go, more, mode[i]);
    }
    return add_target("n > 100", term_op2(&ts, OP_SLT, i16(100), n));
}

/* What the boxes prove is told although the implications never settle. */
static void test_houdini_tells_what_it_has_when_its_time_is_over(void) {
    struct findings found = run_steps("houdini", many_modes(), 0, 1, 4000000);
    TEST_ASSERT_EQUAL_INT(1, found.interrupted);
    TEST_ASSERT_EQUAL_INT(1, found.deads);
    TEST_ASSERT_EQUAL_INT(1, found.lemmas);
}

static void test_bmc_finds_a_shallow_hit_and_reports_bounds(void) {
    term_t n = saturating_counter();
    uint32_t target = add_target("n == 7", term_eq(&ts, n, i16(7)));
    struct findings found = run("bmc", target, 0);
    TEST_ASSERT_EQUAL_INT(1, found.hits);
    TEST_ASSERT_EQUAL_UINT32(8, found.trace_steps);
    TEST_ASSERT_EQUAL_UINT32(7, found.depth);
}

static void test_kind_proves_what_is_inductive(void) {
    term_t n = saturating_counter();
    uint32_t target = add_target("n == 101", term_eq(&ts, n, i16(101)));
    struct findings found = run("kind", target, 10);
    TEST_ASSERT_EQUAL_INT(1, found.deads + (found.hits == 0 && found.deads == 0));
    TEST_ASSERT_EQUAL_INT(0, found.hits);
}

static void test_provers_prove_the_saturation(void) {
    term_t n = saturating_counter();
    uint32_t target = add_target("n > 100", term_op2(&ts, OP_SLT, i16(100), n));
    TEST_ASSERT_EQUAL_INT(1, run("ic3", target, 0).deads);
    TEST_ASSERT_EQUAL_INT(1, run("houdini", target, 0).deads);
    TEST_ASSERT_EQUAL_INT(1, run("itp", target, 0).deads);
}

static void test_a_far_value_is_proved(void) {
    term_t n = saturating_counter();
    uint32_t target = add_target("n == 20000", term_eq(&ts, n, i16(20000)));
    TEST_ASSERT_EQUAL_INT(1, run("ic3", target, 0).deads);
    TEST_ASSERT_EQUAL_INT(1, run("itp", target, 0).deads);
}

static void test_provers_find_hits_too(void) {
    term_t n = saturating_counter();
    uint32_t target = add_target("n == 9", term_eq(&ts, n, i16(9)));
    TEST_ASSERT_EQUAL_INT(1, run("ic3", target, 0).hits);
    TEST_ASSERT_EQUAL_INT(1, run("itp", target, 0).hits);
}

/* A first-order low-pass: y' = y + 0.1 * (u - y), |u| <= 10 */
static void test_filter_stays_in_its_box(void) {
    term_t y = add_cell("y", SORT_F32, true, term_f32(&ts, 0)), u = add_input("u", SORT_F32, true);
    term_t delta = term_op2(&ts, OP_FSUB, u, y);
    term_t gain = term_op2(&ts, OP_FMUL, term_f32(&ts, 0.1f), delta);
    sys.cells.data[0].next = term_op2(&ts, OP_FADD, y, gain);
    sys.step_ok = term_and(&ts, term_op2(&ts, OP_FLE, term_f32(&ts, -10), u),
                           term_op2(&ts, OP_FLE, u, term_f32(&ts, 10)));
    uint32_t target = add_target("y > 20", term_op2(&ts, OP_FLT, term_f32(&ts, 20), y));
    TEST_ASSERT_EQUAL_INT(1, run("houdini", target, 0).deads);
    TEST_ASSERT_EQUAL_INT(1, run("ic3", target, 0).deads);
    TEST_ASSERT_EQUAL_INT(1, run("itp", target, 0).deads);
}

/* mode 0 -> 1 -> 2 -> 0; "armed" is set only in mode 1 and cleared when leaving it. */
static void test_mode_and_flag(void) {
    term_t mode = add_cell("mode", 8, false, term_int(&ts, 8, 0));
    term_t armed = add_cell("armed", SORT_BOOL, false, term_bool(&ts, false));
    term_t go = add_input("go", SORT_BOOL, false);
    term_t in1 = term_eq(&ts, mode, term_int(&ts, 8, 1)),
           in0 = term_eq(&ts, mode, term_int(&ts, 8, 0));
    term_t after = term_ite(&ts, in0, term_int(&ts, 8, 1),
                            term_ite(&ts, in1, term_int(&ts, 8, 2), term_int(&ts, 8, 0)));
    term_t next = term_ite(&ts, go, after, mode);
    sys.cells.data[0].next = next;
    sys.cells.data[1].next = term_eq(&ts, next, term_int(&ts, 8, 1));
    uint32_t bad =
        add_target("armed in 2", term_and(&ts, armed, term_eq(&ts, mode, term_int(&ts, 8, 2))));
    uint32_t good = add_target("armed in 1", term_and(&ts, armed, in1));
    TEST_ASSERT_EQUAL_INT(1, run("ic3", bad, 0).deads);
    TEST_ASSERT_EQUAL_INT(1, run("itp", bad, 0).deads);
    TEST_ASSERT_EQUAL_INT(1, run("kind", bad, 20).deads);
    TEST_ASSERT_EQUAL_INT(1, run("ic3", good, 0).hits);
    TEST_ASSERT_EQUAL_INT(1, run("bmc", good, 0).hits);
}

static void test_a_wrong_invariant_is_refuted(void) {
    term_t n = saturating_counter();
    uint32_t target = add_target("n > 100", term_op2(&ts, OP_SLT, i16(100), n));
    struct invariant inv;
    struct str what = {0};
    invariant_init(&inv);
    inv.k = 1;
    vec_push(&inv.targets, target);
    TEST_ASSERT_EQUAL_INT(SOLVER_SAT, invariant_check(&sys, &inv, 0, &what));
    TEST_ASSERT_EQUAL_STRING("safety", str_text(&what));
    invariant_add(&inv, &(struct bound){0, BOUND_LE, 99}, 1);
    str_clear(&what);
    TEST_ASSERT_EQUAL_INT(SOLVER_SAT, invariant_check(&sys, &inv, 0, &what));
    TEST_ASSERT_EQUAL_STRING("consecution", str_text(&what));
    invariant_free(&inv);
    invariant_init(&inv);
    inv.k = 1;
    vec_push(&inv.targets, target);
    invariant_add(&inv, &(struct bound){0, BOUND_GE, 1}, 1);
    str_clear(&what);
    TEST_ASSERT_EQUAL_INT(SOLVER_SAT, invariant_check(&sys, &inv, 0, &what));
    TEST_ASSERT_EQUAL_STRING("initiation", str_text(&what));
    invariant_free(&inv);
    str_free(&what);
}

/* Redundant clauses go, the bound moves out to the target's own number. */
static void test_trimming_drops_and_weakens(void) {
    term_t n = saturating_counter();
    uint32_t target = add_target("n > 20000", term_op2(&ts, OP_SLT, i16(20000), n));
    struct invariant inv;
    invariant_init(&inv);
    inv.k = 1;
    vec_push(&inv.targets, target);
    invariant_add(&inv, &(struct bound){0, BOUND_GE, 0}, 1);
    invariant_add(&inv, &(struct bound){0, BOUND_LE, 100}, 1);
    invariant_add(&inv, (struct bound[]){{0, BOUND_LE, 100}, {0, BOUND_GE, 7}}, 2);
    invariant_trim(&sys, &inv, 1, NULL);
    TEST_ASSERT_EQUAL_size_t(1, inv.clauses.len);
    TEST_ASSERT_EQUAL_size_t(1, inv.clauses.data[0].len);
    TEST_ASSERT_EQUAL_INT(BOUND_LE, inv.clauses.data[0].data[0].kind);
    TEST_ASSERT_EQUAL_INT64(20000, inv.clauses.data[0].data[0].ordinal);
    TEST_ASSERT_EQUAL_INT(SOLVER_UNSAT, invariant_check(&sys, &inv, 0, NULL));
    invariant_free(&inv);
}

/* What is no proof is left alone: trimming must not make it look like one. */
static void test_trimming_leaves_what_is_no_proof(void) {
    term_t n = saturating_counter();
    uint32_t target = add_target("n == 50", term_eq(&ts, n, i16(50)));
    struct invariant inv;
    invariant_init(&inv);
    inv.k = 1;
    vec_push(&inv.targets, target);
    invariant_add(&inv, &(struct bound){0, BOUND_LE, 49}, 1);
    invariant_add(&inv, &(struct bound){0, BOUND_GE, 0}, 1);
    invariant_trim(&sys, &inv, 1, NULL);
    TEST_ASSERT_EQUAL_size_t(2, inv.clauses.len);
    TEST_ASSERT_EQUAL_INT64(49, inv.clauses.data[0].data[0].ordinal);
    TEST_ASSERT_EQUAL_INT(SOLVER_SAT, invariant_check(&sys, &inv, 0, NULL));
    invariant_free(&inv);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_bounds_of_houdini_hold_initially);
    RUN_TEST(test_houdini_tells_what_it_has_when_its_time_is_over);
    RUN_TEST(test_bmc_finds_a_shallow_hit_and_reports_bounds);
    RUN_TEST(test_kind_proves_what_is_inductive);
    RUN_TEST(test_provers_prove_the_saturation);
    RUN_TEST(test_a_far_value_is_proved);
    RUN_TEST(test_provers_find_hits_too);
    RUN_TEST(test_filter_stays_in_its_box);
    RUN_TEST(test_mode_and_flag);
    RUN_TEST(test_a_wrong_invariant_is_refuted);
    RUN_TEST(test_trimming_drops_and_weakens);
    RUN_TEST(test_trimming_leaves_what_is_no_proof);
    return UNITY_END();
}
