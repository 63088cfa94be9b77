/* Interpolants and clause sets: by construction, and on random formulas in two parts. */
#include "base/rng.h"
#include "engines/interpolation/interpolant.h"
#include "engines/interpolation/query.h"
#include "engines/solver/proof.h"

#include "unity.h"

#include <stdio.h>

void setUp(void) {
}
void tearDown(void) {
}

/* ---- clause sets ---- */

static void add(struct cnf *cnf, const struct slit *lits, size_t n) {
    struct slits clause = {0};
    vec_append(&clause, lits, n);
    cnf_add(cnf, &clause);
    TEST_ASSERT_EQUAL_size_t(0, clause.len);
    check_cnf(cnf);
}

static void test_clauses_are_normalised(void) {
    struct cnf cnf = {0};
    add(&cnf, (struct slit[]){slit_ge(2, 5), slit_le(1, 3), slit_ge(2, 4)}, 3);
    TEST_ASSERT_EQUAL_size_t(1, cnf.clauses.len);
    TEST_ASSERT_EQUAL_size_t(2, cnf.clauses.data[0].len);
    TEST_ASSERT_EQUAL_INT64(4, cnf.clauses.data[0].data[1].ordinal);
    add(&cnf, (struct slit[]){slit_le(3, 7), slit_ge(3, 8)}, 2); /* true */
    TEST_ASSERT_EQUAL_size_t(1, cnf.clauses.len);
    add(&cnf, (struct slit[]){slit_le(3, 6), slit_ge(3, 8)}, 2);
    TEST_ASSERT_EQUAL_size_t(2, cnf.clauses.len);
    cnf_free(&cnf);
}

static void test_implied_clauses_go(void) {
    struct cnf cnf = {0};
    add(&cnf, (struct slit[]){slit_ge(1, 5), slit_ge(2, 5)}, 2);
    add(&cnf, (struct slit[]){slit_ge(1, 4), slit_ge(2, 5), slit_ge(3, 1)}, 3);
    TEST_ASSERT_EQUAL_size_t(1, cnf.clauses.len);
    add(&cnf, (struct slit[]){slit_ge(1, 6)}, 1);
    TEST_ASSERT_EQUAL_size_t(1, cnf.clauses.len);
    TEST_ASSERT_EQUAL_size_t(1, cnf.clauses.data[0].len);
    add(&cnf, NULL, 0); /* false implies everything */
    TEST_ASSERT_EQUAL_size_t(1, cnf.clauses.len);
    TEST_ASSERT_EQUAL_size_t(0, cnf.clauses.data[0].len);
    cnf_free(&cnf);
}

static void test_products_have_a_limit(void) {
    struct cnf a = {0}, b = {0}, small = {0}, large = {0};
    for (svar v = 1; v <= 4; v++) {
        add(&a, (struct slit[]){slit_ge(v, 1)}, 1);
        add(&b, (struct slit[]){slit_ge(v + 4, 1)}, 1);
    }
    TEST_ASSERT_TRUE(cnf_or(&large, &a, &b, 16));
    TEST_ASSERT_EQUAL_size_t(16, large.clauses.len);
    TEST_ASSERT_FALSE(cnf_or(&small, &a, &b, 15));
    TEST_ASSERT_TRUE(cnf_and(&a, &b, 8));
    TEST_ASSERT_FALSE(cnf_and(&a, &large, 7));
    cnf_free(&a);
    cnf_free(&b);
    cnf_free(&small);
    cnf_free(&large);
}

/* ---- interpolants ---- */

enum { WIDTH = 4, LOCAL = 3, SHARED = 3 };

/* Two formulas over three shared integers and three of their own. */
struct part {
    struct terms ts;
    VEC(term_t) shared, pool, roots;
};

static term_t pick(struct rng *rng, const struct part *p) {
    return p->pool.data[rng_below(rng, p->pool.len)];
}

static term_t random_claim(struct rng *rng, struct part *p) {
    static const enum op relations[] = {OP_SLT, OP_SLE, OP_EQ, OP_ULT};
    term_t claim = term_op2(&p->ts, relations[rng_below(rng, 4)], pick(rng, p), pick(rng, p));
    return rng_below(rng, 2) ? claim : term_not(&p->ts, claim);
}

