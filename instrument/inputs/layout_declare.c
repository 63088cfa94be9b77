/* Declarations as C writes them: inside out. */
#include "instrument/inputs/layout.h"

#include <assert.h>

static void prepend(struct str *s, const char *text) {
    struct str joined = {0};
    str_add(&joined, text);
    str_add(&joined, str_text(s));
    str_free(s);
    *s = joined;
}

static void qualifiers(CXType type, struct str *declarator) {
    if (clang_isVolatileQualifiedType(type))
        prepend(declarator, "volatile ");
    if (clang_isConstQualifiedType(type))
        prepend(declarator, "const ");
}

static void parameter_list(CXType function, const struct type_names *names,
                           struct str *declarator) {
    assert(function.kind == CXType_FunctionProto || function.kind == CXType_FunctionNoProto);
    int n = clang_getNumArgTypes(function);
    str_addc(declarator, '(');
    for (int i = 0; i < n; i++) {
        struct str one = {0};
        type_declare(clang_getArgType(function, (unsigned)i), "", names, &one);
        str_addf(declarator, "%s%s", i ? ", " : "", str_text(&one));
        str_free(&one);
    }
    if (clang_isFunctionTypeVariadic(function))
        str_add(declarator, n ? ", ..." : "");
    else if (n == 0)
        str_add(declarator, "void");
    str_addc(declarator, ')');
}

/* Typedef names are kept where they are no array, pointer or function: those must be opened, since
 * their qualifiers and names stand inside. */
static CXType opened(CXType type) {
    CXType canonical = clang_getCanonicalType(type);
    switch (canonical.kind) {
    case CXType_Pointer:
    case CXType_ConstantArray:
    case CXType_IncompleteArray:
    case CXType_FunctionProto:
    case CXType_FunctionNoProto:
        return canonical;
    default:
        return type;
    }
}

static bool is_array(CXType type) {
    return type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray;
}

static bool is_function(CXType type) {
    return type.kind == CXType_FunctionProto || type.kind == CXType_FunctionNoProto;
}

static void open_array(CXType type, struct str *declarator) {
    assert(is_array(type));
    if (type.kind == CXType_ConstantArray)
        str_addf(declarator, "[%lld]", clang_getArraySize(type));
    else
        str_add(declarator, "[]");
}

static const char *tag_word(enum CXCursorKind kind) {
    switch (kind) {
    case CXCursor_StructDecl:
        return "struct ";
    case CXCursor_UnionDecl:
        return "union ";
    case CXCursor_EnumDecl:
        return "enum ";
    default:
        return "";
    }
}

/* The name of an unqualified type that is neither pointer, array nor function. */
static void type_name(CXType type, const struct type_names *names, struct str *text) {
    CXCursor declaration = clang_getTypeDeclaration(type);
    CXString name = clang_getTypeSpelling(type);
    const char *spelled = clang_getCString(name), *renamed = NULL;
    if (names->name && declaration.kind != CXCursor_NoDeclFound)
        renamed = names->name(names->context, declaration);
    const char *tag = tag_word(declaration.kind);
    if (renamed)
        str_addf(text, "%s%s", str_starts(spelled, tag) ? tag : "", renamed);
    else
        str_add(text, spelled);
    clang_disposeString(name);
}

static void base_type(CXType type, bool keep_qualifiers, const struct type_names *names,
                      struct str *text) {
    CXType plain = clang_getUnqualifiedType(type);
    CXType canonical = clang_getCanonicalType(plain);
    if (!keep_qualifiers &&
        (clang_isConstQualifiedType(canonical) || clang_isVolatileQualifiedType(canonical)))
        plain = clang_getUnqualifiedType(canonical); /* the qualifier hides in a typedef */
    if (keep_qualifiers && clang_isConstQualifiedType(type))
        str_add(text, "const ");
    if (keep_qualifiers && clang_isVolatileQualifiedType(type))
        str_add(text, "volatile ");
    type_name(plain, names, text);
}

void type_declare(CXType type, const char *name, const struct type_names *names, struct str *text) {
    struct str declarator = {0};
    bool below_pointer = false;
    str_add(&declarator, name);
    type = opened(type);
    while (type.kind == CXType_Pointer || is_array(type) || is_function(type)) {
        if (type.kind == CXType_Pointer) {
            if (below_pointer)
                qualifiers(type, &declarator);
            CXType pointee = opened(clang_getPointeeType(type));
            bool wrap = is_array(pointee) || is_function(pointee);
            prepend(&declarator, wrap ? "(*" : "*");
            str_add(&declarator, wrap ? ")" : "");
            below_pointer = true;
            type = pointee;
        } else if (is_array(type)) {
            open_array(type, &declarator);
            type = opened(clang_getArrayElementType(type));
        } else {
            parameter_list(type, names, &declarator);
            below_pointer = true;
            type = opened(clang_getResultType(type));
        }
    }
    base_type(type, below_pointer, names, text);
    str_addf(text, "%s%s", declarator.len ? " " : "", str_text(&declarator));
    str_free(&declarator);
}
