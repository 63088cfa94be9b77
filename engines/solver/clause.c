/* Clauses live in one arena of 16-byte cells: a head, then the literals. They are removed only at
 * level 0, where no clause is a reason, so that the arena can be compacted and all watches rebuilt
 * in one sweep. Learned clauses are ranked by LBD, then by size (Audemard and Simon, glucose);
 * those with an LBD up to TIER1 stay for good, and recently used ones survive one more round. */
#include "engines/solver/clause.h"
#include "engines/solver/record.h"
#include "engines/solver/trail.h"
#include "engines/solver/vars.h"
#include "engines/solver/watch.h"

#include <stdlib.h>

enum { TIER1 = 2, TIER2 = 6 };

static_assert(sizeof(struct lit) == 16 && sizeof(struct clause) == 16, "arena cells");

static void clause_watch(struct solver *s, cref_t c) {
    assert(c && clause_at(s, c)->size >= 2);
    struct lit a = clause_at(s, c)->lits[0], b = clause_at(s, c)->lits[1];
    watch_add(s, a, b, c);
    watch_add(s, b, a, c);
}

cref_t clause_new(struct solver *s, const struct lit *lits, size_t n, bool learned, uint32_t lbd) {
    assert(n >= 2);
    cref_t c = (cref_t)s->arena.len;
    vec_resize_zero(&s->arena, s->arena.len + 1 + n);
    *clause_at(s, c) = (struct clause){.size = (uint32_t)n,
                                       .step = s->step,
                                       .lbd = lbd,
                                       .learned = learned,
                                       .used = 2,
                                       .partition = s->partition};
    memcpy(clause_at(s, c)->lits, lits, n * sizeof *lits);
    if (learned)
        vec_push(&s->learned, c);
    else
        vec_push(&s->problem, c);
    clause_watch(s, c);
    return c;
}

static int lit_order(const void *a, const void *b) {
    uint32_t x = ((const struct lit *)a)->vs, y = ((const struct lit *)b)->vs;
    return x < y ? -1 : x > y;
}

static bool known_false(const struct solver *s, struct lit l) {
    return l.bound == INT64_MIN ? false : var_known(s, lit_not(l));
}

bool clause_normalise(const struct solver *s, struct lits *lits) {
    size_t n = 0;
    if (lits->len > 1)
        qsort(lits->data, lits->len, sizeof *lits->data, lit_order);
    for (size_t i = 0; i < lits->len; i++) {
        struct lit l = lits->data[i], *last = n ? &lits->data[n - 1] : NULL;
        if (var_known(s, l))
            return false;
        if (known_false(s, l))
            continue;
        if (last && last->vs == l.vs)
            last->bound = l.bound < last->bound ? l.bound : last->bound;
        else
            lits->data[n++] = l;
        if (n >= 2 && lits->data[n - 2].vs == (lits->data[n - 1].vs ^ 1) &&
            lit_not(lits->data[n - 2]).bound >= lits->data[n - 1].bound)
            return false;
    }
    lits->len = n;
    return true;
}

/* While a proof is recorded clauses keep literals that are false by now: those come last. */
static void false_last(const struct solver *s, struct lits *lits) {
    size_t n = 0;
    for (size_t i = 0; i < lits->len; i++)
        if (!lit_false(s, lits->data[i])) {
            struct lit l = lits->data[i];
            lits->data[i] = lits->data[n];
            lits->data[n++] = l;
        }
}

static bool unit_add(struct solver *s, struct lit unit) {
    if (lit_false(s, unit)) {
        record_refute_given(s, s->step, &unit, 1);
        return s->ok = false;
    }
    if (!lit_true(s, unit)) {
        record_unit(s, unit.vs, s->step);
        trail_push(s, unit, 0);
    }
    return true;
}

bool clause_add(struct solver *s, const struct lit *lits, size_t n) {
    assert(level_of(s) == 0);
    struct lits *copy = &s->clause_lits;
    vec_clear(copy);
    vec_append(copy, lits, n);
    if (!s->ok || !clause_normalise(s, copy))
        return s->ok;
    s->step = record_given(s, copy->data, copy->len);
    if (copy->len == 0) {
        record_refute_given(s, s->step, NULL, 0);
        return s->ok = false;
    }
    if (copy->len == 1)
        return unit_add(s, copy->data[0]);
    false_last(s, copy);
    cref_t c = clause_new(s, copy->data, copy->len, false, 0);
    struct lit first = copy->data[0];
    if (!lit_false(s, copy->data[1]) || lit_true(s, first))
        return true;
    if (!lit_false(s, first)) {
        trail_push(s, first, reason_clause(c));
        return true;
    }
    s->conflict = reason_clause(c);
    record_refute(s);
    return s->ok = false;
}

static uint32_t false_since(const struct solver *s, struct lit l) {
    assert(lit_false(s, l));
    uint32_t entry = trail_find(s, lit_not(l));
    return entry ? s->trail.data[entry].level : 0;
}

