/* What comparisons, differences, means and quotients say together loses no solution: planted
 * values, equal ones, infinities, NaN and subnormal numbers most of all, with their boxes and some
 * of the results fixed, are found again. And it is worth it: a fraction of a distance is at most 1,
 * a mean lies between. */
#include "base/mem.h"
#include "base/rng.h"
#include "engines/solver/solver.h"
#include "model/term/eval.h"
#include "model/term/range.h"

#include "unity.h"

#include <math.h>

enum { INPUTS = 4, MAX_TERMS = 24 };

static struct terms ts;
static struct solver *s;
static struct frame *frame;
static struct rng rng;

void setUp(void) {
    terms_init(&ts);
    s = solver_new(&(struct solver_options){.seed = 1});
    frame = solver_frame_new(s, &ts);
}
void tearDown(void) {
    solver_free(s);
    terms_free(&ts);
}
static void again(void) {
    tearDown();
    setUp();
}

static uint64_t random_bits(sort_t sort) {
    static const double values[] = {
        0,        -0.0,    1,        -1,        0x1p-149, -0x1p-149,    1.5,
        0.1,      100,     INFINITY, -INFINITY, NAN,      0x1.000002p0, 0x1.0000000000001p0,
        0x1p-126, 0x1p127, 0x1p1023, -0x1p127,  -0x1p1023};
    double x = values[rng_below(&rng, sizeof values / sizeof *values)];
    if (rng_below(&rng, 3) == 0)
        x = ldexp(rng_unit(&rng) - 0.5, (int)rng_below(&rng, 8));
    return sort == SORT_F32 ? f32_bits((float)x) : f64_bits(x);
}

static term_t pick(const term_t *from, size_t n) {
    return from[rng_below(&rng, n)];
}

static term_t mean_of(term_t x, term_t y, bool divided) {
    double by = divided ? 2 : 0.5;
    term_t sum = term_op2(&ts, OP_FADD, x, y);
    bool single = term_sort(&ts, x) == SORT_F32;
    return term_op2(&ts, divided ? OP_FDIV : OP_FMUL, sum,
                    single ? term_f32(&ts, (float)by) : term_f64(&ts, by));
}

static term_t random_term(const term_t *inputs) {
    static const enum op ops[] = {OP_FLT, OP_FLE, OP_FEQ, OP_FSUB, OP_FMUL, OP_FMUL, OP_FDIV};
    enum op op = ops[rng_below(&rng, sizeof ops / sizeof *ops)];
    term_t x = pick(inputs, INPUTS), y = pick(inputs, INPUTS), c = pick(inputs, INPUTS);
    if (op == OP_FSUB && rng_below(&rng, 2)) /* a mean beside one of them */
        return term_op2(&ts, rng_below(&rng, 2) ? OP_FLT : OP_FLE,
                        mean_of(x, y, rng_below(&rng, 2)), rng_below(&rng, 2) ? x : c);
    if (op == OP_FDIV && rng_below(&rng, 2))
        return term_op2(&ts, op, x, y);
    if (op == OP_FDIV)
        return term_op2(&ts, op, term_op2(&ts, OP_FSUB, x, c), term_op2(&ts, OP_FSUB, y, c));
    if (op == OP_FMUL) /* a part of x beside x */
        return term_op2(&ts, rng_below(&rng, 2) ? OP_FLT : OP_FLE, term_op2(&ts, op, x, y), c);
    return term_op2(&ts, op, x, y);
}

/* v is this value, or a few neighbours of it. */
static void fix(svar v, uint64_t bits, int64_t slack) {
    sort_t sort = solver_sort(s, v);
    svar nan = solver_nan(s, v);
    struct range r = range_of_bits(sort, true, bits), all = range_numbers(sort, true);
    if (nan)
        solver_add_clause(s, (struct slit[]){r.nan ? slit_true(nan) : slit_false(nan)}, 1);
    if (!r.num)
        return;
    r.lo = r.lo - slack < all.lo ? all.lo : r.lo - slack;
    r.hi = r.hi + slack > all.hi ? all.hi : r.hi + slack;
    solver_add_clause(s, (struct slit[]){slit_ge(v, r.lo)}, 1);
    solver_add_clause(s, (struct slit[]){slit_le(v, r.hi)}, 1);
}

