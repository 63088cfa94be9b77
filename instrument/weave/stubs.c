/* A stub is written from its prototype: each scalar that it can reach through its parameters
 * becomes an input. Calls whose arguments tell more get a clone of their own. */
#include "instrument/weave/stubs.h"

#include "instrument/inputs/foreign.h"
#include "instrument/weave/harness.h"
#include "instrument/syntax/float_modes.h"
#include "instrument/weave/hoist.h"

#include <assert.h>

enum { LONGEST_WRITE = 256 }; /* elements that one call of a stub sets */

/* What a stub knows of one parameter. */
struct stub_param {
    const char *name;
    CXType type;
    CXType target;       /* what it writes through a pointer: kind CXType_Invalid for nothing */
    uint32_t length;     /* elements of it */
    bool cast;           /* the parameter points to something else: void, a byte */
    bool const_elements; /* the parameter is written as an array of constants */
};

struct stub {
    struct interface *in;
    const char *name, *path; /* in the text; for people */
    CXType type;
    uint32_t unit;
    bool pointer;  /* reached through a pointer only */
    bool system;   /* a system header declares it: the C library has it, perhaps */
    size_t offset; /* for limitations */
    VEC(struct stub_param) params;
    struct str body;
    struct str plain;  /* the same for the fixture: in the words of the sources */
    struct str object; /* what it returns the address of, in these words */
};

/* Text that is the same in both. */
static void add_both(struct stub *s, const char *text) {
    str_add(&s->body, text);
    str_add(&s->plain, text);
}

static void limit_stub(struct stub *s, const char *text) {
    limit_at(s->in->goals, &s->in->units[s->unit], s->offset, NULL, "%s", text);
}

/* One scalar that the stub sets: target = any value. */
static void set_scalar(struct stub *s, const struct leaf *leaf, const char *target,
                       const char *path) {
    assert(leaf->scalar.type != TYPE_POINTER);
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
    uint32_t id = interface_add_input(in, &var);
    harness_input(in, id, target, "    ", &s->body);
    str_addf(&s->plain, "    %s = gk_next_%s(%uU);\n", target,
             scalar_suffix(scalar_carrier(leaf->scalar)), id);
}

