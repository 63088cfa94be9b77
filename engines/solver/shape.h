/* shape: in which order, signed or unsigned, the integer terms of a DAG get their bounds.
 *
 * A wrong choice is only slow: contractors take any view of any operand. The users of a term decide
 * (a signed comparison wants a signed argument), then its arguments.
 */
#ifndef ENGINES_SOLVER_SHAPE_H
#define ENGINES_SOLVER_SHAPE_H

#include "engines/solver/core.h"

struct shape *shape_of(struct solver *s, const struct terms *ts); /* owned by the solver */
bool shape_is_signed(struct shape *shape, term_t t);

#endif
