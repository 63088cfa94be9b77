#include "bench/engines.h"

#include "engines/unroll.h"

#include <stdio.h>
#include <time.h>

static void take_fact(void *context, const struct fact *fact) {
    struct result *result = context;
    if (fact->kind == FACT_HIT)
        result->verdict = TRUTH_REACHABLE;
    else if (fact->kind == FACT_DEAD)
        result->verdict = TRUTH_DEAD;
}

static double cpu_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

bool attempt_model(const char *engine, const char *settings, const struct bench_goal *goal,
                   const struct attempt_limits *limits, struct result *result) {
    struct err err = {0};
    struct slice slice;
    uint32_t target = 0;
    slice_make(&slice, &goal->module->sys, &goal->target, 1);
    struct engine_input input = {.sys = &slice.sys,
                                 .targets = &target,
                                 .n_targets = 1,
                                 .report = take_fact,
                                 .context = result,
                                 .options = {.seed = 1, .knobs = knobs_default}};
    if (!knobs_set_all(&input.options.knobs, settings, &err)) {
        err_print(&err);
        return false;
    }
    const struct engine *e = engine_find(engine)->engine;
    double start = cpu_seconds();
    void *run = e->open(&input);
    e->step(run, limits->ticks);
    result->seconds = cpu_seconds() - start;
    e->close(run);
    slice_free(&slice);
    return true;
}

bool hit_from_some_state(const struct bench_goal *goal) {
    struct solver *solver = solver_new(&(struct solver_options){.seed = 1});
    struct unroll u;
    unroll_init(&u, &goal->module->sys, solver, UNROLL_FROM_ANY, NULL);
    unroll_to(&u, 0);
    struct slit hit =
        slit_true(unroll_term(&u, 0, goal->module->sys.targets.data[goal->target].hit));
    enum solver_result result = solver_solve(solver, &hit, 1, 5000000);
    unroll_free(&u);
    solver_free(solver);
    return result == SOLVER_SAT;
}
