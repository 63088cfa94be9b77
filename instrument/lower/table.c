/* Rows of gk_cells are read from the bitcode's constants; a bit-field is found by running
 * gk_cell_read(i) on a state of variables and looking at what comes out. */
#include "instrument/lower/table.h"

#include "base/mem.h"
#include "instrument/syntax/sort.h"
#include "instrument/lower/access.h"
#include "instrument/lower/execute.h"
#include "instrument/lower/lowering.h"
#include "model/term/eval.h"

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
    if (at.offset != (uint64_t)place.offset || (var->type != TYPE_POINTER && at.size != bytes))
        return; /* a view of a union: the cell keeps its own name */
    lw->state.names.data[cell] = var->path;
    lw->state.is_signed.data[cell] = var->type == TYPE_SIGNED || var->type == TYPE_FLOAT;
    lw->plan->cells.data[cell].is_bool = var->type == TYPE_BOOL;
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

/* ---- where a bit-field lies, from the term that reads it ---- */

struct probe_word {
    struct lowering *lw;
    term_t term, var;
    uint64_t *vars, *values;
};

static uint64_t read_with(struct probe_word *p, uint64_t word) {
    p->vars[term_get(p->lw->ts, p->var)->payload] = word;
    term_eval(p->lw->ts, &p->term, 1, p->vars, p->values);
    return p->values[p->term];
}

/* Bit i of the field is bit offset + i of the word, or the term is something else. */
static bool field_of(struct probe_word *p, uint32_t bits, uint32_t *offset) {
    sort_t word = term_sort(p->lw->ts, p->var);
    uint32_t found = 0;
    if (read_with(p, 0) != 0)
        return false;
    for (uint32_t bit = 0; bit < word; bit++) {
        uint64_t seen = read_with(p, UINT64_C(1) << bit);
        if (seen == 0)
            continue;
        if (found == 0)
            *offset = bit;
        if (bit != *offset + found || seen != UINT64_C(1) << found++)
            return false;
    }
    return found == bits;
}

/* The only variable below t; 0 when there is another number of them. */
static term_t only_var(const struct lowering *lw, term_t t) {
    bool *mark = mem_zalloc(lw->ts->nodes.len, sizeof *mark);
    term_t var = 0;
    int n = 0;
    (void)term_mark(lw->ts, &t, 1, mark);
    for (term_t i = 1; i <= t; i++)
        if (mark[i] && term_get(lw->ts, i)->op == OP_VAR) {
            var = i;
            n++;
        }
    mem_free(mark);
    return n == 1 && sort_is_int(term_sort(lw->ts, var)) ? var : 0;
}

static void find_field(struct lowering *lw, const struct module_var *var, term_t t) {
    struct plan_field field = {0, var->bits, var->path, var->type == TYPE_SIGNED};
    struct probe_word p = {.lw = lw, .term = t, .var = only_var(lw, t)};
    if (!p.var || term_get(lw->ts, t)->op == OP_VAR)
        return;
    p.vars = mem_zalloc(lw->ts->vars.len, sizeof *p.vars);
    p.values = mem_zalloc(lw->ts->nodes.len, sizeof *p.values);
    bool is_field = field_of(&p, var->bits, &field.offset);
    mem_free(p.vars);
    mem_free(p.values);
    for (size_t i = 0; i < lw->state.cells.len && is_field; i++)
        if (lw->state.cells.data[i].vars[0] == p.var)
            lower_state_add_field(lw, lw->state.cells.data[i].cell, field);
}

term_t lower_table_term(struct lowering *lw, uint32_t i) {
    const struct module_var *var = &lw->module->state.data[i];
    struct state_place place = lw->state.places.data[i];
    sort_t sort = var_sort(var);
    lw->now = (struct path){0};
    if (var->type == TYPE_POINTER)
        return 0;
    value_t v = place.offset >= 0
                    ? lower_read(lw, place.object, (uint64_t)place.offset, (var->bits + 7u) / 8)
                    : read_by_function(lw, i);
    if (!v || v == VALUE_UNDEF)
        return 0;
    struct scalar s = value_as(lw, v, sort);
    if (place.offset < 0 && !s.taint)
        find_field(lw, var, s.term);
    return s.taint ? 0 : s.term;
}
