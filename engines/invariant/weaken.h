/* weaken: bounds of an invariant moved out, to constants of the program, while it stays a proof. */
#ifndef ENGINES_INVARIANT_WEAKEN_H
#define ENGINES_INVARIANT_WEAKEN_H

#include "model/system/invariant.h"

/* Drops clauses and weakens bounds as long as the clauses left are inductive together and keep the
 * targets dead; the base cases only get easier by that. The invariant must be a proof. Effort is
 * limited: with many clauses not everything is tried. */
void invariant_weaken(const struct system *sys, struct invariant *inv, uint64_t seed);

#endif
