/* relax: all linear constraints at once, over the reals.
 *
 * Boxes look at one sum at a time. Ten sums over five variables that contradict each other need as
 * many splits as there are small boxes in between; over the reals one linear program decides. So
 * when all atoms have values, the search hands over what then is linear:
 *
 *   rows      result of a sum = sum of coef * leaf + constant, within its rounding error; from <=
 * to for every edge of the order graph that holds (comparisons, choices, differences); columns the
 * leaves (what has no linear definition), within their present bounds.
 *
 * A contradiction becomes a clause over the bounds that it needs. The multipliers that the simplex
 * method found only propose it: the combined row is summed up anew from the constraints, with a
 * margin for all roundings, and bounds are weakened for as long as it stays contradictory. A point
 * inside all rows becomes the preferred values of the sources; the search itself then finds out
 * whether it is a model.
 *
 * Nothing is done while a proof is recorded: a row joins constraints of several partitions.
 */
#ifndef ENGINES_SOLVER_RELATIONS_RELAX_H
#define ENGINES_SOLVER_RELATIONS_RELAX_H

#include "engines/solver/core.h"

enum relax_result {
    RELAX_NOTHING,
    RELAX_POINT,    /* phases are set */
    RELAX_LEMMA,    /* the search went back, propagation goes on */
    RELAX_CONFLICT, /* s->conflict */
};

void relax_restart(struct solver *s); /* a new question: it is due after some effort */
bool relax_due(const struct solver *s);
/* After complete propagation. */
enum relax_result relax_now(struct solver *s);
void relax_free(struct solver *s);

#endif
