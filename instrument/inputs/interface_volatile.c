/* Reads of volatile objects: each gets a new value from the environment.
 *
 * A read becomes a call of gk_volatile_<id>(), which the harness defines as an input in its range.
 * Where the place is computed (`*p++`), the computation stays: `((void)&(*p++), gk_volatile_7())`.
 * `x |= y` becomes `x = gk_volatile_7() | (y)`. A register at a fixed address is written to a
 * variable of its own, since the address means nothing here. `const volatile` objects are
 * parameters and stay as they are, and so are automatic variables, which nobody else can change: a
 * pointer that leads to these and to others is asked at each read which it is. All volatile
 * accesses that the woven program still has are therefore ordinary ones. */
#include "instrument/inputs/interface_parts.h"

#include "base/bug.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>

/* May the environment change it at any time? Calibration data keep their values. */
static bool is_device(const struct interface *in, const struct cell *cell) {
    const struct project_var *v =
        cell->named == NOTHING ? NULL : &in->project->vars.data[cell->named];
    bool argument = in->scan.objects.data[cell->object].kind == OBJECT_ARGUMENT;
    return cell->role != CELL_VOLATILE && cell->role != CELL_PARAMETER && !(v && v->is_parameter) &&
           (argument || !cell->leaf.is_const);
}

/* The device in a place that comes after `cell` (NOTHING: the first); of a struct that is not
 * volatile itself only the members count that are. */
static uint32_t next_device(const struct interface *in, const struct volatile_use *read,
                            const struct place_in *place, uint32_t cell) {
    const char *pattern = intern_text(&in->scan.patterns, place->pattern);
    CXType type = clang_getCanonicalType(clang_getCursorType(read->place));
    bool all = clang_isVolatileQualifiedType(type) != 0;
    for (uint32_t i = cell + 1; i < in->cells.len; i++) {
        const struct cell *c = &in->cells.data[i];
        if (c->object == place->object && (all || c->leaf.is_volatile) && is_device(in, c) &&
            scan_overlap(c->leaf.pattern, pattern))
            return i;
    }
    return NOTHING;
}

/* Memory whose scalars are known, or an automatic variable. */
static bool is_known(const struct interface *in, const struct place_in *place) {
    if (in->scan.objects.data[place->object].kind == OBJECT_LOCAL)
        return true;
    for (size_t i = 0; i < in->cells.len; i++)
        if (in->cells.data[i].object == place->object)
            return true;
    return false;
}

enum lead { LEADS_TO_DEVICES, LEADS_TO_MEMORY, LEADS_TO_BOTH, LEADS_ANYWHERE };

/* What is no variable of the module is a device: a register. */
static enum lead where_to(struct interface *in, const struct volatile_use *read) {
    struct ids places = scan_places(&in->scan, &read->lvalue);
    size_t n = places.len, devices = 0, unknown = 0;
    for (size_t i = 0; i < n; i++) {
        const struct place_in *place = &in->scan.places.data[places.data[i]];
        bool known = is_known(in, place);
        unknown += !known;
        devices += known && next_device(in, read, place, NOTHING) != NOTHING;
    }
    vec_free(&places);
    if (devices + unknown == n)
        return LEADS_TO_DEVICES;
    if (unknown)
        return LEADS_ANYWHERE;
    return devices ? LEADS_TO_BOTH : LEADS_TO_MEMORY;
}

static const char *read_path(struct interface *in, const struct volatile_use *read) {
    if (read->lvalue.kind == LVALUE_DIRECT)
        return arena_printf(&in->arena, "%s%s", in->scan.objects.data[read->lvalue.base].path,
                            intern_text(&in->scan.patterns, read->lvalue.pattern));
    const struct unit *unit = &in->units[read->unit];
    return unit_line(unit, unit_span(unit, read->place), &in->arena);
}

