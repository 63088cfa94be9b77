/* Where the module is entered, and the objects that its environment hands to it. */
#include "instrument/inputs/interface_parts.h"

#include "base/nearest.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>

enum {
    DEEPEST_CHAIN = 3, /* objects behind pointers in objects behind pointers … */
    LONGEST_ARRAY = LAYOUT_LIMIT,
};

/* Functions that nobody in the module calls. */
static void list_candidates(const struct interface *in, struct str *list) {
    for (size_t i = 0; i < in->scan.functions.len; i++) {
        const struct routine *f = &in->scan.functions.data[i];
        if (!f->has_body || f->called || f->is_static || f->object != NOTHING ||
            !unit_owns(&in->units[f->unit], f->decl))
            continue;
        str_addf(list, "%s%s", list->len ? ", " : "", f->name);
    }
}

static bool no_function(const struct interface *in, const char *what, const char *name,
                        struct err *err) {
    if (!name)
        err_set(err, ERR_USAGE, "no %s function is named", what);
    else if (scan_function(&in->scan, name) == NOTHING)
        err_set(err, ERR_USAGE, "there is no function '%s' in the sources", name);
    else
        err_set(err, ERR_USAGE,
                "the %s function '%s' is declared, but the sources do not define it", what, name);
    if (in->project->file[0])
        err_at(err, in->project->file, 0, 0);
    struct str list = {0};
    list_candidates(in, &list);
    if (list.len)
        err_remedy(err, "functions that no other function calls: %s", str_text(&list));
    else
        err_remedy(err, "add the source that defines it to \"sources\"");
    str_free(&list);
    return false;
}

static bool has_id(const struct ids *ids, uint32_t id) {
    for (size_t i = 0; i < ids->len; i++)
        if (ids->data[i] == id)
            return true;
    return false;
}

static bool interface_err_project(const struct interface *in, struct err *err) {
    if (in->project->file[0])
        err_at(err, in->project->file, 0, 0);
    return false;
}

bool interface_find_entries(struct interface *in, struct err *err) {
    const struct project *project = in->project;
    in->step = project->step ? scan_function(&in->scan, project->step) : NOTHING;
    if (in->step == NOTHING || !in->scan.functions.data[in->step].has_body)
        return no_function(in, "step", project->step, err);
    for (size_t i = 0; i < project->init.len; i++) {
        uint32_t id = scan_function(&in->scan, project->init.data[i]);
        if (id == NOTHING || !in->scan.functions.data[id].has_body)
            return no_function(in, "init", project->init.data[i], err);
        if (id == in->step) {
            err_set(err, ERR_USAGE, "'%s' is named both as step function and as init function",
                    project->step);
            return interface_err_project(in, err);
        }
        if (!has_id(&in->init, id))
            vec_push(&in->init, id);
    }
    return true;
}

/* "path[12]…" gives 13. */
static uint32_t index_after(const char *name, const char *path) {
    size_t len = strlen(path);
    if (strncmp(name, path, len) != 0 || name[len] != '[' || !isdigit((unsigned char)name[len + 1]))
        return 0;
    unsigned long index = strtoul(name + len + 1, NULL, 10);
    return index < LONGEST_ARRAY ? (uint32_t)index + 1 : 0;
}

uint32_t interface_named_length(const struct interface *in, const char *path) {
    uint32_t longest = 0;
    for (size_t i = 0; i < in->project->vars.len; i++) {
        uint32_t length = index_after(in->project->vars.data[i].name, path);
        longest = length > longest ? length : longest;
    }
    return longest;
}

static bool is_global_name(const struct interface *in, const char *name) {
    for (size_t i = 0; i < in->scan.objects.len; i++) {
        const struct object *o = &in->scan.objects.data[i];
        if (o->kind != OBJECT_LOCAL && o->kind != OBJECT_FUNCTION && o->used &&
            str_same(o->path, name))
            return true;
    }
    return false;
}

/* A name for an object of the harness; the number keeps it unique. */
static const char *made_name(struct interface *in, const char *path) {
    struct str name = {0};
    str_addf(&name, "gk_arg%zu_", in->scan.objects.len);
    for (const char *p = path; *p; p++)
        if (isalnum((unsigned char)*p) || *p == '_')
            str_addc(&name, *p);
    const char *copy = arena_strdup(&in->arena, str_text(&name));
    str_free(&name);
    return copy;
}

static uint32_t make_object(struct interface *in, const char *path, CXType type, uint32_t length,
                            CXCursor decl, uint32_t unit) {
    assert(length <= LONGEST_ARRAY && unit < in->n_units);
    struct object object = {.kind = OBJECT_ARGUMENT, .name = path, .path = path, .unit = unit};
    object.function = NOTHING;
    object.decl = decl;
    object.type = type;
    object.defined = object.used = true;
    object.open_length = length;
    object.c_name = made_name(in, path);
    const char *key = arena_printf(&in->arena, "A:%zu", in->scan.objects.len);
    return scan_new_object(&in->scan, key, &object);
}

