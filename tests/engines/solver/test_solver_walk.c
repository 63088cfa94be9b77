/* Local search inside the solver: it finds points that splitting boxes does not come by within the
 * same effort, and what it finds is a model, or it is not used. */
#include "base/rng.h"
#include "engines/solver/core.h"
#include "model/term/eval.h"

#include "unity.h"

#include <stdio.h>

enum { N_VARS = 4, DEGREE = 6, NEVER = INT32_MAX };

void setUp(void) {
}
void tearDown(void) {
}

struct question {
    struct terms ts;
    struct solver *s;
    struct frame *frame;
    struct rng rng;
    term_t vars[N_VARS], sum;
};

static term_t polynomial(struct question *q, term_t x) {
    term_t t = term_f64(&q->ts, 0);
    for (int i = 0; i <= DEGREE; i++) {
        term_t c = term_f64(&q->ts, 2 * rng_unit(&q->rng) - 1);
        t = term_op2(&q->ts, OP_FADD, term_op2(&q->ts, OP_FMUL, t, x), c);
    }
    return t;
}

static void clause(struct question *q, struct slit lit) {
    solver_add_clause(q->s, &lit, 1);
}

static int64_t ordinal(double x) {
    return ordinal_of(SORT_F64, true, f64_bits(x));
}

static double sum_at(const struct question *q, const uint64_t *point) {
    uint64_t *values = mem_zalloc(q->ts.nodes.len, sizeof *values);
    term_eval(&q->ts, &q->sum, 1, point, values);
    double x = bits_f64(values[q->sum]);
    mem_free(values);
    return x;
}

/* Polynomials of different inputs in -1 .. 1 are to add up to more than at the best of many points:
 * each box holds each input several times, and so says little until it is small. */
static void question_open(struct question *q, uint64_t seed, uint32_t walk_first) {
    *q = (struct question){0};
    rng_init(&q->rng, seed);
    terms_init(&q->ts);
    q->s = solver_new(&(struct solver_options){.seed = seed});
    q->s->knobs.walk_first = walk_first;
    q->frame = solver_frame_new(q->s, &q->ts);
    q->sum = term_f64(&q->ts, 0);
    for (int i = 0; i < N_VARS; i++) {
        q->vars[i] = term_var(&q->ts, "x", SORT_F64, true);
        svar v = solver_encode(q->s, q->frame, q->vars[i]);
        clause(q, slit_false(solver_nan(q->s, v)));
        clause(q, slit_ge(v, ordinal(-1)));
        clause(q, slit_le(v, ordinal(1)));
        q->sum = term_op2(&q->ts, OP_FADD, q->sum, polynomial(q, q->vars[i]));
    }
    double best = -1e9;
    for (int i = 0; i < 3000; i++) {
        uint64_t point[N_VARS];
        for (int k = 0; k < N_VARS; k++)
            point[k] = f64_bits(2 * rng_unit(&q->rng) - 1);
        double x = sum_at(q, point);
        best = x > best ? x : best;
    }
    clause(q, slit_ge(solver_encode(q->s, q->frame, q->sum), ordinal(best)));
}

static void check_model(const struct question *q) {
    uint64_t point[N_VARS];
    for (int i = 0; i < N_VARS; i++)
        point[i] = solver_value(q->s, solver_encoded(q->frame, q->vars[i]));
    double sum = bits_f64(solver_value(q->s, solver_encoded(q->frame, q->sum)));
    TEST_ASSERT_EQUAL_DOUBLE(sum, sum_at(q, point));
}

static int answered(uint32_t walk_first, uint64_t effort, uint64_t *ticks) {
    int found = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct question q;
        question_open(&q, seed, walk_first);
        enum solver_result result = solver_solve(q.s, NULL, 0, effort);
        TEST_ASSERT_TRUE(result != SOLVER_UNSAT);
        found += result == SOLVER_SAT;
        if (result == SOLVER_SAT)
            check_model(&q);
        *ticks += solver_stats(q.s)->ticks;
        solver_free(q.s);
        terms_free(&q.ts);
    }
    return found;
}

static void test_points_are_found_and_are_models(void) {
    uint64_t ticks = 0, ticks_without = 0, again = 0;
    int with = answered(0, 200000, &ticks), without = answered(NEVER, 200000, &ticks_without);
    printf("%d of 40 with walks, %d without\n", with, without);
    TEST_ASSERT_TRUE(with > without && with >= 20);
    TEST_ASSERT_EQUAL_INT(with, answered(0, 200000, &again));
    TEST_ASSERT_EQUAL_UINT64(ticks, again);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_points_are_found_and_are_models);
    return UNITY_END();
}
