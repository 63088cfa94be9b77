/* walk: local search for values of the sources, when all atoms are decided.
 *
 * With the atoms decided, a model is a value for each source such that everything computed from
 * them lies within its present bounds. Propagation narrows boxes; where they do not become small by
 * themselves (products and quotients of many inputs), trying points is faster. One source at a time
 * is moved, by steps that grow as long as the sum of all violations sinks; a violation is the
 * logarithm of the number of floats or integers that a result is away from its bounds.
 *
 * A point without violations becomes the preferred values of the sources, and the search decides
 * them so: the walk is never believed.
 */
#ifndef ENGINES_SOLVER_WALK_H
#define ENGINES_SOLVER_WALK_H

#include "engines/solver/core.h"

void walk_restart(struct solver *s); /* a new question: it is due after some effort */
bool walk_due(const struct solver *s);
/* After complete propagation. True: a point was found, phases are set. */
bool walk_now(struct solver *s);

#endif
