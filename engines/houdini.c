/* houdini: the strongest inductive conjunction of bounds, for all goals at once.
 *
 * Each cell has, on each side, a chain of candidate bounds: program constants and their neighbours,
 * powers of two, the ends of the type; strongest first. All chains start at the strongest bound
 * that the initial states and what simulation has seen allow. A bound that some step from a state
 * within all current bounds violates gives way to the next weaker one, until nothing is violated.
 * What refutes a bound under stronger assumptions refutes it under weaker ones, so this is the
 * greatest fixpoint over all candidates.
 *
 * An answer "holds" stays valid until a bound in its core is weakened (`stamp`).
 */
#include "engines/engine.h"

#include "base/mem.h"
#include "engines/thresholds.h"
#include "engines/trim.h"
#include "engines/unroll.h"

enum { QUERY_TICKS = 200000 };

struct chain {
    uint32_t cell;
    bool ge;
    VEC(int64_t) values; /* strongest first; past the end: no bound */
    size_t now;
    svar active;           /* of the current value */
    uint64_t moved;        /* stamp of its last change */
    uint64_t checked;      /* stamp at which it was found inductive; 0: not yet */
    VEC(uint32_t) support; /* chains its induction rests on */
};

struct houdini {
    struct engine_input input;
    struct solver *first, *step;
    struct unroll from_init, from_any;
    VEC(struct chain) chains;
    uint64_t stamp;
    size_t cursor;  /* next chain to look at */
    size_t settled; /* chains in a row that hold */
    bool started, finished;
};

static const struct system *system_of(const struct houdini *h) {
    return h->input.sys;
}

static const struct term_var *cell_var(const struct houdini *h, uint32_t cell) {
    const struct system *sys = system_of(h);
    return &sys->terms->vars.data[term_get(sys->terms, sys->cells.data[cell].var)->payload];
}

/* ---- candidates ---- */

static void add_chain(struct houdini *h, uint32_t cell, bool ge, const struct ordinals *all) {
    const struct term_var *var = cell_var(h, cell);
    const struct cell_seen *seen = h->input.seen ? &h->input.seen[cell] : NULL;
    int64_t end =
        ge ? ordinal_min(var->sort, var->is_signed) : ordinal_max(var->sort, var->is_signed);
    struct chain chain = {.cell = cell, .ge = ge};
    for (size_t i = 0; i < all->len; i++) {
        int64_t value = all->data[ge ? all->len - 1 - i : i];
        bool refuted = seen && seen->valid && (ge ? seen->lo < value : seen->hi > value);
        if (!refuted && (ge ? value > end : value < end))
            vec_push(&chain.values, value);
    }
    vec_push(&h->chains, chain);
}

static void make_chains(struct houdini *h) {
    struct thresholds thresholds;
    thresholds_init(&thresholds, system_of(h), h->input.targets, h->input.n_targets);
    for (uint32_t i = 0; i < system_of(h)->cells.len; i++) {
        const struct term_var *var = cell_var(h, i);
        const struct ordinals *all = thresholds_of(&thresholds, var->sort, var->is_signed);
        add_chain(h, i, true, all);
        add_chain(h, i, false, all);
    }
    thresholds_free(&thresholds);
}

/* ---- the fixpoint ---- */

static bool has_bound(const struct chain *c) {
    return c->now < c->values.len;
}

static struct bound current(const struct chain *c) {
    return (struct bound){c->cell, c->ge ? BOUND_GE : BOUND_LE, c->values.data[c->now]};
}

/* The bound holds for a number; NaN breaks every bound (it has none). */
static bool holds_for(const struct chain *c, bool nan, int64_t value) {
    return !nan && (c->ge ? value >= c->values.data[c->now] : value <= c->values.data[c->now]);
}

static void assert_current(struct houdini *h, struct chain *c) {
    struct bound b = current(c);
    c->active = solver_new_bool(h->step);
    struct slit off = slit_false(c->active);
    unroll_clause(&h->from_any, 0, &b, 1, &off, 1);
    struct bound number = {c->cell, BOUND_NOT_NAN, 0};
    unroll_clause(&h->from_any, 0, &number, 1, &off, 1);
}

/* Weakens until the value is allowed. */
static void weaken(struct houdini *h, struct chain *c, bool nan, int64_t value) {
    while (has_bound(c) && !holds_for(c, nan, value))
        c->now++;
    c->moved = ++h->stamp;
    c->checked = 0;
    h->settled = 0;
}

