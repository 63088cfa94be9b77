/* All pairs of operands that C leaves unordered are compared by their effects (effects.h); pairs
 * without any are sorted out first, which are nearly all. */
#include "instrument/inputs/unordered.h"

#include <assert.h>

struct search {
    struct effects effects;
    struct scan *scan;
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
    if (effects_clash(&s->effects, &left, &right, &clash) || ends_run(&left) || ends_run(&right)) {
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
    if (!has_effect(s->scan, left) && !has_effect(s->scan, right))
        return;
    for (uint32_t i = left.begin; i < left.end; i++)
        for (uint32_t k = right.begin; k < right.end; k++)
            if (!stored || (!precedes_store(s, i) && !(chain && i + 1 == left.end)))
                compare(s, o, i, k, &pair);
    if (pair.n == 0)
        return;
    const struct evaluation *x = &s->scan->evaluations.data[pair.a];
    const struct evaluation *y = &s->scan->evaluations.data[pair.b];
    struct unordered unordered = {.operands = index,
                                  .a = a,
                                  .b = b,
                                  .two_orders = pair.same &&
                                                (x->call != NOTHING || y->call != NOTHING) &&
                                                pair.clash.base != END_OF_RUN,
                                  .what = path_of(s->scan, o, pair.clash, &s->scan->arena)};
    vec_push(s->found, unordered);
}

void unordered_find(struct scan *scan, struct unordered_list *found) {
    struct search s = {.scan = scan, .found = found};
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
