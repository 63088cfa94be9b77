/* The module is woven and lowered once more with ranges, constants and ends set free; what was
 * taken away comes back as one condition a promise, found by the input that it speaks of. */
#include "app/because/freed.h"

#include "app/run/loops.h"
#include "base/mem.h"
#include "model/system/derive.h"

/* ---- the program ---- */

/* Every parameter, and every constant, has any value of its type. */
static void free_parameters(struct project *project, const struct project *from) {
    project->free_constants = true;
    project->vars.data = NULL;
    project->vars.len = project->vars.cap = 0;
    vec_append(&project->vars, from->vars.data, from->vars.len);
    for (size_t i = 0; i < project->vars.len; i++) {
        struct project_var *v = &project->vars.data[i];
        if (v->is_parameter && !v->range_mode) {
            v->range_mode = true;
            v->has_min = v->has_max = false;
        }
    }
}

static bool same_goals(const struct goals *a, const struct goals *b) {
    bool same = a->n_probes == b->n_probes && a->list.len == b->list.len;
    for (size_t i = 0; same && i < a->list.len; i++)
        same = a->list.data[i].key == b->list.data[i].key &&
               a->list.data[i].probe == b->list.data[i].probe;
    return same;
}

static bool weave_freed(struct freed *f, const struct session *s, struct err *err) {
    struct project project = s->project;
    free_parameters(&project, &s->project);
    bool ok = weave(&project, &f->own, err);
    vec_free(&project.vars);
    f->woven = &f->own;
    if (ok && !same_goals(&f->own.goals, &s->woven.goals)) {
        woven_free(&f->own);
        ok = err_set(err, ERR_SOURCE, "without fixed parameters it has other goals");
    }
    return ok;
}

static void release_woven(struct freed *f) {
    if (f->woven == &f->own)
        woven_free(&f->own);
}

/* Of functions that end the run, which would have nothing behind them. */
static const char *const they_return[] = {
    "-D__noreturn__=", "-Dnoreturn=", "-D_Noreturn=", "-DGK_ENDS_RETURN", NULL};

static bool model_freed(struct freed *f, const struct session *s, unsigned freedom,
                        struct err *err) {
    bool ends = freedom & FREE_ENDS;
    struct lower_options options = {.n_probes = f->woven->goals.n_probes,
                                    .promises = true,
                                    .keep_loops = s->model.keeps_loops,
                                    .free_ends = ends,
                                    .free_lines = freedom & FREE_LINES,
                                    .clang_args = ends ? they_return : NULL,
                                    .total_seconds = s->project.total_seconds};
    loops_ask(&options);
    terms_init(&f->terms);
    system_init(&f->sys, &f->terms);
    if (lower(str_text(&f->woven->text), &f->woven->module, &options, &f->sys, &f->lowered, err))
        return true;
    system_free(&f->sys);
    terms_free(&f->terms);
    release_woven(f);
    return false;
}

/* ---- promises ---- */

static struct promise *promise_of(struct freed *f, struct promised what) {
    for (size_t i = 0; i < f->what.len; i++)
        if (f->what.data[i].kind == what.kind && f->what.data[i].index == what.index)
            return &f->promises.data[i];
    vec_push(&f->what, what);
    vec_push(&f->promises, (struct promise){0});
    return &vec_last(&f->promises);
}

static void add_condition(struct promise *p, struct lowered_promise l) {
    if (l.at_init)
        vec_push(&p->init, l.term);
    else
        vec_push(&p->step, l.term);
}

static void promise_ends(struct freed *f) {
    for (size_t i = 0; i < f->lowered.promises.len; i++) {
        struct lowered_promise l = f->lowered.promises.data[i];
        struct promised what = {.kind = PROMISED_END, .index = l.end};
        if (l.end != NONE)
            add_condition(promise_of(f, what), l);
    }
}

/* The parameter that the run of the user holds fixed; NONE: this cell is none. */
static uint32_t fixed_parameter(const struct freed *f, const struct session *s,
                                const struct cell *cell) {
    const struct module *had = &s->woven.module, *has = &f->woven->module;
    for (size_t i = 0; i < f->sys.inputs.len; i++) {
        uint32_t id = f->sys.inputs.data[i].module_input;
        if (f->sys.inputs.data[i].var != cell->init || id == NONE ||
            has->inputs.data[id].role != VAR_PARAMETER)
            continue;
        for (size_t k = 0; k < had->inputs.len; k++)
            if (str_same(had->inputs.data[k].path, has->inputs.data[id].path))
                return NONE;
        return id;
    }
    return NONE;
}

