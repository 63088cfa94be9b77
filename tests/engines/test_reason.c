/* The least that keeps a target dead: enough, and nothing of it can be left out. */
#include "base/mem.h"
#include "base/rng.h"
#include "engines/invariant/reason.h"
#include "engine_case.h"

enum { SYSTEMS = 150, TICKS = 50000000 };

static term_t at_most(term_t a, int64_t v) {
    return term_op2(&ts, OP_SLE, a, i16(v));
}

static struct bound limit(uint32_t cell, enum bound_kind kind, int64_t v) {
    return (struct bound){.cell = cell, .kind = kind, .ordinal = v};
}

static void promise_step(struct promises *p, term_t t) {
    vec_push(p, (struct promise){0});
    vec_push(&vec_last(p).step, t);
}

/* x follows the input, y counts to 5, z nobody cares about. */
static void test_only_what_the_target_needs(void) {
    struct promises promises = {0};
    struct invariant inv;
    struct reason r;
    term_t in = add_input("in", 16, true), other = add_input("other", 16, true);
    term_t x = add_cell("x", 16, true, i16(0)), y = add_cell("y", 16, true, i16(0));
    sys.cells.data[0].next = in;
    sys.cells.data[1].next = term_ite(&ts, at_most(y, 4), term_op2(&ts, OP_ADD, y, i16(1)), y);
    promise_step(&promises, at_most(other, 7));
    promise_step(&promises, at_most(in, 10));
    invariant_init(&inv);
    inv.k = 1;
    struct bound bounds[] = {limit(1, BOUND_LE, 5), limit(0, BOUND_LE, 10), limit(1, BOUND_GE, 0)};
    for (size_t i = 0; i < 3; i++)
        invariant_add(&inv, &bounds[i], 1);
    vec_push(&inv.targets, add_target("x is large", term_not(&ts, at_most(x, 20))));
    TEST_ASSERT_TRUE(reason_find(&sys, &inv, &promises, TICKS, &r));
    TEST_ASSERT_EQUAL_size_t(1, r.clauses.len);
    TEST_ASSERT_EQUAL_UINT32(1, r.clauses.data[0]);
    TEST_ASSERT_EQUAL_size_t(1, r.promises.len);
    TEST_ASSERT_EQUAL_UINT32(1, r.promises.data[0]);
    TEST_ASSERT_EQUAL_size_t(1, r.direct.len);
    reason_free(&r);
    inv.targets.data[0] = add_target("y is large", term_not(&ts, at_most(y, 20)));
    TEST_ASSERT_TRUE(reason_find(&sys, &inv, &promises, TICKS, &r));
    TEST_ASSERT_EQUAL_size_t(1, r.clauses.len);
    TEST_ASSERT_EQUAL_UINT32(0, r.clauses.data[0]);
    TEST_ASSERT_EQUAL_size_t(0, r.promises.len);
    reason_free(&r);
    inv.targets.data[0] = add_target("in is 11", term_eq(&ts, in, i16(11)));
    TEST_ASSERT_TRUE(reason_find(&sys, &inv, &promises, TICKS, &r));
    TEST_ASSERT_EQUAL_size_t(0, r.clauses.len);
    TEST_ASSERT_EQUAL_size_t(1, r.promises.len);
    reason_free(&r);
    inv.targets.data[0] = add_target("x is 3", term_eq(&ts, x, i16(3)));
    TEST_ASSERT_FALSE(reason_find(&sys, &inv, &promises, TICKS, &r));
    reason_free(&r);
    invariant_free(&inv);
    promises_free(&promises);
}

static struct bound limit_float(uint32_t cell, enum bound_kind kind, double v) {
    return (struct bound){
        .cell = cell, .kind = kind, .ordinal = ordinal_of(SORT_F64, true, f64_bits(v))};
}

static term_t real(double v) {
    return term_const(&ts, SORT_F64, f64_bits(v));
}

