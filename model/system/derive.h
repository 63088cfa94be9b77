/* derive: derived cells, by which bounds speak of more than single cells.
 *
 * A derived cell is a term over the other cells: a comparison `lo <= hi`, a difference `x - y`, an
 * absolute value, a predicate that an engine has found. Its initial and next value follow from
 * theirs, no other term of the system reads it, and it adds no behaviour: invariants, engines and
 * certificates treat it like any cell, and a bound on it is a bound on the term.
 *
 *     uint32_t p = system_derive(&sys, term_op2(ts, OP_SLE, lo, hi), false);
 *     struct bound always = {p, BOUND_GE, 1};        // lo <= hi
 *
 * A comparison of floats and its opposite are both false on NaN: `!(x < y)` is not `y <= x`.
 */
#ifndef MODEL_SYSTEM_DERIVE_H
#define MODEL_SYSTEM_DERIVE_H

#include "model/system/system.h"

/* The cell that is always this term: an old one where there is one, else a new one at the end,
 * named as C writes the term. Derived cells in it are replaced by what they are. `is_signed`: the
 * order of its bounds. */
uint32_t system_derive(struct system *sys, term_t is, bool is_signed);
/* The term reads cells of this system only, and is no constant. Slices have the cells' variables of
 * their system, so this also tells whether a slice has all that a derived cell needs. */
bool system_can_derive(const struct system *sys, term_t is);

/* The cell with this variable, NONE if it is no cell's. */
uint32_t system_cell_of(const struct system *sys, term_t var);
/* Every cell that this one stands for (itself, if it is not derived) is marked. */
bool cell_within(const struct system *sys, uint32_t cell, const bool *marked);
/* Some of them is. */
bool cell_touches(const struct system *sys, uint32_t cell, const bool *marked);

#endif
