/* answer: the checks share the terms with the engine, and no question that it has asked. */
#include "engines/horn/answer.h"

#include "engines/smtlib/parts.h"
#include "engines/smtlib/print.h"

#include "model/term/number.h"
#include "model/term/simplify.h"

#include <assert.h>

/* ---- invariants ---- */

static term_t clause_as_term(struct horn *horn, const struct ia *ia, size_t clause) {
    size_t n;
    const term_t *lits = ia_clause(ia, clause, &n);
    term_t t = term_bool(horn->sys.terms, false);
    for (size_t i = 0; i < n; i++)
        t = term_or(horn->sys.terms, t, lits[i]);
    return t;
}

static term_t invariant_as_term(struct horn *horn, const struct ia *ia) {
    term_t all = term_bool(horn->sys.terms, true);
    for (size_t i = 0; i < ia_clause_count(ia); i++)
        all = term_and(horn->sys.terms, all, clause_as_term(horn, ia, i));
    return all;
}

/* Frame `to` has the cells' initial or next values in frame 0. */
static uint32_t after(struct horn *horn, struct query *q, uint32_t from, bool initial) {
    assert(horn->sys.targets.len == 1);
    uint32_t to = query_frame(q);
    for (size_t i = 0; i < horn->sys.cells.len; i++) {
        const struct cell *c = &horn->sys.cells.data[i];
        query_bind(q, to, c->var, from, initial ? c->init : c->next);
    }
    return to;
}

enum obligation { INITIATION, CONSECUTION, SAFETY, SAFE_START, OBLIGATIONS };

static bool holds(struct horn *horn, term_t invariant, enum obligation which) {
    const struct target *target = &horn->sys.targets.data[0];
    struct terms *ts = horn->sys.terms;
    struct query *q =
        query_open(ts, &(struct query_options){.back_end = QUERY_Z3, .seed = which + 1});
    uint32_t from = query_frame(q);
    bool initial = which == INITIATION;
    if (which == CONSECUTION || which == SAFETY)
        query_assert(q, from, invariant, 0);
    if (which == INITIATION || which == CONSECUTION) {
        query_assert(q, from, initial ? horn->sys.init_ok : horn->sys.step_ok, 0);
        query_assert(q, after(horn, q, from, initial), term_not(ts, invariant), 0);
    } else {
        term_t hit = which == SAFETY ? target->hit : target->init_hit;
        query_assert(q, from, hit ? hit : term_bool(ts, false), 0);
    }
    enum solver_result said = query_solve(q, NULL, 0, 0);
    query_close(q);
    return said == SOLVER_UNSAT;
}

bool horn_check_invariant(struct horn *horn, const struct ia *ia, const char **what) {
    static const char *const names[] = {"initiation", "consecution", "safety",
                                        "safety at the start"};
    term_t invariant = invariant_as_term(horn, ia);
    for (int o = INITIATION; o < OBLIGATIONS; o++)
        if (!holds(horn, invariant, (enum obligation)o)) {
            *what = names[o];
            return false;
        }
    return true;
}

/* ---- traces ---- */

struct run {
    struct horn *horn;
    const struct ia *ia;
    VEC(term_t) value; /* by variable */
};

static void set_inputs(struct run *r, uint32_t step, bool at_init) {
    const struct system *sys = &r->horn->sys;
    for (size_t i = 0; i < sys->inputs.len; i++)
        if (sys->inputs.data[i].at_init == at_init)
            r->value.data[term_bits(sys->terms, sys->inputs.data[i].var)] =
                ia_input(r->ia, step, i);
}

static term_t worth(const struct run *r, term_t t) {
    term_substitute(r->horn->sys.terms, r->value.data, r->value.len, &t, 1);
    return t;
}

static void set_cells(struct run *r, bool initial) {
    const struct system *sys = &r->horn->sys;
    VEC(term_t) now = {0};
    for (size_t i = 0; i < sys->cells.len; i++)
        vec_push(&now, worth(r, initial ? sys->cells.data[i].init : sys->cells.data[i].next));
    for (size_t i = 0; i < sys->cells.len; i++)
        r->value.data[term_bits(sys->terms, sys->cells.data[i].var)] = now.data[i];
    vec_free(&now);
}

static void run_open(struct run *r, struct horn *horn, const struct ia *ia) {
    assert(horn->sys.cells.len == 0 || horn->sys.cells.data[0].next);
    *r = (struct run){.horn = horn, .ia = ia};
    vec_resize_zero(&r->value, horn->sys.terms->vars.len);
    set_inputs(r, 0, true);
}

bool horn_check_trace(struct horn *horn, const struct ia *ia) {
    const struct system *sys = &horn->sys;
    const struct target *target = &sys->targets.data[0];
    uint32_t n = ia_steps(ia);
    struct run r;
    run_open(&r, horn, ia);
    bool good = n == 0 ? target->init_hit && term_is_true(sys->terms, worth(&r, target->init_hit))
                       : term_is_true(sys->terms, worth(&r, sys->init_ok));
    for (uint32_t j = 0; good && j < n; j++) {
        set_cells(&r, j == 0);
        set_inputs(&r, j + 1, false);
        term_t must = j + 1 == n ? target->hit : sys->step_ok;
        good = term_is_true(sys->terms, worth(&r, must));
    }
    vec_free(&r.value);
    return good;
}

/* ---- text ---- */

static void print_value(const struct terms *ts, term_t t, struct str *out) {
    sort_t sort = term_sort(ts, t);
    if (sort_is_number(sort))
        str_add(out, term_number_text(ts, t));
    else
        smt_print_value(out, smt_sort_of(sort), term_bits(ts, t));
}

void horn_print_trace(struct horn *horn, const struct ia *ia, struct str *out) {
    const struct system *sys = &horn->sys;
    struct run r;
    run_open(&r, horn, ia);
    for (uint32_t j = 0; j < ia_steps(ia); j++) {
        set_cells(&r, j == 0);
        set_inputs(&r, j + 1, false);
        str_addf(out, "; %u:", j);
        for (size_t i = 0; i < sys->cells.len; i++) {
            str_addc(out, ' ');
            smt_print_symbol(out, sys->cells.data[i].name);
            str_addc(out, '=');
            print_value(sys->terms, worth(&r, sys->cells.data[i].var), out);
        }
        str_addc(out, '\n');
    }
    vec_free(&r.value);
}

void horn_print_invariant(struct horn *horn, const struct ia *ia, struct str *out) {
    VEC(term_t) cells = {0};
    for (size_t i = 0; i < horn->sys.cells.len; i++)
        vec_push(&cells, horn->sys.cells.data[i].var);
    print_smt_function(horn->sys.terms, horn->predicate, cells.data, cells.len,
                       invariant_as_term(horn, ia), out);
    vec_free(&cells);
}
