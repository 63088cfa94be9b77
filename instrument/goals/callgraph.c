/* One scan a function for its own flags, then the flags of callees are spread until nothing
 * changes. */
#include "instrument/goals/callgraph.h"

#include "instrument/goals/limitations.h"

#include <assert.h>
#include <string.h>

static const struct function *definition(const struct callgraph *graph, uint32_t f) {
    const struct callgraph_function *function = &graph->functions.data[f];
    return &graph->trees[function->unit].functions.data[function->index];
}

/* Finding functions. */

static uint64_t place_key(uint32_t unit, size_t offset) {
    return (uint64_t)unit << 40 | offset;
}

static void index_function(struct callgraph *graph, uint32_t unit, uint32_t index) {
    const struct function *f = &graph->trees[unit].functions.data[index];
    uint32_t id = (uint32_t)graph->functions.len;
    struct callgraph_function entry = {.unit = unit, .index = index, .goal = CALLGRAPH_NO_GOAL};
    vec_push(&graph->functions, entry);
    size_t offset = unit_offset(graph->trees[unit].unit, clang_getCursorLocation(f->cursor));
    map_put(&graph->by_place, place_key(unit, offset), id);
    if (!f->is_static)
        map_put(&graph->by_name, intern_id(&graph->names, f->name), id);
}

static uint32_t find_function(const struct callgraph *graph, uint32_t unit, CXCursor named) {
    const struct unit *u = graph->trees[unit].unit;
    CXCursor here = clang_getCursorDefinition(named);
    uint32_t *found = NULL;
    if (!clang_Cursor_isNull(here))
        found = map_get(&graph->by_place,
                        place_key(unit, unit_offset(u, clang_getCursorLocation(here))));
    if (!found) {
        CXString name = clang_getCursorSpelling(named);
        uint32_t id = intern_find(&graph->names, clang_getCString(name));
        clang_disposeString(name);
        found = id == INTERN_NONE ? NULL : map_get(&graph->by_name, id);
    }
    return found ? *found : NO_FUNCTION;
}

/* The function that a call names directly; the null cursor for a call through a pointer. */
static CXCursor direct_callee(const struct tree *tree, node_id call) {
    node_id callee = tree_at(tree, call)->a;
    if (!callee)
        return clang_getNullCursor();
    callee = tree_strip(tree, callee);
    if (tree_at(tree, callee)->kind != N_NAME)
        return clang_getNullCursor();
    CXCursor named = clang_getCursorReferenced(tree_at(tree, callee)->cursor);
    bool function = clang_getCursorKind(named) == CXCursor_FunctionDecl;
    return function ? named : clang_getNullCursor();
}

uint32_t callgraph_target(const struct callgraph *graph, uint32_t unit, node_id call) {
    CXCursor named = direct_callee(&graph->trees[unit], call);
    return clang_Cursor_isNull(named) ? NO_FUNCTION : find_function(graph, unit, named);
}

static bool is_one_of(const char *name, const char *const *names, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (str_same(name, names[i]))
            return true;
    return false;
}

/* Without a body here: does not come back, or goes through pointers that may be bad. */
static bool library_may_stop(CXCursor function, struct arena *arena) {
    static const char *const names[] = {
        "abort",      "exit",          "_exit",   "_Exit",   "quick_exit", "longjmp",
        "siglongjmp", "__assert_fail", "memcpy",  "memmove", "memset",     "memcmp",
        "memchr",     "strcpy",        "strncpy", "strcat",  "strncat",    "strlen",
        "strcmp",     "strncmp",       "strchr",  "trap",    "unreachable"};
    const char *name = cursor_name(function, arena);
    name += str_starts(name, "__builtin_") ? strlen("__builtin_") : 0;
    return is_one_of(name, names, sizeof names / sizeof *names);
}

bool callgraph_call_may_stop(const struct callgraph *graph, uint32_t unit, node_id call) {
    CXCursor named = direct_callee(&graph->trees[unit], call);
    if (clang_Cursor_isNull(named))
        return true;
    uint32_t f = find_function(graph, unit, named);
    struct arena arena = {0};
    bool stops =
        f != NO_FUNCTION ? graph->functions.data[f].may_stop : library_may_stop(named, &arena);
    arena_free(&arena);
    return stops;
}

/* What single nodes do. */

