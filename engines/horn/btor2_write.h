/* btor2_write: a proof about integers as a transition system in BTOR2, for model checkers.
 *
 * What must never be: a target of the invariant is hit, or one of its clauses does not hold. Both
 * stand there as `bad`, the clauses first, so a checker proves the invariant, too; it is inductive,
 * which makes that easy. The first cycle is the initialisation:
 *
 *     started   0 in the first cycle, then 1
 *     runs      1 as long as no run has ended (init_ok, step_ok)
 *     cells     begin with any value; the first cycle gives them their initial ones
 *
 * btor2_read() reads it.
 */
#ifndef ENGINES_HORN_BTOR2_WRITE_H
#define ENGINES_HORN_BTOR2_WRITE_H

#include "model/system/invariant.h"

/* False: it is not about integers and truth values alone. */
bool btor2_write(struct system *sys, const struct invariant *inv, struct str *out);

#endif
