/* answer: what IC3IA has found about a system of Horn clauses, checked again and as text.
 *
 * An invariant is put to fresh solvers, one for each obligation. A trace is evaluated: its values
 * are put in place of the variables, and what comes out is a constant.
 */
#ifndef ENGINES_HORN_ANSWER_H
#define ENGINES_HORN_ANSWER_H

#include "engines/horn/horn.h"
#include "engines/ia/ia.h"

/* False: `what` names what does not hold, or could not be decided. */
bool horn_check_invariant(struct horn *horn, const struct ia *ia, const char **what);
bool horn_check_trace(struct horn *horn, const struct ia *ia);

/* (define-fun state (…) Bool …) */
void horn_print_invariant(struct horn *horn, const struct ia *ia, struct str *out);
/* The states of the run, one a line. */
void horn_print_trace(struct horn *horn, const struct ia *ia, struct str *out);

#endif
