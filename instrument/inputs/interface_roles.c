/* Which scalars are inputs, parameters, state and outputs, and what values they take. */
#include "instrument/inputs/interface_notes.h"
#include "instrument/inputs/interface_parts.h"

#include <assert.h>

static const struct object *object_of(const struct interface *in, const struct cell *cell) {
    assert(cell->object < in->scan.objects.len);
    return &in->scan.objects.data[cell->object];
}

static bool is_made_pointer(const struct interface *in, const struct cell *cell) {
    for (size_t i = 0; i < in->made.len; i++)
        if (in->made.data[i].object == cell->object &&
            str_same(in->made.data[i].path, cell->leaf.path))
            return true;
    return false;
}

/* Set by the environment: it is read, and nothing in a step writes it. An initialiser says what it
 * holds before somebody has written it, not that nobody will. */
static bool is_set_outside(const struct cell *cell, const struct object *o) {
    bool outside = o->kind == OBJECT_ARGUMENT || o->kind == OBJECT_GLOBAL;
    bool only_init_reads = (cell->touch & INIT_READS) && !(cell->touch & INIT_WRITES);
    return outside && !(cell->touch & STEP_WRITES) && (cell->touch & STEP_READS || only_init_reads);
}

/* What only the init functions read has one value for the whole run. */
static enum cell_role outside_role(const struct interface *in, const struct cell *cell) {
    if (interface_calibration_sign(in, cell))
        return object_of(in, cell)->initialised ? CELL_STATE : CELL_PARAMETER;
    return cell->touch & STEP_READS ? CELL_INPUT : CELL_PARAMETER;
}

static enum cell_role mutable_role(const struct cell *cell, const struct object *o) {
    bool outside = (o->kind == OBJECT_ARGUMENT && !o->by_value) || o->kind == OBJECT_GLOBAL;
    return outside && (cell->touch & STEP_WRITES) ? CELL_OUTPUT : CELL_STATE;
}

static enum cell_role natural_role(const struct interface *in, const struct cell *cell) {
    const struct object *o = object_of(in, cell);
    if (o->by_value)
        return CELL_INPUT;
    if (is_made_pointer(in, cell))
        return CELL_POINTER;
    bool constant = cell->leaf.is_const && o->kind != OBJECT_ARGUMENT;
    bool free = in->project->free_constants && cell->touch &&
                cell->leaf.scalar.type != TYPE_POINTER && !strpbrk(cell->path, ".[");
    if (constant && o->defined)
        return free ? CELL_PARAMETER : CELL_FIXED;
    if (cell->leaf.scalar.type == TYPE_POINTER)
        return constant ? CELL_FIXED : mutable_role(cell, o);
    if (constant)
        return cell->touch ? CELL_PARAMETER : CELL_FIXED;
    if (cell->leaf.is_volatile)
        return cell->touch & (STEP_WRITES | INIT_WRITES) ? CELL_OUTPUT : CELL_FIXED;
    if (o->calibration)
        return cell->touch ? CELL_PARAMETER : CELL_FIXED;
    return is_set_outside(cell, o) ? outside_role(in, cell) : mutable_role(cell, o);
}

static bool bad_name(const struct interface *in, const struct cell *cell, const char *why,
                     const char *remedy, struct err *err) {
    err_set(err, ERR_USAGE, "'%s' %s", cell->path, why);
    interface_err_var(in, cell->named, err);
    return err_remedy(err, "%s", remedy);
}

static bool named_role(const struct interface *in, struct cell *cell, struct err *err) {
    assert(cell->named < in->project->vars.len);
    const struct project_var *v = &in->project->vars.data[cell->named];
    const struct object *o = object_of(in, cell);
    if (cell->leaf.scalar.type == TYPE_POINTER)
        return true; /* part of a struct that is named as a whole */
    if (v->is_parameter && v->range_mode) {
        cell->role = CELL_PARAMETER;
    } else if (v->is_parameter) {
        if (!o->defined)
            return bad_name(in, cell, "has no initialiser in the sources",
                            "add the source that defines it, or use \"mode\": \"range\"", err);
        if (cell->role != CELL_FIXED)
            cell->role = CELL_STATE;
    } else if (cell->leaf.is_const && o->kind != OBJECT_ARGUMENT) {
        return bad_name(in, cell, "is const and cannot be an input",
                        "name it under \"parameters\" with \"mode\": \"range\"", err);
    } else if (cell->leaf.is_volatile) {
        return true; /* read by read: interface_volatile.c */
    } else {
        cell->role = CELL_INPUT;
    }
    return true;
}

static struct known_note note_of(struct interface *in, uint32_t unit, CXCursor decl) {
    struct known_note known = {0};
    const struct unit *u = &in->units[unit];
    uint64_t key = (uint64_t)unit << 32 | unit_offset(u, clang_getCursorLocation(decl));
    const uint32_t *at = map_get(&in->note_of, key);
    if (at)
        return in->notes.data[*at];
    known.found = note_of_declaration(u, decl, &in->arena, &known.note, &known.offset);
    map_put(&in->note_of, key, (uint32_t)in->notes.len);
    vec_push(&in->notes, known);
    return known;
}

