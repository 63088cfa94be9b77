/* explain: why an entry is on the trail, or why propagation failed.
 *
 * The answer is a set of literals that were true before the entry and that together imply the
 * *needed* bound, which may be weaker than the entry's. Contractors keep no reason: the answer is
 * found by running the contractor again on weaker and weaker operands.
 */
#ifndef ENGINES_SOLVER_EXPLAIN_H
#define ENGINES_SOLVER_EXPLAIN_H

#include "engines/solver/core.h"

/* Both return the step of the proof that says so, 0 when none is recorded. */

/* Why entry `pos` makes `needed` true (needed.bound <= the entry's). Appends to *out. */
uint32_t explain_entry(struct solver *s, uint32_t pos, struct lit needed, struct lits *out);
/* Why s->conflict is one. */
uint32_t explain_conflict(struct solver *s, struct lits *out);

#endif
