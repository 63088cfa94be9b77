/* A conflict is rewritten as an expression with variables for its operands; what cannot be
 * declared, or has more than two orders, becomes a limitation. */
#include "instrument/weave/orders.h"

#include "instrument/goals/listing.h"
#include "instrument/inputs/unordered.h"

#include <assert.h>
#include <string.h>

struct ordering {
    struct interface *in;
    const struct unordered *unordered;
    const struct operands *operands;
    const struct unit *unit;
    struct edits *edits;
    struct cursors parts; /* the operands as expressions; of a call also the callee, first */
};

/* ---- both orders ---- */

static bool is_harmless(enum CXBinaryOperatorKind kind) {
    return kind == CXBinaryOperator_Mul || kind == CXBinaryOperator_Add ||
           kind == CXBinaryOperator_Sub ||
           (kind >= CXBinaryOperator_LT && kind <= CXBinaryOperator_Or);
}

/* What the variable for an operand is declared as; NULL: it cannot be kept in one. */
static const char *type_of(CXCursor operand) {
    enum pool pool;
    CXType type = clang_getCanonicalType(clang_getCursorType(operand));
    if (pool_of_type(type, &pool))
        return pool_type(pool);
    enum CXTypeKind pointee = clang_getCanonicalType(clang_getPointeeType(type)).kind;
    bool function = pointee == CXType_FunctionProto || pointee == CXType_FunctionNoProto;
    return type.kind == CXType_Pointer && !function ? "const volatile void *" : NULL;
}

/* Spans that follow each other, all inside the expression. */
static bool is_in_order(const struct ordering *o) {
    struct span whole = unit_span(o->unit, o->operands->cursor);
    size_t end = whole.begin;
    for (size_t i = 0; i < o->parts.len; i++) {
        struct span span = unit_span(o->unit, o->parts.data[i]);
        if (span.begin < end || span.end <= span.begin || span.end > whole.end)
            return false;
        end = span.end;
    }
    return true;
}

static bool has_two_orders(const struct ordering *o) {
    CXCursor whole = o->operands->cursor;
    bool call = whole.kind == CXCursor_CallExpr;
    if (!o->unordered->two_orders || o->operands->stores || (call && o->unordered->a == 0) ||
        !(call || (whole.kind == CXCursor_BinaryOperator &&
                   is_harmless(clang_getCursorBinaryOperatorKind(whole)))) ||
        o->parts.len != o->operands->n || !is_in_order(o))
        return false;
    for (size_t i = call; i < o->parts.len; i++)
        if (!type_of(o->parts.data[i]))
            return false;
    return true;
}

static const char *turn_of(const struct ordering *o, uint32_t k) {
    return k == o->unordered->a   ? "gk_turn == gk_first"
           : k == o->unordered->b ? "gk_turn != gk_first"
                                  : "gk_turn == 0";
}

static const char *quote(const struct ordering *o, CXCursor cursor) {
    struct span span = unit_span(o->unit, cursor);
    return edits_quote(o->edits, span.begin, span.end);
}

/* One decision about what has no value: whoever looks at it twice may see two. */
static const char *declarations(const struct ordering *o, uint32_t first) {
    struct str text = {0};
    str_add(&text, "({ int gk_o; int gk_first = 0; int gk_turn; if (gk_o < 0) gk_first = 1;");
    for (uint32_t k = first; k < o->parts.len; k++)
        str_addf(&text, " %s gk_%u = 0;", type_of(o->parts.data[k]), k);
    str_addf(&text, " for (gk_turn = 0; gk_turn < 2; gk_turn++) { if (%s) gk_%u = (",
             turn_of(o, first), first);
    const char *copy = arena_strdup(&o->in->arena, str_text(&text));
    str_free(&text);
    return copy;
}

/* Pointers are kept as pointers to void: what they become in a comparison is what they were. */
static const char *value_of(const struct ordering *o, uint32_t k) {
    if (strchr(type_of(o->parts.data[k]), '*'))
        return arena_printf(&o->in->arena, "(void *)gk_%u", k);
    return arena_printf(&o->in->arena, "gk_%u", k);
}

static void between(const struct ordering *o, uint32_t k) {
    struct span left = unit_span(o->unit, o->parts.data[k]);
    struct span right = unit_span(o->unit, o->parts.data[k + 1]);
    edits_replace(o->edits, left.end, right.begin,
                  arena_printf(&o->in->arena, "); if (%s) gk_%u = (", turn_of(o, k + 1), k + 1));
}

static void weave_operator(const struct ordering *o) {
    struct span whole = unit_span(o->unit, o->operands->cursor);
    CXString op =
        clang_getBinaryOperatorKindSpelling(clang_getCursorBinaryOperatorKind(o->operands->cursor));
    between(o, 0);
    edits_wrap(o->edits, whole.begin, whole.end, declarations(o, 0),
               arena_printf(&o->in->arena, "); } %s %s %s; })", value_of(o, 0),
                            clang_getCString(op), value_of(o, 1)));
    clang_disposeString(op);
}

