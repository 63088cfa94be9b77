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
 * operands that were not. */
#include "instrument/decision.h"

#include <assert.h>

static void add_code(struct decision_site *d, const char *code) {
    if (d->after.len > 0)
        str_add(&d->after, ", ");
    str_add(&d->after, code);
}

/* Condition `c` is credited when `credit` holds (NULL: always). */
static void credit_condition(struct lister *l, const struct site *site, uint32_t n,
                             const char *credit) {
    struct decision_site *d = site->decision;
    const struct shape_node *leaf = &d->shape.nodes.data[n];
    uint32_t probe[2];
    for (int value = 1; value >= 0; value--) {
        struct goal_request request = {.kind = GOAL_mcdc,
                                       .value = value,
                                       .base =
                                           hash_mix(d->path, lister_text_hash(l, leaf->id, true)),
                                       .span = tree_at(l->tree, leaf->id)->span,
                                       .decision = (int32_t)d->index,
                                       .condition = (int32_t)leaf->condition};
        uint32_t goal = lister_goal(l, &request, NO_PROBE);
        probe[value] = lister_probe_of(l, goal);
        lister_implies(l, goal, d->leaves[leaf->condition].goal[value], site->point);
    }
    const char *hits = lister_format(l, "(%s ? gk_hit(%u) : gk_hit(%u))", decision_value(l, d, n),
                                     probe[1], probe[0]);
    if (credit)
        hits = lister_format(l, "((%s) ? %s : (void)0)", credit, hits);
    add_code(d, hits);
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

static void credit_node(struct lister *l, const struct site *site, uint32_t n, const char *credit) {
    struct decision_site *d = site->decision;
    const struct shape_node node = d->shape.nodes.data[n];
    assert(node.kind == SHAPE_AND || node.kind == SHAPE_OR);
    const char *value = decision_value(l, d, n), *left = decision_value(l, d, node.a);
    const char *guard = credit ? lister_format(l, "%s && ", credit) : "";
    credit_operand(l, site, node.a, lister_format(l, "%s(%s == %s)", guard, value, left));
    credit_operand(l, site, node.b,
                   lister_format(l, "%s%s(%s)", guard, node.kind == SHAPE_AND ? "" : "!", left));
}

void criterion_mcdc(struct lister *l, const struct site *site) {
    if (site->kind != SITE_DECISION || site->decision->shape.leaves.len < 2)
        return;
    bool negated = false;
    credit_node(l, site, shape_through_not(&site->decision->shape, 0, &negated), NULL);
}
