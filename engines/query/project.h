/* project: from a model to a condition on some of the variables ("model-based projection").
 *
 * Given terms that hold in a model, finds literals over the variables to keep, true in the model,
 * of which each solution extends to one of all the terms: an under-approximation of the projection.
 * With the cells kept and the inputs and next values not, it is a part of a pre-image.
 *
 *   implicant    of the Boolean structure only what makes the terms true; choices are made as the
 *                model makes them
 *   equalities   x = t for a variable to be given up: t is put in its place
 *   bounds       of unbounded numbers, Loos and Weispfenning: the greatest lower bound in the
 * model; where there is but one, or none on a side, nothing is lost the rest     gets its value in
 * the model
 *
 *     struct projection_input in = {.terms = ts, .keep = keep, .value = value, .context = c};
 *     if (project(&in, roots, n, &literals)) …
 */
#ifndef ENGINES_QUERY_PROJECT_H
#define ENGINES_QUERY_PROJECT_H

#include "model/term/term.h"

VEC_STRUCT(query_terms, term_t);

struct projection_input {
    struct terms *terms;
    const bool *keep; /* by index of the variable; made later: not kept */
    size_t n_keep;
    term_t (*value)(void *context, term_t var); /* a constant: the model */
    void *context;
};

/* Appends literals; false: the model does not make the terms true (transcendental operators). */
bool project(const struct projection_input *in, const term_t *roots, size_t n,
             struct query_terms *literals);

#endif
