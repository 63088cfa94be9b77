/* Modules in the style of generated code (data/state): lines marked as dead are dead because of
 * what the state can be, and the invariants that say so are found by one engine alone, within a few
 * of its first budgets. Every proof is checked anew, and no goal that a short random run hits is
 * among the dead ones. */
#include "app/project/read.h"
#include "base/file.h"
#include "base/rng.h"
#include "engines/candidates.h"
#include "engines/engine.h"
#include "engines/invariant/trim.h"
#include "instrument/lower/lower.h"
#include "instrument/weave/weave.h"
#include "model/system/machine.h"

#include "unity.h"

#include <string.h>

#define DATA GK_SOURCE_DIR "/tests/app/data/state/"

enum { STEPS = 3000, ROUNDS = 4 };

static struct arena arena;
static struct err err;
static struct woven woven;
static struct project project;
static struct terms terms;
static struct system sys;
static struct lowered lowered;
static VEC(bool) dead; /* [target] */

void setUp(void) {
}
void tearDown(void) {
    lowered_free(&lowered);
    system_free(&sys);
    terms_free(&terms);
    woven_free(&woven);
    project_free(&project);
    vec_free(&dead);
    arena_free(&arena);
    err_clear(&err);
}

static void expect(bool ok) {
    TEST_ASSERT_TRUE_MESSAGE(ok, str_text(&err.message));
}

static void open_module(const char *name) {
    woven = (struct woven){0};
    project = (struct project){0};
    lowered = (struct lowered){0};
    expect(project_read(arena_printf(&arena, DATA "%s.json", name), &project, &err));
    expect(weave(&project, &woven, &err));
    terms_init(&terms);
    system_init(&sys, &terms);
    struct lower_options options = {.n_probes = woven.goals.n_probes};
    expect(lower(str_text(&woven.text), &woven.module, &options, &sys, &lowered, &err));
    vec_resize_zero(&dead, sys.targets.len);
}

/* ---- the engine ---- */

static void on_fact(void *context, const struct fact *fact) {
    (void)context;
    struct str what = {0};
    if (fact->kind == FACT_DEAD || fact->kind == FACT_LEMMA)
        TEST_ASSERT_EQUAL_INT_MESSAGE(
            SOLVER_UNSAT, invariant_check(&sys, &fact->invariant, 0, &what), str_text(&what));
    if (fact->kind == FACT_DEAD)
        dead.data[fact->target] = true;
    str_free(&what);
}

static void prove(const char *name) {
    VEC(uint32_t) targets = {0};
    for (uint32_t t = 0; t < sys.targets.len; t++)
        vec_push(&targets, t);
    struct engine_input input = {.sys = &sys,
                                 .targets = targets.data,
                                 .n_targets = targets.len,
                                 .report = on_fact,
                                 .options = {.knobs = knobs_default, .seed = 1}};
    const struct engine_row *row = engine_find(name);
    if (engine_does(row, ENGINE_RELATES))
        candidates_derive(&sys, CANDIDATES_MOST);
    void *run = row->engine->open(&input);
    for (int i = 0; i < ROUNDS && row->engine->step(run, row->start_ticks) == ENGINE_MORE; i++)
        ;
    row->engine->close(run);
    vec_free(&targets);
}

/* ---- what it should have found, and what it must not ---- */

static bool is_dead(uint32_t probe) {
    for (uint32_t t = 0; t < sys.targets.len; t++)
        if (sys.targets.data[t].kind == TARGET_GOAL && sys.targets.data[t].id == probe)
            return dead.data[t];
    return false;
}

static void expect_dead(const char *module, int line) {
    bool found = false;
    for (size_t i = 0; i < woven.goals.list.len; i++) {
        const struct goal *g = &woven.goals.list.data[i];
        if (g->kind != GOAL_statement || g->line != line)
            continue;
        found = true;
        TEST_ASSERT_TRUE_MESSAGE(is_dead(g->probe),
                                 arena_printf(&arena, "%s.c:%d is open", module, line));
    }
    TEST_ASSERT_TRUE_MESSAGE(found, arena_printf(&arena, "%s.c:%d: no goal", module, line));
}

