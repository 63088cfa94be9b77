/* function: the body of a function is entered. */
#include "instrument/goals/listing.h"

void criterion_function(struct lister *l, const struct site *site) {
    if (site->kind != SITE_FUNCTION)
        return;
    struct span body = tree_at(l->tree, site->node)->span;
    struct goal_request request = {.kind = GOAL_function,
                                   .value = -1,
                                   .base = hash_mix(l->path, 1),
                                   .span = {l->function->span.begin, body.begin},
                                   .text = l->function->name,
                                   .decision = -1,
                                   .condition = -1};
    l->graph->functions.data[l->function_index].goal = lister_goal_at(l, &request, site->point);
}
