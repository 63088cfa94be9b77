/* clause: the clause arena, its watches, and forgetting learned clauses. */
#ifndef ENGINES_SOLVER_CLAUSE_H
#define ENGINES_SOLVER_CLAUSE_H

#include "engines/solver/core.h"

/* Stores and watches lits[0] and lits[1]; n >= 2. The literals are normalised: at most one per side
 * of a variable. */
cref_t clause_new(struct solver *s, const struct lit *lits, size_t n, bool learned, uint32_t lbd);

/* Sorts, merges literals of one side, drops what is false at level 0. Returns false when the clause
 * is true whatever happens. */
bool clause_normalise(const struct solver *s, struct lits *lits);

/* Adds a clause at level 0; units are propagated by the next propagation. False: contradiction. */
bool clause_add(struct solver *s, const struct lit *lits, size_t n);

/* Adds a clause whose literals are all false now. False: it is s->conflict (0: it is empty). True:
 * it was unit at a lower level, to which the search has gone back, and its literal holds there. */
bool clause_add_lemma(struct solver *s, struct lits *lits);

/* At level 0: removes satisfied clauses and the worse half of the learned ones, compacts. */
void clause_reduce(struct solver *s);

#endif
