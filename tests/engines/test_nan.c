/* Floats that can be NaN: what houdini claims of them, and what other engines make of its claims.
 *
 * Hand-made systems for what should be found; random ones, small enough to visit all states, for
 * what must not be claimed. GK_TEST_SCALE=100 takes a hundred times as many.
 */
#include "explicit.h"

#include "engine_case.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static term_t f32(float v) {
    return term_const(&ts, SORT_F32, f32_bits(v));
}

static term_t op2(enum op op, term_t a, term_t b) {
    return term_op2(&ts, op, a, b);
}

static term_t above(term_t x, float v) {
    return op2(OP_FLT, f32(v), x);
}

static term_t is_nan(term_t x) {
    return term_op1(&ts, OP_FISNAN, x);
}

/* C: if (x > hi) x = hi; if (x < lo) x = lo; NaN stays. */
static term_t limited(term_t x, float lo, float hi) {
    term_t below = term_ite(&ts, above(x, hi), f32(hi), x);
    return term_ite(&ts, op2(OP_FLT, below, f32(lo)), f32(lo), below);
}

static int deads(term_t hit) {
    return run("houdini", add_target("hit", hit), 0).deads;
}

/* ---- what should be found ---- */

static void test_limits_that_nan_passes(void) {
    term_t u = add_input("u", SORT_F32, true);
    term_t y = add_cell("y", SORT_F32, true, f32(0));
    sys.cells.data[0].next = limited(u, -5, 5);
    TEST_ASSERT_EQUAL_INT(1, deads(above(y, 5)));
    TEST_ASSERT_EQUAL_INT(1, deads(op2(OP_FLT, y, f32(-5))));
    TEST_ASSERT_EQUAL_INT(0, deads(term_not(&ts, op2(OP_FLE, y, f32(5)))));
    TEST_ASSERT_EQUAL_INT(0, deads(is_nan(y)));
    TEST_ASSERT_EQUAL_INT(0, deads(above(y, 4.5f)));
}

static void test_a_guard_against_nan_is_seen(void) {
    term_t u = add_input("u", SORT_F32, true);
    term_t y = add_cell("y", SORT_F32, true, f32(0));
    sys.cells.data[0].next = term_ite(&ts, is_nan(u), y, limited(u, -5, 5));
    TEST_ASSERT_EQUAL_INT(1, deads(is_nan(y)));
    TEST_ASSERT_EQUAL_INT(1, deads(term_not(&ts, op2(OP_FLE, y, f32(5)))));
}

/* No bound at all, but a number. */
static void test_a_number_without_bounds(void) {
    term_t u = add_input("u", SORT_F32, true);
    term_t y = add_cell("y", SORT_F32, true, f32(0));
    sys.cells.data[0].next = term_ite(&ts, op2(OP_FEQ, u, u), u, y);
    TEST_ASSERT_EQUAL_INT(1, deads(is_nan(y)));
    TEST_ASSERT_EQUAL_INT(0, deads(above(y, 1e38f)));
}

/* 0/0 is the only way to NaN, and what divides tells when. */
static void test_a_flag_tells_of_nan(void) {
    term_t u = add_input("u", SORT_F32, true), c = add_input("c", SORT_BOOL, false);
    term_t y = add_cell("y", SORT_F32, true, f32(1));
    term_t valid = add_cell("valid", SORT_BOOL, false, term_bool(&ts, true));
    sys.cells.data[0].next = term_ite(&ts, c, op2(OP_FDIV, limited(u, -5, 5), f32(0)), y);
    sys.cells.data[1].next = term_ite(&ts, c, term_not(&ts, is_nan(sys.cells.data[0].next)), valid);
    TEST_ASSERT_EQUAL_INT(1, deads(term_and(&ts, valid, is_nan(y))));
    TEST_ASSERT_EQUAL_INT(0, deads(term_and(&ts, valid, above(y, 1e38f))));
    TEST_ASSERT_EQUAL_INT(0, deads(is_nan(y)));
}

static void test_a_flag_tells_of_a_bound_or_nan(void) {
    term_t u = add_input("u", SORT_F32, true), c = add_input("c", SORT_BOOL, false);
    term_t y = add_cell("y", SORT_F32, true, f32(0));
    term_t low = add_cell("low", SORT_BOOL, false, term_bool(&ts, true));
    sys.cells.data[0].next = term_ite(&ts, c, limited(u, -2, 2), limited(u, -100, 100));
    sys.cells.data[1].next = c;
    TEST_ASSERT_EQUAL_INT(1, deads(term_and(&ts, low, above(y, 2))));
    TEST_ASSERT_EQUAL_INT(0, deads(above(y, 2)));
    TEST_ASSERT_EQUAL_INT(0, deads(term_and(&ts, low, is_nan(y))));
}

/* y += (u - y) * a: whether y is a number rests on its bounds, and they on that. */
static term_t filter_of(term_t u) {
    term_t y = add_cell("y", SORT_F32, true, f32(0));
    vec_last(&sys.cells).next = op2(OP_FADD, y, op2(OP_FMUL, op2(OP_FSUB, u, y), f32(0.125f)));
    return y;
}

