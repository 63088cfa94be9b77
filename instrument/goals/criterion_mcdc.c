/* mcdc: a condition was shown to decide the outcome of its decision (masking MC/DC).
 *
 * A condition is credited iff it was evaluated, and for every && and || above it that has it in
 * its left operand, the right operand was not evaluated or had the neutral value. Both cases mean
 * that the operator and its left operand have the same value. So credit runs down the tree:
 *
 *     credit(root)  = 1
 *     credit(left)  = credit(node) and value(node) == value(left)
 *     credit(right) = credit(node) and the left operand is neutral
 *
 * credit(node) implies that the node was evaluated; && keeps the code from looking at flags of
 * operands that were not.
 *
 * Most decisions are one chain of && or of ||. There a condition that is credited with the value
 * that ends the chain has ended it, and with the other value all others have it too, the last of
 * them at the end: either way a condition's own probe says the same, and the goal shares it. */
#include "instrument/goals/decision.h"

#include <assert.h>

static void add_code(struct decision_site *d, const char *code) {
    if (d->after.len > 0)
        str_add(&d->after, ", ");
    str_add(&d->after, code);
}

struct condition_value {
    int condition; /* -1: none */
    bool value;
};

/* The value of a condition that is there exactly when the condition of leaf `n` is credited with
 * `value`, and after which nothing is evaluated. Up from the leaf: where it is in a left operand
 * that is neutral, the right one has to be neutral too. That works as long as a node has its value
 * only with the credit (`only`), and the right operand gets its value from one condition. */
static struct condition_value same_as_credit(const struct shape *shape, uint32_t n, bool value) {
    struct condition_value same = {(int)shape->nodes.data[n].condition, value};
    bool only = true;
    assert(shape->nodes.data[n].kind == SHAPE_LEAF);
    for (uint32_t up; n != 0; n = up) {
        up = shape->nodes.data[n].parent;
        const struct shape_node *node = &shape->nodes.data[up];
        bool neutral = value == (node->kind == SHAPE_AND);
        if (node->kind == SHAPE_NOT)
            value = !value;
        else if (neutral && n == node->a && only)
            same.condition = shape_implied(shape, node->b, value, &same.value);
        else if (neutral && n == node->a)
            same.condition = -1;
        else
            only &= neutral;
        if (same.condition < 0)
            break;
    }
    return same;
}

/* In a chain of && alone, or of || alone, the credit of a condition is as good as the value of the
 * condition evaluated last: that one has the probe. */
static uint32_t probe_of_credit(const struct site *site, uint32_t n, bool value) {
    const struct decision_site *d = site->decision;
    struct condition_value same = same_as_credit(&d->shape, n, value);
    return same.condition < 0 ? NO_PROBE : d->leaves[same.condition].probe[same.value];
}

static uint32_t credit_goal(struct lister *l, const struct site *site, uint32_t n, bool value) {
    struct decision_site *d = site->decision;
    const struct shape_node *leaf = &d->shape.nodes.data[n];
    struct goal_request request = {.kind = GOAL_mcdc,
                                   .value = value,
                                   .base = hash_mix(d->path, lister_text_hash(l, leaf->id, true)),
                                   .span = tree_at(l->tree, leaf->id)->span,
                                   .decision = (int32_t)d->index,
                                   .condition = (int32_t)leaf->condition};
    uint32_t goal = lister_goal(l, &request, probe_of_credit(site, n, value));
    lister_implies(l, goal, d->leaves[leaf->condition].goal[value], site->point);
    return goal;
}

static const char *hit_of_credit(struct lister *l, const struct site *site, uint32_t n,
                                 bool value) {
    uint32_t probe = lister_probe_of(l, credit_goal(l, site, n, value));
    return probe == probe_of_credit(site, n, value) ? "(void)0"
                                                    : lister_format(l, "gk_hit(%u)", probe);
}

