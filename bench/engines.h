/* engines: what the parts of the benchmark of engines share.
 *
 *     engines.c          arguments, attempts side by side, the table
 *     engines_goals.c    the set of goals, from samples and generated modules
 *     engines_attempt.c  one engine of the model on one goal
 *     engines_simulate.c native simulation of a module
 *     engines_cbmc.c     k-induction by CBMC on one goal, on the woven program
 */
#ifndef BENCH_ENGINES_H
#define BENCH_ENGINES_H

#include "app/project/read.h"
#include "bench/generate_module.h"
#include "engines/engine.h"
#include "instrument/cbmc/cbmc.h"
#include "instrument/lower/lower.h"
#include "instrument/weave/weave.h"

struct bench_module {
    struct project project;
    struct woven woven;
    struct terms terms;
    struct system sys;
    struct lowered lowered;
    const char *name;
};

struct bench_goal {
    struct bench_module *module;
    uint32_t target, probe;
    enum truth truth;
    bool needs_state;  /* dead, but not from every state */
    const char *block; /* of a generated module, or the sample */
    int line;          /* 0 in samples */
};
VEC_STRUCT(bench_goals, struct bench_goal);

/* Modules and goals, read-only once collected. */
struct bench_set {
    struct arena arena;
    struct str dir;
    VEC(struct bench_module *) modules;
    struct bench_goals goals;
};
/* Only goals whose name, "MODULE:LINE" (in samples "MODULE:PROBE"), contains `only`; NULL: all. */
bool bench_set_collect(struct bench_set *set, uint64_t seed, const char *only, struct err *err);
/* Modules of the kinds of generate_hard.def, all their goals. */
bool bench_set_hard(struct bench_set *set, uint64_t seed, unsigned modules, unsigned lines,
                    struct err *err);
void bench_set_free(struct bench_set *set);

/* In memory that all processes share. */
struct result {
    enum truth verdict; /* TRUTH_UNKNOWN: unsolved */
    double seconds;
};

struct attempt_limits {
    uint64_t ticks;
    double cbmc_seconds; /* CPU time of all runs of CBMC for one goal */
    uint64_t memory_mb;
    const struct cbmc *cbmc; /* NULL: there is none */
};

/* Both fill `result`, in a process of their own. */
bool attempt_model(const char *engine, const char *settings, const struct bench_goal *goal,
                   const struct attempt_limits *limits, struct result *result);
/* Some state that meets no invariant hits the goal in its next step. */
bool hit_from_some_state(const struct bench_goal *goal);
bool attempt_cbmc_kind(const struct bench_goal *goal, const struct attempt_limits *limits,
                       struct result *result);

/* Simulates a module for so many steps; known[probe] for what was hit. */
bool simulate_module(const struct bench_module *m, uint64_t steps, bool *known, struct err *err);

#endif
