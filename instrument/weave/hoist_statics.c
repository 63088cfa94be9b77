/* Moves static locals, and the local types they use, in front of their function. */
#include "instrument/weave/hoist.h"
#include "instrument/syntax/lex.h"

#include <assert.h>
#include <ctype.h>

struct local_scan {
    struct names *names;
    struct interface *in;
    const struct unit *unit;
    uint32_t number;
    struct span function;
    const char *name;
    struct cursors statics; /* declaration statements */
    struct cursors types;   /* local type declarations, outermost, in order */
    struct cursors type_parents;
    bool uses_types; /* a static refers to a local type or enumerator */
};

static bool is_type(enum CXCursorKind kind) {
    return kind == CXCursor_StructDecl || kind == CXCursor_UnionDecl || kind == CXCursor_EnumDecl ||
           kind == CXCursor_TypedefDecl;
}

static bool is_local(const struct local_scan *s, CXCursor decl) {
    if (clang_Cursor_isNull(decl) ||
        (!is_type(decl.kind) && decl.kind != CXCursor_EnumConstantDecl))
        return false;
    size_t offset = unit_offset(s->unit, clang_getCursorLocation(decl));
    return offset >= s->function.begin && offset < s->function.end;
}

static enum CXChildVisitResult visit_static(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    struct local_scan *s = data;
    if (cursor.kind == CXCursor_TypeRef || cursor.kind == CXCursor_DeclRefExpr)
        s->uses_types |= is_local(s, clang_getCursorReferenced(cursor));
    return CXChildVisit_Recurse;
}

static bool declares_static(CXCursor statement) {
    struct cursors children = {0};
    bool found = false;
    cursor_children(statement, &children);
    for (size_t i = 0; i < children.len; i++)
        found |= children.data[i].kind == CXCursor_VarDecl &&
                 clang_Cursor_getStorageClass(children.data[i]) == CX_SC_Static;
    vec_free(&children);
    return found;
}

static enum CXChildVisitResult visit_body(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct local_scan *s = data;
    if (cursor.kind == CXCursor_DeclStmt && declares_static(cursor)) {
        vec_push(&s->statics, cursor);
        clang_visitChildren(cursor, visit_static, s);
        return CXChildVisit_Continue;
    }
    if (is_type(cursor.kind)) {
        vec_push(&s->types, cursor);
        vec_push(&s->type_parents, parent);
        return CXChildVisit_Continue;
    }
    return CXChildVisit_Recurse;
}

size_t before_function(const struct unit *unit, size_t function) {
    size_t at = function;
    for (;;) {
        size_t end = at;
        while (end > 0 && isspace((unsigned char)unit->text[end - 1]))
            end--;
        if (end == 0 || unit->text[end - 1] != ')')
            return at;
        int depth = 0;
        do {
            end--;
            depth += (unit->text[end] == ')') - (unit->text[end] == '(');
        } while (end > 0 && depth > 0);
        while (end > 0 && isspace((unsigned char)unit->text[end - 1]))
            end--;
        size_t word = end;
        while (word > 0 &&
               (isalnum((unsigned char)unit->text[word - 1]) || unit->text[word - 1] == '_'))
            word--;
        if (depth > 0 || strncmp(unit->text + word, "__", 2) != 0)
            return at;
        at = word;
    }
}

/* Puts the edited text of [begin, end) in front of the function. */
static void move_up(struct local_scan *s, size_t begin, size_t end) {
    assert(begin >= s->function.begin && begin < end && end <= s->function.end);
    struct edits *edits = &s->in->edits[s->number];
    struct str text = {0};
    edits_apply_range(edits, s->unit->text, begin, end, &text);
    str_add(&text, ";\n");
    edits_open(edits, before_function(s->unit, s->function.begin), s->function.end,
               str_text(&text));
    str_free(&text);
}

static size_t without_semicolon(const struct unit *unit, struct span span) {
    assert(span.end > span.begin);
    return span.end - (unit->text[span.end - 1] == ';');
}

static void move_statement(struct local_scan *s, CXCursor statement) {
    assert(statement.kind == CXCursor_DeclStmt);
    struct span span = unit_span(s->unit, statement);
    move_up(s, span.begin, without_semicolon(s->unit, span));
    edits_replace(&s->in->edits[s->number], span.begin, span.end, "");
}