static void weave_call(const struct ordering *o) {
    struct span whole = unit_span(o->unit, o->operands->cursor);
    struct span first = unit_span(o->unit, o->parts.data[1]);
    struct span last = unit_span(o->unit, vec_last(&o->parts));
    struct str end = {0};
    str_addf(&end, "); } %s(", quote(o, o->parts.data[0]));
    for (uint32_t k = 1; k < o->parts.len; k++)
        str_addf(&end, "%s%s", k > 1 ? ", " : "", value_of(o, k));
    str_add(&end, "); })");
    edits_replace(o->edits, whole.begin, first.begin, declarations(o, 1));
    for (uint32_t k = 1; k + 1 < o->parts.len; k++)
        between(o, k);
    edits_replace(o->edits, last.end, whole.end, str_text(&end));
    str_free(&end);
}

/* ---- limitations ---- */

static void limit(const struct ordering *o) {
    const struct routine *function = &o->in->scan.functions.data[o->operands->function];
    limit_at(o->in->goals, o->unit, unit_span(o->unit, o->operands->cursor).begin, function->name,
             "order of evaluation: C lets compilers choose what comes first here, and it matters "
             "for %s: assign one of the operands to a local variable before",
             o->unordered->what);
}

static bool is_array(CXCursor cursor) {
    enum CXTypeKind kind = clang_getCanonicalType(clang_getCursorType(cursor)).kind;
    return kind == CXType_ConstantArray || kind == CXType_IncompleteArray;
}

/* An element of an initialiser list, through nested lists and designators: what is no expression
 * has members or no type. */
static CXCursor element_of(CXCursor list) {
    struct cursors children = {0};
    CXCursor found = clang_getNullCursor();
    cursor_children(list, &children);
    for (size_t i = 0; i < children.len && clang_Cursor_isNull(found); i++) {
        CXCursor child = children.data[i];
        bool expression = clang_isExpression(child.kind) && child.kind != CXCursor_MemberRef;
        if (child.kind == CXCursor_InitListExpr)
            found = element_of(child);
        else if (expression && child.kind != CXCursor_UnexposedExpr && !is_array(child))
            found = child;
    }
    vec_free(&children);
    return found;
}

/* What is evaluated whenever the expression is, and whose value alone is used. */
static CXCursor value_in(CXCursor whole) {
    if (whole.kind == CXCursor_InitListExpr)
        return element_of(whole);
    if (whole.kind != CXCursor_ArraySubscriptExpr)
        return whole;
    struct cursors children = {0};
    cursor_children(whole, &children);
    CXCursor index = children.len == 2 ? children.data[1] : clang_getNullCursor();
    vec_free(&children);
    return index;
}

static struct span body_of(const struct interface *in, const struct routine *f) {
    struct cursors children = {0};
    cursor_children(f->decl, &children);
    assert(children.len > 0 && vec_last(&children).kind == CXCursor_CompoundStmt);
    struct span body = unit_span(&in->units[f->unit], vec_last(&children));
    vec_free(&children);
    return body;
}

/* Where there is no better place the function is marked at its start. */
static void doubt(const struct ordering *o) {
    const struct routine *function = &o->in->scan.functions.data[o->operands->function];
    CXCursor value = value_in(o->operands->cursor);
    struct span span;
    if (clang_Cursor_isNull(value)) {
        span = body_of(o->in, function);
        edits_open(o->edits, span.begin + 1, span.end, " gk_unordered();");
        return;
    }
    span = unit_span(o->unit, value);
    edits_wrap(o->edits, span.begin, span.end, "(gk_unordered(), ", ")");
}

/* ---- all of them ---- */

static void open_parts(struct ordering *o) {
    CXCursor whole = o->operands->cursor;
    vec_clear(&o->parts);
    cursor_children(whole, &o->parts);
}

static bool stands_alone(const struct unordered_list *list, size_t i) {
    for (size_t k = 0; k < list->len; k++)
        if (k != i && list->data[k].operands == list->data[i].operands)
            return false;
    return true;
}

/* Conflicts that are woven in both orders if `both`, the others are doubted. */
static void weave_all(struct interface *in, bool both) {
    struct unordered_list found = {0};
    bool any = false;
    struct ordering o = {.in = in};
    unordered_find(&in->scan, both, &found);
    for (size_t i = 0; i < found.len; i++) {
        o.unordered = &found.data[i];
        o.operands = &in->scan.operands.data[o.unordered->operands];
        o.unit = &in->units[o.operands->unit];
        o.edits = &in->edits[o.operands->unit];
        open_parts(&o);
        if (both && stands_alone(&found, i) && has_two_orders(&o)) {
            if (o.operands->cursor.kind == CXCursor_CallExpr)
                weave_call(&o);
            else
                weave_operator(&o);
            continue;
        }
        any = true;
        if (i > 0 && found.data[i - 1].operands == o.unordered->operands)
            continue;
        limit(&o);
        doubt(&o);
    }
    if (any)
        str_add(&in->front, "static void gk_unordered(void) { }\n");
    vec_free(&o.parts);
    vec_free(&found);
}

void orders_weave(struct interface *in) {
    weave_all(in, true);
}

void orders_doubt(const struct unit *unit, struct edits *edits, struct goals *goals) {
    struct interface in = {.units = unit, .n_units = 1, .edits = edits, .goals = goals};
    scan_units(&in.scan, unit, 1, goals);
    uint32_t start = 0;
    while (start < in.scan.functions.len && !str_same(in.scan.functions.data[start].name, "main"))
        start++;
    if (start < in.scan.functions.len) {
        scan_flow(&in.scan);
        scan_reach(&in.scan, start, &in.init);
        weave_all(&in, false);
    }
    if (in.front.len)
        edits_open(edits, 0, unit->len, str_text(&in.front));
    interface_release(&in);
}
