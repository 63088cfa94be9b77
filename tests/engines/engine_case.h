/* engine_case: one system to build, engines to run on it, and what they say, checked as it comes.
 *
 *     term_t n = add_cell("n", 16, true, i16(0));
 *     sys.cells.data[0].next = ...;
 *     uint32_t target = add_target("n > 100", ...);
 *     TEST_ASSERT_EQUAL_INT(1, run("ic3", target, 0).deads);
 *
 * Hits must run in the model, proofs and lemmas must pass the independent check.
 */
#ifndef TESTS_ENGINES_ENGINE_CASE_H
#define TESTS_ENGINES_ENGINE_CASE_H

#include "engines/engine.h"
#include "engines/invariant/trim.h"
#include "model/system/machine.h"

#include "unity.h"

static struct terms ts;
static struct system sys;

static const struct invariant *known; /* lemmas to start with */

struct findings {
    int interrupted; /* steps that ended with their budget */
    int hits, deads, bounds, lemmas;
    uint32_t depth;
    uint32_t trace_steps;
};

void setUp(void) {
    terms_init(&ts);
    system_init(&sys, &ts);
    sys.init_ok = sys.step_ok = term_bool(&ts, true);
    sys.unspecified = sys.init_unspecified = term_bool(&ts, false);
}

void tearDown(void) {
    system_free(&sys);
    terms_free(&ts);
}

static inline term_t add_cell(const char *name, sort_t sort, bool is_signed, term_t init) {
    struct cell cell = {.name = name, .init = init};
    cell.var = cell.next = term_var(&ts, name, sort, is_signed);
    vec_push(&sys.cells, cell);
    return cell.var;
}

static inline term_t add_input(const char *name, sort_t sort, bool is_signed) {
    struct sys_input input = {.name = name, .module_input = (uint32_t)sys.inputs.len};
    input.var = term_var(&ts, name, sort, is_signed);
    vec_push(&sys.inputs, input);
    return input.var;
}

static inline uint32_t add_target(const char *name, term_t hit) {
    struct target target = {
        .kind = TARGET_GOAL, .id = (uint32_t)sys.targets.len, .name = name, .hit = hit};
    vec_push(&sys.targets, target);
    return (uint32_t)sys.targets.len - 1;
}

static inline term_t i16(int64_t v) {
    return term_int(&ts, 16, v);
}

static inline void on_fact(void *context, const struct fact *fact) {
    struct findings *found = context;
    struct str what = {0};
    switch (fact->kind) {
    case FACT_HIT:
        found->hits++;
        found->trace_steps = fact->trace.n_steps;
        TEST_ASSERT_TRUE(trace_hits(&sys, &fact->trace, fact->target));
        break;
    case FACT_DEAD:
        found->deads++;
        TEST_ASSERT_EQUAL_INT_MESSAGE(
            SOLVER_UNSAT, invariant_check(&sys, &fact->invariant, 0, &what), str_text(&what));
        break;
    case FACT_BOUND:
        found->bounds++;
        found->depth = fact->depth;
        break;
    case FACT_LEMMA:
        found->lemmas++;
        TEST_ASSERT_EQUAL_INT(SOLVER_UNSAT, invariant_check(&sys, &fact->invariant, 0, &what));
        break;
    }
    str_free(&what);
}

/* At most so many steps of so many ticks. */
static inline struct findings run_steps(const char *name, uint32_t target, uint32_t max_depth,
                                        int steps, uint64_t ticks) {
    struct findings found = {0};
    struct engine_input input = {
        .sys = &sys, .targets = &target, .n_targets = 1, .report = on_fact, .context = &found};
    input.lemmas = known;
    input.options.knobs = knobs_default;
    input.options.max_depth = max_depth;
    const struct engine *engine = engine_find(name)->engine;
    void *state = engine->open(&input);
    for (int i = 0; i < steps && engine->step(state, ticks) == ENGINE_MORE; i++)
        found.interrupted++;
    engine->close(state);
    return found;
}

static inline struct findings run(const char *name, uint32_t target, uint32_t max_depth) {
    return run_steps(name, target, max_depth, 50, 2000000);
}

#endif
