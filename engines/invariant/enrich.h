/* enrich: lemmas beside a proof that it does not need, but whose check they may make easy.
 *
 * What a core leaves of a proof is what must be said, not what must be known to see it quickly: a
 * comparison that a solver splits on is in none of its clauses. Each added clause is checked like
 * the others; that it is a lemma is no reason to believe it. */
#ifndef ENGINES_INVARIANT_ENRICH_H
#define ENGINES_INVARIANT_ENRICH_H

#include "model/system/invariant.h"

/* Adds, at the end, the clauses of `lemmas` that are about nothing but what the targets and the
 * clauses of the proof depend on, and says how many: none when there are more than `most`. */
size_t invariant_enrich(const struct system *sys, struct invariant *inv,
                        const struct invariant *lemmas, size_t most);
/* Takes the last n clauses away again. */
void invariant_impoverish(struct invariant *inv, size_t n);

#endif
