/* Weakening one clause at a time: every trial replaces a clause, then asks again what may have
 * rested on it: safety, its own consecution, and that of the clauses whose last answer used it.
 * Candidates are the thresholds of the program, by bisection from the weakest on: proofs then speak
 * in the program's own numbers. */
#include "engines/invariant/weaken.h"

#include "base/mem.h"
#include "engines/thresholds.h"
#include "engines/unroll.h"

#include <stdlib.h>

/* Of many clauses each is of little weight, and who needs whom takes their square. */
enum { WEAKEN_TICKS = 400000, QUESTION_TICKS = 40000, CLAUSES_MOST = 1000 };

/* One question in two places: consecution over one step, safety over k - 1. */
struct place {
    struct solver *solver;
    struct unroll unroll;
    uint32_t clean_steps; /* steps in which the clauses are asserted: 0 .. clean_steps - 1 */
    VEC(svar) active;     /* a clause, 0: dropped */
};

struct weaken {
    const struct system *sys;
    struct invariant *inv;
    struct place induction, safety;
    VEC(bool) uses; /* [i * clauses + j]: the consecution of i used j; row `clauses`: safety */
    VEC(bool) dropped;
    struct thresholds thresholds;
};

static void place_open(struct place *p, const struct system *sys, uint32_t steps, uint64_t seed) {
    *p = (struct place){.clean_steps = steps ? steps : 1};
    p->solver = solver_new(&(struct solver_options){.seed = seed});
    unroll_init(&p->unroll, sys, p->solver, UNROLL_FROM_ANY, NULL);
    unroll_to(&p->unroll, steps);
}

static void place_close(struct place *p) {
    unroll_free(&p->unroll);
    solver_free(p->solver);
    vec_free(&p->active);
}

static svar place_assert(struct place *p, const struct clause *c) {
    assert(p->clean_steps >= 1 && p->clean_steps <= p->unroll.steps.len);
    svar active = solver_new_bool(p->solver);
    struct slit off = slit_false(active);
    for (uint32_t j = 0; j < p->clean_steps; j++)
        unroll_clause(&p->unroll, j, c->data, c->len, &off, 1);
    return active;
}

static uint64_t ticks_of(const struct weaken *w) {
    return solver_stats(w->induction.solver)->ticks + solver_stats(w->safety.solver)->ticks;
}

/* UNSAT with all clauses left? Then `row` of uses says which of them it took. */
static bool refuted(struct weaken *w, struct place *p, const struct slits *own, size_t row) {
    assert(row <= p->active.len && p->active.len == w->inv->clauses.len);
    struct slits all = {0};
    size_t n_core, n = p->active.len;
    vec_append(&all, own->data, own->len);
    for (size_t j = 0; j < n; j++)
        if (p->active.data[j])
            vec_push(&all, slit_true(p->active.data[j]));
    bool unsat = solver_solve(p->solver, all.data, all.len, QUESTION_TICKS) == SOLVER_UNSAT;
    const struct slit *core = unsat ? solver_core(p->solver, &n_core) : NULL;
    for (size_t j = 0; unsat && j < n; j++)
        for (size_t i = 0; i < n_core; i++)
            w->uses.data[row * n + j] |= core[i].var == p->active.data[j];
    vec_free(&all);
    return unsat;
}

static void forget_uses(struct weaken *w, size_t row) {
    size_t n = w->inv->clauses.len;
    memset(w->uses.data + row * n, 0, n * sizeof *w->uses.data);
}

static bool is_safe(struct weaken *w) {
    forget_uses(w, w->inv->clauses.len);
    for (size_t t = 0; t < w->inv->targets.len; t++) {
        struct slits own = {0};
        term_t hit = w->sys->targets.data[w->inv->targets.data[t]].hit;
        unroll_clean_prefix(&w->safety.unroll, w->inv, &own);
        vec_push(&own, slit_true(unroll_term(&w->safety.unroll, w->inv->k - 1, hit)));
        bool safe = refuted(w, &w->safety, &own, w->inv->clauses.len);
        vec_free(&own);
        if (!safe)
            return false;
    }
    return true;
}

