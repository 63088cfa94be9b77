/* cases: definitions of variables that a relation gives by cases.
 *
 * A program's step is a disjunction of statements, each of which says what the next values are:
 * `c and y = x + 1 and z = z0, or not c and y = 0 and z = w`. Each case is solved alone
 * (definitions.h); then y is a choice between x + 1 and 0, and what is left of the cases is a
 * condition without y. Exact: where two cases may hold together, an input chooses.
 */
#ifndef ENGINES_HORN_CASES_H
#define ENGINES_HORN_CASES_H

#include "engines/horn/definitions.h"

/* definitions_find(), then the same in the disjunctions that are left of it. Values and the rest
 * may have variables that are new. */
term_t cases_find(struct definitions *d, term_t holds);

#endif
