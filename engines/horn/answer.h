/* answer: what was found about a system of Horn clauses, checked again and as text.
 *
 * A proof is put to fresh solvers, one for each obligation. A trace is evaluated: its values
 * are put in place of the variables, and what comes out is a constant. Both on the system as it was
 * read, whatever smaller one it was found on.
 */
#ifndef ENGINES_HORN_ANSWER_H
#define ENGINES_HORN_ANSWER_H

#include "engines/horn/core.h"
#include "engines/horn/horn.h"

enum horn_verdict { HORN_OPEN, HORN_SAFE, HORN_UNSAFE };

struct horn_answer {
    enum horn_verdict verdict;
    /* HORN_SAFE: inductive, over the cells; where it holds, k clean steps are followed by one, and
     * no run hits in its first k. k = 0: it excludes the hit itself. */
    term_t invariant;
    uint32_t k;
    /* Not 0: it is inductive in large steps only, from one such state to the next, at most `span`
     * steps away. In between nothing is said but that it does not hit. */
    term_t stops;
    uint32_t span;
    /* HORN_UNSAFE: the property fails in state `states` - 1, 0: at the start itself. Values of the
     * inputs, of the start and then of each state; those of the other kind are 0. */
    uint32_t states;
    struct horn_terms inputs;
};
void horn_answer_free(struct horn_answer *a);

/* A run of the system, of one of its core: `inputs` as in the answer, of the core's. */
void horn_lift_run(struct horn_answer *a, const struct core *core, const struct horn_terms *inputs,
                   uint32_t states);

/* False: `what` names what does not hold, or could not be decided. */
bool horn_check(struct horn *horn, const struct horn_answer *a, const char **what);

/* HORN_SAFE: (define-fun state (…) Bool …). HORN_UNSAFE: the states of the run, one per line. */
void horn_print_answer(struct horn *horn, const struct horn_answer *a, struct str *out);

#endif
