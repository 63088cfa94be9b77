/* guards: where the program ends a run by itself (division by zero, an access outside its object),
 * woven in as comments that cost nobody anything:
 *
 *     a / b   ->   a / GUARD_OPEN({ int gk_d = (GUARD_CLOSE b GUARD_OPEN); … gk_d; })GUARD_CLOSE
 *
 * CBMC without checks goes on behind such a place with any value, so it sees more runs than there
 * are. guards_activate() takes the comment marks away: then it sees those that the model has.
 *
 * Nothing that does not surely end the run in the model is guarded: what an index into a row of an
 * array of arrays may reach, or an address that is only computed, is left alone.
 */
#ifndef INSTRUMENT_WEAVE_GUARDS_H
#define INSTRUMENT_WEAVE_GUARDS_H

#include "instrument/syntax/edits.h"
#include "instrument/syntax/tree.h"

void guards_add(const struct tree *tree, struct edits *edits);

bool guards_present(const char *woven);
/* Appends the woven text with its guards switched on; returns how many marks there were. */
size_t guards_activate(const char *woven, struct str *out);

#endif