/* All chains give way to the state that the model has in this step. */
static void weaken_all(struct houdini *h, struct solver *solver, struct unroll *u, uint32_t step) {
    for (size_t i = 0; i < h->chains.len; i++) {
        struct chain *c = &h->chains.data[i];
        svar v = solver_encoded(u->steps.data[step], system_of(h)->cells.data[c->cell].var);
        if (!has_bound(c) || !v)
            continue;
        bool nan = solver_value_nan(solver, v);
        int64_t value = solver_value_ordinal(solver, v);
        if (holds_for(c, nan, value))
            continue;
        if (c->active)
            solver_add_clause(h->step, (struct slit[]){slit_false(c->active)}, 1);
        weaken(h, c, nan, value);
        c->active = 0;
    }
}

/* One weaker although no value is known: the question was too hard. */
static void give_way(struct houdini *h, struct chain *c) {
    if (c->active)
        solver_add_clause(h->step, (struct slit[]){slit_false(c->active)}, 1);
    c->active = 0;
    c->now++;
    c->moved = ++h->stamp;
    c->checked = 0;
    h->settled = 0;
}

/* Can the current bound be violated in this step of the unrolling? */
static enum solver_result violated(struct unroll *u, uint32_t step, const struct chain *c,
                                   const struct slits *assume, bool by_nan) {
    struct slit lit;
    bool truth;
    struct bound b = by_nan ? (struct bound){c->cell, BOUND_NAN, 0} : bound_negate(current(c));
    if (!unroll_bound(u, step, b, &lit, &truth))
        return truth ? SOLVER_UNKNOWN : SOLVER_UNSAT;
    struct slits all = {0};
    vec_append(&all, assume->data, assume->len);
    vec_push(&all, lit);
    enum solver_result result = solver_solve(u->solver, all.data, all.len, QUERY_TICKS);
    vec_free(&all);
    return result;
}

static void start_from_init(struct houdini *h) {
    struct slits none = {0};
    for (size_t i = 0; i < h->chains.len; i++) {
        struct chain *c = &h->chains.data[i];
        for (int by_nan = 0; by_nan <= 1;) {
            enum solver_result result =
                has_bound(c) ? violated(&h->from_init, 0, c, &none, by_nan) : SOLVER_UNSAT;
            if (result == SOLVER_UNSAT)
                by_nan++;
            else if (result == SOLVER_SAT)
                weaken_all(h, h->first, &h->from_init, 0);
            else
                give_way(h, c);
        }
    }
    h->started = true;
}

static bool support_moved(const struct houdini *h, const struct chain *c) {
    for (size_t i = 0; i < c->support.len; i++)
        if (h->chains.data[c->support.data[i]].moved > c->checked)
            return true;
    return false;
}

static void remember_support(struct houdini *h, struct chain *c) {
    size_t n;
    const struct slit *core = solver_core(h->step, &n);
    for (size_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < h->chains.len; j++)
            if (h->chains.data[j].active == core[i].var)
                vec_push(&c->support, j);
}

static void assume_current(struct houdini *h, const struct chain *first, struct slits *assume) {
    for (size_t i = 0; i < h->chains.len; i++) {
        struct chain *c = &h->chains.data[i];
        if (has_bound(c) && !c->active)
            assert_current(h, c);
        if (has_bound(c) && c->cell == first->cell)
            vec_push(assume, slit_true(c->active));
    }
    for (size_t i = 0; i < h->chains.len; i++)
        if (has_bound(&h->chains.data[i]) && h->chains.data[i].cell != first->cell)
            vec_push(assume, slit_true(h->chains.data[i].active));
}

/* Makes the current bound of one chain inductive relative to all others, or weakens. */
static void settle_chain(struct houdini *h, struct chain *c) {
    if (!has_bound(c) || (c->checked && !support_moved(h, c))) {
        h->settled++;
        return;
    }
    struct slits assume = {0};
    assume_current(h, c, &assume);
    vec_clear(&c->support);
    enum solver_result result = SOLVER_UNSAT;
    for (int by_nan = 0; by_nan <= 1 && result == SOLVER_UNSAT; by_nan++) {
        result = violated(&h->from_any, 1, c, &assume, by_nan);
        if (result == SOLVER_UNSAT)
            remember_support(h, c);
    }
    if (result == SOLVER_UNSAT) {
        c->checked = ++h->stamp;
        h->settled++;
    } else if (result == SOLVER_SAT) {
        weaken_all(h, h->step, &h->from_any, 1);
    } else {
        give_way(h, c);
    }
    vec_free(&assume);
}

