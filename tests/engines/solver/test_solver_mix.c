/* Mixes lose no solution: means of every spelling are evaluated at random points, weights at and
 * around the ends of the mean most of all, boxes of every width are drawn around the values, and no
 * mix may cut the point off. All means of small subnormal numbers are tried, where every rounding
 * shows. Results grow with their boxes, for explanations depend on it. And they are worth it: what
 * interpolates is bounded by its table. */
#include "base/rng.h"
#include "engines/solver/relations/linear.h"
#include "engines/solver/relations/mix.h"
#include "engines/solver/vars.h"
#include "model/term/eval.h"

#include "unity.h"

#include <math.h>

static struct terms ts;
static struct solver *s;
static struct frame *frame;
static struct rng rng;
static term_t x, y, w, u; /* the operands of means */

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

static term_t real(sort_t sort, double value) {
    return sort == SORT_F32 ? term_f32(&ts, (float)value) : term_f64(&ts, value);
}
static term_t add(term_t a, term_t b) {
    return term_op2(&ts, OP_FADD, a, b);
}
static term_t sub(term_t a, term_t b) {
    return term_op2(&ts, OP_FSUB, a, b);
}
static term_t mul(term_t a, term_t b) {
    return term_op2(&ts, OP_FMUL, a, b);
}

enum { FLOAT_SHAPES = 10, INT_SHAPES = 4 };

static term_t float_mean(sort_t sort, int shape) {
    term_t one = real(sort, 1);
    switch (shape) {
    case 0:
        return add(x, mul(sub(y, x), w));
    case 1:
        return sub(x, mul(w, sub(x, y)));
    case 2:
        return add(mul(x, sub(one, w)), mul(y, w));
    case 3:
        return add(mul(mul(sub(y, x), w), real(sort, 0.01)), x);
    case 4:
        return sub(add(x, mul(sub(y, x), w)), u);
    case 5:
        return mul(add(mul(sub(real(sort, 8), w), x), mul(w, y)), real(sort, 0.125));
    case 6: /* between two means */
        return add(add(x, mul(sub(y, x), w)), mul(sub(u, add(x, mul(sub(y, x), w))), w));
    case 7:
        return add(x, term_op2(&ts, OP_FDIV, mul(sub(add(y, u), x), w), real(sort, 3)));
    case 8: /* the ends are numbers */
        return add(mul(real(sort, 7.3), sub(one, w)), mul(x, w));
    default:
        return sub(mul(x, w), mul(sub(w, real(sort, 1.0 / 3)), sub(y, x)));
    }
}

/* x and y are 16 bits wide, w as well, and the mean is taken in 32 bits. */
static term_t int_mean(int shape) {
    enum op extend = shape & 1 ? OP_ZEXT : OP_SEXT;
    term_t a = term_cast(&ts, extend, 32, x), b = term_cast(&ts, extend, 32, y);
    term_t product =
        term_op2(&ts, OP_MUL, term_op2(&ts, OP_SUB, b, a), term_cast(&ts, OP_ZEXT, 32, w));
    term_t eight = term_int(&ts, 32, 8);
    if (shape == 0) {
        term_t rest = term_op2(&ts, OP_SUB, term_int(&ts, 32, 256), term_cast(&ts, OP_ZEXT, 32, w));
        term_t both = term_op2(&ts, OP_ADD, term_op2(&ts, OP_MUL, a, rest),
                               term_op2(&ts, OP_MUL, b, term_cast(&ts, OP_ZEXT, 32, w)));
        return term_op2(&ts, OP_ASHR, both, eight);
    }
    term_t part = term_op2(&ts, OP_ASHR, product, eight);
    if (shape == 2)
        part = term_op2(&ts, OP_SDIV, product, term_int(&ts, 32, 200));
    if (shape == 3)
        part = term_cast(&ts, OP_SEXT, 32, term_cast(&ts, OP_TRUNC, 16, part));
    return term_op2(&ts, OP_ADD, a, part);
}

static term_t mean_of(sort_t sort, int shape) {
    x = term_var(&ts, "x", sort, true);
    y = term_var(&ts, "y", sort, true);
    w = term_var(&ts, "w", sort, !sort_is_int(sort));
    u = term_var(&ts, "u", sort, true);
    return sort_is_int(sort) ? int_mean(shape % INT_SHAPES) : float_mean(sort, shape);
}

static uint64_t bits_of(sort_t sort, double value) {
    return sort == SORT_F32 ? f32_bits((float)value) : f64_bits(value);
}

static double random_weight(int shape) {
    static const double ends[] = {0, 1, 0.25, 0.5, 0.015625, 0.984375, -0.125, 1.25};
    double weight = rng_below(&rng, 2) ? ends[rng_below(&rng, 8)] : rng_unit(&rng);
    if (rng_below(&rng, 4) == 0)
        weight = nextafter(weight, rng_below(&rng, 2) ? -1 : 2);
    return weight * (shape == 3 ? 100 : shape == 5 ? 8 : shape == 7 ? 3 : 1);
}

