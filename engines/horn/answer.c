/* answer: the checks share the terms with the engines, and no question that they have asked. */
#include "engines/horn/answer.h"

#include "engines/query/query.h"
#include "engines/smtlib/parts.h"
#include "engines/smtlib/print.h"

#include "model/term/number.h"
#include "model/term/simplify.h"

#include <assert.h>

void horn_answer_free(struct horn_answer *a) {
    vec_free(&a->inputs);
}

/* ---- proofs ---- */

/* Frame `to` has the cells' initial or next values in frame `from`. */
static uint32_t after(struct horn *horn, struct query *q, uint32_t from, bool initial) {
    assert(horn->sys.targets.len == 1);
    uint32_t to = query_frame(q);
    query_assert(q, from, initial ? horn->sys.init_ok : horn->sys.step_ok, 0);
    for (size_t i = 0; i < horn->sys.cells.len; i++) {
        const struct cell *c = &horn->sys.cells.data[i];
        query_bind(q, to, c->var, from, initial ? c->init : c->next);
    }
    return to;
}

static term_t hit_of(const struct horn *horn) {
    return horn->sys.targets.data[0].hit;
}

static void ask_start(struct horn *horn, struct query *q) {
    term_t hit = horn->sys.targets.data[0].init_hit;
    query_assert(q, query_frame(q), hit ? hit : term_bool(horn->sys.terms, false), 0);
}

static term_t stops_of(const struct horn *horn, const struct horn_answer *a) {
    return a->stops ? a->stops : term_bool(horn->sys.terms, true);
}

static term_t settled(const struct horn *horn, const struct horn_answer *a) {
    return term_and(horn->sys.terms, a->invariant, stops_of(horn, a));
}

static void ask_initiation(struct horn *horn, struct query *q, const struct horn_answer *a) {
    uint32_t state = after(horn, q, query_frame(q), true);
    query_assert(q, state, term_not(horn->sys.terms, settled(horn, a)), 0);
}

/* What may not be after some steps without a stop between: a stop where the invariant does not
 * hold, a hit on the way, or no stop after the last one. */
static term_t misstep(const struct horn *horn, const struct horn_answer *a, bool last) {
    struct terms *ts = horn->sys.terms;
    term_t stops = stops_of(horn, a), on_the_way = last ? term_bool(ts, true) : hit_of(horn);
    return term_ite(ts, stops, term_not(ts, a->invariant), on_the_way);
}

/* From a stop to the next. */
static bool check_consecution(struct horn *horn, const struct horn_answer *a) {
    struct query *q = query_open(horn->sys.terms, &(struct query_options){.back_end = QUERY_Z3});
    uint32_t now = query_frame(q), span = a->stops ? a->span : 1;
    bool good = span > 0;
    query_assert(q, now, settled(horn, a), 0);
    for (uint32_t j = 1; j <= span && good; j++) {
        now = after(horn, q, now, false);
        qlit wrong = query_literal(q, now, misstep(horn, a, j == span));
        good = query_solve(q, &wrong, 1, 0) == SOLVER_UNSAT;
        query_assert(q, now, term_not(horn->sys.terms, stops_of(horn, a)), 0);
    }
    query_close(q);
    return good;
}

/* From k clean steps in states of the invariant to one that hits. */
static void ask_safety(struct horn *horn, struct query *q, term_t invariant, uint32_t k) {
    uint32_t now = query_frame(q);
    query_assert(q, now, invariant, 0);
    for (uint32_t j = 0; j < k; j++) {
        query_assert(q, now, term_not(horn->sys.terms, hit_of(horn)), 0);
        now = after(horn, q, now, false);
        query_assert(q, now, invariant, 0);
    }
    query_assert(q, now, hit_of(horn), 0);
}

/* No run hits in its first k states. */
static bool check_base(struct horn *horn, const struct horn_answer *a) {
    struct query *q = query_open(horn->sys.terms, &(struct query_options){.back_end = QUERY_Z3});
    uint32_t now = query_frame(q);
    bool good = true;
    for (uint32_t j = 0; j < a->k && good; j++) {
        now = after(horn, q, now, j == 0);
        qlit hit = query_literal(q, now, hit_of(horn));
        good = query_solve(q, &hit, 1, 0) == SOLVER_UNSAT;
    }
    query_close(q);
    return good;
}

enum obligation { START, INITIATION, SAFETY, BASE, CONSECUTION };

static bool holds(struct horn *horn, const struct horn_answer *a, enum obligation which) {
    if (which == BASE)
        return check_base(horn, a);
    if (which == CONSECUTION)
        return check_consecution(horn, a);
    struct query_options options = {.back_end = QUERY_Z3, .seed = which + 1};
    struct query *q = query_open(horn->sys.terms, &options);
    assert(a->invariant);
    if (which == START)
        ask_start(horn, q);
    else if (which == INITIATION)
        ask_initiation(horn, q, a);
    else
        ask_safety(horn, q, settled(horn, a), a->k);
    enum solver_result said = query_solve(q, NULL, 0, 0);
    query_close(q);
    return said == SOLVER_UNSAT;
}

