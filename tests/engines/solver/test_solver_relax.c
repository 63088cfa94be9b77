/* Linear programs inside the search. A planted solution is never lost: systems of sums are drawn
 * around a point that was evaluated exactly, with limits at that very value or a few neighbours
 * away, so that a program that is wrong by one rounding answers unsat. And they are worth it:
 * systems that boxes alone do not decide are decided within a small effort. */
#include "base/rng.h"
#include "engines/solver/core.h"
#include "engines/solver/relations/simplex.h"
#include "model/term/eval.h"

#include "unity.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_VARS = 7, MAX_SUMS = 14 };

struct planted {
    struct terms ts;
    struct solver *s;
    struct frame *frame;
    struct rng rng;
    sort_t sort;
    size_t n_vars, n_sums;
    term_t vars[MAX_VARS], sums[MAX_SUMS], choice;
    uint64_t values[MAX_VARS + 1]; /* of the variables, and of `choice` */
};

void setUp(void) {
}
void tearDown(void) {
}

static double draw(struct rng *rng, double most) {
    return most * (2 * rng_unit(rng) - 1);
}

static term_t constant(struct planted *p, double x) {
    if (sort_is_int(p->sort))
        return term_int(&p->ts, p->sort, llround(x));
    return p->sort == SORT_F32 ? term_f32(&p->ts, (float)x) : term_f64(&p->ts, x);
}

static term_t sum_of(struct planted *p) {
    bool ints = sort_is_int(p->sort);
    term_t sum = constant(p, draw(&p->rng, 3));
    for (size_t i = 0; i < p->n_vars; i++) {
        if (rng_below(&p->rng, 4) == 0)
            continue;
        term_t k = constant(p, draw(&p->rng, ints ? 4 : 1));
        term_t part = term_op2(&p->ts, ints ? OP_MUL : OP_FMUL, p->vars[i], k);
        if (rng_below(&p->rng, 6) == 0)
            part = term_ite(&p->ts, p->choice, part, p->vars[i]);
        enum op op = rng_below(&p->rng, 2) ? (ints ? OP_ADD : OP_FADD) : (ints ? OP_SUB : OP_FSUB);
        sum = term_op2(&p->ts, op, sum, part);
    }
    return sum;
}

static void bound(struct planted *p, svar v, int64_t lo, int64_t hi) {
    svar nan = solver_nan(p->s, v);
    if (nan)
        solver_add_clause(p->s, (struct slit[]){slit_false(nan)}, 1);
    solver_add_clause(p->s, (struct slit[]){slit_ge(v, lo)}, 1);
    solver_add_clause(p->s, (struct slit[]){slit_le(v, hi)}, 1);
}

static int64_t ordinal(const struct planted *p, uint64_t bits) {
    return ordinal_of(p->sort, true, bits);
}

static void planted_open(struct planted *p, uint64_t seed, sort_t sort, uint32_t relax_first) {
    *p = (struct planted){.sort = sort};
    rng_init(&p->rng, seed);
    terms_init(&p->ts);
    p->s = solver_new(&(struct solver_options){.seed = seed});
    p->s->knobs.relax_first = relax_first;
    p->frame = solver_frame_new(p->s, &p->ts);
    p->n_vars = 2 + rng_below(&p->rng, MAX_VARS - 1);
    p->n_sums = 2 + rng_below(&p->rng, MAX_SUMS - 1);
    term_t least = constant(p, -10), most = constant(p, 10);
    for (size_t i = 0; i < p->n_vars; i++) {
        p->vars[i] = term_var(&p->ts, "x", sort, true);
        p->values[i] = term_get(&p->ts, constant(p, draw(&p->rng, 10)))->payload;
        bound(p, solver_encode(p->s, p->frame, p->vars[i]),
              ordinal(p, term_get(&p->ts, least)->payload),
              ordinal(p, term_get(&p->ts, most)->payload));
    }
    p->choice = term_var(&p->ts, "c", SORT_BOOL, false);
    p->values[p->n_vars] = rng_below(&p->rng, 2);
    for (size_t i = 0; i < p->n_sums; i++)
        p->sums[i] = sum_of(p);
}

