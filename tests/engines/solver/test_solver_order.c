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
    RUN_TEST(test_a_mean_lies_between);
    RUN_TEST(test_the_sign_of_a_difference_is_a_comparison);
    return UNITY_END();
}