/* x may become NaN, which is not above 12, and stays what it is. */
static void check_nan(enum bound_kind kind, double limit, size_t clauses) {
    struct promises promises = {0};
    struct invariant inv;
    struct reason r;
    term_t in = add_input("in", SORT_F64, true), x = add_cell("x", SORT_F64, true, real(limit));
    term_t moved = term_op2(&ts, OP_FADD, term_op1(&ts, OP_FNEG, x), in);
    bool below = kind == BOUND_LE;
    term_t out = term_op2(&ts, OP_FLT, below ? real(limit) : x, below ? x : real(limit));
    term_t beyond = term_op2(&ts, OP_FLT, below ? real(limit) : moved, below ? moved : real(limit));
    sys.cells.data[0].next = term_ite(&ts, beyond, real(limit), moved);
    invariant_init(&inv);
    inv.k = 1;
    struct bound bounds[] = {limit_float(0, kind, limit), {.cell = 0, .kind = BOUND_NOT_NAN}};
    for (size_t i = 0; i < 2; i++)
        invariant_add(&inv, &bounds[i], 1);
    promise_step(&promises, term_not(&ts, term_op1(&ts, OP_FISNAN, in)));
    promise_step(&promises, term_op2(&ts, OP_FLE, in, real(10)));
    promise_step(&promises, term_op2(&ts, OP_FLE, real(-10), in));
    vec_push(&inv.targets, add_target("x is beyond", out));
    TEST_ASSERT_TRUE(reason_find(&sys, &inv, &promises, TICKS, &r));
    TEST_ASSERT_EQUAL_size_t(clauses, r.clauses.len);
    TEST_ASSERT_EQUAL_UINT32(0, r.clauses.data[0]);
    TEST_ASSERT_EQUAL_size_t(0, r.promises.len);
    reason_free(&r);
    invariant_free(&inv);
    promises_free(&promises);
}

static void test_that_it_is_no_nan_is_no_reason(void) {
    check_nan(BOUND_LE, 12, 1);
    tearDown();
    setUp();
    check_nan(BOUND_GE, -12, 1);
}

/* At most -3 is no NaN: that need not be said apart. */
static void test_bounds_exclude_nan(void) {
    struct promises none = {0};
    struct invariant inv;
    struct reason r;
    term_t in = add_input("in", SORT_F64, true), x = add_cell("x", SORT_F64, true, real(-5));
    sys.cells.data[0].next = term_ite(&ts, term_op2(&ts, OP_FLE, in, real(-3)), in, real(-3));
    invariant_init(&inv);
    inv.k = 1;
    struct bound no_nan = {.cell = 0, .kind = BOUND_NOT_NAN}, most = limit_float(0, BOUND_LE, -3);
    invariant_add(&inv, &no_nan, 1);
    invariant_add(&inv, &most, 1);
    vec_push(&inv.targets, add_target("x is none", term_op1(&ts, OP_FISNAN, x)));
    TEST_ASSERT_TRUE(reason_find(&sys, &inv, &none, TICKS, &r));
    TEST_ASSERT_EQUAL_size_t(1, r.clauses.len);
    reason_free(&r);
    inv.clauses.data[0].data[0] = most;
    TEST_ASSERT_TRUE(reason_find(&sys, &inv, &none, TICKS, &r));
    TEST_ASSERT_EQUAL_size_t(1, r.clauses.len);
    reason_free(&r);
    invariant_free(&inv);
    promises_free(&none);
}

/* ---- random systems: what is left is a proof, and without any element it is none ---- */

static bool proves(const struct invariant *inv, const struct promises *promises, const bool *clause,
                   const bool *promise) {
    struct system with = sys;
    struct target target = sys.targets.data[0];
    struct invariant part;
    invariant_init(&part);
    part.k = 1;
    vec_push(&part.targets, 0);
    for (size_t i = 0; i < inv->clauses.len; i++)
        if (clause[i])
            invariant_add(&part, inv->clauses.data[i].data, inv->clauses.data[i].len);
    for (size_t i = 0; i < promises->len; i++)
        if (promise[i]) {
            with.step_ok = term_and(&ts, with.step_ok, promises->data[i].step.data[0]);
            target.hit = term_and(&ts, target.hit, promises->data[i].step.data[0]);
        }
    with.targets.data = &target;
    bool yes = invariant_check(&with, &part, 0, NULL) == SOLVER_UNSAT;
    invariant_free(&part);
    return yes;
}

