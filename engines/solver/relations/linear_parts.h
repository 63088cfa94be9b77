/* linear_parts: what the files of linear.h and mix.h share. */
#ifndef ENGINES_SOLVER_RELATIONS_LINEAR_PARTS_H
#define ENGINES_SOLVER_RELATIONS_LINEAR_PARTS_H

#include "engines/solver/relations/linear.h"

/* Doubts about coefficients and sums are counted in units of this, relative to what was added up:
 * more than the rounding errors of 32 operations and of as many terms as a form can have. */
#define SLACK 0x1p-46

/* ---- building, linear.c ---- */

/* How `v = op(arg …)` continues a form: factors of its arguments, and its error. */
struct linear_rule {
    enum mid_error error;
    double factor[2];
    bool inexact; /* the factor itself is rounded */
};

/* A coefficient, and how far rounding may have moved it, in units of SLACK. */
struct coef {
    double value, weight;
};
struct coef coef_times(struct coef a, double k);
struct coef coef_plus(struct coef a, struct coef b);

/* OP_CONST when v is a leaf for good; OP_ITE needs a branch. */
enum op linear_rule_of(const struct solver *s, svar v, struct linear_rule *rule);
bool linear_constant(const struct solver *s, svar v, double *value);
bool linear_is_sum(const struct solver *s, svar v);
bool linear_too_wide(const struct solver *s, svar v); /* for doubles to hold its values exactly */

/* ---- evaluating, linear_eval.c ---- */

struct span {
    double lo, hi;
};
double span_magnitude(struct span x);
struct span span_times(struct span x, double k);
bool span_inside(struct span x, double lo, double hi);

struct span linear_span(const struct solver *s, svar v, struct range r);
struct span linear_sort_span(const struct solver *s, svar v);
/* How far rounding moves a number up to `most`; infinite when `most` is. */
double linear_half_unit(sort_t sort, double most);
/* The error of one step, of which v (range rv) is the result. False when nothing can be said. */
bool linear_mid_error(const struct solver *s, const struct linear *f, const struct linear_mid *mid,
                      svar v, const struct range *r, struct range rv, struct span *error);
/* The values of v that lie in a span of reals; rounding to nearest when v is a rounded result. */
struct range linear_values_in(const struct solver *s, svar v, struct span x, bool rounded);

#endif