static uint64_t random_bits(sort_t sort, int shape, bool weight) {
    if (sort_is_int(sort) && weight)
        return rng_below(&rng, 4) ? rng_below(&rng, 258) : 256 * rng_below(&rng, 2);
    if (sort_is_int(sort))
        return rng_next(&rng) & 0xffff & (rng_next(&rng) | rng_next(&rng));
    if (weight)
        return bits_of(sort, random_weight(shape));
    int scale = (int)rng_below(&rng, 8);
    double value = 2 * rng_unit(&rng) - 1;
    if (scale == 0) /* subnormal */
        return bits_of(sort, ldexp(value, sort == SORT_F32 ? -145 : -1068));
    if (scale == 1)
        return bits_of(sort, ldexp(value, sort == SORT_F32 ? 127 : 1023));
    return bits_of(sort, ldexp(value, scale));
}

/* A box around a value: often a point, else a few neighbours, or reaching far. */
static struct range box_around(sort_t sort, bool is_signed, struct range r) {
    struct range all = range_numbers(sort, is_signed);
    if (!r.num)
        return range_full(sort, is_signed);
    if (rng_below(&rng, 2))
        return r;
    uint64_t most = rng_below(&rng, 3) ? 8 : (uint64_t)1 << rng_below(&rng, 55);
    int64_t below = (int64_t)rng_below(&rng, most), above = (int64_t)rng_below(&rng, most);
    r.lo = r.lo > all.lo + below ? r.lo - below : all.lo;
    r.hi = r.hi < all.hi - above ? r.hi + above : all.hi;
    return r;
}

static struct range value_range(const uint64_t *values, svar v) {
    for (term_t t = 1; t < ts.nodes.len; t++)
        if (solver_encoded(frame, t) == v)
            return range_of_bits(solver_sort(s, v), solver_is_signed(s, v), values[t]);
    TEST_FAIL_MESSAGE("an operand is no term");
    return range_empty();
}

/* The value stays in, and a box inside another one gives no wider result. */
static int check_mixes(const uint64_t *values) {
    int narrowed = 0;
    for (size_t i = 0; i < s->mixes.len; i++) {
        const struct mix *mix = s->mixes.data[i];
        struct range r[MAX_OPERANDS], wide[MAX_OPERANDS], out, out_wide;
        struct range exact = value_range(values, mix->base.var[0]);
        for (int k = 0; k < mix->n_operands; k++) {
            svar v = mix->base.var[k];
            sort_t sort = solver_sort(s, v);
            r[k] = box_around(sort, solver_is_signed(s, v), value_range(values, v));
            wide[k] = range_join(r[k], box_around(sort, solver_is_signed(s, v), r[k]));
        }
        r[0] =
            range_numbers(solver_sort(s, mix->base.var[0]), solver_is_signed(s, mix->base.var[0]));
        r[0].nan = exact.nan;
        wide[0] = r[0];
        narrowed += mix_contract(s, mix, r, &out);
        TEST_ASSERT_TRUE_MESSAGE(range_inside(exact, out), "a mix cut off a solution");
        mix_contract(s, mix, wide, &out_wide);
        TEST_ASSERT_TRUE_MESSAGE(range_inside(out, out_wide), "a wider box gave a narrower result");
    }
    return narrowed;
}

static void test_no_solution_is_lost(void) {
    static const sort_t sorts[] = {SORT_F32, SORT_F64, 16};
    int mixes = 0, narrowed = 0;
    rng_init(&rng, 11);
    for (int i = 0; i < 120; i++) {
        sort_t sort = sorts[i % 3];
        int shape = i / 3 % FLOAT_SHAPES;
        term_t mean = mean_of(sort, shape);
        solver_encode(s, frame, mean);
        mixes += s->mixes.len > 0;
        uint64_t *values = mem_zalloc(ts.nodes.len, sizeof *values), vars[4];
        for (int point = 0; point < 4000; point++) {
            for (size_t v = 0; v < 4; v++)
                vars[v] = random_bits(sort, shape, ts.vars.data[v].name[0] == 'w');
            term_eval(&ts, &mean, 1, vars, values);
            narrowed += check_mixes(values);
        }
        mem_free(values);
        again();
    }
    TEST_ASSERT_EQUAL_INT(120, mixes);
    TEST_ASSERT_GREATER_THAN_INT(100000, narrowed);
}

/* x, y up to 12 units of the least number, weights in sixteenths: every mean, in the box of all
 * numbers between its ends and weights between two sixteenths. */