/* Condition `n` is credited when `credit` holds (NULL: always). */
static void credit_condition(struct lister *l, const struct site *site, uint32_t n,
                             const char *credit) {
    const char *when_true = hit_of_credit(l, site, n, true);
    const char *when_false = hit_of_credit(l, site, n, false);
    assert(!str_same(when_true, when_false));
    const char *hits = lister_format(l, "(%s ? %s : %s)", decision_value(l, site->decision, n),
                                     when_true, when_false);
    if (credit)
        hits = lister_format(l, "((%s) ? %s : (void)0)", credit, hits);
    add_code(site->decision, hits);
}

static void credit_node(struct lister *l, const struct site *site, uint32_t n, const char *credit);

/* An operand that is no condition keeps its credit in a flag: it is used more than once. */
static void credit_operand(struct lister *l, const struct site *site, uint32_t n,
                           const char *credit) {
    struct decision_site *d = site->decision;
    bool negated = false;
    n = shape_through_not(&d->shape, n, &negated);
    if (d->shape.nodes.data[n].kind == SHAPE_LEAF) {
        credit_condition(l, site, n, credit);
        return;
    }
    const char *flag = lister_var_name(l, lister_var(l, POOL_INT));
    add_code(d, lister_format(l, "%s = %s", flag, credit));
    credit_node(l, site, n, flag);
}

/* Marks nodes with a condition below that has a probe for its credit alone. Operands follow. */
static void mark_code(const struct site *site) {
    struct shape *shape = &site->decision->shape;
    for (size_t n = shape->nodes.len; n-- > 0;) {
        struct shape_node *node = &shape->nodes.data[n];
        node->credit_code = node->kind == SHAPE_LEAF
                                ? probe_of_credit(site, (uint32_t)n, true) == NO_PROBE ||
                                      probe_of_credit(site, (uint32_t)n, false) == NO_PROBE
                                : shape->nodes.data[node->a].credit_code;
        if (node->kind == SHAPE_AND || node->kind == SHAPE_OR)
            node->credit_code |= shape->nodes.data[node->b].credit_code;
    }
}

static void list_only(struct lister *l, const struct site *site, uint32_t n) {
    const struct shape_node node = site->decision->shape.nodes.data[n];
    if (node.kind == SHAPE_LEAF) {
        credit_goal(l, site, n, true);
        credit_goal(l, site, n, false);
        return;
    }
    list_only(l, site, node.a);
    if (node.kind != SHAPE_NOT)
        list_only(l, site, node.b);
}

static const char *credit_of_operand(struct lister *l, const struct site *site, uint32_t n,
                                     bool is_left, const char *credit) {
    struct decision_site *d = site->decision;
    const struct shape_node node = d->shape.nodes.data[n];
    const char *guard = credit ? lister_format(l, "%s && ", credit) : "";
    const char *left = decision_value(l, d, node.a);
    if (is_left)
        return lister_format(l, "%s(%s == %s)", guard, decision_value(l, d, n), left);
    return lister_format(l, "%s%s(%s)", guard, node.kind == SHAPE_AND ? "" : "!", left);
}

static void credit_node(struct lister *l, const struct site *site, uint32_t n, const char *credit) {
    const struct shape_node node = site->decision->shape.nodes.data[n];
    assert(node.kind == SHAPE_AND || node.kind == SHAPE_OR);
    for (int side = 0; side < 2; side++) {
        uint32_t operand = side ? node.b : node.a;
        if (site->decision->shape.nodes.data[operand].credit_code)
            credit_operand(l, site, operand, credit_of_operand(l, site, n, side == 0, credit));
        else
            list_only(l, site, operand);
    }
}

void criterion_mcdc(struct lister *l, const struct site *site) {
    if (site->kind != SITE_DECISION || site->decision->shape.leaves.len < 2)
        return;
    bool negated = false;
    mark_code(site);
    credit_node(l, site, shape_through_not(&site->decision->shape, 0, &negated), NULL);
}
