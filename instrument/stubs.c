#include "instrument/stubs.h"

#include "instrument/harness.h"

#include <assert.h>

/* Consumers know these exactly, as an enclosure, or report them themselves. */
static const char *const library[] = {
    "abs",       "acos",      "acosh",  "asin",     "asinh",     "atan",       "atan2",
    "atanh",     "calloc",    "cbrt",   "ceil",     "copysign",  "cos",        "cosh",
    "erf",       "erfc",      "exp",    "exp2",     "expm1",     "fabs",       "fdim",
    "floor",     "fma",       "fmax",   "fmin",     "fmod",      "fpclassify", "free",
    "frexp",     "hypot",     "ilogb",  "isfinite", "isinf",     "isnan",      "labs",
    "ldexp",     "lgamma",    "llabs",  "llrint",   "llround",   "log",        "log10",
    "log1p",     "log2",      "logb",   "longjmp",  "lrint",     "lround",     "malloc",
    "memchr",    "memcmp",    "memcpy", "memmove",  "memset",    "modf",       "nan",
    "nearbyint", "nextafter", "pow",    "realloc",  "remainder", "remquo",     "rint",
    "round",     "scalbln",   "scalbn", "setjmp",   "signbit",   "sin",        "sinh",
    "sqrt",      "strcmp",    "strlen", "strncmp",  "tan",       "tanh",       "tgamma",
    "trunc",
};

static const char *const endings[] = {"abort",         "exit",     "_Exit", "quick_exit",
                                      "__assert_fail", "__assert", "_exit"};

static bool is_one_of(const char *name, size_t len, const char *const *list, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (strlen(list[i]) == len && memcmp(list[i], name, len) == 0)
            return true;
    return false;
}

bool stubs_is_library(const char *name) {
    size_t n = sizeof library / sizeof *library, len = strlen(name);
    if (str_starts(name, "__builtin_") || str_starts(name, "__fpclassify") ||
        str_starts(name, "__is") || str_starts(name, "__signbit"))
        return true;
    while (name[0] == '_') { /* _setjmp, __finite */
        name++;
        len--;
    }
    return is_one_of(name, len, library, n) ||
           (len > 1 && name[len - 1] == 'f' && is_one_of(name, len - 1, library, n));
}

struct stub {
    struct interface *in;
    const char *name, *path; /* in the text; for people */
    CXType type;
    CXCursor decl; /* names of the parameters; the null cursor when there are none */
    uint32_t unit;
    size_t offset; /* for limitations */
    struct str body;
};

static void limit_stub(struct stub *s, const char *text) {
    limit_at(s->in->goals, &s->in->units[s->unit], s->offset, NULL, "%s", text);
}

/* One scalar that the stub sets: target = any value. */
static void set_scalar(struct stub *s, const struct leaf *leaf, const char *target,
                       const char *path) {
    struct interface *in = s->in;
    struct range range = range_of_type(leaf->scalar);
    struct module_var var = {.role = VAR_STUB, .lsb = 1};
    struct place place = unit_place(&in->units[s->unit], s->offset);
    var.path = arena_strdup(&in->module->arena, path);
    var.c_expr = arena_strdup(&in->module->arena, target);
    var.type = leaf->scalar.type;
    var.bits = leaf->scalar.bits;
    var.min = range.min;
    var.max = range.max;
    var.range_from = "type";
    var.file = arena_strdup(&in->module->arena, place.file);
    var.line = place.line;
    harness_input(in, interface_add_input(in, &var), target, "    ", &s->body);
}

/* Everything below an lvalue; pointers and what is const stay. */
static void set_all(struct stub *s, CXType type, const char *target, const char *path) {
    struct layout layout = {0};
    struct interface *in = s->in;
    cell_layout_of(type, 0, &in->arena, &layout);
    for (size_t i = 0; i < layout.leaves.len; i++) {
        const struct leaf *leaf = &layout.leaves.data[i];
        if (leaf->scalar.type == 'p' || leaf->is_const)
            continue;
        set_scalar(s, leaf, arena_printf(&in->arena, "%s%s", target, leaf->path),
                   arena_printf(&in->arena, "%s%s", path, leaf->path));
    }
    layout_free(&layout);
}

static bool is_settable(CXType type) {
    CXType canonical = clang_getCanonicalType(type);
    return canonical.kind != CXType_Void && clang_Type_getSizeOf(canonical) > 0 &&
           !clang_isConstQualifiedType(canonical);
}

static CXType parameter_type(const struct stub *s, unsigned index) {
    if (clang_Cursor_isNull(s->decl))
        return clang_getArgType(s->type, index);
    return clang_getCursorType(clang_Cursor_getArgument(s->decl, index));
}

static const char *parameter_name(const struct stub *s, unsigned index) {
    const char *name = "";
    if (!clang_Cursor_isNull(s->decl))
        name = cursor_name(clang_Cursor_getArgument(s->decl, index), &s->in->arena);
    return name[0] ? name : arena_printf(&s->in->arena, "gk_argument%u", index + 1);
}

