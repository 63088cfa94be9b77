/* Every model engine on random systems, against exhaustive search: no fact may contradict it.
 *
 *   hit    the trace runs in the model and hits, not earlier than the oracle says is possible
 *   dead   the oracle reaches none of the targets; the clauses hold in every reachable state
 *   bound  the oracle hits the target later or never
 *   lemma  the clauses hold in every reachable state
 *
 * GK_TEST_SCALE=100 takes a hundred times as many systems, GK_TEST_SEED=7 others. Every ninth is
 * gone through in steps so short that they interrupt everything, every third has derived cells.
 */
#include "engines/engine.h"
#include "engines/invariant/trim.h"
#include "engines/candidates.h"
#include "explicit.h"
#include "share.h"
#include "model/system/machine.h"
#include "model/term/eval.h"

#include "unity.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    SYSTEMS = 1000 / SHARE,
    ORACLE_STEPS = 20000,
    ROUNDS = 20,
    ROUND_TICKS = 20000,
    SHORT_ROUNDS = 300,
    SHORT_TICKS = 150,
    MAX_DEPTH = 30,
    CHECK_TICKS = 1000000
};

struct context {
    struct random_system *r;
    const struct explicit_result *truth;
    size_t n_cells; /* of its states: engines may add derived ones */
    const char *engine;
    const char *setting; /* a knob, NULL: as they are */
    uint64_t seed;
    size_t hits, deads, bounds, lemmas, unchecked, derived;
};

void setUp(void) {
}
void tearDown(void) {
}

static void expect(const struct context *c, bool holds, const char *what, const struct fact *fact) {
    if (holds)
        return;
    struct str message = {0};
    str_addf(&message, "engine %s %s, system with seed %llu: %s\n", c->engine,
             c->setting ? c->setting : "", (unsigned long long)c->seed, what);
    fact_write(fact, &c->r->sys, &message);
    system_write(&c->r->sys, &message);
    TEST_FAIL_MESSAGE(str_text(&message));
}

/* A state that was seen, and the values in it of cells that engines have derived since. */
static void complete_state(const struct context *c, const uint64_t *seen, uint64_t *cells) {
    const struct system *sys = &c->r->sys;
    VEC(uint64_t) vars = {0}, values = {0};
    vec_resize_zero(&vars, sys->terms->vars.len);
    vec_resize_zero(&values, sys->terms->nodes.len);
    for (size_t i = 0; i < sys->cells.len; i++) {
        const struct cell *cell = &sys->cells.data[i];
        if (i < c->n_cells) {
            cells[i] = seen[i];
        } else {
            term_eval(sys->terms, &cell->is, 1, vars.data, values.data);
            cells[i] = values.data[cell->is];
        }
        vars.data[term_get(sys->terms, cell->var)->payload] = cells[i];
    }
    vec_free(&vars);
    vec_free(&values);
}

static bool holds_everywhere(const struct context *c, const struct invariant *inv) {
    const struct system *sys = &c->r->sys;
    VEC(uint64_t) cells = {0};
    bool holds = true;
    vec_resize_zero(&cells, sys->cells.len + 1);
    for (size_t s = 0; holds && s < c->truth->states; s++) {
        complete_state(c, c->truth->cells.data + s * c->n_cells, cells.data);
        for (size_t i = 0; holds && i < inv->clauses.len; i++)
            holds = clause_holds(&inv->clauses.data[i], sys, cells.data);
    }
    vec_free(&cells);
    return holds;
}

static void check_dead(struct context *c, const struct fact *fact) {
    const struct invariant *inv = &fact->invariant;
    for (size_t i = 0; i < inv->targets.len; i++) {
        expect(c, c->truth->depth.data[inv->targets.data[i]] == NONE, "a reachable target is dead",
               fact);
        c->deads++;
    }
    expect(c, holds_everywhere(c, inv), "a clause does not hold in a reachable state", fact);
    struct system sys = c->r->sys;
    enum solver_result result = invariant_check(&sys, inv, CHECK_TICKS, NULL);
    expect(c, result != SOLVER_SAT, "the proof does not check", fact);
    c->unchecked += result == SOLVER_UNKNOWN;
}

static void on_fact(void *context, const struct fact *fact) {
    struct context *c = context;
    switch (fact->kind) {
    case FACT_HIT:
        c->hits++;
        expect(c, trace_hits(&c->r->sys, &fact->trace, fact->target), "the trace does not hit",
               fact);
        expect(c, fact->trace.n_steps >= c->truth->defined.data[fact->target],
               "the trace is shorter than possible", fact);
        break;
    case FACT_DEAD:
        check_dead(c, fact);
        break;
    case FACT_BOUND:
        c->bounds++;
        expect(c, c->truth->depth.data[fact->target] > fact->depth, "the bound is wrong", fact);
        break;
    case FACT_LEMMA:
        c->lemmas++;
        expect(c, holds_everywhere(c, &fact->invariant), "a lemma does not hold", fact);
        break;
    }
}

