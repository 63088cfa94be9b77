/* Relations of two counters, found by houdini: proved where they hold, never claimed where not. */
#include "base/mem.h"
#include "base/rng.h"
#include "engines/invariant/weaken.h"
#include "engine_case.h"
#include "model/term/eval.h"

static term_t at_most(term_t a, int64_t v) {
    return term_op2(&ts, OP_SLE, a, i16(v));
}

static term_t plus(term_t a, int64_t v) {
    return term_op2(&ts, OP_ADD, a, i16(v));
}

static term_t ite(term_t c, term_t a, term_t b) {
    return term_ite(&ts, c, a, b);
}

static term_t flag(const char *name) {
    return term_eq(&ts, add_input(name, 1, false), term_int(&ts, 1, 1));
}

/* With errors: good = 0, bad += up while bad < top. Without: good++ up to `most`, bad -= down. */
static void build_pair(int64_t up, int64_t top, int64_t down, int64_t most) {
    term_t error = flag("error");
    term_t good = add_cell("good", 16, true, i16(0)), bad = add_cell("bad", 16, true, i16(0));
    term_t risen = ite(at_most(bad, top - 1), plus(bad, up), bad);
    term_t fallen = ite(at_most(bad, down - 1), i16(0), plus(bad, -down));
    sys.cells.data[0].next = ite(error, i16(0), ite(at_most(good, most - 1), plus(good, 1), good));
    sys.cells.data[1].next = ite(error, risen, fallen);
}

static term_t both(int64_t good, int64_t bad) {
    return term_and(&ts, term_not(&ts, at_most(sys.cells.data[0].var, good - 1)),
                    term_not(&ts, at_most(sys.cells.data[1].var, bad - 1)));
}

static void test_good_messages_empty_the_error_counter(void) {
    build_pair(2, 20, 1, 1000);
    TEST_ASSERT_EQUAL_INT(1, run("houdini", add_target("bad is left", both(500, 1)), 0).deads);
}

static void test_counters_of_different_speed(void) {
    build_pair(9, 900, 3, 1000);
    /* 3 * good + bad stays below about 1000 while bad > 0 */
    TEST_ASSERT_EQUAL_INT(1, run("houdini", add_target("bad is left", both(350, 1)), 0).deads);
    TEST_ASSERT_EQUAL_INT(1, run("houdini", add_target("far apart", both(100, 750)), 0).deads);
}

static void test_what_can_happen_is_no_relation(void) {
    build_pair(2, 20, 1, 1000);
    TEST_ASSERT_EQUAL_INT(0, run("houdini", add_target("soon", both(19, 1)), 0).deads);
    TEST_ASSERT_EQUAL_INT(0, run("houdini", add_target("later", both(900, 0)), 0).deads);
}

/* Two counters from the same point; a disturbance in between moves one of them alone. */
static void test_a_broken_relation_is_not_claimed(void) {
    term_t count = flag("count"), disturb = flag("disturb");
    term_t x = add_cell("x", 16, true, i16(0)), y = add_cell("y", 16, true, i16(0));
    term_t room = term_and(&ts, at_most(x, 99), at_most(y, 99));
    term_t go = term_and(&ts, count, room);
    sys.cells.data[0].next = ite(go, plus(x, 1), x);
    sys.cells.data[1].next = ite(go, plus(y, 1), y);
    term_t apart = term_not(&ts, term_eq(&ts, x, y));
    uint32_t target = add_target("apart", apart);
    TEST_ASSERT_EQUAL_INT(1, run("houdini", target, 0).deads);
    sys.cells.data[1].next = ite(go, plus(y, 1), ite(disturb, i16(0), y));
    TEST_ASSERT_EQUAL_INT(0, run("houdini", target, 0).deads);
    TEST_ASSERT_EQUAL_INT(1, run("bmc", target, 10).hits);
}

/* Only in mode 1 the counters keep together; in mode 0 each counts when it likes, up to 200. */
static void test_relations_of_one_mode(void) {
    term_t enter = flag("enter"), count = flag("count"), other = flag("other");
    term_t mode = add_cell("mode", 1, false, term_int(&ts, 1, 0));
    term_t x = add_cell("x", 16, true, i16(0)), y = add_cell("y", 16, true, i16(0));
    term_t in_mode = term_eq(&ts, mode, term_int(&ts, 1, 1));
    term_t more_x = ite(at_most(x, 199), plus(x, 1), x);
    term_t more_y = ite(at_most(y, 199), plus(y, 1), y);
    term_t both_more = term_and(&ts, count, term_and(&ts, at_most(x, 199), at_most(y, 199)));
    sys.cells.data[0].next = term_cast(&ts, OP_B2I, 1, enter);
    sys.cells.data[1].next =
        ite(enter, ite(in_mode, ite(both_more, plus(x, 1), x), i16(0)), ite(count, more_x, x));
    sys.cells.data[2].next =
        ite(enter, ite(in_mode, ite(both_more, plus(y, 1), y), i16(0)), ite(other, more_y, y));
    term_t apart = term_not(&ts, term_eq(&ts, x, y));
    TEST_ASSERT_EQUAL_INT(
        1, run("houdini", add_target("apart", term_and(&ts, in_mode, apart)), 0).deads);
    TEST_ASSERT_EQUAL_INT(0, run("houdini", add_target("apart anywhere", apart), 0).deads);
}