static struct volatile_group *find_group(struct interface *in, const struct volatile_use *read) {
    bool direct = read->lvalue.kind == LVALUE_DIRECT;
    const char *path = read_path(in, read);
    uint32_t object = direct ? read->lvalue.base : NOTHING;
    uint32_t function = direct ? NOTHING : read->function;
    for (size_t i = 0; i < in->volatiles.len; i++) {
        struct volatile_group *g = &in->volatiles.data[i];
        if (g->object == object && g->function == function && str_same(g->path, path))
            return g;
    }
    struct volatile_group group = {.path = path, .object = object, .function = function};
    group.pattern = read->lvalue.pattern;
    group.cell = NOTHING;
    vec_push(&in->volatiles, group);
    return &vec_last(&in->volatiles);
}

/* The declared range, when all elements that the read may mean have the same. */
static void take_range(const struct interface *in, const struct volatile_group *group,
                       struct cell *cell) {
    const struct cell *first = NULL;
    for (size_t i = 0; i < in->cells.len && group->object != NOTHING; i++) {
        const struct cell *c = &in->cells.data[i];
        if (c->object != group->object || c->role == CELL_VOLATILE ||
            !str_same(c->leaf.pattern, intern_text(&in->scan.patterns, group->pattern)))
            continue;
        if (first && (c->range.min != first->range.min || c->range.max != first->range.max))
            return;
        first = c;
    }
    if (!first)
        return;
    cell->range = first->range;
    cell->range_from = first->range_from;
    cell->leaf = first->leaf;
    cell->named = first->named;
}

static void add_group_cell(struct interface *in, struct volatile_group *group,
                           const struct volatile_use *read) {
    struct cell cell = {.object = group->object, .path = group->path, .role = CELL_VOLATILE};
    cell.named = cell.input = NOTHING;
    cell.leaf.type = clang_getCanonicalType(clang_getCursorType(read->place));
    cell.leaf.path = cell.leaf.pattern = "";
    cell.leaf.field = clang_getNullCursor();
    if (!scalar_of(cell.leaf.type, &cell.leaf.scalar))
        bug("a volatile read of no scalar");
    cell.range = range_of_type(cell.leaf.scalar);
    cell.range_from = "type";
    take_range(in, group, &cell);
    group->cell = (uint32_t)in->cells.len;
    vec_push(&in->cells, cell);
}

/* Those that stay as they are and are not followed: whole structs, pointers. */
static bool is_opaque(const struct volatile_use *read) {
    struct scalar scalar;
    CXType type = clang_getCanonicalType(clang_getCursorType(read->place));
    return read->whole || !scalar_of(type, &scalar) || scalar.type == TYPE_POINTER;
}

bool interface_find_volatiles(struct interface *in, struct err *err) {
    (void)err;
    for (uint32_t i = 0; i < in->scan.volatile_reads.len; i++) {
        struct volatile_use *read = &in->scan.volatile_reads.data[i];
        enum lead lead = where_to(in, read);
        if (lead == LEADS_TO_MEMORY)
            continue;
        bool changes = !clang_equalCursors(read->operation, read->place);
        if (is_opaque(read) || lead == LEADS_ANYWHERE || (lead == LEADS_TO_BOTH && changes)) {
            vec_push(&in->opaque_reads, i);
            continue;
        }
        struct volatile_group *group = find_group(in, read);
        if (group->cell == NOTHING)
            add_group_cell(in, group, read);
        group->mixed |= lead == LEADS_TO_BOTH;
        vec_push(&group->reads, i);
    }
    return true;
}

struct rewrite {
    const struct unit *unit;
    struct edits *edits;
    struct span place, operation;
    char call[40];
};

static void rewrite_read(const struct rewrite *r, bool computed) {
    assert(r->place.begin < r->place.end);
    if (!computed) {
        edits_replace(r->edits, r->place.begin, r->place.end, r->call);
        return;
    }
    char close[64];
    snprintf(close, sizeof close, "), %s)", r->call);
    edits_wrap(r->edits, r->place.begin, r->place.end, "((void)&(", close);
}