/* Some of what is left proves it: the clauses that remain need not be inductive together. */
static bool some_subset_proves(const struct invariant *inv, const struct promises *promises,
                               const bool *clause, const bool *promise) {
    uint32_t n = (uint32_t)inv->clauses.len;
    for (uint32_t set = 0; set < 1u << n; set++) {
        bool chosen[8] = {0}, within = true;
        for (uint32_t i = 0; i < n; i++) {
            chosen[i] = set >> i & 1;
            within &= !chosen[i] || clause[i];
        }
        if (within && proves(inv, promises, chosen, promise))
            return true;
    }
    return false;
}

static term_t small(struct rng *rng, term_t x, term_t y, term_t in) {
    term_t leaves[] = {x, y, in, i16((int64_t)rng_below(rng, 6))};
    term_t a = leaves[rng_below(rng, 4)], b = leaves[rng_below(rng, 4)];
    term_t c = term_ite(&ts, term_op2(&ts, OP_SLE, a, b), leaves[rng_below(rng, 4)], b);
    return rng_below(rng, 2) ? c : a;
}

static bool check_one(struct rng *rng) {
    struct promises promises = {0};
    struct invariant inv;
    struct reason r = {0};
    term_t in = add_input("in", 16, true);
    term_t x = add_cell("x", 16, true, i16((int64_t)rng_below(rng, 3)));
    term_t y = add_cell("y", 16, true, i16((int64_t)rng_below(rng, 3)));
    sys.cells.data[0].next = small(rng, x, y, in);
    sys.cells.data[1].next = small(rng, x, y, in);
    promise_step(&promises, at_most(in, 3 + (int64_t)rng_below(rng, 6)));
    promise_step(&promises, term_not(&ts, at_most(in, -1)));
    invariant_init(&inv);
    inv.k = 1;
    for (uint32_t c = 0; c < 2; c++) {
        struct bound low = limit(c, BOUND_GE, 0), high = limit(c, BOUND_LE, 5);
        invariant_add(&inv, &low, 1);
        invariant_add(&inv, &high, 1);
    }
    term_t from = rng_below(rng, 2) ? x : y;
    vec_push(&inv.targets, add_target("t", rng_below(rng, 2) ? term_not(&ts, at_most(from, 5))
                                                             : at_most(from, -1)));
    bool found = reason_find(&sys, &inv, &promises, TICKS, &r);
    bool clause[8] = {0}, promise[2] = {0}, all[8] = {1, 1, 1, 1}, both[2] = {1, 1};
    TEST_ASSERT_EQUAL(some_subset_proves(&inv, &promises, all, both), found);
    for (size_t i = 0; i < r.clauses.len; i++)
        clause[r.clauses.data[i]] = true;
    for (size_t i = 0; i < r.promises.len; i++)
        promise[r.promises.data[i]] = true;
    if (found)
        TEST_ASSERT_TRUE(proves(&inv, &promises, clause, promise));
    for (size_t i = 0; found && i < 4; i++)
        if (clause[i]) {
            clause[i] = false;
            TEST_ASSERT_FALSE(some_subset_proves(&inv, &promises, clause, promise));
            clause[i] = true;
        }
    for (size_t i = 0; found && i < 2; i++)
        if (promise[i]) {
            promise[i] = false;
            TEST_ASSERT_FALSE(some_subset_proves(&inv, &promises, all, promise));
            promise[i] = true;
        }
    reason_free(&r);
    invariant_free(&inv);
    promises_free(&promises);
    return found;
}

static void test_random_reasons_are_minimal(void) {
    struct rng rng;
    int found = 0;
    rng_init(&rng, 7);
    for (int i = 0; i < SYSTEMS; i++) {
        found += check_one(&rng);
        tearDown();
        setUp();
    }
    TEST_ASSERT_GREATER_THAN(SYSTEMS / 5, found);
    TEST_ASSERT_LESS_THAN(SYSTEMS, found);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_only_what_the_target_needs);
    RUN_TEST(test_that_it_is_no_nan_is_no_reason);
    RUN_TEST(test_bounds_exclude_nan);
    RUN_TEST(test_random_reasons_are_minimal);
    return UNITY_END();
}
