/* invariant: clauses over the cells of a system, the currency of proofs.
 *
 * A literal is a bound on one cell in ordinals (model/term/ordinal.h; order and sign as the cell's
 * variable has them) or a NaN flag, or a bound on a sum of two integer cells, each with a factor:
 * `2*x - y <= 5`, over the integers, so that nothing wraps. Every literal kind has its complement.
 * A clause is a disjunction, an invariant a conjunction of clauses plus, for k-inductive proofs, a
 * depth:
 *
 *   k = 1: I => Inv;  Inv and T => Inv';  Inv => not hit(t) for every target listed.
 *   k > 1: the clauses are 1-inductive on their own, and "no listed target is hit" is k-inductive
 *          relative to them (base case: not within the first k steps).
 */
#ifndef MODEL_SYSTEM_INVARIANT_H
#define MODEL_SYSTEM_INVARIANT_H

#include "model/system/system.h"

enum bound_kind { BOUND_GE, BOUND_LE, BOUND_NAN, BOUND_NOT_NAN };

enum { BOUND_FACTOR_MAX = 4096 };

struct bound {
    uint32_t cell;
    uint8_t kind; /* enum bound_kind */
    int64_t ordinal;
    /* With other_factor != 0 it is factor * cell + other_factor * other that is bounded, GE or LE:
     * two different integer cells of at most 32 bits, factor > 0, both within BOUND_FACTOR_MAX. */
    uint32_t other;
    int16_t factor, other_factor;
};
VEC_STRUCT(clause, struct bound);
VEC_STRUCT(clauses, struct clause);

struct invariant {
    struct clauses clauses;
    VEC(uint32_t) targets; /* proved dead by it */
    uint32_t k;            /* >= 1 */
};

static inline bool bound_is_sum(struct bound b) {
    return b.other_factor != 0;
}
struct bound bound_negate(struct bound b);
bool bound_same(struct bound a, struct bound b);
bool clause_same(const struct clause *a, const struct clause *b);
bool bound_can_sum(const struct system *sys, uint32_t cell); /* it can be part of a sum */
bool bound_sum_valid(const struct system *sys, struct bound b);
term_t bound_sum(const struct system *sys, struct bound b); /* the sum, signed, without overflow */
/* What the types of its cells alone say of a bound: one that holds for every value of them, as
 * `x <= 256` of 8 bits, says nothing, and may lie outside of what such a cell can hold. */
enum bound_truth { BOUND_OPEN, BOUND_ALWAYS, BOUND_NEVER };
enum bound_truth bound_truth(const struct system *sys, struct bound b);
/* Replaces each cell by its index in `cells`; false when one has none (NONE). */
bool clause_map(struct clause *c, const uint32_t *cells);
/* Of a bound on one cell. */
bool bound_holds(struct bound b, sort_t sort, bool is_signed, uint64_t bits);
bool clause_holds(const struct clause *c, const struct system *sys, const uint64_t *cells);
term_t bound_term(struct system *sys, struct bound b); /* as a term over the cell variable */
term_t clause_term(struct system *sys, const struct clause *c);
void bound_print(struct bound b, const struct system *sys, struct str *out); /* "x >= 3" */
void clause_print(const struct clause *c, const struct system *sys, struct str *out);
void invariant_init(struct invariant *inv);
void invariant_free(struct invariant *inv);
void invariant_add(struct invariant *inv, const struct bound *lits, size_t n); /* copies */
bool invariant_has(const struct invariant *inv, const struct clause *c);
/* Drops bounds that never hold and clauses that always do. */
void invariant_tidy(struct invariant *inv, const struct system *sys);
void invariant_copy(struct invariant *to, const struct invariant *from);
void invariant_write(const struct invariant *inv, const struct system *sys, struct str *out);
/* Derived cells that the system does not have yet are added to it. */
bool invariant_read(struct invariant *inv, struct system *sys, const char *text, struct err *err);
/* The text was made for another system: its clauses over the cells of the same names and types, and
 * no targets. */
bool invariant_read_for(struct invariant *inv, struct system *sys, const struct system *from,
                        const char *text, struct err *err);
/* The same where only the text is left of that system: what is read need not hold. */
bool invariant_read_again(struct invariant *inv, struct system *sys, const char *text);

#endif