/* x op= y: what stands between the operands gives way to "= call op (". */
static void rewrite_update(const struct rewrite *r, CXCursor operation) {
    struct cursors children = {0};
    cursor_children(operation, &children);
    assert(children.len == 2);
    struct span right = unit_span(r->unit, children.data[1]);
    vec_free(&children);
    struct str middle = {0};
    str_addf(&middle, " = %s ", r->call);
    for (size_t i = r->place.end; i < right.begin; i++)
        if (r->unit->text[i] != '=' && ispunct((unsigned char)r->unit->text[i]))
            str_addc(&middle, r->unit->text[i]);
    str_add(&middle, " (");
    edits_replace(r->edits, r->place.end, right.begin, str_text(&middle));
    edits_close(r->edits, right.begin, right.end, ")");
    str_free(&middle);
}

static bool stands_alone(const struct rewrite *r) {
    size_t begin = r->operation.begin;
    while (begin > 0 && isspace((unsigned char)r->unit->text[begin - 1]))
        begin--;
    size_t next = unit_skip_blank(r->unit, r->operation.end);
    return begin > 0 && strchr(";{}", r->unit->text[begin - 1]) && r->unit->text[next] == ';';
}

static void rewrite_step(const struct rewrite *r, const struct scalar *scalar,
                         enum CXUnaryOperatorKind kind) {
    bool up = kind == CXUnaryOperator_PreInc || kind == CXUnaryOperator_PostInc;
    bool post = kind == CXUnaryOperator_PostInc || kind == CXUnaryOperator_PostDec;
    struct str text = {0};
    struct str place = {0};
    edits_apply_range(r->edits, r->unit->text, r->place.begin, r->place.end, &place);
    bool old_value = post && !stands_alone(r);
    if (old_value)
        str_addf(&text, "((%s)(", scalar_c_type(*scalar));
    str_addf(&text, "(%s = %s %s 1)", str_text(&place), r->call, up ? "+" : "-");
    if (old_value)
        str_addf(&text, " %s 1))", up ? "-" : "+");
    edits_replace(r->edits, r->operation.begin, r->operation.end, str_text(&text));
    str_free(&text);
    str_free(&place);
}

static void rewrite_one(struct interface *in, const struct volatile_group *group,
                        const struct volatile_use *read) {
    const struct cell *cell = &in->cells.data[group->cell];
    assert(cell->role == CELL_VOLATILE && cell->input != NOTHING);
    struct rewrite r = {.unit = &in->units[read->unit], .edits = &in->edits[read->unit]};
    r.place = unit_span(r.unit, read->place);
    r.operation = unit_span(r.unit, read->operation);
    snprintf(r.call, sizeof r.call, "gk_volatile_%u()", cell->input);
    if (group->mixed) {
        edits_wrap(r.edits, r.place.begin, r.place.end,
                   arena_printf(&in->arena, "gk_volatile_at_%u(&(", cell->input), "))");
        return;
    }
    const char *pattern = intern_text(&in->scan.patterns, read->lvalue.pattern);
    bool computed = read->lvalue.kind == LVALUE_DEREF || strchr(pattern, '[');
    if (read->operation.kind == CXCursor_CompoundAssignOperator)
        rewrite_update(&r, read->operation);
    else if (!clang_equalCursors(read->operation, read->place))
        rewrite_step(&r, &cell->leaf.scalar, clang_getCursorUnaryOperatorKind(read->operation));
    else
        rewrite_read(&r, computed && !cell->leaf.bit_field);
}

static bool has_side_effect(const struct unit *unit, struct span span) {
    for (size_t i = span.begin; i + 1 < span.end; i++)
        if (strncmp(unit->text + i, "++", 2) == 0 || strncmp(unit->text + i, "--", 2) == 0)
            return true;
    return false;
}

