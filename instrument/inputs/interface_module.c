/* What the other layers see: struct module. */
#include "instrument/inputs/interface_parts.h"

#include <assert.h>

void interface_name_cells(struct interface *in) {
    for (size_t i = 0; i < in->cells.len; i++) {
        struct cell *cell = &in->cells.data[i];
        if (cell->role == CELL_VOLATILE)
            continue;
        const struct object *o = &in->scan.objects.data[cell->object];
        cell->c_expr = arena_printf(&in->arena, "%s%s", o->c_name, cell->leaf.path);
    }
}

static const char *keep(struct interface *in, const char *text) {
    return text ? arena_strdup(&in->module->arena, text) : NULL;
}

static struct module_var variable_of(struct interface *in, const struct cell *cell,
                                     enum var_role role) {
    assert(cell->path && cell->range_from && (cell->c_expr || role == VAR_VOLATILE));
    struct module_var var = {.role = role};
    var.path = keep(in, cell->path);
    var.c_expr = keep(in, cell->c_expr);
    var.type = cell->leaf.scalar.type;
    var.bits = cell->leaf.scalar.bits;
    var.has_range = cell->range.narrower;
    var.min = cell->range.min;
    var.max = cell->range.max;
    var.lsb = cell->range.lsb;
    var.offset = cell->range.offset;
    var.range_from = keep(in, cell->range_from);
    if (cell->object != NOTHING) {
        const struct object *o = &in->scan.objects.data[cell->object];
        struct place place = unit_place_of(&in->units[o->unit], o->decl);
        var.file = keep(in, place.file);
        var.line = place.line;
    } else {
        var.file = "";
    }
    return var;
}

uint32_t interface_add_input(struct interface *in, const struct module_var *var) {
    assert(var->path && var->range_from && var->file && var->bits >= 1 && var->bits <= 64);
    vec_push(&in->module->inputs, *var);
    return (uint32_t)in->module->inputs.len - 1;
}

static void add_inputs(struct interface *in, enum cell_role role, enum var_role as) {
    for (size_t i = 0; i < in->cells.len; i++) {
        struct cell *cell = &in->cells.data[i];
        if (cell->role != role)
            continue;
        struct module_var var = variable_of(in, cell, as);
        cell->input = interface_add_input(in, &var);
    }
}

static void add_state(struct interface *in) {
    for (size_t i = 0; i < in->cells.len; i++) {
        const struct cell *cell = &in->cells.data[i];
        if (cell->role != CELL_STATE && cell->role != CELL_OUTPUT)
            continue;
        struct module_var var =
            variable_of(in, cell, cell->role == CELL_OUTPUT ? VAR_OUTPUT : VAR_STATE);
        vec_push(&in->module->state, var);
    }
}

/* An input that the step writes, too, is also an output. */
static void add_written_inputs(struct interface *in) {
    for (size_t i = 0; i < in->cells.len; i++) {
        const struct cell *cell = &in->cells.data[i];
        if (cell->role == CELL_INPUT && (cell->touch & STEP_WRITES)) {
            struct module_var var = variable_of(in, cell, VAR_OUTPUT);
            vec_push(&in->module->state, var);
        }
    }
}

void interface_fill_module(struct interface *in) {
    assert(in->module->inputs.len == 0 && in->module->state.len == 0);
    struct module *module = in->module;
    module->name = keep(in, in->project->name);
    module->step = keep(in, in->project->step);
    module->ilp32 = in->project->ilp32;
    module->char_is_signed = in->project->char_is_signed;
    for (size_t i = 0; i < in->project->init.len; i++)
        vec_push(&module->init, keep(in, in->project->init.data[i]));
    for (size_t i = 0; i < in->project->assumptions.len; i++)
        vec_push(&module->assumptions, keep(in, in->project->assumptions.data[i]));
    add_inputs(in, CELL_INPUT, VAR_INPUT);
    add_inputs(in, CELL_PARAMETER, VAR_PARAMETER);
    add_inputs(in, CELL_VOLATILE, VAR_VOLATILE);
    add_state(in);
    add_written_inputs(in);
}
