/* command: scripts and their commands.
 *
 * Assertion levels are activation literals: what a level asserts is a clause with the negated
 * literal, a check assumes the literals of all levels, and a pop asserts the negation for good.
 */
#include "engines/smtlib/parts.h"

#include <assert.h>

/* ---- life ---- */

void smt_solver_start(struct smt *smt) {
    smt->solver = solver_new(
        &(struct solver_options){.seed = smt->options.seed, .log_proof = smt->check_proofs});
    smt->frame = solver_frame_new(smt->solver, &smt->terms);
    for (size_t i = 0; i < smt->always.len; i++) {
        svar v = solver_encode(smt->solver, smt->frame, smt->always.data[i]);
        solver_add_clause(smt->solver, (struct slit[]){slit_true(v)}, 1);
    }
}

void smt_solver_stop(struct smt *smt) {
    solver_free(smt->solver);
    smt->solver = NULL;
}

static void start(struct smt *smt) {
    terms_init(&smt->terms);
    for (uint32_t i = 0; smt_builtin_at(i); i++) {
        uint32_t id = smt_name(smt, smt_builtin_at(i)->name);
        assert(id == i);
        (void)id;
    }
    smt_solver_start(smt);
}

static void stop(struct smt *smt) {
    smt_solver_stop(smt);
    for (size_t i = 0; i < smt->reals.len; i++)
        mpq_clear(smt->reals.data[i].q);
    terms_free(&smt->terms);
    intern_free(&smt->names);
    vec_free(&smt->globals);
    vec_free(&smt->top);
    vec_free(&smt->locals);
    vec_free(&smt->undos);
    vec_free(&smt->values);
    vec_free(&smt->tasks);
    vec_free(&smt->reals);
    vec_free(&smt->free_results);
    vec_free(&smt->assertions);
    vec_free(&smt->always);
    vec_free(&smt->lacks);
    vec_free(&smt->levels);
    vec_free(&smt->declared);
    vec_free(&smt->var_values);
    vec_free(&smt->node_values);
    vec_free(&smt->assumed);
    vec_free(&smt->assumed_as);
    vec_free(&smt->failed);
    vec_free(&smt->core);
}

struct smt *smt_new(const struct smt_options *options, const char *text, size_t len) {
    struct smt *smt = mem_zalloc(1, sizeof *smt);
    smt->options = *options;
    smt->check_proofs = options->check_proofs;
    smt_reader_init(&smt->reader, options->file, text, len);
    start(smt);
    return smt;
}

void smt_free(struct smt *smt) {
    if (!smt)
        return;
    stop(smt);
    smt_reader_free(&smt->reader);
    mem_free(smt);
}

/* (reset): as new, but for the place in the text. */
static void reset(struct smt *smt) {
    struct smt old = *smt;
    stop(smt);
    *smt = (struct smt){
        .options = old.options, .reader = old.reader, .check_proofs = old.options.check_proofs};
    start(smt);
}

/* ---- levels and assertions ---- */

void smt_push(struct smt *smt) {
    struct smt_level level = {solver_new_bool(smt->solver), smt->assertions.len, smt->undos.len,
                              smt->lacks.len, smt->declared.len};
    vec_push(&smt->levels, level);
}

void smt_undo_to(struct smt *smt, size_t undos) {
    while (smt->undos.len > undos) {
        struct smt_undo u = vec_pop(&smt->undos);
        smt->globals.data[u.id] = u.old;
    }
}

void smt_pop(struct smt *smt) {
    struct smt_level level = vec_pop(&smt->levels);
    solver_add_clause(smt->solver, (struct slit[]){slit_false(level.guard)}, 1);
    smt_undo_to(smt, level.undos);
    vec_truncate(&smt->assertions, level.assertions);
    vec_truncate(&smt->lacks, level.lacks);
    if (!smt->keep_declarations)
        vec_truncate(&smt->declared, level.declared);
}

