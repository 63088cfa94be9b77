/* Lazy explanation of contractors: reasons are made when they are asked for.
 *
 * A trial is a choice, per side of every operand, of one bound from the chain of bounds that the
 * side had before the explained entry; `level 0` is the weakest choice. The contractor is pure and
 * monotone, so a trial is an explanation when the contractor still gives the needed bound, and
 * weakening one side at a time, from the newest bound to the oldest, gives a minimal one among the
 * bounds that exist. */
#include "engines/solver/explain.h"
#include "engines/solver/prims.h"
#include "engines/solver/propagate.h"
#include "engines/solver/record.h"
#include "engines/solver/trail.h"

enum goal { GOAL_EMPTY, GOAL_BOUND, GOAL_NAN, GOAL_NUMBER };

struct operand {
    svar var;
    uint32_t at[4]; /* trail entry of the choice: lower, upper, nan lower, nan upper; 0: the base */
    int64_t bound[4]; /* the choice itself */
};

struct trial {
    uint32_t prim;
    struct constraint constraint;
    int which, n_operands;
    enum goal goal;
    struct lit needed;
    struct operand operands[MAX_OPERANDS];
    uint8_t operand_of[MAX_OPERANDS]; /* place in the constraint -> operands[] */
    uint32_t trials_left;
};

static uint32_t operand_side(const struct solver *s, const struct operand *o, int side) {
    assert(0 <= side && side < (s->nan.data[o->var] ? 4 : 2));
    return side < 2 ? 2 * o->var + (uint32_t)side : 2 * s->nan.data[o->var] + (uint32_t)side - 2;
}

static int operand_sides(const struct solver *s, const struct operand *o) {
    return s->nan.data[o->var] ? 4 : 2;
}

static struct range operand_range(const struct solver *s, const struct operand *o) {
    svar v = o->var, nan = s->nan.data[v];
    struct range r = {o->bound[0], ~o->bound[1], true, false};
    if (nan) {
        r.num = o->bound[2] < 1;
        r.nan = ~o->bound[3] > 0;
    }
    return r;
}

static bool trial_holds(const struct solver *s, const struct trial *t) {
    struct range r[MAX_OPERANDS], out;
    for (int i = 0; i < t->constraint.n; i++)
        r[i] = operand_range(s, &t->operands[t->operand_of[i]]);
    if (t->goal == GOAL_BOUND && r[t->which].nan)
        return false;
    prims_narrow(s, t->prim, r, t->which, &out);
    switch (t->goal) {
    case GOAL_EMPTY:
        return range_is_empty(out);
    case GOAL_NAN:
        return !out.num;
    case GOAL_NUMBER:
        return !out.nan;
    case GOAL_BOUND:
        return !out.num || (t->needed.vs & 1 ? ~out.hi : out.lo) >= t->needed.bound;
    }
    return false;
}

/* Tries one side at a weaker bound; keeps it when the goal still holds. */
static bool try_side(struct solver *s, struct trial *t, struct operand *o, int side, uint32_t at,
                     int64_t bound) {
    assert(bound <= o->bound[side]);
    uint32_t old_at = o->at[side];
    int64_t old = o->bound[side];
    if (t->trials_left == 0)
        return false;
    t->trials_left--;
    prims_count_call(s, t->prim);
    o->at[side] = at;
    o->bound[side] = bound;
    if (trial_holds(s, t))
        return true;
    o->at[side] = old_at;
    o->bound[side] = old;
    return false;
}

static bool try_entry(struct solver *s, struct trial *t, struct operand *o, int side, uint32_t at) {
    return try_side(s, t, o, side, at, trail_bound(s, operand_side(s, o, side), at));
}

/* See solver_share(). What leads from one shared bound to another goes over other variables, so the
 * side that weakens does so with all of them. */
