/* simulate: finds reachable probes by running the woven program.
 *
 * Each shard is a process that searches by itself (instrument/native/runtime/search.h): runs of
 * held inputs from snapshots, kept when they show something new. After each simulate_step() the
 * parent collects what the shards have found, in the order of the shards: the way from reset is
 * shortened, confirmed in fresh processes, credited to all probes that it hits, and given to the
 * other shards as a place to start from.
 *
 * Deterministic: the same program, options and sequence of calls give the same news. (Only the
 * watchdog for endless steps looks at a clock.) Constraints of the project end a run where they
 * fail; a use of an unspecified value ends it too, so nothing found rests on one.
 *
 *     struct simulation *sim = simulate_open(&program, &(struct simulate_options){.seed = 1}, err);
 *     struct simulate_news news = {0};
 *     while (wanted && simulate_step(sim, 10000000, &news, err))
 *         for (size_t i = 0; i < news.scenarios.len; i++)
 *             take(&news.scenarios.data[i]);
 *     simulate_news_free(&news);
 *     simulate_close(sim);
 */
#ifndef INSTRUMENT_NATIVE_SIMULATE_H
#define INSTRUMENT_NATIVE_SIMULATE_H

#include "instrument/native/scenario.h"

struct simulate_options {
    uint64_t seed;
    unsigned shards;        /* processes; 0: one per core. Part of what determines the result */
    uint32_t max_length;    /* steps of one run, 0: 100000 */
    uint32_t max_depth;     /* steps from reset, 0: 1000000 */
    uint64_t shorten_steps; /* effort for shortening one scenario, 0: 1000000 */
    bool replay_first;      /* what only a search needs is built when the first one begins */
    /* asked between finds: true leaves the rest of them and returns; NULL: never */
    bool (*stop)(void *context);
    void *stop_context;
};

/* The program did something that ends a run for good. */
struct simulate_crash {
    enum native_end end;
    uint32_t step;
    struct input_events events; /* from reset; empty when the process was lost with them */
};

struct simulate_news {
    VEC(struct scenario) scenarios; /* confirmed; `hits` lists what was not known before */
    VEC(struct simulate_crash) crashes;
};

struct simulation;

/* Compiles three builds of the program; everything in `program` must outlive the simulation. */
struct simulation *simulate_open(const struct native_program *program,
                                 const struct simulate_options *options, struct err *err);
void simulate_close(struct simulation *sim); /* NULL is allowed */

/* About so many steps in all shards together. The news replace those of the call before; `news` is
 * zeroed before its first use. False when no shard can be run any more. */
bool simulate_step(struct simulation *sim, uint64_t steps, struct simulate_news *news,
                   struct err *err);
void simulate_news_free(struct simulate_news *news);

/* A probe that needs no witness any more: decided by somebody else. */
void simulate_know(struct simulation *sim, uint32_t probe);
bool simulate_knows(const struct simulation *sim, uint32_t probe);

/* Inputs found by another engine: the searches go on from where they lead to. */
bool simulate_learn(struct simulation *sim, const struct input_events *events, uint32_t n_steps,
                    struct err *err);

/* The smallest and the largest value met of each state cell, as bits, by module.state. Met, not
 * all that is possible. `seen` is false where nothing is known (pointers). */
struct simulate_cell {
    uint64_t min, max;
    bool seen;
};
const struct simulate_cell *simulate_cells(const struct simulation *sim);

struct simulate_statistics {
    uint64_t steps, runs, entries; /* of all shards */
    uint32_t found;                /* probes with a confirmed scenario */
    uint32_t unconfirmed; /* finds that depended on an unspecified value or did not repeat */
    uint32_t restarts;    /* shards that died */
    double cpu_seconds;   /* a core, spent on searching: what it takes on a machine of its own */
};
struct simulate_statistics simulate_statistics(const struct simulation *sim);

/* The builds for confirming what other engines find; NATIVE_ZERO and NATIVE_PATTERN. */
struct native *simulate_zero(struct simulation *sim);
struct native *simulate_pattern(struct simulation *sim);

#endif
