/* What a guard adds stands in comments around the operand; activating takes the marks away in one
 * pass over the text. */
#include "instrument/weave/guards.h"

#include "instrument/goals/robust.h"

#include <string.h>

#define GUARD_OPEN "/*gk+ "
#define GUARD_CLOSE " gk+*/"

struct guarding {
    const struct tree *tree;
    struct edits *edits;
    struct arena arena;
};

static CXType type_of(const struct guarding *g, node_id id) {
    return clang_getCanonicalType(clang_getCursorType(tree_at(g->tree, id)->cursor));
}

static bool is_scalar(CXType type) {
    return (type.kind >= CXType_Bool && type.kind <= CXType_Double) ||
           type.kind == CXType_Pointer || type.kind == CXType_Enum;
}

/* A comment inside would end ours. */
static bool is_plain(const struct guarding *g, struct span span) {
    for (size_t i = span.begin; i < span.end; i++)
        if (strchr("#\n/", g->tree->unit->text[i]))
            return false;
    return span.end > span.begin && span.end - span.begin < 200;
}

/* expression -> ({ TYPE gk_g = (expression); __CPROVER_assume(CONDITION); gk_g; }) */
static void guard(struct guarding *g, node_id id, const char *type, const char *condition) {
    struct span span = tree_at(g->tree, id)->span;
    const char *open = arena_printf(&g->arena, GUARD_OPEN "({ %s gk_g = (" GUARD_CLOSE, type);
    const char *close = arena_printf(
        &g->arena, GUARD_OPEN "); __CPROVER_assume(%s); gk_g; })" GUARD_CLOSE, condition);
    edits_wrap(g->edits, span.begin, span.end, open, close);
}

static bool divides(const struct node *node) {
    if (node->kind != N_BINARY && node->kind != N_ASSIGN)
        return false;
    return node->op == CXBinaryOperator_Div || node->op == CXBinaryOperator_Rem ||
           node->op == CXBinaryOperator_DivAssign || node->op == CXBinaryOperator_RemAssign;
}

static void guard_divisor(struct guarding *g, const struct node *node) {
    struct number number;
    long long value;
    if (!number_of_type(type_of(g, node->b), &number) || number.is_float ||
        (tree_constant(g->tree, node->b, &value) && value != 0))
        return;
    guard(g, node->b, pool_type(number.pool), "gk_g != 0");
}

/* Read (an implicit cast makes it a value) or written; &x, and a member or element of it that is
 * only computed, are no accesses. */
static bool is_accessed(const struct guarding *g, node_id id) {
    node_id child = id, parent = tree_at(g->tree, id)->parent;
    while (parent && tree_at(g->tree, parent)->kind == N_PAREN) {
        child = parent;
        parent = tree_at(g->tree, parent)->parent;
    }
    const struct node *node = parent ? tree_at(g->tree, parent) : NULL;
    if (!node || !is_scalar(type_of(g, id)))
        return false;
    return node->kind == N_IMPLICIT || (node->kind == N_ASSIGN && node->a == child);
}

/* An array that is an object or a member. One element may stand for any number at the end of a
 * struct. A row of an array of arrays is left alone: the model lets an index run into the next. */
static void guard_index(struct guarding *g, const struct node *node) {
    const struct node *base = tree_at(g->tree, tree_strip(g->tree, node->a));
    CXType type = clang_getCanonicalType(clang_getCursorType(base->cursor));
    struct number number;
    long long at, size = type.kind == CXType_ConstantArray ? clang_getArraySize(type) : -1;
    bool bounded = base->kind == N_NAME ? size > 0 : base->kind == N_MEMBER && size > 1;
    if (!bounded || !number_of_type(type_of(g, node->b), &number) || number.is_float ||
        (tree_constant(g->tree, node->b, &at) && at >= 0 && at < size))
        return;
    guard(g, node->b, pool_type(number.pool),
          arena_printf(&g->arena, "gk_g >= 0 && gk_g < %lld", size));
}

/* p[i], for a p that can be written twice. */
static void guard_element(struct guarding *g, const struct node *node) {
    const struct node *base = tree_at(g->tree, tree_strip(g->tree, node->a));
    struct number number;
    if (base->kind != N_NAME || type_of(g, tree_strip(g->tree, node->a)).kind != CXType_Pointer ||
        !number_of_type(type_of(g, node->b), &number) || number.is_float)
        return;
    const char *p = edits_quote(g->edits, base->span.begin, base->span.end);
    guard(g, node->b, pool_type(number.pool),
          arena_printf(&g->arena, "__CPROVER_r_ok((%s) + gk_g, sizeof *(%s))", p, p));
}

static bool is_bit_field(const struct node *node) {
    return node->kind == N_MEMBER &&
           clang_getFieldDeclBitWidth(clang_getCursorReferenced(node->cursor)) >= 0;
}

/* *p and p->member */
static void guard_pointer(struct guarding *g, const struct node *node) {
    struct span span = tree_at(g->tree, node->a)->span;
    const char *member = "";
    if (type_of(g, node->a).kind != CXType_Pointer || !is_plain(g, span) || is_bit_field(node))
        return;
    if (node->kind == N_MEMBER)
        member = arena_printf(&g->arena, "->%s",
                              cursor_name(clang_getCursorReferenced(node->cursor), &g->arena));
    const char *star = *member ? "" : "*";
    guard(g, node->a,
          arena_printf(&g->arena, "__typeof__(%s)", edits_quote(g->edits, span.begin, span.end)),
          arena_printf(&g->arena, "__CPROVER_r_ok(&%sgk_g%s, sizeof(%sgk_g%s))", star, member, star,
                       member));
}

static void guard_node(struct guarding *g, node_id id) {
    const struct node *node = tree_at(g->tree, id);
    if (divides(node)) {
        guard_divisor(g, node);
    } else if (node->kind == N_INDEX && is_accessed(g, id)) {
        guard_index(g, node);
        guard_element(g, node);
    } else if ((node->kind == N_MEMBER ||
                (node->kind == N_UNARY && node->op == CXUnaryOperator_Deref)) &&
               is_accessed(g, id)) {
        guard_pointer(g, node);
    }
}

void guards_add(const struct tree *tree, struct edits *edits) {
    struct guarding g = {.tree = tree, .edits = edits};
    for (size_t f = 0; f < tree->functions.len; f++)
        for (node_id id = tree->functions.data[f].first; id < tree->functions.data[f].end; id++)
            guard_node(&g, id);
    arena_free(&g.arena);
}

bool guards_present(const char *woven) {
    return strstr(woven, GUARD_OPEN) != NULL;
}

size_t guards_activate(const char *woven, struct str *out) {
    static const size_t open = sizeof GUARD_OPEN - 1, close = sizeof GUARD_CLOSE - 1;
    size_t n = 0;
    for (const char *at; (at = strstr(woven, GUARD_OPEN)); n++) {
        const char *end = strstr(at, GUARD_CLOSE);
        if (!end)
            break;
        str_addn(out, woven, (size_t)(at - woven));
        str_addn(out, at + open, (size_t)(end - at) - open);
        woven = end + close;
    }
    str_add(out, woven);
    return n;
}
