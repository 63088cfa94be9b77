/* simulated: a simulation of a hand-woven program, and its finds once more without it. */
#ifndef TESTS_SIMULATED_H
#define TESTS_SIMULATED_H

#include "instrument/native/simulate.h"
#include "native_program.h"

#include "unity.h"

static inline struct simulation *open_simulation(const struct native_program *program,
                                                 uint64_t seed, unsigned shards) {
    struct err err = {0};
    struct simulate_options options = {.seed = seed, .shards = shards};
    struct simulation *sim = simulate_open(program, &options, &err);
    must(sim != NULL, &err);
    return sim;
}

/* Every hit that is credited must repeat in a process that knows nothing of the search. */
static inline void check_hits(struct simulation *sim, const struct scenario *s) {
    struct err err = {0};
    struct native_run run = {.events = &s->events, .n_steps = s->n_steps, .fresh = true};
    struct native_result result = {0};
    must(native_replay(simulate_zero(sim), &run, &result, &err), &err);
    TEST_ASSERT_GREATER_THAN(0, s->hits.len);
    for (size_t i = 0; i < s->hits.len; i++) {
        struct probe_hit hit = s->hits.data[i];
        TEST_ASSERT_EQUAL_UINT32(hit.step, result.first_hit.data[hit.probe].step);
        TEST_ASSERT_FALSE(result.first_hit.data[hit.probe].tainted);
    }
    native_result_free(&result);
}

#endif
