/* smt: SMT-LIB 2.6 scripts over floats, bit-vectors and Booleans, run on the solver.
 *
 * Logics QF_FP, QF_BV, QF_BVFP: Float32 and Float64 in all rounding modes, bit-vectors of 1..64
 * bits. What is outside (other formats, wider vectors, other theories) is read, and a check that
 * depends on it answers `unknown` with the reason; a check that is unsatisfiable without it answers
 * `unsat`. Unspecified results (fp.min of different zeros, fp.to_ubv out of range …) are free but
 * functional, as the standard has it. A model is evaluated
 * against all assertions before `sat` is printed.
 *
 *     struct smt *smt = smt_new(&(struct smt_options){.file = "a.smt2"}, text, len);
 *     while (smt_step(smt, &out, &err) == SMT_MORE)
 *         fputs(str_text(&out), stdout), str_clear(&out);
 *     smt_free(smt);
 */
#ifndef ENGINES_SMTLIB_SMT_H
#define ENGINES_SMTLIB_SMT_H

#include "base/err.h"
#include "engines/solver/solver.h"

enum smt_step { SMT_MORE, SMT_END, SMT_FAILED };

struct smt_options {
    const char *file; /* for messages */
    uint64_t seed;
    uint64_t ticks;    /* effort a check, 0: no limit */
    bool numbers;      /* Int and Real are sorts of variables, too: for those who ask Z3 */
    bool check_proofs; /* as (set-option :produce-proofs true): check how each unsat was found */
};

struct smt;

/* `text` must live as long as the script. */
struct smt *smt_new(const struct smt_options *options, const char *text, size_t len);
void smt_free(struct smt *smt);

/* Runs one command; appends what it prints to `out`. */
enum smt_step smt_step(struct smt *smt, struct str *out, struct err *err);

/* Async-signal-safe: the running check answers `unknown`, and so do all that follow. */
void smt_interrupt(struct smt *smt);

/* Why the last answer was `unknown`; NULL when it was not. */
const char *smt_reason(const struct smt *smt);
const struct solver_stats *smt_stats(const struct smt *smt);

#endif
