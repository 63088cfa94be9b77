/* The trail of bounds: see trail.h. */
#include "engines/solver/trail.h"
#include "engines/solver/decide.h"
#include "engines/solver/propagate.h"
#include "engines/solver/record.h"

void trail_push(struct solver *s, struct lit l, reason_t reason) {
    assert(s->bound.data[l.vs] < l.bound);
    assert(l.bound <= ~s->bound.data[l.vs ^ 1]);
    struct entry e = {l.bound, l.vs, s->trail_at.data[l.vs], reason, level_of(s)};
    s->trail_at.data[l.vs] = (uint32_t)s->trail.len;
    s->bound.data[l.vs] = l.bound;
    vec_push(&s->trail, e);
    s->stats.propagations++;
    s->stats.ticks++;
}

void trail_open_level(struct solver *s) {
    assert(s->trail.len > 0);
    vec_push(&s->level_start, (uint32_t)s->trail.len);
}

static void entry_undo(struct solver *s, const struct entry *e) {
    assert(s->bound.data[e->vs] == e->bound);
    svar v = e->vs / 2;
    if (var_fixed(s, v))
        s->phase.data[v] = var_lo(s, v);
    s->bound.data[e->vs] = trail_bound(s, e->vs, e->prev);
    s->trail_at.data[e->vs] = e->prev;
    decide_again(s, v);
}

void trail_backtrack(struct solver *s, uint32_t level) {
    if (level_of(s) <= level)
        return;
    size_t start = s->level_start.data[level];
    for (size_t i = s->trail.len; i-- > start;)
        entry_undo(s, &s->trail.data[i]);
    vec_truncate(&s->trail, start);
    vec_truncate(&s->level_start, level);
    s->clause_head = start;
    propagate_forget(s);
}

void trail_commit(struct solver *s) {
    assert(level_of(s) == 0 && s->clause_head == s->trail.len);
    record_commit(s);
    for (size_t i = 1; i < s->trail.len; i++) {
        uint32_t vs = s->trail.data[i].vs;
        s->base.data[vs] = s->bound.data[vs];
        s->trail_at.data[vs] = 0;
    }
    vec_truncate(&s->trail, 1);
    s->clause_head = 1;
}

uint32_t trail_find(const struct solver *s, struct lit l) {
    assert(lit_true(s, l));
    uint32_t at = s->trail_at.data[l.vs], found = 0;
    while (at && s->trail.data[at].bound >= l.bound) {
        found = at;
        at = s->trail.data[at].prev;
    }
    return s->base.data[l.vs] >= l.bound ? 0 : found;
}

uint32_t trail_before(const struct solver *s, uint32_t vs, uint32_t pos) {
    assert(vs < s->trail_at.len && pos <= s->trail.len);
    uint32_t at = s->trail_at.data[vs];
    while (at >= pos)
        at = s->trail.data[at].prev;
    return at;
}
