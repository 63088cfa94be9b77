/* Nodes, calls and functions are looked at once each; recursion is a circle in the call graph. */
#include "instrument/goals/limitations.h"

#include "instrument/inputs/assembly.h"

#include <assert.h>

/* A row a construct: what the reason says, and what the user can do. */
struct construct {
    const char *what, *remedy;
};

static const struct construct assembly = {
    "inline assembly", "its effect is unknown; give a C version of it under a define"};
static const struct construct outputs = {
    "inline assembly",
    "it is believed to write its outputs only, any values; a witness may not depend on them"};
static const struct construct recursion = {
    "recursion", "the depth of calls is not bounded; rewrite it as a loop"};
static const struct construct jump = {"setjmp/longjmp", "use return values instead"};
static const struct construct length = {"array of variable length",
                                        "give the array its largest length"};
static const struct construct computed = {"computed goto", "use a switch"};
static const struct construct variadic = {"variable number of arguments",
                                          "pass the values as an array"};
static const struct construct heap = {"memory from the heap", "use static memory"};
static const struct construct thread = {
    "threads", "analyse the step functions one by one, shared variables as inputs"};
static const struct construct pointer = {
    "call through a pointer to an unknown function",
    "add the source file that defines the function to \"sources\""};
static const struct construct opaque = {"expression of a GNU extension or _Generic",
                                        "goals inside it are not listed; write it in standard C"};

static void limit(struct callgraph *graph, struct goals *goals, uint32_t f, node_id id,
                  const struct construct *construct) {
    struct callgraph_function *function = &graph->functions.data[f];
    const struct tree *tree = &graph->trees[function->unit];
    const struct function *d = &tree->functions.data[function->index];
    struct place place = id ? unit_place(tree->unit, tree_at(tree, id)->span.begin) : d->place;
    struct limitation limitation = {
        .file = arena_strdup(&goals->arena, place.file),
        .line = place.line,
        .col = place.col,
        .function = arena_strdup(&goals->arena, d->name),
        .text = arena_printf(&goals->arena, "%s: %s", construct->what, construct->remedy)};
    vec_push(&goals->limitations, limitation);
    /* what is listed at all can be decided; behind assembly the model ends, wherever it stands */
    bool is_analysed = construct == &opaque || construct == &outputs || construct == &assembly;
    if (!function->reason && !is_analysed)
        function->reason =
            arena_printf(&goals->arena, "%s at %s:%d", construct->what, place.file, place.line);
}

/* Functions of the library, by name. */
struct library_row {
    const char *name;
    const struct construct *construct;
};

static const struct library_row library[] = {
    {"setjmp", &jump},
    {"_setjmp", &jump},
    {"__sigsetjmp", &jump},
    {"sigsetjmp", &jump},
    {"longjmp", &jump},
    {"siglongjmp", &jump},
    {"__builtin_setjmp", &jump},
    {"__builtin_longjmp", &jump},
    {"malloc", &heap},
    {"calloc", &heap},
    {"realloc", &heap},
    {"alloca", &heap},
    {"__builtin_alloca", &heap},
    {"aligned_alloc", &heap},
    {"pthread_create", &thread},
    {"thrd_create", &thread},
    {"fork", &thread},
    {"__builtin_va_start", &variadic},
    {"__builtin_va_arg", &variadic},
};

static const struct construct *library_construct(const char *name) {
    for (size_t i = 0; i < sizeof library / sizeof *library; i++)
        if (str_same(name, library[i].name))
            return library[i].construct;
    return NULL;
}

/* The type of a function, as text that is the same in all units. */
static bool same_function_type(CXType a, CXType b) {
    CXString left = clang_getTypeSpelling(clang_getCanonicalType(a));
    CXString right = clang_getTypeSpelling(clang_getCanonicalType(b));
    bool same = str_same(clang_getCString(left), clang_getCString(right));
    clang_disposeString(left);
    clang_disposeString(right);
    return same;
}

