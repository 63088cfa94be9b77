/* verdicts: what `goalkeeper run` says of a sample against what the oracle saw.
 *
 * Wrong is: a goal called dead that some build reaches; a goal called reachable that an oracle
 * which saw everything does not reach with every build; a goal called reachable whose exported test
 * does not hit it, compiled by gcc or by clang with the probes of the oracle in the source. */
#ifndef TESTS_TRUTH_VERDICTS_H
#define TESTS_TRUTH_VERDICTS_H

#include "oracle.h"

struct verdict_options {
    const char *program; /* goalkeeper */
    const char *seconds; /* that it gets, as a text */
    const char *cpu_seconds;
    const char *engines;  /* NULL: all */
    unsigned test_builds; /* exported tests are built so many ways: 0 .. BUILDS */
    unsigned first_build; /* of oracle_builds */
};

struct verdict_totals {
    uint64_t goals, reachable, dead;
    uint64_t open_reachable, open_unseen; /* open, and what the oracle saw */
    uint64_t unmarked;                    /* goals that nobody marked */
    uint64_t tests;                       /* exported, built and run */
};

/* False: a wrong verdict (ERR_EVIDENCE) or a program that failed (others). */
bool verdicts_check(const struct sample *s, const struct oracle *o,
                    const struct verdict_options *options, struct verdict_totals *totals,
                    struct arena *arena, struct err *err);

#endif