static void reset_assertions(struct smt *smt) {
    smt_undo_to(smt, 0);
    vec_clear(&smt->levels);
    vec_clear(&smt->assertions);
    vec_clear(&smt->lacks);
    if (!smt->keep_declarations)
        vec_clear(&smt->declared);
    smt_solver_stop(smt);
    smt_solver_start(smt);
}

void smt_assert_always(struct smt *smt, term_t t) {
    vec_push(&smt->always, t);
    svar v = solver_encode(smt->solver, smt->frame, t);
    solver_add_clause(smt->solver, (struct slit[]){slit_true(v)}, 1);
}

/* The name of (! term … :named n), NULL if there is none. */
static const char *name_of(const struct sx *x) {
    if (sx_is_list(x, "!"))
        for (uint32_t i = 2; i + 1 < x->n; i += 2)
            if (str_same(x->items[i]->text, "named"))
                return x->items[i + 1]->text;
    return NULL;
}

bool smt_assert(struct smt *smt, const struct sx *x, struct err *err) {
    struct smt_value value;
    smt->last = SOLVER_UNKNOWN; /* the model and the core are of the past */
    if (!smt_elaborate(smt, x, &value, err))
        return false;
    if (value.why) {
        vec_push(&smt->lacks, value.why);
        return true;
    }
    if (value.sort.kind != SMT_BOOL)
        return sx_error(&smt->reader, x, err, "an assertion must be Bool");
    struct smt_assertion a = {value.term, 0, smt->cores_on ? name_of(x) : NULL};
    if (smt->levels.len == 0 && !a.name)
        smt_equations(smt, value.term);
    struct slit clause[2] = {slit_true(solver_encode(smt->solver, smt->frame, value.term))};
    if (a.name)
        a.guard = solver_new_bool(smt->solver);
    else if (smt->levels.len > 0)
        a.guard = vec_last(&smt->levels).guard;
    clause[1] = slit_false(a.guard);
    solver_add_clause(smt->solver, clause, a.guard ? 2 : 1);
    vec_push(&smt->assertions, a);
    return true;
}

static bool levels(struct smt *smt, const struct sx *x, bool pop, struct err *err) {
    uint64_t n = 1;
    smt->last = SOLVER_UNKNOWN;
    if (x->n > 1 && !sx_number(x->items[1], &n))
        return sx_error(&smt->reader, x, err, "expected a number of levels");
    if (pop && n > smt->levels.len)
        return sx_error(&smt->reader, x, err, "there are only %zu levels to pop", smt->levels.len);
    if (n > 1 << 20)
        return sx_error(&smt->reader, x, err, "too many levels");
    for (; n > 0; n--)
        pop ? smt_pop(smt) : smt_push(smt);
    return true;
}

static bool cmd_push(struct smt *smt, const struct sx *x, struct str *out, struct err *err) {
    (void)out;
    return levels(smt, x, false, err);
}
static bool cmd_pop(struct smt *smt, const struct sx *x, struct str *out, struct err *err) {
    (void)out;
    return levels(smt, x, true, err);
}
static bool cmd_assert(struct smt *smt, const struct sx *x, struct str *out, struct err *err) {
    (void)out;
    return smt_assert(smt, x->items[1], err);
}

/* ---- declarations ---- */

static bool new_symbol(struct smt *smt, const struct sx *x, uint32_t *id, struct err *err) {
    *id = 0;
    if (x->kind != SX_SYMBOL)
        return sx_error(&smt->reader, x, err, "expected a symbol");
    *id = smt_name(smt, x->text);
    if (smt_builtin_at(*id) || smt->globals.data[*id].kind != GLOBAL_NONE)
        return sx_error(&smt->reader, x, err, "'%s' is already defined", x->text);
    return true;
}

