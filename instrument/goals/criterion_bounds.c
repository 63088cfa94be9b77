/* bounds: an array is indexed outside, or memory is accessed through a null pointer.
 *
 * *(a + i) is a[i]. How large the object behind a pointer is, a probe cannot know: p[i] and *(p +
 * i) have a goal for null, and one for the bounds that is listed with this reason and stays open.
 */
#include "instrument/goals/robust.h"

static bool is_address_taken(const struct lister *l, node_id id) {
    node_id parent = tree_at(l->tree, id)->parent;
    while (parent && tree_at(l->tree, parent)->kind == N_PAREN)
        parent = tree_at(l->tree, parent)->parent;
    const struct node *node = parent ? tree_at(l->tree, parent) : NULL;
    return node && node->kind == N_UNARY && node->op == CXUnaryOperator_AddrOf;
}

static CXType type_of(const struct lister *l, node_id id) {
    return clang_getCanonicalType(clang_getCursorType(tree_at(l->tree, id)->cursor));
}

/* `size` is -1 when the type does not tell. */
static bool is_array(const struct lister *l, node_id id, long long *size) {
    CXType type = type_of(l, tree_strip(l->tree, id));
    *size = type.kind == CXType_ConstantArray ? clang_getArraySize(type) : -1;
    return type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray ||
           type.kind == CXType_VariableArray;
}

/* &a[n] is allowed one past the end. */
static void check_index(struct lister *l, const struct site *site, node_id index, long long size) {
    long long last = is_address_taken(l, site->node) ? size : size - 1, at;
    bool is_number;
    struct number number = number_of_node(l, index, &is_number);
    if (!is_number || (tree_constant(l->tree, index, &at) && at >= 0 && at <= last))
        return;
    const char *v = lister_var_name(l, lister_var(l, number.pool));
    const char *negative = number.is_signed ? lister_format(l, "%s < 0 || ", v) : "";
    const char *hit = robust_hit(l, GOAL_bounds, site, NULL);
    robust_check_value(l, index, v, lister_format(l, "%s%s > %lld", negative, v, last), hit);
}

/* The variable behind p, p++ and p--. */
static node_id stepped(const struct lister *l, node_id pointer) {
    const struct node *node = tree_at(l->tree, tree_strip(l->tree, pointer));
    bool after = node->kind == N_UNARY &&
                 (node->op == CXUnaryOperator_PostInc || node->op == CXUnaryOperator_PostDec);
    return after ? node->a : pointer;
}

/* p -> ((p) == 0 ? hit : (void)0, p); the checks inside p come first. */
static void check_null(struct lister *l, const struct site *site, node_id pointer) {
    node_id variable = stepped(l, pointer);
    struct span span = tree_at(l->tree, pointer)->span;
    const struct node *base = tree_at(l->tree, tree_strip(l->tree, pointer));
    long long size;
    if (is_array(l, pointer, &size) ||
        (base->kind == N_UNARY && base->op == CXUnaryOperator_AddrOf))
        return;
    if (!is_repeatable(l, variable)) {
        robust_give_up(l, GOAL_bounds, site, "the pointer is evaluated only once");
        return;
    }
    const char *hit = robust_hit(l, GOAL_bounds, site, "null pointer");
    if (variable != pointer)
        robust_check_before(l, pointer, lister_format(l, "%s == 0", robust_again(l, variable)),
                            hit);
    else
        edits_wrap(l->edits, span.begin, span.end, "((",
                   lister_format(l, ") == 0 ? %s : (void)0, %s)", hit, robust_again(l, pointer)));
}

static bool is_pointer(const struct lister *l, node_id id) {
    return id && type_of(l, id).kind == CXType_Pointer;
}

static bool is_function(CXType type) {
    return type.kind == CXType_FunctionProto || type.kind == CXType_FunctionNoProto;
}

static void check_subscript(struct lister *l, const struct site *site, node_id base,
                            node_id index) {
    long long size;
    if (is_array(l, base, &size) && size >= 0) {
        check_index(l, site, index, size);
    } else if (is_array(l, base, &size)) {
        robust_give_up(l, GOAL_bounds, site, "the length of the array is unknown");
    } else if (is_pointer(l, base)) {
        check_null(l, site, base);
        robust_give_up(l, GOAL_bounds, site,
                       "the size of the object behind the pointer is unknown");
    }
}

/* *(p + i) */
static const struct node *moved_pointer(const struct lister *l, const struct node *dereference) {
    const struct node *sum = tree_at(l->tree, tree_strip(l->tree, dereference->a));
    bool is_number;
    if (sum->kind != N_BINARY || sum->op != CXBinaryOperator_Add)
        return NULL;
    number_of_node(l, sum->b, &is_number);
    return is_number ? sum : NULL;
}

void criterion_bounds(struct lister *l, const struct site *site) {
    const struct node *node = tree_at(l->tree, site->node);
    if (site->kind != SITE_EXPRESSION)
        return;
    bool dereference = node->kind == N_UNARY && node->op == CXUnaryOperator_Deref;
    bool member = node->kind == N_MEMBER && is_pointer(l, node->a);
    const struct node *sum = dereference ? moved_pointer(l, node) : NULL;
    if (sum && !is_address_taken(l, site->node))
        check_subscript(l, site, sum->a, sum->b);
    else if (node->kind == N_INDEX)
        check_subscript(l, site, node->a, node->b);
    else if ((dereference || member) && is_pointer(l, node->a) &&
             !is_function(type_of(l, site->node)) && !is_address_taken(l, site->node))
        check_null(l, site, node->a);
}
