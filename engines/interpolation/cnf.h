/* cnf: conjunctions of clauses over bounds, small ones, for interpolants.
 *
 * A clause has its literals in order of variable and side, at most one per side (the weaker of two
 * says as much), and is not true in itself. No clause of a set is implied by another single one.
 * The empty set is true; a set with an empty clause is false.
 *
 *     struct cnf a = {0};
 *     struct slits c = {0};
 *     vec_push(&c, slit_le(x, 7));
 *     cnf_add(&a, &c);                 // takes the clause
 *     if (!cnf_or(&out, &a, &b, 100))  // more than 100 clauses
 *         …
 *     cnf_free(&a);
 */
#ifndef ENGINES_INTERPOLATION_CNF_H
#define ENGINES_INTERPOLATION_CNF_H

#include "engines/solver/solver.h"

struct cnf {
    VEC(struct slits) clauses;
};

void cnf_free(struct cnf *cnf);
void cnf_copy(struct cnf *to, const struct cnf *from); /* `to` is empty */
/* Takes the clause (normalised here); `clause` is empty afterwards. */
void cnf_add(struct cnf *cnf, struct slits *clause);
/* False when there would be more than `limit` clauses; the result is then incomplete. */
bool cnf_and(struct cnf *into, const struct cnf *other, size_t limit);
bool cnf_or(struct cnf *out, const struct cnf *a, const struct cnf *b, size_t limit);

void check_cnf(const struct cnf *cnf); /* the invariants above; bug() when broken */

#endif
