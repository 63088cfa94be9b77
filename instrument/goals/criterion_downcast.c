/* downcast: a conversion changes the value: an integer does not fit, or is not one of the floats; a
 * float is outside the integer type or overflows the smaller float. That a fraction is cut off, or
 * a float rounded, is no event.
 *
 * Covered are casts, implicit conversions (assignment, argument, return, arithmetic), assignments
 * to bit-fields, and what += and ++ store. */
#include "instrument/goals/robust.h"

#include <stdlib.h>

/* Has the constant more digits than the float? */
static bool is_rounded(long long value, struct number to) {
    return to.bits == 32 ? value != (long long)(float)value : value != (long long)(double)value;
}

static void check_conversion(struct lister *l, const struct site *site, node_id operand,
                             struct number to) {
    bool is_number;
    long long value;
    struct number from = number_of_node(l, operand, &is_number);
    if (!is_number)
        return;
    if (!from.is_float && tree_constant(l->tree, operand, &value)) {
        struct number wide = to;
        bool fits =
            to.is_float ? llabs(value) < 1LL << 60 && !is_rounded(value, to) : to.bits >= 64;
        if (!fits && !to.is_float) {
            long long max = (long long)(~0ULL >> (64 - wide.bits + wide.is_signed));
            fits = value <= max && value >= (wide.is_signed ? -max - 1 : 0);
        }
        if (fits)
            return;
    }
    if (!number_outside(l, "", from, to))
        return;
    const char *v = lister_var_name(l, lister_var(l, from.pool));
    const char *hit = robust_hit(l, GOAL_downcast, site, NULL);
    robust_check_value(l, operand, v, number_outside(l, v, from, to), hit);
}

/* Operations whose result can leave the type of the target. */
static const char *growing(const struct node *node) {
    switch (node->op) {
    case CXBinaryOperator_AddAssign:
        return "+";
    case CXBinaryOperator_SubAssign:
        return "-";
    case CXBinaryOperator_MulAssign:
        return "*";
    case CXBinaryOperator_OrAssign:
        return "|";
    case CXBinaryOperator_XorAssign:
        return "^";
    default:
        return NULL;
    }
}

/* x += e: the sum has the type of e, after conversion. */
static void check_compound(struct lister *l, const struct site *site, struct number to) {
    const struct node *node = tree_at(l->tree, site->node);
    bool is_number;
    struct number from = number_of_node(l, node->b, &is_number);
    if (!is_number || !growing(node) || !number_outside(l, "", from, to))
        return;
    if (!is_repeatable(l, node->a)) {
        robust_give_up(l, GOAL_downcast, site, "the target is evaluated only once");
        return;
    }
    const char *w = lister_var_name(l, lister_var(l, from.pool));
    const char *hit = robust_hit(l, GOAL_downcast, site, NULL);
    bool widen = !from.is_float && from.is_signed && from.bits < 64;
    const char *sum = lister_format(l, "(%s%s %s %s)", widen ? "(long long)" : "",
                                    robust_again(l, node->a), growing(node), w);
    robust_check_value(l, node->b, w, number_outside(l, sum, from, to), hit);
}

static void check_step(struct lister *l, const struct site *site, struct number to) {
    const struct node *node = tree_at(l->tree, site->node);
    bool up = node->op == CXUnaryOperator_PostInc || node->op == CXUnaryOperator_PreInc;
    if (to.is_float || to.bits >= 32)
        return;
    if (!is_repeatable(l, node->a)) {
        robust_give_up(l, GOAL_downcast, site, "the target is evaluated only once");
        return;
    }
    const char *hit = robust_hit(l, GOAL_downcast, site, NULL);
    const char *limit = up ? number_max(l, to) : number_min(l, to);
    robust_check_before(l, site->node,
                        lister_format(l, "%s == %s", robust_again(l, node->a), limit), hit);
}

static bool is_bit_field(const struct lister *l, node_id id) {
    const struct node *node = tree_at(l->tree, tree_strip(l->tree, id));
    return node->kind == N_MEMBER &&
           clang_getFieldDeclBitWidth(clang_getCursorReferenced(node->cursor)) > 0;
}

void criterion_downcast(struct lister *l, const struct site *site) {
    const struct node *node = tree_at(l->tree, site->node);
    bool is_number;
    if (site->kind != SITE_EXPRESSION)
        return;
    if ((node->kind == N_CAST || node->kind == N_IMPLICIT) && node->a) {
        struct number to = number_of_node(l, site->node, &is_number);
        if (is_number)
            check_conversion(l, site, node->a, to);
    } else if (node->kind == N_ASSIGN) {
        struct number to = number_of_target(l, node->a, &is_number);
        if (is_number && node->op != CXBinaryOperator_Assign)
            check_compound(l, site, to);
        else if (is_number && is_bit_field(l, node->a))
            check_conversion(l, site, node->b, to);
    } else if (node->kind == N_UNARY && node->op <= CXUnaryOperator_PreDec) {
        struct number to = number_of_target(l, node->a, &is_number);
        if (is_number)
            check_step(l, site, to);
    }
}
