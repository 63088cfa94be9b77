/* round: operators and casts that round otherwise than to nearest even, FADDZ to FSQRTA, F2FZ to
 * F2FN.
 *
 *     struct op_rounding o = op_rounding(OP_FMULA);   // {OP_FMUL, 'A'}
 */
#ifndef MODEL_TERM_ROUND_H
#define MODEL_TERM_ROUND_H

#include "model/term/term.h"

struct op_rounding {
    enum op nearest; /* the same operator to nearest even */
    char how;        /* Z toward zero, A away from zero, N to nearest and halves away from zero */
};

static inline bool op_rounds_otherwise(enum op op) {
    return (op >= OP_FADDZ && op <= OP_FSQRTA) || (op >= OP_F2FZ && op <= OP_F2FN);
}
struct op_rounding op_rounding(enum op op);

/* The operator of that rounding; a square root is never half way. */
enum op op_rounded(enum op nearest, char how);

/* The value, on bits; `sort` is that of the result. */
uint64_t eval_rounded_op(enum op op, sort_t sort, sort_t arg_sort, const uint64_t *args);

#endif
