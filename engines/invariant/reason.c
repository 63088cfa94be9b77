/* A set of clauses and promises is found by cores, as trim.c does it: what safety needs, then what
 * keeps each of these clauses, what starts them, and the base case. Then each element is left out
 * in turn, and what is needed is asked for again. The set that is left is checked by fresh solvers
 * on a system whose runs keep the promises. */
#include "engines/invariant/reason.h"

#include "engines/invariant/trim.h"
#include "engines/unroll.h"

#include <string.h>

/* One unrolling with a switch for each element: clauses first, then promises. */
struct question {
    struct solver *solver;
    struct unroll unroll;
    VEC(svar) on;
};

struct finder {
    const struct system *sys;
    const struct invariant *inv;
    const struct promises *promises;
    size_t n; /* elements */
    struct question safety, step, start, init;
    VEC(bool) allowed, needed, direct; /* by element */
    VEC(uint32_t) todo;                /* clauses that are needed and not yet looked at */
    uint64_t ticks;                    /* left */
};

/* ---- what is asked ---- */

static void switch_promise(struct question *q, const struct promise *p, svar on, uint32_t steps) {
    struct slit lits[2] = {slit_false(on)};
    assert(steps <= q->unroll.steps.len);
    for (size_t i = 0; q->unroll.init && i < p->init.len; i++) {
        lits[1] = slit_true(solver_encode(q->solver, q->unroll.init, p->init.data[i]));
        solver_add_clause(q->solver, lits, 2);
    }
    for (uint32_t j = 0; j < steps; j++)
        for (size_t i = 0; i < p->step.len; i++) {
            lits[1] = slit_true(unroll_term(&q->unroll, j, p->step.data[i]));
            solver_add_clause(q->solver, lits, 2);
        }
}

/* How many steps there are, and in how many of them promises are kept, and clauses hold, where
 * their switch is on. */
struct shape {
    enum unroll_start from;
    uint32_t steps, promised, assumed;
};

static void question_open(struct question *q, const struct finder *f, struct shape shape) {
    assert(shape.promised <= shape.steps && shape.assumed <= shape.steps);
    q->solver = solver_new(&(struct solver_options){.seed = 1});
    unroll_init(&q->unroll, f->sys, q->solver, shape.from, NULL);
    if (shape.steps > 0)
        unroll_to(&q->unroll, shape.steps - 1);
    for (size_t i = 0; i < f->n; i++)
        vec_push(&q->on, solver_new_bool(q->solver));
    size_t n = f->inv->clauses.len;
    for (size_t i = 0; i < n; i++) {
        const struct clause *c = &f->inv->clauses.data[i];
        struct slit off = slit_false(q->on.data[i]);
        for (uint32_t j = 0; j < shape.assumed; j++)
            unroll_exact_clause(&q->unroll, j, c, &off, 1);
    }
    for (size_t i = 0; i < f->promises->len; i++)
        switch_promise(q, &f->promises->data[i], q->on.data[n + i], shape.promised);
}

static void question_close(struct question *q) {
    unroll_free(&q->unroll);
    solver_free(q->solver);
    vec_free(&q->on);
}

static void mark(struct finder *f, size_t element) {
    assert(f->allowed.data[element]);
    if (f->needed.data[element])
        return;
    f->needed.data[element] = true;
    if (element < f->inv->clauses.len)
        vec_push(&f->todo, (uint32_t)element);
}

static void mark_core(struct finder *f, const struct question *q, bool *direct) {
    size_t n;
    const struct slit *core = solver_core(q->solver, &n);
    assert(q->on.len == f->n);
    for (size_t i = 0; i < n; i++)
        for (size_t e = 0; e < f->n; e++)
            if (q->on.data[e] == core[i].var) {
                mark(f, e);
                if (direct)
                    direct[e] = true;
            }
}

/* Is it impossible with what is allowed? What is needed already comes first: cores prefer it. */
static bool excluded(struct finder *f, struct question *q, const struct slits *fact, bool *direct) {
    struct slits assume = {0};
    uint64_t before = solver_stats(q->solver)->ticks;
    vec_append(&assume, fact->data, fact->len);
    for (int pass = 1; pass >= 0; pass--)
        for (size_t i = 0; i < f->n; i++)
            if (f->allowed.data[i] && f->needed.data[i] == pass)
                vec_push(&assume, slit_true(q->on.data[i]));
    bool unsat =
        f->ticks > 0 && solver_solve(q->solver, assume.data, assume.len, f->ticks) == SOLVER_UNSAT;
    if (unsat)
        mark_core(f, q, direct);
    uint64_t used = solver_stats(q->solver)->ticks - before;
    f->ticks -= used < f->ticks ? used : f->ticks;
    vec_free(&assume);
    return unsat;
}

