/* Every scalar of the module's memory. */
#include "instrument/inputs/interface_parts.h"

#include "base/nearest.h"

#include <assert.h>

bool object_is_memory(const struct object *object) {
    return object->kind != OBJECT_LOCAL && object->kind != OBJECT_FUNCTION &&
           (object->defined || object->used);
}

/* Elements of an array that the harness makes from a pointer. */
static void layout_elements(struct interface *in, const struct object *object,
                            struct layout *layout) {
    struct layout one = {0};
    assert(object->open_length > 0 && layout->leaves.len == 0);
    cell_layout_of(object->type, 0, &in->arena, &one);
    for (uint32_t i = 0; i < object->open_length; i++)
        for (size_t k = 0; k < one.leaves.len; k++) {
            struct leaf leaf = one.leaves.data[k];
            layout->too_large |= layout->leaves.len >= LAYOUT_LIMIT;
            if (layout->too_large)
                break;
            leaf.path = arena_printf(&in->arena, "[%u]%s", i, leaf.path);
            leaf.pattern = arena_printf(&in->arena, "[]%s", leaf.pattern);
            vec_push(&layout->leaves, leaf);
        }
    layout->too_large |= one.too_large;
    layout->odd = one.odd;
    layout->union_path = one.union_path;
    layout_free(&one);
}

const char *interface_path(struct interface *in, const struct object *object, const char *leaf) {
    if (object->kind != OBJECT_ARGUMENT || object->by_value || leaf[0] == '[')
        return arena_printf(&in->arena, "%s%s", object->path, leaf);
    if (leaf[0] == '.')
        return arena_printf(&in->arena, "%s->%s", object->path, leaf + 1);
    return arena_printf(&in->arena, "*%s", object->path);
}

/* The text of a name without white space: "Tab [3]" is "Tab[3]". */
static const char *bare(struct interface *in, const char *name) {
    char *copy = arena_strdup(&in->arena, name), *to = copy;
    for (const char *p = name; *p; p++)
        if (*p != ' ' && *p != '\t')
            *to++ = *p;
    *to = '\0';
    return copy;
}

/* `path` is `name`, or a part of it; "[]" stands for any index. */
static bool names(const char *name, const char *path) {
    for (; *name; name++, path++) {
        if (*name != *path)
            return false;
        if (*name == '[' && *path == '[' && (name[1] == ']' || path[1] == ']')) {
            name += strcspn(name, "]");
            path += strcspn(path, "]");
        }
    }
    return *path == '\0' || *path == '.' || *path == '[' || (*path == '-' && path[1] == '>');
}

struct wanted {
    struct interface *in;
    const struct object *object;
};

/* The user names this, or a part of it. */
static bool is_wanted(void *context, const char *leaf) {
    const struct wanted *w = context;
    const char *path = interface_path(w->in, w->object, leaf);
    for (size_t i = 0; i < w->in->project->vars.len; i++)
        if (names(path, bare(w->in, w->in->project->vars.data[i].name)))
            return true;
    return false;
}

void interface_layout(struct interface *in, const struct object *object, struct layout *layout) {
    if (object->kind == OBJECT_ARGUMENT && object->open_length)
        layout_elements(in, object, layout);
    else
        cell_layout_chosen(object->type, object->open_length,
                           &(struct layout_choice){is_wanted, &(struct wanted){in, object}},
                           &in->arena, layout);
}

bool interface_err_var(const struct interface *in, uint32_t var, struct err *err) {
    assert(var < in->project->vars.len);
    const struct project_var *v = &in->project->vars.data[var];
    return err_at(err, in->project->file, v->line, v->col);
}

/* "p" names "*p", and "p->x" may be written "p.x" or "(*p).x" where p is a parameter. */
static bool names_cell(const char *name, const char *path) {
    return names(name, path) || (path[0] == '*' && str_same(name, path + 1));
}

static void limit_object(struct interface *in, const struct object *o, const char *text) {
    size_t offset = unit_offset(&in->units[o->unit], clang_getCursorLocation(o->decl));
    const char *function =
        o->function == NOTHING ? NULL : in->scan.functions.data[o->function].name;
    limit_at(in->goals, &in->units[o->unit], offset, function, "%s", text);
}

static void limit_layout(struct interface *in, const struct object *o,
                         const struct layout *layout) {
    if (!o->used)
        return;
    if (layout->odd)
        limit_object(in, o,
                     arena_printf(&in->arena, "'%s' holds a %s, which is not shown as state",
                                  o->path, layout->odd));
    if (layout->too_large)
        limit_object(in, o,
                     arena_printf(&in->arena,
                                  "'%s' has more than %d scalars: the rest is not shown", o->path,
                                  LAYOUT_LIMIT));
    if (layout->union_path)
        limit_object(in, o,
                     arena_printf(&in->arena, "the union '%s' is shown by its largest member",
                                  interface_path(in, o, layout->union_path)));
}

