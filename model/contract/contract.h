/* contract: what an operator says about the ranges of its result and arguments.
 *
 * Operand 0 is the result, 1.. the arguments. contract() looks at all operands, the one to narrow
 * included, and returns a smaller range for it:
 *
 *   sound          no value that occurs in a solution within `r` is lost;
 *   monotone       larger inputs never give smaller outputs (explanations depend on it);
 *   pure           the same inputs give the same output, nothing is remembered;
 *   inside         *out is a subset of r[which];
 *   exact          when all other operands are points (model/term/eval.h is the reference), the
 * result is that value; transcendental functions give an enclosure.
 *
 * An empty operand makes every other one empty. Each operand has its own sort and signedness: an
 * integer's ordinals are in its own view, equal bits are equal values.
 *
 *     struct prim p = {OP_FADD, {SORT_F64, SORT_F64, SORT_F64}};
 *     struct range r[4] = {z, x, y}, out;
 *     if (contract(&p, r, 1, &out))
 *         x = out;                          // x was narrowed from z = x + y
 *
 * How: results by evaluating the real hardware operation at the corners (rounding to nearest is
 * monotone, so that hull is exact); arguments by inverting the rounded operation on ordinals. The
 * caller owns everything; `*out` is always written.
 */
#ifndef MODEL_CONTRACT_CONTRACT_H
#define MODEL_CONTRACT_CONTRACT_H

#include "model/term/range.h"
#include "model/term/term.h"

struct prim {
    enum op op;
    sort_t sort[4];
    bool is_signed[4];
    const struct term_table *table; /* OP_TABLE only */
};

/* Narrows operand `which`; true iff *out is narrower than r[which]. */
bool contract(const struct prim *p, const struct range r[4], int which, struct range *out);

#endif