/* The comment of the innermost member that has one, else of the variable. */
static bool comment_range(struct interface *in, struct cell *cell) {
    const struct object *o = object_of(in, cell);
    const struct unit *unit = &in->units[o->unit];
    CXCursor candidates[3] = {cell->leaf.field, o->decl, clang_getCanonicalCursor(o->decl)};
    for (size_t i = 0; i < 3; i++) {
        if (clang_Cursor_isNull(candidates[i]))
            continue;
        struct known_note known = note_of(in, o->unit, candidates[i]);
        if (!known.found)
            continue;
        bool limits = range_scale(&known.note, cell->leaf.scalar, &cell->range);
        struct place place = unit_place(unit, known.offset);
        if (limits)
            cell->range_from = arena_printf(&in->arena, "comment at %s:%d", place.file, place.line);
        return true;
    }
    return false;
}

static bool out_of_type(struct interface *in, const struct cell *cell, enum range_status status,
                        struct err *err) {
    struct range type = range_of_type(cell->leaf.scalar);
    assert(status == RANGE_BELOW || status == RANGE_ABOVE);
    struct str low = {0}, high = {0};
    range_show(cell->leaf.scalar, type.min, &low);
    range_show(cell->leaf.scalar, type.max, &high);
    bool below = status == RANGE_BELOW;
    const struct project_var *v = &in->project->vars.data[cell->named];
    err_set(err, ERR_USAGE, "the %s of '%s' (%s) lies outside its type: %s .. %s",
            below ? "minimum" : "maximum", cell->path, below ? v->min_text : v->max_text,
            str_text(&low), str_text(&high));
    interface_err_var(in, cell->named, err);
    str_clear(&low);
    range_show(cell->leaf.scalar, below ? cell->range.min : cell->range.max, &low);
    err_remedy(err, "ranges are raw values; the nearest legal one is %s", str_text(&low));
    str_free(&low);
    str_free(&high);
    return false;
}

static bool project_range(struct interface *in, struct cell *cell, struct err *err) {
    assert(cell->named != NOTHING);
    const struct project_var *v = &in->project->vars.data[cell->named];
    if (!v->has_min && !v->has_max)
        return true;
    struct range range = range_of_type(cell->leaf.scalar);
    enum range_status status =
        range_limits(v->has_min ? v->min_text : NULL, v->has_max ? v->max_text : NULL,
                     cell->leaf.scalar, &range);
    range.lsb = cell->range.lsb;
    range.offset = cell->range.offset;
    cell->range = range;
    cell->range_from = "project file";
    if (status == RANGE_BELOW || status == RANGE_ABOVE)
        return out_of_type(in, cell, status, err);
    if (status == RANGE_OK)
        return true;
    err_set(err, ERR_USAGE,
            status == RANGE_EMPTY ? "no value of '%s' lies between %s and %s"
                                  : "'%s' has a limit that is no number: %s .. %s",
            cell->path, v->has_min ? v->min_text : "its minimum",
            v->has_max ? v->max_text : "its maximum");
    interface_err_var(in, cell->named, err);
    return err_remedy(err, "\"min\" must not exceed \"max\"; both are raw values");
}

static bool decide_range(struct interface *in, struct cell *cell, struct err *err) {
    if (cell->leaf.scalar.type == TYPE_POINTER)
        return true;
    comment_range(in, cell);
    return cell->named == NOTHING || project_range(in, cell, err);
}

static bool is_variable(enum cell_role role) {
    return role == CELL_INPUT || role == CELL_PARAMETER;
}

/* State of another unit that is not here starts at zero, like every global without initialiser. */
static void note_foreign_state(struct interface *in, const struct cell *cell) {
    const struct object *o = object_of(in, cell);
    bool state = cell->role == CELL_STATE || cell->role == CELL_OUTPUT;
    if (!state || o->defined || !(cell->touch & STEP_READS) || (cell->touch & INIT_WRITES))
        return;
    size_t offset = unit_offset(&in->units[o->unit], clang_getCursorLocation(o->decl));
    limit_at(in->goals, &in->units[o->unit], offset, NULL,
             "'%s' is defined outside the sources: it is taken to start at zero", cell->path);
}

/* Init functions find it as the environment has left it; an initialiser is what C says. */
static bool is_early(const struct cell *cell, const struct object *o) {
    return cell->role == CELL_INPUT && (cell->touch & INIT_READS) && !o->initialised;
}

static bool is_step_argument(const struct interface *in, uint32_t object) {
    for (size_t i = 0; i < in->arguments.len; i++)
        if (in->arguments.data[i].object == object && in->arguments.data[i].function == in->step)
            return true;
    return false;
}

bool interface_decide_roles(struct interface *in, struct err *err) {
    uint32_t noted = NOTHING;
    for (size_t i = 0; i < in->cells.len; i++) {
        struct cell *cell = &in->cells.data[i];
        cell->range = range_of_type(cell->leaf.scalar);
        cell->range_from = "type";
        cell->role = natural_role(in, cell);
        if (object_of(in, cell)->by_value && !is_step_argument(in, cell->object))
            cell->role = CELL_PARAMETER; /* what an init function gets, once */
        if (cell->named != NOTHING && !named_role(in, cell, err))
            return false;
        cell->early = is_early(cell, object_of(in, cell));
        if ((is_variable(cell->role) || cell->touch) && !decide_range(in, cell, err))
            return false;
        if (noted != cell->object)
            note_foreign_state(in, cell);
        noted = cell->object;
    }
    return true;
}
