/* gate: Boolean structure as clauses (Tseitin), built once for equal arguments and simplified by
 * what is fixed at level 0. A literal here is `2 * variable + negated`. */
#ifndef ENGINES_SOLVER_GATE_H
#define ENGINES_SOLVER_GATE_H

#include "engines/solver/core.h"

typedef uint32_t blit;  /* Boolean literal */
enum { GATE_ARGS = 3 }; /* of a row in solver.gates: operator, arguments, result */

static inline blit blit_of(svar v, bool negated) {
    return 2 * v + negated;
}
static inline blit blit_not(blit b) {
    return b ^ 1;
}

blit gate_constant(const struct solver *s, bool value);
blit gate_and(struct solver *s, blit a, blit b);
blit gate_or(struct solver *s, blit a, blit b);
blit gate_xor(struct solver *s, blit a, blit b);
blit gate_ite(struct solver *s, blit c, blit a, blit b);
void gate_assert_ite(struct solver *s, blit z, blit c, blit a, blit b); /* z = c ? a : b */

/* A variable with the value of the literal. */
svar gate_variable(struct solver *s, blit b);

#endif
