/* Trimming by support: the clauses in the core of safety are needed; a needed clause needs the
 * clauses in the core of its own consecution; and so on until nothing is added. */
#include "engines/invariant/trim.h"

#include "base/mem.h"
#include "engines/unroll.h"
#include "engines/invariant/weaken.h"
#include "model/system/derive.h"
#include "model/system/slicer.h"

/* A proof is checked before it counts, with less effort at first: one that is dearer to look
 * through goes as it is. */
enum { TRIM_TICKS = 4000000 };

/* So many gaps of one cell in a row (`x <= a or x >= b`) are asserted together: of thousands each
 * needs only its neighbours, but a question with thousands of assumptions costs as many times as
 * much. Who makes them leaves out what is not needed. */
enum { TOGETHER_FROM = 64 };

struct support {
    const struct invariant *inv;
    struct solver *solver;
    uint64_t *effort; /* that support_ask() may still use */
    struct unroll unroll;
    VEC(svar) active; /* [clause] true asserts it in all steps but the last; some share one */
    VEC(bool) needed;
    VEC(uint32_t) todo;
    VEC(struct slit) assume;
};

static bool is_gap_of(const struct clause *c, uint32_t cell) {
    return c->len == 2 && c->data[0].cell == cell && c->data[1].cell == cell &&
           c->data[0].kind != c->data[1].kind;
}

/* Gaps of one cell, from this clause on. */
static size_t count_gaps(const struct invariant *inv, size_t from) {
    size_t n = 0;
    uint32_t cell = inv->clauses.data[from].len > 0 ? inv->clauses.data[from].data[0].cell : NONE;
    while (from + n < inv->clauses.len && is_gap_of(&inv->clauses.data[from + n], cell))
        n++;
    return n;
}

/* One literal a clause, or one for many gaps. */
static void make_active(struct support *s, bool together) {
    const struct invariant *inv = s->inv;
    for (size_t i = 0; i < inv->clauses.len;) {
        size_t n = together ? count_gaps(inv, i) : 1;
        svar active = 0;
        for (size_t k = 0; k < (n > 0 ? n : 1); k++, i++) {
            if (!active || n < TOGETHER_FROM)
                active = solver_new_bool(s->solver);
            vec_push(&s->active, active);
        }
    }
}

static void support_open(struct support *s, const struct system *sys, const struct invariant *inv,
                         uint32_t steps, uint64_t seed, bool together) {
    *s = (struct support){.inv = inv};
    s->solver = solver_new(&(struct solver_options){.seed = seed});
    unroll_init(&s->unroll, sys, s->solver, UNROLL_FROM_ANY, NULL);
    unroll_to(&s->unroll, steps);
    make_active(s, together);
    for (size_t i = 0; i < inv->clauses.len; i++) {
        struct slit off = slit_false(s->active.data[i]);
        for (uint32_t j = 0; j < steps || j == 0; j++)
            unroll_clause(&s->unroll, j, inv->clauses.data[i].data, inv->clauses.data[i].len, &off,
                          1);
    }
    vec_resize_zero(&s->needed, inv->clauses.len);
}

static void support_close(struct support *s) {
    unroll_free(&s->unroll);
    solver_free(s->solver);
    vec_free(&s->active);
    vec_free(&s->needed);
    vec_free(&s->todo);
    vec_free(&s->assume);
}

static void support_mark(struct support *s, svar active) {
    assert(s->active.len == s->needed.len);
    for (size_t i = 0; i < s->active.len; i++)
        if (s->active.data[i] == active && !s->needed.data[i]) {
            s->needed.data[i] = true;
            vec_push(&s->todo, (uint32_t)i);
        }
}

/* Asks with the assumptions so far and all clauses active; marks the core. */
static bool support_ask(struct support *s) {
    uint64_t before = solver_stats(s->solver)->ticks;
    if (*s->effort == 0)
        return false;
    size_t own = s->assume.len;
    /* Needed clauses first: the core then prefers them. */
    for (int pass = 1; pass >= 0; pass--)
        for (size_t i = 0; i < s->active.len; i++)
            if (s->needed.data[i] == pass && (i == 0 || s->active.data[i] != s->active.data[i - 1]))
                vec_push(&s->assume, slit_true(s->active.data[i]));
    bool unsat = solver_solve(s->solver, s->assume.data, s->assume.len, *s->effort) == SOLVER_UNSAT;
    uint64_t used = solver_stats(s->solver)->ticks - before;
    *s->effort -= used < *s->effort ? used : *s->effort;
    size_t n = 0;
    const struct slit *core = unsat ? solver_core(s->solver, &n) : NULL;
    for (size_t i = 0; i < n; i++)
        support_mark(s, core[i].var);
    vec_truncate(&s->assume, own);
    return unsat;
}