static bool is_integer(CXType type) {
    enum CXTypeKind kind = clang_getCanonicalType(type).kind;
    return (kind >= CXType_Bool && kind <= CXType_Int128) || kind == CXType_Enum;
}

static bool division_may_stop(const struct tree *tree, const struct node *node) {
    bool divides = node->op == CXBinaryOperator_Div || node->op == CXBinaryOperator_Rem ||
                   node->op == CXBinaryOperator_DivAssign || node->op == CXBinaryOperator_RemAssign;
    long long value;
    if (!divides || !is_integer(clang_getCursorType(node->cursor)))
        return false;
    return !tree_constant(tree, node->b, &value) || value == 0 || value == -1;
}

static bool is_address_of(const struct tree *tree, node_id id) {
    const struct node *node = tree_at(tree, tree_strip(tree, id));
    return node->kind == N_UNARY && node->op == CXUnaryOperator_AddrOf;
}

static bool index_may_stop(const struct tree *tree, const struct node *node) {
    CXType array = clang_getCursorType(tree_at(tree, tree_strip(tree, node->a))->cursor);
    long long size = clang_getArraySize(array), at;
    return size < 0 || !tree_constant(tree, node->b, &at) || at < 0 || at >= size;
}

static bool is_arrow(const struct tree *tree, const struct node *member) {
    if (!member->a)
        return false;
    CXType type = clang_getCursorType(tree_at(tree, member->a)->cursor);
    return clang_getCanonicalType(type).kind == CXType_Pointer;
}

static bool is_once(const struct tree *tree, const struct node *loop) {
    const struct node *condition = loop->a ? tree_at(tree, tree_strip(tree, loop->a)) : NULL;
    return clang_getCursorKind(loop->cursor) == CXCursor_DoStmt && condition->kind == N_LITERAL &&
           tree->unit->text[condition->span.begin] == '0' &&
           condition->span.end - condition->span.begin == 1;
}

static bool is_volatile(CXCursor cursor) {
    return clang_isVolatileQualifiedType(clang_getCanonicalType(clang_getCursorType(cursor)));
}

static unsigned own_flags(const struct tree *tree, const struct node *node) {
    const unsigned stop = HAS_STOP | HAS_DIVERSION;
    enum CXCursorKind cursor_kind;
    switch ((enum node_kind)node->kind) {
    case N_RETURN:
    case N_JUMP:
        return HAS_DIVERSION;
    case N_LABEL:
        cursor_kind = clang_getCursorKind(node->cursor);
        return HAS_DIVERSION | (cursor_kind == CXCursor_LabelStmt ? HAS_LABEL : HAS_CASE);
    case N_LOOP:
        return is_once(tree, node) ? 0 : stop;
    case N_ASM:
    case N_OPAQUE:
        return stop | HAS_EFFECT;
    case N_ASSIGN:
    case N_BINARY:
        return (division_may_stop(tree, node) ? stop : 0) |
               (node->kind == N_ASSIGN ? HAS_EFFECT : 0);
    case N_UNARY:
        if (node->op == CXUnaryOperator_Deref)
            return is_address_of(tree, node->a) ? 0 : stop;
        return node->op <= CXUnaryOperator_PreDec ? HAS_EFFECT : 0;
    case N_INDEX:
        return index_may_stop(tree, node) ? stop : 0;
    case N_MEMBER:
        return (is_arrow(tree, node) && !is_address_of(tree, node->a) ? stop : 0) |
               (is_volatile(node->cursor) ? HAS_VOLATILE : 0);
    case N_NAME:
        return is_volatile(node->cursor) ? HAS_VOLATILE : 0;
    case N_CALL:
    case N_BLOCK:
        return HAS_EFFECT;
    default:
        return 0;
    }
}

/* Pass 1: own flags, calls. */

static void note_call(struct callgraph *graph, uint32_t f, node_id call) {
    struct callgraph_function *function = &graph->functions.data[f];
    uint32_t target = callgraph_target(graph, function->unit, call);
    struct callee callee = {target, call, CALLGRAPH_NO_GOAL};
    vec_push(&function->calls, callee);
    if (target != NO_FUNCTION)
        graph->functions.data[target].callers++;
}