static bool has_known_target(const struct callgraph *graph, const struct tree *tree, node_id call) {
    CXType type = clang_getCursorType(tree_at(tree, tree_at(tree, call)->a)->cursor);
    CXType called = clang_getPointeeType(clang_getCanonicalType(type));
    for (size_t i = 0; i < graph->functions.len; i++) {
        const struct callgraph_function *f = &graph->functions.data[i];
        CXCursor cursor = graph->trees[f->unit].functions.data[f->index].cursor;
        if (f->address_taken && same_function_type(called, clang_getCursorType(cursor)))
            return true;
    }
    return false;
}

static const struct construct *call_construct(struct callgraph *graph, const struct tree *tree,
                                              const struct callee *callee) {
    if (callee->function != NO_FUNCTION || !tree_at(tree, callee->call)->a)
        return NULL;
    CXCursor named = tree_named(tree, tree_at(tree, callee->call)->a);
    if (clang_getCursorKind(named) == CXCursor_FunctionDecl)
        return library_construct(cursor_name(named, &graph->arena));
    return has_known_target(graph, tree, callee->call) ? NULL : &pointer;
}

/* What writes declared outputs only is analysed, and is said; what changes nothing is not. */
static const struct construct *assembly_construct(const struct tree *tree, node_id id) {
    struct assembly known;
    bool is_known = assembly_read(tree->unit, tree_at(tree, id)->cursor, &known);
    bool silent = known.changes_nothing;
    assembly_free(&known);
    return !is_known ? &assembly : silent ? NULL : &outputs;
}

static const struct construct *node_construct(const struct tree *tree, node_id id) {
    const struct node *node = tree_at(tree, id);
    const char *text = tree->unit->text + node->span.begin;
    CXType type;
    switch ((enum node_kind)node->kind) {
    case N_ASM:
        return assembly_construct(tree, id);
    case N_JUMP:
        return clang_getCursorKind(node->cursor) == CXCursor_IndirectGotoStmt ? &computed : NULL;
    case N_VARIABLE:
        type = clang_getCanonicalType(clang_getCursorType(node->cursor));
        return type.kind == CXType_VariableArray ? &length : NULL;
    case N_OPAQUE:
        return str_starts(text, "__builtin_va_arg") || str_starts(text, "va_arg") ? &variadic
                                                                                  : &opaque;
    default:
        return NULL;
    }
}

static void limits_of_nodes(struct callgraph *graph, struct goals *goals, uint32_t f) {
    const struct callgraph_function *function = &graph->functions.data[f];
    const struct tree *tree = &graph->trees[function->unit];
    const struct function *d = &tree->functions.data[function->index];
    for (node_id id = d->first; id < d->end; id++) {
        const struct construct *construct = node_construct(tree, id);
        if (construct)
            limit(graph, goals, f, id, construct);
    }
    for (size_t i = 0; i < function->calls.len; i++) {
        const struct construct *construct = call_construct(graph, tree, &function->calls.data[i]);
        if (construct)
            limit(graph, goals, f, function->calls.data[i].call, construct);
    }
}

/* Does a chain of calls lead from `f` back to it? */
static bool reaches_itself(struct callgraph *graph, uint32_t f) {
    VEC(uint32_t) todo = {0};
    bool *seen = arena_array(&graph->arena, bool, graph->functions.len + 1);
    bool found = false;
    vec_push(&todo, f);
    while (todo.len > 0 && !found) {
        const struct callgraph_function *function = &graph->functions.data[vec_pop(&todo)];
        for (size_t i = 0; i < function->calls.len; i++) {
            uint32_t next = function->calls.data[i].function;
            found |= next == f;
            if (next != NO_FUNCTION && !seen[next]) {
                seen[next] = true;
                vec_push(&todo, next);
            }
        }
    }
    vec_free(&todo);
    return found;
}

void limitations_find(struct callgraph *graph, struct goals *goals) {
    for (uint32_t f = 0; f < graph->functions.len; f++) {
        if (reaches_itself(graph, f))
            limit(graph, goals, f, 0, &recursion);
        limits_of_nodes(graph, goals, f);
    }
}
