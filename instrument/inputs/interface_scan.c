/* Registers objects and functions.
 *
 * Keys: "E:name" for external linkage, so units share them; "I3:name" for internal linkage in unit
 * 3; "L3:1234" for locals, by the offset of their declaration. */
#include "instrument/inputs/interface_scan.h"

#include "instrument/syntax/lex.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

void limit_at(struct goals *goals, const struct unit *unit, size_t offset, const char *function,
              const char *format, ...) {
    struct str text = {0};
    va_list args;
    va_start(args, format);
    str_vaddf(&text, format, args);
    va_end(args);
    struct place place = unit_place(unit, offset);
    struct limitation limitation = {
        .file = arena_strdup(&goals->arena, place.file),
        .line = place.line,
        .col = place.col,
        .function = function ? arena_strdup(&goals->arena, function) : NULL,
        .text = arena_strdup(&goals->arena, str_text(&text)),
    };
    str_free(&text);
    vec_push(&goals->limitations, limitation);
}

static enum CXChildVisitResult add_child(CXCursor child, CXCursor parent, CXClientData data) {
    (void)parent;
    struct cursors *children = data;
    vec_push(children, child);
    return CXChildVisit_Continue;
}

void cursor_children(CXCursor cursor, struct cursors *children) {
    clang_visitChildren(cursor, add_child, children);
}

static void cursor_key(const struct scan *scan, uint32_t unit, CXCursor cursor, char *key,
                       size_t size) {
    assert(unit < scan->n_units);
    enum CXLinkageKind linkage = clang_getCursorLinkage(cursor);
    if (linkage == CXLinkage_NoLinkage || linkage == CXLinkage_Invalid) {
        CXCursor first = clang_getCanonicalCursor(cursor);
        size_t offset = unit_offset(&scan->units[unit], clang_getCursorLocation(first));
        snprintf(key, size, "L%u:%zu", unit, offset);
        return;
    }
    CXString name = clang_getCursorSpelling(cursor);
    if (linkage == CXLinkage_Internal)
        snprintf(key, size, "I%u:%s", unit, clang_getCString(name));
    else
        snprintf(key, size, "E:%s", clang_getCString(name));
    clang_disposeString(name);
}

enum { KEY_SIZE = 1100 };

uint32_t scan_object_of(const struct scan *scan, uint32_t unit, CXCursor cursor) {
    char key[KEY_SIZE];
    if (cursor.kind != CXCursor_VarDecl && cursor.kind != CXCursor_ParmDecl)
        return NOTHING;
    cursor_key(scan, unit, cursor, key, sizeof key);
    return intern_find(&scan->object_keys, key);
}

uint32_t scan_function_of(const struct scan *scan, uint32_t unit, CXCursor cursor) {
    char key[KEY_SIZE];
    if (cursor.kind != CXCursor_FunctionDecl)
        return NOTHING;
    cursor_key(scan, unit, cursor, key, sizeof key);
    return intern_find(&scan->function_keys, key);
}

uint32_t scan_new_node(struct scan *scan) {
    struct ids none = {0};
    vec_push(&scan->nodes, none);
    return (uint32_t)scan->nodes.len - 1;
}

uint32_t scan_new_object(struct scan *scan, const char *key, const struct object *object) {
    assert(object->name && object->path && object->c_name);
    uint32_t id = intern_id(&scan->object_keys, key);
    assert(id == scan->objects.len);
    struct object copy = *object;
    copy.node = scan_new_node(scan);
    vec_push(&scan->objects, copy);
    return id;
}

static enum object_kind kind_of(CXCursor cursor) {
    enum CXLinkageKind linkage = clang_getCursorLinkage(cursor);
    if (linkage == CXLinkage_Internal)
        return OBJECT_FILE_STATIC;
    if (linkage != CXLinkage_NoLinkage && linkage != CXLinkage_Invalid)
        return OBJECT_GLOBAL;
    return clang_Cursor_getStorageClass(cursor) == CX_SC_Static ? OBJECT_LOCAL_STATIC
                                                                : OBJECT_LOCAL;
}

static bool is_open(CXType type) {
    return clang_getCanonicalType(type).kind == CXType_IncompleteArray ||
           clang_Type_getSizeOf(type) < 0;
}

