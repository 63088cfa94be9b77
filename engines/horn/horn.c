/* horn: commands to clauses, clauses to a transition system. Formulas are read by the SMT-LIB front
 * end, which recurses on nothing. */
#include "engines/horn/horn.h"

#include "engines/horn/btor2.h"
#include "engines/horn/vmt.h"
#include "engines/smtlib/parts.h"

#include <assert.h>
#include <stdio.h>

VEC_STRUCT(term_list, term_t);

/* (=> body head): `pre` and `post` are the predicate in body and head, NULL where it is not. */
struct clause_text {
    const struct sx *at, *vars, *pre, *post, *head;
    struct sx_list body;
};

struct reading {
    struct horn *horn;
    struct smt *smt;
    struct terms *terms;
    struct system *sys;
    VEC(struct smt_sort) sorts; /* of the predicate's arguments */
    VEC(struct clause_text) clauses;
    /* by clause of a kind: what holds, and the cells' values one after the other */
    struct term_list init_ok, init, step_ok, step;
    VEC(term_t) vars; /* of the clause at hand */
    size_t n_vars;    /* of all, and cells */
    struct err *err;
};

static bool fail(struct reading *r, const struct sx *at, const char *what) {
    return sx_error(&r->smt->reader, at, r->err, "%s", what);
}

/* ---- clauses ---- */

static bool is_predicate(const struct reading *r, const struct sx *x) {
    if (!r->horn->predicate)
        return false;
    return r->sorts.len == 0 ? sx_is(x, r->horn->predicate) : sx_is_list(x, r->horn->predicate);
}

static bool take_predicate(struct reading *r, const struct sx *x, const struct sx **place) {
    if (*place)
        return fail(r, x, "the predicate occurs twice in a body: clauses must be linear");
    if (x->kind == SX_LIST && x->n != r->sorts.len + 1)
        return fail(r, x, "the predicate has another number of arguments");
    *place = x;
    return true;
}

/* Conjuncts of the body; `and` below `and` too. */
static bool split_body(struct reading *r, const struct sx *body, struct clause_text *c) {
    struct sx_list todo = {0};
    bool ok = true;
    vec_push(&todo, body);
    while (ok && todo.len > 0) {
        const struct sx *x = vec_pop(&todo);
        if (is_predicate(r, x))
            ok = take_predicate(r, x, &c->pre);
        else if (sx_is_list(x, "and"))
            for (uint32_t i = x->n; i > 1; i--)
                vec_push(&todo, x->items[i - 1]);
        else
            vec_push(&c->body, x);
    }
    vec_free(&todo);
    return ok;
}

static bool read_clause(struct reading *r, const struct sx *x) {
    struct clause_text c = {.at = x};
    if (!r->horn->predicate)
        return fail(r, x, "a clause before the predicate is declared");
    if (sx_is_list(x, "forall")) {
        if (x->n != 3 || x->items[1]->kind != SX_LIST)
            return fail(r, x, "expected (forall (variables) clause)");
        c.vars = x->items[1];
        x = x->items[2];
    }
    const struct sx *body = NULL;
    c.head = x;
    if (sx_is_list(x, "=>")) {
        if (x->n != 3)
            return fail(r, x, "expected (=> body head)");
        body = x->items[1];
        c.head = x->items[2];
    }
    bool ok = true;
    if (is_predicate(r, c.head))
        ok = take_predicate(r, c.head, &c.post);
    if (body)
        ok = ok && split_body(r, body, &c);
    vec_push(&r->clauses, c);
    return ok;
}

/* NULL for the sorts that cells and variables may have. */
static const char *sort_lack(struct smt_sort sort) {
    return sort.kind == SMT_RM ? "rounding modes as values of variables" : smt_sort_lack(sort);
}

static bool declare(struct reading *r, const struct sx *x) {
    if (x->n != 4 || x->items[1]->kind != SX_SYMBOL || x->items[2]->kind != SX_LIST ||
        !sx_is(x->items[3], "Bool"))
        return fail(r, x, "expected (declare-fun name (sorts) Bool)");
    if (r->horn->predicate)
        return fail(r, x, "a second predicate: only systems with one are read");
    if (smt_builtin_at(smt_name(r->smt, x->items[1]->text)))
        return fail(r, x->items[1], "the predicate has the name of an operator");
    for (uint32_t i = 0; i < x->items[2]->n; i++) {
        struct smt_sort sort;
        if (!smt_parse_sort(r->smt, x->items[2]->items[i], &sort, r->err))
            return false;
        if (sort_lack(sort))
            return fail(r, x->items[2]->items[i], sort_lack(sort));
        r->horn->numbers |= sort.kind == SMT_NUMBER;
        vec_push(&r->sorts, sort);
    }
    r->horn->predicate = x->items[1]->text;
    struct smt_global below = {.kind = GLOBAL_VALUE};
    below.value.why = "the predicate below a connective";
    smt_define(r->smt, smt_name(r->smt, r->horn->predicate), below);
    return true;
}

