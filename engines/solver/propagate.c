/* Propagation. Clauses are visited for one trail entry at a time; when none is left, one waiting
 * contractor runs, and what it finds goes through the clauses before the next one runs.
 *
 * Slow convergence: a contractor that narrows a bound by less than 1 % of the domain's width more
 * than SLOW_LIMIT times since the last decision is not followed any more, so that a decision splits
 * the domain instead. Results that are empty or a point always count, so nothing is missed once
 * all variables are points. */
#include "engines/solver/cone.h"
#include "engines/solver/relations/order.h"
#include "engines/solver/prims.h"
#include "engines/solver/propagate.h"
#include "engines/solver/check.h"
#include "engines/solver/trail.h"
#include "engines/solver/watch.h"

enum { SLOW_LIMIT = 3 };

/* ---- clauses ---- */

/* The watched literal on the other side of `vs` has become false. Finds another literal to watch,
 * or the last one that is left: returns true when the watch moved away. */
static bool watch_moves(struct solver *s, struct clause *c, cref_t at, uint32_t vs) {
    if (c->lits[0].vs == (vs ^ 1)) {
        struct lit l = c->lits[0];
        c->lits[0] = c->lits[1];
        c->lits[1] = l;
    }
    assert(c->lits[1].vs == (vs ^ 1));
    if (lit_true(s, c->lits[0]))
        return false;
    for (uint32_t i = 2; i < c->size; i++) {
        struct lit l = c->lits[i];
        if (lit_false(s, l))
            continue;
        c->lits[i] = c->lits[1];
        c->lits[1] = l;
        watch_add(s, l, c->lits[0], at);
        return true;
    }
    return false;
}

enum visit { VISIT_STAYS, VISIT_MOVED, VISIT_FAILED };

static enum visit visit_watch(struct solver *s, struct watch *w, uint32_t vs) {
    assert(w->clause && w->clause < s->arena.len);
    if (lit_true(s, w->blocker))
        return VISIT_STAYS;
    struct clause *c = clause_at(s, w->clause);
    s->stats.ticks++;
    if (watch_moves(s, c, w->clause, vs))
        return VISIT_MOVED;
    w->blocker = c->lits[0];
    if (lit_true(s, c->lits[0]))
        return VISIT_STAYS;
    if (lit_false(s, c->lits[0])) {
        s->conflict = reason_clause(w->clause);
        return VISIT_FAILED;
    }
    trail_push(s, c->lits[0], reason_clause(w->clause));
    return VISIT_STAYS;
}

static bool visit_sorted(struct solver *s, struct watches *list, uint32_t vs, int64_t old,
                         int64_t now) {
    size_t i = watch_first_above(list, old);
    for (; i < list->sorted && list->data[i].at <= now; i++) {
        if (!list->data[i].clause)
            continue;
        enum visit visit = visit_watch(s, &list->data[i], vs);
        if (visit == VISIT_FAILED)
            return false;
        if (visit == VISIT_MOVED)
            list->data[i].clause = 0;
    }
    return true;
}

static bool visit_tail(struct solver *s, struct watches *list, uint32_t vs, int64_t old,
                       int64_t now) {
    size_t keep = list->sorted, i = keep;
    bool fine = true;
    for (; i < list->len && fine; i++) {
        enum visit visit = VISIT_STAYS;
        if (list->data[i].at > old && list->data[i].at <= now)
            visit = visit_watch(s, &list->data[i], vs);
        fine = visit != VISIT_FAILED;
        if (visit != VISIT_MOVED)
            list->data[keep++] = list->data[i];
    }
    if (keep < i)
        memmove(list->data + keep, list->data + i, (list->len - i) * sizeof *list->data);
    list->len -= i - keep;
    return fine;
}

static bool visit_watches(struct solver *s, uint32_t vs, int64_t old, int64_t now) {
    assert(old < now && now <= s->bound.data[vs]);
    struct watches *list = &s->watching.data[vs];
    s->stats.ticks += (list->len - list->sorted) / 16;
    bool fine = visit_sorted(s, list, vs, old, now) && visit_tail(s, list, vs, old, now);
    if (s->sort.data[vs / 2] != SORT_BOOL)
        watch_tidy(list);
    return fine;
}

/* ---- contractors ---- */

static int queue_of(const struct solver *s, uint32_t prim) {
    return prim_is_form(&s->prims.data[prim]) ? QUEUE_DEAR : QUEUE_CHEAP;
}

void propagate_wake(struct solver *s, uint32_t prim) {
    assert(prim && prim < s->prims.len);
    agenda_add(&s->agenda[queue_of(s, prim)], prim);
}

