/* All pairs of operands that C leaves unordered are compared by their effects (effects.h); pairs
 * without any are sorted out first, which are nearly all. */
#include "instrument/inputs/unordered.h"

#include <assert.h>

struct search {
    struct effects effects;
    struct scan *scan;
    bool goals_inside;
    struct unordered_list *found;
};

struct range {
    uint32_t begin, end; /* evaluations */
};

static struct range range_of(const struct scan *scan, const struct operands *o, uint32_t k) {
    assert(k < o->n && o->first + k + 1 < scan->marks.len);
    return (struct range){scan->marks.data[o->first + k], scan->marks.data[o->first + k + 1]};
}

static CXCursor peeled(CXCursor cursor) {
    while (cursor.kind == CXCursor_UnexposedExpr || cursor.kind == CXCursor_ParenExpr) {
        struct cursors children = {0};
        cursor_children(cursor, &children);
        CXCursor child = children.len == 1 ? children.data[0] : clang_getNullCursor();
        vec_free(&children);
        if (clang_Cursor_isNull(child))
            break;
        cursor = child;
    }
    return cursor;
}

/* a = b = c: should both be one object, the second store changes nothing. */
static bool stores_last(const struct operands *o) {
    struct cursors children = {0};
    cursor_children(o->cursor, &children);
    CXCursor right = children.len == 2 ? peeled(children.data[1]) : clang_getNullCursor();
    vec_free(&children);
    return right.kind == CXCursor_BinaryOperator &&
           clang_getCursorBinaryOperatorKind(right) == CXBinaryOperator_Assign;
}

/* What is stored comes after the values of the operands and after what they call, not after what
 * they store themselves. */
static bool precedes_store(const struct search *s, uint32_t evaluation) {
    const struct evaluation *e = &s->scan->evaluations.data[evaluation];
    return e->call != NOTHING || !e->writes;
}

static bool has_effect(const struct scan *scan, struct range range) {
    for (uint32_t i = range.begin; i < range.end; i++)
        if (scan->evaluations.data[i].writes || scan->evaluations.data[i].call != NOTHING)
            return true;
    return false;
}

static bool ends_run(const struct effect_list *list) {
    for (size_t i = 0; i < list->all.len; i++)
        if (list->all.data[i].base == END_OF_RUN)
            return true;
    return false;
}

static bool changes_mode(const struct effect_list *list) {
    for (size_t i = 0; i < list->all.len; i++)
        if (list->all.data[i].base == ROUNDING_MODE && list->all.data[i].writes)
            return true;
    return false;
}

/* ---- what rounds ---- */

static enum CXTypeKind kind_of(CXCursor cursor) {
    return clang_getCanonicalType(clang_getCursorType(cursor)).kind;
}

static bool is_float(enum CXTypeKind kind) {
    return kind == CXType_Float || kind == CXType_Double || kind == CXType_LongDouble;
}

/* Numbers of so many bytes are exact in that format. */
static bool holds_ints(enum CXTypeKind to, CXCursor inner) {
    long long size = clang_Type_getSizeOf(clang_getCursorType(inner));
    return size > 0 && size <= (to == CXType_Float ? 2 : 4);
}

/* A cast to a float of another kind; widening, small integers and constants are exact. */
static bool cast_rounds(CXCursor cursor) {
    struct cursors children = {0};
    cursor_children(cursor, &children);
    enum CXTypeKind to = kind_of(cursor);
    CXCursor inner = children.len ? vec_last(&children) : clang_getNullCursor();
    enum CXTypeKind from = children.len ? kind_of(inner) : to;
    vec_free(&children);
    if (!is_float(to) || inner.kind == CXCursor_IntegerLiteral)
        return false;
    return is_float(from) ? from > to : !holds_ints(to, inner);
}

static enum CXChildVisitResult look_for_rounding(CXCursor cursor, CXCursor parent,
                                                 CXClientData data) {
    bool *found = data;
    (void)parent;
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_CallExpr:
        *found = true;
        break;
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator:
        *found |= is_float(kind_of(cursor));
        break;
    case CXCursor_UnaryOperator: /* to change the sign is exact */
        *found |= is_float(kind_of(cursor)) &&
                  clang_getCursorUnaryOperatorKind(cursor) != CXUnaryOperator_Minus;
        break;
    case CXCursor_UnexposedExpr:
    case CXCursor_CStyleCastExpr:
        *found |= cast_rounds(cursor);
        break;
    default:
        break;
    }
    return *found ? CXChildVisit_Break : CXChildVisit_Recurse;
}

/* The child of the expression that operand k is: what is assigned comes before where to
 * (interface_access.c). The whole, where that is not known. */
static CXCursor operand_at(const struct operands *o, uint32_t k) {
    struct cursors children = {0};
    cursor_children(o->cursor, &children);
    CXCursor operand = o->cursor;
    if (o->stores && children.len == 2 && k < 2)
        operand = children.data[1 - k];
    else if (!o->stores && children.len == o->n && o->cursor.kind != CXCursor_ArraySubscriptExpr)
        operand = children.data[k];
    vec_free(&children);
    return operand;
}

