/* Inputs and parameters with their ranges, from the roles that the interface found. */
#include "instrument/inputs/guess_parts.h"
#include "instrument/inputs/foreign.h"

#include <assert.h>
#include <math.h>
#include <strings.h>

static const struct object *object_of(const struct interface *in, const struct cell *cell) {
    return &in->scan.objects.data[cell->object];
}

static CXType element_of(CXType type) {
    CXType canonical = clang_getCanonicalType(type);
    while (canonical.kind == CXType_ConstantArray || canonical.kind == CXType_IncompleteArray) {
        CXType element = clang_getArrayElementType(type);
        type = element.kind == CXType_Invalid ? clang_getArrayElementType(canonical) : element;
        canonical = clang_getCanonicalType(type);
    }
    return type;
}

/* boolean, Bool, boolean_T: a byte that only holds 0 and 1. */
static bool is_boolean(const struct interface *in, const struct cell *cell) {
    CXType type = clang_Cursor_isNull(cell->leaf.field) ? object_of(in, cell)->type
                                                        : clang_getCursorType(cell->leaf.field);
    CXString spelling = clang_getTypeSpelling(clang_getUnqualifiedType(element_of(type)));
    const char *name = clang_getCString(spelling);
    bool found =
        (cell->leaf.scalar.type == TYPE_UNSIGNED || cell->leaf.scalar.type == TYPE_SIGNED) &&
        strcasestr(name, "bool") != NULL;
    clang_disposeString(spelling);
    return found;
}

static const char *number(struct guess *guess, struct scalar scalar, uint64_t bits) {
    struct str text = {0};
    range_show(scalar, bits, &text);
    const char *copy = arena_strdup(&guess->arena, str_text(&text));
    str_free(&text);
    return strpbrk(copy, "in") ? NULL : copy; /* inf is no number of JSON */
}

static void give_range(struct guess *guess, const struct interface *in, const struct cell *cell,
                       struct guess_var *var, const char *what) {
    assert(var->name && cell->range_from);
    const char *from = cell->range_from;
    if (!cell->range.narrower && is_boolean(in, cell)) {
        var->min = "0";
        var->max = "1";
        var->why = arena_printf(&guess->arena, "%s; range: its type is boolean", what);
        return;
    }
    var->min = number(guess, cell->leaf.scalar, cell->range.min);
    var->max = number(guess, cell->leaf.scalar, cell->range.max);
    if (!str_same(from, "type")) {
        var->why = arena_printf(&guess->arena, "%s; range: %s", what, from);
    } else if (cell->leaf.scalar.type == TYPE_FLOAT) {
        var->any_float = true;
        var->what = what;
        var->why = arena_printf(&guess->arena,
                                "%s; no range found: any value, infinities and NaN included", what);
    } else {
        var->why = arena_printf(&guess->arena, "%s; no range found: that of the type", what);
    }
}

static const char *input_reason(const struct interface *in, const struct cell *cell) {
    if (cell->role == CELL_VOLATILE)
        return "volatile: a new value at every read";
    const struct object *o = object_of(in, cell);
    if (o->kind == OBJECT_ARGUMENT)
        return o->by_value ? "parameter of the step function"
                           : "read through a parameter of the step function and never written";
    if (!o->defined)
        return "declared here, defined elsewhere, read by the step and never written";
    if (cell->touch & INIT_WRITES)
        return "read by the step, written by init functions only";
    return o->initialised ? "read by the step, never written; its initialiser is a first value"
                          : "read by the step, never written, and not initialised";
}

/* "*p" is named "p". */
static const char *name_of(struct guess *guess, const char *path) {
    return arena_strdup(&guess->arena, path[0] == '*' ? path + 1 : path);
}