static bool has_initialiser(CXCursor cursor) {
    return cursor.kind == CXCursor_VarDecl &&
           !clang_Cursor_isNull(clang_Cursor_getVarDeclInitializer(cursor));
}

/* One more declaration of a known object: keeps the one that tells most. */
static void merge_declaration(struct scan *scan, struct object *object, CXCursor cursor) {
    assert(cursor.kind == CXCursor_VarDecl || cursor.kind == CXCursor_ParmDecl);
    bool initialised = has_initialiser(cursor);
    bool defines = object->kind >= OBJECT_LOCAL_STATIC || initialised ||
                   clang_Cursor_getStorageClass(cursor) != CX_SC_Extern;
    bool better = (initialised && !object->initialised) ||
                  (defines && !object->defined && !object->initialised) ||
                  (is_open(object->type) && !is_open(clang_getCursorType(cursor)));
    if (better && (!object->initialised || initialised)) {
        object->decl = cursor;
        object->unit = scan->unit;
        if (is_open(object->type) || !is_open(clang_getCursorType(cursor)))
            object->type = clang_getCursorType(cursor);
    }
    object->defined |= defines;
    object->initialised |= initialised;
}

static const char *local_path(struct scan *scan, const char *function, const char *name) {
    char *path = arena_printf(&scan->arena, "%s::%s", function, name);
    size_t same = 1;
    for (size_t i = scan->objects.len; i-- > 0;) {
        const struct object *o = &scan->objects.data[i];
        if (o->kind == OBJECT_LOCAL_STATIC && o->function == scan->function &&
            str_same(o->name, name))
            same++;
    }
    return same == 1 ? path : arena_printf(&scan->arena, "%s#%zu", path, same);
}

uint32_t scan_intern_object(struct scan *scan, CXCursor cursor) {
    char key[KEY_SIZE];
    cursor_key(scan, scan->unit, cursor, key, sizeof key);
    uint32_t id = intern_find(&scan->object_keys, key);
    if (id != INTERN_NONE) {
        merge_declaration(scan, &scan->objects.data[id], cursor);
        return id;
    }
    struct object object = {.kind = kind_of(cursor), .unit = scan->unit, .decl = cursor};
    object.name = cursor_name(cursor, &scan->arena);
    object.path = object.c_name = object.name;
    object.type = clang_getCursorType(cursor);
    object.function = object.kind >= OBJECT_LOCAL_STATIC ? scan->function : NOTHING;
    if (object.kind == OBJECT_LOCAL_STATIC) {
        assert(scan->function != NOTHING);
        object.path = local_path(scan, scan->functions.data[scan->function].name, object.name);
    }
    id = scan_new_object(scan, key, &object);
    merge_declaration(scan, &scan->objects.data[id], cursor);
    return id;
}

uint32_t scan_intern_function(struct scan *scan, CXCursor cursor) {
    assert(cursor.kind == CXCursor_FunctionDecl);
    char key[KEY_SIZE];
    cursor_key(scan, scan->unit, cursor, key, sizeof key);
    uint32_t id = intern_id(&scan->function_keys, key);
    if (id == scan->functions.len) {
        struct routine function = {.unit = scan->unit, .decl = cursor, .object = NOTHING};
        function.name = function.c_name = cursor_name(cursor, &scan->arena);
        function.result = scan_new_node(scan);
        function.is_static = clang_getCursorLinkage(cursor) == CXLinkage_Internal;
        vec_push(&scan->functions, function);
    }
    return id;
}

/* The parameters are objects before any body is read: calls flow into them. */
static void define_function(struct scan *scan, uint32_t id, CXCursor cursor) {
    assert(id < scan->functions.len && scan->function == NOTHING);
    struct routine *function = &scan->functions.data[id];
    if (function->has_body)
        return; /* a second definition: the woven text will not compile, and says so */
    function->decl = cursor;
    function->unit = scan->unit;
    function->has_body = true;
    scan->function = id;
    int n = clang_Cursor_getNumArguments(cursor);
    for (int i = 0; i < n; i++) {
        uint32_t object = scan_intern_object(scan, clang_Cursor_getArgument(cursor, (unsigned)i));
        vec_push(&scan->functions.data[id].params, object);
    }
    scan_body(scan, cursor);
    scan->function = NOTHING;
}