static bool declare(struct smt *smt, const struct sx *name, const struct sx *sort_sx, bool function,
                    struct err *err) {
    struct smt_value value = {.term = 0};
    uint32_t id;
    if (!new_symbol(smt, name, &id, err) || !smt_parse_sort(smt, sort_sx, &value.sort, err))
        return false;
    value.why = function ? "uninterpreted functions" : smt_sort_lack(value.sort);
    if (!value.why) {
        value.term = term_var(&smt->terms, name->text, smt_term_sort(value.sort), false);
        vec_push(&smt->declared, id);
        if (value.sort.kind == SMT_RM)
            smt_assert_always(
                smt, term_op2(&smt->terms, OP_ULT, value.term, term_int(&smt->terms, 3, RM_COUNT)));
    }
    smt_define(smt, id, (struct smt_global){.kind = GLOBAL_VALUE, .value = value});
    return true;
}

static bool cmd_declare_const(struct smt *smt, const struct sx *x, struct str *out,
                              struct err *err) {
    (void)out;
    return declare(smt, x->items[1], x->items[2], false, err);
}

static bool cmd_declare_fun(struct smt *smt, const struct sx *x, struct str *out, struct err *err) {
    (void)out;
    if (x->items[2]->kind != SX_LIST)
        return sx_error(&smt->reader, x->items[2], err, "expected a list of sorts");
    return declare(smt, x->items[1], x->items[3], x->items[2]->n > 0, err);
}

static bool cmd_define_sort(struct smt *smt, const struct sx *x, struct str *out, struct err *err) {
    struct smt_global g = {.kind = GLOBAL_SORT, .result = {SMT_OTHER, 0, 0}};
    uint32_t id;
    (void)out;
    if (!new_symbol(smt, x->items[1], &id, err))
        return false;
    bool plain = x->items[2]->kind == SX_LIST && x->items[2]->n == 0;
    if (plain && !smt_parse_sort(smt, x->items[3], &g.result, err))
        return false;
    smt_define(smt, id, g);
    return true;
}

static bool cmd_declare_sort(struct smt *smt, const struct sx *x, struct str *out,
                             struct err *err) {
    struct smt_global g = {.kind = GLOBAL_SORT, .result = {SMT_OTHER, 0, 0}};
    uint32_t id;
    (void)out;
    if (!new_symbol(smt, x->items[1], &id, err))
        return false;
    smt_define(smt, id, g);
    return true;
}

/* A definition without parameters is a value, one with parameters a macro. */
static bool define(struct smt *smt, const struct sx *name, const struct sx *params,
                   const struct sx *sort, const struct sx *body, struct err *err) {
    struct smt_global g = {.kind = GLOBAL_MACRO, .params = params, .body = body};
    uint32_t id;
    if (!new_symbol(smt, name, &id, err) || !smt_parse_sort(smt, sort, &g.result, err))
        return false;
    for (uint32_t i = 0; params && i < params->n; i++) {
        const struct sx *p = params->items[i];
        struct smt_sort ignored;
        if (p->kind != SX_LIST || p->n != 2 || p->items[0]->kind != SX_SYMBOL)
            return sx_error(&smt->reader, p, err, "a parameter is (name sort)");
        if (!smt_parse_sort(smt, p->items[1], &ignored, err))
            return false;
    }
    if (!params || params->n == 0) {
        g.kind = GLOBAL_VALUE;
        if (!smt_elaborate(smt, body, &g.value, err))
            return false;
        if (!g.value.why && !smt_sort_same(g.value.sort, g.result))
            return sx_error(&smt->reader, body, err, "the body of '%s' has another sort",
                            name->text);
    }
    smt_define(smt, id, g);
    return true;
}

static bool cmd_define_fun(struct smt *smt, const struct sx *x, struct str *out, struct err *err) {
    (void)out;
    if (x->items[2]->kind != SX_LIST)
        return sx_error(&smt->reader, x->items[2], err, "expected a list of parameters");
    return define(smt, x->items[1], x->items[2], x->items[3], x->items[4], err);
}
static bool cmd_define_const(struct smt *smt, const struct sx *x, struct str *out,
                             struct err *err) {
    (void)out;
    return define(smt, x->items[1], NULL, x->items[2], x->items[3], err);
}