static void run_engine(struct context *c, const struct engine *engine, const uint32_t *targets,
                       size_t n) {
    struct engine_input input = {.sys = &c->r->sys, .targets = targets, .n_targets = n};
    input.report = on_fact;
    input.context = c;
    input.options.seed = c->seed;
    input.options.knobs = knobs_default;
    input.options.knobs.itp_check = true;
    input.options.max_depth = MAX_DEPTH;
    if (c->setting)
        TEST_ASSERT_TRUE(knobs_set_all(&input.options.knobs, c->setting, &(struct err){0}));
    void *state = engine->open(&input);
    bool brief = c->seed % 9 == 8;
    int rounds = brief ? SHORT_ROUNDS : ROUNDS;
    uint64_t ticks = brief ? SHORT_TICKS : ROUND_TICKS;
    for (int i = 0; i < rounds && engine->step(state, ticks) == ENGINE_MORE; i++)
        ;
    engine->close(state);
}

static void run_on_system(struct context *c, const struct engine_row *row) {
    uint32_t targets[16];
    size_t n = c->r->sys.targets.len;
    TEST_ASSERT_TRUE(n <= 16);
    for (uint32_t t = 0; t < n; t++)
        targets[t] = t;
    bool at_once = engine_does(row, ENGINE_AT_ONCE);
    if (at_once)
        run_engine(c, row->engine, targets, n);
    for (uint32_t t = 0; t < n && !at_once; t++)
        run_engine(c, row->engine, &targets[t], 1);
}

static void compare_on(uint64_t seed, const struct random_options *options, struct context *sums) {
    struct random_system r;
    struct explicit_result truth;
    random_system_make(&r, options);
    if (seed % 3 == 1)
        candidates_derive(&r.sys, 6);
    sums->derived += r.sys.cells.len > 0 && vec_last(&r.sys.cells).is != 0;
    size_t n_cells = r.sys.cells.len;
    explicit_search(&r, ORACLE_STEPS, &truth);
    if (truth.complete) {
        struct context c = *sums;
        c.r = &r;
        c.truth = &truth;
        c.n_cells = n_cells;
        c.seed = seed;
        run_on_system(&c, engine_find(sums->engine));
        *sums = c;
    }
    explicit_free(&truth);
    random_system_free(&r);
}