static bool read_command(struct reading *r, const struct sx *x) {
    static const char *const silent[] = {"set-info", "set-option", "check-sat", "get-model",
                                         "exit"};
    if (sx_is_list(x, "assert") && x->n == 2)
        return read_clause(r, x->items[1]);
    if (sx_is_list(x, "declare-fun"))
        return declare(r, x);
    if (sx_is_list(x, "set-logic"))
        return true;
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
        if (sx_is_list(x, silent[i]))
            return true;
    return fail(r, x, "this command is not known in scripts of Horn clauses");
}

/* ---- variables ---- */

/* The cell of which this quantified variable is the value before the step, NONE if of none. */
static uint32_t cell_named(const struct clause_text *c, const char *name) {
    for (uint32_t i = 1; c->pre && c->pre->kind == SX_LIST && i < c->pre->n; i++)
        if (sx_is(c->pre->items[i], name))
            return i - 1;
    return NONE;
}

static bool define_variable(struct reading *r, const struct clause_text *c, const struct sx *v) {
    struct smt_value value = {.term = 0};
    if (v->kind != SX_LIST || v->n != 2 || v->items[0]->kind != SX_SYMBOL)
        return fail(r, v, "a variable is (name sort)");
    if (!smt_parse_sort(r->smt, v->items[1], &value.sort, r->err))
        return false;
    if (sort_lack(value.sort))
        return fail(r, v, sort_lack(value.sort));
    uint32_t id = smt_name(r->smt, v->items[0]->text);
    if (smt_builtin_at(id) || sx_is(v->items[0], r->horn->predicate))
        return fail(r, v, "the variable has the name of an operator or of the predicate");
    uint32_t cell = cell_named(c, v->items[0]->text);
    if (cell != NONE && smt_sort_same(value.sort, r->sorts.data[cell])) {
        value.term = r->sys->cells.data[cell].var;
    } else {
        value.term = term_var(r->terms, v->items[0]->text, smt_term_sort(value.sort), false);
        vec_push(&r->vars, value.term);
        r->n_vars++;
    }
    r->horn->numbers |= value.sort.kind == SMT_NUMBER;
    smt_define(r->smt, id, (struct smt_global){.kind = GLOBAL_VALUE, .value = value});
    return true;
}

/* Variables that matter become inputs. */
static void add_inputs(struct reading *r, const struct term_list *roots, bool at_init) {
    assert(roots->len > 0);
    bool *mark = mem_zalloc(r->terms->nodes.len, sizeof *mark);
    term_mark(r->terms, roots->data, roots->len, mark);
    for (size_t i = 0; i < r->vars.len; i++) {
        term_t var = r->vars.data[i];
        uint64_t index = term_get(r->terms, var)->payload;
        struct sys_input input = {.var = var, .module_input = NONE, .at_init = at_init};
        input.name = system_name(r->sys, r->terms->vars.data[index].name);
        if (mark[var])
            vec_push(&r->sys->inputs, input);
    }
    mem_free(mark);
}

/* ---- formulas ---- */

static bool elaborate(struct reading *r, const struct sx *x, struct smt_sort sort, term_t *t) {
    struct smt_value value;
    if (!smt_elaborate(r->smt, x, &value, r->err))
        return false;
    if (value.why)
        return sx_error(&r->smt->reader, x, r->err, "not supported: %s", value.why);
    if (!smt_sort_same(value.sort, sort))
        return fail(r, x, "this has another sort than its place");
    *t = value.term;
    return true;
}

static const struct smt_sort boolean = {SMT_BOOL, 0, 0};

