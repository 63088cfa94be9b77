/* What several cells have in common: proved where it holds, never claimed where it does not, and on
 * random systems compared with all states that there are. */
#include "base/mem.h"
#include "base/rng.h"
#include "engine_case.h"
#include "model/system/derive.h"
#include "model/term/eval.h"

#include <stdio.h>

static term_t ite(term_t c, term_t a, term_t b) {
    return term_ite(&ts, c, a, b);
}

static term_t plus(term_t a, int64_t v) {
    return term_op2(&ts, OP_ADD, a, term_int(&ts, term_sort(&ts, a), v));
}

static term_t low(term_t a, int64_t mask) {
    return term_op2(&ts, OP_BAND, a, term_int(&ts, term_sort(&ts, a), mask));
}

static term_t differ(term_t a, term_t b) {
    return term_not(&ts, term_eq(&ts, a, b));
}

static term_t below(term_t a, int64_t v) {
    return term_op2(&ts, OP_ULT, a, term_int(&ts, term_sort(&ts, a), v));
}

static term_t flag(const char *name) {
    return term_eq(&ts, add_input(name, 1, false), term_int(&ts, 1, 1));
}

static void next(uint32_t cell, term_t t) {
    sys.cells.data[cell].next = t;
}

/* ---- one equation at a time ---- */

static int deads(const char *what, term_t hit) {
    return run("domains", add_target(what, hit), 0).deads;
}

static void test_twice_as_fast(void) {
    term_t b = flag("b"), c = flag("c");
    term_t x = add_cell("x", 16, false, i16(0)), s = add_cell("s", 16, false, i16(7));
    next(0, ite(b, plus(x, 1), x));
    next(1, ite(b, plus(s, 2), s));
    term_t twice = plus(term_op2(&ts, OP_MUL, x, i16(2)), 7);
    TEST_ASSERT_EQUAL_INT(1, deads("not twice", differ(s, twice)));
    TEST_ASSERT_EQUAL_INT(1, deads("even", term_eq(&ts, low(s, 1), i16(0))));
    TEST_ASSERT_EQUAL_INT(0, deads("other", term_eq(&ts, s, i16(107))));
    next(1, ite(b, plus(s, 2), ite(c, plus(s, 2), s)));
    TEST_ASSERT_EQUAL_INT(0, deads("not twice any more", differ(s, twice)));
    TEST_ASSERT_EQUAL_INT(1, deads("even still", term_eq(&ts, low(s, 1), i16(0))));
}

/* A queue of eight places: head - tail = fill modulo 8. */
static void build_queue(int64_t step) {
    term_t put = flag("put"), zero = term_int(&ts, 8, 0);
    term_t head = add_cell("head", 8, false, zero), tail = add_cell("tail", 8, false, zero);
    term_t fill = add_cell("fill", 8, false, zero);
    term_t can_put = term_and(&ts, put, below(fill, 8));
    term_t take = term_and(&ts, term_not(&ts, put), term_not(&ts, below(fill, 1)));
    next(0, ite(can_put, low(plus(head, step), 7), head));
    next(1, ite(take, low(plus(tail, 1), 7), tail));
    next(2, ite(can_put, plus(fill, 1), ite(take, plus(fill, -1), fill)));
}

static term_t queue_is_wrong(void) {
    term_t head = sys.cells.data[0].var, tail = sys.cells.data[1].var;
    term_t apart = low(term_op2(&ts, OP_SUB, head, tail), 7);
    return differ(apart, low(sys.cells.data[2].var, 7));
}

static void test_a_queue(void) {
    build_queue(1);
    TEST_ASSERT_EQUAL_INT(1, deads("wrong fill", queue_is_wrong()));
}

static void test_a_queue_that_is_wrong(void) {
    build_queue(2);
    TEST_ASSERT_EQUAL_INT(0, deads("wrong fill", queue_is_wrong()));
}

/* Only where the mode is 1 both are equal: from then on they count together. */
static void test_equal_in_one_mode(void) {
    term_t enter = flag("enter"), u = add_input("u", 16, true), v = add_input("v", 16, true);
    term_t mode = add_cell("mode", 1, false, term_int(&ts, 1, 0));
    term_t x = add_cell("x", 16, true, i16(0)), y = add_cell("y", 16, true, i16(1));
    term_t on = term_eq(&ts, mode, term_int(&ts, 1, 1));
    term_t go = term_and(&ts, enter, term_eq(&ts, x, y));
    next(0, term_cast(&ts, OP_B2I, 1, term_or(&ts, on, go)));
    next(1, ite(on, plus(x, 3), ite(go, x, u)));
    next(2, ite(on, plus(y, 3), ite(go, y, v)));
    TEST_ASSERT_EQUAL_INT(1, deads("apart", term_and(&ts, on, differ(x, y))));
    TEST_ASSERT_EQUAL_INT(0, deads("apart anywhere", differ(x, y)));
    next(2, ite(on, plus(y, 4), ite(go, y, v)));
    TEST_ASSERT_EQUAL_INT(0, deads("apart soon", term_and(&ts, on, differ(x, y))));
}

