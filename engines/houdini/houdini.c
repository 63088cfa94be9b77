/* The engine: see houdini.h. */
#include "engines/houdini/houdini.h"

#include "base/mem.h"
#include "engines/invariant/trim.h"

enum { QUERY_TICKS = 200000, CHECK_TICKS = 5000000 };

/* ---- results ---- */

/* Without "or NaN" where the cell is a number for sure. */
static void drop_nan(const struct houdini *h, struct clause *c) {
    size_t kept = 0;
    for (size_t i = 0; i < c->len; i++)
        if (c->data[i].kind != BOUND_NAN || chains_range(h, c->data[i].cell).nan)
            c->data[kept++] = c->data[i];
    c->len = kept;
}

static void invariant_of(struct houdini *h, struct invariant *inv) {
    invariant_init(inv);
    inv->k = 1;
    if (h->input.lemmas)
        invariant_copy(inv, h->input.lemmas);
    vec_clear(&inv->targets);
    for (size_t i = 0; i < h->chains.len; i++) {
        const struct chain *c = &h->chains.data[i];
        struct clause clause = {0};
        if (!chain_has_bound(c))
            continue;
        chain_clause(h, c, &clause);
        drop_nan(h, &clause);
        invariant_add(inv, clause.data, clause.len);
        vec_free(&clause);
    }
}

/* In a solver of its own: a hit during initialisation needs no init_ok. */
static bool never_initially(struct houdini *h, term_t init_hit) {
    struct solver *solver = solver_new(&(struct solver_options){.seed = h->input.options.seed});
    struct unroll u;
    unroll_init(&u, houdini_system(h), solver, UNROLL_FROM_INIT, NULL);
    struct slit hit = slit_true(solver_encode(solver, u.init, init_hit));
    bool never = solver_solve(solver, &hit, 1, QUERY_TICKS) == SOLVER_UNSAT;
    unroll_free(&u);
    solver_free(solver);
    return never;
}

static bool safe(struct houdini *h, struct unroll *u, uint32_t target) {
    const struct target *t = &houdini_system(h)->targets.data[target];
    struct slit hit = slit_true(unroll_term(u, 0, t->hit));
    if (solver_solve(u->solver, &hit, 1, QUERY_TICKS) != SOLVER_UNSAT)
        return false;
    if (!t->init_hit || term_is_false(houdini_system(h)->terms, t->init_hit))
        return true;
    return never_initially(h, t->init_hit);
}

/* Trimmed on the slice of the target: bounds outside it cannot matter, and it is smaller. */
static bool trimmed_on_slice(struct houdini *h, const struct invariant *inv, uint32_t target,
                             struct fact *out) {
    struct slice slice;
    struct fact fact;
    slice_make(&slice, houdini_system(h), &target, 1);
    fact_init(&fact, FACT_DEAD);
    fact.invariant.k = 1;
    vec_push(&fact.invariant.targets, 0);
    invariant_on_slice(&fact.invariant, inv, &slice, houdini_system(h));
    bool good = invariant_trim(&slice.sys, &fact.invariant, h->input.options.seed);
    if (good)
        fact_lift(out, &fact, &slice, h->input.sys);
    fact_free(&fact);
    slice_free(&slice);
    return good;
}

static void report_dead(struct houdini *h, const struct invariant *inv, uint32_t target) {
    struct fact fact;
    fact_init(&fact, FACT_DEAD);
    if (!trimmed_on_slice(h, inv, target, &fact)) {
        invariant_copy(&fact.invariant, inv);
        vec_push(&fact.invariant.targets, target);
        invariant_trim(houdini_system(h), &fact.invariant, h->input.options.seed);
    }
    fact.target = target;
    assert(fact.invariant.targets.len == 1 && fact.invariant.targets.data[0] == target);
    h->input.report(h->input.context, &fact);
    fact_free(&fact);
}