/* The last element stands for an array whose length the sources do not tell. */
static bool is_left_out(struct guess *guess, const struct interface *in, const struct cell *cell) {
    const struct object *o = object_of(in, cell);
    if (!o->guessed_length)
        return false;
    const char *last = arena_printf(&guess->arena, "%s[%u]", o->path, o->open_length - 1);
    return !str_starts(cell->path, last);
}

static void note_length(struct guess *guess, const struct interface *in) {
    for (size_t i = 0; i < in->scan.objects.len; i++) {
        const struct object *o = &in->scan.objects.data[i];
        if (o->guessed_length)
            vec_push(
                &guess->notes,
                arena_printf(&guess->arena,
                             "the length of '%s' is unknown: %u elements are guessed; correct "
                             "the index of its last element, or add the source that defines it",
                             o->path, o->open_length));
    }
}

/* Elements that differ in their indices only. Where they have the same role and range they are one
 * entry: "Raw", "Door[].Quality". */
struct alike {
    struct intern keys; /* object and pattern */
    VEC(size_t) first;  /* one per key: the cell that stands for all */
    VEC(bool) uniform;
    VEC(uint32_t) key_of; /* one per cell */
};

static bool have_same_range(const struct cell *a, const struct cell *b) {
    return a->role == b->role && a->range.min == b->range.min && a->range.max == b->range.max;
}

static void alike_find(const struct interface *in, struct alike *alike) {
    for (size_t i = 0; i < in->cells.len; i++) {
        const struct cell *cell = &in->cells.data[i];
        struct str key = {0};
        bool indexed = cell->object != NOTHING && cell->leaf.pattern &&
                       strchr(cell->leaf.pattern, '[') && !object_of(in, cell)->guessed_length;
        str_addf(&key, "%u:%d:%s", cell->object, cell->role == CELL_VOLATILE,
                 indexed ? cell->leaf.pattern : cell->path);
        uint32_t id = intern_id(&alike->keys, str_text(&key));
        str_free(&key);
        vec_push(&alike->key_of, id);
        if (id == alike->first.len) {
            vec_push(&alike->first, i);
            vec_push(&alike->uniform, indexed);
        }
        alike->uniform.data[id] &= have_same_range(cell, &in->cells.data[alike->first.data[id]]);
    }
}

static void alike_free(struct alike *alike) {
    intern_free(&alike->keys);
    vec_free(&alike->first);
    vec_free(&alike->uniform);
    vec_free(&alike->key_of);
}

/* "Door[3].Raw[1]" is "Door[].Raw": an array is named without its brackets. */
static const char *name_of_all(struct guess *guess, const char *path) {
    struct str name = {0};
    for (const char *p = path; *p; p++) {
        str_addc(&name, *p);
        if (*p == '[')
            p += strcspn(p, "]") - 1;
    }
    size_t len = name.len;
    while (len > 2 && memcmp(name.data + len - 2, "[]", 2) == 0)
        len -= 2;
    const char *copy = name_of(guess, arena_strndup(&guess->arena, str_text(&name), len));
    str_free(&name);
    return copy;
}

/* NULL: another entry stands for this cell. */
static const char *entry_name(struct guess *guess, const struct alike *alike, size_t cell,
                              const char *path) {
    uint32_t key = alike->key_of.data[cell];
    if (!alike->uniform.data[key])
        return name_of(guess, path);
    return alike->first.data[key] == cell ? name_of_all(guess, path) : NULL;
}

static void add_inputs(struct guess *guess, const struct interface *in, const struct alike *alike) {
    for (size_t i = 0; i < in->cells.len; i++) {
        const struct cell *cell = &in->cells.data[i];
        if (cell->role != CELL_INPUT && cell->role != CELL_VOLATILE)
            continue;
        if (cell->object == NOTHING || strstr(cell->path, "[]"))
            continue; /* a register at a fixed address has no name */
        if (is_left_out(guess, in, cell))
            continue;
        struct guess_var var = {.name = entry_name(guess, alike, i, cell->path)};
        if (!var.name)
            continue;
        give_range(guess, in, cell, &var, input_reason(in, cell));
        vec_push(&guess->vars, var);
    }
}

