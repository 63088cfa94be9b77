/* bench: what the benchmarks of simulation share. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "app/project/read.h"
#include "instrument/native/simulate.h"
#include "instrument/weave/weave.h"

/* A project, woven. */
struct subject {
    struct project project;
    struct woven woven;
    struct str dir; /* for what is built, removed at the end */
    bool *known;    /* [n_probes] found by coverage_of_simulation() */
};
bool subject_open(struct subject *subject, const char *dir, struct err *err);
void subject_close(struct subject *subject);
struct native_program subject_program(const struct subject *subject);

/* Compiles and links; `sources` are paths, NULL-terminated. */
bool bench_compile(const struct subject *subject, const char *flags, const char *const *sources,
                   const char *executable, struct err *err);

/* Steps a second, for the same recorded inputs: native with all probes, native as simulation
 * compiles it once it knows what coverage_of_simulation() has found, and the loop. */
struct speeds {
    double all_probes, known_probes, loop;
};
bool speed_measure(const struct subject *subject, uint32_t steps, struct speeds *speeds,
                   struct err *err);

/* Number of probes covered; err is set when it could not be measured. */
uint32_t coverage_of_simulation(struct subject *subject, double seconds, unsigned shards,
                                struct simulate_statistics *statistics, struct err *err);
uint32_t coverage_of_fuzzer(const struct subject *subject, double seconds, struct err *err);

#endif
