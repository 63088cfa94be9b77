/* Questions over frames of terms, put to both solvers: the least depths of hits are those of
 * exhaustive search, models are models, cores are contradictory alone. */
#include "engines/query/query.h"

#include "base/log.h"
#include "base/rng.h"
#include "explicit.h"
#include "model/term/eval.h"
#include "model/term/number.h"

#include "unity.h"

#include <stdlib.h>

enum { SYSTEMS = 120, STEPS = 4 };

void setUp(void) {
}
void tearDown(void) {
}

static struct query *open_query(struct terms *ts, enum query_back_end back_end) {
    return query_open(ts, &(struct query_options){.back_end = back_end, .seed = 1});
}

/* ---- runs of small systems ---- */

struct run {
    struct query *q;
    const struct system *sys;
    qlit clean[STEPS + 1]; /* the run has not ended before this frame */
    uint32_t frames;
};

static void run_open(struct run *run, const struct system *sys, enum query_back_end back_end) {
    *run = (struct run){.q = open_query(sys->terms, back_end), .sys = sys, .frames = 1};
    run->clean[0] = query_activation(run->q);
    query_frame(run->q);
}

static void run_step(struct run *run) {
    bool first = run->frames == 1;
    uint32_t from = run->frames - 1, to = query_frame(run->q);
    for (size_t i = 0; i < run->sys->cells.len; i++) {
        const struct cell *cell = &run->sys->cells.data[i];
        query_bind(run->q, to, cell->var, from, first ? cell->init : cell->next);
    }
    run->clean[to] = query_activation(run->q);
    query_assert(run->q, from, first ? run->sys->init_ok : run->sys->step_ok, run->clean[to]);
    run->frames++;
}

static void check_model(struct run *run, uint32_t frame, term_t hit) {
    struct terms *ts = run->sys->terms;
    uint64_t *vars = calloc(ts->vars.len, sizeof *vars);
    for (size_t i = 0; i < ts->vars.len; i++) {
        term_t value = query_value(run->q, frame, ts->vars.data[i].term);
        vars[i] = term_get(ts, value)->payload;
    }
    uint64_t *nodes = calloc(ts->nodes.len, sizeof *nodes);
    term_eval(ts, &hit, 1, vars, nodes);
    TEST_ASSERT_EQUAL_UINT64(1, nodes[hit]);
    TEST_ASSERT_TRUE(query_holds(run->q, query_literal(run->q, frame, hit)));
    TEST_ASSERT_EQUAL(term_bool(ts, true), query_value(run->q, frame, hit));
    free(vars);
    free(nodes);
}

static void check_core(struct run *run, const qlit *asked, size_t n_asked) {
    struct qlits copy = {0};
    size_t n;
    const qlit *core = query_core(run->q, &n);
    vec_append(&copy, core, n);
    for (size_t i = 0; i < n; i++) {
        bool there = false;
        for (size_t j = 0; j < n_asked; j++)
            there |= asked[j] == copy.data[i];
        TEST_ASSERT_TRUE(there);
    }
    TEST_ASSERT_EQUAL(SOLVER_UNSAT, query_solve(run->q, copy.data, copy.len, 0));
    vec_free(&copy);
}

/* Can the target be hit in this frame? Frame 0 is the initialisation. */
static bool hits(struct run *run, uint32_t frame, const struct target *target) {
    term_t hit = frame ? target->hit : target->init_hit;
    struct qlits ask = {0};
    if (!hit)
        return false;
    vec_push(&ask, query_literal(run->q, frame, hit));
    vec_append(&ask, run->clean, frame + 1);
    enum solver_result said = query_solve(run->q, ask.data, ask.len, 0);
    TEST_ASSERT_NOT_EQUAL(SOLVER_UNKNOWN, said);
    if (said == SOLVER_SAT)
        check_model(run, frame, hit);
    else
        check_core(run, ask.data, ask.len);
    vec_free(&ask);
    return said == SOLVER_SAT;
}

static uint32_t least_depth(const struct system *sys, size_t target, enum query_back_end back_end) {
    struct run run;
    uint32_t depth = 0;
    run_open(&run, sys, back_end);
    while (depth <= STEPS && !hits(&run, depth, &sys->targets.data[target]))
        if (++depth <= STEPS)
            run_step(&run);
    query_close(run.q);
    return depth;
}

