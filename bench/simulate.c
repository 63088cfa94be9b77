/* bench simulate: how fast simulation is, and how much it covers.
 *
 *     build/bench/simulate [--seconds N] [--shards N] [DIR…]     default: 60, 1, all samples
 *
 * Speed: the same recorded inputs are run by the native runner and by a plain C loop that calls the
 * original step function, compiled with the same optimisation; the rates and their ratio.
 * Simulation compiles probes away that it has found, so it starts with the speed for all probes and
 * goes on with the one for what is left. Coverage: probes covered by simulation and by libFuzzer in
 * the same wall time, one process each. libFuzzer gets the woven program with a harness that holds
 * inputs, its state is reset between executions, and divisions by zero end an execution only. It is
 * 64-bit code, as its run-time library is, so `long` is wider there.
 */
#include "bench/bench.h"

#include "base/file.h"
#include "base/log.h"

#include <stdio.h>
#include <stdlib.h>

enum { SPEED_STEPS = 4000000 };

static const char *const samples[] = {"lane_assist", "cruise_control", "pid_fixed",
                                      "battery_soc", "door_debounce",  "can_guard",
                                      "multi_unit",  "injection_map",  "awkward"};

static void bench_speed(const struct subject *subject) {
    struct err err = {0};
    struct speeds speeds;
    if (!speed_measure(subject, SPEED_STEPS, &speeds, &err)) {
        err_print(&err);
        err_clear(&err);
        return;
    }
    printf("%-16s speed     C loop %7.2f Msteps/s   simulation %7.2f (ratio %.2f)"
           "   with all probes %7.2f (ratio %.2f)\n",
           subject->project.name, speeds.loop / 1e6, speeds.known_probes / 1e6,
           speeds.known_probes / speeds.loop, speeds.all_probes / 1e6,
           speeds.all_probes / speeds.loop);
    fflush(stdout);
}

static void bench_coverage(struct subject *subject, double seconds, unsigned shards) {
    struct err err = {0};
    struct simulate_statistics statistics = {0};
    uint32_t fuzzed = 0;
    uint32_t covered = coverage_of_simulation(subject, seconds, shards, &statistics, &err);
    if (err.code == ERR_NONE)
        fuzzed = coverage_of_fuzzer(subject, seconds, &err);
    if (err.code != ERR_NONE) {
        err_print(&err);
        err_clear(&err);
        return;
    }
    printf("%-16s coverage  simulation %4u   libFuzzer %4u   of %u probes in %.0f s each"
           "   (%.1f Msteps, %u unconfirmed)\n",
           subject->project.name, covered, fuzzed, subject->woven.goals.n_probes, seconds,
           (double)statistics.steps / 1e6, statistics.unconfirmed);
    fflush(stdout);
}

static void bench_one(const char *dir, double seconds, unsigned shards) {
    struct subject subject = {0};
    struct err err = {0};
    if (!subject_open(&subject, dir, &err)) {
        err_print(&err);
        err_clear(&err);
        return;
    }
    bench_coverage(&subject, seconds, shards);
    bench_speed(&subject);
    subject_close(&subject);
}

static double number_option(int argc, char **argv, int *at) {
    if (*at + 1 >= argc) {
        fprintf(stderr, "%s needs a number\n", argv[*at]);
        exit(2);
    }
    return strtod(argv[++*at], NULL);
}

int main(int argc, char **argv) {
    double seconds = 60;
    unsigned shards = 1;
    bool any = false;
    for (int i = 1; i < argc; i++) {
        if (str_same(argv[i], "--seconds"))
            seconds = number_option(argc, argv, &i);
        else if (str_same(argv[i], "--shards"))
            shards = (unsigned)number_option(argc, argv, &i);
        else {
            any = true;
            bench_one(argv[i], seconds, shards);
        }
    }
    for (size_t i = 0; !any && i < sizeof samples / sizeof *samples; i++) {
        struct arena arena = {0};
        bench_one(arena_printf(&arena, "%s/samples/%s", GK_SOURCE_DIR, samples[i]), seconds,
                  shards);
        arena_free(&arena);
    }
    return 0;
}