static bool is_inductive(struct weaken *w, size_t i) {
    struct slits own = {0};
    forget_uses(w, i);
    bool holds = !unroll_negated(&w->induction.unroll, 1, &w->inv->clauses.data[i], &own) ||
                 refuted(w, &w->induction, &own, i);
    vec_free(&own);
    return holds;
}

/* Everything that the clause with this number may have to do with. */
static bool still_proof(struct weaken *w, size_t changed) {
    size_t n = w->inv->clauses.len;
    if (w->uses.data[n * n + changed] && !is_safe(w))
        return false;
    for (size_t i = 0; i < n; i++) {
        bool concerned = (i == changed && !w->dropped.data[i]) || w->uses.data[i * n + changed];
        if (concerned && !w->dropped.data[i] && !is_inductive(w, i))
            return false;
    }
    return true;
}

/* ---- one change ---- */

/* `to` NULL: the clause goes. Undone when that is no proof; then what used what is as before. */
static bool try_clause(struct weaken *w, size_t i, const struct clause *to) {
    struct clause old = w->inv->clauses.data[i];
    svar induction = w->induction.active.data[i], safety = w->safety.active.data[i];
    if (ticks_of(w) >= WEAKEN_TICKS)
        return false;
    VEC(bool) uses = {0};
    vec_append(&uses, w->uses.data, w->uses.len);
    w->dropped.data[i] = !to;
    if (to)
        w->inv->clauses.data[i] = *to;
    w->induction.active.data[i] = to ? place_assert(&w->induction, to) : 0;
    w->safety.active.data[i] = to ? place_assert(&w->safety, to) : 0;
    assert((w->induction.active.data[i] == 0) == w->dropped.data[i]);
    bool good = still_proof(w, i);
    if (!good) {
        w->dropped.data[i] = false;
        w->inv->clauses.data[i] = old;
        w->induction.active.data[i] = induction;
        w->safety.active.data[i] = safety;
        memcpy(w->uses.data, uses.data, uses.len * sizeof *uses.data);
    }
    vec_free(&uses);
    return good;
}

static bool try_bound(struct weaken *w, size_t i, size_t literal, int64_t ordinal) {
    struct clause *now = &w->inv->clauses.data[i], to = {0};
    vec_append(&to, now->data, now->len);
    assert(literal < to.len && to.data[literal].ordinal != ordinal);
    to.data[literal].ordinal = ordinal;
    struct clause old = *now;
    bool good = try_clause(w, i, &to);
    vec_free(good ? &old : &to);
    return good;
}

/* ---- candidates ---- */

static const struct ordinals *cell_thresholds(struct weaken *w, uint32_t cell, int64_t *min,
                                              int64_t *max) {
    const struct terms *ts = w->sys->terms;
    uint64_t index = term_get(ts, w->sys->cells.data[cell].var)->payload;
    const struct term_var *var = &ts->vars.data[index];
    *min = ordinal_min(var->sort, var->is_signed);
    *max = ordinal_max(var->sort, var->is_signed);
    return thresholds_of(&w->thresholds, var->sort, var->is_signed);
}

static void add_products(struct weaken *w, uint32_t cell, int64_t factor, struct ordinals *out) {
    int64_t min, max;
    const struct ordinals *all = cell_thresholds(w, cell, &min, &max);
    assert(min >= -(INT64_C(1) << 32) && max <= INT64_C(1) << 32 && "products do not overflow");
    for (size_t i = 0; i < all->len; i++)
        if (all->data[i] > min && all->data[i] < max)
            vec_push(out, factor * all->data[i]);
}

