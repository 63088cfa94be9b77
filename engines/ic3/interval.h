/* interval: executes steps on boxes of states, to enlarge the cube of a proof obligation.
 *
 * All inputs are fixed. A cube may grow as long as every state in it still runs through the steps
 * and lands where it should: in the cube of the next obligation, or on the target in the last step.
 * A trial costs one pass over the terms that matter, no question to a solver.
 *
 *     struct interval *v = interval_new(sys, target, views);
 *     if (interval_land(v, &cube, inputs, n_steps, to))
 *         …                                   // the cube has grown, as far as trials went
 *     interval_free(v);
 *
 * Invariants: a term that is not `needed` counts as any value of its sort, so a trial that lands
 * proves that the whole box does, partial steps included: step_ok has to be true on all of it.
 */
#ifndef ENGINES_IC3_INTERVAL_H
#define ENGINES_IC3_INTERVAL_H

#include "engines/ic3/cube.h"
#include "engines/solver/solver.h"

struct interval;

/* `views`: a solver over the same terms, it knows in which order integers are best bounded. */
struct interval *interval_new(const struct system *sys, uint32_t target, struct solver *views);
void interval_free(struct interval *v);

/* Widens `cube` (a single state). `inputs` are n_steps times all inputs of the system; `to` is the
 * cube to land in, NULL: the target in the last step. false: not even the state alone is seen to
 * land (an operator is only enclosed); the cube is as it was. */
bool interval_land(struct interval *v, struct cube *cube, const uint64_t *inputs, uint32_t n_steps,
                   const struct cube *to);
uint64_t interval_ticks(const struct interval *v); /* terms executed so far */

#endif
