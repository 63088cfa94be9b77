/* translate: terms as expressions of Z3, operator by operator as model/term/ops.def defines them.
 *
 * Nothing is simplified on the way and nothing is taken from our own solver: the two share the
 * terms and no code. Integers are bit-vectors, floating-point numbers Z3's own. What Z3 has no
 * exact word for (sine, fmod, the bits of a NaN …) becomes an unknown of its sort: unsat then still
 * means unsat, sat means nothing (`approximated`).
 *
 *     struct z3_frame *f = z3_frame_new(&z);      // one instance of the variables
 *     z3_encode(&z, f, roots, n);
 *     Z3_solver_assert(z.context, solver, z3_encoded(f, root));
 */
#ifndef ENGINES_Z3_TRANSLATE_H
#define ENGINES_Z3_TRANSLATE_H

#include "model/term/term.h"

#include <z3.h>

struct z3_frame {
    VEC(Z3_ast) of_term; /* NULL, or past the end: not yet encoded */
};

struct z3_translation {
    Z3_context context;
    const struct terms *terms;
    bool floats;       /* an operator or variable of floating point occurred */
    bool approximated; /* an operator became an unknown */
    uint64_t gates;    /* about how many the circuits of its operations have */
    VEC(term_t) todo;  /* scratch */
    struct arena arena;
    VEC(struct z3_frame *) frames;
};

void z3_translation_init(struct z3_translation *z, const struct terms *terms);
void z3_translation_free(struct z3_translation *z);

struct z3_frame *z3_frame_new(struct z3_translation *z); /* freed with the translation */
/* The variable has this value in the frame; before it is encoded. Others are unknowns. */
void z3_frame_bind(struct z3_translation *z, struct z3_frame *frame, term_t var, Z3_ast value);
/* Everything below the roots; root 0 is skipped. Terms may be made between two calls. */
void z3_encode(struct z3_translation *z, struct z3_frame *frame, const term_t *roots, size_t n);
Z3_ast z3_encoded(const struct z3_frame *frame, term_t root); /* one of the roots, or below */

/* After a question without an answer: the end, when there was no memory to answer it. */
void z3_expect_memory(Z3_context context, Z3_solver solver);

/* A constant of the sort. */
Z3_ast z3_value(struct z3_translation *z, sort_t sort, uint64_t bits);

#endif
