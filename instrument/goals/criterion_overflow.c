/* overflow: the exact result of a signed operation does not fit its type.
 *
 * Both operands of + - * / are evaluated into variables, from left to right:
 *
 *     a + b   ->   (v = (a), w = (b), CHECK ? gk_hit(n) : (void)0, v + w)
 *
 * CHECK computes in long long where that is wider, else with comparisons that cannot overflow. A
 * shift to the left is a multiplication, as long as its distance is one; else it is not looked at
 * here, see criterion_shift.c. */
#include "instrument/goals/robust.h"

#include <assert.h>

static char operation(const struct node *node) {
    switch (node->op) {
    case CXBinaryOperator_Add:
    case CXBinaryOperator_AddAssign:
        return '+';
    case CXBinaryOperator_Sub:
    case CXBinaryOperator_SubAssign:
        return '-';
    case CXBinaryOperator_Mul:
    case CXBinaryOperator_MulAssign:
        return '*';
    case CXBinaryOperator_Div:
    case CXBinaryOperator_DivAssign:
        return '/';
    default:
        return 0;
    }
}

/* For 64 bits; each side of a comparison stays in range. */
static const char *wide_check(struct lister *l, char op, const char *v, const char *w,
                              const char *min, const char *max) {
    if (op == '+')
        return lister_format(l, "%s > 0 ? %s > %s - %s : %s < %s - %s", w, v, max, w, v, min, w);
    if (op == '-')
        return lister_format(l, "%s < 0 ? %s > %s + %s : %s < %s + %s", w, v, max, w, v, min, w);
    return lister_format(l,
                         "%s > 0 ? (%s > 0 ? %s > %s / %s : %s < %s / %s)"
                         " : (%s > 0 ? %s < %s / %s : (%s != 0 && %s < %s / %s))",
                         v, w, v, max, w, w, min, v, w, v, min, w, v, w, max, v);
}

static const char *check_of(struct lister *l, char op, const char *v, const char *w,
                            struct number number) {
    const char *min = number_min(l, number), *max = number_max(l, number);
    if (op == '/')
        return lister_format(l, "%s == -1 && %s == %s", w, v, min);
    if (number.bits == 64)
        return wide_check(l, op, v, w, min, max);
    const char *exact = lister_format(l, "(long long)%s %c %s", v, op, w);
    return lister_format(l, "%s > %s || %s < %s", exact, max, exact, min);
}

static bool is_signed_number(const struct lister *l, node_id id, struct number *number) {
    bool is_number;
    *number = number_of_node(l, id, &is_number);
    return is_number && !number->is_float && number->is_signed && number->bits >= 32;
}

static void check_binary(struct lister *l, const struct site *site, char op, struct number number) {
    const struct node *node = tree_at(l->tree, site->node);
    struct span whole = node->span;
    struct span a = tree_at(l->tree, node->a)->span, b = tree_at(l->tree, node->b)->span;
    const char *v = lister_var_name(l, lister_var(l, number.pool));
    const char *w = lister_var_name(l, lister_var(l, number.pool));
    const char *hit = robust_hit(l, GOAL_overflow, site, NULL);
    size_t sign = unit_skip_blank(l->tree->unit, a.end);
    assert(l->tree->unit->text[sign] == op);
    edits_wrap(l->edits, whole.begin, whole.end, "(",
               lister_format(l, ", (%s) ? %s : (void)0, %s %c %s)", check_of(l, op, v, w, number),
                             hit, v, op, w));
    edits_wrap(l->edits, a.begin, a.end, lister_format(l, "%s = (", v), ")");
    edits_replace(l->edits, sign, sign + 1, ",");
    edits_wrap(l->edits, b.begin, b.end, lister_format(l, "%s = (", w), ")");
}

static void check_compound(struct lister *l, const struct site *site, char op,
                           struct number number) {
    const struct node *node = tree_at(l->tree, site->node);
    if (!is_repeatable(l, node->a)) {
        robust_give_up(l, GOAL_overflow, site, "the target is evaluated only once");
        return;
    }
    const char *w = lister_var_name(l, lister_var(l, number.pool));
    const char *hit = robust_hit(l, GOAL_overflow, site, NULL);
    const char *target = robust_again(l, node->a);
    robust_check_value(l, node->b, w, check_of(l, op, target, w, number), hit);
}