static void check_depths(uint64_t seed, bool floats, enum query_back_end back_end) {
    struct random_system r;
    struct explicit_result all;
    random_system_make(&r, &(struct random_options){.seed = seed, .floats = floats});
    explicit_search(&r, 200000, &all);
    for (size_t t = 0; all.complete && t < r.sys.targets.len; t++) {
        uint32_t known = all.depth.data[t];
        uint32_t found = least_depth(&r.sys, t, back_end);
        TEST_ASSERT_EQUAL(known > STEPS ? STEPS + 1 : known, found);
    }
    explicit_free(&all);
    random_system_free(&r);
}

static void test_random_systems(void) {
    for (uint64_t seed = 1; seed <= SYSTEMS; seed++) {
        check_depths(seed, seed % 3 == 0, QUERY_ICP);
        check_depths(seed, seed % 24 == 0, QUERY_Z3);
    }
}

/* ---- the calls one by one ---- */

static void check_activation(enum query_back_end back_end) {
    struct terms ts;
    terms_init(&ts);
    term_t x = term_var(&ts, "x", 8, false);
    struct query *q = open_query(&ts, back_end);
    uint32_t f = query_frame(q);
    term_t small = term_op2(&ts, OP_ULT, x, term_int(&ts, 8, 10));
    qlit on = query_activation(q), large = -query_literal(q, f, small);
    TEST_ASSERT_EQUAL(-large, query_literal(q, f, small));
    TEST_ASSERT_EQUAL(large, query_literal(q, f, term_not(&ts, small)));
    query_assert(q, f, small, on);
    TEST_ASSERT_EQUAL(SOLVER_SAT, query_solve(q, &large, 1, 0));
    TEST_ASSERT_FALSE(query_holds(q, on));
    TEST_ASSERT_EQUAL(SOLVER_UNSAT, query_solve(q, (qlit[]){on, large}, 2, 0));
    term_t late = term_op2(&ts, OP_ULT, term_int(&ts, 8, 250), x); /* after it was opened */
    qlit huge = query_literal(q, f, late);
    TEST_ASSERT_EQUAL(SOLVER_SAT, query_solve(q, (qlit[]){large, huge}, 2, 0));
    TEST_ASSERT_TRUE(term_get(&ts, query_value(q, f, x))->payload > 250);
    query_clause(q, (qlit[]){on, -huge}, 2);
    TEST_ASSERT_EQUAL(SOLVER_UNSAT, query_solve(q, &huge, 1, 0));
    TEST_ASSERT_EQUAL_UINT64(4, query_questions(q));
    TEST_ASSERT_TRUE(query_ticks(q) > 0);
    query_close(q);
    terms_free(&ts);
}

/* What Z3 does before it counts is paid for, and not begun with too little. */
static void test_circuits(void) {
    struct terms ts;
    terms_init(&ts);
    term_t x = term_var(&ts, "x", 64, false), y = term_var(&ts, "y", 64, false);
    struct query *q = open_query(&ts, QUERY_Z3);
    uint32_t f = query_frame(q);
    qlit less = query_literal(q, f, term_op2(&ts, OP_ULT, term_op2(&ts, OP_UDIV, x, y), x));
    TEST_ASSERT_EQUAL(SOLVER_UNKNOWN, query_solve(q, &less, 1, 5000));
    TEST_ASSERT_EQUAL_UINT64(5000, query_ticks(q));
    TEST_ASSERT_EQUAL(SOLVER_SAT, query_solve(q, &less, 1, 0));
    uint64_t after = query_ticks(q);
    TEST_ASSERT_TRUE(after > UINT64_C(64) * 64);
    TEST_ASSERT_EQUAL(SOLVER_SAT, query_solve(q, &less, 1, 60000)); /* paid for once */
    query_close(q);
    terms_free(&ts);
}

/* Neither x < y nor y <= x holds of a NaN. */
static void check_nan(enum query_back_end back_end) {
    struct terms ts;
    terms_init(&ts);
    term_t x = term_var(&ts, "x", SORT_F32, true), one = term_f32(&ts, 1);
    struct query *q = open_query(&ts, back_end);
    uint32_t f = query_frame(q);
    qlit below = query_literal(q, f, term_op2(&ts, OP_FLT, x, one));
    qlit above = query_literal(q, f, term_op2(&ts, OP_FLE, one, x));
    TEST_ASSERT_EQUAL(SOLVER_SAT, query_solve(q, (qlit[]){-below, -above}, 2, 0));
    TEST_ASSERT_TRUE(bits_are_nan(SORT_F32, term_get(&ts, query_value(q, f, x))->payload));
    TEST_ASSERT_EQUAL(SOLVER_UNSAT, query_solve(q, (qlit[]){below, above}, 2, 0));
    query_close(q);
    terms_free(&ts);
}