/* The term with the cell replaced by what initialises it. */
static term_t initially(struct freed *f, const struct cell *cell, term_t t) {
    VEC(term_t) map = {0};
    vec_resize_zero(&map, f->terms.vars.len);
    map.data[term_get(&f->terms, cell->var)->payload] = cell->init;
    term_substitute(&f->terms, map.data, map.len, &t, 1);
    vec_free(&map);
    return t;
}

static struct bound bound_on(const struct freed *f, uint32_t cell, enum bound_kind kind,
                             uint64_t bits) {
    const struct term *var = term_get(&f->terms, f->sys.cells.data[cell].var);
    bool is_signed = f->terms.vars.data[var->payload].is_signed;
    return (struct bound){
        .cell = cell, .kind = kind, .ordinal = ordinal_of(var->sort, is_signed, bits)};
}

static bool says_something(const struct freed *f, struct bound b) {
    return bound_truth(&f->sys, b) == BOUND_OPEN;
}

/* "cell is this value" as clauses. */
static void add_value(struct freed *f, uint32_t cell, uint64_t bits) {
    sort_t sort = term_sort(&f->terms, f->sys.cells.data[cell].var);
    if (sort_is_float(sort) && bits_are_nan(sort, bits))
        return;
    for (enum bound_kind kind = BOUND_GE; kind <= BOUND_LE; kind++) {
        struct bound b = bound_on(f, cell, kind, bits);
        if (says_something(f, b))
            invariant_add(&f->facts, &b, 1);
    }
}

static void promise_value(struct freed *f, uint32_t cell, uint32_t input, uint64_t bits) {
    const struct cell *c = &f->sys.cells.data[cell];
    struct promised what = {.kind = PROMISED_VALUE, .index = input, .bits = bits};
    struct promise *p = promise_of(f, what);
    for (enum bound_kind kind = BOUND_GE; kind <= BOUND_LE; kind++) {
        struct bound b = bound_on(f, cell, kind, bits);
        if (says_something(f, b))
            vec_push(&p->init, initially(f, c, bound_term(&f->sys, b)));
    }
    add_value(f, cell, bits);
}

static uint32_t cell_named(const struct freed *f, const char *name) {
    for (uint32_t i = 0; i < f->sys.cells.len; i++)
        if (str_same(f->sys.cells.data[i].name, name))
            return i;
    return NONE;
}

/* The value is that of the parameter's own cell. One that the initialisation copies it into has it
 * when steps begin, whatever it starts with itself. */
static void promise_values(struct freed *f, const struct session *s) {
    for (uint32_t i = 0; i < f->lowered.start.len; i++) {
        uint32_t input = fixed_parameter(f, s, &f->sys.cells.data[i]);
        uint32_t own =
            input == NONE ? NONE : cell_named(f, f->woven->module.inputs.data[input].path);
        if (own == NONE || !f->lowered.start.data[own].known)
            continue;
        if (own == i)
            promise_value(f, i, input, f->lowered.start.data[i].bits);
        else
            add_value(f, i, f->lowered.start.data[own].bits);
    }
}

/* The one module input that a term reads; NONE: several, or a cell. Where loops are kept, what is
 * assumed is assumed at one place, which is in the term. */
static uint32_t only_input(const struct freed *f, term_t t) {
    VEC(bool) mark = {0};
    uint32_t only = NONE, place = lowered_place(&f->sys);
    bool good = true;
    vec_resize_zero(&mark, f->terms.nodes.len);
    (void)term_mark(&f->terms, &t, 1, mark.data);
    for (size_t i = 0; i < f->sys.cells.len; i++)
        good &= i == place || !mark.data[f->sys.cells.data[i].var];
    for (size_t i = 0; i < f->sys.inputs.len; i++) {
        uint32_t id = f->sys.inputs.data[i].module_input;
        if (!mark.data[f->sys.inputs.data[i].var])
            continue;
        good &= id != NONE && (only == NONE || only == id);
        only = id;
    }
    vec_free(&mark);
    return good ? only : NONE;
}

/* The harness assigns an input and assumes its range at once; constraints of the user come when all
 * inputs have their values. So the second condition on an input in the same phase is one of these,
 * unless there are none or it is read anew each time. */
