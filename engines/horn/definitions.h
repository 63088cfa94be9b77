/* definitions: variables that a condition determines, as terms over the others.
 *
 * A relation between states is written as equations more often than not: of `y = x + 1`, of
 * `c or y = 3` beside `not c or y = x`, y can be taken out. Exact: each solution of the rest
 * extends to one of the whole, by those values alone.
 *
 *     struct definitions d;
 *     definitions_init(&d, ts);
 *     d.may.data[index] = true;                 // for each variable that may be taken out
 *     term_t rest = definitions_find(&d, holds);
 *     definitions_apply(&d, terms, n);          // what is left of the variables in other terms
 *     definitions_free(&d);
 */
#ifndef ENGINES_HORN_DEFINITIONS_H
#define ENGINES_HORN_DEFINITIONS_H

#include "model/term/term.h"

VEC_STRUCT(horn_terms, term_t);

struct definitions {
    struct terms *ts;
    VEC(bool) may;           /* by variable */
    struct horn_terms value; /* by variable: over variables without one; 0: it stays */
};

void definitions_init(struct definitions *d, struct terms *ts); /* none may be taken out */
void definitions_free(struct definitions *d);

/* Takes out of `holds` what it can; what is left of it. */
term_t definitions_find(struct definitions *d, term_t holds);
void definitions_apply(const struct definitions *d, term_t *terms, size_t n);

/* The parts of a conjunction, down to what is none. */
void definitions_split(struct terms *ts, term_t holds, struct horn_terms *parts);

#endif