static bool check_proof(struct horn *horn, const struct horn_answer *a, const char **what) {
    static const char *const names[] = {"safety at the start", "initiation", "safety",
                                        "the first steps", "consecution"};
    bool good = !a->stops || a->k == 0 || a->span == 1; /* steps are counted in small ones */
    *what = "large steps";
    for (int o = START; o <= CONSECUTION && good; o++) {
        *what = names[o];
        good = holds(horn, a, (enum obligation)o);
    }
    return good;
}

/* ---- traces ---- */

struct run {
    const struct system *sys;
    struct horn_terms value; /* by variable */
    struct horn_terms now;   /* scratch */
};

static void set_value(struct run *r, term_t var, term_t value) {
    r->value.data[term_bits(r->sys->terms, var)] = value;
}

static term_t worth(const struct run *r, term_t t) {
    term_substitute(r->sys->terms, r->value.data, r->value.len, &t, 1);
    return t;
}

static void set_cells(struct run *r, bool initial) {
    vec_clear(&r->now);
    for (size_t i = 0; i < r->sys->cells.len; i++) {
        const struct cell *c = &r->sys->cells.data[i];
        vec_push(&r->now, initial ? c->init : c->next);
    }
    term_substitute(r->sys->terms, r->value.data, r->value.len, r->now.data, r->now.len);
    for (size_t i = 0; i < r->sys->cells.len; i++)
        set_value(r, r->sys->cells.data[i].var, r->now.data[i]);
}

/* Inputs of the start, step 0, or of a state. */
static void set_inputs(struct run *r, const struct horn_answer *a, uint32_t step) {
    const struct system *sys = r->sys;
    assert((step + 1) * sys->inputs.len <= a->inputs.len);
    for (size_t i = 0; i < sys->inputs.len; i++)
        if (sys->inputs.data[i].at_init == (step == 0))
            set_value(r, sys->inputs.data[i].var, a->inputs.data[step * sys->inputs.len + i]);
}

static void run_open(struct run *r, const struct system *sys) {
    *r = (struct run){.sys = sys};
    vec_resize_zero(&r->value, sys->terms->vars.len);
}

static void run_close(struct run *r) {
    vec_free(&r->value);
    vec_free(&r->now);
}

/* What the core has no input for: computed, or of no consequence. */
static void lift_step(struct run *r, struct horn_answer *a, const struct core *core,
                      uint32_t step) {
    const struct system *sys = core->whole;
    struct horn_terms values = {0};
    assert(core->input.len == sys->inputs.len);
    for (size_t i = 0; i < sys->inputs.len; i++) {
        const struct sys_input *input = &sys->inputs.data[i];
        if (!r->value.data[term_bits(sys->terms, input->var)])
            set_value(r, input->var, core_any(sys->terms, term_sort(sys->terms, input->var)));
    }
    for (size_t i = 0; i < sys->inputs.len; i++) {
        bool here = sys->inputs.data[i].at_init == (step == 0);
        term_t is = core->input.data[i] ? core->input.data[i] : sys->inputs.data[i].var;
        vec_push(&values, here ? is : 0);
    }
    term_substitute(sys->terms, r->value.data, r->value.len, values.data, values.len);
    vec_append(&a->inputs, values.data, values.len);
    vec_free(&values);
}

void horn_lift_run(struct horn_answer *a, const struct core *core, const struct horn_terms *inputs,
                   uint32_t states) {
    struct run r;
    size_t n = core->sys.inputs.len;
    assert(a->inputs.len == 0 && inputs->len == (states + 1) * n);
    a->verdict = HORN_UNSAFE;
    a->states = states;
    run_open(&r, core->whole);
    for (uint32_t step = 0; step <= states; step++) {
        for (size_t i = 0; i < core->whole->inputs.len; i++)
            set_value(&r, core->whole->inputs.data[i].var, 0);
        for (size_t i = 0; i < n; i++)
            if (core->sys.inputs.data[i].at_init == (step == 0))
                set_value(&r, core->sys.inputs.data[i].var, inputs->data[step * n + i]);
        lift_step(&r, a, core, step);
        set_inputs(&r, a, step);
        set_cells(&r, step == 0);
    }
    run_close(&r);
}

static bool check_trace(const struct horn *horn, const struct horn_answer *a) {
    const struct system *sys = &horn->sys;
    const struct target *target = &sys->targets.data[0];
    struct run r;
    run_open(&r, sys);
    set_inputs(&r, a, 0);
    term_t must = a->states > 0 ? sys->init_ok : target->init_hit;
    bool good = must && term_is_true(sys->terms, worth(&r, must));
    for (uint32_t j = 0; good && j < a->states; j++) {
        set_cells(&r, j == 0);
        set_inputs(&r, a, j + 1);
        must = j + 1 == a->states ? target->hit : sys->step_ok;
        good = term_is_true(sys->terms, worth(&r, must));
    }
    run_close(&r);
    return good;
}