static void test_all_means_of_the_least_numbers(void) {
    enum { N = 12, PARTS = 16 };
    for (int shape = 0; shape < 3; shape++) {
        term_t mean = mean_of(SORT_F32, shape);
        svar z = solver_encode(s, frame, mean);
        TEST_ASSERT_TRUE(s->mixes.len > 0 && s->mixes.data[0]->base.var[0] == z);
        const struct mix *mix = s->mixes.data[0];
        uint64_t *values = mem_zalloc(ts.nodes.len, sizeof *values);
        for (int at = 0; at < N * N * (PARTS + 1); at++) {
            uint64_t part = f32_bits((float)(at % (PARTS + 1)) / PARTS);
            uint64_t vars[4] = {(uint64_t)(at / (PARTS + 1) % N), (uint64_t)(at / (PARTS + 1) / N),
                                part, 0};
            struct range r[MAX_OPERANDS], out;
            term_eval(&ts, &mean, 1, vars, values);
            for (int k = 0; k < mix->n_operands; k++)
                r[k] = value_range(values, mix->base.var[k]);
            int64_t exact = r[0].lo;
            r[0] = range_numbers(SORT_F32, true);
            mix_contract(s, mix, r, &out);
            TEST_ASSERT_TRUE_MESSAGE(range_has(out, exact), "a mix cut off a solution");
            TEST_ASSERT_TRUE_MESSAGE(out.hi - out.lo <= N + 4, "a mix says too little");
        }
        mem_free(values);
        again();
    }
}

static int64_t f32_ordinal(double value) {
    return ordinal_of(SORT_F32, true, f32_bits((float)value));
}

static void limit(term_t t, int64_t lo, int64_t hi) {
    svar v = solver_encode(s, frame, t);
    if (solver_nan(s, v))
        solver_add_clause(s, (struct slit[]){slit_false(solver_nan(s, v))}, 1);
    solver_add_clause(s, (struct slit[]){slit_ge(v, lo)}, 1);
    solver_add_clause(s, (struct slit[]){slit_le(v, hi)}, 1);
}

static double f32_of(int64_t ordinal) {
    return (double)bits_f32(ordinal_bits(SORT_F32, true, ordinal));
}

static void test_interpolation_stays_within_its_table(void) {
    for (int shape = 0; shape < 3; shape++) {
        term_t mean = mean_of(SORT_F32, shape);
        limit(x, f32_ordinal(0), f32_ordinal(100));
        limit(y, f32_ordinal(20), f32_ordinal(100));
        limit(w, f32_ordinal(0), f32_ordinal(1));
        svar z = solver_encode(s, frame, mean);
        TEST_ASSERT_EQUAL_INT(SOLVER_SAT, solver_solve(s, NULL, 0, 0));
        TEST_ASSERT_TRUE(f32_of(solver_max(s, z)) >= 100 && f32_of(solver_max(s, z)) < 100.0001);
        TEST_ASSERT_TRUE(f32_of(solver_min(s, z)) <= 0 && f32_of(solver_min(s, z)) > -0.0001);
        again();
    }
}

static void test_fixed_point_stays_within_its_table(void) {
    for (int shape = 0; shape < INT_SHAPES; shape += 2) {
        term_t mean = mean_of(16, shape);
        limit(x, -15000, 20000);
        limit(y, -15000, 20000);
        limit(w, 0, shape == 0 ? 256 : 200);
        svar z = solver_encode(s, frame, mean);
        TEST_ASSERT_EQUAL_INT(SOLVER_SAT, solver_solve(s, NULL, 0, 0));
        TEST_ASSERT_EQUAL_INT64(20000, solver_max(s, z));
        TEST_ASSERT_EQUAL_INT64(-15000, solver_min(s, z));
        again();
    }
}

/* A weight that may be a little too great: the mean may leave its ends by as little. */
static void test_a_weight_beyond_its_end(void) {
    term_t mean = mean_of(SORT_F32, 0);
    limit(x, f32_ordinal(0), f32_ordinal(100));
    limit(y, f32_ordinal(0), f32_ordinal(100));
    limit(w, f32_ordinal(0), f32_ordinal(1.01));
    svar z = solver_encode(s, frame, mean);
    TEST_ASSERT_EQUAL_INT(SOLVER_SAT, solver_solve(s, NULL, 0, 0));
    TEST_ASSERT_TRUE(f32_of(solver_max(s, z)) > 100.9 && f32_of(solver_max(s, z)) < 101.1);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_no_solution_is_lost);
    RUN_TEST(test_all_means_of_the_least_numbers);
    RUN_TEST(test_interpolation_stays_within_its_table);
    RUN_TEST(test_fixed_point_stays_within_its_table);
    RUN_TEST(test_a_weight_beyond_its_end);
    return UNITY_END();
}
