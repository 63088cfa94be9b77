/* The values that cells take: a ramp that misses its end by a bit is proved never to meet it, one
 * that meets it is not; and on random systems, whatever is said to be dead is compared with all
 * states that there are. */
#include "base/map.h"
#include "base/mem.h"
#include "base/rng.h"
#include "engine_case.h"
#include "model/term/eval.h"

#include <stdio.h>

static term_t f32(float v) {
    return term_f32(&ts, v);
}

static term_t add(term_t a, float by) {
    return term_op2(&ts, OP_FADD, a, f32(by));
}

static term_t above(term_t a, float v) {
    return term_op2(&ts, OP_FLT, f32(v), a);
}

static term_t below(term_t a, float v) {
    return term_op2(&ts, OP_FLT, a, f32(v));
}

static term_t equal(term_t a, float v) {
    return term_op2(&ts, OP_FEQ, a, f32(v));
}

static term_t flag(const char *name) {
    return term_eq(&ts, add_input(name, 1, false), term_int(&ts, 1, 1));
}

static size_t most_clauses;

static void on_proof(void *context, const struct fact *fact) {
    size_t n = fact->invariant.clauses.len;
    on_fact(context, fact);
    if (fact->kind == FACT_DEAD)
        most_clauses = n > most_clauses ? n : most_clauses;
}

static int deads(term_t hit) {
    struct findings found = {0};
    uint32_t target = add_target("hit", hit);
    struct engine_input input = {
        .sys = &sys, .targets = &target, .n_targets = 1, .report = on_proof, .context = &found};
    input.options.knobs = knobs_default;
    most_clauses = 0;
    void *state = engine_find("domains")->engine->open(&input);
    while (engine_find("domains")->engine->step(state, 20000000) == ENGINE_MORE)
        ;
    engine_find("domains")->engine->close(state);
    return found.deads;
}

/* ---- one ramp at a time ---- */

/* Up by `by`, or not, and back to 0 past the end. */
static term_t ramp(float by, float end) {
    term_t go = flag("go"), x = add_cell("x", SORT_F32, true, f32(0));
    term_t up = term_ite(&ts, go, add(x, by), x);
    sys.cells.data[0].next = term_ite(&ts, above(up, end), f32(0), up);
    return x;
}

static void test_a_ramp_misses_its_end(void) {
    term_t x = ramp(0.01F, 1.F);
    TEST_ASSERT_EQUAL_INT(1, deads(equal(x, 1.F)));
    TEST_ASSERT_TRUE_MESSAGE(most_clauses >= 99 && most_clauses < 110, "a gap a value, no more");
    TEST_ASSERT_EQUAL_INT(1, deads(term_and(&ts, above(x, 0.011F), below(x, 0.019F))));
    TEST_ASSERT_TRUE_MESSAGE(most_clauses < 10, "only what is below it");
    TEST_ASSERT_EQUAL_INT(0, deads(equal(x, 0.01F)));
}

static void test_a_ramp_meets_its_end(void) {
    term_t x = ramp(0.125F, 1.F);
    TEST_ASSERT_EQUAL_INT(0, deads(equal(x, 1.F)));
    TEST_ASSERT_EQUAL_INT(1, deads(equal(x, 0.0625F)));
}

/* Thousands of values, and a goal that needs them all. */
static void test_a_long_ramp(void) {
    term_t x = ramp(0.005F, 20.F);
    TEST_ASSERT_EQUAL_INT(1, deads(equal(x, 20.F)));
    TEST_ASSERT_TRUE(most_clauses > 3900);
}

static void test_quarters(void) {
    term_t go = flag("go"), x = add_cell("x", SORT_F32, true, f32(0));
    term_t up = term_ite(&ts, below(x, 50.F), add(x, 0.25F), x);
    term_t down = term_ite(&ts, above(x, -50.F), add(x, -0.25F), x);
    sys.cells.data[0].next = term_ite(&ts, go, up, down);
    TEST_ASSERT_EQUAL_INT(1, deads(equal(x, 7.125F)));
    TEST_ASSERT_EQUAL_INT(0, deads(equal(x, -7.25F)));
    TEST_ASSERT_EQUAL_INT(1, deads(above(x, 50.F)));
}

/* The last value of a ramp, in another cell. */
static void test_a_copy(void) {
    term_t x = ramp(0.25F, 8.F), last = add_cell("last", SORT_F32, true, f32(0));
    sys.cells.data[1].next = x;
    TEST_ASSERT_EQUAL_INT(1, deads(equal(last, 4.125F)));
    TEST_ASSERT_EQUAL_INT(0, deads(equal(last, 4.25F)));
}

/* It may begin anywhere: no gaps. */
static void test_no_gaps(void) {
    term_t x = ramp(0.25F, 8.F);
    sys.cells.data[0].next =
        term_ite(&ts, flag("set"), add_input("to", SORT_F32, true), sys.cells.data[0].next);
    TEST_ASSERT_EQUAL_INT(0, deads(equal(x, 4.125F)));
}

/* ---- random systems against all their states ---- */

enum { SYSTEMS = 1000, STATES_MOST = 40000, CELLS = 2 };

struct states {
    VEC(uint64_t) bits; /* two cells each */
    struct map known;
};

static void state_add(struct states *all, uint64_t a, uint64_t b) {
    if (map_get(&all->known, a << 8 | b))
        return;
    map_put(&all->known, a << 8 | b, 1);
    vec_push(&all->bits, a);
    vec_push(&all->bits, b);
}