static int64_t weakened(int64_t good, int64_t bad, int64_t limit) {
    struct invariant inv;
    uint32_t target = add_target("far apart", both(good, bad));
    struct bound sum = {
        .cell = 0, .kind = BOUND_LE, .ordinal = limit, .other = 1, .factor = 1, .other_factor = 1};
    invariant_init(&inv);
    inv.k = 1;
    invariant_add(&inv, &sum, 1);
    invariant_add(&inv, &(struct bound){.cell = 0, .kind = BOUND_LE, .ordinal = 1000}, 1);
    invariant_add(&inv, &(struct bound){.cell = 0, .kind = BOUND_GE, .ordinal = 0}, 1);
    invariant_add(&inv, &(struct bound){.cell = 1, .kind = BOUND_LE, .ordinal = 21}, 1);
    invariant_add(&inv, &(struct bound){.cell = 1, .kind = BOUND_GE, .ordinal = 0}, 1);
    vec_push(&inv.targets, target);
    TEST_ASSERT_EQUAL_INT(SOLVER_UNSAT, invariant_check(&sys, &inv, 0, NULL));
    invariant_weaken(&sys, &inv, 1);
    TEST_ASSERT_EQUAL_INT(SOLVER_UNSAT, invariant_check(&sys, &inv, 0, NULL));
    TEST_ASSERT_TRUE(inv.clauses.len > 0 && bound_is_sum(inv.clauses.data[0].data[0]));
    int64_t to = inv.clauses.data[0].data[0].ordinal;
    invariant_free(&inv);
    return to;
}

/* To numbers of the program (999, 1000, 1001 here, and 1023), as far as they still prove it. */
static void test_limits_of_sums_are_weakened(void) {
    build_pair(2, 20, 1, 1000);
    TEST_ASSERT_EQUAL_INT64(1001, weakened(990, 20, 1000));
    TEST_ASSERT_EQUAL_INT64(1000, weakened(990, 11, 1000));
}

/* ---- random pairs against exhaustive enumeration ---- */

enum { SIDE = 64, INPUTS = 4 };

static bool reached[SIDE * SIDE];

static void enumerate(void) {
    VEC(uint32_t) todo = {0};
    uint64_t *values = mem_zalloc(ts.nodes.len, sizeof *values);
    memset(reached, 0, sizeof reached);
    reached[0] = true;
    vec_push(&todo, 0);
    while (todo.len > 0) {
        uint32_t state = vec_pop(&todo);
        for (uint64_t in = 0; in < INPUTS; in++) {
            uint64_t vars[4] = {in & 1, in >> 1, state % SIDE, state / SIDE};
            term_t next[2] = {sys.cells.data[0].next, sys.cells.data[1].next};
            term_eval(&ts, next, 2, vars, values);
            uint64_t to = values[next[0]] + SIDE * values[next[1]];
            TEST_ASSERT_TRUE(values[next[0]] < SIDE && values[next[1]] < SIDE);
            if (!reached[to])
                vec_push(&todo, (uint32_t)to);
            reached[to] = true;
        }
    }
    mem_free(values);
    vec_free(&todo);
}

static size_t n_sums;

/* Every clause holds in every state that can be reached. */
static void compare(void *context, const struct fact *fact) {
    struct invariant const *inv = &fact->invariant;
    on_fact(context, fact);
    for (size_t i = 0; i < inv->clauses.len; i++) {
        const struct clause *c = &inv->clauses.data[i];
        n_sums += c->len > 0 && bound_is_sum(c->data[c->len - 1]);
        for (uint64_t s = 0; s < SIDE * SIDE; s++)
            if (reached[s])
                TEST_ASSERT_TRUE(clause_holds(c, &sys, (uint64_t[]){s % SIDE, s / SIDE}));
    }
}

static term_t some_move(struct rng *rng, term_t x) {
    int64_t by = 1 + (int64_t)rng_below(rng, 4), end = 20 + (int64_t)rng_below(rng, 36);
    switch (rng_below(rng, 4)) {
    case 0:
        return i16(0);
    case 1:
        return x;
    case 2:
        return ite(at_most(x, end), plus(x, by), x);
    default:
        return ite(at_most(x, by - 1), rng_below(rng, 2) ? i16(0) : x, plus(x, -by));
    }
}

static void random_pair(struct rng *rng) {
    term_t a = flag("a"), b = flag("b");
    term_t x = add_cell("x", 16, true, i16(0)), y = add_cell("y", 16, true, i16(0));
    term_t second = rng_below(rng, 2) ? b : term_and(&ts, b, at_most(x, 30));
    for (int i = 0; i < 2; i++) {
        term_t c = i ? y : x;
        sys.cells.data[i].next =
            ite(a, some_move(rng, c), ite(second, some_move(rng, c), some_move(rng, c)));
    }
}

static void test_random_pairs(void) {
    struct rng rng;
    rng_init(&rng, 21);
    n_sums = 0;
    for (int i = 0; i < 60; i++) {
        struct findings found = {0};
        random_pair(&rng);
        uint32_t target = add_target("never", both(64, 64));
        uint32_t open = add_target("open", flag("free"));
        struct engine_input input = {.sys = &sys,
                                     .targets = (uint32_t[]){target, open},
                                     .n_targets = 2,
                                     .report = compare,
                                     .context = &found,
                                     .options = {.knobs = knobs_default, .seed = (uint64_t)i}};
        enumerate();
        void *state = engine_find("houdini")->engine->open(&input);
        while (engine_find("houdini")->engine->step(state, 1000000) == ENGINE_MORE)
            ;
        engine_find("houdini")->engine->close(state);
        tearDown();
        setUp();
    }
    TEST_ASSERT_GREATER_THAN(20, n_sums);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_good_messages_empty_the_error_counter);
    RUN_TEST(test_counters_of_different_speed);
    RUN_TEST(test_what_can_happen_is_no_relation);
    RUN_TEST(test_a_broken_relation_is_not_claimed);
    RUN_TEST(test_relations_of_one_mode);
    RUN_TEST(test_limits_of_sums_are_weakened);
    RUN_TEST(test_random_pairs);
    return UNITY_END();
}