static bool excludes_term(struct finder *f, struct question *q, struct frame *frame, term_t t) {
    struct slits fact = {0};
    vec_push(&fact, slit_true(solver_encode(q->solver, frame, t)));
    bool ok = excluded(f, q, &fact, NULL);
    vec_free(&fact);
    return ok;
}

/* ---- the obligations ---- */

static bool targets_excluded(struct finder *f) {
    const struct invariant *inv = f->inv;
    bool ok = true;
    for (size_t t = 0; ok && t < inv->targets.len; t++) {
        struct slits fact = {0};
        unroll_clean_prefix(&f->safety.unroll, inv, &fact);
        term_t hit = f->sys->targets.data[inv->targets.data[t]].hit;
        vec_push(&fact, slit_true(unroll_term(&f->safety.unroll, inv->k - 1, hit)));
        ok = excluded(f, &f->safety, &fact, f->direct.data);
        vec_free(&fact);
    }
    return ok;
}

static bool base_holds(struct finder *f) {
    const struct invariant *inv = f->inv;
    for (size_t i = 0; i < inv->targets.len; i++) {
        const struct target *t = &f->sys->targets.data[inv->targets.data[i]];
        if (t->init_hit && !excludes_term(f, &f->init, f->init.unroll.init, t->init_hit))
            return false;
        for (uint32_t j = 0; j + 1 < inv->k; j++)
            if (!excludes_term(f, &f->start, f->start.unroll.steps.data[j], t->hit))
                return false;
    }
    return true;
}

static bool clause_excluded(struct finder *f, struct question *q, uint32_t step,
                            const struct clause *c) {
    struct slits negated = {0};
    bool ok = !unroll_negated(&q->unroll, step, c, &negated) || excluded(f, q, &negated, NULL);
    vec_free(&negated);
    return ok;
}

/* Keeps what is needed; a clause that nothing keeps is no longer allowed, and false. */
static bool needed_clauses_hold(struct finder *f) {
    while (f->todo.len > 0) {
        uint32_t i = vec_pop(&f->todo);
        const struct clause *c = &f->inv->clauses.data[i];
        if (!clause_excluded(f, &f->step, 1, c) || !clause_excluded(f, &f->start, 0, c))
            return f->allowed.data[i] = false;
    }
    return true;
}

/* With what is allowed; `needed` is what that takes. */
static bool prove(struct finder *f) {
    do {
        memset(f->needed.data, 0, f->n * sizeof *f->needed.data);
        memset(f->direct.data, 0, f->n * sizeof *f->direct.data);
        vec_clear(&f->todo);
        if (!targets_excluded(f) || !base_holds(f))
            return false;
    } while (!needed_clauses_hold(f));
    return true;
}

/* ---- less and less ---- */

/* Without this element; everything else that is not a promise may come back for it. */
static void leave_out(struct finder *f, size_t element) {
    size_t clauses = f->inv->clauses.len;
    VEC(bool) kept = {0}, direct = {0};
    assert(element < f->n);
    if (!f->needed.data[element])
        return;
    vec_append(&kept, f->needed.data, f->n);
    vec_append(&direct, f->direct.data, f->n);
    for (size_t i = 0; i < f->n; i++)
        f->allowed.data[i] = i != element && (kept.data[i] || (element >= clauses && i < clauses));
    if (!prove(f)) {
        memcpy(f->needed.data, kept.data, f->n * sizeof *kept.data);
        memcpy(f->direct.data, direct.data, f->n * sizeof *direct.data);
    }
    vec_free(&kept);
    vec_free(&direct);
}

static void shrink(struct finder *f) {
    size_t clauses = f->inv->clauses.len;
    for (size_t i = clauses; i < f->n; i++)
        leave_out(f, i);
    for (size_t i = clauses; i-- > 0;)
        leave_out(f, i);
}

/* Cores are not minimal: which of the clauses exclude the targets by themselves? */
static void shrink_direct(struct finder *f) {
    VEC(bool) needed = {0};
    size_t clauses = f->inv->clauses.len;
    vec_append(&needed, f->needed.data, f->n);
    for (size_t i = 0; i < f->n; i++)
        f->allowed.data[i] = i < clauses ? f->direct.data[i] : needed.data[i];
    for (size_t i = clauses; i-- > 0;) {
        if (!f->direct.data[i])
            continue;
        f->allowed.data[i] = false;
        memset(f->needed.data, 0, f->n * sizeof *f->needed.data);
        f->direct.data[i] = false;
        if (!targets_excluded(f))
            f->allowed.data[i] = f->direct.data[i] = true;
    }
    memcpy(f->needed.data, needed.data, f->n * sizeof *needed.data);
    vec_free(&needed);
}

