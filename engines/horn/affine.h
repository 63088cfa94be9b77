/* affine: the linear equations that all of some vectors meet, as terms over the variables that the
 * vectors are values of.
 *
 *     struct affine a;
 *     affine_init(&a, ts, &numbers);          // variables of one sort, kept by the caller
 *     affine_add(&a, values);                 // by variable: constants
 *     a.equations
 *     affine_free(&a);
 */
#ifndef ENGINES_HORN_AFFINE_H
#define ENGINES_HORN_AFFINE_H

#include "engines/horn/definitions.h"
#include "model/term/number.h"

struct affine {
    struct terms *ts;
    const struct horn_terms *numbers;
    VEC(mpq_t *) samples;        /* affinely independent */
    struct horn_terms equations; /* none before there is a sample */
};

void affine_init(struct affine *a, struct terms *ts, const struct horn_terms *numbers);
void affine_free(struct affine *a);

/* A vector that does not meet the equations, `values` by index of the variable. */
void affine_add(struct affine *a, const struct horn_terms *values);

#endif