/* While the mode is 1, k falls from where n was left, which is 8 or more, and j rises. The target
 * names k and j; that they add up to n is said by what k becomes. */
static term_t fall_and_rise(int64_t least) {
    term_t enter = flag("enter"), mode = add_cell("mode", 1, false, term_int(&ts, 1, 0));
    term_t on = term_eq(&ts, mode, term_int(&ts, 1, 1));
    term_t more = add_input("more", 8, false),
           first = plus(term_cast(&ts, OP_ZEXT, 16, more), least);
    term_t n = add_cell("n", 16, false, i16(least)), k = add_cell("k", 16, false, i16(0));
    term_t j = add_cell("j", 16, false, i16(0));
    next(0, term_cast(&ts, OP_B2I, 1, term_or(&ts, on, enter)));
    next(1, ite(term_or(&ts, on, enter), n, first));
    next(2, ite(on, plus(k, -1), ite(enter, n, k)));
    next(3, ite(on, plus(j, 1), i16(0)));
    return term_and(&ts, on, term_and(&ts, below(k, 4), below(j, 4)));
}

static int deads_knowing(int64_t least) {
    struct invariant lemma;
    term_t hit = fall_and_rise(least);
    invariant_init(&lemma);
    lemma.k = 1;
    invariant_add(&lemma, &(struct bound){.cell = 1, .kind = BOUND_GE, .ordinal = least}, 1);
    invariant_add(&lemma, &(struct bound){.cell = 1, .kind = BOUND_LE, .ordinal = least + 255}, 1);
    known = &lemma;
    int n = deads("below", hit);
    known = NULL;
    invariant_free(&lemma);
    return n;
}

static void test_a_third_cell_that_the_target_does_not_name(void) {
    TEST_ASSERT_EQUAL_INT(1, deads_knowing(8)); /* more than 3 and 3 */
}

static void test_a_third_cell_that_may_be_less(void) {
    TEST_ASSERT_EQUAL_INT(0, deads_knowing(5));
}

/* ---- random systems against all their states ---- */

enum { CELLS = 4, X_BITS = 4, STATES = 1 << (1 + 3 * X_BITS), SYSTEMS = 1000 };

static bool reached[STATES];
static size_t n_equations;

static void cells_of(uint32_t state, uint64_t *cells) {
    cells[0] = state & 1;
    for (int i = 1; i < CELLS; i++)
        cells[i] = state >> (1 + (i - 1) * X_BITS) & ((1 << X_BITS) - 1);
}

static uint32_t state_of(const term_t *next_terms, const uint64_t *values) {
    uint32_t state = (uint32_t)values[next_terms[0]];
    for (int i = 1; i < CELLS; i++)
        state |= (uint32_t)values[next_terms[i]] << (1 + (i - 1) * X_BITS);
    return state;
}

/* The inputs are the first two variables, the cells follow. */
static void enumerate(uint32_t initial) {
    VEC(uint32_t) todo = {0};
    term_t roots[CELLS];
    uint64_t *values = mem_zalloc(ts.nodes.len, sizeof *values);
    memset(reached, 0, sizeof reached);
    for (int i = 0; i < CELLS; i++)
        roots[i] = sys.cells.data[i].next;
    reached[initial] = true;
    vec_push(&todo, initial);
    while (todo.len > 0) {
        uint32_t state = vec_pop(&todo);
        for (uint64_t in = 0; in < 4; in++) {
            uint64_t vars[2 + CELLS] = {in & 1, in >> 1};
            cells_of(state, vars + 2);
            term_eval(&ts, roots, CELLS, vars, values);
            uint32_t to = state_of(roots, values);
            if (!reached[to])
                vec_push(&todo, to);
            reached[to] = true;
        }
    }
    mem_free(values);
    vec_free(&todo);
}