static void planted_close(struct planted *p) {
    solver_free(p->s);
    terms_free(&p->ts);
}

/* One side of each sum stops at its value, or `away` ordinals beyond; others compare two sums. */
static void assert_around(struct planted *p, int64_t away) {
    uint64_t *values = mem_zalloc(p->ts.nodes.len, sizeof *values);
    term_eval(&p->ts, p->sums, p->n_sums, p->values, values);
    for (size_t i = 0; i < p->n_sums; i++) {
        int64_t at = ordinal(p, values[p->sums[i]]);
        size_t k = rng_below(&p->rng, p->n_sums);
        svar v = solver_encode(p->s, p->frame, p->sums[i]);
        if (rng_below(&p->rng, 4) == 0 && k != i) {
            bool below = at <= ordinal(p, values[p->sums[k]]);
            enum op le = sort_is_int(p->sort) ? OP_SLE : OP_FLE;
            svar b =
                solver_encode(p->s, p->frame,
                              term_op2(&p->ts, le, p->sums[below ? i : k], p->sums[below ? k : i]));
            solver_add_clause(p->s, (struct slit[]){slit_true(b)}, 1);
        } else if (!sort_is_float(p->sort) && (at > 1000 || at < -1000)) {
            continue;
        } else if (solver_sort(p->s, v) != SORT_BOOL) {
            bool upper = rng_below(&p->rng, 2);
            solver_add_clause(
                p->s, (struct slit[]){upper ? slit_le(v, at + away) : slit_ge(v, at - away)}, 1);
        }
    }
    mem_free(values);
}

static void test_a_planted_solution_is_never_lost(void) {
    static const sort_t sorts[] = {SORT_F32, SORT_F64, 32, 16};
    uint64_t points = 0, conflicts = 0;
    for (uint64_t seed = 1; seed <= 1500; seed++) {
        struct planted p;
        planted_open(&p, seed, sorts[seed % 4], seed % 3 ? 0 : 3000);
        p.s->knobs.check = seed % 8 == 0;
        assert_around(&p, (int64_t)rng_below(&p.rng, 3));
        enum solver_result result = solver_solve(p.s, NULL, 0, 60000);
        points += result == SOLVER_SAT;
        conflicts += solver_stats(p.s)->linear_conflicts;
        TEST_ASSERT_TRUE_MESSAGE(result != SOLVER_UNSAT, "a planted solution was lost");
        planted_close(&p);
    }
    printf("%lu of 1500 found again, %lu linear conflicts on the way\n", points, conflicts);
    TEST_ASSERT_TRUE(points > 300 && conflicts > 100);
}

/* Sums that add up to a contradiction: sum of m_i * s_i = 0 and yet each s_i >= gap. */
static bool contradiction_found(uint64_t seed, uint32_t relax_first, uint64_t ticks) {
    struct planted p;
    double total[MAX_VARS] = {0};
    planted_open(&p, seed, SORT_F64, relax_first);
    for (int i = 0; i < 6; i++) {
        term_t sum = constant(&p, -0.5);
        for (size_t k = 0; k < p.n_vars; k++) {
            double c = i < 5 ? draw(&p.rng, 1) : -total[k];
            total[k] += c;
            sum =
                term_op2(&p.ts, OP_FADD, sum, term_op2(&p.ts, OP_FMUL, constant(&p, c), p.vars[k]));
        }
        svar v = solver_encode(p.s, p.frame, sum);
        solver_add_clause(p.s, (struct slit[]){slit_ge(v, 0)}, 1);
    }
    enum solver_result result = solver_solve(p.s, NULL, 0, ticks);
    TEST_ASSERT_TRUE(result != SOLVER_SAT);
    planted_close(&p);
    return result == SOLVER_UNSAT;
}

static void test_contradictory_sums_are_refuted_at_once(void) {
    for (uint64_t seed = 1; seed <= 100; seed++)
        TEST_ASSERT_TRUE(contradiction_found(seed, 0, 100000));
}