static void write_through(struct stub *s, unsigned index) {
    struct arena *arena = &s->in->arena;
    CXType type = parameter_type(s, index), canonical = clang_getCanonicalType(type);
    const char *name = parameter_name(s, index);
    long long length = canonical.kind == CXType_ConstantArray ? clang_getArraySize(canonical) : 1;
    CXType target = canonical.kind == CXType_Pointer ? clang_getPointeeType(canonical)
                                                     : clang_getArrayElementType(canonical);
    if (target.kind == CXType_Invalid || !is_settable(target)) {
        str_addf(&s->body, "    (void)%s;\n", name);
        if (clang_getCanonicalType(target).kind == CXType_Void &&
            !clang_isConstQualifiedType(target))
            limit_stub(s, arena_printf(arena,
                                       "'%s' has no body: that it may write through the "
                                       "untyped pointer '%s' is not analysed",
                                       s->path, name));
        return;
    }
    str_addf(&s->body, "    if (%s) {\n", name);
    for (long long i = 0; i < length; i++)
        set_all(s, target, arena_printf(arena, "%s[%lld]", name, i),
                length == 1 ? arena_printf(arena, "%s::*%s", s->path, name)
                            : arena_printf(arena, "%s::%s[%lld]", s->path, name, i));
    str_add(&s->body, "    }\n");
    if (canonical.kind == CXType_Pointer)
        limit_stub(s, arena_printf(arena,
                                   "'%s' has no body: it writes any value to what '%s' "
                                   "points to, one element",
                                   s->path, name));
}

/* A pointer that the stub returns points to an object of its own. */
static void return_pointer(struct stub *s, CXType result) {
    CXType target = clang_getPointeeType(clang_getCanonicalType(result));
    const char *name = arena_printf(&s->in->arena, "gk_result_of_%s", s->name);
    if (clang_getCanonicalType(target).kind == CXType_Void || clang_Type_getSizeOf(target) <= 0) {
        limit_stub(s, arena_printf(&s->in->arena,
                                   "'%s' has no body: it always returns a null pointer", s->path));
        str_add(&s->body, "    return 0;\n");
        return;
    }
    limit_stub(s, arena_printf(&s->in->arena,
                               "'%s' has no body: it returns the address of an object of its own",
                               s->path));
    type_declare(target, name, &s->in->type_names, s->in->out);
    str_add(s->in->out, ";\n");
    vec_push(&s->in->regions, name);
    set_all(s, clang_getUnqualifiedType(target), name,
            arena_printf(&s->in->arena, "*%s()", s->path));
    str_addf(&s->body, "    return &%s;\n", name);
}

static void write_return(struct stub *s) {
    CXType result = clang_getCanonicalType(clang_getResultType(s->type));
    if (result.kind == CXType_Void)
        return;
    if (result.kind == CXType_Pointer) {
        return_pointer(s, clang_getResultType(s->type));
        return;
    }
    struct str declaration = {0};
    type_declare(clang_getResultType(s->type), "gk_result", &s->in->type_names, &declaration);
    str_addf(&s->body, "    %s;\n", str_text(&declaration));
    str_free(&declaration);
    set_all(s, clang_getUnqualifiedType(result), "gk_result",
            arena_printf(&s->in->arena, "%s()", s->path));
    str_add(&s->body, "    return gk_result;\n");
}

static void write_head(struct stub *s, int n) {
    struct str head = {0};
    str_addf(&head, "%s(", s->name);
    for (int i = 0; i < n; i++) {
        str_add(&head, i ? ", " : "");
        type_declare(parameter_type(s, (unsigned)i), parameter_name(s, (unsigned)i),
                     &s->in->type_names, &head);
    }
    if (clang_isFunctionTypeVariadic(s->type) && n > 0)
        str_add(&head, ", ...");
    str_add(&head, n == 0 && s->type.kind != CXType_FunctionNoProto ? "void)" : ")");
    type_declare(clang_getResultType(s->type), str_text(&head), &s->in->type_names, s->in->out);
    str_add(s->in->out, " {\n");
    str_free(&head);
}

static void write_stub(struct stub *s) {
    s->type = clang_getCanonicalType(s->type);
    int n = clang_getNumArgTypes(s->type);
    size_t name_len = strlen(s->name);
    bool ends = is_one_of(s->name, name_len, endings, sizeof endings / sizeof *endings);
    for (int i = 0; i < n; i++)
        write_through(s, (unsigned)i);
    if (ends)
        str_add(&s->body, "    gk_assume(0);\n    for (;;) {\n    }\n");
    else
        write_return(s);
    write_head(s, n < 0 ? 0 : n);
    str_addf(s->in->out, "%s}\n", str_text(&s->body));
    str_free(&s->body);
}

void stubs_write_pointer(struct interface *in, const struct made_pointer *made, const char *name) {
    const struct object *o = &in->scan.objects.data[made->object];
    struct stub stub = {.in = in, .name = name, .type = made->function, .unit = o->unit};
    stub.path = interface_path(in, o, made->path);
    stub.decl = clang_getNullCursor();
    stub.offset = unit_offset(&in->units[o->unit], clang_getCursorLocation(o->decl));
    str_add(in->out, "static ");
    write_stub(&stub);
}

static bool is_needed(const struct routine *f) {
    return !f->has_body && (f->called || f->object != NOTHING) && !stubs_is_library(f->name) &&
           !str_starts(f->name, "gk_");
}

void stubs_write(struct interface *in) {
    for (size_t i = 0; i < in->scan.functions.len; i++) {
        const struct routine *f = &in->scan.functions.data[i];
        if (!is_needed(f))
            continue;
        struct stub stub = {.in = in, .name = f->name, .path = f->name, .unit = f->unit};
        stub.type = clang_getCursorType(f->decl);
        stub.decl = f->decl;
        stub.offset = unit_offset(&in->units[f->unit], clang_getCursorLocation(f->decl));
        limit_stub(&stub,
                   arena_printf(&in->arena, "'%s' has no body: it returns any value", f->name));
        write_stub(&stub);
    }
}