static void limit_decl(struct interface *in, uint32_t unit, CXCursor decl, const char *function,
                       const char *text) {
    size_t offset = unit_offset(&in->units[unit], clang_getCursorLocation(decl));
    limit_at(in->goals, &in->units[unit], offset, function, "%s", text);
}

/* What a parameter or pointer of this type points to; the length of an array parameter. */
static CXType pointee_of(CXType type, uint32_t *length) {
    CXType canonical = clang_getCanonicalType(type);
    *length = 0;
    if (canonical.kind == CXType_ConstantArray)
        *length = (uint32_t)clang_getArraySize(canonical);
    if (canonical.kind == CXType_ConstantArray || canonical.kind == CXType_IncompleteArray)
        return clang_getArrayElementType(type.kind == canonical.kind ? type : canonical);
    CXType pointee = clang_getPointeeType(type);
    return pointee.kind == CXType_Invalid ? clang_getPointeeType(canonical) : pointee;
}

static bool is_function_type(CXType type) {
    enum CXTypeKind kind = clang_getCanonicalType(type).kind;
    return kind == CXType_FunctionProto || kind == CXType_FunctionNoProto;
}

static bool is_complete(CXType type) {
    return clang_getCanonicalType(type).kind != CXType_Void && clang_Type_getSizeOf(type) > 0;
}

/* Init functions get the instance that the step gets: the one of the same name and type, or the
 * only one of the type. */
static uint32_t shared_object(const struct interface *in, const char *name, CXType type) {
    CXType wanted = clang_getCanonicalType(clang_getUnqualifiedType(type));
    uint32_t found = NOTHING;
    size_t n = 0;
    for (size_t i = 0; i < in->arguments.len; i++) {
        const struct argument *a = &in->arguments.data[i];
        if (a->by_value || a->object == NOTHING)
            continue;
        const struct object *o = &in->scan.objects.data[a->object];
        CXType have = clang_getCanonicalType(clang_getUnqualifiedType(o->type));
        if (!clang_equalTypes(have, wanted))
            continue;
        if (str_same(o->name, name))
            return a->object;
        n += found != a->object;
        found = a->object;
    }
    return n == 1 ? found : NOTHING;
}

static const char *argument_path(struct interface *in, const struct routine *f, CXCursor param,
                                 uint32_t index) {
    const char *name = cursor_name(param, &in->arena);
    if (!name[0])
        name = arena_printf(&in->arena, "argument%u", index + 1);
    bool taken = is_global_name(in, name);
    return taken ? arena_printf(&in->arena, "%s::%s", f->name, name) : name;
}

static void make_argument(struct interface *in, uint32_t function, uint32_t index) {
    assert(index < in->scan.functions.data[function].params.len);
    const struct routine *f = &in->scan.functions.data[function];
    CXCursor param = clang_Cursor_getArgument(f->decl, index);
    uint32_t local = f->params.data[index], unit = f->unit, length;
    struct argument a = {.function = function, .index = index, .object = NOTHING};
    a.type = clang_getCursorType(param);
    const char *path = argument_path(in, f, param, index);
    enum CXTypeKind kind = clang_getCanonicalType(a.type).kind;
    a.by_value =
        kind != CXType_Pointer && kind != CXType_ConstantArray && kind != CXType_IncompleteArray;
    CXType pointee = a.by_value ? a.type : pointee_of(a.type, &length);
    if (a.by_value) {
        a.object = make_object(in, path, a.type, 0, param, unit);
        in->scan.objects.data[a.object].by_value = true;
        scan_add_flow(&in->scan, FLOW_GET, scan_content(&in->scan, local, ""), a.object, 0);
    } else if (is_function_type(pointee) || !is_complete(pointee)) {
        limit_decl(in, unit, param, f->name,
                   "this pointer is always null: nothing is known about what it points to");
    } else {
        uint32_t named = interface_named_length(in, path);
        length = named > length ? named : length;
        a.object = function == in->step ? NOTHING : shared_object(in, path, pointee);
        if (a.object == NOTHING)
            a.object = make_object(in, path, pointee, length, param, unit);
        scan_points_to(&in->scan, scan_content(&in->scan, local, ""), a.object,
                       in->scan.objects.data[a.object].open_length ? "[]" : "");
    }
    vec_push(&in->arguments, a);
}

static void make_arguments_of(struct interface *in, uint32_t function) {
    size_t n = in->scan.functions.data[function].params.len;
    for (uint32_t i = 0; i < n; i++)
        make_argument(in, function, i);
}

bool interface_make_arguments(struct interface *in, struct err *err) {
    for (size_t i = 0; i < in->scan.objects.len; i++) {
        struct object *o = &in->scan.objects.data[i];
        if (o->kind != OBJECT_GLOBAL || o->initialised ||
            clang_getCanonicalType(o->type).kind != CXType_IncompleteArray)
            continue;
        o->open_length = interface_named_length(in, o->path);
    }
    const struct routine *step = &in->scan.functions.data[in->step];
    if (clang_Cursor_isVariadic(step->decl)) {
        err_set(err, ERR_USAGE, "the step function '%s' takes a variable number of arguments",
                step->name);
        return err_remedy(err, "name a function that calls it with fixed arguments");
    }
    make_arguments_of(in, in->step);
    for (size_t i = 0; i < in->init.len; i++)
        make_arguments_of(in, in->init.data[i]);
    return true;
}