static void check_clause(const struct clause *c) {
    term_t root = clause_term(&sys, c);
    term_t *map = mem_zalloc(ts.vars.len, sizeof *map);
    for (size_t i = CELLS; i < sys.cells.len; i++)
        map[term_get(&ts, sys.cells.data[i].var)->payload] = sys.cells.data[i].is;
    term_substitute(&ts, map, ts.vars.len, &root, 1);
    uint64_t *values = mem_zalloc(ts.nodes.len, sizeof *values);
    uint64_t *vars = mem_zalloc(ts.vars.len, sizeof *vars);
    for (uint32_t s = 0; s < STATES; s++) {
        cells_of(s, vars + 2);
        if (!reached[s])
            continue;
        term_eval(&ts, &root, 1, vars, values);
        TEST_ASSERT_EQUAL_INT(1, values[root]);
    }
    mem_free(map);
    mem_free(values);
    mem_free(vars);
}

static void compare(void *context, const struct fact *fact) {
    on_fact(context, fact);
    for (size_t i = 0; i < fact->invariant.clauses.len; i++)
        check_clause(&fact->invariant.clauses.data[i]);
    n_equations += fact->kind == FACT_LEMMA;
}

static term_t some_sum(struct rng *rng, const term_t *x, int own) {
    term_t sum = rng_below(rng, 4) ? x[own] : term_int(&ts, X_BITS, 0);
    int64_t by = (int64_t)rng_below(rng, 3) * (1 + (int64_t)rng_below(rng, 4));
    if (rng_below(rng, 4) == 0)
        sum = term_op2(&ts, rng_below(rng, 2) ? OP_ADD : OP_SUB, sum, x[1 + rng_below(rng, 3)]);
    return plus(sum, by);
}

static uint32_t random_system(struct rng *rng) {
    term_t a = flag("a"), b = flag("b"), x[CELLS];
    uint64_t cells[CELLS] = {0};
    for (int i = 1; i < CELLS; i++)
        cells[i] = rng_below(rng, 3) ? 0 : rng_below(rng, 1 << X_BITS);
    uint32_t initial = 0;
    for (int i = 0; i < CELLS; i++) {
        static const char *const names[] = {"m", "x", "y", "z"};
        sort_t sort = i ? X_BITS : 1;
        x[i] = add_cell(names[i], sort, rng_below(rng, 2), term_int(&ts, sort, (int64_t)cells[i]));
        initial |= (uint32_t)cells[i] << (i ? 1 + (i - 1) * X_BITS : 0);
    }
    term_t m = term_eq(&ts, x[0], term_int(&ts, 1, 1));
    term_t second = rng_below(rng, 2) ? b : below(x[1], 5);
    next(0, term_cast(&ts, OP_B2I, 1, rng_below(rng, 2) ? a : term_or(&ts, m, second)));
    for (int i = 1; i < CELLS; i++) {
        term_t sums[3] = {some_sum(rng, x, i), some_sum(rng, x, i), some_sum(rng, x, i)};
        next((uint32_t)i, ite(a, sums[0], ite(rng_below(rng, 2) ? second : m, sums[1], sums[2])));
    }
    return initial;
}

static void test_random_systems(void) {
    struct rng rng;
    rng_init(&rng, 77);
    n_equations = 0;
    int found_dead = 0;
    for (int i = 0; i < SYSTEMS; i++) {
        struct findings found = {0};
        uint32_t initial = random_system(&rng);
        term_t x = sys.cells.data[1].var, y = sys.cells.data[2].var, z = sys.cells.data[3].var;
        term_t sum = term_op2(&ts, OP_SUB, term_op2(&ts, OP_ADD, x, y), z);
        int64_t value = (int64_t)rng_below(&rng, 1 << X_BITS);
        uint32_t target = add_target("sum", term_eq(&ts, sum, term_int(&ts, X_BITS, value)));
        struct engine_input input = {.sys = &sys,
                                     .targets = &target,
                                     .n_targets = 1,
                                     .report = compare,
                                     .context = &found,
                                     .options = {.knobs = knobs_default, .seed = (uint64_t)i}};
        enumerate(initial);
        void *state = engine_find("domains")->engine->open(&input);
        while (engine_find("domains")->engine->step(state, 1000000) == ENGINE_MORE)
            ;
        engine_find("domains")->engine->close(state);
        found_dead += found.deads;
        tearDown();
        setUp();
    }
    printf("%zu of %d systems with equations, %d targets dead\n", n_equations, SYSTEMS, found_dead);
    TEST_ASSERT_TRUE(n_equations > SYSTEMS / 10 && found_dead > SYSTEMS / 50);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_twice_as_fast);
    RUN_TEST(test_a_queue);
    RUN_TEST(test_a_queue_that_is_wrong);
    RUN_TEST(test_equal_in_one_mode);
    RUN_TEST(test_a_third_cell_that_the_target_does_not_name);
    RUN_TEST(test_a_third_cell_that_may_be_less);
    RUN_TEST(test_random_systems);
    return UNITY_END();
}