/* A function whose name stands elsewhere than before the parentheses of a call. */
static void note_name(struct callgraph *graph, uint32_t unit, node_id id) {
    const struct tree *tree = &graph->trees[unit];
    CXCursor named = clang_getCursorReferenced(tree_at(tree, id)->cursor);
    if (clang_getCursorKind(named) != CXCursor_FunctionDecl)
        return;
    node_id child = id, parent = tree_at(tree, id)->parent;
    while (parent &&
           (tree_at(tree, parent)->kind == N_IMPLICIT || tree_at(tree, parent)->kind == N_PAREN)) {
        child = parent;
        parent = tree_at(tree, parent)->parent;
    }
    const struct node *user = parent ? tree_at(tree, parent) : NULL;
    uint32_t f = find_function(graph, unit, named);
    if (f != NO_FUNCTION && !(user && user->kind == N_CALL && user->a == child))
        graph->functions.data[f].address_taken = true;
}

static void scan_function(struct callgraph *graph, struct tree *trees, uint32_t f) {
    uint32_t unit = graph->functions.data[f].unit;
    const struct function *function = definition(graph, f);
    for (node_id id = function->first; id < function->end; id++) {
        struct node *node = tree_at(&trees[unit], id);
        node->flags = (uint8_t)own_flags(&graph->trees[unit], node);
        graph->functions.data[f].may_stop |= (node->flags & HAS_STOP) != 0;
        if (node->kind == N_CALL)
            note_call(graph, f, id);
        if (node->kind == N_NAME)
            note_name(graph, unit, id);
    }
}

static void note_tables(struct callgraph *graph) {
    for (uint32_t u = 0; u < graph->n_trees; u++)
        for (size_t i = 0; i < graph->trees[u].tabled.len; i++) {
            uint32_t f = find_function(graph, u, graph->trees[u].tabled.data[i]);
            if (f != NO_FUNCTION)
                graph->functions.data[f].address_taken = true;
        }
}

/* Pass 2: a function that calls one that may stop, may stop. */

static bool stop_spreads(struct callgraph *graph, uint32_t f) {
    struct callgraph_function *function = &graph->functions.data[f];
    if (function->may_stop)
        return false;
    for (size_t i = 0; i < function->calls.len && !function->may_stop; i++)
        function->may_stop =
            callgraph_call_may_stop(graph, function->unit, function->calls.data[i].call);
    return function->may_stop;
}

static void spread_stops(struct callgraph *graph) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t f = 0; f < graph->functions.len; f++)
            changed |= stop_spreads(graph, f);
    }
}

/* Pass 3: flags of calls, then of everything above. Children follow their parents. */
static void spread_flags(const struct callgraph *graph, struct tree *trees, uint32_t f) {
    const struct callgraph_function *function = &graph->functions.data[f];
    struct tree *tree = &trees[function->unit];
    for (size_t i = 0; i < function->calls.len; i++) {
        node_id call = function->calls.data[i].call;
        if (callgraph_call_may_stop(graph, function->unit, call))
            tree_at(tree, call)->flags |= HAS_STOP | HAS_DIVERSION;
    }
    const struct function *d = definition(graph, f);
    for (node_id id = d->end - 1; id > d->first; id--) {
        struct node *node = tree_at(tree, id);
        if (node->kind == N_SWITCH)
            node->flags &= (uint8_t)~HAS_CASE;
        tree_at(tree, node->parent)->flags |= node->flags;
    }
}

void callgraph_build(struct callgraph *graph, struct tree *trees, size_t n, struct goals *goals) {
    assert(graph->functions.len == 0);
    graph->trees = trees;
    graph->n_trees = n;
    for (uint32_t u = 0; u < n; u++)
        for (uint32_t i = 0; i < trees[u].functions.len; i++)
            index_function(graph, u, i);
    for (uint32_t f = 0; f < graph->functions.len; f++)
        scan_function(graph, trees, f);
    note_tables(graph);
    spread_stops(graph);
    for (uint32_t f = 0; f < graph->functions.len; f++)
        spread_flags(graph, trees, f);
    limitations_find(graph, goals);
}

void callgraph_free(struct callgraph *graph) {
    for (size_t i = 0; i < graph->functions.len; i++)
        vec_free(&graph->functions.data[i].calls);
    vec_free(&graph->functions);
    intern_free(&graph->names);
    map_free(&graph->by_name);
    map_free(&graph->by_place);
    arena_free(&graph->arena);
    *graph = (struct callgraph){0};
}