/* Everything below an lvalue; pointers and what is const stay. */
static void set_all(struct stub *s, CXType type, const char *target, const char *path) {
    struct layout layout = {0};
    struct interface *in = s->in;
    cell_layout_of(type, 0, &in->arena, &layout);
    for (size_t i = 0; i < layout.leaves.len; i++) {
        const struct leaf *leaf = &layout.leaves.data[i];
        if (leaf->scalar.type == TYPE_POINTER || leaf->is_const)
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

static bool is_void(CXType type) {
    return clang_getCanonicalType(type).kind == CXType_Void;
}

/* What a parameter says about what it points to, without looking at any call. */
static void declared_target(struct stub_param *param) {
    CXType canonical = clang_getCanonicalType(param->type);
    param->length = 1;
    if (canonical.kind == CXType_ConstantArray)
        param->length = (uint32_t)clang_getArraySize(canonical);
    param->target = canonical.kind == CXType_Pointer ? clang_getPointeeType(canonical)
                                                     : clang_getArrayElementType(canonical);
}

/* The canonical type of an array has the qualifiers of its elements, which know nothing of them:
 * what an array parameter points to is asked of the pointer that is passed. */
static void fix_array(struct stub_param *param, CXType passed) {
    CXType canonical = clang_getCanonicalType(passed);
    if (canonical.kind != CXType_Pointer ||
        clang_getCanonicalType(param->type).kind == CXType_Pointer)
        return;
    param->target = clang_getPointeeType(canonical);
    param->const_elements = clang_isConstQualifiedType(param->target);
    if (param->const_elements && clang_getCanonicalType(param->target).kind == CXType_Pointer)
        param->type = passed; /* `*const v[]`: const stands inside */
}

static void add_param(struct stub *s, CXType type, CXCursor decl) {
    struct stub_param param = {.name = "", .type = type};
    if (!clang_Cursor_isNull(decl))
        param.name = cursor_name(decl, &s->in->arena);
    if (!param.name[0])
        param.name = arena_printf(&s->in->arena, "gk_argument%zu", s->params.len + 1);
    declared_target(&param);
    vec_push(&s->params, param);
}

/* `decl` gives names to the parameters; it may be the null cursor. */
static void add_params(struct stub *s, CXCursor decl) {
    int n = clang_getNumArgTypes(s->type);
    for (int i = 0; i < n; i++) {
        CXCursor param = clang_Cursor_isNull(decl) ? clang_getNullCursor()
                                                   : clang_Cursor_getArgument(decl, (unsigned)i);
        CXType passed = clang_getArgType(s->type, (unsigned)i);
        add_param(s, clang_Cursor_isNull(param) ? passed : clang_getCursorType(param), param);
        fix_array(&vec_last(&s->params), passed);
    }
}

static void limit_target(struct stub *s, const struct stub_param *param) {
    struct arena *arena = &s->in->arena;
    if (is_void(param->target) && !clang_isConstQualifiedType(param->target))
        limit_stub(s, arena_printf(arena,
                                   "'%s' has no body: what it may write through the untyped "
                                   "pointer '%s' is not analysed",
                                   s->path, param->name));
}

/* *p = any value, for each element. */
static void write_through(struct stub *s, const struct stub_param *param) {
    struct arena *arena = &s->in->arena;
    const char *pointer = param->name;
    if (param->target.kind == CXType_Invalid || !is_settable(param->target)) {
        add_both(s, arena_printf(arena, "    (void)%s;\n", param->name));
        limit_target(s, param);
        return;
    }
    add_both(s, arena_printf(arena, "    if (%s) {\n", param->name));
    if (param->cast) {
        pointer = arena_printf(arena, "gk_%s", param->name);
        const char *name = arena_printf(arena, "(*%s)", pointer);
        add_both(s, "    ");
        type_declare(param->target, name, &s->in->type_names, &s->body);
        type_declare(param->target, name, &(struct type_names){NULL, NULL}, &s->plain);
        add_both(s, arena_printf(arena, " = (void *)%s;\n", param->name));
    }
    for (uint32_t i = 0; i < param->length; i++)
        set_all(s, param->target, arena_printf(arena, "%s[%u]", pointer, i),
                param->length == 1 ? arena_printf(arena, "%s::*%s", s->path, param->name)
                                   : arena_printf(arena, "%s::%s[%u]", s->path, param->name, i));
    add_both(s, "    }\n");
}

/* A pointer that the stub returns points to an object of its own. */
static void return_pointer(struct stub *s, CXType result) {
    CXType target = clang_getPointeeType(clang_getCanonicalType(result));
    const char *name = arena_printf(&s->in->arena, "gk_result_of_%s", s->name);
    if (clang_getCanonicalType(target).kind == CXType_Void || clang_Type_getSizeOf(target) <= 0) {
        limit_stub(s, arena_printf(&s->in->arena,
                                   "'%s' has no body: it always returns a null pointer", s->path));
        add_both(s, "    return 0;\n");
        return;
    }
    limit_stub(s, arena_printf(&s->in->arena,
                               "'%s' has no body: it returns the address of an object of its own",
                               s->path));
    type_declare(target, name, &s->in->type_names, s->in->out);
    str_add(s->in->out, ";\n");
    str_add(&s->object, "static ");
    type_declare(target, name, &(struct type_names){NULL, NULL}, &s->object);
    str_add(&s->object, ";\n");
    vec_push(&s->in->regions, name);
    set_all(s, clang_getUnqualifiedType(target), name,
            arena_printf(&s->in->arena, "*%s()", s->path));
    add_both(s, arena_printf(&s->in->arena, "    return &%s;\n", name));
}

static void write_return(struct stub *s) {
    CXType result = clang_getCanonicalType(clang_getResultType(s->type));
    if (result.kind == CXType_Void)
        return;
    if (result.kind == CXType_Pointer) {
        return_pointer(s, clang_getResultType(s->type));
        return;
    }
    add_both(s, "    ");
    type_declare(clang_getResultType(s->type), "gk_result", &s->in->type_names, &s->body);
    type_declare(clang_getResultType(s->type), "gk_result", &(struct type_names){NULL, NULL},
                 &s->plain);
    add_both(s, ";\n");
    set_all(s, clang_getUnqualifiedType(result), "gk_result",
            arena_printf(&s->in->arena, "%s()", s->path));
    add_both(s, "    return gk_result;\n");
}

static void head_named(const struct stub *s, const char *name, const struct type_names *types,
                       struct str *text) {
    struct str head = {0};
    str_addf(&head, "%s(", name);
    for (size_t i = 0; i < s->params.len; i++) {
        const struct stub_param *param = &s->params.data[i];
        str_add(&head, i ? ", " : "");
        if (param->const_elements && clang_getCanonicalType(param->type).kind != CXType_Pointer)
            str_add(&head, "const ");
        type_declare(param->type, param->name, types, &head);
    }
    if (clang_isFunctionTypeVariadic(s->type) && s->params.len > 0)
        str_add(&head, ", ...");
    str_add(&head, s->params.len == 0 ? "void)" : ")");
    CXType result = clang_getResultType(s->type);
    if (clang_isConstQualifiedType(
            result)) /* `const void f(void);` means nothing, but must agree */
        str_add(text, "const ");
    if (clang_isVolatileQualifiedType(result))
        str_add(text, "volatile ");
    type_declare(result, str_text(&head), types, text);
    str_free(&head);
}

static void stub_head(const struct stub *s, struct str *text) {
    head_named(s, s->name, &s->in->type_names, text);
}

/* For the fixture, where a clone for one call stands under the name of the function. */
static void keep_stub(struct stub *s, uint32_t first_input) {
    struct interface *in = s->in;
    const char *name = s->pointer ? s->name : s->path;
    struct str text = {0};
    str_addf(&text, "%s%s", str_text(&s->object), s->pointer ? "static " : "");
    head_named(s, name, &(struct type_names){NULL, NULL}, &text);
    str_addf(&text, "\n{\n%s}\n", str_text(&s->plain));
    struct stub_text kept = {.name = arena_strdup(&in->arena, name), .unit = s->unit};
    kept.text = arena_strdup(&in->arena, str_text(&text));
    kept.first_input = first_input;
    kept.end_input = (uint32_t)in->module->inputs.len;
    kept.system = s->system;
    vec_push(&in->stub_texts, kept);
    str_free(&text);
}

/* Behind it nobody knows how floats are computed: for the model the rounding mode changes, and no
 * native run gets any further. */
static const char unknown_mode[] = "    extern int fesetround(int);\n    fesetround(-1);\n"
                                   "    gk_assume(0);\n";

/* With GK_ENDS_RETURN it does nothing: what would be behind it? (app/because) */
static const char ending[] = "    gk_assume(0);\n#ifndef GK_ENDS_RETURN\n    for (;;) {\n    }\n"
                             "#endif\n";

static void write_stub(struct stub *s) {
    bool ends = foreign_ends_run(s->path);
    uint32_t first_input = (uint32_t)s->in->module->inputs.len;
    if (float_mode_elsewhere(s->path))
        str_add(&s->body, unknown_mode);
    for (size_t i = 0; i < s->params.len; i++)
        write_through(s, &s->params.data[i]);
    if (ends)
        str_add(&s->body, ending);
    else
        write_return(s);
    stub_head(s, s->in->out);
    str_addf(s->in->out, " {\n%s}\n", str_text(&s->body));
    if (!ends)
        keep_stub(s, first_input);
    str_free(&s->body);
    str_free(&s->plain);
    str_free(&s->object);
}

static void stub_free(struct stub *s) {
    vec_free(&s->params);
}

void stubs_write_pointer(struct interface *in, const struct made_pointer *made, const char *name) {
    const struct object *o = &in->scan.objects.data[made->object];
    struct stub stub = {.in = in, .name = name, .unit = o->unit, .pointer = true};
    stub.type = clang_getCanonicalType(made->function);
    stub.path = interface_path(in, o, made->path);
    stub.offset = unit_offset(&in->units[o->unit], clang_getCursorLocation(o->decl));
    add_params(&stub, clang_getNullCursor());
    str_add(in->out, "static ");
    write_stub(&stub);
    stub_free(&stub);
}

/* ---- one function ---- */

static void stub_of(struct interface *in, const struct routine *f, struct stub *stub) {
    *stub = (struct stub){.in = in, .name = f->c_name, .path = f->name, .unit = f->unit};
    stub->type = clang_getCanonicalType(clang_getCursorType(f->decl));
    stub->system = f->declared && !unit_owns(&in->units[f->unit], f->decl);
    stub->offset = unit_offset(&in->units[f->unit], clang_getCursorLocation(f->decl));
    add_params(stub, f->declared ? f->decl : clang_getNullCursor());
}

/* A function without a prototype takes what its first call gives it. */
static void params_of_call(struct stub *stub, const struct call *call) {
    int n = clang_Cursor_getNumArguments(call->cursor);
    for (int i = 0; i < n; i++)
        add_param(stub, clang_getCursorType(clang_Cursor_getArgument(call->cursor, (unsigned)i)),
                  clang_getNullCursor());
}

static CXCursor bare(CXCursor cursor) {
    while (cursor.kind == CXCursor_UnexposedExpr || cursor.kind == CXCursor_ParenExpr ||
           cursor.kind == CXCursor_CStyleCastExpr) {
        struct cursors children = {0};
        cursor_children(cursor, &children);
        CXCursor last = children.len ? vec_last(&children) : clang_getNullCursor();
        vec_free(&children);
        if (clang_Cursor_isNull(last))
            break;
        cursor = last;
    }
    return cursor;
}

/* What an argument is known to point to: `&x`, or a whole array. */
static bool argument_target(CXCursor argument, CXType *target, uint32_t *length) {
    CXCursor expression = bare(argument);
    CXType type = clang_getCursorType(expression), canonical = clang_getCanonicalType(type);
    bool parameter = expression.kind == CXCursor_DeclRefExpr &&
                     clang_getCursorReferenced(expression).kind == CXCursor_ParmDecl;
    if (canonical.kind == CXType_ConstantArray && !parameter &&
        expression.kind != CXCursor_StringLiteral) {
        *target = clang_getArrayElementType(canonical);
        *length = (uint32_t)clang_getArraySize(canonical);
        return *length > 0 && *length <= LONGEST_WRITE;
    }
    if (expression.kind != CXCursor_UnaryOperator ||
        clang_getCursorUnaryOperatorKind(expression) != CXUnaryOperator_AddrOf)
        return false;
    *target = clang_getPointeeType(canonical);
    *length = 1;
    return target->kind != CXType_Invalid;
}

/* Types that are local to a function have no name where the stub stands. */
static bool has_global_name(CXType type) {
    CXType canonical = clang_getCanonicalType(type);
    while (canonical.kind == CXType_Pointer || canonical.kind == CXType_ConstantArray)
        canonical = clang_getCanonicalType(canonical.kind == CXType_Pointer
                                               ? clang_getPointeeType(canonical)
                                               : clang_getArrayElementType(canonical));
    CXCursor decl = clang_getTypeDeclaration(canonical);
    if (decl.kind == CXCursor_NoDeclFound)
        return true;
    return !clang_Cursor_isAnonymous(decl) &&
           clang_getCursorLexicalParent(decl).kind == CXCursor_TranslationUnit;
}

/* Takes over what the call says about its arguments; true when that is more than the declaration
 * does. */
static bool sharpen(struct stub *stub, const struct call *call) {
    assert(call->callee != NOTHING);
    bool sharper = false;
    for (size_t i = 0; i < stub->params.len; i++) {
        struct stub_param *param = &stub->params.data[i];
        CXType target;
        uint32_t length;
        bool writes = param->target.kind != CXType_Invalid &&
                      !clang_isConstQualifiedType(param->target) &&
                      (is_void(param->target) || is_settable(param->target));
        CXCursor argument = clang_Cursor_getArgument(call->cursor, (unsigned)i);
        if (!writes || clang_Cursor_isNull(argument) ||
            !argument_target(argument, &target, &length) || !has_global_name(target) ||
            !is_settable(target))
            continue;
        bool same =
            clang_equalTypes(clang_getCanonicalType(target), clang_getCanonicalType(param->target));
        if (same && length <= param->length)
            continue;
        param->target = target;
        param->length = length;
        param->cast = !same;
        sharper = true;
    }
    return sharper;
}

/* Before the function that holds the call, where the types of the arguments are known; in front of
 * everything for a library function, which needs none, and for a call outside of functions. */
static void write_prototype(struct interface *in, const struct stub *stub,
                            const struct call *call) {
    struct str prototype = {0};
    stub_head(stub, &prototype);
    str_add(&prototype, ";\n");
    if (call && call->caller != NOTHING) {
        const struct unit *unit = &in->units[call->unit];
        struct span function = unit_span(unit, in->scan.functions.data[call->caller].decl);
        edits_open(&in->edits[call->unit], before_function(unit, function.begin), function.end,
                   str_text(&prototype));
    } else {
        str_add(&in->front, str_text(&prototype));
    }
    str_free(&prototype);
}

/* A stub of its own for this call: it knows how much may be written. */
static void write_clone(struct interface *in, const struct call *call, struct stub *stub) {
    assert(call->caller != NOTHING && call->callee != NOTHING);
    const struct unit *unit = &in->units[call->unit];
    struct cursors children = {0};
    stub->name = arena_printf(&in->arena, "gk_stub%zu_%s", in->stubs++, stub->path);
    cursor_children(call->cursor, &children);
    struct span callee = unit_span(unit, bare(children.data[0]));
    vec_free(&children);
    edits_replace(&in->edits[call->unit], callee.begin, callee.end, stub->name);
    write_prototype(in, stub, call);
    write_stub(stub);
}

static void note_plain_pointers(struct stub *stub) {
    for (size_t i = 0; i < stub->params.len; i++) {
        const struct stub_param *param = &stub->params.data[i];
        if (clang_getCanonicalType(param->type).kind == CXType_Pointer &&
            is_settable(param->target))
            limit_stub(stub, arena_printf(&stub->in->arena,
                                          "'%s' has no body: of what '%s' points to it writes one "
                                          "element, where a call does not show a whole array",
                                          stub->path, param->name));
    }
}

/* The calls of one function; false: some of them needs the plain stub. */
static bool clone_calls(struct interface *in, uint32_t function) {
    const struct routine *f = &in->scan.functions.data[function];
    bool all = f->object == NOTHING;
    for (size_t i = 0; i < in->scan.calls.len; i++) {
        const struct call *call = &in->scan.calls.data[i];
        if (call->callee != function)
            continue;
        struct stub stub;
        stub_of(in, f, &stub);
        if (call->caller != NOTHING && sharpen(&stub, call))
            write_clone(in, call, &stub);
        else
            all = false;
        stub_free(&stub);
    }
    return all;
}

static const struct call *first_call(const struct interface *in, uint32_t function) {
    for (size_t i = 0; i < in->scan.calls.len; i++)
        if (in->scan.calls.data[i].callee == function)
            return &in->scan.calls.data[i];
    return NULL;
}

static void write_plain(struct interface *in, uint32_t function) {
    assert(!in->scan.functions.data[function].has_body);
    const struct routine *f = &in->scan.functions.data[function];
    const struct call *call = first_call(in, function);
    struct stub stub;
    stub_of(in, f, &stub);
    if (!f->declared && call && stub.type.kind == CXType_FunctionNoProto)
        params_of_call(&stub, call);
    if (!f->declared)
        write_prototype(in, &stub, call);
    note_plain_pointers(&stub);
    write_stub(&stub);
    stub_free(&stub);
}

static void note_stub(struct interface *in, const struct routine *f) {
    limit_at(in->goals, &in->units[f->unit],
             unit_offset(&in->units[f->unit], clang_getCursorLocation(f->decl)), NULL,
             "'%s' has no body%s: %s", f->name, f->declared ? "" : " and no declaration",
             foreign_ends_run(f->name) ? "the run ends there" : "it returns any value");
}

static enum CXVisitorResult visit_field(CXCursor field, CXClientData data) {
    enum CXTypeKind kind = clang_getCanonicalType(clang_getCursorType(field)).kind;
    bool *found = data;
    *found = kind == CXType_Pointer;
    return *found ? CXVisit_Break : CXVisit_Continue;
}

/* A stub writes what its arguments point to, and goes no further. */
static void note_beyond(struct interface *in, const struct routine *f) {
    CXType type = clang_getCanonicalType(clang_getCursorType(f->decl));
    size_t offset = unit_offset(&in->units[f->unit], clang_getCursorLocation(f->decl));
    for (int i = 0; i < clang_getNumArgTypes(type); i++) {
        CXType target = clang_getCanonicalType(
            clang_getPointeeType(clang_getCanonicalType(clang_getArgType(type, (unsigned)i))));
        bool calls = target.kind == CXType_FunctionProto || target.kind == CXType_FunctionNoProto;
        bool leads = target.kind == CXType_Pointer;
        if (target.kind == CXType_Record)
            clang_Type_visitFields(target, visit_field, &leads);
        if (calls || leads)
            limit_at(in->goals, &in->units[f->unit], offset, NULL,
                     "'%s' has no body: it is taken not to %s its parameter %d%s", f->name,
                     calls ? "call" : "follow the pointers behind", i + 1,
                     calls ? "" : ", neither to write nor to call");
    }
}

/* Library functions that are called without a declaration get the one that clang knows. */
static void declare_library(struct interface *in, const struct routine *f) {
    struct stub stub;
    if (f->declared || !f->called || foreign_is_builtin(f->name))
        return;
    stub_of(in, f, &stub);
    write_prototype(in, &stub, NULL);
    stub_free(&stub);
}

void stubs_write(struct interface *in) {
    for (uint32_t i = 0; i < in->scan.functions.len; i++) {
        const struct routine *f = &in->scan.functions.data[i];
        if (!f->has_body && foreign_is_library(f->name))
            declare_library(in, f);
        if (!foreign_needs_stub(f))
            continue;
        note_stub(in, f);
        note_beyond(in, f);
        if (!clone_calls(in, i))
            write_plain(in, i);
    }
}
