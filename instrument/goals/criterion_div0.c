/* div0: the divisor of an integer division or remainder is zero. */
#include "instrument/goals/robust.h"

static bool divides(const struct node *node) {
    if (node->kind != N_BINARY && node->kind != N_ASSIGN)
        return false;
    return node->op == CXBinaryOperator_Div || node->op == CXBinaryOperator_Rem ||
           node->op == CXBinaryOperator_DivAssign || node->op == CXBinaryOperator_RemAssign;
}

void criterion_div0(struct lister *l, const struct site *site) {
    const struct node *node = tree_at(l->tree, site->node);
    bool is_number;
    long long value;
    if (site->kind != SITE_EXPRESSION || !divides(node))
        return;
    struct number number = number_of_node(l, node->b, &is_number);
    if (!is_number || number.is_float || (tree_constant(l->tree, node->b, &value) && value != 0))
        return;
    const char *v = lister_var_name(l, lister_var(l, number.pool));
    const char *hit = robust_hit(l, GOAL_div0, site, NULL);
    robust_check_value(l, node->b, v, lister_format(l, "%s == 0", v), hit);
}
