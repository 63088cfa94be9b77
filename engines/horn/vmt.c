/* The format: A. Griggio, the VMT format (of nuXmv and MathSAT), vmt-tools. Attributes count where
 * they annotate the whole body of a definition; elsewhere they are an error.
 *
 * The relation stays one: next values are inputs, and :trans is step_ok; so does :init, whose
 * values are inputs of the start. An input that :init speaks of is a cell that no step determines,
 * for its first value is chosen there. */
#include "engines/horn/vmt.h"

#include "engines/smtlib/parts.h"

#include <assert.h>

struct variable {
    const char *name;
    term_t var;
    uint32_t next; /* index of the variable that is its next value, NONE */
    bool is_next;
};

struct reading {
    struct horn *horn;
    struct smt *smt;
    struct terms *ts;
    VEC(struct variable) variables;
    struct map of_var; /* index by the number of the term's variable */
    term_t init, trans, property;
    bool has_property;
    struct err *err;
};

static bool fail(struct reading *r, const struct sx *at, const char *what) {
    return sx_error(&r->smt->reader, at, r->err, "%s", what);
}

/* ---- attributes ---- */

static bool is_attribute(const struct sx *x) {
    static const char *const names[] = {"next", "init", "trans", "invar-property", "live-property"};
    for (size_t i = 0; x->kind == SX_KEYWORD && i < sizeof names / sizeof *names; i++)
        if (str_same(x->text, names[i]))
            return true;
    return false;
}

/* (define-fun name () sort (! term …)): the body, else NULL. */
static const struct sx *annotated(const struct sx *x) {
    bool is = sx_is_list(x, "define-fun") && x->n == 5 && sx_is_list(x->items[4], "!");
    return is ? x->items[4] : NULL;
}

bool vmt_is(const char *text, size_t len) {
    struct smt_reader reader;
    struct err err = {0};
    const struct sx *x;
    bool found = false, other = false;
    smt_reader_init(&reader, "", text, len);
    while (!found && !other && (x = smt_read(&reader, &err))) {
        const struct sx *body = annotated(x);
        for (uint32_t i = 2; body && i < body->n; i++)
            found |= is_attribute(body->items[i]);
        other = sx_is_list(x, "assert") || sx_is_list(x, "check-sat") || sx_is_list(x, "push");
    }
    smt_reader_free(&reader);
    err_clear(&err);
    return found;
}

/* Attributes below the body would be read over. */
static bool only_outside(struct reading *r, const struct sx *x) {
    const struct sx *body = annotated(x);
    struct sx_list todo = {0};
    bool ok = true;
    vec_push(&todo, x);
    while (ok && todo.len > 0) {
        const struct sx *at = vec_pop(&todo);
        for (uint32_t i = 0; ok && at->kind == SX_LIST && i < at->n; i++) {
            vec_push(&todo, at->items[i]);
            if (at != body && is_attribute(at->items[i]))
                ok = fail(r, at->items[i], "an attribute of a part of a definition");
        }
    }
    vec_free(&todo);
    return ok;
}

/* What has been declared since the last time. */
static void add_variables(struct reading *r) {
    for (size_t i = r->variables.len; i < r->smt->declared.len; i++) {
        term_t var = r->smt->globals.data[r->smt->declared.data[i]].value.term;
        uint64_t number = term_get(r->ts, var)->payload;
        struct variable v = {.var = var, .next = NONE};
        v.name = system_name(&r->horn->sys, r->ts->vars.data[number].name);
        r->horn->numbers |= sort_is_number(term_sort(r->ts, var));
        map_put(&r->of_var, number, (uint32_t)r->variables.len);
        vec_push(&r->variables, v);
    }
}

static uint32_t variable_of(const struct reading *r, term_t t) {
    const struct term *node = term_get(r->ts, t);
    const uint32_t *index = node->op == OP_VAR ? map_get(&r->of_var, node->payload) : NULL;
    return index ? *index : NONE;
}

