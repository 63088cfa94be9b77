/* number: the unbounded sorts `int` and `real`, exact.
 *
 * Modules have none: they come from transition systems of others, and only Z3 answers questions
 * about them. A constant is a fraction of any length; sums are kept in one normal form, so that
 * equal conditions are one term:
 *
 *     sum        2*x - 3*y                factors in front, by age of what they stand before
 *     bound      2*x - 3*y <= 7           sum on the left, number on the right; whole numbers
 * without a common factor, the first one positive where that is possible (not of reals: x < 7 is no
 * bound) equality   2*x - 3*y = 7
 *
 *     struct sum sum;
 *     sum_init(&sum);
 *     sum_add(ts, &sum, t, factor);            // sum += factor * t
 *     term_t t = sum_term(ts, sort, &sum);
 *     sum_free(&sum);
 */
#ifndef MODEL_TERM_NUMBER_H
#define MODEL_TERM_NUMBER_H

#include "model/term/term.h"

#include <gmp.h>

/* "-3", "1/7"; canonical or not. Whole for SORT_INTEGER. */
term_t term_number(struct terms *ts, sort_t sort, const char *text);
term_t term_number_q(struct terms *ts, sort_t sort, mpq_srcptr value);
const char *term_number_text(const struct terms *ts, term_t t); /* of a constant: canonical */
void term_number_value(const struct terms *ts, term_t t, mpq_ptr value);

struct sum_part {
    term_t atom; /* no sum, no multiple, no constant */
    mpq_t factor;
};
struct sum {
    VEC(struct sum_part) parts; /* factors may be zero until sum_tidy() */
    mpq_t constant;
    bool ready;
};
void sum_init(struct sum *sum); /* 0 */
void sum_free(struct sum *sum);
/* sum += factor * t, down to the atoms */
void sum_add(const struct terms *ts, struct sum *sum, term_t t, mpq_srcptr factor);
void sum_add_difference(const struct terms *ts, struct sum *sum, term_t a, term_t b); /* += a - b */
void sum_tidy(struct sum *sum); /* by atom, each once, none with factor 0 */
void sum_scale(struct sum *sum, mpq_srcptr factor);
/* The factor of an atom, after sum_tidy(); NULL: it does not occur. */
mpq_srcptr sum_factor(const struct sum *sum, term_t atom);
term_t sum_term(struct terms *ts, sort_t sort, struct sum *sum);
/* sum += what a bound (a NLE or its negation) says is <= 0, or < 0 if `strict` (never of integers).
 */
void sum_add_bound(const struct terms *ts, struct sum *sum, term_t literal, bool *strict);
/* sum <= 0, sum = 0 */
term_t sum_bound(struct terms *ts, sort_t sort, struct sum *sum);
term_t sum_zero(struct terms *ts, sort_t sort, struct sum *sum);

#endif