static void plant(sort_t sort) {
    term_t inputs[INPUTS], all[MAX_TERMS];
    uint64_t vars[INPUTS];
    size_t n = 6 + rng_below(&rng, MAX_TERMS - 6);
    for (int i = 0; i < INPUTS; i++) {
        inputs[i] = term_var(&ts, "x", sort, true);
        vars[i] = i && rng_below(&rng, 3) == 0 ? vars[i - 1] : random_bits(sort);
    }
    for (size_t i = 0; i < n; i++) {
        all[i] = random_term(inputs);
        solver_encode(s, frame, all[i]);
    }
    uint64_t *values = mem_zalloc(ts.nodes.len, sizeof *values);
    term_eval(&ts, all, n, vars, values);
    for (size_t i = 0; i < n; i++)
        if (rng_below(&rng, 2))
            fix(solver_encode(s, frame, all[i]), values[all[i]], 0);
    for (int i = 0; i < INPUTS; i++)
        fix(solver_encode(s, frame, inputs[i]), vars[i], (int64_t)rng_below(&rng, 3));
    TEST_ASSERT_EQUAL_INT_MESSAGE(SOLVER_SAT, solver_solve(s, NULL, 0, 0), "a solution was lost");
    mem_free(values);
    again();
}

static void test_planted_solutions_are_found(void) {
    rng_init(&rng, 5);
    for (int i = 0; i < 20000; i++)
        plant(i % 2 ? SORT_F32 : SORT_F64);
}

static struct slit is_true(term_t t) {
    return slit_true(solver_encode(s, frame, t));
}

static void test_a_fraction_of_a_distance_is_at_most_one(void) {
    term_t x = term_var(&ts, "x", SORT_F32, true), x0 = term_var(&ts, "x0", SORT_F32, true);
    term_t x1 = term_var(&ts, "x1", SORT_F32, true);
    term_t part =
        term_op2(&ts, OP_FDIV, term_op2(&ts, OP_FSUB, x, x0), term_op2(&ts, OP_FSUB, x1, x0));
    struct slit within[] = {is_true(term_op2(&ts, OP_FLT, x0, x)),
                            is_true(term_op2(&ts, OP_FLT, x, x1)),
                            is_true(term_op2(&ts, OP_FLT, term_f32(&ts, 1), part))};
    TEST_ASSERT_EQUAL_INT(SOLVER_UNSAT, solver_solve(s, within, 3, 100000));
    within[2] = is_true(term_op2(&ts, OP_FLT, part, term_f32(&ts, 0)));
    TEST_ASSERT_EQUAL_INT(SOLVER_UNSAT, solver_solve(s, within, 3, 100000));
    within[2] = is_true(term_op2(&ts, OP_FEQ, part, term_f32(&ts, 1)));
    TEST_ASSERT_EQUAL_INT(SOLVER_SAT, solver_solve(s, within, 3, 0));
}

/* The same of whole numbers that were converted; not the other way round. */
static void test_a_share_is_at_most_one(void) {
    term_t good = term_var(&ts, "good", 16, false), all = term_var(&ts, "all", 16, false);
    term_t share = term_op2(&ts, OP_FDIV, term_cast(&ts, OP_U2F, SORT_F32, good),
                            term_cast(&ts, OP_U2F, SORT_F32, all));
    term_t some = term_op2(&ts, OP_ULT, term_int(&ts, 16, 0), all);
    struct slit lits[] = {is_true(some), is_true(term_op2(&ts, OP_FLT, term_f32(&ts, 1), share)),
                          is_true(term_op2(&ts, OP_ULE, good, all))};
    TEST_ASSERT_EQUAL_INT(SOLVER_UNSAT, solver_solve(s, lits, 3, 20000));
    lits[2] = is_true(term_op2(&ts, OP_ULT, all, good));
    TEST_ASSERT_EQUAL_INT(SOLVER_SAT, solver_solve(s, lits, 3, 0));
}