static void test_a_filter_of_numbers(void) {
    term_t u = add_input("u", SORT_F32, true);
    term_t y = filter_of(u);
    sys.step_ok = term_and(&ts, op2(OP_FLE, f32(-10), u), op2(OP_FLE, u, f32(10)));
    TEST_ASSERT_EQUAL_INT(1, deads(above(y, 10.5f)));
    TEST_ASSERT_EQUAL_INT(1, deads(is_nan(y)));
    TEST_ASSERT_EQUAL_INT(0, deads(above(y, 1)));
}

static void test_a_filter_that_nan_enters(void) {
    term_t y = filter_of(limited(add_input("u", SORT_F32, true), -10, 10));
    TEST_ASSERT_EQUAL_INT(1, deads(above(y, 10.5f)));
    TEST_ASSERT_EQUAL_INT(0, deads(is_nan(y)));
}

/* ---- random systems ---- */

struct maker {
    struct random_system r;
    struct rng rng;
    term_t u, c, f, g, flag;
};

static uint64_t below(struct maker *m, uint64_t n) {
    return rng_below(&m->rng, n);
}

static float some_number(struct maker *m) {
    static const float numbers[] = {0, -0.0f, 1, -1, 2, 5, -5, 100, INFINITY, -INFINITY, 0.5f};
    return numbers[below(m, sizeof numbers / sizeof *numbers)];
}

/* The terms of random systems are built in `ts` and `sys` of this file. */
static term_t some_float(struct maker *m) {
    term_t leaves[] = {m->u, m->f, m->g, m->u, f32(some_number(m))};
    term_t x = leaves[below(m, 5)], y = leaves[below(m, 5)];
    float k = fabsf(some_number(m));
    switch (below(m, 9)) {
    case 0:
        return limited(x, -k, k);
    case 1:
        return term_ite(&ts, is_nan(x), y, x);
    case 2:
        return term_ite(&ts, op2(OP_FLE, x, f32(k)), x, f32(k));
    case 3:
        return op2(OP_FSUB, limited(x, -k, k), limited(y, -2, 2));
    case 4:
        return op2(OP_FDIV, x, y);
    case 5:
        return op2(below(m, 2) ? OP_FMIN : OP_FMAX, x, f32(some_number(m)));
    case 6:
        return term_op1(&ts, OP_FABS, x);
    case 7:
        return op2(OP_FMUL, limited(x, -k, k), f32(0.5f));
    default:
        return x;
    }
}

static term_t some_fact(struct maker *m) {
    term_t leaves[] = {m->f, m->g, m->f, m->g, m->u}, x = leaves[below(m, 5)];
    term_t k = f32(some_number(m)), fact = 0;
    switch (below(m, 6)) {
    case 0:
        fact = is_nan(x);
        break;
    case 1:
        fact = op2(OP_FLT, k, x);
        break;
    case 2:
        fact = op2(OP_FLE, x, k);
        break;
    case 3:
        fact = m->flag;
        break;
    case 4:
        fact = op2(OP_FEQ, x, x);
        break;
    default:
        fact = m->c;
    }
    return below(m, 2) ? fact : term_not(&ts, fact);
}

static term_t some_next(struct maker *m, term_t x) {
    term_t other = below(m, 2) ? x : some_float(m);
    return below(m, 3) ? term_ite(&ts, some_fact(m), some_float(m), other) : some_float(m);
}

/* Exactly these values, by their bits. */
static void add_domains(struct maker *m) {
    struct domain d = {.len = 1 + below(m, 5)}, bools = {.values = {0, 1}, .len = 2};
    term_t ok = term_bool(&ts, false);
    for (size_t i = 0; i < d.len; i++) {
        d.values[i] = f32_bits(below(m, 4) ? some_number(m) : NAN);
        ok = term_or(&ts, ok, term_eq(&ts, m->u, term_const(&ts, SORT_F32, d.values[i])));
        if (bits_are_nan(SORT_F32, d.values[i]))
            ok = term_or(&ts, ok, is_nan(m->u));
    }
    vec_push(&m->r.domains, d);
    vec_push(&m->r.domains, bools);
    sys.step_ok = ok;
}

static void make(struct maker *m, uint64_t seed) {
    *m = (struct maker){0};
    rng_init(&m->rng, seed);
    m->u = add_input("u", SORT_F32, true);
    m->c = add_input("c", SORT_BOOL, false);
    m->f = add_cell("f", SORT_F32, true, f32(below(m, 8) ? some_number(m) : NAN));
    m->g = add_cell("g", SORT_F32, true, f32(some_number(m)));
    m->flag = add_cell("flag", SORT_BOOL, false, term_bool(&ts, below(m, 2)));
    add_domains(m);
    sys.cells.data[0].next = some_next(m, m->f);
    sys.cells.data[1].next = some_next(m, m->g);
    sys.cells.data[2].next = below(m, 2) ? some_fact(m) : term_or(&ts, m->flag, some_fact(m));
    for (int i = 0; i < 5; i++) {
        term_t hit = some_fact(m);
        hit = below(m, 2) ? term_and(&ts, hit, some_fact(m)) : hit;
        add_target("goal", term_and(&ts, sys.step_ok, hit));
    }
    m->r.terms = ts;
    m->r.sys = sys;
    m->r.sys.terms = &m->r.terms;
}

