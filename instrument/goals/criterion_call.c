/* call: a call expression is executed.
 *
 * A call shares the probe of the point before it when nothing can keep control from getting from
 * there to the call; else it is hit right before its evaluation. */
#include "instrument/goals/listing.h"
#include "instrument/inputs/foreign.h"

/* Does something beside the path from the statement down to the call stop the run? */
static bool disturbed(const struct lister *l, node_id id) {
    const struct tree *tree = l->tree;
    for (node_id child = tree_at(tree, id)->first; child; child = tree_at(tree, child)->next)
        if (tree_at(tree, child)->flags & HAS_DIVERSION)
            return true;
    while (id != l->statement) {
        node_id parent = tree_at(tree, id)->parent;
        if (!parent || (node_is_statement(tree_at(tree, parent)) &&
                        tree_at(tree, parent)->kind != N_DECLARATION))
            return false;
        for (node_id child = tree_at(tree, parent)->first; child;
             child = tree_at(tree, child)->next)
            if (child != id && tree_at(tree, child)->flags & HAS_DIVERSION)
                return true;
        id = parent;
    }
    return false;
}

/* For implications between functions. */
static void note_goal(struct lister *l, node_id call, uint32_t goal) {
    struct callgraph_function *f = &l->graph->functions.data[l->function_index];
    for (size_t i = 0; i < f->calls.len; i++)
        if (f->calls.data[i].call == call)
            f->calls.data[i].goal = goal;
}

void criterion_call(struct lister *l, const struct site *site) {
    const struct node *node = tree_at(l->tree, site->node);
    if (site->kind != SITE_CALL || !node->a)
        return;
    struct span callee = tree_at(l->tree, node->a)->span;
    if (foreign_is_builtin(unit_line(l->tree->unit, callee, &l->scratch)))
        return; /* looks like a call and is none */
    struct goal_request request = {.kind = GOAL_call,
                                   .value = -1,
                                   .base = hash_mix(l->path, lister_span_hash(l, callee)),
                                   .span = node->span,
                                   .told = callee,
                                   .decision = -1,
                                   .condition = -1};
    uint32_t goal;
    if (site->sure && !disturbed(l, site->node)) {
        goal = lister_goal_at(l, &request, site->point);
    } else {
        goal = lister_goal(l, &request, NO_PROBE);
        edits_wrap(l->edits, node->span.begin, node->span.end,
                   lister_format(l, "(gk_hit(%u), ", lister_probe_of(l, goal)), ")");
        lister_implies(l, goal, NO_GOAL, site->point);
    }
    note_goal(l, site->node, goal);
}
