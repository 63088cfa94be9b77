/* Built from the syntax by looking through what cannot change the truth; what an outcome implies
 * for a condition is read off the tree. */
#include "instrument/goals/shape.h"

#include <assert.h>

bool is_logical(const struct node *node) {
    if (node->kind == N_BINARY)
        return node->op == CXBinaryOperator_LAnd || node->op == CXBinaryOperator_LOr;
    return node->kind == N_UNARY && node->op == CXUnaryOperator_LNot;
}

/* Through what keeps the truth of a value; the left operands of commas go to the prologue. */
static node_id look_through(struct shape *shape, const struct tree *tree, node_id id) {
    for (;;) {
        id = tree_strip(tree, id);
        const struct node *node = tree_at(tree, id);
        if (node->kind == N_BINARY && node->op == CXBinaryOperator_Comma) {
            vec_push(&shape->prologue, node->a);
            id = node->b;
        } else if (node->kind == N_CAST && node->a &&
                   is_logical(tree_at(tree, tree_strip(tree, node->a)))) {
            id = node->a;
        } else {
            return id;
        }
    }
}

static uint32_t add(struct shape *shape, const struct tree *tree, node_id id, bool sure) {
    id = look_through(shape, tree, id);
    const struct node *node = tree_at(tree, id);
    uint32_t n = (uint32_t)shape->nodes.len;
    struct shape_node entry = {.kind = SHAPE_LEAF, .id = id, .sure = sure};
    vec_push(&shape->nodes, entry);
    if (!is_logical(node)) {
        shape->nodes.data[n].condition = (uint32_t)shape->leaves.len;
        vec_push(&shape->leaves, n);
        return n;
    }
    shape->nodes.data[n].kind = node->kind == N_UNARY               ? SHAPE_NOT
                                : node->op == CXBinaryOperator_LAnd ? SHAPE_AND
                                                                    : SHAPE_OR;
    uint32_t a = add(shape, tree, node->a, sure);
    shape->nodes.data[n].a = a;
    shape->nodes.data[a].parent = n;
    if (node->kind == N_BINARY) {
        uint32_t b = add(shape, tree, node->b, false);
        shape->nodes.data[n].b = b;
        shape->nodes.data[b].parent = n;
    }
    return n;
}

void shape_build(struct shape *shape, const struct tree *tree, node_id root) {
    assert(shape->nodes.len == 0);
    add(shape, tree, root, true);
    assert(shape->leaves.len > 0);
}

void shape_free(struct shape *shape) {
    vec_free(&shape->nodes);
    vec_free(&shape->leaves);
    vec_free(&shape->prologue);
}

static void print_node(const struct shape *shape, uint32_t n, struct str *text) {
    const struct shape_node *node = &shape->nodes.data[n];
    switch (node->kind) {
    case SHAPE_LEAF:
        str_addf(text, "%u", node->condition);
        return;
    case SHAPE_NOT:
        str_addc(text, '!');
        print_node(shape, node->a, text);
        return;
    default:
        str_addc(text, '(');
        print_node(shape, node->a, text);
        str_add(text, node->kind == SHAPE_AND ? "&&" : "||");
        print_node(shape, node->b, text);
        str_addc(text, ')');
    }
}

void shape_print(const struct shape *shape, struct str *text) {
    struct str all = {0};
    print_node(shape, 0, &all);
    bool outer = shape->nodes.data[0].kind == SHAPE_AND || shape->nodes.data[0].kind == SHAPE_OR;
    str_addn(text, str_text(&all) + outer, all.len - 2 * outer);
    str_free(&all);
}

uint32_t shape_through_not(const struct shape *shape, uint32_t n, bool *negated) {
    for (; shape->nodes.data[n].kind == SHAPE_NOT; n = shape->nodes.data[n].a)
        *negated = !*negated;
    return n;
}

int shape_implied(const struct shape *shape, uint32_t n, bool value, bool *condition_value) {
    for (;;) {
        assert(n < shape->nodes.len);
        n = shape_through_not(shape, n, &value);
        const struct shape_node *node = &shape->nodes.data[n];
        if (node->kind == SHAPE_LEAF) {
            *condition_value = value;
            return (int)node->condition;
        }
        if (value != (node->kind == SHAPE_AND))
            return -1;
        n = node->b; /* and: true needs its right operand true; or: false needs it false */
    }
}

int shape_decided(const struct shape *shape, uint32_t n, bool value) {
    assert(shape->nodes.data[n].kind == SHAPE_LEAF);
    for (uint32_t up; n != 0; n = up) {
        up = shape->nodes.data[n].parent;
        const struct shape_node *node = &shape->nodes.data[up];
        if (node->kind == SHAPE_NOT)
            value = !value;
        else if (n == node->a && value == (node->kind == SHAPE_AND))
            return -1; /* the right operand is next */
    }
    return value;
}