static bool keeps(const struct solver *s, const struct trial *t, const struct operand *o) {
    return s->keeping && s->flags.data[o->var] & VAR_SHARED &&
           s->prims.data[t->prim].partition == s->keeping;
}
static bool gives_away(const struct solver *s, const struct trial *t) {
    return s->keeping && s->prims.data[t->prim].partition != s->keeping;
}

/* Bounds from assumptions are made as weak as possible: a core then says how far they may move. */
static bool is_assumed(const struct solver *s, uint32_t at) {
    return s->options.weak_cores && s->trail.data[at].level <= s->assumptions.len;
}

/* Between the choice, which is enough, and the older bound, which is not: the weakest. */
static void weaken_between(struct solver *s, struct trial *t, struct operand *o, int side) {
    assert(o->at[side] && o->at[side] < s->trail.len);
    uint32_t at = o->at[side];
    int64_t weak = trail_bound(s, operand_side(s, o, side), s->trail.data[at].prev);
    t->trials_left += 64;
    while ((uint64_t)o->bound[side] - (uint64_t)weak > 1) {
        int64_t middle = weak + (int64_t)(((uint64_t)o->bound[side] - (uint64_t)weak) / 2);
        if (!try_side(s, t, o, side, at, middle))
            weak = middle;
    }
}

/* The oldest bound of a side that is enough: the base, else by galloping down the chain. */
static void weaken_side(struct solver *s, struct trial *t, struct operand *o, int side) {
    if (o->at[side] == 0 || try_entry(s, t, o, side, 0) || keeps(s, t, o))
        return;
    uint32_t step = 1;
    while (o->at[side] && step) {
        uint32_t to = o->at[side];
        for (uint32_t i = 0; i < step && to; i++)
            to = s->trail.data[to].prev;
        if (to == 0 || !try_entry(s, t, o, side, to))
            step /= 2;
        else
            step *= 2;
    }
    if (side < 2 && o->at[side] && (gives_away(s, t) || is_assumed(s, o->at[side])))
        weaken_between(s, t, o, side);
}

static bool weaken_operand(struct solver *s, struct trial *t, struct operand *o) {
    struct operand old = *o;
    bool any = false;
    for (int side = 0; side < operand_sides(s, o); side++)
        any |= o->at[side] != 0;
    if (!any || t->trials_left == 0)
        return !any;
    t->trials_left--;
    prims_count_call(s, t->prim);
    for (int side = 0; side < operand_sides(s, o); side++) {
        o->at[side] = 0;
        o->bound[side] = s->base.data[operand_side(s, o, side)];
    }
    if (trial_holds(s, t))
        return true;
    *o = old;
    return false;
}

/* A proof names what it rests on: of what holds at level 0, no more than is needed. */
static void weaken_base(struct solver *s, struct trial *t, struct operand *o) {
    for (int side = 0; side < operand_sides(s, o); side++) {
        uint32_t vs = operand_side(s, o, side);
        if (o->at[side] == 0 && o->bound[side] > s->initial.data[vs])
            try_side(s, t, o, side, 0, s->initial.data[vs]);
    }
}

static uint32_t operand_newest(const struct solver *s, const struct trial *t,
                               const struct operand *o) {
    uint32_t newest = 0;
    if (gives_away(s, t) && s->flags.data[o->var] & VAR_SHARED)
        return UINT32_MAX;
    for (int side = 0; side < 4; side++)
        newest = o->at[side] > newest ? o->at[side] : newest;
    return newest;
}

/* Newest operands first: what is not needed of them frees the latest levels. Before them those that
 * an interpolant will be about. */
