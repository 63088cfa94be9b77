/* cube: a conjunction of bounds on cells, and so a set of states: what a proof obligation wants to
 * exclude, what a lemma has excluded. Its negation is a clause of an invariant. */
#ifndef ENGINES_IC3_CUBE_H
#define ENGINES_IC3_CUBE_H

#include "model/system/invariant.h"

VEC_STRUCT(cube, struct bound);

/* "Not all of these": appended to the clause. */
static inline void cube_negate(const struct cube *cube, struct clause *clause) {
    for (size_t i = 0; i < cube->len; i++)
        vec_push(clause, bound_negate(cube->data[i]));
}

#endif
