/* check: checks, and what can be asked after them. */
#include "engines/smtlib/parts.h"

#include "engines/solver/proof.h"
#include "model/term/eval.h"

#include <assert.h>

/* ---- assumptions ---- */

/* Levels, then named assertions, then those of the command. */
static void assume_levels(const struct smt *smt, struct slits *assumptions) {
    for (size_t i = 0; i < smt->levels.len; i++)
        vec_push(assumptions, slit_true(smt->levels.data[i].guard));
    for (size_t i = 0; i < smt->assertions.len; i++)
        if (smt->assertions.data[i].name)
            vec_push(assumptions, slit_true(smt->assertions.data[i].guard));
}

/* What cannot be represented is left out, and *why says so: then only unsat is an answer. */
static bool assume_terms(struct smt *smt, const struct sx *list, struct slits *assumptions,
                         const char **why, struct err *err) {
    vec_clear(&smt->assumed);
    vec_clear(&smt->assumed_as);
    if (list && list->kind != SX_LIST)
        return sx_error(&smt->reader, list, err, "expected a list of literals");
    for (uint32_t i = 0; list && i < list->n; i++) {
        struct smt_value value;
        if (!smt_elaborate(smt, list->items[i], &value, err))
            return false;
        if (value.why) {
            *why = value.why;
            continue;
        }
        if (value.sort.kind != SMT_BOOL)
            return sx_error(&smt->reader, list->items[i], err, "an assumption must be Bool");
        vec_push(&smt->assumed, value.term);
        vec_push(&smt->assumed_as, list->items[i]);
        vec_push(assumptions, slit_true(solver_encode(smt->solver, smt->frame, value.term)));
    }
    return true;
}

/* ---- models ---- */

/* The solver's values of all sources; what it never met is 0. */
static void take_model(struct smt *smt) {
    struct terms *ts = &smt->terms;
    vec_clear(&smt->var_values);
    for (size_t i = 0; i < ts->vars.len; i++) {
        svar v = solver_encoded(smt->frame, ts->vars.data[i].term);
        vec_push(&smt->var_values, v ? solver_value(smt->solver, v) : 0);
    }
}

static uint64_t evaluate(struct smt *smt, term_t t) {
    assert(t && t < smt->terms.nodes.len);
    vec_resize_zero(&smt->node_values, smt->terms.nodes.len);
    while (smt->var_values.len < smt->terms.vars.len) /* declared after the check */
        vec_push(&smt->var_values, 0);
    term_eval(&smt->terms, &t, 1, smt->var_values.data, smt->node_values.data);
    return smt->node_values.data[t];
}

/* Does the model satisfy everything that was asserted and assumed? */
static bool model_holds(struct smt *smt) {
    struct {
        term_t *data;
        size_t len, cap;
    } roots = {0};
    bool holds = true;
    for (size_t i = 0; i < smt->assertions.len; i++)
        vec_push(&roots, smt->assertions.data[i].term);
    vec_append(&roots, smt->always.data, smt->always.len);
    vec_append(&roots, smt->assumed.data, smt->assumed.len);
    vec_resize_zero(&smt->node_values, smt->terms.nodes.len);
    term_eval(&smt->terms, roots.data, roots.len, smt->var_values.data, smt->node_values.data);
    for (size_t i = 0; i < roots.len; i++)
        holds &= smt->node_values.data[roots.data[i]] != 0;
    vec_free(&roots);
    return holds;
}

/* ---- checks ---- */

static void take_core(struct smt *smt) {
    size_t n;
    const struct slit *core = solver_core(smt->solver, &n);
    vec_clear(&smt->core);
    for (size_t i = 0; i < smt->assertions.len; i++) {
        const struct smt_assertion *a = &smt->assertions.data[i];
        for (size_t k = 0; a->name && k < n; k++)
            if (core[k].var == a->guard) {
                vec_push(&smt->core, a->name);
                break;
            }
    }
}

/* `own`: where the command's assumptions begin among all. */
static void take_failed(struct smt *smt, const struct slits *assumptions, size_t own) {
    size_t n;
    const struct slit *core = solver_core(smt->solver, &n);
    vec_clear(&smt->failed);
    assert(assumptions->len == own + smt->assumed_as.len);
    for (size_t i = own; i < assumptions->len; i++)
        for (size_t k = 0; k < n; k++)
            if (core[k].var == assumptions->data[i].var) {
                vec_push(&smt->failed, (uint32_t)(i - own));
                break;
            }
}

static enum solver_result solve(struct smt *smt, const struct slits *assumptions,
                                const char *lack) {
    smt->reason = NULL;
    if (smt->interrupted) {
        smt->reason = "interrupted";
        return SOLVER_UNKNOWN;
    }
    enum solver_result result =
        solver_solve(smt->solver, assumptions->data, assumptions->len, smt->options.ticks);
    if (result == SOLVER_UNKNOWN)
        smt->reason = smt->interrupted ? "interrupted" : "the effort is used up";
    if (result == SOLVER_SAT && (lack || smt->lacks.len > 0)) {
        smt->reason = lack ? lack : smt->lacks.data[0];
        return SOLVER_UNKNOWN;
    }
    if (result == SOLVER_UNSAT && smt->check_proofs)
        check_proof(smt->solver);
    return result;
}