static bool is_known(const struct guess *guess, const char *name) {
    for (size_t i = 0; i < guess->vars.len; i++)
        if (str_same(guess->vars.data[i].name, name))
            return true;
    return false;
}

/* What keeps its initialiser although somebody could change it from outside; NULL: nothing. */
static const char *fixed_reason(struct guess *guess, const struct interface *in,
                                const struct cell *cell) {
    const struct object *o = object_of(in, cell);
    bool state = cell->role == CELL_STATE || cell->role == CELL_OUTPUT;
    unsigned written = cell->touch & (STEP_WRITES | INIT_WRITES);
    if (!o->defined || cell->leaf.scalar.type == TYPE_POINTER ||
        !(cell->touch & (STEP_READS | INIT_READS)))
        return NULL;
    if (cell->role == CELL_FIXED && cell->leaf.is_const &&
        (o->kind == OBJECT_GLOBAL || (o->kind == OBJECT_FILE_STATIC && cell->leaf.is_volatile)))
        return "const: keeps its initialiser (or \"mode\": \"range\")";
    if (!state || written || !o->initialised)
        return NULL;
    if (o->kind == OBJECT_FILE_STATIC)
        return "static and never written: keeps its initialiser (or \"mode\": \"range\")";
    if (o->kind != OBJECT_GLOBAL)
        return NULL;
    return arena_printf(&guess->arena,
                        "never written, and %s: keeps its initialiser (or \"mode\": \"range\"; or "
                        "name it under \"inputs\")",
                        interface_calibration_sign(in, cell));
}

static const char *open_reason(const struct interface *in, const struct cell *cell) {
    const struct object *o = object_of(in, cell);
    if (o->by_value)
        return "parameter of an init function";
    if (!(cell->touch & STEP_READS) && o->kind == OBJECT_GLOBAL && !cell->leaf.is_const)
        return "read by init functions only, and never written";
    return "calibration data without a value in these sources";
}

/* Constants that a step reads keep their value; what is defined elsewhere may be anything. */
static void add_parameters(struct guess *guess, const struct interface *in,
                           const struct alike *alike) {
    for (size_t i = 0; i < in->cells.len; i++) {
        const struct cell *cell = &in->cells.data[i];
        if (cell->object == NOTHING || is_left_out(guess, in, cell))
            continue;
        const char *path = object_of(in, cell)->path, *fixed = fixed_reason(guess, in, cell);
        struct guess_var var = {.is_parameter = true};
        if (cell->role == CELL_PARAMETER) {
            var.name = entry_name(guess, alike, i, cell->path);
            var.range_mode = true;
            if (var.name)
                give_range(guess, in, cell, &var, open_reason(in, cell));
        } else if (fixed && !is_known(guess, path)) {
            var.name = arena_strdup(&guess->arena, path);
            var.why = fixed;
        }
        if (var.name)
            vec_push(&guess->vars, var);
    }
}

/* What nobody can decide who only sees these sources. */
static void note_stubs(struct guess *guess, const struct interface *in) {
    for (size_t i = 0; i < in->scan.functions.len; i++) {
        const struct routine *f = &in->scan.functions.data[i];
        if (foreign_needs_stub(f))
            vec_push(&guess->notes,
                     arena_printf(&guess->arena,
                                  "'%s' is called and has no body here: it returns any value and "
                                  "changes no variable of the module except through its arguments; "
                                  "add the source that defines it to \"sources\"",
                                  f->name));
    }
}

void guess_vars(struct guess *guess, const struct interface *in) {
    struct alike alike = {0};
    alike_find(in, &alike);
    add_inputs(guess, in, &alike);
    add_parameters(guess, in, &alike);
    alike_free(&alike);
    note_length(guess, in);
    note_stubs(guess, in);
}
