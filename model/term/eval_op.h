/* eval_op: the families of operators behind term_eval_op(), each total on bits. */
#ifndef MODEL_TERM_EVAL_OP_H
#define MODEL_TERM_EVAL_OP_H

#include "model/term/term.h"

uint64_t eval_int_op(enum op op, sort_t width, const uint64_t *args);
uint64_t eval_float_op(enum op op, sort_t arg_sort, const uint64_t *args);
uint64_t eval_cast_op(enum op op, sort_t sort, sort_t arg_sort, uint64_t arg);

/* The value with every NaN made the canonical quiet one: what evaluation works with. */
uint64_t bits_canonical(sort_t sort, uint64_t bits);

static inline uint64_t int_mask(sort_t width) {
    return ~(uint64_t)0 >> (64 - width);
}
static inline int64_t int_signed(sort_t width, uint64_t bits) {
    return (int64_t)(bits << (64 - width)) >> (64 - width);
}

#endif
