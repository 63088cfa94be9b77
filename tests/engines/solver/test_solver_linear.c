/* Linear forms lose no solution: random expressions with repeated variables are evaluated at random
 * points, boxes of every width are drawn around the values, and no form may cut the point off. And
 * they are worth it: means and rate limits are bounded as tightly as their text promises. */
#include "base/rng.h"
#include "engines/solver/relations/linear.h"
#include "engines/solver/vars.h"
#include "model/term/eval.h"

#include "unity.h"

#include <math.h>

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

VEC_STRUCT(pool, term_t);

static term_t pick(const struct pool *pool) {
    return pool->data[rng_below(&rng, pool->len)];
}

static double random_factor(void) {
    static const double factors[] = {0.3, -0.5, 2, 1, 0.999, -3, 1e-3, 7, 100, 0.1};
    return factors[rng_below(&rng, sizeof factors / sizeof *factors)];
}

static term_t random_float_term(sort_t sort, const struct pool *pool, term_t condition) {
    double k = random_factor();
    term_t c = sort == SORT_F32 ? term_f32(&ts, (float)k) : term_f64(&ts, k);
    switch (rng_below(&rng, 8)) {
    case 0:
        return term_op2(&ts, OP_FMUL, pick(pool), c);
    case 1:
        return term_op2(&ts, OP_FDIV, pick(pool), c);
    case 2:
        return term_op2(&ts, OP_FADD, pick(pool), c);
    case 3:
        return term_ite(&ts, condition, pick(pool), pick(pool));
    case 4:
    case 5:
        return term_op2(&ts, OP_FADD, pick(pool), pick(pool));
    default:
        return term_op2(&ts, OP_FSUB, pick(pool), pick(pool));
    }
}

static term_t random_int_term(sort_t sort, const struct pool *pool, term_t condition) {
    static const enum op scaling[] = {OP_MUL, OP_SHL, OP_ASHR, OP_LSHR, OP_UDIV, OP_SDIV};
    term_t c = term_int(&ts, sort, 1 + (int64_t)rng_below(&rng, 7));
    switch (rng_below(&rng, 9)) {
    case 0:
    case 1:
        return term_op2(&ts, scaling[rng_below(&rng, 6)], pick(pool), c);
    case 8: {
        sort_t real = rng_below(&rng, 2) ? SORT_F32 : SORT_F64;
        term_t x = term_cast(&ts, rng_below(&rng, 2) ? OP_S2F : OP_U2F, real, pick(pool));
        return term_cast(&ts, rng_below(&rng, 2) ? OP_F2S : OP_F2U, sort, x);
    }
    case 2:
        return term_cast(&ts, OP_TRUNC, sort,
                         term_cast(&ts, OP_SEXT, (sort_t)(sort + 9), pick(pool)));
    case 3:
        return term_ite(&ts, condition, pick(pool), pick(pool));
    case 4:
    case 5:
        return term_op2(&ts, OP_ADD, pick(pool), pick(pool));
    default:
        return term_op2(&ts, OP_SUB, pick(pool), pick(pool));
    }
}

static uint64_t random_value(sort_t sort) {
    if (sort == SORT_BOOL)
        return rng_below(&rng, 2);
    if (sort_is_int(sort))
        return rng_next(&rng) & (~(uint64_t)0 >> (64 - sort)) & (rng_next(&rng) | rng_next(&rng));
    double x = ldexp(rng_unit(&rng) - 0.5, (int)rng_below(&rng, rng_below(&rng, 5) ? 12 : 120));
    return sort == SORT_F32 ? f32_bits((float)x) : f64_bits(x);
}

/* A box around a value: a point, a few neighbours, or reaching far. */
static struct range box_around(sort_t sort, bool is_signed, uint64_t bits) {
    struct range r = range_of_bits(sort, is_signed, bits), all = range_numbers(sort, is_signed);
    if (!r.num)
        return range_full(sort, is_signed);
    uint64_t most = rng_below(&rng, 3) ? 8 : (uint64_t)1 << rng_below(&rng, 55);
    int64_t below = (int64_t)rng_below(&rng, most), above = (int64_t)rng_below(&rng, most);
    r.lo = r.lo > all.lo + below ? r.lo - below : all.lo;
    r.hi = r.hi < all.hi - above ? r.hi + above : all.hi;
    return r;
}

static void check_forms(const uint64_t *values, const term_t *term_of) {
    for (size_t i = 0; i < s->linears.len; i++) {
        const struct linear *f = s->linears.data[i];
        struct range r[MAX_OPERANDS], exact[MAX_OPERANDS], out;
        for (int k = 0; k < linear_operands(f); k++) {
            svar v = f->var[k];
            TEST_ASSERT_TRUE(term_of[v] != 0);
            bool is_signed = solver_is_signed(s, v);
            exact[k] = range_of_bits(solver_sort(s, v), is_signed, values[term_of[v]]);
            r[k] = box_around(solver_sort(s, v), is_signed, values[term_of[v]]);
        }
        for (int k = 0; k <= f->n_leaves; k++) {
            linear_contract(s, f, r, k, &out);
            TEST_ASSERT_TRUE_MESSAGE(range_inside(exact[k], out), "a form cut off a solution");
        }
    }
}

