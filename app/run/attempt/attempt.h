/* attempt: the kinds of tasks a schedule starts. */
#ifndef APP_RUN_ATTEMPT_H
#define APP_RUN_ATTEMPT_H

#include "app/run/task.h"
#include "engines/engine.h"

/* A model engine on the slice of these probes. */
struct task *attempt_engine(struct session *s, const struct engine_row *row, const uint32_t *probes,
                            size_t n, uint64_t ticks);

/* Goals that the model has already decided: lowering folds constants, so code behind a condition
 * that is false for every input and state has a target whose hit is the term `false`. No engine is
 * needed to say so: claims for session.proofs.waiting, before the first one starts. */
void constant_claim(struct session *s);
/* Proofs from before the sources changed whose part of the model has changed, too; NULL: none. */
struct task *attempt_earlier(struct session *s);

/* CBMC on all these probes at once, for as long as the task may take. */
struct task *attempt_cbmc(struct session *s, const struct engine_row *row, const uint32_t *probes,
                          size_t n);
/* The same from states that were reached before; NULL: there is none. */
struct task *attempt_climb(struct session *s, const struct engine_row *row, const uint32_t *probes,
                           size_t n);
/* It goes on from states that were reached before, too. */
static inline bool attempt_climbs(const struct engine_row *row) {
    return row->home == ENGINE_CBMC && !engine_does(row, ENGINE_PROVES);
}
/* This row is an engine of CBMC, and there is what it needs. */
bool attempt_cbmc_engine(const struct session *s, const struct engine_row *row);

/* The check of the proofs that wait first: as many as go into one certificate. NULL: none waits. */
struct task *attempt_check(struct session *s);
/* The same by CBMC for proofs that only the solver has confirmed. */
struct task *attempt_confirm(struct session *s);
/* The same by Bitwuzla, where it is; NULL: nothing waits for it. */
struct task *attempt_bitwuzla(struct session *s);
/* These claims, which the solver has confirmed, wait for it: copies of them. */
void attempt_bitwuzla_later(struct session *s, const struct claims *claims);
/* All dead goals together on the compiled program; NULL: there is none, or no build. */
struct task *attempt_trial(struct session *s);
/* CBMC is shown the proofs of reasons before those of verdicts, for they are smaller: in a small
 * module, unless tasks of their own confirm. Most of what it does for a large one it does for any
 * number of proofs, so that these go together. */
bool attempt_reasons_first(const struct session *s);
/* It is worth waiting for reasons, or for more proofs. */
bool attempt_confirm_waits(const struct session *s);

#endif