static uint64_t number_from(const char *variable, uint64_t otherwise) {
    const char *text = getenv(variable);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

static struct context compare_with(const char *name, const char *setting, uint64_t from,
                                   uint64_t to) {
    struct context sums = {.engine = name, .setting = setting};
    uint64_t first = number_from("GK_TEST_SEED", 0);
    for (uint64_t seed = first + from; seed < first + to; seed++) {
        struct random_options options = {.seed = seed,
                                         .floats = seed % 2,
                                         .unspecified = seed % 3 == 0,
                                         .overruns = seed % 5 == 0,
                                         .lone_hits = seed % 7 == 0,
                                         .max_cells = seed % 4 == 3 ? 6 : 0,
                                         .depth = seed % 11 == 10 ? 4 : 0};
        compare_on(seed, &options, &sums);
    }
    printf("%s %s: %zu hits, %zu dead, %zu bounds, %zu lemmas, %zu too hard to check\n", name,
           setting ? setting : "", sums.hits, sums.deads, sums.bounds, sums.lemmas, sums.unchecked);
    TEST_ASSERT_LESS_OR_EQUAL_size_t(1 + sums.deads / 50, sums.unchecked);
    return sums;
}

static struct context compare_engine(const char *name) {
    return compare_with(name, NULL, 0, SYSTEMS * number_from("GK_TEST_SCALE", 1));
}

static void test_bmc(void) {
    TEST_ASSERT_GREATER_THAN_size_t(SYSTEMS / 3, compare_engine("bmc").hits);
}

static void test_kind(void) {
    TEST_ASSERT_GREATER_THAN_size_t(SYSTEMS / 6, compare_engine("kind").deads);
}

static void test_ic3(void) {
    TEST_ASSERT_GREATER_THAN_size_t(SYSTEMS / 6, compare_engine("ic3").deads);
}

/* Every technique switched the other way, and the configurations of the ablation. */
static void test_ic3_settings(void) {
    static const char *const settings[] = {
        "ind=0 no-abort no-bound-generalisation no-gentr no-interval-lifting",
        "ind=0 no-abort no-gentr no-interval-lifting",
        "ind=0 no-abort literal-dropping",
        "ind=0 no-abort",
        "ind=0",
        "ind=1",
        "ind=4",
        "no-interval-lifting",
        "no-gentr",
        "no-bound-generalisation",
        "no-activity-order",
        "no-share-lemmas",
        "no-raise",
        "no-cone",
        "no-stretch",
        "no-stretch no-raise",
        "ctg-limit=0",
        "literal-dropping ctg-depth=0",
        "literal-dropping ctg-depth=3 ctg-limit=10",
        "ind=0 abort-after=1",
        "ind=0 abort-after=2 no-share-lemmas",
        "ind=1 abort-after=1 literal-dropping no-interval-lifting",
        "no-remember no-weak-cores",
        "restart-at-frame abort-after=1",
        "shuffle-first shuffle-lift",
        "ind=0 clean-steps",
        "ic3.preset=paper",
        "ic3.preset=paper ind=0 abort-after=1",
        "ic3.preset=paper ind=0 no-abort no-bound-generalisation no-gentr",
        "ic3.preset=paper literal-dropping",
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        struct context sums = compare_with("ic3", settings[i], 1000,
                                           1000 + SYSTEMS / 2 * number_from("GK_TEST_SCALE", 1));
        TEST_ASSERT_GREATER_THAN_size_t_MESSAGE(SYSTEMS / 12, sums.deads, settings[i]);
        TEST_ASSERT_GREATER_THAN_size_t_MESSAGE(SYSTEMS / 12, sums.hits, settings[i]);
    }
}

static void test_cfa(void) {
    struct context sums = compare_engine("cfa");
    TEST_ASSERT_GREATER_THAN_size_t(SYSTEMS / 6, sums.deads);
    TEST_ASSERT_GREATER_THAN_size_t(SYSTEMS / 6, sums.hits);
}

static void test_cfa_settings(void) {
    static const char *const settings[] = {
        "cfa-generalise=0",
        "cfa-generalise=0 no-cfa-relative",
        "cfa-generalise=1",
        "cfa-generalise=1 no-cfa-relative",
        "no-cfa-relative",
        "no-cfa-relative no-cfa-precubes no-cfa-cache no-cfa-cache-lower",
        "no-cfa-relative no-cfa-precubes",
        "no-cfa-relative no-cfa-cache-lower",
        "no-cfa-reuse",
        "no-cfa-wep no-cfa-relative",
        "cfa-subsume",
        "cfa-solver=0",
        "cfa-order=1 cfa-values=4",
        "cfa-order=2 cfa-values=0",
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        struct context sums = compare_with("cfa", settings[i], 1000,
                                           1000 + SYSTEMS / 2 * number_from("GK_TEST_SCALE", 1));
        TEST_ASSERT_GREATER_THAN_size_t_MESSAGE(SYSTEMS / 12, sums.deads, settings[i]);
        TEST_ASSERT_GREATER_THAN_size_t_MESSAGE(SYSTEMS / 12, sums.hits, settings[i]);
    }
}

static void test_itp(void) {
    TEST_ASSERT_GREATER_THAN_size_t(SYSTEMS / 6, compare_engine("itp").deads);
}

static void test_ia(void) {
    struct context sums = compare_engine("ia");
    TEST_ASSERT_GREATER_THAN_size_t(SYSTEMS / 6, sums.deads);
    TEST_ASSERT_GREATER_THAN_size_t(SYSTEMS / 6, sums.hits);
}

static void test_ia_settings(void) {
    static const char *const settings[] = {"ia-start=0", "ia-start=2 ia-drop=0", "ia-drop=100"};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        struct context sums = compare_with("ia", settings[i], 1000,
                                           1000 + SYSTEMS / 4 * number_from("GK_TEST_SCALE", 1));
        TEST_ASSERT_GREATER_THAN_size_t_MESSAGE(SYSTEMS / 24, sums.deads, settings[i]);
        TEST_ASSERT_GREATER_THAN_size_t_MESSAGE(SYSTEMS / 24, sums.hits, settings[i]);
    }
}

static void test_houdini(void) {
    struct context sums = compare_engine("houdini");
    TEST_ASSERT_GREATER_THAN_size_t(SYSTEMS / 6, sums.deads + sums.lemmas);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_bmc);
    RUN_TEST(test_kind);
    RUN_TEST(test_ic3);
    RUN_TEST(test_ic3_settings);
    RUN_TEST(test_cfa);
    RUN_TEST(test_cfa_settings);
    RUN_TEST(test_itp);
    RUN_TEST(test_ia);
    RUN_TEST(test_ia_settings);
    RUN_TEST(test_houdini);
    return UNITY_END();
}
