/* The invariants of core.h, walked. */
#include "engines/solver/check.h"
#include "base/bug.h"

static void check_bounds(const struct solver *s) {
    for (svar v = 1; v <= s->n_vars; v++) {
        if (var_lo(s, v) > var_hi(s, v))
            bug("variable %u is empty", v);
        for (uint32_t vs = 2 * v; vs <= 2 * v + 1; vs++) {
            uint32_t at = s->trail_at.data[vs];
            int64_t bound = at ? s->trail.data[at].bound : s->base.data[vs];
            if (bound != s->bound.data[vs])
                bug("bound of side %u is not that of its newest entry", vs);
        }
    }
}

static void check_trail(const struct solver *s) {
    uint32_t level = 0;
    for (size_t i = 1; i < s->trail.len; i++) {
        const struct entry *e = &s->trail.data[i];
        int64_t before = e->prev ? s->trail.data[e->prev].bound : s->base.data[e->vs];
        while (level < s->level_start.len && s->level_start.data[level] <= i)
            level++;
        if (e->bound <= before)
            bug("entry %zu does not raise its bound", i);
        if (e->prev >= i || (e->prev && s->trail.data[e->prev].vs != e->vs))
            bug("entry %zu has a broken chain", i);
        if (e->level != level)
            bug("entry %zu has level %u in level %u", i, e->level, level);
        if (e->reason == 0 && level && s->level_start.data[level - 1] != i)
            bug("entry %zu has no reason", i);
    }
}

static void check_clause(const struct solver *s, cref_t at) {
    const struct clause *c = clause_at(s, at);
    bool any_true = false;
    for (uint32_t i = 0; i < c->size; i++)
        any_true |= lit_true(s, c->lits[i]);
    for (uint32_t i = 0; i < 2; i++)
        if (lit_false(s, c->lits[i]) && !any_true)
            bug("clause %u watches a false literal and is not satisfied", at);
}

static size_t watches_of(const struct solver *s, cref_t at, struct lit l) {
    const struct watches *list = &s->watching.data[l.vs ^ 1];
    size_t n = 0;
    for (size_t i = 0; i < list->len; i++)
        n += list->data[i].clause == at && list->data[i].at == -l.bound;
    return n;
}

static void check_clauses(const struct solver *s, const struct ids *list) {
    for (size_t i = 0; i < list->len; i++) {
        check_clause(s, list->data[i]);
        const struct clause *c = clause_at(s, list->data[i]);
        if (watches_of(s, list->data[i], c->lits[0]) != 1 ||
            watches_of(s, list->data[i], c->lits[1]) != 1)
            bug("clause %u is not watched through its first two literals", list->data[i]);
    }
}

void check_solver(const struct solver *s) {
    check_bounds(s);
    check_trail(s);
    check_clauses(s, &s->problem);
    check_clauses(s, &s->learned);
    if (s->clause_head != s->trail.len)
        bug("propagation is not complete");
}