static void collect_object(struct interface *in, uint32_t id) {
    assert(object_is_memory(&in->scan.objects.data[id]));
    const struct object o = in->scan.objects.data[id];
    struct layout layout = {0};
    interface_layout(in, &o, &layout);
    limit_layout(in, &o, &layout);
    for (size_t i = 0; i < layout.leaves.len; i++) {
        struct cell cell = {.object = id, .leaf = layout.leaves.data[i]};
        cell.path = interface_path(in, &o, cell.leaf.path);
        cell.named = cell.input = NOTHING;
        cell.touch = scan_touch(&in->scan, id, cell.leaf.pattern);
        vec_push(&in->cells, cell);
    }
    layout_free(&layout);
}

/* Objects that are only declared and not used matter when the project names them. */
static bool is_named(const struct object *o, const struct texts *wanted) {
    for (size_t i = 0; i < wanted->len; i++)
        if (names(o->path, wanted->data[i]))
            return true;
    return false;
}

/* Part of a union that is seen through another member: the remedy is that one. */
static bool in_other_view(struct interface *in, const char *name, struct err *err) {
    for (uint32_t i = 0; i < in->scan.objects.len; i++) {
        const struct object o = in->scan.objects.data[i];
        struct layout layout = {0};
        const char *whole = NULL, *view = NULL;
        if (!object_is_memory(&o) || !names(o.path, name))
            continue;
        interface_layout(in, &o, &layout);
        if (layout.union_path)
            whole = interface_path(in, &o, layout.union_path);
        for (size_t k = 0; whole && !view && k < layout.leaves.len; k++)
            if (names(whole, interface_path(in, &o, layout.leaves.data[k].path)))
                view = interface_path(in, &o, layout.leaves.data[k].path);
        layout_free(&layout);
        if (view && names(whole, name))
            return err_remedy(err,
                              "the union '%s' is seen through one member that is as large as "
                              "it, as '%s': name that, or cover it by a member of its size",
                              whole, view) ||
                   true;
    }
    return false;
}

static bool unknown_name(struct interface *in, uint32_t var, struct err *err) {
    const struct project_var *v = &in->project->vars.data[var];
    struct nearest near;
    nearest_init(&near, v->name);
    for (size_t i = 0; i < in->cells.len; i++)
        nearest_offer(&near, in->cells.data[i].path);
    for (size_t i = 0; i < in->scan.objects.len; i++)
        if (object_is_memory(&in->scan.objects.data[i]))
            nearest_offer(&near, in->scan.objects.data[i].path);
    err_set(err, ERR_USAGE, "there is no variable '%s' in the sources", v->name);
    interface_err_var(in, var, err);
    const char *best = nearest_best(&near);
    if (in_other_view(in, bare(in, v->name), err))
        return false;
    if (best)
        return err_remedy(err, "did you mean '%s'?", best);
    return err_remedy(err, "C paths look like 'Bus.Speed', 'Tab[3]', 'function::static_local', "
                           "'parameter->member'");
}

/* Later entries and longer names are more specific. */
static bool resolve_name(struct interface *in, uint32_t var, const char *name, struct err *err) {
    bool found = false;
    for (size_t i = 0; i < in->cells.len; i++) {
        struct cell *cell = &in->cells.data[i];
        if (!names_cell(name, cell->path))
            continue;
        found = true;
        if (cell->named == NOTHING ||
            strlen(in->project->vars.data[cell->named].name) <= strlen(name))
            cell->named = var;
    }
    return found || unknown_name(in, var, err);
}

bool interface_collect_cells(struct interface *in, struct err *err) {
    assert(in->cells.len == 0);
    struct texts wanted = {0};
    bool good = true;
    for (size_t i = 0; i < in->project->vars.len; i++)
        vec_push(&wanted, bare(in, in->project->vars.data[i].name));
    for (uint32_t i = 0; i < in->scan.objects.len; i++) {
        struct object *o = &in->scan.objects.data[i];
        if (!object_is_memory(o) && o->kind == OBJECT_GLOBAL && is_named(o, &wanted))
            o->used = true;
        if (object_is_memory(o))
            collect_object(in, i);
    }
    for (uint32_t i = 0; i < wanted.len && good; i++)
        good = resolve_name(in, i, wanted.data[i], err);
    vec_free(&wanted);
    return good;
}
