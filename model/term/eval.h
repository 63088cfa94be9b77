/* eval: concrete values of terms; the reference for everything else. */
#ifndef MODEL_TERM_EVAL_H
#define MODEL_TERM_EVAL_H

#include "model/term/term.h"

/* One operator on bits. `arg_sort` is the sort of the last argument. */
uint64_t term_eval_op(enum op op, sort_t sort, sort_t arg_sort, const uint64_t *args);

/* values[t] for every term t below the roots, given var_values[variable index]. `values` has room
 * for all nodes. Terms not below the roots are untouched. */
void term_eval(const struct terms *ts, const term_t *roots, size_t n, const uint64_t *var_values,
               uint64_t *values);

#endif