/* ---- results ---- */

static void invariant_of(struct houdini *h, struct invariant *inv) {
    invariant_init(inv);
    inv->k = 1;
    if (h->input.lemmas)
        invariant_copy(inv, h->input.lemmas);
    vec_clear(&inv->targets);
    for (size_t i = 0; i < h->chains.len; i++) {
        const struct chain *c = &h->chains.data[i];
        if (!has_bound(c))
            continue;
        struct bound b = current(c), number = {c->cell, BOUND_NOT_NAN, 0};
        invariant_add(inv, &b, 1);
        if (sort_is_float(cell_var(h, c->cell)->sort))
            invariant_add(inv, &number, 1);
    }
}

/* In a solver of its own: a hit during initialisation needs no init_ok. */
static bool never_initially(struct houdini *h, term_t init_hit) {
    struct solver *solver = solver_new(&(struct solver_options){.seed = h->input.options.seed});
    struct unroll u;
    unroll_init(&u, system_of(h), solver, UNROLL_FROM_INIT, NULL);
    struct slit hit = slit_true(solver_encode(solver, u.init, init_hit));
    bool never = solver_solve(solver, &hit, 1, QUERY_TICKS) == SOLVER_UNSAT;
    unroll_free(&u);
    solver_free(solver);
    return never;
}

static bool safe(struct houdini *h, struct unroll *u, uint32_t target) {
    const struct target *t = &system_of(h)->targets.data[target];
    struct slit hit = slit_true(unroll_term(u, 0, t->hit));
    if (solver_solve(u->solver, &hit, 1, QUERY_TICKS) != SOLVER_UNSAT)
        return false;
    if (!t->init_hit || term_is_false(system_of(h)->terms, t->init_hit))
        return true;
    return never_initially(h, t->init_hit);
}

static void report_dead(struct houdini *h, const struct invariant *inv, uint32_t target) {
    struct fact fact = {.kind = FACT_DEAD, .target = target};
    invariant_init(&fact.invariant);
    invariant_copy(&fact.invariant, inv);
    vec_push(&fact.invariant.targets, target);
    invariant_trim(system_of(h), &fact.invariant, h->input.options.seed);
    h->input.report(h->input.context, &fact);
    fact_free(&fact);
}

static bool report_all(struct houdini *h) {
    struct fact lemma = {.kind = FACT_LEMMA};
    invariant_of(h, &lemma.invariant);
    struct solver *solver = solver_new(&(struct solver_options){.seed = h->input.options.seed});
    struct unroll u;
    unroll_init(&u, system_of(h), solver, UNROLL_FROM_ANY, &lemma.invariant);
    unroll_to(&u, 0);
    bool all = true;
    for (size_t i = 0; i < h->input.n_targets; i++)
        if (safe(h, &u, h->input.targets[i]))
            report_dead(h, &lemma.invariant, h->input.targets[i]);
        else
            all = false;
    if (lemma.invariant.clauses.len > 0)
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
    make_chains(h);
    return h;
}

static void houdini_close(void *state) {
    struct houdini *h = state;
    unroll_free(&h->from_init);
    unroll_free(&h->from_any);
    solver_free(h->first);
    solver_free(h->step);
    for (size_t i = 0; i < h->chains.len; i++) {
        vec_free(&h->chains.data[i].values);
        vec_free(&h->chains.data[i].support);
    }
    vec_free(&h->chains);
    mem_free(h);
}

static enum engine_status houdini_step(void *state, uint64_t ticks) {
    struct houdini *h = state;
    uint64_t until = solver_stats(h->step)->ticks + ticks;
    if (h->finished)
        return ENGINE_GAVE_UP;
    if (!h->started)
        start_from_init(h);
    while (h->settled < h->chains.len) {
        if (solver_stats(h->step)->ticks >= until)
            return ENGINE_MORE;
        settle_chain(h, &h->chains.data[h->cursor]);
        h->cursor = (h->cursor + 1) % h->chains.len;
    }
    h->finished = true;
    return report_all(h) ? ENGINE_DONE : ENGINE_GAVE_UP;
}

const struct engine engine_houdini = {
    .open = houdini_open,
    .step = houdini_step,
    .close = houdini_close,
    .all_targets = true,
};