/* Two counters that keep their order count on together, with 32 bits in between. */
static void test_counters_keep_their_order(void) {
    term_t x = term_var(&ts, "x", 16, false), y = term_var(&ts, "y", 16, false);
    term_t one = term_int(&ts, 32, 1), next[2] = {x, y};
    for (int i = 0; i < 2; i++) {
        next[i] = term_op2(&ts, OP_ADD, term_cast(&ts, OP_ZEXT, 32, next[i]), one);
        next[i] = term_cast(&ts, OP_TRUNC, 16, next[i]);
    }
    term_t top = term_int(&ts, 16, 60000);
    struct slit lits[] = {is_true(term_op2(&ts, OP_ULE, x, y)),
                          is_true(term_op2(&ts, OP_ULT, next[1], next[0])),
                          is_true(term_op2(&ts, OP_ULT, y, top))};
    TEST_ASSERT_EQUAL_INT(SOLVER_UNSAT, solver_solve(s, lits, 3, 20000));
    TEST_ASSERT_EQUAL_INT(SOLVER_SAT, solver_solve(s, lits, 2, 0)); /* y wraps */
}

/* The same where bounds are signed and comparisons are not. */
static void test_counters_keep_their_order_across_signs(void) {
    term_t i = term_var(&ts, "i", 32, true), k = term_var(&ts, "k", 32, false);
    term_t next = term_op2(&ts, OP_ADD, i, term_int(&ts, 32, 1)), zero = term_int(&ts, 32, 0);
    struct slit lits[] = {
        is_true(term_op2(&ts, OP_ULE, i, k)), is_true(term_op2(&ts, OP_ULT, k, next)),
        is_true(term_op1(&ts, OP_NOT, term_eq(&ts, i, k))), is_true(term_op2(&ts, OP_SLE, zero, i)),
        is_true(term_op2(&ts, OP_SLT, i, term_int(&ts, 32, 1000000)))};
    TEST_ASSERT_EQUAL_INT(SOLVER_UNSAT, solver_solve(s, lits, 5, 20000));
    lits[2] = is_true(term_eq(&ts, i, k));
    TEST_ASSERT_EQUAL_INT(SOLVER_SAT, solver_solve(s, lits, 5, 0));
}

/* The same where the place is of 64 bits, and the counter of 32. */
static void test_counters_keep_their_order_when_widened(void) {
    term_t i = term_var(&ts, "i", 32, true), k = term_var(&ts, "k", 64, true);
    term_t next = term_op2(&ts, OP_ADD, i, term_int(&ts, 32, 1));
    term_t wide = term_cast(&ts, OP_SEXT, 64, i);
    struct slit lits[] = {is_true(term_op2(&ts, OP_SLE, wide, k)),
                          is_true(term_op2(&ts, OP_SLT, k, term_cast(&ts, OP_SEXT, 64, next))),
                          is_true(term_op1(&ts, OP_NOT, term_eq(&ts, wide, k))),
                          is_true(term_op2(&ts, OP_SLT, i, term_int(&ts, 32, 1000000)))};
    TEST_ASSERT_EQUAL_INT(SOLVER_UNSAT, solver_solve(s, lits, 4, 20000));
    lits[2] = is_true(term_eq(&ts, wide, k));
    TEST_ASSERT_EQUAL_INT(SOLVER_SAT, solver_solve(s, lits, 4, 0));
}

