/* check: walks the solver's data and stops with bug() where an invariant of core.h is broken. */
#ifndef ENGINES_SOLVER_CHECK_H
#define ENGINES_SOLVER_CHECK_H

#include "engines/solver/core.h"

void check_solver(const struct solver *s); /* after complete propagation */

#endif