static bool support_safety(struct support *s, const struct system *sys) {
    assert(s->unroll.steps.len >= s->inv->k);
    for (size_t t = 0; t < s->inv->targets.len; t++) {
        term_t hit = sys->targets.data[s->inv->targets.data[t]].hit;
        struct slits assume = {0};
        unroll_clean_prefix(&s->unroll, s->inv, &assume);
        vec_push(&assume, slit_true(unroll_term(&s->unroll, s->inv->k - 1, hit)));
        vec_clear(&s->assume);
        vec_append(&s->assume, assume.data, assume.len);
        vec_free(&assume);
        if (!support_ask(s))
            return false;
    }
    return true;
}

static bool support_consecution(struct support *s, const struct clause *c) {
    assert(s->unroll.steps.len == 2);
    struct slits negated = {0};
    vec_clear(&s->assume);
    bool ok = true;
    if (unroll_negated(&s->unroll, 1, c, &negated)) {
        vec_append(&s->assume, negated.data, negated.len);
        ok = support_ask(s);
    }
    vec_free(&negated);
    return ok;
}

/* Consecution is asked in an unrolling of one step, safety in one of k - 1 steps. */
static bool find_support(const struct system *sys, const struct invariant *inv, uint64_t seed,
                         uint64_t *effort, struct support *induction) {
    struct support safety;
    support_open(&safety, sys, inv, inv->k - 1, seed, true);
    safety.effort = effort;
    assert(safety.active.len == inv->clauses.len);
    bool ok = support_safety(&safety, sys);
    support_open(induction, sys, inv, 1, seed, true);
    induction->effort = effort;
    for (size_t i = 0; i < inv->clauses.len; i++)
        if (safety.needed.data[i])
            support_mark(induction, induction->active.data[i]);
    support_close(&safety);
    while (ok && induction->todo.len > 0) {
        uint32_t i = vec_pop(&induction->todo);
        ok = support_consecution(induction, &inv->clauses.data[i]);
    }
    return ok;
}

static bool drop_unneeded(const struct system *sys, struct invariant *inv, uint64_t seed,
                          uint64_t *effort) {
    struct support support;
    bool found = find_support(sys, inv, seed, effort, &support);
    if (found) {
        size_t kept = 0;
        for (size_t i = 0; i < inv->clauses.len; i++)
            if (support.needed.data[i])
                inv->clauses.data[kept++] = inv->clauses.data[i];
            else
                vec_free(&inv->clauses.data[i]);
        assert(kept <= inv->clauses.len);
        inv->clauses.len = kept;
    }
    support_close(&support);
    return found;
}

/* The cells of a system, as a slice sees them. */
struct sliced {
    const struct system *sys;
    struct system *to;
    VEC(uint32_t) index; /* [cell of sys] its index in the slice, NONE: it is not there */
    VEC(bool) there;     /* [cell of sys] plain cells of the slice */
};

/* Derived cells that a clause needs are made in the slice, where it has what they read. */
static void index_derived(struct sliced *s, uint32_t cell) {
    const struct cell *c = &s->sys->cells.data[cell];
    if (s->index.data[cell] != NONE || !c->is || !system_can_derive(s->to, c->is))
        return;
    uint64_t var = term_get(s->sys->terms, c->var)->payload;
    s->index.data[cell] = system_derive(s->to, c->is, s->sys->terms->vars.data[var].is_signed);
}

static bool in_slice(const struct sliced *s, const struct clause *c) {
    for (size_t i = 0; i < c->len; i++)
        if (cell_touches(s->sys, c->data[i].cell, s->there.data) ||
            (bound_is_sum(c->data[i]) && s->index.data[c->data[i].other] != NONE))
            return true;
    return false;
}

static void sliced_open(struct sliced *s, struct slice *slice, const struct system *sys) {
    *s = (struct sliced){.sys = sys, .to = &slice->sys};
    vec_resize_zero(&s->there, sys->cells.len);
    for (size_t i = 0; i < sys->cells.len; i++)
        vec_push(&s->index, NONE);
    for (uint32_t i = 0; i < slice->cell_map.len; i++) {
        uint32_t cell = slice->cell_map.data[i];
        s->index.data[cell] = i;
        s->there.data[cell] = !sys->cells.data[cell].is;
    }
}