struct truth {
    uint64_t seed;
    const struct explicit_result *all;
    struct invariant lemmas;
    size_t deads, or_nan;
};

static void expect(const struct truth *t, bool holds, const char *what, const struct fact *fact) {
    struct str message = {0};
    if (holds)
        return;
    str_addf(&message, "seed %llu: %s\n", (unsigned long long)t->seed, what);
    fact_write(fact, &sys, &message);
    system_write(&sys, &message);
    TEST_FAIL_MESSAGE(str_text(&message));
}

static void compare(void *context, const struct fact *fact) {
    struct truth *t = context;
    struct findings found = {0};
    const struct invariant *inv = &fact->invariant;
    on_fact(&found, fact);
    for (size_t i = 0; i < inv->clauses.len; i++) {
        const struct clause *c = &inv->clauses.data[i];
        for (size_t s = 0; s < t->all->states; s++)
            expect(t, clause_holds(c, &sys, t->all->cells.data + s * sys.cells.len),
                   "a clause does not hold", fact);
        for (size_t k = 0; k < c->len; k++)
            t->or_nan += c->len > 1 && c->data[k].kind == BOUND_NAN;
    }
    if (fact->kind == FACT_LEMMA) {
        invariant_free(&t->lemmas);
        invariant_copy(&t->lemmas, inv);
    }
    if (fact->kind != FACT_DEAD)
        return;
    expect(t, t->all->depth.data[fact->target] == NONE, "a reachable target is dead", fact);
    t->deads++;
}

static void run_on_all(struct truth *t, const char *name, const struct invariant *lemmas) {
    struct engine_input input = {.sys = &sys,
                                 .targets = (uint32_t[]){0, 1, 2, 3, 4},
                                 .n_targets = 5,
                                 .report = compare,
                                 .context = t,
                                 .lemmas = lemmas,
                                 .options = {.knobs = knobs_default, .max_depth = 10}};
    const struct engine *engine = engine_find(name)->engine;
    uint32_t n = engine_does(engine_find(name), ENGINE_AT_ONCE) ? 1 : 5;
    for (uint32_t i = 0; i < n; i++) {
        if (n > 1) {
            input.targets = &i;
            input.n_targets = 1;
        }
        void *state = engine->open(&input);
        for (int k = 0; k < 20 && engine->step(state, 20000) == ENGINE_MORE; k++)
            ;
        engine->close(state);
    }
}

static void test_random_systems(void) {
    const char *text = getenv("GK_TEST_SCALE");
    uint64_t systems = 400 * (text ? strtoull(text, NULL, 10) : 1);
    size_t complete = 0, dead = 0, found = 0, or_nan = 0;
    for (uint64_t seed = 0; seed < systems; seed++) {
        struct maker m;
        struct explicit_result all;
        make(&m, seed);
        explicit_search(&m.r, 20000, &all);
        struct truth t = {.seed = seed, .all = &all};
        invariant_init(&t.lemmas);
        if (all.complete) {
            run_on_all(&t, "houdini", NULL);
            complete++;
            found += t.deads;
            or_nan += t.or_nan;
            for (int i = 0; i < 5; i++)
                dead += all.depth.data[i] == NONE;
            struct invariant lemmas = t.lemmas;
            invariant_init(&t.lemmas);
            run_on_all(&t, "ic3", &lemmas);
            run_on_all(&t, "kind", &lemmas);
            run_on_all(&t, "itp", &lemmas);
            invariant_free(&lemmas);
        }
        invariant_free(&t.lemmas);
        explicit_free(&all);
        vec_free(&m.r.domains);
        tearDown();
        setUp();
    }
    printf("%zu systems, %zu targets dead, houdini alone %zu, %zu literals \"or NaN\"\n", complete,
           dead, found, or_nan);
    TEST_ASSERT_GREATER_THAN_size_t(dead * 3 / 4, found);
    TEST_ASSERT_GREATER_THAN_size_t(complete / 4, or_nan);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_limits_that_nan_passes);
    RUN_TEST(test_a_guard_against_nan_is_seen);
    RUN_TEST(test_a_number_without_bounds);
    RUN_TEST(test_a_flag_tells_of_nan);
    RUN_TEST(test_a_flag_tells_of_a_bound_or_nan);
    RUN_TEST(test_a_filter_of_numbers);
    RUN_TEST(test_a_filter_that_nan_enters);
    RUN_TEST(test_random_systems);
    return UNITY_END();
}