static void check_expression(sort_t sort) {
    struct pool pool = {0};
    term_t *term_of;
    term_t condition = term_var(&ts, "c", SORT_BOOL, false);
    for (int i = 0; i < 3; i++)
        vec_push(&pool, term_var(&ts, "x", sort, rng_below(&rng, 2)));
    for (int i = 0; i < 8; i++) {
        term_t t = sort_is_float(sort) ? random_float_term(sort, &pool, condition)
                                       : random_int_term(sort, &pool, condition);
        vec_push(&pool, t);
        if (i > 2)
            solver_encode(s, frame, t);
    }
    solver_encode(s, frame, condition);
    term_of = mem_zalloc((size_t)s->n_vars + 1, sizeof *term_of);
    for (term_t t = 1; t < ts.nodes.len; t++)
        if (solver_encoded(frame, t))
            term_of[solver_encoded(frame, t)] = t;
    uint64_t *values = mem_zalloc(ts.nodes.len, sizeof *values), vars[4];
    vec_push(&pool, condition);
    for (int i = 0; i < 50; i++) {
        for (size_t v = 0; v < ts.vars.len; v++)
            vars[v] = random_value(ts.vars.data[v].sort);
        term_eval(&ts, pool.data, pool.len, vars, values);
        check_forms(values, term_of);
    }
    mem_free(values);
    mem_free(term_of);
    vec_free(&pool);
}

static void test_no_solution_is_lost(void) {
    static const sort_t sorts[] = {SORT_F32, SORT_F64, 8, 16, 32, 40};
    size_t forms = 0;
    rng_init(&rng, 7);
    for (int i = 0; i < 3000; i++) {
        check_expression(sorts[i % 6]);
        forms += s->linears.len;
        tearDown();
        setUp();
    }
    TEST_ASSERT_TRUE(forms > 3000);
}

static svar input(sort_t sort, const char *name, int64_t lo, int64_t hi, term_t *t) {
    *t = term_var(&ts, name, sort, true);
    svar v = solver_encode(s, frame, *t);
    if (solver_nan(s, v))
        solver_add_clause(s, (struct slit[]){slit_false(solver_nan(s, v))}, 1);
    solver_add_clause(s, (struct slit[]){slit_ge(v, lo)}, 1);
    solver_add_clause(s, (struct slit[]){slit_le(v, hi)}, 1);
    return v;
}

static int64_t f32_ordinal(double x) {
    return ordinal_of(SORT_F32, true, f32_bits((float)x));
}

static double f32_max(svar v) {
    return (double)bits_f32(ordinal_bits(SORT_F32, true, solver_max(s, v)));
}

static void test_a_mean_stays_between(void) {
    term_t x, u;
    input(SORT_F32, "x", f32_ordinal(0), f32_ordinal(10), &x);
    input(SORT_F32, "u", f32_ordinal(0), f32_ordinal(10), &u);
    term_t step = term_op2(&ts, OP_FMUL, term_f32(&ts, 0.25f), term_op2(&ts, OP_FSUB, u, x));
    svar next = solver_encode(s, frame, term_op2(&ts, OP_FADD, x, step));
    TEST_ASSERT_TRUE(f32_max(next) >= 10 && f32_max(next) < 10.00001);
}

static void test_a_step_is_bounded_whatever_it_starts_from(void) {
    term_t x, d;
    int64_t inf = ordinal_max(SORT_F32, true);
    input(SORT_F32, "x", -inf, inf - 1, &x);
    input(SORT_F32, "d", f32_ordinal(0), f32_ordinal(0.25), &d);
    term_t moved = term_op2(&ts, OP_FADD, x, d);
    svar by = solver_encode(s, frame, term_op2(&ts, OP_FSUB, moved, x));
    TEST_ASSERT_EQUAL_DOUBLE(0.5, f32_max(by));
}

static void test_a_fixed_point_mean_stays_between(void) {
    term_t x, u;
    input(32, "x", 0, 1000, &x);
    input(32, "u", 0, 1000, &u);
    term_t diff = term_op2(&ts, OP_SUB, u, x);
    term_t part = term_op2(&ts, OP_ASHR, diff, term_int(&ts, 32, 3));
    svar next = solver_encode(s, frame, term_op2(&ts, OP_ADD, x, part));
    TEST_ASSERT_EQUAL_INT64(1000, solver_max(s, next));
    TEST_ASSERT_EQUAL_INT64(0, solver_min(s, next));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_no_solution_is_lost);
    RUN_TEST(test_a_mean_stays_between);
    RUN_TEST(test_a_step_is_bounded_whatever_it_starts_from);
    RUN_TEST(test_a_fixed_point_mean_stays_between);
    return UNITY_END();
}
