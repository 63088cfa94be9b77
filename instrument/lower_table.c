#include "instrument/lower_table.h"

#include "instrument/lower_access.h"
#include "instrument/lower_execute.h"
#include "instrument/lowering.h"

static bool state_sort(const struct module_var *var, sort_t *sort) {
    switch (var->type) {
    case 'b':
        *sort = SORT_BOOL;
        return true;
    case 'f':
        *sort = var->bits == 32 ? SORT_F32 : SORT_F64;
        return true;
    case 'p':
        return false;
    default:
        *sort = var->bits;
        return true;
    }
}

static bool place_of_row(struct lowering *lw, LLVMValueRef row, struct state_place *place) {
    size_t n;
    value_t pointer = pointer_of(lw, lower_constant(lw, LLVMGetAggregateElement(row, 0)));
    const struct pointee *p = pointer_pointees(lw, pointer, &n);
    if (n != 1 || object_at(lw, p->object)->kind != OBJECT_GLOBAL)
        return false;
    *place = (struct state_place){p->object, p->offset};
    return true;
}

static void describe_cell(struct lowering *lw, const struct module_var *var,
                          struct state_place place) {
    const struct object *o = object_at(lw, place.object);
    struct cell_place at = layout_find(o->layout, (uint64_t)place.offset);
    uint32_t cell = o->base + at.cell, bytes = (var->bits + 7u) / 8;
    if (at.offset != (uint64_t)place.offset || (var->type != 'p' && at.size != bytes))
        return; /* a view of a union: the cell keeps its own name */
    lw->state.names.data[cell] = var->path;
    lw->state.is_signed.data[cell] = var->type == 'i' || var->type == 'f';
    lw->plan->cells.data[cell].is_bool = var->type == 'b';
}

static void list_cell(struct lowering *lw, const struct module_var *var, struct state_place place) {
    const struct object *o = object_at(lw, place.object);
    uint64_t end = (uint64_t)place.offset + (var->bits + 7u) / 8;
    for (uint64_t at = (uint64_t)place.offset; at < end && at < o->size;) {
        struct cell_place cell = layout_find(o->layout, at);
        lw->state.listed.data[o->base + cell.cell] = true;
        at = cell.offset + cell.size;
    }
}

bool lower_table_read(struct lowering *lw, struct err *err) {
    size_t n = lw->module->state.len;
    if (n == 0)
        return true;
    LLVMValueRef table = LLVMGetNamedGlobal(lw->bc->module, "gk_cells");
    LLVMValueRef rows = table ? LLVMGetInitializer(table) : NULL;
    if (!rows || LLVMGetArrayLength2(LLVMTypeOf(rows)) != n)
        return err_set(err, ERR_INTERNAL,
                       "the woven text has no table gk_cells with %zu rows, one a state cell", n);
    for (size_t i = 0; i < n; i++) {
        struct state_place place = {0, -1};
        const struct module_var *var = &lw->module->state.data[i];
        if (place_of_row(lw, LLVMGetAggregateElement(rows, (unsigned)i), &place)) {
            describe_cell(lw, var, place);
            list_cell(lw, var, place);
        }
        vec_push(&lw->state.places, place);
    }
    return true;
}

bool lower_table_lists(const struct lowering *lw, uint32_t cell) {
    return lw->state.listed.data[cell];
}

static value_t read_by_function(struct lowering *lw, uint32_t i) {
    LLVMValueRef fn = LLVMGetNamedFunction(lw->bc->module, "gk_cell_read");
    if (!fn || LLVMIsDeclaration(fn) || LLVMCountParams(fn) != 1)
        return VALUE_NONE;
    value_t arg = term_int(lw->ts, 32, i);
    return lower_run(lw, fn, &arg, 1);
}

term_t lower_table_term(struct lowering *lw, uint32_t i) {
    const struct module_var *var = &lw->module->state.data[i];
    struct state_place place = lw->state.places.data[i];
    sort_t sort;
    lw->now = (struct path){0};
    if (!state_sort(var, &sort))
        return 0;
    value_t v = place.offset >= 0
                    ? lower_read(lw, place.object, (uint64_t)place.offset, (var->bits + 7u) / 8)
                    : read_by_function(lw, i);
    if (!v || v == VALUE_UNDEF)
        return 0;
    struct scalar s = value_as(lw, v, sort);
    return s.taint ? 0 : s.term;
}