/* The environment may have set the pointers in this object. */
static bool comes_from_outside(const struct object *o) {
    if (o->kind == OBJECT_ARGUMENT)
        return true;
    return o->kind == OBJECT_GLOBAL && o->used && !o->initialised;
}

static unsigned chain_length(const char *path) {
    unsigned n = 0;
    for (const char *p = strstr(path, "->"); p; p = strstr(p + 2, "->"))
        n++;
    return n;
}

static bool is_made(const struct interface *in, uint32_t object, const char *path) {
    for (size_t i = 0; i < in->made.len; i++)
        if (in->made.data[i].object == object && str_same(in->made.data[i].path, path))
            return true;
    return false;
}

static void make_pointee(struct interface *in, uint32_t id, const struct leaf *leaf) {
    assert(leaf->scalar.type == TYPE_POINTER && !is_made(in, id, leaf->path));
    const struct object *o = &in->scan.objects.data[id];
    struct made_pointer made = {.object = id, .path = leaf->path, .target = NOTHING};
    const char *path = interface_path(in, o, leaf->path);
    CXCursor decl = o->decl;
    uint32_t unit = o->unit, length = interface_named_length(in, path);
    CXType pointee = clang_getPointeeType(leaf->type);
    struct str text = {0};
    if (is_function_type(pointee)) {
        made.function = pointee;
        str_addf(&text,
                 "the function that '%s' points to is unknown: it is null or returns any value",
                 path);
    } else if (!is_complete(pointee) || chain_length(path) >= DEEPEST_CHAIN) {
        str_addf(&text, "'%s' is always null: nothing is known about what it points to", path);
    } else {
        bool calibration = o->calibration || (o->kind == OBJECT_GLOBAL && leaf->is_const);
        made.target = make_object(in, path, pointee, length, decl, unit);
        in->scan.objects.data[made.target].calibration =
            calibration && clang_isConstQualifiedType(clang_getCanonicalType(pointee));
        uint32_t node = scan_content(&in->scan, id, leaf->pattern);
        scan_points_to(&in->scan, node, made.target, length ? "[]" : "");
        str_addf(&text, "'%s' is set outside the sources: it points to an object of its own", path);
    }
    limit_decl(in, unit, decl, NULL, str_text(&text));
    str_free(&text);
    vec_push(&in->made, made);
}

static bool make_pointees_of(struct interface *in, uint32_t id) {
    struct object object = in->scan.objects.data[id];
    struct layout layout = {0};
    bool changed = false;
    interface_layout(in, &object, &layout);
    for (size_t i = 0; i < layout.leaves.len; i++) {
        const struct leaf *leaf = &layout.leaves.data[i];
        if (leaf->scalar.type != TYPE_POINTER || is_made(in, id, leaf->path))
            continue;
        unsigned touch = scan_touch(&in->scan, id, leaf->pattern);
        if (!(touch & (STEP_READS | INIT_READS)) || (touch & (STEP_WRITES | INIT_WRITES)))
            continue;
        make_pointee(in, id, leaf);
        changed = true;
    }
    layout_free(&layout);
    return changed;
}

/* Pointers that are moved or indexed need an array of known length. */
static bool check_lengths(struct interface *in, struct err *err) {
    for (uint32_t i = 0; i < in->scan.objects.len; i++) {
        struct object *o = &in->scan.objects.data[i];
        bool open = o->kind == OBJECT_GLOBAL && o->used && !o->open_length && !o->initialised &&
                    clang_getCanonicalType(o->type).kind == CXType_IncompleteArray;
        bool moved = o->kind == OBJECT_ARGUMENT && !o->by_value && !o->open_length &&
                     scan_is_indexed(&in->scan, i);
        if (!open && !moved)
            continue;
        if (in->guessed_length) {
            o->open_length = in->guessed_length;
            o->guessed_length = true;
            continue;
        }
        struct place place = unit_place_of(&in->units[o->unit], o->decl);
        err_set(err, ERR_USAGE, "the length of the array '%s' is unknown", o->path);
        err_at(err, place.file, place.line, place.col);
        return err_remedy(err,
                          "add the source that defines it, or name its last element in the project "
                          "file: \"inputs\": [{\"name\": \"%s[15]\"}] means 16 elements",
                          o->path);
    }
    return true;
}

bool interface_make_pointees(struct interface *in, struct err *err) {
    assert(in->step < in->scan.functions.len);
    for (bool changed = true; changed;) {
        changed = false;
        scan_flow(&in->scan);
        scan_reach(&in->scan, in->step, &in->init);
        size_t n = in->scan.objects.len;
        for (uint32_t i = 0; i < n; i++)
            if (comes_from_outside(&in->scan.objects.data[i]))
                changed |= make_pointees_of(in, i);
    }
    return check_lengths(in, err);
}
