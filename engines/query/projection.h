/* projection: what the files of project.h share. */
#ifndef ENGINES_QUERY_PROJECTION_H
#define ENGINES_QUERY_PROJECTION_H

#include "engines/query/project.h"

struct projection {
    const struct projection_input *in;
    struct terms *ts;
    struct query_terms value;   /* by term, 0: not known yet */
    struct query_terms instead; /* by variable: what stands for it now, 0: itself */
    struct query_terms todo;    /* true in the model, not yet looked at */
    struct query_terms literals;
    struct map known;    /* literals that were found once */
    struct map resolved; /* terms without choices, by term */
    struct query_terms stack;
    bool failed;
};

/* implicant.c */
term_t projection_value(struct projection *p, term_t t); /* a constant, or `failed` */
bool projection_true(struct projection *p, term_t t);
void projection_break(struct projection *p); /* todo into literals */

/* project.c */
bool projection_gone(const struct projection *p, term_t var); /* a variable to be given up */

/* bounds.c: gives up a number that equalities do not determine: its literals leave, others come to
 * `todo`. False: only its value can replace it. */
bool projection_drop_number(struct projection *p, term_t var);

#endif
