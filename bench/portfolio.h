/* portfolio: what a tool has made of the goals of a module. */
#ifndef BENCH_PORTFOLIO_H
#define BENCH_PORTFOLIO_H

#include <stdbool.h>
#include <stdint.h>

struct outcome {
    int64_t goals, reachable, dead, open;
    double seconds, cpu_seconds;
    int64_t peak_mb;
    bool cut;       /* it ended because its time was up: it would have taken more */
    char note[200]; /* what else is to be said */
};

/* `cbmc --cover mcdc` on the sources of the project in `dir`: init functions, then `depth` steps,
 * before each of which the inputs take any value of their ranges. No standard checks; `seconds` of
 * CPU time. False, and said why, when it cannot be asked. */
bool cover_by_cbmc(const char *dir, unsigned depth, double seconds, struct outcome *outcome);

#endif