static void part_make(struct part *p, struct rng *rng) {
    static const enum op operators[] = {OP_ADD, OP_SUB, OP_MUL, OP_BAND, OP_BXOR, OP_SDIV};
    *p = (struct part){0};
    terms_init(&p->ts);
    for (int i = 0; i < SHARED + LOCAL; i++) {
        term_t t = term_var(&p->ts, "x", WIDTH, true);
        vec_push(&p->pool, t);
        if (i < SHARED)
            vec_push(&p->shared, t);
    }
    vec_push(&p->pool, term_int(&p->ts, WIDTH, (int64_t)rng_below(rng, 16) - 8));
    for (int i = 0; i < 4; i++) {
        term_t t = term_op2(&p->ts, operators[rng_below(rng, 6)], pick(rng, p), pick(rng, p));
        vec_push(&p->pool, t);
    }
    for (int i = 0; i < 4; i++) {
        term_t claim = random_claim(rng, p);
        if (rng_below(rng, 2))
            claim = term_or(&p->ts, claim, random_claim(rng, p));
        vec_push(&p->roots, claim);
    }
}

static void part_free(struct part *p) {
    terms_free(&p->ts);
    vec_free(&p->shared);
    vec_free(&p->pool);
    vec_free(&p->roots);
}

static void part_assert(struct part *p, struct solver *s, const svar *shared, uint32_t partition) {
    struct frame *frame = solver_frame_new(s, &p->ts);
    solver_set_partition(s, partition);
    for (int i = 0; i < SHARED; i++)
        solver_frame_bind(s, frame, p->shared.data[i], shared[i]);
    for (size_t i = 0; i < p->roots.len; i++) {
        struct slit root = slit_true(solver_encode(s, frame, p->roots.data[i]));
        solver_add_clause(s, &root, 1);
    }
}

static struct solver *open_part(struct part *p, svar *shared) {
    struct solver *s = solver_new(&(struct solver_options){.seed = 2});
    for (int i = 0; i < SHARED; i++)
        shared[i] = solver_new_var(s, WIDTH, true);
    part_assert(p, s, shared, 0);
    return s;
}

static struct slit rename_lit(struct slit l, const svar *from, const svar *to) {
    for (int i = 0; i < SHARED; i++)
        if (from[i] == l.var)
            return (struct slit){to[i], l.ge, l.ordinal};
    TEST_FAIL_MESSAGE("an interpolant mentions a variable of one side");
    return l;
}

/* Each side alone, in a solver that logs nothing. */
static void check_interpolant(struct part *a, struct part *b, const struct cnf *itp,
                              const svar *from) {
    svar in_a[SHARED], in_b[SHARED];
    struct solver *sa = open_part(a, in_a), *sb = open_part(b, in_b);
    check_cnf(itp);
    for (size_t i = 0; i < itp->clauses.len; i++) {
        struct slits negated = {0}, clause = {0};
        for (size_t k = 0; k < itp->clauses.data[i].len; k++) {
            struct slit l = itp->clauses.data[i].data[k];
            vec_push(&negated, slit_negate(rename_lit(l, from, in_a)));
            vec_push(&clause, rename_lit(l, from, in_b));
        }
        TEST_ASSERT_EQUAL_INT(SOLVER_UNSAT, solver_solve(sa, negated.data, negated.len, 0));
        solver_add_clause(sb, clause.data, clause.len);
        vec_free(&negated);
        vec_free(&clause);
    }
    TEST_ASSERT_EQUAL_INT(SOLVER_UNSAT, solver_solve(sb, NULL, 0, 0));
    solver_free(sa);
    solver_free(sb);
}

static bool random_interpolant(uint64_t seed) {
    struct rng rng;
    struct part a, b;
    svar shared[SHARED];
    rng_init(&rng, seed);
    part_make(&a, &rng);
    part_make(&b, &rng);
    struct solver *s = solver_new(&(struct solver_options){.seed = 1, .log_proof = true});
    for (int i = 0; i < SHARED; i++)
        shared[i] = solver_new_var(s, WIDTH, true);
    part_assert(&a, s, shared, PARTITION_A);
    part_assert(&b, s, shared, PARTITION_B);
    struct cnf itp = {0};
    bool read = solver_solve(s, NULL, 0, 0) == SOLVER_UNSAT && interpolant_read(s, 500, &itp);
    if (read) {
        check_proof(s);
        check_interpolant(&a, &b, &itp, shared);
    }
    cnf_free(&itp);
    solver_free(s);
    part_free(&a);
    part_free(&b);
    return read;
}

