/* Flattening follows the nesting of the type, which C bounds; so the recursion is bounded too. */
#include "instrument/inputs/layout.h"

#include <assert.h>
#include <string.h>

struct walk {
    struct layout *layout;
    struct arena *arena;
    const struct layout_choice *choice;
    struct str path, pattern;
    bool in_union, is_const, is_volatile;
    CXCursor field;
};

static void walk_type(struct walk *w, CXType type, size_t open_length);

static bool is_integer_kind(enum CXTypeKind kind, enum var_type *type) {
    switch (kind) {
    case CXType_Char_U:
    case CXType_UChar:
    case CXType_UShort:
    case CXType_UInt:
    case CXType_ULong:
    case CXType_ULongLong:
        *type = TYPE_UNSIGNED;
        return true;
    case CXType_Char_S:
    case CXType_SChar:
    case CXType_Short:
    case CXType_Int:
    case CXType_Long:
    case CXType_LongLong:
        *type = TYPE_SIGNED;
        return true;
    default:
        return false;
    }
}

bool scalar_of(CXType type, struct scalar *scalar) {
    CXType canonical = clang_getCanonicalType(type);
    if (canonical.kind == CXType_Enum)
        canonical = clang_getCanonicalType(
            clang_getEnumDeclIntegerType(clang_getTypeDeclaration(canonical)));
    long long size = clang_Type_getSizeOf(canonical);
    if (size <= 0 || size > 8)
        return false;
    scalar->bits = (uint8_t)(size * 8);
    if (canonical.kind == CXType_Bool)
        *scalar = (struct scalar){TYPE_BOOL, 1};
    else if (canonical.kind == CXType_Pointer)
        scalar->type = TYPE_POINTER;
    else if (canonical.kind == CXType_Float || canonical.kind == CXType_Double)
        scalar->type = TYPE_FLOAT;
    else
        return is_integer_kind(canonical.kind, &scalar->type);
    return true;
}

static const char *spelling(CXType type, struct arena *arena) {
    CXString text = clang_getTypeSpelling(type);
    const char *copy = arena_strdup(arena, clang_getCString(text));
    clang_disposeString(text);
    return copy;
}

static void add_leaf(struct walk *w, CXType type) {
    assert(w->layout->leaves.len <= LAYOUT_LIMIT);
    struct leaf leaf = {.type = type, .field = w->field};
    if (w->layout->leaves.len >= LAYOUT_LIMIT) {
        w->layout->too_large = true;
        return;
    }
    if (!scalar_of(type, &leaf.scalar)) {
        if (!w->layout->odd)
            w->layout->odd = spelling(type, w->arena);
        return;
    }
    if (!clang_Cursor_isNull(w->field) && clang_Cursor_isBitField(w->field)) {
        int width = clang_getFieldDeclBitWidth(w->field);
        leaf.bit_field = true;
        if (leaf.scalar.type != TYPE_BOOL)
            leaf.scalar.bits = (uint8_t)width;
    }
    leaf.path = arena_strdup(w->arena, str_text(&w->path));
    leaf.pattern = arena_strdup(w->arena, str_text(&w->pattern));
    leaf.is_const = w->is_const;
    leaf.is_volatile = w->is_volatile;
    vec_push(&w->layout->leaves, leaf);
}

static void cut(struct str *s, size_t len) {
    assert(len <= s->len);
    s->len = len;
    if (s->data)
        s->data[len] = '\0';
}

static void walk_array(struct walk *w, CXType type, size_t length) {
    CXType element = clang_getArrayElementType(type);
    size_t path = w->path.len, pattern = w->pattern.len;
    CXCursor field = w->field;
    w->field = clang_Cursor_isNull(field) || !clang_Cursor_isBitField(field)
                   ? field
                   : clang_getNullCursor();
    if (!w->in_union)
        str_add(&w->pattern, "[]");
    for (size_t i = 0; i < length && !w->layout->too_large; i++) {
        str_addf(&w->path, "[%zu]", i);
        walk_type(w, element, 0);
        cut(&w->path, path);
    }
    cut(&w->pattern, pattern);
    w->field = field;
}

/* True when the member takes room in memory and has a name, or is an anonymous struct or union. */
static bool is_member(CXCursor field) {
    CXString name = clang_getCursorSpelling(field);
    bool named = clang_getCString(name)[0] != '\0';
    clang_disposeString(name);
    return named || !clang_Cursor_isBitField(field);
}

/* The anonymous members of C11 are part of their parent: they add nothing to the path. */
static bool is_anonymous(CXCursor field) {
    CXCursor record = clang_getTypeDeclaration(clang_getCursorType(field));
    return clang_Cursor_isAnonymousRecordDecl(record);
}

static void walk_field(struct walk *w, CXCursor field) {
    size_t path = w->path.len, pattern = w->pattern.len;
    CXCursor outer = w->field;
    if (!is_anonymous(field)) {
        CXString name = clang_getCursorSpelling(field);
        str_addf(&w->path, ".%s", clang_getCString(name));
        if (!w->in_union)
            str_addf(&w->pattern, ".%s", clang_getCString(name));
        clang_disposeString(name);
    }
    w->field = field;
    walk_type(w, clang_getCursorType(field), 0);
    w->field = outer;
    cut(&w->path, path);
    cut(&w->pattern, pattern);
}

VEC_STRUCT(fields, CXCursor);

static enum CXVisitorResult collect_field(CXCursor field, CXClientData data) {
    struct fields *fields = data;
    if (is_member(field))
        vec_push(fields, field);
    return CXVisit_Continue;
}

static size_t count_leaves(CXType type, struct arena *arena) {
    struct layout layout = {0};
    cell_layout_of(type, 0, arena, &layout);
    size_t n = layout.leaves.len;
    layout_free(&layout);
    return n;
}