/* Effort has an end: a * b == 1000003 * 999983 of 64 bits is not found at once. */
static void check_limit(enum query_back_end back_end) {
    struct terms ts;
    terms_init(&ts);
    term_t a = term_var(&ts, "a", 64, false), b = term_var(&ts, "b", 64, false);
    struct query *q = open_query(&ts, back_end);
    uint32_t f = query_frame(q);
    term_t one = term_int(&ts, 64, 1), most = term_int(&ts, 64, 1 << 28);
    term_t product = term_const(&ts, 64, 1000003ull * 999983ull);
    query_assert(q, f, term_eq(&ts, term_op2(&ts, OP_MUL, a, b), product), 0);
    query_assert(q, f, term_op2(&ts, OP_ULT, one, a), 0);
    query_assert(q, f, term_op2(&ts, OP_ULE, a, b), 0);
    query_assert(q, f, term_op2(&ts, OP_ULT, b, most), 0);
    TEST_ASSERT_EQUAL(SOLVER_UNKNOWN, query_solve(q, NULL, 0, 500));
    query_close(q);
    terms_free(&ts);
}

/* Two thirds and a sum of whole numbers: only Z3 knows them. */
static void test_unbounded(void) {
    struct terms ts;
    terms_init(&ts);
    term_t x = term_var(&ts, "x", SORT_REAL, true), n = term_var(&ts, "n", SORT_INTEGER, true);
    struct query *q = open_query(&ts, QUERY_Z3);
    uint32_t f = query_frame(q), g = query_frame(q);
    term_t three = term_number(&ts, SORT_REAL, "3"), two = term_number(&ts, SORT_REAL, "2");
    term_t more =
        term_op2(&ts, OP_NADD, n, term_number(&ts, SORT_INTEGER, "100000000000000000000"));
    query_bind(q, g, n, f, more);
    query_assert(q, f, term_eq(&ts, term_op2(&ts, OP_NMUL, three, x), two), 0);
    qlit above = query_literal(q, f, term_op2(&ts, OP_NLE, term_number(&ts, SORT_INTEGER, "1"), n));
    qlit same = query_literal(q, g, term_eq(&ts, n, term_number(&ts, SORT_INTEGER, "7")));
    TEST_ASSERT_EQUAL(SOLVER_UNSAT, query_solve(q, (qlit[]){above, same}, 2, 0));
    TEST_ASSERT_EQUAL(SOLVER_SAT, query_solve(q, (qlit[]){-above, same}, 2, 0));
    TEST_ASSERT_EQUAL_STRING("2/3", term_number_text(&ts, query_value(q, f, x)));
    TEST_ASSERT_EQUAL_STRING("-99999999999999999993", term_number_text(&ts, query_value(q, f, n)));
    query_close(q);
    terms_free(&ts);
}

static void test_calls(void) {
    for (int back_end = QUERY_ICP; back_end <= QUERY_Z3; back_end++) {
        check_activation((enum query_back_end)back_end);
        check_nan((enum query_back_end)back_end);
        check_limit((enum query_back_end)back_end);
    }
}

/* A product of two primes of 32 bits is too hard for a tenth of a second: there is no answer, and
 * the solver is of use afterwards. */
static void test_deadline(void) {
    struct terms ts;
    terms_init(&ts);
    struct query_options how = {.back_end = QUERY_Z3, .seed = 1, .deadline = clock_seconds() + 0.1};
    struct query *q = query_open(&ts, &how);
    uint32_t frame = query_frame(q);
    term_t x = term_var(&ts, "x", 64, false), y = term_var(&ts, "y", 64, false);
    term_t limit = term_const(&ts, 64, 0xffffffff), one = term_int(&ts, 64, 1);
    query_assert(q, frame, term_not(&ts, term_op2(&ts, OP_ULT, limit, x)), 0);
    query_assert(q, frame, term_not(&ts, term_op2(&ts, OP_ULT, limit, y)), 0);
    query_assert(q, frame, term_op2(&ts, OP_ULT, one, x), 0);
    query_assert(q, frame, term_op2(&ts, OP_ULT, one, y), 0);
    term_t product = term_const(&ts, 64, 4294967291ull * 4294967279ull);
    qlit same = query_literal(q, frame, term_eq(&ts, term_op2(&ts, OP_MUL, x, y), product));
    TEST_ASSERT_EQUAL(SOLVER_UNKNOWN, query_solve(q, &same, 1, 0));
    query_close(q);
    terms_free(&ts);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_random_systems);
    RUN_TEST(test_calls);
    RUN_TEST(test_unbounded);
    RUN_TEST(test_circuits);
    RUN_TEST(test_deadline);
    return UNITY_END();
}
