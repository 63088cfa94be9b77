/* Checking a proof, independently of the search: see proof.h. A little interval store per step is
 * filled with the negated clause; the step is right when the store becomes contradictory by unit
 * propagation over the premises, or by running the constraint of a lemma. */
#include "base/bug.h"
#include "engines/solver/prims.h"
#include "engines/solver/record.h"
#include "engines/solver/vars.h"

struct store {
    const struct solver *s;
    struct map index; /* vs -> place in bounds */
    VEC(int64_t) bounds;
    bool contradiction;
};

static int64_t store_bound(const struct store *t, uint32_t vs) {
    assert(vs < t->s->initial.len);
    const uint32_t *at = map_get(&t->index, vs);
    return at ? t->bounds.data[*at] : t->s->initial.data[vs];
}

static void store_assert(struct store *t, struct lit l) {
    if (store_bound(t, l.vs) >= l.bound)
        return;
    const uint32_t *at = map_get(&t->index, l.vs);
    if (at) {
        t->bounds.data[*at] = l.bound;
    } else {
        map_put(&t->index, l.vs, (uint32_t)t->bounds.len);
        vec_push(&t->bounds, l.bound);
    }
    if (l.bound > ~store_bound(t, l.vs ^ 1))
        t->contradiction = true;
}

static bool store_false(const struct store *t, struct lit l) {
    return store_bound(t, l.vs ^ 1) > ~l.bound;
}

static void store_free(struct store *t) {
    map_free(&t->index);
    vec_free(&t->bounds);
}

static void assume_negation(struct store *t, const struct proof *p, const struct proof_step *step) {
    for (size_t i = 0; i < step->n_lits; i++)
        store_assert(t, lit_not(lit_of(p->lits.data[step->first_lit + i])));
}

/* Propagates a clause when at most one of its literals is left. True when something changed. */
static bool propagate_step(struct store *t, const struct proof *p, const struct proof_step *step) {
    struct lit left = {0, 0};
    size_t n = 0;
    for (size_t i = 0; i < step->n_lits; i++) {
        struct lit l = lit_of(p->lits.data[step->first_lit + i]);
        if (store_false(t, l))
            continue;
        left = l;
        n++;
    }
    if (n > 1 || (n == 1 && store_bound(t, left.vs) >= left.bound))
        return false;
    if (n == 0)
        t->contradiction = true;
    else
        store_assert(t, left);
    return true;
}

static bool derived_holds(struct store *t, const struct proof *p, const struct proof_step *step) {
    assert(step->kind == PROOF_DERIVED);
    bool changed = true;
    assume_negation(t, p, step);
    while (changed && !t->contradiction) {
        changed = false;
        for (size_t i = step->n_premises; i-- > 0 && !t->contradiction;)
            changed |= propagate_step(
                t, p, proof_step_at(p, p->premises.data[step->first_premise + i].step));
    }
    return t->contradiction;
}

static struct range store_range(const struct store *t, svar v) {
    svar nan = t->s->nan.data[v];
    struct range r = {store_bound(t, 2 * v), ~store_bound(t, 2 * v + 1), true, false};
    if (nan) {
        r.num = store_bound(t, 2 * nan) < 1;
        r.nan = ~store_bound(t, 2 * nan + 1) > 0;
    }
    return r;
}

static void store_narrow(struct store *t, svar v, struct range out) {
    svar nan = t->s->nan.data[v];
    t->contradiction |= range_is_empty(out);
    if (nan && !out.nan)
        store_assert(t, lit_le(nan, 0));
    if (nan && !out.num)
        store_assert(t, lit_ge(nan, 1));
    if (out.num && (!nan || store_bound(t, 2 * nan + 1) >= ~(int64_t)0)) {
        store_assert(t, lit_ge(v, out.lo));
        store_assert(t, lit_le(v, out.hi));
    }
}

enum { LEMMA_ROUNDS = 4 };

static bool lemma_holds(struct store *t, const struct proof *p, const struct proof_step *step) {
    assert(step->constraint && step->constraint < t->s->prims.len);
    struct constraint c = prims_constraint(t->s, step->constraint);
    struct range r[MAX_OPERANDS], out;
    assume_negation(t, p, step);
    for (int round = 0; round < LEMMA_ROUNDS; round++)
        for (int which = 0; which < c.n_narrowed && !t->contradiction; which++) {
            for (int i = 0; i < c.n; i++)
                r[i] = store_range(t, c.var[i]);
            if (prims_narrow(t->s, step->constraint, r, which, &out))
                store_narrow(t, c.var[which], out);
        }
    return t->contradiction;
}

static void check_step(const struct solver *s, const struct proof *p, uint32_t at) {
    const struct proof_step *step = proof_step_at(p, at);
    struct store t = {.s = s};
    if (step->kind == PROOF_DERIVED && !derived_holds(&t, p, step))
        bug("step %u does not follow from its premises", at);
    if (step->kind == PROOF_LEMMA && !lemma_holds(&t, p, step))
        bug("lemma %u does not follow from constraint %u", at, step->constraint);
    store_free(&t);
}

size_t check_proof(const struct solver *s) {
    const struct proof *p = solver_proof(s);
    size_t checked = 0;
    assert(p && p->final < p->steps.len);
    bool *needed = mem_zalloc(p->steps.len, sizeof *needed);
    needed[p->final] = true;
    for (uint32_t at = p->final; at > 0; at--) {
        const struct proof_step *step = proof_step_at(p, at);
        if (!needed[at])
            continue;
        for (size_t i = 0; i < step->n_premises; i++) {
            uint32_t premise = p->premises.data[step->first_premise + i].step;
            if (premise == 0 || premise >= at)
                bug("step %u has premise %u", at, premise);
            needed[premise] = true;
        }
        check_step(s, p, at);
        checked++;
    }
    mem_free(needed);
    return checked;
}
