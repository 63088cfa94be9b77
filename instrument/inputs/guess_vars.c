/* Inputs and parameters with their ranges, from the roles that the interface found. */
#include "instrument/inputs/guess_parts.h"

#include <assert.h>
#include <math.h>
#include <strings.h>

enum { LONGEST_LIST = 16 }; /* elements of an array that are listed one by one */

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
    bool found = (cell->leaf.scalar.type == 'u' || cell->leaf.scalar.type == 'i') &&
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
    if (!str_same(from, "type"))
        var->why = arena_printf(&guess->arena, "%s; range: %s", what, from);
    else if (cell->leaf.scalar.type == 'f')
        var->why = arena_printf(&guess->arena,
                                "%s; no range found: any value, infinities and NaN included", what);
    else
        var->why = arena_printf(&guess->arena, "%s; no range found: that of the type", what);
}

static const char *input_reason(const struct interface *in, const struct cell *cell) {
    if (cell->role == CELL_VOLATILE)
        return "volatile: a new value at every read";
    const struct object *o = object_of(in, cell);
    if (o->kind == OBJECT_ARGUMENT)
        return o->by_value ? "parameter of the step function"
                           : "read through a parameter of the step function and never written";
    return o->defined ? "read by the step, never written by it, and not initialised"
                      : "declared here, defined elsewhere, read by the step and never written";
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

/* Length of the run of elements of one array of scalars with the same range. */
static size_t run_length(const struct interface *in, size_t first) {
    assert(first < in->cells.len);
    const struct cell *a = &in->cells.data[first];
    size_t n = 1;
    while (first + n < in->cells.len) {
        const struct cell *b = &in->cells.data[first + n];
        if (b->object != a->object || b->role != a->role ||
            !str_same(a->leaf.pattern, b->leaf.pattern) || a->range.min != b->range.min ||
            a->range.max != b->range.max)
            break;
        n++;
    }
    return n;
}

static const char *array_name(struct guess *guess, const char *path) {
    const char *last = strrchr(path, '[');
    assert(last);
    return arena_strndup(&guess->arena, path, (size_t)(last - path));
}

static void add_inputs(struct guess *guess, const struct interface *in) {
    size_t n;
    for (size_t i = 0; i < in->cells.len; i += n) {
        const struct cell *cell = &in->cells.data[i];
        n = 1;
        if (cell->role != CELL_INPUT && cell->role != CELL_VOLATILE)
            continue;
        if (cell->object == NOTHING || strstr(cell->path, "[]"))
            continue; /* a register at a fixed address has no name */
        if (is_left_out(guess, in, cell))
            continue;
        size_t run = run_length(in, i);
        bool whole = run > LONGEST_LIST && str_ends(cell->path, "[0]");
        struct guess_var var = {.name = name_of(guess, cell->path)};
        if (whole) {
            var.name = array_name(guess, cell->path);
            n = run;
        }
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

static bool is_calibration(const struct object *o, const struct cell *cell) {
    return cell->role == CELL_FIXED && cell->leaf.is_const && cell->leaf.scalar.type != 'p' &&
           (cell->touch & STEP_READS) && o->defined &&
           (o->kind == OBJECT_GLOBAL || (o->kind == OBJECT_FILE_STATIC && cell->leaf.is_volatile));
}

/* Constants that a step reads keep their value; what is defined elsewhere may be anything. */
static void add_parameters(struct guess *guess, const struct interface *in) {
    for (size_t i = 0; i < in->cells.len; i++) {
        const struct cell *cell = &in->cells.data[i];
        if (cell->object == NOTHING)
            continue;
        const struct object *o = object_of(in, cell);
        struct guess_var var = {.is_parameter = true};
        if (is_left_out(guess, in, cell))
            continue;
        if (cell->role == CELL_PARAMETER) {
            var.name = name_of(guess, cell->path);
            var.range_mode = true;
            give_range(guess, in, cell, &var,
                       o->by_value ? "parameter of an init function"
                                   : "calibration data without a value in these sources");
        } else if (is_calibration(o, cell) && !is_known(guess, o->path)) {
            var.name = arena_strdup(&guess->arena, o->path);
            var.why = "const, read by the step: keeps its initialiser (or \"mode\": \"range\")";
        } else {
            continue;
        }
        vec_push(&guess->vars, var);
    }
}

void guess_vars(struct guess *guess, const struct interface *in) {
    add_inputs(guess, in);
    add_parameters(guess, in);
    note_length(guess, in);
}
