/* analyze: from a conflict to a learned clause, from a failed assumption to a core. */
#ifndef ENGINES_SOLVER_ANALYZE_H
#define ENGINES_SOLVER_ANALYZE_H

#include "engines/solver/core.h"

/* Learns from s->conflict: backtracks, adds the clause, asserts its literal. False when the
 * conflict does not depend on any decision. */
bool analyze_conflict(struct solver *s);

/* The assumption assumptions[index] is false: fills s->core and s->weakest. */
void analyze_assumption(struct solver *s, size_t index);

#endif
