/* shift: the distance of a shift is negative, or not below the width of the shifted operand. */
#include "instrument/goals/robust.h"

static bool shifts(const struct node *node) {
    if (node->kind != N_BINARY && node->kind != N_ASSIGN)
        return false;
    return node->op == CXBinaryOperator_Shl || node->op == CXBinaryOperator_Shr ||
           node->op == CXBinaryOperator_ShlAssign || node->op == CXBinaryOperator_ShrAssign;
}

void criterion_shift(struct lister *l, const struct site *site) {
    const struct node *node = tree_at(l->tree, site->node);
    bool is_number, shifts_number;
    long long value;
    if (site->kind != SITE_EXPRESSION || !shifts(node))
        return;
    struct number shifted = number_of_node(l, node->a, &shifts_number);
    struct number distance = number_of_node(l, node->b, &is_number);
    unsigned width = shifted.bits < 32 ? 32 : shifted.bits; /* after promotion */
    if (!is_number || !shifts_number ||
        (tree_constant(l->tree, node->b, &value) && value >= 0 && value < (long long)width))
        return;
    const char *v = lister_var_name(l, lister_var(l, distance.pool));
    const char *negative = distance.is_signed ? lister_format(l, "%s < 0 || ", v) : "";
    const char *hit = robust_hit(l, GOAL_shift, site, NULL);
    robust_check_value(l, node->b, v, lister_format(l, "%s%s >= %u", negative, v, width), hit);
}
