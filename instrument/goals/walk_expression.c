/* walk_expression: what is evaluated, and whether it is evaluated for sure. */
#include "instrument/goals/listing.h"

static void walk_children(struct lister *l, node_id id, struct expression_context context) {
    context.unused = false;
    for (node_id child = tree_at(l->tree, id)->first; child; child = tree_at(l->tree, child)->next)
        walk_expression(l, child, context);
}

static void walk_choice(struct lister *l, node_id id, struct expression_context context) {
    const struct node node = *tree_at(l->tree, id);
    const uint32_t nowhere[2] = {NO_POINT, NO_POINT};
    struct expression_context condition = {.point = context.point, .sure = context.sure};
    walk_condition(l, node.a, condition, nowhere);
    context.sure = false;
    walk_expression(l, node.b, context);
    walk_expression(l, node.c, context);
}

static void walk_comma(struct lister *l, node_id id, struct expression_context context) {
    const struct node node = *tree_at(l->tree, id);
    struct expression_context left = context;
    left.unused = true;
    walk_expression(l, node.a, left);
    context.sure &= !(tree_at(l->tree, node.a)->flags & HAS_DIVERSION);
    walk_expression(l, node.b, context);
}

static bool is_void_cast(const struct node *node) {
    return node->kind == N_CAST && clang_getCursorType(node->cursor).kind == CXType_Void;
}

static bool is_transparent(const struct node *node) {
    return node->kind == N_PAREN || node->kind == N_IMPLICIT;
}

void walk_expression(struct lister *l, node_id id, struct expression_context context) {
    const struct node node = *tree_at(l->tree, id);
    bool leaf = context.leaf;
    context.leaf = false;
    if (!leaf && is_decision_root(l, id)) {
        walk_decision(l, id, context);
        return;
    }
    if (node.kind == N_CHOICE) {
        walk_choice(l, id, context);
    } else if (node.kind == N_BINARY && node.op == CXBinaryOperator_Comma) {
        walk_comma(l, id, context);
    } else if (node.kind == N_BLOCK) {
        walk_block(l, node.a, context.point);
    } else if (is_transparent(&node) || is_void_cast(&node)) {
        struct site site = {SITE_EXPRESSION, id, context.point, context.sure, context.unused, NULL};
        lister_offer(l, &site);
        context.leaf = leaf;
        walk_expression(l, node.a, context);
    } else {
        enum site_kind kind = node.kind == N_CALL ? SITE_CALL : SITE_EXPRESSION;
        struct site site = {kind, id, context.point, context.sure, context.unused, NULL};
        lister_offer(l, &site);
        walk_children(l, id, context);
    }
}
