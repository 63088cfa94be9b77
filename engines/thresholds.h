/* thresholds: bounds worth trying for cells of a sort, taken from the program.
 *
 * Constants of the step and of the targets with their neighbours, powers of two, for floats also
 * small and large multiples; in ordinals, ascending, each once.
 *
 *     struct thresholds t;
 *     thresholds_init(&t, sys, targets, n_targets);
 *     const struct ordinals *all = thresholds_of(&t, sort, is_signed);
 *     thresholds_free(&t);
 */
#ifndef ENGINES_THRESHOLDS_H
#define ENGINES_THRESHOLDS_H

#include "model/system/system.h"

VEC_STRUCT(ordinals, int64_t);

struct thresholds {
    const struct system *sys;
    VEC(term_t) roots;
    struct ordinals by_sort[SORT_F64 + 1][2]; /* filled when asked for; [is_signed] */
};

void thresholds_init(struct thresholds *t, const struct system *sys, const uint32_t *targets,
                     size_t n);
void thresholds_free(struct thresholds *t);
const struct ordinals *thresholds_of(struct thresholds *t, sort_t sort, bool is_signed);
/* The same of the terms below these roots only; appended, then all of `out` is sorted. */
void thresholds_below(const struct terms *ts, const term_t *roots, size_t n, sort_t sort,
                      bool is_signed, struct ordinals *out);

#endif
