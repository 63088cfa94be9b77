/* mode: operators on floats in any of the five rounding modes, as terms.
 *
 *     struct terms ts;
 *     terms_init(&ts);
 *     term_t args[2] = {term_f64(&ts, 1.0), term_f64(&ts, 3.0)};
 *     term_t third = mode_arithmetic(&ts, RM_RTP, OP_FDIV, args);   // upward
 *
 * To nearest even and toward zero each operator has a row of its own (ops.def); up and down are a
 * choice of two of them (round.h). A mode that is not constant is a choice of the results in all.
 */
#ifndef MODEL_TERM_MODE_H
#define MODEL_TERM_MODE_H

#include "model/term/term.h"

/* to nearest, halves to even or away from zero; up; down; toward zero */
enum rounding_mode { RM_RNE, RM_RNA, RM_RTP, RM_RTN, RM_RTZ, RM_COUNT };

/* FADD, FSUB, FMUL, FDIV, FMA, FSQRT */
term_t mode_arithmetic(struct terms *ts, enum rounding_mode rm, enum op op, const term_t *args);
/* A whole number near x. */
term_t mode_integral(struct terms *ts, enum rounding_mode rm, term_t x);
/* A float in the other format. */
term_t mode_float(struct terms *ts, enum rounding_mode rm, sort_t to, term_t x);
/* An integer as a float; op: OP_S2F or OP_U2F. */
term_t mode_int(struct terms *ts, enum rounding_mode rm, enum op op, sort_t to, term_t x);

#endif