static bool value_at(struct reading *r, const struct sx *x, term_t *t) {
    struct smt_value value;
    if (!smt_elaborate(r->smt, x, &value, r->err))
        return false;
    if (value.why)
        return sx_error(&r->smt->reader, x, r->err, "not supported: %s", value.why);
    *t = value.term;
    return true;
}

/* Some tools give a next value that is declared nowhere, because nothing speaks of it. */
static void declare_next(struct reading *r, const struct sx *next, term_t now) {
    uint32_t id = next->kind == SX_SYMBOL ? smt_name(r->smt, next->text) : 0;
    if (id == 0 || smt_builtin_at(id) || r->smt->globals.data[id].kind != GLOBAL_NONE)
        return;
    sort_t sort = term_sort(r->ts, now);
    struct smt_value value = {.sort = smt_sort_of(sort)};
    value.term = term_var(r->ts, next->text, sort, false);
    smt_define(r->smt, id, (struct smt_global){.kind = GLOBAL_VALUE, .value = value});
    vec_push(&r->smt->declared, id);
    add_variables(r);
}

static bool take_next(struct reading *r, const struct sx *body, const struct sx *next) {
    term_t now = 0, then = 0;
    if (!value_at(r, body->items[1], &now))
        return false;
    declare_next(r, next, now);
    if (!value_at(r, next, &then))
        return false;
    uint32_t a = variable_of(r, now), b = variable_of(r, then);
    if (a == NONE || b == NONE || a == b || term_sort(r->ts, now) != term_sort(r->ts, then))
        return fail(r, next, "expected one variable and another of its sort, its next value");
    if (r->variables.data[a].next != NONE || r->variables.data[b].is_next)
        return fail(r, next, "the variable has a next value, or is one, already");
    r->variables.data[a].next = b;
    r->variables.data[b].is_next = true;
    return true;
}

static bool take_formula(struct reading *r, const struct sx *body, term_t *all) {
    term_t t = 0;
    if (!value_at(r, body->items[1], &t))
        return false;
    if (term_sort(r->ts, t) != SORT_BOOL)
        return fail(r, body->items[1], "expected a formula");
    *all = term_and(r->ts, *all, t);
    return true;
}

static bool take_attribute(struct reading *r, const struct sx *body, uint32_t i) {
    const struct sx *x = body->items[i];
    if (!is_attribute(x))
        return true;
    if (str_same(x->text, "next"))
        return i + 1 < body->n ? take_next(r, body, body->items[i + 1])
                               : fail(r, x, "expected the next value");
    if (str_same(x->text, "live-property"))
        return fail(r, x, "not supported: only safety is");
    r->has_property |= str_same(x->text, "invar-property");
    return take_formula(r, body,
                        str_same(x->text, "init")    ? &r->init
                        : str_same(x->text, "trans") ? &r->trans
                                                     : &r->property);
}

/* ---- commands ---- */

static bool is_any(const struct sx *x, const char *const *names, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (sx_is_list(x, names[i]))
            return true;
    return false;
}

static bool read_command(struct reading *r, const struct sx *x) {
    static const char *const silent[] = {"set-logic", "set-info", "set-option", "check-sat",
                                         "exit"};
    static const char *const known[] = {"declare-fun",  "declare-const", "define-fun",
                                        "define-const", "define-sort",   "declare-sort"};
    bool is_true = sx_is_list(x, "assert") && x->n == 2 && sx_is(x->items[1], "true");
    if (is_true || is_any(x, silent, sizeof silent / sizeof *silent))
        return true;
    if (!is_any(x, known, sizeof known / sizeof *known))
        return fail(r, x, "this command is not known in VMT");
    struct str out = {0};
    bool ok = only_outside(r, x) && smt_command(r->smt, x, &out, r->err);
    str_free(&out);
    if (!ok)
        return false;
    add_variables(r);
    const struct sx *body = annotated(x);
    for (uint32_t i = 2; body && i < body->n; i++)
        if (!take_attribute(r, body, i))
            return false;
    return true;
}