/* From 2^63 on, numbers of 64 bits are negative ones as signed. */
static void test_large_numbers_are_negative_ones(void) {
    term_t x = term_var(&ts, "x", 64, false), y = term_var(&ts, "y", 64, true);
    term_t large = term_op2(&ts, OP_BOR, x, term_int(&ts, 64, INT64_MIN));
    term_t small = term_op2(&ts, OP_BAND, y, term_int(&ts, 64, 7));
    for (int i = 0; i < 4; i++) { /* mostly asked as what they are declared as */
        is_true(term_op2(&ts, OP_ULT, term_op2(&ts, OP_ADD, x, term_int(&ts, 64, i)), large));
        is_true(term_op2(&ts, OP_SLT, term_op2(&ts, OP_ADD, y, term_int(&ts, 64, i)), small));
    }
    term_t between = term_var(&ts, "s", 64, true), above = term_var(&ts, "u", 64, false);
    struct slit lits[] = {is_true(term_op2(&ts, OP_SLT, large, between)),
                          is_true(term_op2(&ts, OP_SLT, between, small)),
                          is_true(term_op2(&ts, OP_ULT, small, above)),
                          is_true(term_op2(&ts, OP_ULT, above, large))};
    TEST_ASSERT_EQUAL_INT(SOLVER_SAT, solver_solve(s, lits, 4, 0));
}

/* ---- planted integers ---- */

static uint64_t random_int(sort_t width) {
    static const uint64_t values[] = {0,    1,          2,          0x7f,      0x80,
                                      0xff, 0x7fffffff, 0x80000000, 0xffffffff};
    uint64_t x = values[rng_below(&rng, sizeof values / sizeof *values)] + rng_below(&rng, 3) - 1;
    if (rng_below(&rng, 3) == 0)
        x = (rng_below(&rng, 2) ? (uint64_t)1 << 63 : UINT64_MAX) - rng_below(&rng, 2);
    return width == 64 ? x : x & (((uint64_t)1 << width) - 1);
}

static term_t random_int_term(const term_t *from, size_t n) {
    static const enum op ops[] = {OP_ADD, OP_SUB, OP_BAND, OP_BOR, OP_SEXT, OP_ZEXT, OP_TRUNC,
                                  OP_EQ,  OP_SLT, OP_SLE,  OP_ULT, OP_ULE,  OP_ULT,  OP_SLT};
    static const sort_t widths[] = {8, 32, 64};
    enum op op = ops[rng_below(&rng, sizeof ops / sizeof *ops)];
    term_t x = pick(from, n), y = pick(from, n);
    sort_t sort = term_sort(&ts, x);
    while (op == OP_SEXT || op == OP_ZEXT || op == OP_TRUNC) {
        sort_t to = widths[rng_below(&rng, 3)];
        if (op == OP_TRUNC ? to < sort : to > sort)
            return term_cast(&ts, op, to, x);
        op = sort == 8 ? OP_ZEXT : sort == 64 ? OP_TRUNC : op;
    }
    if (term_sort(&ts, y) != sort || rng_below(&rng, 4) == 0)
        y = term_int(&ts, sort, (int64_t)random_int(sort));
    return term_op2(&ts, op, x, y);
}

/* Integers of several widths, with signs and without; results are operands again. */
static void plant_integers(void) {
    term_t numbers[INPUTS + MAX_TERMS], all[MAX_TERMS];
    uint64_t vars[INPUTS];
    size_t n = 6 + rng_below(&rng, MAX_TERMS - 6), n_numbers = INPUTS;
    for (int i = 0; i < INPUTS; i++) {
        sort_t width = (sort_t[]){8, 32, 64}[rng_below(&rng, 3)];
        numbers[i] = term_var(&ts, "x", width, rng_below(&rng, 2));
        vars[i] = random_int(width);
    }
    for (size_t i = 0; i < n; i++) {
        all[i] = random_int_term(numbers, n_numbers);
        solver_encode(s, frame, all[i]);
        if (term_sort(&ts, all[i]) != SORT_BOOL && !term_is_const(&ts, all[i]))
            numbers[n_numbers++] = all[i];
    }
    uint64_t *values = mem_zalloc(ts.nodes.len, sizeof *values);
    term_eval(&ts, all, n, vars, values);
    struct slit lits[MAX_TERMS];
    size_t n_lits = 0;
    for (size_t i = 0; i < n; i++)
        if (term_sort(&ts, all[i]) == SORT_BOOL && !term_is_const(&ts, all[i]))
            lits[n_lits++] = is_true(values[all[i]] ? all[i] : term_op1(&ts, OP_NOT, all[i]));
    for (int i = 0; i < INPUTS && rng_below(&rng, 4); i++) {
        term_t value = term_int(&ts, term_sort(&ts, numbers[i]), (int64_t)vars[i]);
        solver_add_clause(s, (struct slit[]){is_true(term_eq(&ts, numbers[i], value))}, 1);
    }
    enum solver_result answer = solver_solve(s, lits, n_lits, 20000);
    TEST_ASSERT_TRUE_MESSAGE(answer != SOLVER_UNSAT, "a solution was lost");
    mem_free(values);
    again();
}