static void test_random_interpolants_separate(void) {
    size_t read = 0;
    for (uint64_t seed = 1; seed <= 2000; seed++)
        read += random_interpolant(seed);
    printf("%zu interpolants\n", read);
    TEST_ASSERT_GREATER_THAN_size_t(300, read);
}

static void test_the_needed_bound_is_the_interpolant(void) {
    struct solver *s = solver_new(&(struct solver_options){.seed = 1, .log_proof = true});
    svar x = solver_new_var(s, 16, true);
    struct cnf itp = {0};
    solver_set_partition(s, PARTITION_A);
    solver_add_clause(s, (struct slit[]){slit_le(x, 100)}, 1);
    solver_set_partition(s, PARTITION_B);
    solver_add_clause(s, (struct slit[]){slit_ge(x, 200)}, 1);
    TEST_ASSERT_EQUAL_INT(SOLVER_UNSAT, solver_solve(s, NULL, 0, 0));
    TEST_ASSERT_TRUE(interpolant_read(s, 10, &itp));
    TEST_ASSERT_EQUAL_size_t(1, itp.clauses.len);
    TEST_ASSERT_EQUAL_size_t(1, itp.clauses.data[0].len);
    struct slit l = itp.clauses.data[0].data[0];
    TEST_ASSERT_TRUE(l.var == x && !l.ge && l.ordinal >= 100 && l.ordinal < 200);
    cnf_free(&itp);
    solver_free(s);
}

/* A: a counter is 0; B: it is 200 or more. What matters to B is the threshold, not what A says. */
static void test_an_interpolant_is_as_weak_as_b_allows(void) {
    struct terms ts;
    struct system sys;
    struct itp_query q;
    struct clauses clauses = {0};
    terms_init(&ts);
    system_init(&sys, &ts);
    sys.init_ok = sys.step_ok = term_bool(&ts, true);
    sys.unspecified = sys.init_unspecified = term_bool(&ts, false);
    term_t n = term_var(&ts, "n", 16, true), limit = term_int(&ts, 16, 100);
    term_t up = term_op2(&ts, OP_ADD, n, term_int(&ts, 16, 1));
    struct cell cell = {.name = "n", .var = n, .init = term_int(&ts, 16, 0)};
    cell.next = term_ite(&ts, term_op2(&ts, OP_SLT, n, limit), up, n);
    vec_push(&sys.cells, cell);
    struct target target = {.name = "far"};
    target.hit = term_op2(&ts, OP_SLE, term_int(&ts, 16, 200), n);
    vec_push(&sys.targets, target);
    struct itp_problem problem = {.sys = &sys, .depth = 1, .seed = 1};
    itp_query_open(&q, &problem);
    TEST_ASSERT_EQUAL_INT(SOLVER_UNSAT, itp_query_solve(&q, 0));
    TEST_ASSERT_TRUE(itp_query_read(&q, 10, &clauses));
    TEST_ASSERT_EQUAL_size_t(1, clauses.len);
    TEST_ASSERT_EQUAL_size_t(1, clauses.data[0].len);
    TEST_ASSERT_EQUAL_INT64(199, clauses.data[0].data[0].ordinal);
    itp_query_check(&problem, &clauses, 0);
    itp_query_close(&q);
    clauses_free(&clauses);
    system_free(&sys);
    terms_free(&ts);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_clauses_are_normalised);
    RUN_TEST(test_implied_clauses_go);
    RUN_TEST(test_products_have_a_limit);
    RUN_TEST(test_random_interpolants_separate);
    RUN_TEST(test_the_needed_bound_is_the_interpolant);
    RUN_TEST(test_an_interpolant_is_as_weak_as_b_allows);
    return UNITY_END();
}