static void check_unary(struct lister *l, const struct site *site) {
    const struct node *node = tree_at(l->tree, site->node);
    struct number number;
    if (!is_signed_number(l, node->a, &number))
        return;
    if (node->op == CXUnaryOperator_Minus) {
        long long value;
        if (tree_constant(l->tree, node->a, &value))
            return;
        const char *v = lister_var_name(l, lister_var(l, number.pool));
        const char *hit = robust_hit(l, GOAL_overflow, site, NULL);
        robust_check_value(l, node->a, v, lister_format(l, "%s == %s", v, number_min(l, number)),
                           hit);
    } else if (node->op <= CXUnaryOperator_PreDec) {
        bool up = node->op == CXUnaryOperator_PostInc || node->op == CXUnaryOperator_PreInc;
        if (!is_repeatable(l, node->a)) {
            robust_give_up(l, GOAL_overflow, site, "the target is evaluated only once");
            return;
        }
        const char *hit = robust_hit(l, GOAL_overflow, site, NULL);
        const char *limit = up ? number_max(l, number) : number_min(l, number);
        robust_check_before(l, site->node,
                            lister_format(l, "%s == %s", robust_again(l, node->a), limit), hit);
    }
}

/* Of an operand after promotion: whatever is smaller becomes an int. */
static struct number promoted(struct number number) {
    if (number.bits < 32)
        number = (struct number){.is_signed = true, .bits = 32, .pool = POOL_INT};
    return number;
}

/* a << b   ->   a << (w = (b), CHECK ? gk_hit(n) : (void)0, w) */
static void check_shift(struct lister *l, const struct site *site) {
    const struct node *node = tree_at(l->tree, site->node);
    bool shifts_number, is_number;
    long long constant;
    struct number shifted = promoted(number_of_node(l, node->a, &shifts_number));
    struct number distance = number_of_node(l, node->b, &is_number);
    if (!shifts_number || !is_number || shifted.is_float || !shifted.is_signed ||
        tree_constant(l->tree, site->node, &constant) ||
        (tree_constant(l->tree, node->b, &constant) && constant == 0))
        return;
    if (!is_repeatable(l, node->a)) {
        robust_give_up(l, GOAL_overflow, site, "the shifted operand is evaluated only once");
        return;
    }
    const char *w = lister_var_name(l, lister_var(l, distance.pool));
    const char *hit = robust_hit(l, GOAL_overflow, site, NULL);
    const char *from = distance.is_signed ? lister_format(l, "%s >= 0 && ", w) : "";
    const char *a = robust_again(l, node->a);
    robust_check_value(l, node->b, w,
                       lister_format(l, "%s%s < %u && (%s > %s >> %s || %s < %s >> %s)", from, w,
                                     shifted.bits, a, number_max(l, shifted), w, a,
                                     number_min(l, shifted), w),
                       hit);
}

static bool shifts_left(const struct node *node) {
    return (node->kind == N_BINARY && node->op == CXBinaryOperator_Shl) ||
           (node->kind == N_ASSIGN && node->op == CXBinaryOperator_ShlAssign);
}

void criterion_overflow(struct lister *l, const struct site *site) {
    const struct node *node = tree_at(l->tree, site->node);
    struct number number, target;
    long long value;
    if (site->kind != SITE_EXPRESSION)
        return;
    if (node->kind == N_UNARY)
        check_unary(l, site);
    if (shifts_left(node))
        check_shift(l, site);
    if ((node->kind != N_BINARY && node->kind != N_ASSIGN) || !operation(node) ||
        !is_signed_number(l, node->b, &number) || tree_constant(l->tree, site->node, &value))
        return;
    bool divisor = operation(node) == '/' && tree_constant(l->tree, node->b, &value);
    if (divisor && value != -1)
        return;
    bool is_number;
    target = number_of_node(l, node->a, &is_number);
    if (node->kind == N_ASSIGN && is_number && !target.is_float)
        check_compound(l, site, operation(node), number);
    else if (node->kind == N_BINARY && is_signed_number(l, node->a, &number))
        check_binary(l, site, operation(node), number);
}
