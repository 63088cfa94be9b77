/* core: relations into functions, equations between cells out, the cone of the property. */
#include "engines/horn/core.h"

#include "base/mem.h"
#include "model/term/number.h"
#include "model/term/simplify.h"

#include <assert.h>

term_t core_any(struct terms *ts, sort_t sort) {
    return sort_is_number(sort) ? term_number(ts, sort, "0") : term_const(ts, sort, 0);
}

/* ---- inputs ---- */

static uint64_t var_of(const struct system *sys, term_t var) {
    return term_bits(sys->terms, var);
}

/* Inputs of a kind, but for those that targets read: these are hit where no constraint holds. */
static void allow_inputs(const struct system *sys, bool at_init, struct definitions *d) {
    struct terms *ts = sys->terms;
    const struct target *target = &sys->targets.data[0];
    bool *read = mem_zalloc(ts->nodes.len, sizeof *read);
    term_mark(ts, (term_t[]){target->hit, target->init_hit}, 2, read);
    for (size_t i = 0; i < sys->inputs.len; i++) {
        const struct sys_input *input = &sys->inputs.data[i];
        if (input->at_init == at_init && !read[input->var])
            d->may.data[var_of(sys, input->var)] = true;
    }
    mem_free(read);
}

static void solve_inputs(struct core *core, bool at_init, struct definitions *d) {
    struct system *sys = &core->sys;
    term_t *holds = at_init ? &sys->init_ok : &sys->step_ok;
    allow_inputs(sys, at_init, d);
    *holds = definitions_find(d, *holds);
    for (size_t i = 0; i < sys->cells.len; i++)
        definitions_apply(d, at_init ? &sys->cells.data[i].init : &sys->cells.data[i].next, 1);
    for (size_t i = 0; i < sys->inputs.len; i++)
        if (sys->inputs.data[i].at_init == at_init)
            core->input.data[i] = d->value.data[var_of(sys, sys->inputs.data[i].var)];
}

/* ---- equations ---- */

/* The condition, with the cells as they are at the start, or after a step. */
static term_t afterwards(const struct system *sys, term_t condition, bool initial) {
    struct horn_terms map = {0};
    vec_resize_zero(&map, sys->terms->vars.len);
    for (size_t i = 0; i < sys->cells.len; i++) {
        const struct cell *c = &sys->cells.data[i];
        map.data[var_of(sys, c->var)] = initial ? c->init : c->next;
    }
    term_substitute(sys->terms, map.data, map.len, &condition, 1);
    vec_free(&map);
    return condition;
}

static bool always_holds(const struct system *sys, term_t condition) {
    return term_is_true(sys->terms, afterwards(sys, condition, true)) &&
           term_is_true(sys->terms, afterwards(sys, condition, false));
}

/* The cell is this term in every state: it is so at the start and after each step. */
static bool always_is(const struct system *sys, const struct cell *c, term_t is) {
    return afterwards(sys, is, true) == c->init && afterwards(sys, is, false) == c->next;
}

static bool only_cells(const struct system *sys, term_t condition) {
    bool *mark = mem_zalloc(sys->terms->nodes.len, sizeof *mark), only = true;
    term_mark(sys->terms, &condition, 1, mark);
    for (size_t i = 0; i < sys->inputs.len && only; i++)
        only = !mark[sys->inputs.data[i].var];
    mem_free(mark);
    return only;
}

/* One of the halves that a definition by cases consists of. */
static bool is_half(const struct system *sys, term_t part) {
    bool negated = term_is(sys->terms, part, OP_NOT);
    term_t atom = negated ? term_arg(sys->terms, part, 0) : part;
    return term_is(sys->terms, atom, negated ? OP_AND : OP_OR) && only_cells(sys, part);
}

/* Takes parts out of step_ok that may be equations between cells. */
static term_t take_equations(struct system *sys) {
    struct horn_terms parts = {0};
    term_t taken = term_bool(sys->terms, true), rest = taken;
    definitions_split(sys->terms, sys->step_ok, &parts);
    for (size_t i = 0; i < parts.len; i++) {
        bool take = always_holds(sys, parts.data[i]) || is_half(sys, parts.data[i]);
        term_t *place = take ? &taken : &rest;
        *place = term_and(sys->terms, *place, parts.data[i]);
    }
    sys->step_ok = rest;
    vec_free(&parts);
    return taken;
}