/* The same question twice takes the same way. */
static void test_effort_is_the_same_every_time(void) {
    uint64_t ticks[2], conflicts[2];
    for (int i = 0; i < 2; i++) {
        struct planted p;
        planted_open(&p, 77, SORT_F32, 0);
        assert_around(&p, 1);
        solver_solve(p.s, NULL, 0, 200000);
        ticks[i] = solver_stats(p.s)->ticks;
        conflicts[i] = solver_stats(p.s)->conflicts;
        planted_close(&p);
    }
    TEST_ASSERT_EQUAL_UINT64(ticks[0], ticks[1]);
    TEST_ASSERT_EQUAL_UINT64(conflicts[0], conflicts[1]);
}

/* x + y <= 2, x >= 1.5, y >= 1.5: each row must give way by one third. */
static void test_simplex_names_the_rows_that_contradict(void) {
    struct simplex lp;
    simplex_init(&lp, 3, 2);
    const double coef[] = {1, 1, -1, 0, 0, -1}, rhs[] = {2, -1.5, -1.5};
    for (int i = 0; i < 6; i++)
        lp.coef[i] = coef[i];
    for (int i = 0; i < 3; i++) {
        lp.rhs[i] = rhs[i];
        lp.slope[i] = 1;
    }
    for (int k = 0; k < 2; k++) {
        lp.lo[k] = -100;
        lp.hi[k] = INFINITY;
    }
    TEST_ASSERT_TRUE(simplex_solve(&lp));
    TEST_ASSERT_DOUBLE_WITHIN(1e-12, -1.0 / 3, lp.t);
    for (int i = 0; i < 3; i++)
        TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1.0 / 3, lp.y[i]);
    simplex_free(&lp);
}

/* Random systems: what is returned as a point lies inside, and multipliers prove what they say. */
static void test_simplex_on_random_systems(void) {
    struct rng rng;
    int inside = 0, contradictory = 0;
    rng_init(&rng, 5);
    for (int round = 0; round < 2000; round++) {
        struct simplex lp;
        int m = 1 + (int)rng_below(&rng, 20), n = 1 + (int)rng_below(&rng, 8);
        double coef[20 * 8];
        simplex_init(&lp, m, n);
        for (int i = 0; i < m * n; i++)
            lp.coef[i] = coef[i] = draw(&rng, 1);
        for (int i = 0; i < m; i++) {
            lp.rhs[i] = draw(&rng, 2);
            lp.slope[i] = 1;
        }
        for (int k = 0; k < n; k++) {
            lp.lo[k] = -1;
            lp.hi[k] = 2;
            lp.x[k] = draw(&rng, 1);
        }
        TEST_ASSERT_TRUE(simplex_solve(&lp));
        double least = 0, right = 0;
        for (int i = 0; i < m; i++) {
            double left = 0;
            for (int k = 0; k < n; k++)
                left += coef[i * n + k] * lp.x[k];
            TEST_ASSERT_TRUE(left + lp.t <= lp.rhs[i] + 1e-9);
            right += lp.y[i] * lp.rhs[i];
        }
        for (int k = 0; k < n; k++) {
            double d = 0;
            for (int i = 0; i < m; i++)
                d += lp.y[i] * coef[i * n + k];
            least += d > 0 ? -d : 2 * d;
            TEST_ASSERT_TRUE(lp.x[k] >= -1 - 1e-9 && lp.x[k] <= 2 + 1e-9);
        }
        TEST_ASSERT_DOUBLE_WITHIN(1e-7, lp.t, right - least);
        inside += lp.t > 0;
        contradictory += lp.t < 0;
        simplex_free(&lp);
    }
    TEST_ASSERT_TRUE(inside > 200 && contradictory > 200);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_simplex_names_the_rows_that_contradict);
    RUN_TEST(test_simplex_on_random_systems);
    RUN_TEST(test_a_planted_solution_is_never_lost);
    RUN_TEST(test_contradictory_sums_are_refuted_at_once);
    RUN_TEST(test_effort_is_the_same_every_time);
    return UNITY_END();
}