/* What a clause says beside its predicates, its head negated if that is a formula. */
static bool clause_condition(struct reading *r, const struct clause_text *c, term_t *holds) {
    term_t t;
    *holds = term_bool(r->terms, true);
    for (size_t i = 0; i < c->body.len; i++) {
        if (!elaborate(r, c->body.data[i], boolean, &t))
            return false;
        *holds = term_and(r->terms, *holds, t);
    }
    if (!c->post) {
        if (!elaborate(r, c->head, boolean, &t))
            return false;
        *holds = term_and(r->terms, *holds, term_not(r->terms, t));
    }
    for (uint32_t i = 1; c->pre && c->pre->kind == SX_LIST && i < c->pre->n; i++) {
        if (!elaborate(r, c->pre->items[i], r->sorts.data[i - 1], &t))
            return false;
        term_t same = term_eq(r->terms, t, r->sys->cells.data[i - 1].var);
        *holds = term_and(r->terms, *holds, same);
    }
    return true;
}

static bool clause_values(struct reading *r, const struct clause_text *c, struct term_list *out) {
    assert(c->post);
    for (uint32_t i = 0; i < r->sorts.len; i++) {
        term_t t;
        if (!elaborate(r, c->post->items[i + 1], r->sorts.data[i], &t))
            return false;
        vec_push(out, t);
    }
    return true;
}

static void add_hit(struct reading *r, bool initial, term_t hit) {
    assert(r->sys->targets.len == 1 && term_sort(r->terms, hit) == SORT_BOOL);
    struct target *target = &r->sys->targets.data[0];
    term_t *place = initial ? &target->init_hit : &target->hit;
    *place = *place ? term_or(r->terms, *place, hit) : hit;
}

static bool use_clause(struct reading *r, const struct clause_text *c) {
    struct term_list roots = {0};
    term_t holds;
    assert(r->sys->cells.len == r->sorts.len);
    vec_clear(&r->vars);
    for (uint32_t i = 0; c->vars && i < c->vars->n; i++)
        if (!define_variable(r, c, c->vars->items[i]))
            return false;
    bool ok = clause_condition(r, c, &holds) && (!c->post || clause_values(r, c, &roots));
    if (ok && c->post) {
        vec_append(c->pre ? &r->step : &r->init, roots.data, roots.len);
        vec_push(c->pre ? &r->step_ok : &r->init_ok, holds);
    } else if (ok) {
        add_hit(r, !c->pre, holds);
    }
    if (ok) {
        vec_push(&roots, holds);
        add_inputs(r, &roots, !c->pre);
    }
    vec_free(&roots);
    return ok;
}

/* ---- the system ---- */

/* Cells are called as the first clause calls them. */
static void add_cells(struct reading *r) {
    const struct clause_text *c = r->clauses.len ? &r->clauses.data[0] : NULL;
    const struct sx *named = c ? c->post ? c->post : c->pre : NULL;
    for (uint32_t i = 0; i < r->sorts.len; i++) {
        const struct sx *x = named ? named->items[i + 1] : NULL;
        char number[32];
        snprintf(number, sizeof number, "state.%u", i);
        const char *name = system_name(r->sys, x && x->kind == SX_SYMBOL ? x->text : number);
        term_t var = term_var(r->terms, name, smt_term_sort(r->sorts.data[i]), false);
        vec_push(&r->sys->cells, (struct cell){.name = name, .var = var});
        r->n_vars++;
    }
}

/* One of the clauses of a kind, as inputs choose: what holds and the value of each cell. */
static void choose(struct reading *r, const struct term_list *ok, const struct term_list *values,
                   bool at_init) {
    struct terms *ts = r->terms;
    size_t n = r->sorts.len;
    assert(ok->len > 0 && values->len == ok->len * n);
    term_t holds = vec_last(ok);
    struct term_list chosen = {0};
    vec_append(&chosen, values->data + (ok->len - 1) * n, n);
    for (size_t c = ok->len - 1; c-- > 0;) {
        struct sys_input input = {.name = "clause", .module_input = NONE, .at_init = at_init};
        input.var = term_var(ts, "clause", SORT_BOOL, false);
        vec_push(&r->sys->inputs, input);
        holds = term_ite(ts, input.var, ok->data[c], holds);
        for (size_t i = 0; i < n; i++)
            chosen.data[i] = term_ite(ts, input.var, values->data[c * n + i], chosen.data[i]);
    }
    *(at_init ? &r->sys->init_ok : &r->sys->step_ok) = holds;
    for (size_t i = 0; i < n; i++)
        *(at_init ? &r->sys->cells.data[i].init : &r->sys->cells.data[i].next) = chosen.data[i];
    vec_free(&chosen);
}

