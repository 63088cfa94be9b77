/* IC3 on automata: the two-edge example against Theorem 2 of "IC3 software model checking" (its
 * Figs. 3 and 4), and every option on small random automata with nested loops against exhaustive
 * search. GK_TEST_SCALE=100 takes a hundred times as many, GK_TEST_SEED=7 others. */
#include "engines/cfa/ic3cfa.h"
#include "engines/invariant/trim.h"
#include "explicit.h"
#include "model/system/machine.h"

#include "cfa_text.h"
#include "unity.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    AUTOMATA = 1000,
    ORACLE_STEPS = 200000,
    ROUNDS = 10,
    ROUND_TICKS = 400000,
    WIDTH = 3,
    B = 1
};

void setUp(void) {
}
void tearDown(void) {
}

/* ---- Theorem 2 ---- */

static uint32_t add_bool(struct cfa *cfa, const char *name) {
    term_t var = term_var(cfa->terms, name, SORT_BOOL, false);
    vec_push(&cfa->cells, (struct cfa_cell){name, var});
    return (uint32_t)cfa->cells.len - 1;
}

/* B's own edge needs q and r of the cube q, p, r, and q alone if states with q are left out; the
 * other edge into B needs p. A state with q and without p goes to one with both. */
static void make_two_edges(struct cfa *cfa, struct terms *ts) {
    term_t yes = term_bool(ts, true), no = term_bool(ts, false);
    cfa_init(cfa, ts);
    cfa->name = "two edges";
    uint32_t b = cfa_add_location(cfa, CFA_STEP, "B"), a = cfa_add_location(cfa, CFA_LOOP, "A");
    uint32_t q = add_bool(cfa, "q"), p = add_bool(cfa, "p"), r = add_bool(cfa, "r");
    term_t was_q = cfa->cells.data[q].var, was_r = cfa->cells.data[r].var;
    term_t in = term_var(ts, "in", SORT_BOOL, false);
    vec_push(&cfa->inputs, (struct cfa_input){"in", in, 0, 0, a, false, NONE});
    uint32_t start = cfa_add_edge(cfa, 0, a, yes), other = cfa_add_edge(cfa, a, b, yes),
             own = cfa_add_edge(cfa, b, b, yes);
    for (uint32_t i = 0; i < 3; i++)
        cfa_assign(cfa, start, i, no);
    cfa_assign(cfa, other, p, no);
    cfa_assign(cfa, other, q, in);
    cfa_assign(cfa, own, p, was_q);
    cfa_assign(cfa, own, r, term_and(ts, was_r, term_not(ts, was_q)));
}

static void open_run(struct ic3cfa *c, struct engine_input *input, const char *setting) {
    struct err err = {0};
    if (setting)
        TEST_ASSERT_TRUE(knobs_set(&input->options.knobs, setting, &err));
    *c = (struct ic3cfa){.sys = input->sys,
                         .ts = input->sys->terms,
                         .input = input,
                         .knobs = input->options.knobs,
                         .top = 2,
                         .until = UINT64_MAX / 2};
    invariant_init(&c->known);
    automaton_open(c);
}

static void close_run(struct ic3cfa *c) {
    automaton_close(c);
    invariant_free(&c->known);
    vec_free(&c->last.terms);
    vec_free(&c->last.literal);
    vec_free(&c->last.lits);
}

static void check_shortened(struct system *sys, const char *setting) {
    struct ic3cfa c;
    struct engine_input input = {.sys = sys};
    struct cube cube = {0}, unions = {0};
    input.options.knobs = knobs_default;
    open_run(&c, &input, setting);
    TEST_ASSERT_EQUAL_size_t(3, c.places.len);
    for (uint32_t i = 0; i < 3; i++)
        vec_push(&cube, c.cfa.cells.data[i].var);
    vec_append(&unions, cube.data, 2);
    cube_sort(&cube);
    cube_sort(&unions);
    TEST_ASSERT_TRUE(levels_hold(&c, B, &cube, 2, NULL));
    TEST_ASSERT_FALSE(levels_hold(&c, B, &unions, 2, &unions)); /* what Theorem 2 warns of */
    shorten(&c, B, 2, &cube);
    TEST_ASSERT_TRUE_MESSAGE(levels_hold(&c, B, &cube, 2, &cube), setting);
    vec_free(&cube);
    vec_free(&unions);
    close_run(&c);
}