static bool report_all(struct houdini *h) {
    assert(h->phase >= HOUDINI_TELL && h->dead.len == h->input.n_targets);
    struct fact lemma = {.kind = FACT_LEMMA};
    invariant_of(h, &lemma.invariant);
    struct solver *solver = solver_new(&(struct solver_options){.seed = h->input.options.seed});
    struct unroll u;
    unroll_init(&u, houdini_system(h), solver, UNROLL_FROM_ANY, &lemma.invariant);
    unroll_to(&u, 0);
    bool all = true;
    for (size_t i = 0; i < h->input.n_targets; i++) {
        if (!h->dead.data[i] && safe(h, &u, h->input.targets[i])) {
            report_dead(h, &lemma.invariant, h->input.targets[i]);
            h->dead.data[i] = true;
        }
        all &= h->dead.data[i];
    }
    /* Others rest on it, so it is checked like a proof. */
    enum solver_result check =
        invariant_check(houdini_system(h), &lemma.invariant, CHECK_TICKS, NULL);
    assert(check != SOLVER_SAT);
    if (lemma.invariant.clauses.len > 0 && check == SOLVER_UNSAT && !h->too_many_sums)
        h->input.report(h->input.context, &lemma);
    unroll_free(&u);
    solver_free(solver);
    fact_free(&lemma);
    return all;
}

/* ---- the engine ---- */

static void *houdini_open(const struct engine_input *input) {
    struct houdini *h = mem_zalloc(1, sizeof *h);
    struct solver_options options = {.seed = input->options.seed};
    h->input = *input;
    h->first = solver_new(&options);
    h->step = solver_new(&options);
    unroll_init(&h->from_init, input->sys, h->first, UNROLL_FROM_INIT, NULL);
    unroll_to(&h->from_init, 0);
    unroll_init(&h->from_any, input->sys, h->step, UNROLL_FROM_ANY, input->lemmas);
    unroll_to(&h->from_any, 1);
    chains_of_cells(h);
    vec_resize_zero(&h->dead, input->n_targets);
    return h;
}

static void houdini_close(void *state) {
    struct houdini *h = state;
    unroll_free(&h->from_init);
    unroll_free(&h->from_any);
    solver_free(h->first);
    solver_free(h->step);
    chains_free(h);
    mem_free(h);
}

/* The work of a phase; false: the ticks are used up in it. */
static bool work(struct houdini *h, uint64_t until) {
    assert(h->phase < HOUDINI_FINISHED &&
           (h->phase >= HOUDINI_GUARDED || h->chains.len == h->first_guarded));
    switch (h->phase) {
    case HOUDINI_START:
        settle_from_init(h, 0);
        return true;
    case HOUDINI_BOXES:
    case HOUDINI_GUARDED:
        if (!settle(h, until))
            return false;
        h->cursor = 0;
        return true;
    case HOUDINI_NARROW:
        return settle_narrow(h, 0, until);
    case HOUDINI_FILTERS:
        filters_try(h);
        chains_with_guards(h);
        settle_from_init(h, h->first_guarded);
        return true;
    case HOUDINI_SHARPEN:
        return settle_narrow(h, 0, until); /* boxes may follow from cases */
    case HOUDINI_TELL:
        if (report_all(h))
            h->phase = HOUDINI_FINISHED - 1;
        else
            sums_of_counters(h);
        return true;
    case HOUDINI_RELATED:
        if (!settle(h, until))
            return false;
        sums_with_guards(h);
        return true;
    case HOUDINI_MODES:
        return settle(h, until);
    case HOUDINI_TIGHTEN:
        if (!settle_narrow(h, h->first_sum, until))
            return false;
        sums_prune(h);
        return true;
    case HOUDINI_FINISHED:
        break;
    }
    return true;
}

static bool all_dead(const struct houdini *h) {
    for (size_t i = 0; i < h->dead.len; i++)
        if (!h->dead.data[i])
            return false;
    return true;
}

static enum engine_status houdini_step(void *state, uint64_t ticks) {
    struct houdini *h = state;
    uint64_t until = solver_stats(h->step)->ticks + ticks;
    if (h->phase == HOUDINI_FINISHED)
        return ENGINE_GAVE_UP;
    for (; h->phase != HOUDINI_FINISHED; h->phase++) {
        bool enough = h->phase > HOUDINI_TELL && until > h->sums_until;
        if (work(h, enough ? h->sums_until : until))
            continue;
        if (!enough)
            return ENGINE_MORE;
        h->phase = HOUDINI_FINISHED;
        return ENGINE_GAVE_UP;
    }
    if (sums_survive(h))
        report_all(h);
    return all_dead(h) ? ENGINE_DONE : ENGINE_GAVE_UP;
}

const struct engine engine_houdini = {
    .open = houdini_open,
    .step = houdini_step,
    .close = houdini_close,
    .all_targets = true,
    .relates = true,
};