static int ascending(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* What is weaker than the bound, the nearest first: thresholds of the cell; for a sum what one part
 * of it contributes at a threshold. */
static void weaker_limits(struct weaken *w, struct bound b, struct ordinals *out) {
    struct ordinals all = {0};
    int64_t end = 0, other;
    bool ge = b.kind == BOUND_GE;
    assert(ge || b.kind == BOUND_LE);
    if (bound_is_sum(b)) {
        add_products(w, b.cell, b.factor, &all);
        add_products(w, b.other, b.other_factor, &all);
        vec_push(&all, 0);
        qsort(all.data, all.len, sizeof *all.data, ascending);
        end = ge ? INT64_MIN : INT64_MAX;
    } else {
        const struct ordinals *own =
            cell_thresholds(w, b.cell, ge ? &end : &other, ge ? &other : &end);
        vec_append(&all, own->data, own->len);
    }
    for (size_t k = 0; k < all.len; k++) {
        int64_t value = all.data[ge ? all.len - 1 - k : k];
        bool repeated = out->len > 0 && vec_last(out) == value;
        if (!repeated && value != end && (ge ? value < b.ordinal : value > b.ordinal))
            vec_push(out, value);
    }
    vec_free(&all);
}

/* The weakest limit that works. Bisection assumes that behind a limit that fails all others fail,
 * too; where that is wrong a weaker one is missed, and nothing else. */
static void weaken_bound(struct weaken *w, size_t i, size_t literal) {
    struct bound b = w->inv->clauses.data[i].data[literal];
    struct ordinals weaker = {0};
    if (b.kind != BOUND_GE && b.kind != BOUND_LE)
        return;
    weaker_limits(w, b, &weaker);
    for (size_t low = 0, high = weaker.len; low < high;) {
        size_t middle = low + (high - low) / 2;
        if (try_bound(w, i, literal, weaker.data[middle]))
            low = middle + 1;
        else
            high = middle;
    }
    vec_free(&weaker);
}

/* ---- all of it ---- */

static bool first_answers(struct weaken *w) {
    bool good = is_safe(w);
    for (size_t i = 0; good && i < w->inv->clauses.len; i++)
        good = is_inductive(w, i);
    return good;
}

static void remove_dropped(struct weaken *w) {
    size_t kept = 0;
    for (size_t i = 0; i < w->inv->clauses.len; i++)
        if (w->dropped.data[i])
            vec_free(&w->inv->clauses.data[i]);
        else
            w->inv->clauses.data[kept++] = w->inv->clauses.data[i];
    assert(kept <= w->inv->clauses.len);
    w->inv->clauses.len = kept;
}

void invariant_weaken(const struct system *sys, struct invariant *inv, uint64_t seed) {
    size_t n = inv->clauses.len;
    struct weaken w = {.sys = sys, .inv = inv};
    assert(inv->k >= 1);
    if (n == 0 || n > CLAUSES_MOST)
        return;
    place_open(&w.induction, sys, 1, seed);
    place_open(&w.safety, sys, inv->k - 1, seed);
    thresholds_init(&w.thresholds, sys, inv->targets.data, inv->targets.len);
    for (size_t i = 0; i < n; i++) {
        vec_push(&w.induction.active, place_assert(&w.induction, &inv->clauses.data[i]));
        vec_push(&w.safety.active, place_assert(&w.safety, &inv->clauses.data[i]));
    }
    vec_resize_zero(&w.uses, n * (n + 1));
    vec_resize_zero(&w.dropped, n);
    if (first_answers(&w)) {
        for (size_t i = 0; i < n; i++)
            try_clause(&w, i, NULL);
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; !w.dropped.data[i] && k < inv->clauses.data[i].len; k++)
                weaken_bound(&w, i, k);
        remove_dropped(&w);
    }
    thresholds_free(&w.thresholds);
    place_close(&w.induction);
    place_close(&w.safety);
    vec_free(&w.uses);
    vec_free(&w.dropped);
}