static bool is_range(const struct freed *f, const struct map *seen, uint32_t input, bool at_init) {
    if (input == NONE || !f->woven->module.inputs.data[input].has_range)
        return false;
    enum var_role role = f->woven->module.inputs.data[input].role;
    return role == VAR_VOLATILE || role == VAR_STUB || f->woven->module.assumptions.len == 0 ||
           !map_get(seen, (uint64_t)input << 1 | at_init);
}

static void promise_conditions(struct freed *f) {
    struct map seen = {0};
    uint32_t assumptions[2] = {0}, n = (uint32_t)f->woven->module.assumptions.len;
    for (size_t i = 0; i < f->lowered.promises.len; i++) {
        struct lowered_promise l = f->lowered.promises.data[i];
        if (l.end != NONE)
            continue;
        uint32_t input = only_input(f, l.term);
        struct promised what = {.kind = PROMISED_RANGE, .index = input};
        if (!is_range(f, &seen, input, l.at_init)) {
            what.kind = PROMISED_ASSUMPTION;
            what.index = assumptions[l.at_init]++;
            if (what.index >= n || l.at_init) /* only some of them are about init */
                what.index = n;
        }
        map_put(&seen, (uint64_t)input << 1 | l.at_init, 1);
        add_condition(promise_of(f, what), l);
    }
    map_free(&seen);
}

static void note_readers(struct freed *f) {
    VEC(bool) mark = {0};
    for (size_t i = 0; i < f->promises.len; i++) {
        const struct promise *p = &f->promises.data[i];
        struct reader reader = {0};
        vec_clear(&mark);
        vec_resize_zero(&mark, f->terms.nodes.len);
        (void)term_mark(&f->terms, p->init.data, p->init.len, mark.data);
        (void)term_mark(&f->terms, p->step.data, p->step.len, mark.data);
        for (term_t t = 1; t < f->terms.nodes.len; t++)
            if (mark.data[t] && term_get(&f->terms, t)->op == OP_VAR)
                vec_push(&reader.vars, (uint32_t)term_get(&f->terms, t)->payload);
        vec_push(&f->readers, reader);
    }
    vec_free(&mark);
}

/* ---- what follows from them ---- */

static void add_equal(struct freed *f, uint32_t a, uint32_t b) {
    term_t x = f->sys.cells.data[a].var, y = f->sys.cells.data[b].var;
    if (term_sort(&f->terms, x) != term_sort(&f->terms, y) ||
        sort_is_float(term_sort(&f->terms, x)))
        return;
    term_t equal = term_op2(&f->terms, OP_EQ, x, y);
    if (!system_can_derive(&f->sys, equal))
        return;
    struct bound b1 = {
        .cell = system_derive(&f->sys, equal, false), .kind = BOUND_GE, .ordinal = 1};
    invariant_add(&f->facts, &b1, 1);
}

/* What the model of the run has folded. */
static void add_folded(struct freed *f, const struct session *s) {
    for (size_t i = 0; i < s->model.sys.folded.len; i++) {
        const struct folded *folded = &s->model.sys.folded.data[i];
        uint32_t cell = cell_named(f, folded->name);
        if (cell == NONE)
            continue;
        if (folded->same_as == NONE)
            add_value(f, cell, folded->bits);
        else {
            uint32_t same = cell_named(f, s->model.sys.cells.data[folded->same_as].name);
            if (same != NONE)
                add_equal(f, cell, same);
        }
    }
}

bool freed_open(struct freed *f, const struct session *s, unsigned freedom, struct err *err) {
    assert(!(freedom & FREE_ENDS) || !(freedom & FREE_LINES));
    *f = (struct freed){.woven = &s->woven};
    if (((freedom & FREE_VALUES) && !weave_freed(f, s, err)) || !model_freed(f, s, freedom, err))
        return false;
    invariant_init(&f->facts);
    promise_ends(f);
    promise_values(f, s);
    promise_conditions(f);
    add_folded(f, s);
    note_readers(f);
    assert(f->what.len == f->promises.len && f->readers.len == f->promises.len);
    return true;
}

void freed_close(struct freed *f) {
    vec_free(&f->what);
    for (size_t i = 0; i < f->readers.len; i++)
        vec_free(&f->readers.data[i].vars);
    vec_free(&f->readers);
    promises_free(&f->promises);
    invariant_free(&f->facts);
    system_free(&f->sys);
    lowered_free(&f->lowered);
    terms_free(&f->terms);
    release_woven(f);
}
