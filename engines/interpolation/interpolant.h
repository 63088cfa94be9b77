/* interpolant: what one side of a contradiction says to the other, read off a proof.
 *
 * The formula has two partitions, A and B, that share variables. From a proof that A and B
 * contradict each other (engines/solver/proof.h) comes a set of clauses over bounds of shared
 * variables that A implies and that contradicts B (McMillan, "Interpolation and SAT-based model
 * checking"; Kupferschmid and Becker, "Craig interpolation in the presence of non-linear
 * constraints", for bounds instead of propositions).
 *
 *     solver_set_partition(s, PARTITION_A); … solver_set_partition(s, PARTITION_B); …
 * What the proof assumes belongs to the sides too, if each assumption is about a variable of one
 * side.
 *
 *     if (solver_solve(s, NULL, 0, 0) == SOLVER_UNSAT) {
 *         struct cnf itp = {0};
 *         if (interpolant_read(s, 1000, &itp)) …       // false: more clauses than that
 *         cnf_free(&itp);
 *     }
 */
#ifndef ENGINES_INTERPOLATION_INTERPOLANT_H
#define ENGINES_INTERPOLATION_INTERPOLANT_H

#include "engines/interpolation/cnf.h"
#include "engines/solver/proof.h"

enum { PARTITION_A = 1, PARTITION_B = 2 };

/* The solver has logged its proof, was built in these two partitions, and has answered UNSAT. `out`
 * is empty before. */
bool interpolant_read(const struct solver *s, size_t max_clauses, struct cnf *out);

#endif
