/* rivals: other solvers that say what is right. Each may be missing, and may give no answer.
 *
 *     struct rivals r;
 *     if (!rivals_open(&r, &err)) …
 *     if (r.z3) result = rival_z3(&r, &f, 5);
 *     rivals_close(&r);
 */
#ifndef TESTS_SOLVER_RIVALS_H
#define TESTS_SOLVER_RIVALS_H

#include "formula.h"

#include "base/err.h"
#include "instrument/cbmc/cbmc.h"

struct rivals {
    struct arena arena;
    struct str dir;   /* for their files */
    bool z3;          /* is installed */
    struct cbmc cbmc; /* program is NULL when it cannot be used */
};

bool rivals_open(struct rivals *r, struct err *err); /* false: no folder for their files */
void rivals_close(struct rivals *r);

/* UNKNOWN when the formula cannot be said there, or after so many seconds. The file that was asked
 * stays in r->dir until the next question. */
enum solver_result rival_z3(struct rivals *r, const struct formula *f, double seconds);
enum solver_result rival_cbmc(struct rivals *r, const struct formula *f, double seconds);

#endif