static CXCursor union_view(const struct fields *fields, struct arena *arena) {
    assert(fields->data && arena);
    assert(fields->len > 0);
    size_t best = 0, best_leaves = 0;
    long long best_size = -1;
    for (size_t i = 0; i < fields->len; i++) {
        CXType type = clang_getCursorType(fields->data[i]);
        long long size = clang_Type_getSizeOf(type);
        size_t leaves = size >= best_size ? count_leaves(type, arena) : 0;
        if (size > best_size || (size == best_size && leaves < best_leaves)) {
            best = i;
            best_size = size;
            best_leaves = leaves;
        }
    }
    return fields->data[best];
}

/* A member as large as the union that the user names, NULL: none. */
static const CXCursor *wanted_view(const struct walk *w, CXType type, const struct fields *fields) {
    long long size = clang_Type_getSizeOf(type);
    const CXCursor *wanted = NULL;
    for (size_t i = 0; w->choice && !wanted && i < fields->len; i++) {
        struct str path = {0};
        CXString name = clang_getCursorSpelling(fields->data[i]);
        str_addf(&path, "%s.%s", str_text(&w->path), clang_getCString(name));
        clang_disposeString(name);
        if (!is_anonymous(fields->data[i]) &&
            clang_Type_getSizeOf(clang_getCursorType(fields->data[i])) == size &&
            w->choice->wants(w->choice->context, str_text(&path)))
            wanted = &fields->data[i];
        str_free(&path);
    }
    return wanted;
}

static void walk_union(struct walk *w, CXType type, const struct fields *fields) {
    const CXCursor *wanted = wanted_view(w, type, fields);
    bool outer = w->in_union;
    if (!w->layout->union_path)
        w->layout->union_path = arena_strdup(w->arena, str_text(&w->path));
    w->in_union = true;
    walk_field(w, wanted ? *wanted : union_view(fields, w->arena));
    w->in_union = outer;
}

static void walk_record(struct walk *w, CXType type) {
    struct fields fields = {0};
    clang_Type_visitFields(type, collect_field, &fields);
    bool is_union = clang_getTypeDeclaration(type).kind == CXCursor_UnionDecl;
    if (is_union && fields.len > 0)
        walk_union(w, type, &fields);
    for (size_t i = 0; i < fields.len && !is_union; i++)
        walk_field(w, fields.data[i]);
    vec_free(&fields);
}

static void walk_type(struct walk *w, CXType type, size_t open_length) {
    CXType canonical = clang_getCanonicalType(type);
    bool is_const = w->is_const, is_volatile = w->is_volatile;
    w->is_const |= clang_isConstQualifiedType(canonical) != 0;
    w->is_volatile |= clang_isVolatileQualifiedType(canonical) != 0;
    if (canonical.kind == CXType_Record)
        walk_record(w, canonical);
    else if (canonical.kind == CXType_ConstantArray)
        walk_array(w, canonical, (size_t)clang_getArraySize(canonical));
    else if (canonical.kind == CXType_IncompleteArray && open_length > 0)
        walk_array(w, canonical, open_length);
    else if (canonical.kind == CXType_IncompleteArray)
        w->layout->open_array = true;
    else
        add_leaf(w, canonical);
    w->is_const = is_const;
    w->is_volatile = is_volatile;
}

void cell_layout_of(CXType type, size_t open_length, struct arena *arena, struct layout *layout) {
    cell_layout_chosen(type, open_length, NULL, arena, layout);
}

void cell_layout_chosen(CXType type, size_t open_length, const struct layout_choice *choice,
                        struct arena *arena, struct layout *layout) {
    struct walk walk = {
        .layout = layout, .arena = arena, .choice = choice, .field = clang_getNullCursor()};
    walk_type(&walk, type, open_length);
    str_free(&walk.path);
    str_free(&walk.pattern);
}

void layout_free(struct layout *layout) {
    vec_free(&layout->leaves);
}

const char *scalar_c_type(struct scalar scalar) {
    bool u = scalar.type == TYPE_UNSIGNED;
    if (scalar.type == TYPE_BOOL)
        return "_Bool";
    if (scalar.type == TYPE_FLOAT)
        return scalar.bits == 32 ? "float" : "double";
    assert(scalar.type != TYPE_POINTER);
    if (scalar.bits <= 8)
        return u ? "unsigned char" : "signed char";
    if (scalar.bits <= 16)
        return u ? "unsigned short" : "signed short";
    if (scalar.bits <= 32)
        return u ? "unsigned int" : "signed int";
    return u ? "unsigned long long" : "signed long long";
}

struct scalar scalar_carrier(struct scalar scalar) {
    assert(scalar.type != TYPE_POINTER);
    if (scalar.type == TYPE_SIGNED || scalar.type == TYPE_UNSIGNED)
        scalar.bits = scalar.bits <= 8 ? 8 : scalar.bits <= 16 ? 16 : scalar.bits <= 32 ? 32 : 64;
    return scalar;
}

const char *scalar_suffix(struct scalar scalar) {
    bool u = scalar.type == TYPE_UNSIGNED;
    if (scalar.type == TYPE_BOOL)
        return "b";
    if (scalar.type == TYPE_FLOAT)
        return scalar.bits == 32 ? "f32" : "f64";
    assert(scalar.type != TYPE_POINTER);
    if (scalar.bits <= 8)
        return u ? "u8" : "i8";
    if (scalar.bits <= 16)
        return u ? "u16" : "i16";
    if (scalar.bits <= 32)
        return u ? "u32" : "i32";
    return u ? "u64" : "i64";
}
