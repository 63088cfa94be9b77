/* range: an assignment gives a variable a value outside the range that the generator's comment, or
 * the project file, declares for it. */
#include "instrument/inputs/declared.h"
#include "instrument/goals/robust.h"

static bool assigns(const struct node *node) {
    return node->kind == N_ASSIGN || (node->kind == N_UNARY && node->op <= CXUnaryOperator_PreDec);
}

/* Of the variable itself: for an element of an array, that of the array. */
static CXCursor assigned(const struct lister *l, node_id target) {
    node_id id = tree_strip(l->tree, target);
    while (tree_at(l->tree, id)->kind == N_INDEX)
        id = tree_strip(l->tree, tree_at(l->tree, id)->a);
    return tree_named(l->tree, id);
}

static const char *outside(struct lister *l, const char *v, const struct declared_range *range) {
    const char *above = range->max ? lister_format(l, "%s > %s", v, range->max) : "";
    const char *below = range->min ? lister_format(l, "%s < %s", v, range->min) : "";
    return lister_format(l, "%s%s%s", above, range->max && range->min ? " || " : "", below);
}

void criterion_range(struct lister *l, const struct site *site) {
    const struct node *node = tree_at(l->tree, site->node);
    struct declared_range range;
    if (site->kind != SITE_EXPRESSION || !assigns(node))
        return;
    CXCursor variable = assigned(l, node->a);
    if (clang_Cursor_isNull(variable) ||
        !interface_declared_range(l->project, l->tree->unit, variable, &l->scratch, &range))
        return;
    if (!is_repeatable(l, node->a)) {
        robust_give_up(l, GOAL_range, site, "the target is evaluated only once");
        return;
    }
    const char *hit = robust_hit(l, GOAL_range, site, NULL);
    const char *target = robust_again(l, node->a);
    const char *value = site->unused ? "" : lister_format(l, ", %s", target);
    edits_wrap(
        l->edits, node->span.begin, node->span.end, "(",
        lister_format(l, ", (%s) ? %s : (void)0%s)", outside(l, target, &range), hit, value));
}
