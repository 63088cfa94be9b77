/* Bounds of terms against enumeration: random terms over integers of four bits, in both views; a
 * literal over them narrows what others can be, and no value may be lost. */
#include "base/rng.h"
#include "instrument/lower/range.h"
#include "model/term/eval.h"

#include "unity.h"

#include <stdlib.h>

enum { ROUNDS = 1500, VARS = 3, NODES = 10, WIDTH = 4, VALUES = 16 };

static struct terms ts;
static struct ranges ranges;
static struct rng rng;

void setUp(void) {
    terms_init(&ts);
    ranges_init(&ranges, &ts);
}
void tearDown(void) {
    ranges_free(&ranges);
    terms_free(&ts);
}

static term_t any(const term_t *pool, size_t n) {
    return pool[rng_below(&rng, n)];
}

/* An integer of WIDTH bits over what is there. */
static term_t random_term(const term_t *pool, size_t n) {
    static const enum op ops[] = {OP_ADD, OP_SUB,  OP_MUL,  OP_UDIV, OP_SDIV, OP_UREM, OP_SREM,
                                  OP_SHL, OP_LSHR, OP_ASHR, OP_BAND, OP_BOR,  OP_BXOR};
    term_t a = any(pool, n), b = any(pool, n);
    if (rng_below(&rng, 5) == 0)
        return term_const(&ts, WIDTH, rng_below(&rng, VALUES));
    if (rng_below(&rng, 5) == 0)
        return term_ite(&ts, term_op2(&ts, rng_below(&rng, 2) ? OP_ULT : OP_SLE, a, b),
                        any(pool, n), any(pool, n));
    return term_op2(&ts, ops[rng_below(&rng, sizeof ops / sizeof *ops)], a, b);
}

/* Now and then about a wider copy of an argument, or of two comparisons. */
static term_t random_literal(const term_t *pool, size_t n) {
    static const enum op ops[] = {OP_EQ, OP_ULT, OP_ULE, OP_SLT, OP_SLE};
    term_t a = any(pool, n), b = any(pool, n);
    if (rng_below(&rng, 2)) {
        enum op extension = rng_below(&rng, 2) ? OP_ZEXT : OP_SEXT;
        a = term_cast(&ts, extension, 8, a);
        b = rng_below(&rng, 2) ? term_cast(&ts, extension, 8, b)
                               : term_const(&ts, 8, rng_below(&rng, 256));
    }
    term_t literal = term_op2(&ts, ops[rng_below(&rng, sizeof ops / sizeof *ops)], a, b);
    if (rng_below(&rng, 4) == 0)
        literal = term_and(&ts, literal, random_literal(pool, n));
    return rng_below(&rng, 2) ? term_not(&ts, literal) : literal;
}

static bool holds(struct views v, uint64_t bits) {
    return range_has_bits(v.u, WIDTH, false, bits) && range_has_bits(v.s, WIDTH, true, bits);
}

static void test_no_value_is_lost(void) {
    size_t narrowed = 0;
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        tearDown();
        setUp();
        rng_init(&rng, seed);
        term_t pool[VARS + NODES];
        for (int i = 0; i < VARS + NODES; i++)
            pool[i] = i < VARS ? term_var(&ts, "v", WIDTH, i & 1) : random_term(pool, (size_t)i);
        term_t literal = random_literal(pool, VARS + NODES), t = any(pool, VARS + NODES);
        struct views before = ranges_at(&ranges, t), after = before;
        ranges_narrow(&ranges, literal, true, t, &after);
        narrowed += !range_same(before.u, after.u) || !range_same(before.s, after.s);
        uint64_t *values = calloc(ts.nodes.len, sizeof *values);
        for (uint64_t all = 0; all < VALUES * VALUES * VALUES; all++) {
            uint64_t vars[VARS] = {all % VALUES, all / VALUES % VALUES, all / VALUES / VALUES};
            term_t roots[2] = {literal, t};
            term_eval(&ts, roots, 2, vars, values);
            TEST_ASSERT_TRUE(holds(before, values[t]));
            if (values[literal])
                TEST_ASSERT_TRUE(holds(after, values[t]));
        }
        free(values);
    }
    TEST_ASSERT_GREATER_THAN(ROUNDS / 40, narrowed);
}

/* One view alone cannot say -3 .. 5; a bound of one view narrows the other. */
static void test_both_views_are_kept(void) {
    term_t v = term_var(&ts, "v", 8, true);
    term_t low = term_op2(&ts, OP_SLE, term_int(&ts, 8, -3), v);
    term_t high = term_op2(&ts, OP_SLE, v, term_int(&ts, 8, 5));
    ranges_assume(&ranges, term_and(&ts, low, high));
    struct views is = ranges_at(&ranges, v);
    TEST_ASSERT_EQUAL_INT64(-3, is.s.lo);
    TEST_ASSERT_EQUAL_INT64(5, is.s.hi);
    ranges_narrow(&ranges, term_op2(&ts, OP_ULT, v, term_int(&ts, 8, 128)), true, v, &is);
    TEST_ASSERT_EQUAL_INT64(0, is.s.lo);
    TEST_ASSERT_EQUAL_INT64(5, is.u.hi);
}

/* A comparison of (double)x bounds x, and a square root has the bounds of what it is taken of. */
static void test_floats_through_one_operator(void) {
    term_t x = term_var(&ts, "x", SORT_F32, true);
    term_t wide = term_cast(&ts, OP_F2F, SORT_F64, x);
    struct views is = ranges_at(&ranges, x);
    ranges_narrow(&ranges, term_op2(&ts, OP_FLE, wide, term_f64(&ts, 4.1)), true, x, &is);
    TEST_ASSERT_FALSE(is.u.nan);
    TEST_ASSERT_EQUAL_INT64(ordinal_of(SORT_F32, false, f32_bits(4.1F)), is.u.hi);
    ranges_narrow(&ranges, term_op2(&ts, OP_FLE, term_f64(&ts, 1), wide), true, x, &is);
    struct views root = ranges_of_node(&ranges, term_op1(&ts, OP_FSQRT, x), &is);
    TEST_ASSERT_EQUAL_INT64(ordinal_of(SORT_F32, false, f32_bits(1.0F)), root.u.lo);
    TEST_ASSERT_FALSE(root.u.nan);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_no_value_is_lost);
    RUN_TEST(test_both_views_are_kept);
    RUN_TEST(test_floats_through_one_operator);
    return UNITY_END();
}