/* The inputs are the first two variables, the cells follow. False: too many to count. */
static bool enumerate(struct states *all) {
    term_t roots[CELLS] = {sys.cells.data[0].init, sys.cells.data[1].init};
    uint64_t *values = mem_zalloc(ts.nodes.len, sizeof *values), vars[2 + CELLS] = {0};
    term_eval(&ts, roots, CELLS, vars, values);
    state_add(all, values[roots[0]], values[roots[1]]);
    for (int i = 0; i < CELLS; i++)
        roots[i] = sys.cells.data[i].next;
    for (size_t at = 0; at < all->bits.len && all->bits.len < STATES_MOST; at += CELLS)
        for (uint64_t in = 0; in < 4; in++) {
            uint64_t now[2 + CELLS] = {in & 1, in >> 1, all->bits.data[at], all->bits.data[at + 1]};
            term_eval(&ts, roots, CELLS, now, values);
            state_add(all, values[roots[0]], values[roots[1]]);
        }
    mem_free(values);
    return all->bits.len < STATES_MOST;
}

static bool is_hit(const struct states *all, term_t hit) {
    uint64_t *values = mem_zalloc(ts.nodes.len, sizeof *values);
    bool met = false;
    for (size_t at = 0; at < all->bits.len && !met; at += CELLS) {
        uint64_t now[2 + CELLS] = {0, 0, all->bits.data[at], all->bits.data[at + 1]};
        term_eval(&ts, &hit, 1, now, values);
        met = values[hit] == 1;
    }
    mem_free(values);
    return met;
}

static float some_step(struct rng *rng) {
    static const float steps[] = {0.25F, 0.1F, 0.3F, 1.F, 0.05F, 3.F, 0.7F};
    return steps[rng_below(rng, 7)];
}

/* x moves by constants, up to an end where it holds, turns back or starts again; n counts in
 * strides. */
static void random_system(struct rng *rng) {
    term_t a = flag("a"), b = flag("b");
    float end = 1.F + (float)rng_below(rng, 3), first = rng_below(rng, 3) ? 0.F : some_step(rng);
    term_t x = add_cell("x", SORT_F32, true, f32(first));
    term_t n = add_cell("n", 8, rng_below(rng, 2), term_int(&ts, 8, (int64_t)rng_below(rng, 4)));
    bool eighths = rng_below(rng, 3) == 0; /* up and down, without rounding */
    term_t up = add(x, eighths ? 0.25F : some_step(rng));
    term_t stay = eighths ? add(x, -0.125F) : rng_below(rng, 4) ? x : up;
    term_t at_end = rng_below(rng, 2) ? f32(first) : x;
    term_t far = rng_below(rng, 2) ? above(x, end) : above(up, end);
    term_t low = below(x, -end);
    sys.cells.data[0].next =
        term_ite(&ts, a, term_ite(&ts, far, at_end, up), term_ite(&ts, low, f32(first), stay));
    term_t by = term_int(&ts, 8, 2 + (int64_t)rng_below(rng, 6));
    term_t on = term_op2(&ts, OP_ULT, n, term_int(&ts, 8, 40 + (int64_t)rng_below(rng, 100)));
    sys.cells.data[1].next = term_ite(&ts, term_and(&ts, b, on), term_op2(&ts, OP_ADD, n, by), n);
}

static term_t random_hit(struct rng *rng) {
    term_t x = sys.cells.data[0].var, n = sys.cells.data[1].var;
    float at = (float)((int)rng_below(rng, 80) - 20) / 8;
    switch (rng_below(rng, 4)) {
    case 0:
        return equal(x, at);
    case 1:
        return term_and(&ts, above(x, at), below(x, at + 0.05F));
    case 2:
        return term_eq(&ts, n, term_int(&ts, 8, (int64_t)rng_below(rng, 100)));
    default:
        return term_and(&ts, equal(x, at), term_eq(&ts, n, term_int(&ts, 8, 6)));
    }
}

static void test_random_systems(void) {
    struct rng rng;
    int counted = 0, dead = 0, proved = 0;
    rng_init(&rng, 4711);
    for (int i = 0; i < SYSTEMS; i++) {
        struct states all = {0};
        random_system(&rng);
        term_t hit = random_hit(&rng);
        if (enumerate(&all)) {
            bool met = is_hit(&all, hit);
            int claims = deads(hit);
            TEST_ASSERT_TRUE_MESSAGE(!met || claims == 0, "a state hits what is said to be dead");
            counted++;
            dead += !met;
            proved += claims;
        }
        vec_free(&all.bits);
        map_free(&all.known);
        tearDown();
        setUp();
    }
    printf("%d systems counted, %d targets dead, %d proved\n", counted, dead, proved);
    TEST_ASSERT_TRUE(counted > SYSTEMS / 2 && dead > SYSTEMS / 4);
    TEST_ASSERT_TRUE(10 * proved > 9 * dead);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_a_ramp_misses_its_end);
    RUN_TEST(test_a_ramp_meets_its_end);
    RUN_TEST(test_a_long_ramp);
    RUN_TEST(test_quarters);
    RUN_TEST(test_a_copy);
    RUN_TEST(test_no_gaps);
    RUN_TEST(test_random_systems);
    return UNITY_END();
}