/* Without a clause of a kind there is no start, or no step. */
static void choose_or_none(struct reading *r, struct term_list *ok, struct term_list *values,
                           bool at_init) {
    if (ok->len == 0) {
        vec_push(ok, term_bool(r->terms, false));
        for (size_t i = 0; i < r->sorts.len; i++) {
            term_t var = r->sys->cells.data[i].var;
            if (at_init) {
                var = term_var(r->terms, "none", term_sort(r->terms, var), false);
                vec_push(&r->sys->inputs,
                         (struct sys_input){"none", var, 0, NONE, .at_init = true});
            }
            vec_push(values, var);
        }
    }
    choose(r, ok, values, at_init);
}

static bool make_system(struct reading *r) {
    if (!r->horn->predicate)
        return fail(r, NULL, "no predicate is declared");
    add_cells(r);
    vec_push(&r->sys->targets, (struct target){TARGET_GOAL, 0, "property", 0, 0});
    for (size_t i = 0; i < r->clauses.len; i++) {
        size_t undos = r->smt->undos.len;
        if (!use_clause(r, &r->clauses.data[i]))
            return false;
        smt_undo_to(r->smt, undos);
    }
    if (r->terms->vars.len != r->n_vars)
        return fail(r, NULL, "not supported: an operator whose result is not specified");
    choose_or_none(r, &r->init_ok, &r->init, true);
    choose_or_none(r, &r->step_ok, &r->step, false);
    if (!r->sys->targets.data[0].hit)
        r->sys->targets.data[0].hit = term_bool(r->terms, false);
    check_system(r->sys);
    return true;
}

static void reading_free(struct reading *r) {
    for (size_t i = 0; i < r->clauses.len; i++)
        vec_free(&r->clauses.data[i].body);
    vec_free(&r->clauses);
    vec_free(&r->sorts);
    vec_free(&r->vars);
    vec_free(&r->init_ok);
    vec_free(&r->init);
    vec_free(&r->step_ok);
    vec_free(&r->step);
}

static bool clauses_read(struct horn *horn, struct err *err) {
    struct reading r = {horn, horn->smt, &horn->smt->terms, &horn->sys, .err = err};
    bool ok = true;
    const struct sx *x = NULL;
    while (ok && (x = smt_read(&horn->smt->reader, err)))
        ok = read_command(&r, x);
    ok = ok && err->code == ERR_NONE && make_system(&r);
    reading_free(&r);
    return ok;
}

bool horn_read(struct horn *horn, const char *file, const char *text, size_t len, struct err *err) {
    *horn = (struct horn){.form = horn_form(text, len)};
    bool is_smt = horn->form != HORN_BTOR2;
    horn->smt =
        smt_new(&(struct smt_options){.file = file, .numbers = is_smt}, text, is_smt ? len : 0);
    system_init(&horn->sys, &horn->smt->terms);
    bool ok = horn->form == HORN_VMT     ? vmt_read(horn, err)
              : horn->form == HORN_BTOR2 ? btor2_read(horn, file, text, len, err)
                                         : clauses_read(horn, err);
    if (!horn->predicate)
        horn->predicate = "state";
    if (!ok && err->code == ERR_SOURCE)
        err->code = ERR_USAGE;
    return ok;
}

void horn_free(struct horn *horn) {
    system_free(&horn->sys);
    smt_free(horn->smt);
}

/* Lines of BTOR2 begin with numbers; everything else is s-expressions. */
static bool is_btor2(const char *text, size_t len) {
    bool comment = false;
    for (size_t i = 0; i < len; i++) {
        comment = text[i] == '\n' ? false : comment || text[i] == ';';
        if (!comment && !strchr(" \t\r\n", text[i]))
            return text[i] >= '0' && text[i] <= '9';
    }
    return false;
}

static bool has_clauses(const char *text, size_t len) {
    struct smt_reader reader;
    struct err err = {0};
    const struct sx *x;
    bool found = false, other = false;
    smt_reader_init(&reader, "", text, len);
    while (!found && !other && (x = smt_read(&reader, &err))) {
        bool logic = sx_is_list(x, "set-logic") && x->n == 2;
        found = logic && sx_is(x->items[1], "HORN");
        other = !found && !sx_is_list(x, "set-info") && !sx_is_list(x, "set-option");
    }
    smt_reader_free(&reader);
    err_clear(&err);
    return found;
}

enum horn_form horn_form(const char *text, size_t len) {
    return is_btor2(text, len)      ? HORN_BTOR2
           : has_clauses(text, len) ? HORN_CLAUSES
           : vmt_is(text, len)      ? HORN_VMT
                                    : HORN_NONE;
}
