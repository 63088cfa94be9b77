/* Terms are bound to the solver's variables of their step when they are asked for. */
#include "engines/unroll.h"

void unroll_init(struct unroll *u, const struct system *sys, struct solver *solver,
                 enum unroll_start start, const struct invariant *lemmas) {
    *u = (struct unroll){.sys = sys, .solver = solver, .lemmas = lemmas};
    u->unchecked = start == UNROLL_UNCHECKED;
    if (start == UNROLL_FROM_INIT)
        u->init = solver_frame_new(solver, sys->terms);
}

void unroll_free(struct unroll *u) {
    vec_free(&u->steps);
}

static void bind_cell(struct unroll *u, struct frame *frame, const struct cell *cell,
                      struct frame *from, term_t value) {
    uint64_t index = term_get(u->sys->terms, cell->var)->payload;
    bool is_signed = u->sys->terms->vars.data[index].is_signed;
    svar bound = solver_encode_as(u->solver, from, value, is_signed);
    assert(solver_sort(u->solver, bound) == term_sort(u->sys->terms, cell->var));
    solver_frame_bind(u->solver, frame, cell->var, bound);
}

/* The cells of the new frame are what the step before (or the initialisation) leaves. */
static void bind_cells(struct unroll *u, struct frame *frame, struct frame *before, bool initial) {
    for (size_t i = 0; i < u->sys->cells.len; i++) {
        const struct cell *cell = &u->sys->cells.data[i];
        if (!cell->is)
            bind_cell(u, frame, cell, before, initial ? cell->init : cell->next);
    }
}

/* Derived cells are terms over the others of the same frame. */
static void bind_derived(struct unroll *u, struct frame *frame) {
    for (size_t i = 0; i < u->sys->cells.len; i++) {
        const struct cell *cell = &u->sys->cells.data[i];
        if (cell->is)
            bind_cell(u, frame, cell, frame, cell->is);
    }
}

static void assert_holds(struct unroll *u, struct frame *frame, term_t condition) {
    assert(term_sort(u->sys->terms, condition) == SORT_BOOL);
    svar ok = solver_encode(u->solver, frame, condition);
    solver_add_clause(u->solver, (struct slit[]){slit_true(ok)}, 1);
}

static void assert_lemmas(struct unroll *u, uint32_t step) {
    for (size_t i = 0; u->lemmas && i < u->lemmas->clauses.len; i++) {
        const struct clause *c = &u->lemmas->clauses.data[i];
        if (u->init || (step > 0 && u->lemmas->k <= 1))
            unroll_lemma(u, step, c);
        else
            unroll_clause(u, step, c->data, c->len, NULL, 0);
    }
}

static void add_step(struct unroll *u) {
    struct frame *frame = solver_frame_new(u->solver, u->sys->terms);
    if (u->steps.len > 0) {
        if (!u->unchecked)
            assert_holds(u, vec_last(&u->steps), u->sys->step_ok);
        bind_cells(u, frame, vec_last(&u->steps), false);
    } else if (u->init) {
        assert_holds(u, u->init, u->sys->init_ok);
        bind_cells(u, frame, u->init, true);
    }
    bind_derived(u, frame);
    vec_push(&u->steps, frame);
    assert_lemmas(u, (uint32_t)u->steps.len - 1);
}

void unroll_to(struct unroll *u, uint32_t step) {
    while (u->steps.len <= step)
        add_step(u);
}

svar unroll_term(struct unroll *u, uint32_t step, term_t term) {
    assert(step < u->steps.len);
    return solver_encode(u->solver, u->steps.data[step], term);
}

svar unroll_cell(struct unroll *u, uint32_t step, uint32_t cell) {
    assert(cell < u->sys->cells.len);
    return unroll_term(u, step, u->sys->cells.data[cell].var);
}

static svar unroll_sum(struct unroll *u, uint32_t step, struct bound bound) {
    assert(step < u->steps.len);
    return solver_encode_as(u->solver, u->steps.data[step], bound_sum(u->sys, bound), true);
}

bool unroll_bound(struct unroll *u, uint32_t step, struct bound bound, struct slit *lit,
                  bool *truth) {
    svar var = bound_is_sum(bound) ? unroll_sum(u, step, bound) : unroll_cell(u, step, bound.cell);
    assert(bound.kind <= BOUND_NOT_NAN);
    if (bound.kind == BOUND_NAN || bound.kind == BOUND_NOT_NAN) {
        svar nan = solver_nan(u->solver, var);
        *truth = bound.kind == BOUND_NOT_NAN;
        *lit = bound.kind == BOUND_NAN ? slit_true(nan) : slit_false(nan);
        return nan != 0;
    }
    sort_t sort = solver_sort(u->solver, var);
    bool is_signed = solver_is_signed(u->solver, var), ge = bound.kind == BOUND_GE;
    int64_t min = ordinal_min(sort, is_signed), max = ordinal_max(sort, is_signed);
    if (ge ? bound.ordinal <= min : bound.ordinal >= max) {
        *truth = true;
        return false;
    }
    if (ge ? bound.ordinal > max : bound.ordinal < min) {
        *truth = false;
        return false;
    }
    *lit = ge ? slit_ge(var, bound.ordinal) : slit_le(var, bound.ordinal);
    return true;
}

