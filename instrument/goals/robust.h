/* robust: what the robustness criteria share.
 *
 * Their probes stand at the operation. An operand is evaluated once, into a local variable of its
 * own type, and the operation goes on with that. Where an operand is an lvalue, or a pointer whose
 * type has no name, its text is used a second time instead; that needs an operand without side
 * effects and volatile reads. A goal whose operand is not like that is listed with this reason and
 * stays open. Goals are listed only where the event is not excluded by constants. */
#ifndef INSTRUMENT_GOALS_ROBUST_H
#define INSTRUMENT_GOALS_ROBUST_H

#include "instrument/goals/listing.h"

/* A number type of the target. */
struct number {
    bool is_float, is_signed;
    unsigned bits; /* integers: of the value; floats: 32, 64, more */
    enum pool pool;
};

bool number_of_type(CXType type, struct number *number); /* false: no number, or a _Bool */
struct number number_of_node(const struct lister *l, node_id id, bool *is_number);
/* Of a bit-field: with its width. */
struct number number_of_target(const struct lister *l, node_id id, bool *is_number);

/* "255LL", "(-128LL)", "18446744073709551615ULL" */
const char *number_min(struct lister *l, struct number number);
const char *number_max(struct lister *l, struct number number);
/* C text of: the value of variable `v` (of type `from`) is not one of type `to`; NULL: cannot be.
 */
const char *number_outside(struct lister *l, const char *v, struct number from, struct number to);

/* Can be evaluated a second time. */
bool is_repeatable(const struct lister *l, node_id id);
/* The text of an expression, to be used again, in parentheses. */
const char *robust_again(struct lister *l, node_id id);

/* A goal on a node; returns "gk_hit(n)". */
const char *robust_hit(struct lister *l, enum goal_kind kind, const struct site *site,
                       const char *text);
/* A goal that is listed only: with the reason why no probe can be woven. */
void robust_give_up(struct lister *l, enum goal_kind kind, const struct site *site,
                    const char *reason);

/* EXPR -> (v = (EXPR), (CHECK) ? HIT : (void)0, v) */
void robust_check_value(struct lister *l, node_id id, const char *v, const char *check,
                        const char *hit);
/* EXPR -> ((CHECK) ? HIT : (void)0, EXPR) */
void robust_check_before(struct lister *l, node_id id, const char *check, const char *hit);

#endif
