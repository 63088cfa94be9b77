/* guess: invariants of a few shapes that samples suggest.
 *
 * Of the initial states, and of those that a step leads to from states that the guess covers, one
 * is asked for that it does not cover, and it gives way (rooms.h), until there are none: then it is
 * an invariant. If that takes too long, of what is said of places the largest part is kept that
 * holds at the start and after each step ("Houdini", C. Flanagan, K. R. M. Leino).
 */
#ifndef ENGINES_HORN_GUESS_H
#define ENGINES_HORN_GUESS_H

#include "engines/horn/definitions.h"
#include "engines/query/query.h"
#include "model/system/system.h"

/* An inductive invariant of the system, over its cells; `places` are conditions on states of which
 * at most one holds. True if nothing is found with so much effort. */
term_t guess_invariant(const struct system *sys, const struct horn_terms *places,
                       const struct query_options *how, uint64_t ticks);

/* Of these conditions on states leaves the most that are inductive together. False: no answer with
 * so much effort, none is left. */
bool guess_settle(const struct system *sys, struct horn_terms *conditions,
                  const struct query_options *how, uint64_t ticks);

#endif
