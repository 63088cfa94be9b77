/* portfolio: what a tool has made of the goals of a module. */
#ifndef BENCH_PORTFOLIO_H
#define BENCH_PORTFOLIO_H

#include <stdbool.h>
#include <stdint.h>

struct outcome {
    int64_t goals, reachable, dead, open;
    double seconds, cpu_seconds;
    int64_t peak_mb;
    const char *note; /* static, NULL: nothing to say */
};

/* `cbmc --cover mcdc` on the sources of the project in `dir`: init functions, then `depth` steps,
 * before each of which the inputs take any value of their ranges. No standard checks. False when it
 * cannot be asked: no CBMC, or inputs that a harness cannot assign. */
bool cover_by_cbmc(const char *dir, unsigned depth, double seconds, struct outcome *outcome);

#endif
