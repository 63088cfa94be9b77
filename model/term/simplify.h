/* simplify: rewrite rules of the term constructors, one function per family of operators.
 *
 * Each function gets an operator whose arguments are sort-checked, not all constant, and for
 * commutative operators in canonical order (a constant is last). It returns an equal, simpler term
 * or 0 if no rule applies. Rules hold for every value, NaN and -0.0 included, and look at a bounded
 * number of levels below the arguments: nothing recurses on the depth of a term.
 */
#ifndef MODEL_TERM_SIMPLIFY_H
#define MODEL_TERM_SIMPLIFY_H

#include "model/term/eval_op.h"
#include "model/term/term.h"

/* The node itself, hash-consed, no rule applied: what the constructors end with. */
term_t term_node(struct terms *ts, enum op op, sort_t sort, const term_t *args, uint64_t payload);
/* Sorts of the arguments as ops.def has them, else bug(). */
void term_check_args(const struct terms *ts, enum op op, sort_t sort, const term_t *args);
/* Null when the arguments fit, else what is wrong with them. */
const char *term_args_fault(const struct terms *ts, enum op op, sort_t sort, const term_t *args);

term_t simplify_bool(struct terms *ts, enum op op, const term_t *args);
term_t simplify_atoms(struct terms *ts, enum op op, term_t a, term_t b); /* of AND, OR */
term_t simplify_ite(struct terms *ts, term_t c, term_t a, term_t b);
term_t simplify_arith(struct terms *ts, enum op op, term_t a, term_t b);
term_t simplify_bits(struct terms *ts, enum op op, term_t a, term_t b);    /* shifts and masks */
term_t simplify_compare(struct terms *ts, enum op op, term_t a, term_t b); /* EQ, ULT … SLE */
term_t simplify_cast(struct terms *ts, enum op op, sort_t to, term_t a);
term_t simplify_number(struct terms *ts, enum op op, const term_t *args); /* constants, too */
term_t simplify_float(struct terms *ts, enum op op, const term_t *args);
term_t simplify_float_compare(struct terms *ts, enum op op, term_t a, term_t b);

/* simplify_equal.c: of EQ on integers; of comparisons with a choice; of AND, OR over equalities */
term_t simplify_equal_sums(struct terms *ts, term_t a, term_t b);
term_t simplify_compare_choice(struct terms *ts, enum op op, term_t a, term_t b);
term_t simplify_equalities(struct terms *ts, enum op op, term_t a, term_t b);

/* What an integer term can be, in both views, from a few levels of its structure. */
struct int_bounds {
    uint64_t ulo, uhi;
    int64_t slo, shi;
};
struct int_bounds term_int_bounds(const struct terms *ts, term_t t);

/* What is known of the bits of a node whose arguments exist; of other sorts than integers nothing.
 * `((a & 247) | (b & 247)) & 8` is 0 by this alone. */
struct known_bits known_bits_of(const struct terms *ts, const struct term *node);
/* All bits are known: the value. */
bool known_bits_value(const struct terms *ts, const struct term *node, uint64_t *value);

/* a op b for constant b, where a has at most a few constant values (ITE chains, b2i): the condition
 * itself instead of the number; 0 if it does not apply. */
term_t simplify_push_compare(struct terms *ts, enum op op, term_t a, term_t b);

static inline bool term_is(const struct terms *ts, term_t t, enum op op) {
    return term_get(ts, t)->op == op;
}
static inline term_t term_arg(const struct terms *ts, term_t t, int i) {
    return term_get(ts, t)->arg[i];
}
static inline uint64_t term_bits(const struct terms *ts, term_t t) {
    return term_get(ts, t)->payload;
}
static inline bool term_is_bits(const struct terms *ts, term_t t, uint64_t bits) {
    return term_is(ts, t, OP_CONST) && term_bits(ts, t) == bits;
}
/* a is the negation of b */
static inline bool term_opposite(const struct terms *ts, term_t a, term_t b) {
    return (term_is(ts, a, OP_NOT) && term_arg(ts, a, 0) == b) ||
           (term_is(ts, b, OP_NOT) && term_arg(ts, b, 0) == a);
}
bool op_commutes(enum op op);
bool op_is_comparison(enum op op);     /* of two values: EQ, ULT … SLE, FEQ, FLT, FLE */
bool op_is_transcendental(enum op op); /* never folded: its value is the target's libm's */

#endif