static int expect_marked(const char *module) {
    struct str text = {0};
    int line = 1, marked = 0;
    expect(file_read(arena_printf(&arena, DATA "%s.c", module), &text, &err));
    for (const char *at = str_text(&text); at; line++) {
        const char *end = strchr(at, '\n'), *mark = strstr(at, "/* dead */");
        if (mark && end && mark < end) {
            expect_dead(module, line);
            marked++;
        }
        at = end ? end + 1 : NULL;
    }
    str_free(&text);
    return marked;
}

static void random_values(struct rng *rng, uint64_t *values) {
    for (size_t i = 0; i < sys.inputs.len; i++) {
        uint32_t id = sys.inputs.data[i].module_input;
        const struct module_var *in = id == NONE ? NULL : &woven.module.inputs.data[id];
        values[i] = rng_next(rng);
        if (in && in->has_range)
            values[i] = rng_below(rng, 2) ? in->min : in->max;
        sort_t sort = term_sort(&terms, sys.inputs.data[i].var);
        int width = sort_width(sort);
        values[i] &= width < 64 ? (UINT64_C(1) << width) - 1 : UINT64_MAX;
    }
}

static void expect_no_hit_of_dead(void) {
    struct machine m;
    struct rng rng;
    uint64_t values[16];
    TEST_ASSERT_LESS_OR_EQUAL_size_t(16, sys.inputs.len);
    rng_init(&rng, 5);
    machine_init(&m, &sys);
    random_values(&rng, values);
    machine_reset(&m, values);
    for (int i = 0; i < STEPS && !m.ended; i++) {
        if (rng_below(&rng, 8) == 0)
            random_values(&rng, values);
        machine_step(&m, values);
        for (uint32_t t = 0; t < sys.targets.len; t++)
            TEST_ASSERT_FALSE_MESSAGE(dead.data[t] && machine_hit(&m, t), sys.targets.data[t].name);
    }
    machine_free(&m);
}

static void decide_by(const char *engine, const char *module) {
    open_module(module);
    prove(engine);
    TEST_ASSERT_GREATER_THAN_INT(2, expect_marked(module));
    expect_no_hit_of_dead();
}

static void decide(const char *module) {
    decide_by("houdini", module);
}

static void test_counter_reset(void) {
    decide("counter_reset");
}
static void test_counter_down(void) {
    decide("counter_down");
}
static void test_counter_fault(void) {
    decide("counter_fault");
}
static void test_counter_pair(void) {
    decide("counter_pair");
}
/* Three flags in one clause are beyond houdini. */
static void test_flags_three(void) {
    decide_by("ic3", "flags_three");
}
static void test_flags_modes(void) {
    decide("flags_modes");
}
static void test_flags_ranges(void) {
    decide("flags_ranges");
}
static void test_limits_asymmetric(void) {
    decide("limits_asymmetric");
}
static void test_limits_cast(void) {
    decide("limits_cast");
}
static void test_limits_before(void) {
    decide("limits_before");
}
static void test_filter_float(void) {
    decide("filter_float");
}
static void test_filter_double(void) {
    decide("filter_double");
}
static void test_filter_fixed(void) {
    decide("filter_fixed");
}
static void test_relation_limits(void) {
    decide("relation_limits");
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_counter_reset);
    RUN_TEST(test_counter_down);
    RUN_TEST(test_counter_fault);
    RUN_TEST(test_counter_pair);
    RUN_TEST(test_flags_three);
    RUN_TEST(test_flags_modes);
    RUN_TEST(test_flags_ranges);
    RUN_TEST(test_limits_asymmetric);
    RUN_TEST(test_limits_cast);
    RUN_TEST(test_limits_before);
    RUN_TEST(test_filter_float);
    RUN_TEST(test_filter_double);
    RUN_TEST(test_filter_fixed);
    RUN_TEST(test_relation_limits);
    return UNITY_END();
}