static const char *tag_word(enum CXCursorKind kind) {
    return kind == CXCursor_EnumDecl ? "enum" : kind == CXCursor_UnionDecl ? "union" : "struct";
}

/* `typedef struct L { … } L_t;` is a struct and a typedef, but one statement. */
static bool is_moved_already(const struct local_scan *s, size_t type) {
    return type > 0 && s->type_parents.data[type].kind == CXCursor_DeclStmt &&
           clang_equalCursors(s->type_parents.data[type], s->type_parents.data[type - 1]);
}

/* `struct L { … } x;` keeps its variable: only the type moves. */
static void move_type(struct local_scan *s, CXCursor type, CXCursor parent) {
    assert(is_type(type.kind));
    struct cursors children = {0};
    bool variables = false;
    cursor_children(parent, &children);
    for (size_t i = 0; i < children.len; i++)
        variables |= children.data[i].kind == CXCursor_VarDecl;
    vec_free(&children);
    if (parent.kind == CXCursor_DeclStmt && !variables) {
        move_statement(s, parent);
        return;
    }
    const char *name = names_type(s->names, s->in, s->number, type);
    if (!name || type.kind == CXCursor_TypedefDecl)
        return; /* without a name nobody else can use it */
    struct span span = unit_span(s->unit, type);
    move_up(s, span.begin, span.end);
    const char *use = arena_printf(&s->names->arena, "%s %s", tag_word(type.kind), name);
    edits_replace(&s->in->edits[s->number], span.begin, span.end, use);
}

static void rename_type(struct local_scan *s, CXCursor type) {
    if (clang_Cursor_isAnonymous(type) || names_type(s->names, s->in, s->number, type))
        return;
    const char *name = cursor_name(type, &s->names->arena);
    if (name[0] && !strchr(name, ' '))
        names_rename_type(s->names, s->in, s->number, type, names_unique(s->names, s->name, name));
}

static enum CXChildVisitResult rename_inner(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    if (is_type(cursor.kind) || cursor.kind == CXCursor_EnumConstantDecl)
        rename_type(data, cursor);
    return CXChildVisit_Recurse;
}

static void rename_local_types(struct local_scan *s) {
    for (size_t i = 0; i < s->types.len; i++) {
        rename_type(s, s->types.data[i]);
        clang_visitChildren(s->types.data[i], rename_inner, s);
    }
    /* a type that is declared inside the declaration of a static moves with it */
    for (size_t i = 0; i < s->statics.len; i++)
        clang_visitChildren(s->statics.data[i], rename_inner, s);
}

static void scan_function_body(struct local_scan *s, struct interface *in, struct names *names,
                               const struct routine *f) {
    *s = (struct local_scan){.names = names, .in = in, .number = f->unit, .name = f->name};
    s->unit = &in->units[f->unit];
    s->function = unit_span(s->unit, f->decl);
    clang_visitChildren(f->decl, visit_body, s);
}

static void local_scan_free(struct local_scan *s) {
    vec_free(&s->statics);
    vec_free(&s->types);
    vec_free(&s->type_parents);
}

void hoist_rename_types(struct names *names, struct interface *in) {
    for (size_t i = 0; i < in->scan.functions.len; i++) {
        struct local_scan s;
        if (!in->scan.functions.data[i].has_body)
            continue;
        scan_function_body(&s, in, names, &in->scan.functions.data[i]);
        if (s.statics.len == 0 || !s.uses_types)
            vec_clear(&s.types);
        rename_local_types(&s);
        local_scan_free(&s);
    }
}

void hoist_statics(struct names *names, struct interface *in) {
    for (size_t i = 0; i < in->scan.functions.len; i++) {
        struct local_scan s;
        if (!in->scan.functions.data[i].has_body)
            continue;
        scan_function_body(&s, in, names, &in->scan.functions.data[i]);
        for (size_t k = 0; k < s.types.len && s.statics.len > 0 && s.uses_types; k++)
            if (!is_moved_already(&s, k))
                move_type(&s, s.types.data[k], s.type_parents.data[k]);
        for (size_t k = 0; k < s.statics.len; k++)
            move_statement(&s, s.statics.data[k]);
        local_scan_free(&s);
    }
}