bool horn_check(struct horn *horn, const struct horn_answer *a, const char **what) {
    assert(a->verdict != HORN_OPEN && "nothing is claimed");
    if (a->verdict == HORN_SAFE)
        return check_proof(horn, a, what);
    *what = "the trace";
    return check_trace(horn, a);
}

/* ---- text ---- */

static void print_value(const struct terms *ts, term_t t, struct str *out) {
    sort_t sort = term_sort(ts, t);
    if (sort_is_number(sort))
        str_add(out, term_number_text(ts, t));
    else
        smt_print_value(out, smt_sort_of(sort), term_bits(ts, t));
}

static void print_trace(const struct system *sys, const struct horn_answer *a, struct str *out) {
    struct run r;
    run_open(&r, sys);
    set_inputs(&r, a, 0);
    for (uint32_t j = 0; j < a->states; j++) {
        set_cells(&r, j == 0);
        set_inputs(&r, a, j + 1);
        str_addf(out, "; %u:", j);
        for (size_t i = 0; i < sys->cells.len; i++) {
            str_addc(out, ' ');
            smt_print_symbol(out, sys->cells.data[i].name);
            str_addc(out, '=');
            print_value(sys->terms, worth(&r, sys->cells.data[i].var), out);
        }
        str_addc(out, '\n');
    }
    run_close(&r);
}

/* Fresh names for the inputs of a step. */
static void rename_inputs(const struct system *sys, struct horn_terms *map) {
    for (size_t i = 0; i < sys->inputs.len; i++) {
        const struct sys_input *input = &sys->inputs.data[i];
        if (!input->at_init)
            map->data[term_bits(sys->terms, input->var)] =
                term_var(sys->terms, input->name, term_sort(sys->terms, input->var), false);
    }
}

/* The state after `steps` of the state that the cells are. */
static void state_after(const struct system *sys, struct horn_terms *map) {
    struct horn_terms now = {0};
    for (size_t i = 0; i < sys->cells.len; i++)
        vec_push(&now, sys->cells.data[i].next);
    term_substitute(sys->terms, map->data, map->len, now.data, now.len);
    for (size_t i = 0; i < sys->cells.len; i++)
        map->data[term_bits(sys->terms, sys->cells.data[i].var)] = now.data[i];
    vec_free(&now);
}

/* No run of fewer than k steps from here hits: with a k-inductive property that is inductive, and
 * says, for k = 1, the property. Inputs of these steps are free variables: it holds for all. */
static term_t clean_for(const struct system *sys, uint32_t k) {
    struct terms *ts = sys->terms;
    struct horn_terms map = {0};
    assert(sys->targets.len == 1);
    term_t clean = term_bool(ts, true), before = clean;
    vec_resize_zero(&map, ts->vars.len);
    for (uint32_t j = 0; j < k; j++) {
        rename_inputs(sys, &map);
        term_t roots[2] = {sys->targets.data[0].hit, sys->step_ok};
        term_substitute(ts, map.data, map.len, roots, 2);
        clean = term_and(ts, clean, term_implies(ts, before, term_not(ts, roots[0])));
        before = term_and(ts, before, roots[1]);
        state_after(sys, &map);
    }
    vec_free(&map);
    return clean;
}

/* An invariant of large steps, of all states: on each way to the next stop nothing is hit, and
 * there it holds. */
static term_t on_the_way(const struct system *sys, const struct horn_answer *a) {
    struct terms *ts = sys->terms;
    term_t t = term_and(ts, a->stops, a->invariant);
    assert(a->span > 1 && a->k == 0);
    for (uint32_t n = 0; n < a->span; n++) {
        struct horn_terms map = {0};
        term_t roots[2] = {sys->step_ok, sys->targets.data[0].hit};
        vec_resize_zero(&map, ts->vars.len);
        rename_inputs(sys, &map);
        term_substitute(ts, map.data, map.len, roots, 2);
        state_after(sys, &map);
        term_substitute(ts, map.data, map.len, &t, 1);
        t = term_and(ts, term_not(ts, roots[1]), term_implies(ts, roots[0], t));
        t = term_ite(ts, a->stops, a->invariant, t);
        vec_free(&map);
    }
    return t;
}

void horn_print_answer(struct horn *horn, const struct horn_answer *a, struct str *out) {
    const struct system *sys = &horn->sys;
    struct horn_terms cells = {0};
    assert(a->verdict != HORN_OPEN);
    if (a->verdict == HORN_UNSAFE) {
        print_trace(sys, a, out);
        return;
    }
    term_t all =
        a->stops ? on_the_way(sys, a) : term_and(sys->terms, a->invariant, clean_for(sys, a->k));
    for (size_t i = 0; i < sys->cells.len; i++)
        vec_push(&cells, sys->cells.data[i].var);
    print_smt_function(sys->terms, horn->predicate, cells.data, cells.len, all, out);
    vec_free(&cells);
}
