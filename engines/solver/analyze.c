/* Conflict analysis (first unique implication point) over bounds.
 *
 * What is carried is the *needed* bound of a side, not the propagated one: need[vs]. It is bound to
 * the first trail entry that satisfies it, need_entry[vs]; two needs of one side merge into the
 * stronger one, whose explanation implies the weaker. Walking the trail downwards, each entry that
 * carries a need is replaced by its explanation until one entry of the conflict's level is left. */
#include "engines/solver/analyze.h"
#include "engines/solver/clause.h"
#include "engines/solver/decide.h"
#include "engines/solver/explain.h"
#include "engines/solver/record.h"
#include "engines/solver/trail.h"

#include <stdlib.h>

static uint32_t entry_level(const struct solver *s, uint32_t entry) {
    assert(entry < s->trail.len);
    return entry ? s->trail.data[entry].level : 0;
}

/* `open` counts the needs at `level`. */
static void need_add(struct solver *s, struct lit l, uint32_t level, uint32_t *open) {
    uint32_t old = s->need_entry.data[l.vs];
    if (s->base.data[l.vs] >= l.bound) {
        if (s->initial.data[l.vs] < l.bound)
            record_level_zero(s, l.vs);
        return;
    }
    if (old && s->need.data[l.vs] >= l.bound)
        return;
    uint32_t entry = trail_find(s, l);
    bool counted = old && entry_level(s, old) == level;
    assert(entry && entry_level(s, entry) <= level);
    s->need.data[l.vs] = l.bound;
    s->need_entry.data[l.vs] = entry;
    if (!s->need_listed.data[l.vs])
        vec_push(&s->needed, l.vs);
    s->need_listed.data[l.vs] = 1;
    if (entry_level(s, entry) == level && !counted)
        ++*open;
    decide_bump(s, l.vs / 2);
}

static void needs_add(struct solver *s, const struct lits *lits, uint32_t level, uint32_t *open) {
    for (size_t i = 0; i < lits->len; i++)
        need_add(s, lits->data[i], level, open);
}

static void needs_clear(struct solver *s) {
    for (size_t i = 0; i < s->needed.len; i++) {
        s->need_entry.data[s->needed.data[i]] = 0;
        s->need_listed.data[s->needed.data[i]] = 0;
    }
    vec_clear(&s->needed);
}

static uint32_t highest_level(const struct solver *s, const struct lits *lits) {
    uint32_t level = 0;
    for (size_t i = 0; i < lits->len; i++) {
        uint32_t l = entry_level(s, trail_find(s, lits->data[i]));
        level = l > level ? l : level;
    }
    return level;
}

/* Replaces the need that entry `at` carries by its explanation. */
static void need_expand(struct solver *s, uint32_t at, uint32_t level, uint32_t *open) {
    assert(s->need_entry.data[s->trail.data[at].vs] == at && s->trail.data[at].reason);
    uint32_t vs = s->trail.data[at].vs;
    struct lit needed = {s->need.data[vs], vs};
    vec_clear(&s->explained);
    record_premise(s, explain_entry(s, at, needed, &s->explained), vs);
    s->need_entry.data[vs] = 0;
    needs_add(s, &s->explained, level, open);
}

static uint32_t find_uip(struct solver *s, uint32_t level) {
    uint32_t open = 0;
    needs_add(s, &s->explained, level, &open);
    assert(open > 0);
    for (uint32_t at = (uint32_t)s->trail.len - 1;; at--) {
        assert(at > 0);
        if (s->need_entry.data[s->trail.data[at].vs] != at)
            continue;
        if (open == 1)
            return at;
        open--;
        need_expand(s, at, level, &open);
    }
}

/* Every literal of the explanation follows from a need that is carried by an earlier entry. The
 * order by entries keeps two needs from removing each other. */
static bool need_redundant(struct solver *s, uint32_t vs) {
    assert(s->need_entry.data[vs]);
    uint32_t at = s->need_entry.data[vs];
    const struct entry *e = &s->trail.data[at];
    if (e->reason == 0 || reason_is_prim(e->reason))
        return false;
    const struct clause *c = clause_at(s, e->reason >> 1);
    for (uint32_t i = 0; i < c->size; i++) {
        if (c->lits[i].vs == e->vs)
            continue;
        struct lit l = lit_not(c->lits[i]);
        uint32_t by = s->need_entry.data[l.vs];
        if (s->base.data[l.vs] >= l.bound)
            continue;
        if (!by || by >= at || s->need.data[l.vs] < l.bound)
            return false;
    }
    return true;
}

static int later_first(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x > y ? -1 : x < y;
}

/* The redundant needs, resolved with their reasons from the latest to the earliest. */
static void record_redundant(struct solver *s) {
    struct ids *at = &s->redundant;
    if (!recording(s))
        return;
    if (at->len)
        qsort(at->data, at->len, sizeof *at->data, later_first);
    for (size_t i = 0; i < at->len; i++) {
        const struct entry *e = &s->trail.data[at->data[i]];
        const struct clause *c = clause_at(s, e->reason >> 1);
        record_premise(s, c->step, e->vs);
        for (uint32_t k = 0; k < c->size; k++) {
            struct lit l = lit_not(c->lits[k]);
            if (c->lits[k].vs != e->vs && s->base.data[l.vs] >= l.bound &&
                s->initial.data[l.vs] < l.bound)
                record_level_zero(s, l.vs);
        }
    }
}

