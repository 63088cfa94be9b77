#include "instrument/inputs/declared.h"

#include "instrument/inputs/interface_notes.h"
#include "instrument/inputs/interface_parts.h"

#include <assert.h>

static const struct project_var *project_entry(const struct project *project, const char *name) {
    for (size_t i = 0; i < project->vars.len; i++)
        if (str_same(project->vars.data[i].name, name))
            return &project->vars.data[i];
    return NULL;
}

static const char *constant_of(struct scalar scalar, uint64_t bits, struct arena *arena) {
    struct str text = {0};
    range_constant(scalar, bits, &text);
    const char *copy = arena_strdup(arena, str_text(&text));
    str_free(&text);
    return copy;
}

bool interface_declared_range(const struct project *project, const struct unit *unit,
                              CXCursor variable, struct arena *arena,
                              struct declared_range *range) {
    assert(range && arena);
    struct scalar scalar;
    struct range_note note;
    size_t offset;
    *range = (struct declared_range){0};
    if (!scalar_of(clang_getCursorType(variable), &scalar) || scalar.type == TYPE_POINTER)
        return false;
    struct range type = range_of_type(scalar), r = type;
    if (note_of_declaration(unit, variable, arena, &note, &offset))
        range_scale(&note, scalar, &r);
    const struct project_var *v = project_entry(project, cursor_name(variable, arena));
    if (v && clang_getCursorLinkage(variable) == CXLinkage_External)
        range_limits(v->has_min ? v->min_text : NULL, v->has_max ? v->max_text : NULL, scalar, &r);
    if (r.min != type.min)
        range->min = constant_of(scalar, r.min, arena);
    if (r.max != type.max)
        range->max = constant_of(scalar, r.max, arena);
    return range->min || range->max;
}
