/* reason: the least that keeps a target dead.
 *
 * A proof mostly holds more than one of its targets needs: clauses of others, ranges that carry
 * nothing. Given clauses, some of which hold together with promises (conditions on inputs that are
 * not part of the system), the reason is a set of both from which nothing can be left out: with
 * these promises these clauses are an invariant that excludes the target.
 */
#ifndef ENGINES_INVARIANT_REASON_H
#define ENGINES_INVARIANT_REASON_H

#include "engines/solver/solver.h"
#include "model/system/invariant.h"

/* Something the user has promised: conditions over the inputs before the initialisation, and over
 * cells and inputs of a step. */
struct promise {
    VEC(term_t) init, step;
};
VEC_STRUCT(promises, struct promise);

struct reason {
    VEC(uint32_t) clauses, promises; /* indices, ascending */
    VEC(uint32_t) direct; /* of the clauses: what excludes the target; the rest keeps it */
};

/* Of all listed targets together, within that effort. Promises with small indices are the first
 * that are tried to be left out, then clauses with large ones. False: it is no proof, or cannot be
 * shown to be one. */
bool reason_find(const struct system *sys, const struct invariant *inv,
                 const struct promises *promises, uint64_t ticks, struct reason *reason);
/* The system as far as its runs keep these promises; it shares all but the targets, which the
 * caller frees. */
void promises_restrict(struct system *to, const struct system *from,
                       const struct promises *promises, const bool *kept);
void reason_free(struct reason *reason);
void promises_free(struct promises *promises);

#endif