static void collect_clause(struct solver *s, uint32_t uip) {
    assert(s->need_entry.data[s->trail.data[uip].vs] == uip);
    struct lits *out = &s->clause_lits;
    uint32_t uip_vs = s->trail.data[uip].vs;
    vec_clear(&s->redundant);
    vec_clear(out);
    vec_push(out, lit_not((struct lit){s->need.data[uip_vs], uip_vs}));
    for (size_t i = 0; i < s->needed.len; i++) {
        uint32_t vs = s->needed.data[i];
        if (vs == uip_vs || !s->need_entry.data[vs])
            continue;
        if (need_redundant(s, vs))
            vec_push(&s->redundant, s->need_entry.data[vs]);
        else
            vec_push(out, lit_not((struct lit){s->need.data[vs], vs}));
    }
    record_redundant(s);
    s->step = record_chain_close(s, out->data, out->len);
}

/* Literal 1 is the one with the highest level, to which the search goes back. */
static uint32_t order_for_jump(struct solver *s, struct lits *lits) {
    assert(lits->len > 0);
    uint32_t best = 0;
    for (size_t i = 1; i < lits->len; i++) {
        uint32_t level = entry_level(s, s->need_entry.data[lits->data[i].vs ^ 1]);
        if (level > best) {
            struct lit l = lits->data[i];
            lits->data[i] = lits->data[1];
            lits->data[1] = l;
            best = level;
        }
    }
    return best;
}

static uint32_t clause_lbd(struct solver *s, const struct lits *lits) {
    uint32_t lbd = 0;
    s->stamp++;
    for (size_t i = 0; i < lits->len; i++) {
        uint32_t level = entry_level(s, s->need_entry.data[lits->data[i].vs ^ 1]);
        vec_resize_zero(&s->level_stamp,
                        level < s->level_stamp.len ? s->level_stamp.len : level + 1);
        if (s->level_stamp.data[level] != s->stamp) {
            s->level_stamp.data[level] = s->stamp;
            lbd++;
        }
    }
    return lbd;
}

static void averages_update(struct solver *s, uint32_t lbd) {
    s->lbd_fast += (lbd - s->lbd_fast) / 33;
    s->lbd_slow += (lbd - s->lbd_slow) / 10000;
}

bool analyze_conflict(struct solver *s) {
    assert(level_of(s) > 0);
    vec_clear(&s->explained);
    record_chain_open(s);
    uint32_t start = explain_conflict(s, &s->explained), open = 0;
    uint32_t level = highest_level(s, &s->explained);
    record_premise(s, start, 0);
    if (level == 0) {
        needs_add(s, &s->explained, 0, &open);
        record_final(s, record_chain_close(s, NULL, 0));
        return false;
    }
    trail_backtrack(s, level);
    uint32_t uip = find_uip(s, level);
    collect_clause(s, uip);
    struct lits *lits = &s->clause_lits;
    uint32_t jump = order_for_jump(s, lits), lbd = clause_lbd(s, lits);
    averages_update(s, lbd);
    needs_clear(s);
    trail_backtrack(s, jump);
    reason_t reason = 0;
    if (lits->len > 1)
        reason = reason_clause(clause_new(s, lits->data, lits->len, true, lbd));
    else
        record_unit(s, lits->data[0].vs, s->step);
    trail_push(s, lits->data[0], reason);
    s->stats.learned++;
    decide_decay(s);
    return true;
}

/* ---- cores ---- */

/* Of all assumptions that are false now, the one that became so first ("ICP and IC3" III-A,
 * step 3). */
static size_t first_failed(const struct solver *s, size_t index) {
    assert(lit_false(s, s->assumptions.data[index]));
    size_t best = index;
    uint32_t best_at = trail_find(s, lit_not(s->assumptions.data[index]));
    for (size_t i = index + 1; i < s->assumptions.len; i++) {
        struct lit l = s->assumptions.data[i];
        uint32_t at = lit_false(s, l) ? trail_find(s, lit_not(l)) : UINT32_MAX;
        if (at < best_at) {
            best_at = at;
            best = i;
        }
    }
    return best;
}

/* Levels up to the number of assumptions belong to one assumption each. */
static void core_add_decision(struct solver *s, uint32_t at) {
    uint32_t level = s->trail.data[at].level;
    assert(level >= 1 && level <= s->assumptions.len);
    vec_push(&s->core, slit_of(s->assumptions.data[level - 1]));
}

/* The failed assumption contradicts entry e; the core implies all of e's bound, so that the weakest
 * bound that still fails is the negation of e itself. */
void analyze_assumption(struct solver *s, size_t index) {
    struct lit failed = s->assumptions.data[first_failed(s, index)];
    uint32_t open = 0, at = trail_find(s, lit_not(failed));
    vec_clear(&s->core);
    record_chain_open(s);
    vec_push(&s->core, slit_of(failed));
    s->weakest = slit_of(failed);
    if (at) {
        struct lit l = {s->trail.data[at].bound, s->trail.data[at].vs};
        s->weakest = slit_of(lit_not(l));
        need_add(s, l, UINT32_MAX, &open);
    } else {
        s->weakest = slit_of(lit_not((struct lit){s->base.data[failed.vs ^ 1], failed.vs ^ 1}));
        if (s->initial.data[failed.vs ^ 1] < lit_not(failed).bound)
            record_level_zero(s, failed.vs ^ 1);
    }
    for (; at > 0; at--) {
        if (s->need_entry.data[s->trail.data[at].vs] != at)
            continue;
        if (s->trail.data[at].reason == 0)
            core_add_decision(s, at);
        else
            need_expand(s, at, UINT32_MAX, &open);
    }
    needs_clear(s);
    vec_clear(&s->clause_lits);
    for (size_t i = 0; i < s->core.len; i++)
        vec_push(&s->clause_lits, lit_not(lit_of(s->core.data[i])));
    record_final(s, record_chain_close(s, s->clause_lits.data, s->clause_lits.len));
}