/* ---- the system ---- */

static void add_input(struct reading *r, const struct variable *v, term_t var, bool at_init) {
    struct sys_input input = {.name = v->name, .var = var, .module_input = NONE};
    input.at_init = at_init;
    vec_push(&r->horn->sys.inputs, input);
}

static term_t fresh(struct reading *r, const struct variable *v, bool at_init) {
    term_t var = term_var(r->ts, v->name, term_sort(r->ts, v->var), false);
    add_input(r, v, var, at_init);
    return var;
}

/* Next values have no place in :init and in the property. */
static bool check_scopes(struct reading *r, const bool *in_init, const bool *in_property) {
    for (size_t i = 0; i < r->variables.len; i++) {
        const struct variable *v = &r->variables.data[i];
        if (v->is_next && v->next != NONE)
            return sx_error(&r->smt->reader, NULL, r->err, "'%s' is a next value and has one",
                            v->name);
        if (v->is_next && (in_init[v->var] || in_property[v->var]))
            return sx_error(&r->smt->reader, NULL, r->err,
                            "the next value '%s' occurs in the start or the property", v->name);
    }
    return true;
}

static void add_variable(struct reading *r, const struct variable *v, bool in_init, term_t *map) {
    struct cell cell = {.name = v->name, .var = v->var};
    if (v->is_next || (v->next == NONE && !in_init)) {
        add_input(r, v, v->var, false);
        return;
    }
    cell.init = fresh(r, v, true);
    cell.next = v->next != NONE ? r->variables.data[v->next].var : fresh(r, v, false);
    map[term_get(r->ts, v->var)->payload] = cell.init;
    vec_push(&r->horn->sys.cells, cell);
}

static bool make_system(struct reading *r) {
    struct system *sys = &r->horn->sys;
    size_t n_vars = r->ts->vars.len;
    if (!r->has_property)
        return fail(r, NULL, "there is no definition with :invar-property");
    if (r->ts->vars.len != r->variables.len)
        return fail(r, NULL, "not supported: an operator whose result is not specified");
    bool *in_init = mem_zalloc(r->ts->nodes.len, sizeof *in_init);
    bool *in_property = mem_zalloc(r->ts->nodes.len, sizeof *in_property);
    term_t *map = mem_zalloc(n_vars + 1, sizeof *map);
    term_mark(r->ts, &r->init, 1, in_init);
    term_mark(r->ts, &r->property, 1, in_property);
    bool ok = check_scopes(r, in_init, in_property);
    for (size_t i = 0; ok && i < r->variables.len; i++)
        add_variable(r, &r->variables.data[i], in_init[r->variables.data[i].var], map);
    sys->init_ok = r->init;
    sys->step_ok = r->trans;
    term_substitute(r->ts, map, n_vars, &sys->init_ok, 1);
    term_t hit = term_not(r->ts, r->property);
    vec_push(&sys->targets, (struct target){TARGET_GOAL, 0, "property", hit, 0});
    mem_free(in_init);
    mem_free(in_property);
    mem_free(map);
    if (ok)
        check_system(sys);
    return ok;
}

bool vmt_read(struct horn *horn, struct err *err) {
    term_t yes = term_bool(horn->sys.terms, true);
    struct reading r = {.horn = horn,
                        .smt = horn->smt,
                        .ts = horn->sys.terms,
                        .init = yes,
                        .trans = yes,
                        .property = yes,
                        .err = err};
    const struct sx *x;
    bool ok = true;
    assert(horn->sys.cells.len == 0);
    while (ok && (x = smt_read(&horn->smt->reader, err)))
        ok = read_command(&r, x);
    ok = ok && err->code == ERR_NONE && make_system(&r);
    vec_free(&r.variables);
    map_free(&r.of_var);
    return ok;
}