/* Appends the bounds as literals; false: one is always true. */
static bool clause_literals(struct unroll *u, uint32_t step, const struct bound *bounds, size_t n,
                            struct slits *lits) {
    for (size_t i = 0; i < n; i++) {
        struct slit lit;
        bool truth;
        if (unroll_bound(u, step, bounds[i], &lit, &truth))
            vec_push(lits, lit);
        else if (truth)
            return false;
    }
    return true;
}

void unroll_clause(struct unroll *u, uint32_t step, const struct bound *bounds, size_t n,
                   const struct slit *before, size_t n_before) {
    struct slits lits = {0};
    vec_append(&lits, before, n_before);
    if (clause_literals(u, step, bounds, n, &lits))
        solver_add_clause(u->solver, lits.data, lits.len);
    vec_free(&lits);
}

/* NaN counts as ordinal 0 in bounds, but says nothing of the solver's ordinal. */
static bool holds_for_nan(struct bound b) {
    return b.kind == BOUND_GE ? b.ordinal <= 0 : b.kind == BOUND_LE && b.ordinal >= 0;
}

static svar nan_of(struct unroll *u, uint32_t step, struct bound b) {
    bool plain = b.kind <= BOUND_LE && !bound_is_sum(b);
    return plain ? solver_nan(u->solver, unroll_cell(u, step, b.cell)) : 0;
}

void unroll_exact_clause(struct unroll *u, uint32_t step, const struct clause *c,
                         const struct slit *before, size_t n_before) {
    struct clause own = {0};
    unroll_clause(u, step, c->data, c->len, before, n_before);
    vec_append(&own, c->data, c->len);
    for (size_t i = 0; i < own.len; i++) {
        struct bound b = own.data[i];
        if (holds_for_nan(b) || bound_truth(u->sys, b) != BOUND_OPEN || !nan_of(u, step, b))
            continue;
        own.data[i] = (struct bound){.cell = b.cell, .kind = BOUND_NOT_NAN};
        unroll_clause(u, step, own.data, own.len, before, n_before);
    }
    vec_free(&own);
}

void unroll_lemma(struct unroll *u, uint32_t step, const struct clause *clause) {
    struct slits lits = {0};
    if (clause_literals(u, step, clause->data, clause->len, &lits))
        solver_add_lemma(u->solver, lits.data, lits.len);
    vec_free(&lits);
}

static uint64_t frame_value(const struct unroll *u, const struct frame *frame, term_t var) {
    svar v = solver_encoded(frame, var);
    return v ? solver_value(u->solver, v) : 0;
}

uint64_t unroll_value(const struct unroll *u, uint32_t step, term_t var) {
    assert(step < u->steps.len);
    return frame_value(u, u->steps.data[step], var);
}

void unroll_trace(struct unroll *u, uint32_t n_steps, struct trace *trace) {
    assert(u->init && n_steps <= u->steps.len);
    trace_init(trace, u->sys, n_steps);
    size_t n = u->sys->inputs.len;
    for (size_t i = 0; i < n; i++) {
        const struct sys_input *input = &u->sys->inputs.data[i];
        if (input->at_init)
            trace->init.data[i] = frame_value(u, u->init, input->var);
        for (uint32_t j = 0; !input->at_init && j < n_steps; j++)
            trace->values.data[j * n + i] = unroll_value(u, j, input->var);
    }
}

bool unroll_negated(struct unroll *u, uint32_t step, const struct clause *c, struct slits *out) {
    for (size_t i = 0; i < c->len; i++) {
        struct slit lit;
        bool truth;
        if (bound_truth(u->sys, c->data[i]) == BOUND_ALWAYS)
            return false; /* of 64 bits, it may have no negation */
        if (bound_truth(u->sys, c->data[i]) == BOUND_NEVER)
            continue;
        if (unroll_bound(u, step, bound_negate(c->data[i]), &lit, &truth))
            vec_push(out, lit);
        else if (!truth)
            return false;
        svar nan = holds_for_nan(c->data[i]) ? nan_of(u, step, c->data[i]) : 0;
        if (nan)
            vec_push(out, slit_false(nan));
    }
    return true;
}

void unroll_clean_prefix(struct unroll *u, const struct invariant *inv, struct slits *assume) {
    for (uint32_t j = 0; j + 1 < inv->k; j++)
        for (size_t t = 0; t < inv->targets.len; t++) {
            term_t hit = u->sys->targets.data[inv->targets.data[t]].hit;
            vec_push(assume, slit_false(unroll_term(u, j, hit)));
        }
}