static void test_planted_integers_are_not_lost(void) {
    rng_init(&rng, 7);
    for (int i = 0; i < 5000; i++)
        plant_integers();
}

/* The mean of two numbers lies between them, unless their sum overflows. */
static void test_a_mean_lies_between(void) {
    for (int divided = 0; divided < 2; divided++) {
        term_t x = term_var(&ts, "x", SORT_F32, true), y = term_var(&ts, "y", SORT_F32, true);
        term_t mean = mean_of(x, y, divided), most = term_f32(&ts, 0x1p126F);
        struct slit lits[] = {is_true(term_op2(&ts, OP_FLE, x, y)),
                              is_true(term_op2(&ts, OP_FLT, y, mean)),
                              is_true(term_op2(&ts, OP_FLE, y, most))};
        TEST_ASSERT_EQUAL_INT(SOLVER_UNSAT, solver_solve(s, lits, 3, 20000));
        TEST_ASSERT_EQUAL_INT(SOLVER_SAT, solver_solve(s, lits, 2, 0)); /* infinite */
        lits[1] = is_true(term_op2(&ts, OP_FLT, mean, x));
        lits[2] = is_true(term_op2(&ts, OP_FLE, term_f32(&ts, -1), x));
        TEST_ASSERT_EQUAL_INT(SOLVER_UNSAT, solver_solve(s, lits, 3, 20000));
        lits[1] = is_true(term_op2(&ts, OP_FLT, x, mean));
        TEST_ASSERT_EQUAL_INT(SOLVER_SAT, solver_solve(s, lits, 3, 0));
        again();
    }
}

static void test_the_sign_of_a_difference_is_a_comparison(void) {
    term_t x = term_var(&ts, "x", SORT_F64, true), y = term_var(&ts, "y", SORT_F64, true);
    term_t zero = term_f64(&ts, 0), d = term_op2(&ts, OP_FSUB, x, y);
    struct slit lits[] = {is_true(term_op2(&ts, OP_FLT, y, x)),
                          is_true(term_op2(&ts, OP_FLE, d, zero))};
    TEST_ASSERT_EQUAL_INT(SOLVER_UNSAT, solver_solve(s, lits, 2, 10000));
    lits[1] = is_true(term_op2(&ts, OP_FLT, zero, d));
    TEST_ASSERT_EQUAL_INT(SOLVER_SAT, solver_solve(s, lits, 2, 0));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_planted_solutions_are_found);
    RUN_TEST(test_a_fraction_of_a_distance_is_at_most_one);
    RUN_TEST(test_a_share_is_at_most_one);
    RUN_TEST(test_counters_keep_their_order);
    RUN_TEST(test_counters_keep_their_order_across_signs);
    RUN_TEST(test_counters_keep_their_order_when_widened);
    RUN_TEST(test_large_numbers_are_negative_ones);
    RUN_TEST(test_planted_integers_are_not_lost);
    RUN_TEST(test_a_mean_lies_between);
    RUN_TEST(test_the_sign_of_a_difference_is_a_comparison);
    return UNITY_END();
}