void propagate_forget(struct solver *s) {
    for (int q = 0; q < N_QUEUES; q++)
        agenda_clear(&s->agenda[q]);
    order_forget(s);
}

static bool next_prim(struct solver *s, uint32_t *prim) {
    for (int q = 0; q < N_QUEUES; q++)
        if (agenda_next(&s->agenda[q], prim))
            return true;
    return false;
}

struct range var_range(const struct solver *s, svar v) {
    assert(v && v <= s->n_vars);
    svar nan = s->nan.data[v];
    struct range r = {var_lo(s, v), var_hi(s, v), true, false};
    if (nan) {
        r.num = var_lo(s, nan) == 0;
        r.nan = var_hi(s, nan) == 1;
    }
    return r;
}

static bool too_slow(struct solver *s, uint32_t vs, int64_t to) {
    assert(to > s->bound.data[vs]);
    uint64_t width = (uint64_t)~s->bound.data[vs ^ 1] - (uint64_t)s->bound.data[vs];
    uint64_t gain = (uint64_t)to - (uint64_t)s->bound.data[vs];
    uint32_t now = (uint32_t)s->stats.decisions;
    if (gain == width || gain >= width / 100) {
        s->slow.data[vs] = 0;
        return false;
    }
    if (s->slow_since.data[vs] != now) {
        s->slow_since.data[vs] = now;
        s->slow.data[vs] = 0;
    }
    if (s->slow.data[vs] >= SLOW_LIMIT)
        return true;
    s->slow.data[vs]++;
    return false;
}

static void narrow_side(struct solver *s, struct lit l, reason_t reason) {
    if (!lit_true(s, l) && !too_slow(s, l.vs, l.bound))
        trail_push(s, l, reason);
}

/* Operand `which` of the constraint lies in `out`. */
static bool narrow(struct solver *s, uint32_t prim, svar v, int which, struct range out) {
    svar nan = s->nan.data[v];
    reason_t reason = reason_prim(prim, which);
    if (range_is_empty(out)) {
        s->conflict = reason;
        return false;
    }
    if (nan && !out.nan && var_hi(s, nan) == 1)
        trail_push(s, lit_le(nan, 0), reason);
    if (nan && !out.num && var_lo(s, nan) == 0)
        trail_push(s, lit_ge(nan, 1), reason);
    if (out.num && (!nan || var_hi(s, nan) == 0)) {
        narrow_side(s, lit_ge(v, out.lo), reason);
        narrow_side(s, lit_le(v, out.hi), reason);
    }
    return true;
}

static bool all_points(const struct range *r, int n) {
    for (int i = 0; i < n; i++)
        if (!range_is_point(r[i]))
            return false;
    return true;
}

static bool run_prim(struct solver *s, uint32_t prim) {
    if (prims_asleep(s, prim))
        return true;
    struct constraint c = prims_constraint(s, prim);
    struct range r[MAX_OPERANDS], out;
    for (int i = 0; i < c.n; i++)
        r[i] = var_range(s, c.var[i]);
    for (int which = 0; which < c.n_narrowed; which++) {
        if (which == 1 && all_points(r, c.n))
            break; /* the result was checked against them, nothing is left to narrow */
        prims_count_call(s, prim);
        if (!prims_narrow(s, prim, r, which, &out))
            continue;
        if (!narrow(s, prim, c.var[which], which, out))
            return false;
        for (int i = 0; i < c.n; i++)
            r[i] = var_range(s, c.var[i]);
    }
    return true;
}

static bool visit_entry(struct solver *s, size_t at) {
    assert(at > 0 && at < s->trail.len);
    struct entry e = s->trail.data[at];
    if (!visit_watches(s, e.vs, trail_bound(s, e.vs, e.prev), e.bound))
        return false;
    order_wake(s, e.vs, trail_bound(s, e.vs, e.prev), e.bound);
    const struct ids *uses = &s->uses.data[e.vs / 2];
    s->stats.ticks += uses->len / 8;
    for (size_t i = 0; i < uses->len; i++)
        if (level_of(s) == 0 || cone_has(s, s->prims.data[uses->data[i]].var[0]))
            propagate_wake(s, uses->data[i]);
    return true;
}

bool propagate(struct solver *s) {
    uint32_t prim;
    for (;;) {
        while (s->clause_head < s->trail.len)
            if (!visit_entry(s, s->clause_head++))
                return false;
        if (out_of_budget(s))
            return true;
        if (next_prim(s, &prim)) {
            if (!run_prim(s, prim))
                return false;
            continue;
        }
        if (!order_propagate(s))
            return false;
        if (s->clause_head == s->trail.len)
            break;
    }
    if (s->knobs.check)
        check_solver(s);
    return true;
}