/* ---- the rest ---- */

static bool cmd_nothing(struct smt *smt, const struct sx *x, struct str *out, struct err *err) {
    (void)smt, (void)x, (void)out, (void)err;
    return true;
}

static bool cmd_set_info(struct smt *smt, const struct sx *x, struct str *out, struct err *err) {
    (void)out, (void)err;
    if (x->n == 3 && x->items[1]->kind == SX_KEYWORD && str_same(x->items[1]->text, "status"))
        smt->expected = sx_is(x->items[2], "sat")     ? SOLVER_SAT
                        : sx_is(x->items[2], "unsat") ? SOLVER_UNSAT
                                                      : SOLVER_UNKNOWN;
    return true;
}

static bool set_global(struct smt *smt, const struct sx *x, bool on, struct err *err) {
    if (smt->undos.len || smt->levels.len)
        return sx_error(&smt->reader, x, err,
                        "set :global-declarations before the first declaration");
    smt->keep_declarations = on;
    return true;
}

/* The solver records how it comes to an answer, and each unsat is checked. */
static bool set_proofs(struct smt *smt, const struct sx *x, bool on, struct err *err) {
    if (smt->assertions.len || smt->levels.len)
        return sx_error(&smt->reader, x, err, "set :produce-proofs before the first assertion");
    if (on == smt->check_proofs)
        return true;
    smt->check_proofs = on;
    smt_solver_stop(smt);
    smt_solver_start(smt);
    return true;
}

static bool cmd_set_option(struct smt *smt, const struct sx *x, struct str *out, struct err *err) {
    if (x->n < 2 || x->items[1]->kind != SX_KEYWORD)
        return sx_error(&smt->reader, x, err, "expected an option");
    const char *name = x->items[1]->text;
    bool on = x->n == 3 && sx_is(x->items[2], "true");
    if (str_same(name, "print-success"))
        smt->print_success = on;
    else if (str_same(name, "produce-unsat-cores"))
        smt->cores_on = on;
    else if (str_same(name, "global-declarations"))
        return set_global(smt, x, on, err);
    else if (str_same(name, "produce-proofs"))
        return set_proofs(smt, x, on, err);
    else if (!str_same(name, "produce-models") && !str_same(name, "produce-unsat-assumptions"))
        str_add(out, "unsupported\n");
    return true;
}

static bool cmd_get_info(struct smt *smt, const struct sx *x, struct str *out, struct err *err) {
    const char *key = x->items[1]->kind == SX_KEYWORD ? x->items[1]->text : "";
    (void)err;
    if (str_same(key, "name"))
        str_add(out, "(:name \"goalkeeper\")\n");
    else if (str_same(key, "reason-unknown"))
        str_addf(out, "(:reason-unknown \"%s\")\n", smt->reason ? smt->reason : "");
    else
        str_add(out, "unsupported\n");
    return true;
}

static bool cmd_unsupported(struct smt *smt, const struct sx *x, struct str *out, struct err *err) {
    (void)smt, (void)x, (void)err;
    str_add(out, "unsupported\n");
    return true;
}

static bool cmd_echo(struct smt *smt, const struct sx *x, struct str *out, struct err *err) {
    (void)smt, (void)err;
    if (x->items[1]->kind == SX_STRING)
        str_addf(out, "%s\n", x->items[1]->text);
    return true;
}

static bool cmd_exit(struct smt *smt, const struct sx *x, struct str *out, struct err *err) {
    (void)x, (void)out, (void)err;
    smt->ended = true;
    return true;
}

static bool cmd_reset(struct smt *smt, const struct sx *x, struct str *out, struct err *err) {
    (void)x, (void)out, (void)err;
    reset(smt);
    return true;
}

static bool cmd_reset_assertions(struct smt *smt, const struct sx *x, struct str *out,
                                 struct err *err) {
    (void)x, (void)out, (void)err;
    reset_assertions(smt);
    return true;
}

