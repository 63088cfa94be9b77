/* decision: probes inside a controlling or logical expression.
 *
 * Criteria ask for what they need while the decision is offered to them; decision_list then weaves
 * it, all at once. For `a && !b` with everything asked for it becomes
 *
 *     (v0 = ((v1 = (a) ? (gk_hit(1), 1) : (gk_hit(2), 0)) && !(v2 = (b) ? … )) ? 1 : 0, CODE, v0)
 *
 * where CODE are the hits that depend on the whole evaluation. The flags are locals of type int;
 * those of operands that were not evaluated hold old values, so CODE looks at a flag only after it
 * has made sure that the operand was evaluated. */
#ifndef INSTRUMENT_GOALS_DECISION_H
#define INSTRUMENT_GOALS_DECISION_H

#include "instrument/goals/listing.h"

/* The probe for "condition `c` was `value`"; the same probe when asked again. A decision with one
 * condition shares it with the outcome. `goal` is the one that asks. */
uint32_t decision_condition_goal(struct lister *l, const struct site *site, uint32_t c, bool value,
                                 const struct goal_request *request);
/* The same for the outcome of the decision. */
uint32_t decision_outcome_goal(struct lister *l, const struct site *site, bool value,
                               const struct goal_request *request);

/* Asks for flags, and gives the C text of the value of a node: "gk_p3". */
const char *decision_value(struct lister *l, struct decision_site *d, uint32_t shape_node);

#endif