/* ---- the check ---- */

static term_t all_of(struct terms *ts, term_t t, const term_t *list, size_t n) {
    for (size_t i = 0; i < n; i++)
        t = term_and(ts, t, list[i]);
    return t;
}

void promises_restrict(struct system *to, const struct system *from,
                       const struct promises *promises, const bool *kept) {
    struct terms *ts = from->terms;
    *to = *from;
    to->targets.data = NULL;
    to->targets.len = to->targets.cap = 0;
    vec_append(&to->targets, from->targets.data, from->targets.len);
    for (size_t i = 0; i < promises->len; i++) {
        const struct promise *p = &promises->data[i];
        if (!kept[i])
            continue;
        to->init_ok = all_of(ts, to->init_ok, p->init.data, p->init.len);
        to->step_ok = all_of(ts, to->step_ok, p->step.data, p->step.len);
        for (size_t t = 0; t < to->targets.len; t++) {
            struct target *target = &to->targets.data[t];
            target->hit = all_of(ts, target->hit, p->step.data, p->step.len);
            if (target->init_hit)
                target->init_hit = all_of(ts, target->init_hit, p->init.data, p->init.len);
        }
    }
}

static bool check(const struct finder *f, uint64_t ticks) {
    struct system restricted;
    struct invariant inv;
    invariant_init(&inv);
    promises_restrict(&restricted, f->sys, f->promises, f->needed.data + f->inv->clauses.len);
    for (size_t i = 0; i < f->inv->clauses.len; i++)
        if (f->needed.data[i])
            invariant_add(&inv, f->inv->clauses.data[i].data, f->inv->clauses.data[i].len);
    vec_append(&inv.targets, f->inv->targets.data, f->inv->targets.len);
    inv.k = f->inv->k;
    assert(restricted.targets.len == f->sys->targets.len);
    bool ok = invariant_check(&restricted, &inv, ticks, NULL) == SOLVER_UNSAT;
    invariant_free(&inv);
    vec_free(&restricted.targets);
    return ok;
}

static void take(const struct finder *f, struct reason *reason) {
    uint32_t clauses = (uint32_t)f->inv->clauses.len;
    assert(clauses + f->promises->len == f->n);
    for (uint32_t i = 0; i < f->n; i++) {
        if (f->needed.data[i] && i < clauses)
            vec_push(&reason->clauses, i);
        if (f->needed.data[i] && i >= clauses)
            vec_push(&reason->promises, i - clauses);
        if (f->needed.data[i] && f->direct.data[i] && i < clauses)
            vec_push(&reason->direct, i);
    }
}

bool reason_find(const struct system *sys, const struct invariant *inv,
                 const struct promises *promises, uint64_t ticks, struct reason *reason) {
    struct finder f = {.sys = sys, .inv = inv, .promises = promises, .ticks = ticks};
    assert(inv->k >= 1 && inv->targets.len > 0);
    f.n = inv->clauses.len + promises->len;
    *reason = (struct reason){0};
    vec_resize_zero(&f.needed, f.n + 1);
    vec_resize_zero(&f.direct, f.n + 1);
    for (size_t i = 0; i < f.n; i++)
        vec_push(&f.allowed, true);
    uint32_t k = inv->k;
    question_open(&f.safety, &f, (struct shape){UNROLL_FROM_ANY, k, k, k});
    question_open(&f.step, &f, (struct shape){UNROLL_FROM_ANY, 2, 1, 1});
    question_open(&f.start, &f, (struct shape){UNROLL_FROM_INIT, k > 1 ? k - 1 : 1, k - 1, 0});
    question_open(&f.init, &f, (struct shape){.from = UNROLL_FROM_INIT});
    bool ok = prove(&f);
    if (ok) {
        shrink(&f);
        shrink_direct(&f);
    }
    ok = ok && check(&f, ticks);
    if (ok)
        take(&f, reason);
    question_close(&f.safety);
    question_close(&f.step);
    question_close(&f.start);
    question_close(&f.init);
    vec_free(&f.allowed);
    vec_free(&f.needed);
    vec_free(&f.direct);
    vec_free(&f.todo);
    return ok;
}

void reason_free(struct reason *reason) {
    vec_free(&reason->clauses);
    vec_free(&reason->promises);
    vec_free(&reason->direct);
}

void promises_free(struct promises *promises) {
    for (size_t i = 0; i < promises->len; i++) {
        vec_free(&promises->data[i].init);
        vec_free(&promises->data[i].step);
    }
    vec_free(promises);
}
