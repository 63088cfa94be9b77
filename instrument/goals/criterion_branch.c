/* branch: a controlling expression (of if, while, do, for, ?:) was true, was false. */
#include "instrument/goals/decision.h"

void criterion_branch(struct lister *l, const struct site *site) {
    if (site->kind != SITE_DECISION || !site->decision->controlling)
        return;
    for (int value = 1; value >= 0; value--) {
        struct goal_request request = {.kind = GOAL_branch,
                                       .value = value,
                                       .base = site->decision->path,
                                       .span = tree_at(l->tree, site->node)->span,
                                       .decision = (int32_t)site->decision->index,
                                       .condition = -1};
        decision_outcome_goal(l, site, value, &request);
    }
}