static bool cmd_check(struct smt *smt, const struct sx *x, struct str *out, struct err *err) {
    return smt_check(smt, x->n > 1 ? x->items[1] : NULL, out, err);
}

/* One command: how many items it has, itself included. `silent`: prints "success" if asked. */
static const struct command {
    const char *name;
    uint32_t least, most;
    bool silent;
    bool (*run)(struct smt *smt, const struct sx *x, struct str *out, struct err *err);
} table[] = {
    {"set-logic", 2, 2, true, cmd_nothing},
    {"set-info", 2, 3, true, cmd_set_info},
    {"set-option", 2, 3, true, cmd_set_option},
    {"get-info", 2, 2, false, cmd_get_info},
    {"declare-const", 3, 3, true, cmd_declare_const},
    {"declare-fun", 4, 4, true, cmd_declare_fun},
    {"declare-sort", 2, 3, true, cmd_declare_sort},
    {"define-sort", 4, 4, true, cmd_define_sort},
    {"define-fun", 5, 5, true, cmd_define_fun},
    {"define-const", 4, 4, true, cmd_define_const},
    {"assert", 2, 2, true, cmd_assert},
    {"push", 1, 2, true, cmd_push},
    {"pop", 1, 2, true, cmd_pop},
    {"check-sat", 1, 1, false, cmd_check},
    {"check-sat-assuming", 2, 2, false, cmd_check},
    {"get-model", 1, 1, false, smt_get_model},
    {"get-value", 2, 2, false, smt_get_value},
    {"get-unsat-core", 1, 1, false, smt_get_core},
    {"get-unsat-assumptions", 1, 1, false, smt_get_failed},
    {"get-assertions", 1, 1, false, cmd_unsupported},
    {"get-assignment", 1, 1, false, cmd_unsupported},
    {"get-option", 2, 2, false, cmd_unsupported},
    {"get-proof", 1, 1, false, cmd_unsupported},
    {"get-interpolant", 1, UINT32_MAX, false, cmd_unsupported},
    {"get-interpolants", 1, UINT32_MAX, false, cmd_unsupported},
    {"echo", 2, 2, false, cmd_echo},
    {"reset", 1, 1, true, cmd_reset},
    {"reset-assertions", 1, 1, true, cmd_reset_assertions},
    {"exit", 1, 1, false, cmd_exit},
};

bool smt_command(struct smt *smt, const struct sx *x, struct str *out, struct err *err) {
    if (x->kind != SX_LIST || x->n == 0 || x->items[0]->kind != SX_SYMBOL)
        return sx_error(&smt->reader, x, err, "expected a command");
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const struct command *c = &table[i];
        if (!sx_is(x->items[0], c->name))
            continue;
        if (x->n < c->least || x->n > c->most)
            return sx_error(&smt->reader, x, err, "'%s' with a wrong number of arguments", c->name);
        size_t before = out->len;
        if (!c->run(smt, x, out, err))
            return false;
        if (c->silent && smt->print_success && out->len == before)
            str_add(out, "success\n");
        return true;
    }
    return sx_error(&smt->reader, x, err, "unknown command '%s'", x->items[0]->text);
}

enum smt_step smt_step(struct smt *smt, struct str *out, struct err *err) {
    const struct sx *x = smt->ended ? NULL : smt_read(&smt->reader, err);
    if (!x)
        return err->code == ERR_NONE ? SMT_END : SMT_FAILED;
    return smt_command(smt, x, out, err) ? SMT_MORE : SMT_FAILED;
}

void smt_interrupt(struct smt *smt) {
    smt->interrupted = true;
    if (smt->solver)
        solver_interrupt(smt->solver);
}

const char *smt_reason(const struct smt *smt) {
    return smt->reason;
}

const struct solver_stats *smt_stats(const struct smt *smt) {
    return solver_stats(smt->solver);
}
