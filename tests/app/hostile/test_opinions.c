/* What Z3 says of a proof and of what is none, and what is counted. */
#include "app/audit/opinions.h"

#include "unity.h"

static struct terms ts;
static struct system sys;

void setUp(void) {
    terms_init(&ts);
    system_init(&sys, &ts);
    sys.init_ok = sys.step_ok = term_bool(&ts, true);
    sys.unspecified = sys.init_unspecified = term_bool(&ts, false);
}
void tearDown(void) {
    system_free(&sys);
    terms_free(&ts);
}

static term_t i16(int64_t v) {
    return term_int(&ts, 16, v);
}

/* A counter that stays at 3: that it is at most 3 proves that it is never 9, that it is at most 20
 * is not kept by every step. */
static uint32_t add_counter(void) {
    term_t n = term_var(&ts, "n", 16, true);
    term_t next = term_ite(&ts, term_eq(&ts, n, i16(3)), n, term_op2(&ts, OP_ADD, n, i16(1)));
    struct cell cell = {.name = "n", .init = i16(0), .var = n, .next = next};
    struct target target = {.kind = TARGET_GOAL, .name = "n", .hit = term_eq(&ts, n, i16(9))};
    vec_push(&sys.cells, cell);
    vec_push(&sys.targets, target);
    return 0;
}

static bool ask(struct opinions *o, uint32_t target, int64_t most, struct str *against) {
    struct invariant inv;
    invariant_init(&inv);
    inv.k = 1;
    invariant_add(&inv, (struct bound[]){{.cell = 0, .kind = BOUND_LE, .ordinal = most}}, 1);
    vec_push(&inv.targets, target);
    bool refuted = opinions_ask(o, &sys, &inv, "z3,solver", against);
    invariant_free(&inv);
    return refuted;
}

static void test_z3_is_heard(void) {
    struct opinions o = {0};
    struct str against = {0};
    uint32_t target = add_counter();
    TEST_ASSERT_FALSE(ask(&o, target, 3, &against));
    TEST_ASSERT_EQUAL_STRING("", str_text(&against));
    TEST_ASSERT_EQUAL_UINT(1, o.by_z3);
    TEST_ASSERT_TRUE(ask(&o, target, 20, &against));
    TEST_ASSERT_EQUAL_STRING("Z3 refutes the consecution", str_text(&against));
    TEST_ASSERT_EQUAL_UINT(1, o.by_z3);
    TEST_ASSERT_EQUAL_UINT(2, o.proofs);
    TEST_ASSERT_EQUAL_UINT(0, o.not_by_z3);
    str_free(&against);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_z3_is_heard);
    return UNITY_END();
}
