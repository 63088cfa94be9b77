/* certificate: a proof as one self-contained C file that stock CBMC re-checks.
 *
 * The file is the woven program with three obligations, chosen by main():
 *
 *     gk_check_init   after initialisation every clause holds; no listed goal is hit by it, nor by
 *                     the first k - 1 steps
 *     gk_check_step   from any state that satisfies the clauses, one step keeps them; for k = 1 it
 *                     hits no listed goal
 *     gk_check_goals  for k > 1: from any such state, after k - 1 steps without a listed goal the
 *                     next step hits none of them
 *
 * "Any state": all state cells get arbitrary values, pointers any of their objects. What the model
 * takes for constant keeps what the initialisation made it, and is shown to keep it in a step. The
 * clauses are printed here, not by the engine that found them.
 *
 *     struct certificate c = {.base = {.woven = text, .module = module, …}, .probes = …};
 *     certificate_write(&c, &c_text, err);
 */
#ifndef INSTRUMENT_CBMC_CERTIFICATE_H
#define INSTRUMENT_CBMC_CERTIFICATE_H

#include "instrument/cbmc/obligation.h"

struct certificate {
    struct obligation base;
    const uint32_t *probes; /* claimed dead */
    size_t n_probes;
    const char *assumes; /* for the reader; may be NULL */
    const char *claims;  /* what is claimed, a line per goal; may be NULL */
    bool guarded;    /* runs end at a division by zero and the like (instrument/weave/guards.h) */
    bool refutable;  /* one more assertion behind the step, which is false: the check must fail */
    unsigned unwind; /* for inner loops; 0: 64 */
};

/* False (ERR_EVIDENCE) when the invariant speaks of something that has no name in C. */
bool certificate_write(const struct certificate *c, struct str *out, struct err *err);

#endif