void invariant_slice(struct slice *slice, const struct system *sys, const struct invariant *inv,
                     bool all_constraints) {
    struct slicer slicer;
    VEC(uint32_t) cells = {0};
    for (size_t i = 0; i < inv->clauses.len; i++)
        for (size_t b = 0; b < inv->clauses.data[i].len; b++) {
            struct bound bound = inv->clauses.data[i].data[b];
            vec_push(&cells, bound.cell);
            if (bound_is_sum(bound))
                vec_push(&cells, bound.other);
        }
    slicer_open(&slicer, sys);
    slicer_make(&slicer, slice,
                &(struct slice_wish){.targets = inv->targets.data,
                                     .n_targets = inv->targets.len,
                                     .cells = cells.data,
                                     .n_cells = cells.len,
                                     .all_constraints = all_constraints});
    slicer_close(&slicer);
    vec_free(&cells);
}

bool invariant_on_slice(struct invariant *out, const struct invariant *inv, struct slice *slice,
                        const struct system *sys) {
    struct sliced s;
    bool cut = false;
    sliced_open(&s, slice, sys);
    for (size_t i = 0; i < inv->clauses.len; i++) {
        const struct clause *c = &inv->clauses.data[i];
        struct clause mapped = {0};
        vec_append(&mapped, c->data, c->len);
        for (size_t l = 0; l < c->len; l++)
            index_derived(&s, c->data[l].cell);
        if (clause_map(&mapped, s.index.data))
            invariant_add(out, mapped.data, mapped.len);
        else
            cut |= in_slice(&s, c);
        vec_free(&mapped);
    }
    vec_free(&s.index);
    vec_free(&s.there);
    return cut;
}

static bool is_kept(struct support *s, size_t i, uint64_t ticks) {
    struct slits assume = {0};
    assert(s->needed.data[i] && s->unroll.steps.len == 2);
    for (size_t j = 0; j < s->active.len; j++)
        if (s->needed.data[j])
            vec_push(&assume, slit_true(s->active.data[j]));
    bool kept = !unroll_negated(&s->unroll, 1, &s->inv->clauses.data[i], &assume) ||
                solver_solve(s->solver, assume.data, assume.len, ticks) == SOLVER_UNSAT;
    vec_free(&assume);
    return kept;
}

/* Until all that are left have been kept in a row. */
static bool drop_broken(struct support *s, uint64_t ticks) {
    size_t n = s->inv->clauses.len;
    for (size_t i = 0, kept = 0; kept < n; i = (i + 1) % n, kept++) {
        uint64_t used = solver_stats(s->solver)->ticks;
        if (used >= ticks)
            return false;
        if (s->needed.data[i] && !is_kept(s, i, ticks - used)) {
            s->needed.data[i] = false;
            kept = 0;
        }
    }
    return true;
}

void invariant_keep_inductive(const struct system *sys, struct invariant *inv, uint64_t ticks) {
    struct support s;
    size_t kept = 0, n = inv->clauses.len;
    if (n == 0)
        return;
    support_open(&s, sys, inv, 1, 1, false);
    for (size_t i = 0; i < n; i++)
        s.needed.data[i] = true;
    bool all = drop_broken(&s, ticks);
    for (size_t i = 0; i < n; i++)
        if (all && s.needed.data[i])
            inv->clauses.data[kept++] = inv->clauses.data[i];
        else
            vec_free(&inv->clauses.data[i]);
    assert(kept <= n);
    inv->clauses.len = kept;
    support_close(&s);
}

bool invariant_trim(const struct system *sys, struct invariant *inv, uint64_t seed,
                    uint64_t *effort) {
    uint64_t own = TRIM_TICKS;
    struct invariant smaller;
    assert(inv->k >= 1 && inv->targets.len > 0);
    invariant_init(&smaller);
    invariant_copy(&smaller, inv);
    bool good = drop_unneeded(sys, &smaller, seed, effort ? effort : &own);
    if (good)
        invariant_weaken(sys, &smaller, seed);
    /* Whatever went wrong above, what leaves is a proof, or what came. */
    good = good && invariant_check(sys, &smaller, TRIM_TICKS, NULL) == SOLVER_UNSAT;
    if (good) {
        struct invariant larger = *inv;
        *inv = smaller;
        smaller = larger;
    }
    invariant_free(&smaller);
    return good;
}