static void test_two_edges(void) {
    static const char *const settings[] = {
        NULL,        "cfa-generalise=0", "cfa-generalise=1", "cfa-generalise=2", "no-cfa-relative",
        "no-cfa-wep"};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        struct terms ts;
        struct cfa cfa;
        struct system sys;
        terms_init(&ts);
        make_two_edges(&cfa, &ts);
        cfa_to_system(&cfa, &sys);
        check_shortened(&sys, settings[i]);
        system_free(&sys);
        cfa_free(&cfa);
        terms_free(&ts);
    }
}

/* ---- random automata ---- */

struct sample {
    struct random_system r; /* .sys is the system of the automaton */
    struct cfa cfa;
    struct rng rng;
    struct terms *ts;
    term_t inputs[8]; /* by location */
};

static term_t pick_value(struct sample *s, uint32_t location) {
    struct terms *ts = s->ts;
    term_t a = s->cfa.cells.data[0].var, b = s->cfa.cells.data[1].var;
    term_t one = term_int(ts, WIDTH, 1), in = s->inputs[location];
    term_t values[] = {term_op2(ts, OP_ADD, a, one), term_op2(ts, OP_SUB, b, one),
                       term_op2(ts, OP_ADD, a, b),   term_op2(ts, OP_BAND, b, in),
                       term_int(ts, WIDTH, 0),       b,
                       term_op2(ts, OP_BXOR, a, in), a};
    return values[rng_below(&s->rng, sizeof values / sizeof *values)];
}

static term_t pick_condition(struct sample *s, uint32_t location) {
    struct terms *ts = s->ts;
    term_t k = term_int(ts, WIDTH, (int64_t)rng_below(&s->rng, 8));
    term_t x = s->cfa.cells.data[rng_below(&s->rng, 2)].var, in = s->inputs[location];
    term_t y = s->cfa.cells.data[rng_below(&s->rng, 2)].var;
    term_t choices[] = {term_op2(ts, OP_ULT, x, k), term_op2(ts, OP_ULE, x, y), term_eq(ts, x, k),
                        term_op2(ts, OP_SLT, y, x), term_op2(ts, OP_ULT, in, x)};
    term_t one = choices[rng_below(&s->rng, 5)], other = choices[rng_below(&s->rng, 5)];
    switch (rng_below(&s->rng, 3)) {
    case 0:
        return term_or(ts, one, other);
    case 1:
        return term_and(ts, one, term_not(ts, other));
    default:
        return one;
    }
}

static void add_way(struct sample *s, uint32_t from, uint32_t to, term_t guard) {
    uint32_t edge = cfa_add_edge(&s->cfa, from, to, guard);
    for (uint32_t cell = 0; cell < 2; cell++)
        if (rng_below(&s->rng, 3) || from == 0)
            cfa_assign(&s->cfa, edge, cell,
                       from == 0 ? term_int(s->ts, WIDTH, (int64_t)rng_below(&s->rng, 8))
                                 : pick_value(s, from));
}

/* Each location stays, goes on, or back to a loop around it; there may be no way. */
static void add_ways(struct sample *s, uint32_t at, uint32_t n) {
    struct terms *ts = s->ts;
    term_t stay = pick_condition(s, at), on = pick_condition(s, at);
    term_t left = term_not(ts, stay);
    add_way(s, at, at, stay);
    add_way(s, at, at < n ? at + 1 : 1, term_and(ts, left, on));
    if (rng_below(&s->rng, 4))
        add_way(s, at, 1 + (uint32_t)rng_below(&s->rng, at), term_and(ts, left, term_not(ts, on)));
}

static void make_sample(struct sample *s, uint64_t seed) {
    memset(s, 0, sizeof *s);
    rng_init(&s->rng, seed);
    s->ts = &s->r.terms;
    terms_init(s->ts);
    cfa_init(&s->cfa, s->ts);
    s->cfa.name = "random";
    uint32_t n = 2 + (uint32_t)rng_below(&s->rng, 3);
    for (uint32_t cell = 0; cell < 2; cell++) {
        const char *name = cell ? "b" : "a";
        vec_push(&s->cfa.cells, (struct cfa_cell){name, term_var(s->ts, name, WIDTH, false)});
    }
    for (uint32_t l = 1; l <= n; l++) {
        cfa_add_location(&s->cfa, l == 1 ? CFA_STEP : CFA_LOOP, "here");
        s->inputs[l] = term_var(s->ts, "in", WIDTH, false);
        vec_push(&s->cfa.inputs, (struct cfa_input){"in", s->inputs[l], 0, l, l, false, NONE});
    }
    add_way(s, 0, 1, term_bool(s->ts, true));
    for (uint32_t l = 1; l <= n; l++)
        add_ways(s, l, n);
    vec_push(&s->cfa.targets, (struct cfa_target){TARGET_GOAL, 0, "goal"});
    uint32_t at = 1 + (uint32_t)rng_below(&s->rng, n);
    term_t hit = term_and(s->ts, pick_condition(s, at), pick_condition(s, at));
    vec_push(&s->cfa.hits, (struct cfa_hit){at, 0, hit});
    cfa_to_system(&s->cfa, &s->r.sys);
    for (size_t i = 0; i < s->r.sys.inputs.len; i++) {
        struct domain d = {.len = 8};
        for (uint64_t v = 0; v < 8; v++)
            d.values[v] = v;
        vec_push(&s->r.domains, d);
    }
}

