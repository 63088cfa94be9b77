/* truth: the verdicts of `goalkeeper run` against the truth.
 *
 * A marked module has so few states and input values that all its runs can be gone through. What
 * was seen at its marks is the truth of its goals: statements, outcomes of branches and conditions,
 * masking MC/DC, calls and labels. It is found with nothing of Goalkeeper's: by the definitions. */
#ifndef TESTS_FUZZ_TRUTH_H
#define TESTS_FUZZ_TRUTH_H

#include "program.h"

#include "base/err.h"

struct truth_run {
    const char *dir;     /* for files; kept after a difference */
    const char *program; /* goalkeeper */
    const char *seconds; /* that it gets, as a text */
    const char *engines; /* NULL: all */
    bool blind;          /* look at the first value of each input only: finds wrong truths */
};

struct truth_result {
    uint64_t goals;    /* compared */
    uint64_t unmarked; /* goals without a mark */
    uint64_t reachable, dead;
    uint64_t open_reachable, open_dead; /* open, and the truth */
    uint64_t states, steps;
    bool large; /* too many states: not compared */
};

/* False: something went wrong; a wrong verdict is ERR_EVIDENCE with a text that tells it. Numbers
 * are added to *result. */
bool truth_compare(const struct truth_run *run, const struct program *p,
                   struct truth_result *result, struct err *err);

#endif
