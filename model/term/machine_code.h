/* machine_code: terms decoded for repeated evaluation, in order, arguments first.
 *
 * Values agree with term_eval_op() bit for bit (tests/model/test_simplify.c); the frequent
 * operators have a function of their own, so that a term costs one indirect call. */
#ifndef MODEL_TERM_MACHINE_CODE_H
#define MODEL_TERM_MACHINE_CODE_H

#include "model/term/term.h"

struct machine_code;

/* The code of all terms below the roots (0 is skipped). Constants are written to `values` now: they
 * cost nothing later. */
struct machine_code *machine_code_new(const struct terms *ts, const term_t *roots, size_t n,
                                      uint64_t *values);
void machine_code_free(struct machine_code *code);
/* values[t] of every term, from the values of the variables. */
void machine_code_run(const struct machine_code *code, const uint64_t *var_values,
                      uint64_t *values);

#endif
