/* modular: linear equations modulo powers of two.
 *
 * Integers wrap, so boxes and linear programs say nothing about s == 2 * x, head - tail == fill
 * modulo 8, or p - q == r over 32 bits once the values may be anything. But sums, differences,
 * products with a constant, truncations, extensions, masks of low bits, choices whose condition is
 * known, equalities that hold and orders that hold both ways are linear equations over Z / 2^n.
 * When all atoms have values they are solved by Gaussian elimination (Howell's form: a pivot is a
 * power of two, and what its row says once that has been multiplied away is a row of its own;
 * Mueller-Olm and Seidl, "Analysis of Modular Arithmetic"). A contradiction is
 *
 *   a row 0 = c with c != 0,
 *   two variables that are equal, although an atom says that they differ,
 *   a variable whose value is none that its bounds allow, two equal ones whose bounds lie apart,
 *
 * and becomes a clause over the guards of the rows that took part.
 *
 * Every row is over Z / 2^64: an equation modulo 2^w is multiplied by 2^(64 - w). An unknown is the
 * bits of a variable as a natural number. Nothing is done while a proof is recorded: a row joins
 * constraints of several partitions.
 */
#ifndef ENGINES_SOLVER_RELATIONS_MODULAR_H
#define ENGINES_SOLVER_RELATIONS_MODULAR_H

#include "engines/solver/relations/relax.h"

bool modular_due(const struct solver *s);
/* After complete propagation, all atoms decided. RELAX_POINT is never returned. */
enum relax_result modular_now(struct solver *s);

#endif