/* Whatever is called may round. */
static bool may_round(const struct operands *o, uint32_t k) {
    bool found = false;
    CXCursor operand = operand_at(o, k);
    (void)look_for_rounding(operand, operand, &found);
    if (!found)
        clang_visitChildren(operand, look_for_rounding, &found);
    return found;
}

/* One of the operands changes the mode in which the other may round. */
static bool clash_by_mode(struct search *s, const struct operands *o, struct range range,
                          uint32_t other) {
    for (uint32_t i = range.begin; i < range.end; i++) {
        struct effect_list list = {0};
        if (s->scan->evaluations.data[i].call != NOTHING)
            effects_of(&s->effects, o->function, &s->scan->evaluations.data[i], &list);
        bool changes = changes_mode(&list);
        effects_free(&list);
        if (changes)
            return may_round(o, other);
    }
    return false;
}

struct pair {
    uint32_t n, a, b; /* conflicts; the evaluations of the first */
    bool same;        /* all are between the same two */
    struct effect clash;
};

static void compare(struct search *s, const struct operands *o, uint32_t a, uint32_t b,
                    struct pair *pair) {
    const struct evaluation *x = &s->scan->evaluations.data[a], *y = &s->scan->evaluations.data[b];
    struct effect_list left = {0}, right = {0};
    struct effect clash = {.base = END_OF_RUN};
    if (!x->writes && !y->writes && x->call == NOTHING && y->call == NOTHING)
        return;
    effects_of(&s->effects, o->function, x, &left);
    effects_of(&s->effects, o->function, y, &right);
    bool ends = (ends_run(&left) && (s->goals_inside || y->call != NOTHING)) ||
                (ends_run(&right) && (s->goals_inside || x->call != NOTHING));
    if (effects_clash(&s->effects, &left, &right, &clash) || ends) {
        if (pair->n++ == 0)
            *pair = (struct pair){1, a, b, true, clash};
        pair->same &= pair->a == a && pair->b == b;
    }
    effects_free(&left);
    effects_free(&right);
}

static const char *path_of(const struct scan *scan, const struct operands *o, struct effect e,
                           struct arena *arena) {
    if (e.base == END_OF_RUN && !e.of_parameter)
        return "the end of the run";
    if (e.base == ROUNDING_MODE && !e.of_parameter)
        return "the rounding mode";
    const struct routine *function = &scan->functions.data[o->function];
    uint32_t object = e.of_parameter ? function->params.data[e.base] : e.base;
    return arena_printf(arena, "%s%s%s", e.of_parameter ? "*" : "", scan->objects.data[object].path,
                        intern_text(&scan->patterns, e.pattern));
}

static void check_pair(struct search *s, uint32_t index, uint32_t a, uint32_t b) {
    const struct operands *o = &s->scan->operands.data[index];
    struct range left = range_of(s->scan, o, a), right = range_of(s->scan, o, b);
    bool stored = o->stores && b + 1 == o->n, chain = stored && a == 0 && stores_last(o);
    struct pair pair = {0};
    const struct effect mode = {.base = ROUNDING_MODE};
    if (!has_effect(s->scan, left) && !has_effect(s->scan, right))
        return;
    for (uint32_t i = left.begin; i < left.end; i++)
        for (uint32_t k = right.begin; k < right.end; k++)
            if (!stored || (!precedes_store(s, i) && !(chain && i + 1 == left.end)))
                compare(s, o, i, k, &pair);
    if (pair.n == 0 && !stored && clash_by_mode(s, o, left, b))
        pair = (struct pair){.n = 1, .a = left.begin, .b = left.begin, .clash = mode};
    if (pair.n == 0 && !stored && clash_by_mode(s, o, right, a))
        pair = (struct pair){.n = 1, .a = right.begin, .b = right.begin, .clash = mode};
    if (pair.n == 0)
        return;
    const struct evaluation *x = &s->scan->evaluations.data[pair.a];
    const struct evaluation *y = &s->scan->evaluations.data[pair.b];
    struct unordered unordered = {
        .operands = index,
        .a = a,
        .b = b,
        .two_orders = pair.same && (x->call != NOTHING || y->call != NOTHING) &&
                      pair.clash.base != END_OF_RUN && pair.clash.base != ROUNDING_MODE,
        .what = path_of(s->scan, o, pair.clash, &s->scan->arena)};
    vec_push(s->found, unordered);
}

void unordered_find(struct scan *scan, bool goals_inside, struct unordered_list *found) {
    struct search s = {.scan = scan, .goals_inside = goals_inside, .found = found};
    if (scan->operands.len == 0)
        return;
    effects_open(&s.effects, scan);
    for (uint32_t i = 0; i < scan->operands.len; i++) {
        const struct operands *o = &scan->operands.data[i];
        const struct routine *function = &scan->functions.data[o->function];
        for (uint32_t b = 1; b < o->n && (function->by_step || function->by_init); b++)
            for (uint32_t a = 0; a < b; a++)
                check_pair(&s, i, a, b);
    }
    effects_close(&s.effects);
}