struct found {
    const struct sample *s;
    const struct explicit_result *truth;
    const char *setting;
    uint64_t seed;
    int hits, deads;
};

static void fail(const struct found *f, const char *what) {
    struct str text = {0};
    str_addf(&text, "seed %llu, %s: %s\n", (unsigned long long)f->seed,
             f->setting ? f->setting : "as it is", what);
    cfa_write(&f->s->cfa, &text);
    TEST_FAIL_MESSAGE(str_text(&text));
}

static void on_fact(void *context, const struct fact *fact) {
    struct found *f = context;
    struct system sys = f->s->r.sys;
    bool reachable = f->truth->depth.data[0] != NONE;
    if (fact->kind == FACT_HIT) {
        f->hits++;
        if (!reachable || !trace_hits(&sys, &fact->trace, 0))
            fail(f, "the trace does not hit");
    }
    if (fact->kind == FACT_DEAD) {
        f->deads++;
        if (reachable)
            fail(f, "a reachable target is dead");
        if (invariant_check(&sys, &fact->invariant, 0, NULL) != SOLVER_UNSAT)
            fail(f, "the proof does not check");
    }
}

static void run_sample(struct sample *s, struct found *f) {
    const struct engine *engine = engine_find("cfa")->engine;
    uint32_t target = 0;
    struct err err = {0};
    struct engine_input input = {
        .sys = &s->r.sys, .targets = &target, .n_targets = 1, .report = on_fact, .context = f};
    input.options.seed = f->seed;
    input.options.knobs = knobs_default;
    if (f->setting)
        TEST_ASSERT_TRUE(knobs_set(&input.options.knobs, f->setting, &err));
    void *run = engine->open(&input);
    for (int i = 0; i < ROUNDS && engine->step(run, ROUND_TICKS) == ENGINE_MORE; i++)
        ;
    engine->close(run);
}

static void free_sample(struct sample *s) {
    cfa_free(&s->cfa);
    random_system_free(&s->r);
}

static uint64_t number_from(const char *variable, uint64_t otherwise) {
    const char *text = getenv(variable);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

static void test_random_automata(void) {
    static const char *const settings[] = {
        NULL,           "cfa-generalise=0",   "cfa-generalise=1", "no-cfa-relative",
        "cfa-order=1",  "cfa-order=2",        "no-cfa-reuse",     "no-cfa-precubes",
        "no-cfa-cache", "no-cfa-cache-lower", "cfa-solver=0",     "cfa-solver=2",
        "no-cfa-wep",   "cfa-subsume"};
    size_t n = sizeof settings / sizeof *settings, asked = 0;
    uint64_t first = number_from("GK_TEST_SEED", 0), scale = number_from("GK_TEST_SCALE", 1);
    int hits = 0, deads = 0;
    for (uint64_t seed = first; seed < first + AUTOMATA * scale; seed++) {
        struct sample s;
        struct explicit_result truth;
        make_sample(&s, seed);
        explicit_search(&s.r, ORACLE_STEPS, &truth);
        struct found f = {.s = &s, .truth = &truth, .setting = settings[seed % n], .seed = seed};
        if (truth.complete)
            run_sample(&s, &f);
        asked += truth.complete;
        hits += f.hits;
        deads += f.deads;
        explicit_free(&truth);
        free_sample(&s);
    }
    printf("%zu automata: %d hits, %d dead\n", asked, hits, deads);
    TEST_ASSERT_GREATER_THAN_size_t(AUTOMATA * scale / 2, asked);
    TEST_ASSERT_GREATER_THAN_INT((int)(asked / 10), deads);
    TEST_ASSERT_GREATER_THAN_INT((int)(asked / 6), hits);
    TEST_ASSERT_GREATER_OR_EQUAL_INT((int)(asked - asked / 50), hits + deads);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_two_edges);
    RUN_TEST(test_random_automata);
    return UNITY_END();
}
