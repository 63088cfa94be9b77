/* Edits of declarations and references: one pass over each unit. */
#include "instrument/weave/hoist.h"
#include "instrument/syntax/lex.h"

#include <assert.h>

struct pass {
    struct names *names;
    struct interface *in;
    const struct unit *unit;
    struct edits *edits;
    uint32_t number;
    const bool *varies; /* an object */
};

static void replace_word(struct pass *p, size_t offset, const char *name) {
    struct lexeme word = lex_at(p->unit->text, p->unit->len, offset);
    assert(word.kind == LEX_WORD && word.begin == offset);
    edits_replace(p->edits, word.begin, word.end, name);
}

static void rename_here(struct pass *p, CXCursor cursor, const char *name) {
    if (name)
        replace_word(p, unit_offset(p->unit, clang_getCursorLocation(cursor)), name);
}

static const char *function_name(const struct pass *p, CXCursor decl) {
    uint32_t id = scan_function_of(&p->in->scan, p->number, decl);
    if (id == NOTHING)
        return NULL;
    const struct routine *f = &p->in->scan.functions.data[id];
    return str_same(f->c_name, f->name) ? NULL : f->c_name;
}

static const char *object_name(const struct pass *p, CXCursor decl) {
    uint32_t id = scan_object_of(&p->in->scan, p->number, decl);
    if (id == NOTHING)
        return NULL;
    const struct object *o = &p->in->scan.objects.data[id];
    return str_same(o->c_name, o->name) ? NULL : o->c_name;
}

/* The objects that hold range parameters and pointers from outside: const must go. */
static bool *find_varying(struct interface *in) {
    bool *varies = arena_array(&in->arena, bool, in->scan.objects.len + 1);
    for (size_t i = 0; i < in->cells.len; i++) {
        const struct cell *cell = &in->cells.data[i];
        if (cell->role == CELL_PARAMETER || cell->role == CELL_POINTER)
            varies[cell->object] = true;
    }
    return varies;
}

struct specifiers {
    size_t begin, name; /* [begin, name) */
    size_t star;        /* begin of the last '*' outside of brackets, or begin */
};

static struct specifiers specifiers_of(const struct pass *p, size_t begin, CXCursor decl) {
    struct specifiers s = {begin, unit_offset(p->unit, clang_getCursorLocation(decl)), begin};
    assert(s.begin <= s.name && s.name < p->unit->len);
    int depth = 0;
    for (struct lexeme l = lex_at(p->unit->text, p->unit->len, begin); l.begin < s.name;
         l = lex_at(p->unit->text, p->unit->len, l.end)) {
        char c = l.kind == LEX_PUNCT ? p->unit->text[l.begin] : '\0';
        depth += (c == '{' || c == '[') - (c == '}' || c == ']');
        if (c == '*' && depth == 0)
            s.star = l.begin;
    }
    return s;
}

/* Removes a specifier wherever it stands outside of brackets; true when it was there. */
static bool drop_word(struct pass *p, size_t begin, size_t end, const char *word) {
    assert(begin <= end);
    int depth = 0;
    bool found = false;
    for (struct lexeme l = lex_at(p->unit->text, p->unit->len, begin); l.begin < end;
         l = lex_at(p->unit->text, p->unit->len, l.end)) {
        char c = l.kind == LEX_PUNCT ? p->unit->text[l.begin] : '\0';
        depth += (c == '(' || c == '{' || c == '[') - (c == ')' || c == '}' || c == ']');
        if (depth != 0 || l.kind != LEX_WORD || !lex_is(p->unit->text, l, word))
            continue;
        edits_replace(p->edits, l.begin, l.end, "");
        found = true;
    }
    return found;
}

struct find_type {
    const struct pass *p;
    size_t begin, end;
    size_t offset; /* of the first type name between begin and end, or SIZE_MAX */
};

static enum CXChildVisitResult find_type_name(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    struct find_type *f = data;
    if (cursor.kind != CXCursor_TypeRef)
        return CXChildVisit_Continue;
    size_t offset = unit_offset(f->p->unit, clang_getCursorLocation(cursor));
    if (offset >= f->begin && offset < f->end)
        f->offset = offset;
    return CXChildVisit_Continue;
}

/* The qualifier hides in a typedef: the typedef name gives way to the plain type. */
static void open_typedef(struct pass *p, struct specifiers s, CXCursor decl) {
    CXType type = clang_getCanonicalType(clang_getCursorType(decl));
    while (type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray)
        type = clang_getCanonicalType(clang_getArrayElementType(type));
    if (!clang_isConstQualifiedType(type) || type.kind == CXType_Pointer)
        return;
    struct find_type find = {p, s.begin, s.name, SIZE_MAX};
    clang_visitChildren(decl, find_type_name, &find);
    if (find.offset == SIZE_MAX)
        return;
    struct str plain = {0};
    type_declare(clang_getUnqualifiedType(type), "", &p->in->type_names, &plain);
    replace_word(p, find.offset, str_text(&plain));
    str_free(&plain);
}

static void make_variable(struct pass *p, struct specifiers s, CXCursor decl) {
    bool pointer = s.star != s.begin;
    size_t begin = pointer ? s.star : s.begin;
    bool plain = drop_word(p, begin, s.name, "const");
    drop_word(p, begin, s.name, "volatile");
    if (!plain && !pointer)
        open_typedef(p, s, decl);
}

