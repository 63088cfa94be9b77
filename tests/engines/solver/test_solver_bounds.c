/* Clauses over bounds alone: few integers with hundreds of clauses each, so that lists of watches
 * grow, are sorted, and lose and gain members. Enumeration of all points says what is right. */
#include "base/mem.h"
#include "base/rng.h"
#include "engines/solver/core.h"

#include "unity.h"

#include <stdio.h>

void setUp(void) {
}
void tearDown(void) {
}

enum { VARS = 3, WIDTH = 5, POINTS = 1 << (VARS * WIDTH), CLAUSES = 400 };

struct puzzle {
    struct rng rng;
    struct solver *s;
    svar var[VARS];
    bool is_signed[VARS];
    bool *alive;
};

static int64_t value_at(const struct puzzle *p, int point, int var) {
    uint64_t bits = (uint64_t)(point >> (WIDTH * var)) & ((1 << WIDTH) - 1);
    return ordinal_of(WIDTH, p->is_signed[var], bits);
}

static bool lit_holds(const struct puzzle *p, struct slit l, int point) {
    int var = l.var == p->var[0] ? 0 : l.var == p->var[1] ? 1 : 2;
    int64_t value = value_at(p, point, var);
    return l.ge ? value >= l.ordinal : value <= l.ordinal;
}

static struct slit random_lit(struct puzzle *p) {
    int var = (int)rng_below(&p->rng, VARS);
    int64_t least = ordinal_min(WIDTH, p->is_signed[var]);
    int64_t at = least + 1 + (int64_t)rng_below(&p->rng, (1 << WIDTH) - 2);
    return rng_below(&p->rng, 2) ? slit_ge(p->var[var], at) : slit_le(p->var[var], at);
}

/* Cuts off a box at a corner: one literal a variable, false on less than half of its values. So no
 * clause is true whatever happens, and some points are left for ever. */
static void add_clause(struct puzzle *p) {
    struct slit lits[VARS];
    size_t n = VARS;
    for (int var = 0; var < VARS; var++) {
        int64_t least = ordinal_min(WIDTH, p->is_signed[var]);
        int64_t cut = 1 + (int64_t)rng_below(&p->rng, (1 << (WIDTH - 1)) - 1);
        lits[var] = rng_below(&p->rng, 2) ? slit_ge(p->var[var], least + cut)
                                          : slit_le(p->var[var], least + (1 << WIDTH) - 1 - cut);
    }
    for (int point = 0; point < POINTS; point++) {
        bool any = false;
        for (size_t i = 0; i < n; i++)
            any |= lit_holds(p, lits[i], point);
        p->alive[point] &= any;
    }
    solver_add_clause(p->s, lits, n);
}

static bool satisfiable(const struct puzzle *p, const struct slit *lits, size_t n) {
    for (int point = 0; point < POINTS; point++) {
        bool all = p->alive[point];
        for (size_t i = 0; i < n && all; i++)
            all = lit_holds(p, lits[i], point);
        if (all)
            return true;
    }
    return false;
}

static int model_point(const struct puzzle *p) {
    int point = 0;
    for (int v = 0; v < VARS; v++)
        point |= (int)solver_value(p->s, p->var[v]) << (WIDTH * v);
    return point;
}

static void ask(struct puzzle *p, int *sat, int *unsat) {
    struct slit lits[3];
    size_t n = rng_below(&p->rng, 4), n_core;
    for (size_t i = 0; i < n; i++)
        lits[i] = random_lit(p);
    enum solver_result result = solver_solve(p->s, lits, n, 0);
    TEST_ASSERT_EQUAL_INT(satisfiable(p, lits, n) ? SOLVER_SAT : SOLVER_UNSAT, result);
    if (result == SOLVER_SAT) {
        int point = model_point(p);
        TEST_ASSERT_TRUE(p->alive[point]);
        for (size_t i = 0; i < n; i++)
            TEST_ASSERT_TRUE(lit_holds(p, lits[i], point));
        ++*sat;
        return;
    }
    const struct slit *core = solver_core(p->s, &n_core);
    TEST_ASSERT_FALSE(satisfiable(p, core, n_core));
    ++*unsat;
}

static void run(uint64_t seed, const struct solver_knobs *knobs, int *sat, int *unsat) {
    struct puzzle p = {.alive = mem_alloc(POINTS)};
    memset(p.alive, true, POINTS);
    rng_init(&p.rng, seed);
    p.s = solver_new(&(struct solver_options){.seed = seed});
    p.s->knobs = *knobs;
    for (int v = 0; v < VARS; v++) {
        p.is_signed[v] = rng_below(&p.rng, 2);
        p.var[v] = solver_new_var(p.s, WIDTH, p.is_signed[v]);
    }
    for (int i = 0; i < CLAUSES; i++) {
        add_clause(&p);
        if (i % 4 == 0)
            ask(&p, sat, unsat);
    }
    ask(&p, sat, unsat);
    solver_free(p.s);
    mem_free(p.alive);
}

static void test_many_bounds_of_few_variables(void) {
    struct solver_knobs hostile = solver_default_knobs;
    int sat = 0, unsat = 0;
    hostile.check = true;
    hostile.restart_every = 3;
    hostile.reduce_first = 10;
    hostile.reduce_step = 5;
    for (uint64_t seed = 1; seed <= 40; seed++)
        run(seed, seed % 4 ? &solver_default_knobs : &hostile, &sat, &unsat);
    printf("%d sat, %d unsat\n", sat, unsat);
    TEST_ASSERT_TRUE(sat > 100 && unsat > 100);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_many_bounds_of_few_variables);
    return UNITY_END();
}