bool smt_check(struct smt *smt, const struct sx *list, struct str *out, struct err *err) {
    struct slits assumptions = {0};
    const char *lack = NULL;
    assume_levels(smt, &assumptions);
    size_t own = assumptions.len;
    bool ok = assume_terms(smt, list, &assumptions, &lack, err);
    smt->last = ok ? solve(smt, &assumptions, lack) : SOLVER_UNKNOWN;
    if (smt->last == SOLVER_UNSAT)
        take_failed(smt, &assumptions, own);
    vec_free(&assumptions);
    if (!ok)
        return false;
    if (smt->last == SOLVER_SAT) {
        take_model(smt);
        if (!model_holds(smt))
            return err_set(err, ERR_INTERNAL, "the solver's model does not satisfy the assertions");
    } else if (smt->last == SOLVER_UNSAT) {
        take_core(smt);
    }
    if (smt->expected && smt->last && smt->last != (enum solver_result)smt->expected)
        return err_set(err, ERR_EVIDENCE, "the answer %s contradicts the status of the file",
                       smt->last == SOLVER_SAT ? "sat" : "unsat");
    smt->expected = 0; /* it is about the next check only */
    str_add(out, smt->last == SOLVER_SAT     ? "sat\n"
                 : smt->last == SOLVER_UNSAT ? "unsat\n"
                                             : "unknown\n");
    return true;
}

/* ---- questions ---- */

static bool need(struct smt *smt, const struct sx *x, enum solver_result result, struct err *err) {
    if (smt->last == result)
        return true;
    return sx_error(&smt->reader, x, err, "'%s' needs a check that answered %s", x->items[0]->text,
                    result == SOLVER_SAT ? "sat" : "unsat");
}

/* A term as it was written. */
static void print_sx(struct str *out, const struct sx *x) {
    struct sx_list stack = {0};
    static const struct sx close = {.kind = SX_LIST};
    vec_push(&stack, x);
    bool blank = false;
    while (stack.len > 0) {
        const struct sx *t = vec_pop(&stack);
        if (blank && t != &close)
            str_addc(out, ' ');
        blank = true;
        if (t == &close) {
            str_addc(out, ')');
        } else if (t->kind == SX_LIST) {
            str_addc(out, '(');
            blank = false;
            vec_push(&stack, &close);
            for (uint32_t i = t->n; i > 0; i--)
                vec_push(&stack, t->items[i - 1]);
        } else if (t->kind == SX_SYMBOL) {
            smt_print_symbol(out, t->text);
        } else {
            str_addf(out, "%s%s",
                     t->kind == SX_HEX       ? "#x"
                     : t->kind == SX_BINARY  ? "#b"
                     : t->kind == SX_KEYWORD ? ":"
                                             : "",
                     t->text);
        }
    }
    vec_free(&stack);
}

bool smt_get_value(struct smt *smt, const struct sx *x, struct str *out, struct err *err) {
    const struct sx *list = x->items[1];
    if (!need(smt, x, SOLVER_SAT, err))
        return false;
    if (list->kind != SX_LIST || list->n == 0)
        return sx_error(&smt->reader, list, err, "expected a list of terms");
    str_addc(out, '(');
    for (uint32_t i = 0; i < list->n; i++) {
        struct smt_value value;
        if (!smt_elaborate(smt, list->items[i], &value, err))
            return false;
        if (value.why || !value.term)
            return sx_error(&smt->reader, list->items[i], err, "not supported: %s",
                            value.why ? value.why : "values of this sort");
        str_addc(out, '(');
        print_sx(out, list->items[i]);
        str_addc(out, ' ');
        smt_print_value(out, value.sort, evaluate(smt, value.term));
        str_add(out, i + 1 < list->n ? ")\n " : ")");
    }
    str_add(out, ")\n");
    return true;
}

bool smt_get_model(struct smt *smt, const struct sx *x, struct str *out, struct err *err) {
    if (!need(smt, x, SOLVER_SAT, err))
        return false;
    str_add(out, "(\n");
    for (size_t i = 0; i < smt->declared.len; i++) {
        uint32_t id = smt->declared.data[i];
        struct smt_value value = smt->globals.data[id].value;
        str_add(out, "  (define-fun ");
        smt_print_symbol(out, intern_text(&smt->names, id));
        str_add(out, " () ");
        smt_print_sort(out, value.sort);
        str_addc(out, ' ');
        smt_print_value(out, value.sort, evaluate(smt, value.term));
        str_add(out, ")\n");
    }
    str_add(out, ")\n");
    return true;
}

bool smt_get_core(struct smt *smt, const struct sx *x, struct str *out, struct err *err) {
    if (!need(smt, x, SOLVER_UNSAT, err))
        return false;
    str_addc(out, '(');
    for (size_t i = 0; i < smt->core.len; i++) {
        if (i > 0)
            str_addc(out, ' ');
        smt_print_symbol(out, smt->core.data[i]);
    }
    str_add(out, ")\n");
    return true;
}

bool smt_get_failed(struct smt *smt, const struct sx *x, struct str *out, struct err *err) {
    if (!need(smt, x, SOLVER_UNSAT, err))
        return false;
    str_addc(out, '(');
    for (size_t i = 0; i < smt->failed.len; i++) {
        if (i > 0)
            str_addc(out, ' ');
        print_sx(out, smt->assumed_as.data[smt->failed.data[i]]);
    }
    str_add(out, ")\n");
    return true;
}
