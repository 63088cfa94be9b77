/* condition: a condition of a decision was evaluated to true, to false. */
#include "instrument/goals/decision.h"

void criterion_condition(struct lister *l, const struct site *site) {
    if (site->kind != SITE_DECISION)
        return;
    const struct decision_site *d = site->decision;
    for (uint32_t c = 0; c < d->shape.leaves.len; c++) {
        node_id id = d->shape.nodes.data[d->shape.leaves.data[c]].id;
        uint64_t text = hash_mix(d->path, lister_text_hash(l, id, true));
        for (int value = 1; value >= 0; value--) {
            struct goal_request request = {.kind = GOAL_condition,
                                           .value = value,
                                           .base = text,
                                           .span = tree_at(l->tree, id)->span,
                                           .decision = (int32_t)d->index,
                                           .condition = (int32_t)c};
            decision_condition_goal(l, site, c, value, &request);
        }
    }
}