static bool is_open_array(const struct object *o) {
    return o->kind == OBJECT_GLOBAL && o->open_length > 0;
}

/* A definition for what is only declared: of the declaration that tells most, `extern` is dropped.
 * Declarations in functions and arrays without a length get theirs in the harness. */
static void define_object(struct pass *p, struct specifiers s, CXCursor decl,
                          const struct object *o) {
    assert(!o->defined && o->used);
    CXCursor parent = clang_getCursorLexicalParent(decl);
    if (parent.kind == CXCursor_TranslationUnit && !is_open_array(o)) {
        drop_word(p, s.begin, s.name, "extern");
        return;
    }
    CXType type = clang_getCanonicalType(o->type);
    struct str name = {0};
    str_add(&name, o->c_name);
    if (is_open_array(o)) {
        str_addf(&name, "[%u]", o->open_length);
        type = clang_getArrayElementType(clang_getCanonicalType(o->type));
    }
    if (clang_isVolatileQualifiedType(type))
        str_add(&p->names->definitions, "volatile ");
    type_declare(type, str_text(&name), &p->in->type_names, &p->names->definitions);
    str_add(&p->names->definitions, ";\n");
    str_free(&name);
}

/* `int tab[];` defines one element, which compilers warn of, and after which sizeof still fails. */
static void complete_tentative(struct pass *p, CXCursor decl, size_t name) {
    const struct unit *unit = p->unit;
    CXType type = clang_getCanonicalType(clang_getCursorType(decl));
    struct lexeme open = lex_at(unit->text, unit->len, lex_at(unit->text, unit->len, name).end);
    struct lexeme close = lex_at(unit->text, unit->len, open.end);
    if (clang_Cursor_getStorageClass(decl) == CX_SC_Extern || type.kind != CXType_ConstantArray ||
        !clang_Cursor_isNull(clang_Cursor_getVarDeclInitializer(decl)) ||
        !lex_is(unit->text, open, "[") || !lex_is(unit->text, close, "]"))
        return;
    struct str length = {0};
    str_addf(&length, "[%lld]", clang_getArraySize(type));
    edits_replace(p->edits, open.begin, close.end, str_text(&length));
    str_free(&length);
}

/* There is one thread, and only what is not of a thread has an address that a table may hold. */
static void drop_thread(struct pass *p, const struct specifiers *s, CXCursor decl) {
    if (clang_getCursorTLSKind(decl) == CXTLS_None)
        return;
    drop_word(p, s->begin, s->name, "_Thread_local");
    drop_word(p, s->begin, s->name, "__thread");
}

static void edit_variable(struct pass *p, CXCursor decl, size_t begin) {
    uint32_t id = scan_object_of(&p->in->scan, p->number, decl);
    if (id == NOTHING)
        return;
    const struct object *o = &p->in->scan.objects.data[id];
    rename_here(p, decl, object_name(p, decl));
    if (o->kind == OBJECT_LOCAL || o->kind == OBJECT_ARGUMENT)
        return;
    struct specifiers s = specifiers_of(p, begin, decl);
    complete_tentative(p, decl, s.name);
    drop_thread(p, &s, decl);
    if (o->kind != OBJECT_GLOBAL)
        drop_word(p, s.begin, s.name, "static");
    if (p->varies[id])
        make_variable(p, s, decl);
    if (!o->defined && o->used && o->unit == p->number && clang_equalCursors(decl, o->decl))
        define_object(p, s, decl, o);
}

static void edit_reference(struct pass *p, CXCursor cursor) {
    CXCursor decl = clang_getCursorReferenced(cursor);
    const char *name = NULL;
    if (decl.kind == CXCursor_VarDecl || decl.kind == CXCursor_ParmDecl)
        name = object_name(p, decl);
    else if (decl.kind == CXCursor_FunctionDecl)
        name = function_name(p, decl);
    else
        name = names_type(p->names, p->in, p->number, decl);
    rename_here(p, cursor, name);
}

static bool is_type_declaration(enum CXCursorKind kind) {
    return kind == CXCursor_StructDecl || kind == CXCursor_UnionDecl || kind == CXCursor_EnumDecl ||
           kind == CXCursor_TypedefDecl || kind == CXCursor_EnumConstantDecl;
}

static enum CXChildVisitResult edit_cursor(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct pass *p = data;
    if (cursor.kind == CXCursor_DeclRefExpr || cursor.kind == CXCursor_TypeRef) {
        edit_reference(p, cursor);
    } else if (cursor.kind == CXCursor_VarDecl) {
        CXCursor whole = parent.kind == CXCursor_DeclStmt ? parent : cursor;
        edit_variable(p, cursor, unit_span(p->unit, whole).begin);
    } else if (cursor.kind == CXCursor_FunctionDecl) {
        rename_here(p, cursor, function_name(p, cursor));
    } else if (is_type_declaration(cursor.kind)) {
        if (p->names->types.len > 0 && has_own_name(p->unit, cursor))
            rename_here(p, cursor, names_type(p->names, p->in, p->number, cursor));
    }
    return CXChildVisit_Recurse;
}

void names_edit(struct names *names, struct interface *in) {
    const bool *varies = find_varying(in);
    for (size_t i = 0; i < in->n_units; i++) {
        struct pass pass = {names, in, &in->units[i], &in->edits[i], (uint32_t)i, varies};
        clang_visitChildren(clang_getTranslationUnitCursor(in->units[i].tu), edit_cursor, &pass);
    }
}
