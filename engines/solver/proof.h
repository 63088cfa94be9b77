/* proof: how the solver came to an UNSAT answer; recorded when solver_options.log_proof is set.
 *
 * Steps are numbered from 1. Each has a clause:
 *
 *   PROOF_GIVEN    a clause of the formula; `partition` is what solver_set_partition() said;
 *   PROOF_LEMMA    a clause that one primitive constraint implies; `partition` is the constraint's;
 *   PROOF_DERIVED  the resolvent of its premises, from left to right: the first is the start, each
 *                  further one is resolved upon a side of `pivot`.
 *
 * Resolution is over bounds: a premise with x >= 7 meets a clause with x <= 4 (or any x <= c with
 * c < 7), and of two bounds on one side of one variable the weaker is kept. What the sort of a
 * variable or the definition of a constant says needs no premise.
 *
 * So ordinary propositional interpolation works: a variable is local to a partition when no given
 * clause or lemma of another one mentions it, and the result is over bounds of shared variables.
 *
 *     const struct proof *p = solver_proof(s);       // after UNSAT
 *     const struct proof_step *end = proof_step_at(p, p->final);   // over negated assumptions
 *
 * While logging, the formula is not simplified by what is known at level 0, nothing is shared
 * between partitions, and constraints that would join several of them are left out.
 */
#ifndef ENGINES_SOLVER_PROOF_H
#define ENGINES_SOLVER_PROOF_H

#include "engines/solver/solver.h"

enum proof_kind { PROOF_GIVEN, PROOF_LEMMA, PROOF_DERIVED };

struct proof_step {
    uint8_t kind; /* enum proof_kind */
    uint32_t partition;
    uint32_t constraint; /* of a lemma, in the solver's own numbers */
    size_t first_lit, n_lits;
    size_t first_premise, n_premises;
};

struct proof_premise {
    uint32_t step;
    svar pivot; /* 0 for the first premise */
};

struct proof {
    VEC(struct proof_step) steps; /* [0] is unused */
    struct slits lits;
    VEC(struct proof_premise) premises;
    uint32_t final; /* the clause that contradicts the last core; 0 before UNSAT */
};

static inline const struct proof_step *proof_step_at(const struct proof *p, uint32_t step) {
    return &p->steps.data[step];
}

/* Steers what the proof says about a variable that partitions share. A lemma names bounds that it
 * needs, and mostly weaker ones would do. Those of v are kept as they are in lemmas of partition
 * `keeping`, while lemmas of others make all bounds as weak as possible, so that an interpolant in
 * which `keeping` is the side A claims no more than the other side needs. */
void solver_share(struct solver *s, svar v, uint32_t keeping);

const struct proof *solver_proof(const struct solver *s); /* NULL when not logged */

/* Checks every step that the final one needs, without the search: derived clauses by unit
 * propagation over their premises, lemmas by running the constraint. bug() when one fails. Returns
 * the number of steps checked. */
size_t check_proof(const struct solver *s);

#endif