static void weaken(struct solver *s, struct trial *t) {
    bool done[MAX_OPERANDS] = {false};
    for (int round = 0; round < t->n_operands; round++) {
        int pick = -1;
        for (int i = 0; i < t->n_operands; i++)
            if (!done[i] && (pick < 0 || operand_newest(s, t, &t->operands[i]) >
                                             operand_newest(s, t, &t->operands[pick])))
                pick = i;
        struct operand *o = &t->operands[pick];
        done[pick] = true;
        if (weaken_operand(s, t, o))
            continue;
        for (int side = 0; side < operand_sides(s, o); side++)
            weaken_side(s, t, o, side);
    }
    for (int i = 0; recording(s) && i < t->n_operands; i++)
        weaken_base(s, t, &t->operands[i]);
}

static void trial_add_operand(const struct solver *s, struct trial *t, int place, uint32_t pos) {
    assert(place < MAX_OPERANDS && t->n_operands < MAX_OPERANDS);
    svar v = t->constraint.var[place];
    int i = 0;
    while (i < t->n_operands && t->operands[i].var != v)
        i++;
    t->operand_of[place] = (uint8_t)i;
    if (i < t->n_operands)
        return;
    struct operand *o = &t->operands[t->n_operands++];
    o->var = v;
    for (int side = 0; side < operand_sides(s, o); side++) {
        uint32_t vs = operand_side(s, o, side);
        o->at[side] = trail_before(s, vs, pos);
        o->bound[side] = trail_bound(s, vs, o->at[side]);
    }
}

static void trial_emit(const struct solver *s, const struct trial *t, struct lits *out) {
    for (int i = 0; i < t->n_operands; i++) {
        const struct operand *o = &t->operands[i];
        for (int side = 0; side < operand_sides(s, o); side++) {
            uint32_t vs = operand_side(s, o, side);
            if (o->at[side] || (recording(s) && o->bound[side] > s->initial.data[vs]))
                vec_push(out, (struct lit){o->bound[side], vs});
        }
    }
}

static uint32_t explain_prim(struct solver *s, reason_t reason, struct lit needed, uint32_t pos,
                             struct lits *out) {
    uint32_t prim = reason_prim_of(reason);
    struct trial t = {.prim = prim,
                      .constraint = prims_constraint(s, prim),
                      .which = reason_which(reason),
                      .goal = GOAL_EMPTY,
                      .needed = needed,
                      .trials_left = s->knobs.max_trials};
    if (needed.vs)
        t.goal = needed.vs / 2 == t.constraint.var[t.which] ? GOAL_BOUND
                 : needed.vs & 1                            ? GOAL_NUMBER
                                                            : GOAL_NAN;
    for (int i = 0; i < t.constraint.n; i++)
        trial_add_operand(s, &t, i, pos);
    assert(trial_holds(s, &t));
    weaken(s, &t);
    size_t from = out->len;
    trial_emit(s, &t, out);
    return record_lemma(s, prim, needed, out, from);
}

static uint32_t explain_clause(struct solver *s, cref_t at, uint32_t vs, struct lits *out) {
    assert(at && at < s->arena.len);
    struct clause *c = clause_at(s, at);
    c->used = 2;
    for (uint32_t i = 0; i < c->size; i++)
        if (c->lits[i].vs != vs)
            vec_push(out, lit_not(c->lits[i]));
    return c->step;
}

uint32_t explain_entry(struct solver *s, uint32_t pos, struct lit needed, struct lits *out) {
    assert(pos && pos < s->trail.len);
    const struct entry *e = &s->trail.data[pos];
    assert(e->vs == needed.vs && e->bound >= needed.bound && e->reason);
    if (reason_is_prim(e->reason))
        return explain_prim(s, e->reason, needed, pos, out);
    return explain_clause(s, e->reason >> 1, e->vs, out);
}

uint32_t explain_conflict(struct solver *s, struct lits *out) {
    uint32_t end = (uint32_t)s->trail.len;
    if (!s->conflict) /* without a cause: the formula itself */
        return 0;
    if (reason_is_prim(s->conflict))
        return explain_prim(s, s->conflict, (struct lit){0, 0}, end, out);
    return explain_clause(s, s->conflict >> 1, 0, out);
}