/* A volatile place that no object of the module can be: a register. */
static void redirect_register(struct interface *in, const struct volatile_use *use) {
    const struct unit *unit = &in->units[use->unit];
    struct span span = unit_span(unit, use->place);
    CXType type = clang_getCanonicalType(clang_getCursorType(use->place));
    struct ids places = scan_places(&in->scan, &use->lvalue);
    bool known = places.len > 0;
    struct scalar scalar;
    vec_free(&places);
    if (known || !scalar_of(type, &scalar) || scalar.type == TYPE_POINTER)
        return;
    if (has_side_effect(unit, span)) {
        limit_at(in->goals, unit, span.begin, in->scan.functions.data[use->function].name,
                 "this writes to memory that is no variable of the module");
        return;
    }
    const char *name = arena_printf(&in->arena, "gk_register_%zu", in->regions.len);
    str_addf(&in->front, "%s %s;\n", scalar_c_type(scalar), name);
    vec_push(&in->regions, name);
    edits_replace(&in->edits[use->unit], span.begin, span.end, name);
}

/* A struct is read as a whole, a pointer, or the place may be anything: no value is made up, and
 * the model does not go on behind it. */
static void mark_opaque(struct interface *in, const struct volatile_use *read) {
    const struct unit *unit = &in->units[read->unit];
    struct span span = unit_span(unit, read->place);
    edits_wrap(&in->edits[read->unit], span.begin, span.end, "(gk_opaque(), ", ")");
}

/* The scalars that a pointer must lead to for a read to be one of a device. */
static void list_devices(struct interface *in, const struct volatile_use *read,
                         struct texts *devices) {
    struct ids places = scan_places(&in->scan, &read->lvalue);
    for (size_t i = 0; i < places.len; i++) {
        const struct place_in *place = &in->scan.places.data[places.data[i]];
        uint32_t cell = NOTHING;
        while ((cell = next_device(in, read, place, cell)) != NOTHING)
            if (!in->cells.data[cell].leaf.bit_field)
                vec_push(devices, in->cells.data[cell].c_expr);
    }
    vec_free(&places);
}

void interface_write_mixed(struct interface *in, const struct volatile_group *group) {
    const struct cell *cell = &in->cells.data[group->cell];
    const char *type = scalar_c_type(cell->leaf.scalar);
    struct texts devices = {0};
    for (size_t k = 0; k < group->reads.len; k++)
        list_devices(in, &in->scan.volatile_reads.data[group->reads.data[k]], &devices);
    str_addf(in->out, "%s gk_volatile_at_%u(const volatile void *gk_p) {\n", type, cell->input);
    for (size_t i = 0; i < devices.len; i++)
        str_addf(in->out, "    if (gk_p == (const volatile void *)&%s) return gk_volatile_%u();\n",
                 devices.data[i], cell->input);
    str_addf(in->out, "    return *(const volatile %s *)gk_p;\n}\n", type);
    vec_free(&devices);
}

void interface_edit_volatiles(struct interface *in) {
    for (size_t i = 0; i < in->scan.volatile_writes.len; i++)
        redirect_register(in, &in->scan.volatile_writes.data[i]);
    for (size_t i = 0; i < in->scan.volatile_reads.len; i++) {
        const struct volatile_use *use = &in->scan.volatile_reads.data[i];
        if (!clang_equalCursors(use->place, use->operation) && use->lvalue.kind != LVALUE_DIRECT)
            redirect_register(in, use);
    }
    if (in->opaque_reads.len)
        str_add(&in->front, "void gk_opaque(void);\n");
    for (size_t i = 0; i < in->opaque_reads.len; i++)
        mark_opaque(in, &in->scan.volatile_reads.data[in->opaque_reads.data[i]]);
    for (size_t i = 0; i < in->volatiles.len; i++) {
        const struct volatile_group *group = &in->volatiles.data[i];
        const struct cell *cell = &in->cells.data[group->cell];
        assert(cell->input != NOTHING);
        str_addf(&in->front, "%s gk_volatile_%u(void);\n", scalar_c_type(cell->leaf.scalar),
                 cell->input);
        if (group->mixed)
            str_addf(&in->front, "%s gk_volatile_at_%u(const volatile void *);\n",
                     scalar_c_type(cell->leaf.scalar), cell->input);
        for (size_t k = 0; k < group->reads.len; k++)
            rewrite_one(in, group, &in->scan.volatile_reads.data[group->reads.data[k]]);
    }
}
