/* trim: the clauses of an invariant that a proof really needs. */
#ifndef ENGINES_INVARIANT_TRIM_H
#define ENGINES_INVARIANT_TRIM_H

#include "engines/solver/solver.h"
#include "model/system/invariant.h"

/* Drops clauses that neither safety (k-induction of the targets relative to the clauses) nor the
 * induction of the remaining clauses needs, by cores, then weakens bounds (weaken.h). The invariant
 * should be a proof; the result passes invariant_check() (true), or nothing is changed (false).
 * `effort` is what cores may cost, in ticks, and loses what they have cost; NULL: an effort of its
 * own. */
bool invariant_trim(const struct system *sys, struct invariant *inv, uint64_t seed,
                    uint64_t *effort);

/* What the targets and the clauses of `inv` depend on; with `all_constraints` also every constraint
 * of the system. */
void invariant_slice(struct slice *slice, const struct system *sys, const struct invariant *inv,
                     bool all_constraints);

/* Adds the clauses of `inv` all of whose cells the slice of `sys` has, over the slice's cells,
 * which get the derived cells of those clauses. They hold in the slice if they do in the system,
 * but they may have been inductive only together with clauses that are left out: true when one of
 * those is about a cell of the slice. Then what is added must go through invariant_keep_inductive()
 * before a proof may rest on it. */
bool invariant_on_slice(struct invariant *out, const struct invariant *inv, struct slice *slice,
                        const struct system *sys);
/* Drops clauses until those left are inductive together, as many as `ticks` of effort can tell
 * (none are left if that is too little). All must hold in the initial states. */
void invariant_keep_inductive(const struct system *sys, struct invariant *inv, uint64_t ticks);

/* An independent check with fresh solvers, in the sense of model/system/invariant.h: initiation,
 * consecution, safety. `ticks` limits each query, 0 = none. UNSAT: it is a proof; SAT: it is not;
 * `what` (if not NULL) then names the obligation that fails. */
enum solver_result invariant_check(const struct system *sys, const struct invariant *inv,
                                   uint64_t ticks, struct str *what);

#endif