/* Cells that are not always what was found stay, and what was found stays a constraint. */
static void settle_equations(struct core *core, struct definitions *d) {
    struct system *sys = &core->sys;
    struct terms *ts = sys->terms;
    core->equations = term_bool(ts, true);
    for (size_t i = 0; i < sys->cells.len; i++) {
        const struct cell *c = &sys->cells.data[i];
        term_t *is = &d->value.data[var_of(sys, c->var)];
        if (!*is)
            continue;
        bool always = always_is(sys, c, *is);
        term_t *place = always ? &core->equations : &sys->step_ok;
        *place = term_and(ts, *place, term_eq(ts, c->var, *is));
        if (!always)
            *is = 0;
    }
}

static void drop_cells(struct system *sys, const bool *dropped) {
    size_t kept = 0;
    assert(dropped);
    for (size_t i = 0; i < sys->cells.len; i++)
        if (!dropped[i])
            sys->cells.data[kept++] = sys->cells.data[i];
    sys->cells.len = kept;
}

static void solve_equations(struct core *core) {
    struct system *sys = &core->sys;
    struct definitions d;
    bool *dropped = mem_zalloc(sys->cells.len + 1, sizeof *dropped);
    definitions_init(&d, sys->terms);
    for (size_t i = 0; i < sys->cells.len; i++)
        d.may.data[var_of(sys, sys->cells.data[i].var)] = true;
    term_t rest = definitions_find(&d, take_equations(sys));
    sys->step_ok = term_and(sys->terms, sys->step_ok, rest);
    settle_equations(core, &d);
    definitions_apply(&d, &sys->step_ok, 1);
    definitions_apply(&d, &sys->targets.data[0].hit, 1);
    for (size_t i = 0; i < sys->cells.len; i++) {
        dropped[i] = d.value.data[var_of(sys, sys->cells.data[i].var)] != 0;
        definitions_apply(&d, &sys->cells.data[i].next, 1);
    }
    drop_cells(sys, dropped);
    definitions_free(&d);
    mem_free(dropped);
}

/* ---- the cone ---- */

static bool mark_new(const struct system *sys, term_t root, bool *mark) {
    bool known = mark[root];
    term_mark(sys->terms, &root, 1, mark);
    return !known;
}

void core_cut(struct system *sys) {
    const struct target *target = &sys->targets.data[0];
    bool *mark = mem_zalloc(sys->terms->nodes.len, sizeof *mark), grown = true;
    bool *dropped = mem_zalloc(sys->cells.len + 1, sizeof *dropped);
    term_mark(sys->terms, (term_t[]){target->hit, target->init_hit, sys->init_ok, sys->step_ok}, 4,
              mark);
    while (grown) {
        grown = false;
        for (size_t i = 0; i < sys->cells.len; i++) {
            const struct cell *c = &sys->cells.data[i];
            if (mark[c->var] && mark_new(sys, c->next, mark))
                grown = true;
        }
    }
    for (size_t i = 0; i < sys->cells.len; i++) {
        dropped[i] = !mark[sys->cells.data[i].var];
        if (!dropped[i])
            term_mark(sys->terms, &sys->cells.data[i].init, 1, mark);
    }
    drop_cells(sys, dropped);
    size_t kept = 0;
    for (size_t i = 0; i < sys->inputs.len; i++)
        if (mark[sys->inputs.data[i].var])
            sys->inputs.data[kept++] = sys->inputs.data[i];
    sys->inputs.len = kept;
    mem_free(dropped);
    mem_free(mark);
}

/* ---- all ---- */

static void copy_system(struct core *core, const struct system *whole) {
    struct system *sys = &core->sys;
    system_init(sys, whole->terms);
    sys->name = whole->name;
    vec_append(&sys->cells, whole->cells.data, whole->cells.len);
    vec_append(&sys->inputs, whole->inputs.data, whole->inputs.len);
    vec_append(&sys->targets, whole->targets.data, whole->targets.len);
    sys->init_ok = whole->init_ok;
    sys->step_ok = whole->step_ok;
}

void core_make(struct core *core, const struct system *whole) {
    struct definitions at_init, of_step;
    assert(whole->targets.len == 1 && "horn clauses have one property");
    *core = (struct core){.whole = whole};
    copy_system(core, whole);
    vec_resize_zero(&core->input, whole->inputs.len);
    definitions_init(&at_init, whole->terms);
    definitions_init(&of_step, whole->terms);
    solve_inputs(core, true, &at_init);
    solve_inputs(core, false, &of_step);
    solve_equations(core);
    core_cut(&core->sys);
    definitions_free(&at_init);
    definitions_free(&of_step);
    check_system(&core->sys);
}

void core_free(struct core *core) {
    system_free(&core->sys);
    vec_free(&core->input);
}