/* Drops what is false at level 0 and puts the two latest literals first. */
static void lemma_order(const struct solver *s, struct lits *lits) {
    assert(lits->len == 0 || lit_false(s, lits->data[0]));
    size_t n = 0;
    for (size_t i = 0; i < lits->len; i++)
        if (false_since(s, lits->data[i]) > 0)
            lits->data[n++] = lits->data[i];
    lits->len = n;
    for (size_t place = 0; place < 2 && place < n; place++)
        for (size_t i = place + 1; i < n; i++)
            if (false_since(s, lits->data[i]) > false_since(s, lits->data[place])) {
                struct lit l = lits->data[i];
                lits->data[i] = lits->data[place];
                lits->data[place] = l;
            }
}

bool clause_add_lemma(struct solver *s, struct lits *lits) {
    clause_normalise(s, lits);
    lemma_order(s, lits);
    s->conflict = 0;
    if (lits->len == 0)
        return false;
    uint32_t level = false_since(s, lits->data[0]);
    uint32_t second = lits->len > 1 ? false_since(s, lits->data[1]) : 0;
    reason_t reason = 0;
    if (lits->len > 1)
        reason = reason_clause(clause_new(s, lits->data, lits->len, true, 2));
    if (level == second) {
        s->conflict = reason;
        return false;
    }
    trail_backtrack(s, second);
    trail_push(s, lits->data[0], reason);
    return true;
}

/* ---- reduction ---- */

static bool clause_satisfied(const struct solver *s, const struct clause *c) {
    for (uint32_t i = 0; i < c->size; i++)
        if (s->base.data[c->lits[i].vs] >= c->lits[i].bound)
            return true;
    return false;
}

/* Drops literals that are false at level 0. At a fixpoint at least two literals are left. */
static void clause_shrink(struct solver *s, struct clause *c) {
    uint32_t n = 0;
    if (recording(s))
        return;
    for (uint32_t i = 0; i < c->size; i++)
        if (!lit_false(s, c->lits[i]))
            c->lits[n++] = c->lits[i];
    assert(n >= 2);
    c->size = n;
}

static void mark_satisfied(struct solver *s, const struct ids *list) {
    for (size_t i = 0; i < list->len; i++) {
        struct clause *c = clause_at(s, list->data[i]);
        if (clause_satisfied(s, c))
            c->dead = true;
        else
            clause_shrink(s, c);
    }
}

struct ranked {
    uint64_t rank;
    cref_t clause;
};

static int ranked_order(const void *a, const void *b) {
    const struct ranked *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank > y->rank ? -1 : 1;
    return x->clause < y->clause ? -1 : x->clause > y->clause;
}

static void mark_worse_half(struct solver *s) {
    assert(level_of(s) == 0);
    VEC(struct ranked) candidates = {0};
    for (size_t i = 0; i < s->learned.len; i++) {
        cref_t at = s->learned.data[i];
        struct clause *c = clause_at(s, at);
        if (c->dead || c->lbd <= TIER1)
            continue;
        if (c->used) {
            c->used -= c->lbd <= TIER2 ? 1 : c->used;
            continue;
        }
        vec_push(&candidates, (struct ranked){(uint64_t)c->lbd << 32 | c->size, at});
    }
    if (candidates.len)
        qsort(candidates.data, candidates.len, sizeof *candidates.data, ranked_order);
    for (size_t i = 0; i < (candidates.len + 1) / 2; i++)
        clause_at(s, candidates.data[i].clause)->dead = true;
    vec_free(&candidates);
}

static void list_compact(struct solver *s, struct ids *list, const struct lit *old) {
    assert(s->arena.len > 0);
    size_t n = 0;
    for (size_t i = 0; i < list->len; i++) {
        const struct clause *c = (const struct clause *)(const void *)&old[list->data[i]];
        if (c->dead)
            continue;
        cref_t to = (cref_t)s->arena.len;
        vec_append(&s->arena, &old[list->data[i]], 1 + c->size);
        list->data[n++] = to;
    }
    list->len = n;
}

static void arena_compact(struct solver *s) {
    struct lit *old = s->arena.data;
    s->arena.data = NULL;
    s->arena.len = s->arena.cap = 0;
    vec_resize_zero(&s->arena, 1);
    list_compact(s, &s->problem, old);
    list_compact(s, &s->learned, old);
    vec_release(old);
    for (size_t vs = 0; vs < s->watching.len; vs++)
        watch_clear(&s->watching.data[vs]);
    for (size_t i = 0; i < s->problem.len; i++)
        clause_watch(s, s->problem.data[i]);
    for (size_t i = 0; i < s->learned.len; i++)
        clause_watch(s, s->learned.data[i]);
}

void clause_reduce(struct solver *s) {
    assert(level_of(s) == 0 && s->trail.len == 1);
    mark_satisfied(s, &s->problem);
    mark_satisfied(s, &s->learned);
    mark_worse_half(s);
    arena_compact(s);
}