/* It may define functions and data as another source file does, and is read by nobody. */
static void note_assembly(struct scan *scan, CXCursor cursor) {
    const struct unit *unit = &scan->units[scan->unit];
    size_t begin = unit_span(unit, cursor).begin;
    struct lexeme word = lex_at(unit->text, unit->len, begin);
    if (!lex_is_assembly(unit->text, word) ||
        clang_Location_isInSystemHeader(clang_getCursorLocation(cursor)))
        return;
    scan->has_assembly = true;
    limit_at(scan->goals, unit, begin, NULL,
             "assembly outside of functions: it counts as another source file that changes no "
             "variable of the module");
}

static enum CXChildVisitResult visit_top(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    struct scan *scan = data;
    if (cursor.kind == CXCursor_VarDecl) {
        uint32_t id = scan_intern_object(scan, cursor);
        if (has_initialiser(cursor))
            scan_initialiser(scan, id, clang_Cursor_getVarDeclInitializer(cursor));
    } else if (cursor.kind == CXCursor_FunctionDecl) {
        uint32_t id = scan_intern_function(scan, cursor);
        scan->functions.data[id].declared = true;
        if (clang_isCursorDefinition(cursor))
            define_function(scan, id, cursor);
    } else if (clang_isUnexposed(cursor.kind)) {
        note_assembly(scan, cursor);
    }
    return CXChildVisit_Continue;
}

static int order_ids(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void sort_once(struct ids *ids) {
    if (ids->len == 0)
        return;
    qsort(ids->data, ids->len, sizeof *ids->data, order_ids);
    size_t kept = 1;
    for (size_t i = 1; i < ids->len; i++)
        if (ids->data[i] != ids->data[kept - 1])
            ids->data[kept++] = ids->data[i];
    vec_truncate(ids, kept);
}

void scan_units(struct scan *scan, const struct unit *units, size_t n, struct goals *goals) {
    assert(scan->objects.len == 0 && n > 0);
    scan->units = units;
    scan->n_units = n;
    scan->goals = goals;
    scan->function = NOTHING;
    intern_id(&scan->patterns, "");
    for (size_t i = 0; i < n; i++) {
        scan->unit = (uint32_t)i;
        clang_visitChildren(clang_getTranslationUnitCursor(units[i].tu), visit_top, scan);
    }
    for (size_t i = 0; i < scan->functions.len; i++)
        sort_once(&scan->functions.data[i].calls);
}

uint32_t scan_function(const struct scan *scan, const char *name) {
    uint32_t found = NOTHING;
    for (size_t i = 0; i < scan->functions.len; i++)
        if (str_same(scan->functions.data[i].name, name) &&
            (found == NOTHING || scan->functions.data[i].has_body))
            found = (uint32_t)i;
    return found;
}

void scan_free(struct scan *scan) {
    for (size_t i = 0; i < scan->functions.len; i++) {
        vec_free(&scan->functions.data[i].params);
        vec_free(&scan->functions.data[i].calls);
        vec_free(&scan->functions.data[i].pointer_calls);
    }
    for (size_t i = 0; i < scan->objects.len; i++) {
        vec_free(&scan->objects.data[i].touched);
        vec_free(&scan->objects.data[i].contents);
    }
    for (size_t i = 0; i < scan->calls.len; i++)
        vec_free(&scan->calls.data[i].args);
    for (size_t i = 0; i < scan->nodes.len; i++)
        vec_free(&scan->nodes.data[i]);
    vec_free(&scan->objects);
    vec_free(&scan->functions);
    vec_free(&scan->accesses);
    vec_free(&scan->volatile_reads);
    vec_free(&scan->volatile_writes);
    vec_free(&scan->calls);
    vec_free(&scan->evaluations);
    vec_free(&scan->operands);
    vec_free(&scan->marks);
    vec_free(&scan->flows);
    vec_free(&scan->indexed);
    vec_free(&scan->nodes);
    vec_free(&scan->places);
    intern_free(&scan->object_keys);
    intern_free(&scan->function_keys);
    intern_free(&scan->patterns);
    map_free(&scan->place_ids);
    arena_free(&scan->arena);
    *scan = (struct scan){0};
}
