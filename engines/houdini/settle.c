/* The fixpoint: see houdini.h. */
#include "engines/houdini/houdini.h"

enum {
    QUESTION_TICKS = 200000,
    PATIENCE = 4, /* a chain gives way so often before it takes strides */
    NARROWING_ROUNDS = 4,
};

/* ---- giving way ---- */

static void retire(struct houdini *h, struct chain *c) {
    assert(!chain_is_kept(c));
    if (c->active)
        solver_add_clause(h->step, (struct slit[]){slit_false(c->active)}, 1);
    c->active = 0;
}

/* `now` is past what failed; one that steps broke often goes further. Not so for initial states:
 * what narrowing tries again later must be known to hold there. */
static void note_moved(struct houdini *h, struct chain *c, bool by_step) {
    assert(c->refuted <= c->now && c->now <= c->values.len);
    c->refuted = c->now;
    c->moves += by_step;
    if (by_step && c->moves > PATIENCE && chain_has_bound(c)) {
        size_t stride = (size_t)1 << (c->moves - PATIENCE < 10 ? c->moves - PATIENCE : 10);
        size_t last = c->values.len - 1; /* that a float is finite, say */
        c->now = last - c->now > stride ? c->now + stride : last;
    }
    retire(h, c);
    if (c->kept && c->now >= c->kept_at) {
        c->now = c->refuted = c->kept_at;
        c->active = c->kept;
    }
    c->moved = ++h->stamp;
    c->checked = 0;
    h->settled = 0;
}

/* NaN satisfies all bounds and nothing else. */
static bool allows(const struct chain *c, bool nan, int64_t value) {
    assert(chain_has_bound(c));
    if (c->number || nan)
        return !c->number;
    return c->ge ? value >= c->values.data[c->now] : value <= c->values.data[c->now];
}

struct state { /* of the model in one step */
    const struct houdini *h;
    struct solver *solver;
    struct frame *frame;
};

static svar state_cell(const struct state *s, uint32_t cell) {
    return solver_encoded(s->frame, houdini_system(s->h)->cells.data[cell].var);
}

/* Does the chain claim anything of this state? */
static bool is_claimed(const struct state *s, const struct chain *c) {
    svar g = c->guard == NONE ? 0 : state_cell(s, c->guard);
    if (g && solver_value_ordinal(s->solver, g) != c->guard_value)
        return false;
    for (int i = 0; i < c->n_escapes; i++) {
        struct bound b = c->escape[i];
        int64_t value = solver_value_ordinal(s->solver, state_cell(s, b.cell));
        if (b.kind == BOUND_GE ? value >= b.ordinal : value <= b.ordinal)
            return false;
    }
    return true;
}

/* What the chain bounds; false when NaN. */
static bool state_value(const struct state *s, const struct chain *c, int64_t *value) {
    svar v = state_cell(s, c->cell);
    assert(v && (!chain_is_sum(c) || state_cell(s, c->other)));
    *value = solver_value_ordinal(s->solver, v);
    if (chain_is_sum(c))
        *value = c->factor * *value +
                 c->other_factor * solver_value_ordinal(s->solver, state_cell(s, c->other));
    return !solver_value_nan(s->solver, v);
}

static bool state_breaks(const struct state *s, const struct chain *c) {
    int64_t value;
    if (!chain_has_bound(c) || !state_cell(s, c->cell) ||
        (chain_is_sum(c) && !state_cell(s, c->other)) || !is_claimed(s, c))
        return false;
    bool number = state_value(s, c, &value);
    return !allows(c, !number, value);
}

static void give_way_to(struct houdini *h, struct chain *c, const struct state *s) {
    assert(state_breaks(s, c));
    int64_t value;
    bool number = state_value(s, c, &value);
    while (chain_has_bound(c) && !allows(c, !number, value))
        c->now++;
    note_moved(h, c, s->solver == h->step);
}

/* One weaker although no value is known: the question was too hard. */
static void give_up_value(struct houdini *h, struct chain *c, bool by_step) {
    assert(chain_has_bound(c));
    c->now++;
    note_moved(h, c, by_step);
}

/* ---- questions ---- */

static void assert_current(struct houdini *h, struct chain *c) {
    assert(!c->active && chain_has_bound(c));
    struct clause clause = {0};
    c->active = solver_new_bool(h->step);
    struct slit off = slit_false(c->active);
    chain_clause(h, c, &clause);
    unroll_clause(&h->from_any, 0, clause.data, clause.len, &off, 1);
    vec_free(&clause);
}

static void mark_reads(struct houdini *h, uint32_t cell) {
    assert(cell < h->reads.len && cell < h->relevant.len);
    const struct cell_list *reads = &h->reads.data[cell];
    h->relevant.data[cell] = true;
    for (size_t i = 0; i < reads->len; i++)
        h->relevant.data[reads->data[i]] = true;
}

/* The cells that can tell whether the claim of this chain survives a step. */
static void mark_relevant(struct houdini *h, const struct chain *c) {
    memset(h->relevant.data, 0, h->relevant.len * sizeof *h->relevant.data);
    mark_reads(h, c->cell);
    if (chain_is_sum(c))
        mark_reads(h, c->other);
    if (c->guard != NONE)
        mark_reads(h, c->guard);
    for (size_t i = 0; i < h->step_reads.len; i++)
        h->relevant.data[h->step_reads.data[i]] = true;
}

static bool is_relevant(const struct houdini *h, const struct chain *c) {
    return chain_has_bound(c) && h->relevant.data[c->cell] &&
           (!chain_is_sum(c) || h->relevant.data[c->other]) &&
           (c->guard == NONE || h->relevant.data[c->guard]);
}

/* Own cell first: the core then prefers it. */
static void assume_current(struct houdini *h, const struct chain *first, struct slits *assume) {
    mark_relevant(h, first);
    for (int own = 1; own >= 0; own--)
        for (size_t i = 0; i < h->chains.len; i++) {
            struct chain *c = &h->chains.data[i];
            if (chain_is_kept(c) || !is_relevant(h, c) || (c->cell == first->cell) != own)
                continue;
            if (!c->active)
                assert_current(h, c);
            vec_push(assume, slit_true(c->active));
        }
}

/* Adds a bound of the question: false when it cannot hold there. */
static bool ask_for(struct unroll *u, uint32_t step, struct bound b, struct slits *all) {
    struct slit lit;
    bool truth;
    if (unroll_bound(u, step, b, &lit, &truth))
        vec_push(all, lit);
    else if (!truth)
        return false;
    return true;
}

/* Can the current claim be broken in this step of the unrolling? */
static enum solver_result broken(const struct houdini *h, struct unroll *u, uint32_t step,
                                 const struct chain *c, const struct slits *assume) {
    struct slits all = {0};
    vec_append(&all, assume->data, assume->len);
    bool possible = ask_for(u, step, bound_negate(chain_bound(c)), &all);
    if (possible && chain_or_nan(h, c))
        possible = ask_for(u, step, (struct bound){c->cell, BOUND_NOT_NAN, 0}, &all);
    if (possible && c->guard != NONE)
        possible = ask_for(u, step, (struct bound){c->guard, BOUND_GE, c->guard_value}, &all) &&
                   ask_for(u, step, (struct bound){c->guard, BOUND_LE, c->guard_value}, &all);
    for (int i = 0; possible && i < c->n_escapes; i++)
        possible = ask_for(u, step, bound_negate(c->escape[i]), &all);
    enum solver_result result =
        possible ? solver_solve(u->solver, all.data, all.len, QUESTION_TICKS) : SOLVER_UNSAT;
    vec_free(&all);
    return result;
}

static void remember_support(struct houdini *h, struct chain *c) {
    size_t n;
    const struct slit *core = solver_core(h->step, &n);
    for (size_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < h->chains.len; j++)
            if (h->chains.data[j].active && h->chains.data[j].active == core[i].var)
                vec_push(&c->support, j);
}

/* Is the claim inductive relative to all current ones? SAT leaves a model in h->step. */
static enum solver_result ask_step(struct houdini *h, struct chain *c) {
    assert(chain_has_bound(c) && h->from_any.steps.len == 2);
    struct slits assume = {0};
    assume_current(h, c, &assume);
    vec_clear(&c->support);
    h->asked++;
    enum solver_result result = broken(h, &h->from_any, 1, c, &assume);
    if (result == SOLVER_UNSAT) {
        remember_support(h, c);
        c->checked = ++h->stamp;
    }
    vec_free(&assume);
    return result;
}

/* ---- initial states ---- */

static void give_way_initially(struct houdini *h, size_t from) {
    assert(h->from_init.init);
    struct state s = {h, h->first, h->from_init.steps.data[0]};
    for (size_t i = from; i < h->chains.len; i++)
        if (state_breaks(&s, &h->chains.data[i]))
            give_way_to(h, &h->chains.data[i], &s);
}

void settle_from_init(struct houdini *h, size_t from) {
    struct slits none = {0};
    for (size_t i = from; i < h->chains.len; i++) {
        struct chain *c = &h->chains.data[i];
        for (bool holds = false; !holds && chain_has_bound(c);) {
            enum solver_result result = broken(h, &h->from_init, 0, c, &none);
            holds = result == SOLVER_UNSAT;
            if (result == SOLVER_SAT)
                give_way_initially(h, from);
            else if (!holds)
                give_up_value(h, c, false);
        }
    }
    h->settled = 0;
}

static bool holds_initially(struct houdini *h, const struct chain *c) {
    struct slits none = {0};
    return broken(h, &h->from_init, 0, c, &none) == SOLVER_UNSAT;
}

/* ---- steps ---- */

static bool support_moved(const struct houdini *h, const struct chain *c) {
    for (size_t i = 0; i < c->support.len; i++)
        if (h->chains.data[c->support.data[i]].moved > c->checked)
            return true;
    return false;
}

/* Cells whose value before the step satisfies every claim that names them. */
static void mark_within(struct houdini *h, const struct state *before) {
    for (size_t i = 0; i < h->relevant.len; i++)
        h->relevant.data[i] = true;
    for (size_t i = 0; i < h->chains.len; i++) {
        const struct chain *c = &h->chains.data[i];
        if (!state_breaks(before, c))
            continue;
        h->relevant.data[c->cell] = false;
        if (chain_is_sum(c))
            h->relevant.data[c->other] = false;
        if (c->guard != NONE)
            h->relevant.data[c->guard] = false;
    }
}

static bool all_within(const struct houdini *h, const struct cell_list *cells) {
    for (size_t i = 0; i < cells->len; i++)
        if (!h->relevant.data[cells->data[i]])
            return false;
    return true;
}

/* The model is a step that breaks `asked`. Others that it breaks give way too, if what they depend
 * on was within the claims: the question assumed only what `asked` depends on. Where that leaves a
 * cell open, what is kept may seem broken. */
static void give_way_to_step(struct houdini *h, struct chain *asked) {
    struct state before = {h, h->step, h->from_any.steps.data[0]};
    struct state after = {h, h->step, h->from_any.steps.data[1]};
    mark_within(h, &before);
    for (size_t i = 0; i < h->chains.len; i++) {
        struct chain *c = &h->chains.data[i];
        if (chain_is_kept(c) || !state_breaks(&after, c))
            continue;
        bool real = all_within(h, &h->reads.data[c->cell]) && all_within(h, &h->step_reads) &&
                    (!chain_is_sum(c) || all_within(h, &h->reads.data[c->other])) &&
                    (c->guard == NONE || all_within(h, &h->reads.data[c->guard]));
        if (c == asked || real)
            give_way_to(h, c, &after);
    }
}

static void settle_chain(struct houdini *h, struct chain *c) {
    assert(h->settled <= h->chains.len);
    if (!chain_has_bound(c) || chain_is_kept(c) || (c->checked && !support_moved(h, c))) {
        h->settled++;
        return;
    }
    switch (ask_step(h, c)) {
    case SOLVER_UNSAT:
        h->settled++;
        break;
    case SOLVER_SAT:
        give_way_to_step(h, c);
        break;
    default:
        give_up_value(h, c, true);
    }
}

bool settle(struct houdini *h, uint64_t until) {
    while (h->settled < h->chains.len) {
        if (solver_stats(h->step)->ticks >= until)
            return false;
        h->cursor %= h->chains.len;
        settle_chain(h, &h->chains.data[h->cursor++]);
    }
    return true;
}

void settle_keep(struct houdini *h) {
    assert(h->settled == h->chains.len);
    for (size_t i = 0; i < h->chains.len; i++) {
        struct chain *c = &h->chains.data[i];
        if (!chain_has_bound(c) || chain_is_kept(c))
            continue;
        if (!c->active)
            assert_current(h, c);
        solver_add_clause(h->step, (struct slit[]){slit_true(c->active)}, 1);
        c->kept = c->active;
        c->kept_at = c->now;
        h->untold = true;
    }
}

/* ---- strengthening again; everything is settled before and after ---- */

/* Is a stronger value inductive, given all current bounds? Others only profit from it. Initially it
 * may be broken as well: a chain that took strides has skipped values without asking. */
static bool try_value(struct houdini *h, struct chain *c, size_t value) {
    size_t now = c->now;
    svar active = c->active;
    assert(value < now);
    c->now = value;
    c->active = 0;
    if (holds_initially(h, c) && ask_step(h, c) == SOLVER_UNSAT)
        return true;
    retire(h, c);
    c->now = now;
    c->active = active;
    return false;
}

/* Has something become stronger that decides whether the claim survives a step? */
static bool is_concerned(struct houdini *h, const struct chain *c) {
    assert(h->sharpened.len == h->relevant.len && c->narrowed <= h->stamp);
    mark_relevant(h, c);
    for (size_t i = 0; i < h->relevant.len; i++)
        if (h->relevant.data[i] && h->sharpened.data[i] > c->narrowed)
            return true;
    return false;
}

static void note_sharpened(struct houdini *h, const struct chain *c) {
    assert(c->narrowed == h->stamp);
    h->sharpened.data[c->cell] = h->stamp;
    if (chain_is_sum(c))
        h->sharpened.data[c->other] = h->stamp;
    if (c->guard != NONE)
        h->sharpened.data[c->guard] = h->stamp;
}

static bool narrow_chain(struct houdini *h, struct chain *c) {
    bool again = is_concerned(h, c) || c->number;
    size_t low = again ? 0 : c->refuted, before = c->now;
    if (c->narrowed && !again)
        return false;
    while (low < c->now) {
        size_t middle = low + (c->now - low) / 2;
        if (!try_value(h, c, middle))
            low = middle + 1;
    }
    c->refuted = c->refuted < c->now ? c->refuted : c->now;
    c->narrowed = ++h->stamp;
    if (c->now < before)
        note_sharpened(h, c);
    return c->now < before;
}

bool settle_narrow(struct houdini *h, size_t from, uint64_t until) {
    h->cursor = h->cursor < from ? from : h->cursor;
    for (;;) {
        for (; h->cursor < h->chains.len; h->cursor++) {
            if (solver_stats(h->step)->ticks >= until)
                return false;
            h->better |= narrow_chain(h, &h->chains.data[h->cursor]);
        }
        bool again = h->better && ++h->round < NARROWING_ROUNDS;
        h->cursor = from;
        h->better = false;
        if (!again)
            break;
    }
    h->round = 0;
    h->cursor = 0;
    return true;
}

/* Puts a value in front of the current one; the one that was current follows. */
static void propose(struct chain *c, int64_t value) {
    assert(c->refuted <= c->now && (!c->number || !chain_has_bound(c)));
    if (c->number) {
        c->now = c->refuted = 0;
    } else {
        vec_push(&c->values, 0);
        for (size_t i = c->values.len - 1; i > c->now; i--)
            c->values.data[i] = c->values.data[i - 1];
        c->values.data[c->now] = value;
        c->kept_at++;
    }
    c->active = 0;
}

static void withdraw(struct houdini *h, struct chain *c, svar active) {
    retire(h, c);
    c->now++;
    c->refuted = c->refuted < c->now ? c->now : c->refuted;
    c->active = active;
    assert(c->now <= c->values.len);
}

static bool hold_together(struct houdini *h, struct chain *const *c, size_t n) {
    assert(n > 0);
    bool good = true;
    for (size_t i = 0; i < n && good; i++)
        good = holds_initially(h, c[i]);
    for (size_t i = 0; i < n && good; i++)
        good = ask_step(h, c[i]) == SOLVER_UNSAT;
    return good;
}

bool settle_try(struct houdini *h, uint32_t cell, int64_t low, int64_t high) {
    struct range now = chains_range(h, cell);
    struct chain *all[3];
    svar active[3];
    size_t n = 0;
    if (low < now.lo || high > now.hi || (low == now.lo && high == now.hi && !now.nan))
        return false;
    if (low > now.lo)
        all[n++] = &h->chains.data[2 * cell];
    if (high < now.hi)
        all[n++] = &h->chains.data[2 * cell + 1];
    if (now.nan)
        all[n++] = &h->chains.data[h->number_of.data[cell]];
    for (size_t i = 0; i < n; i++) {
        active[i] = all[i]->active;
        propose(all[i], all[i]->ge ? low : high);
    }
    bool good = hold_together(h, all, n);
    if (!good && now.nan) {
        n--;
        withdraw(h, all[n], active[n]);
        good = n > 0 && hold_together(h, all, n);
    }
    for (; !good && n > 0; n--)
        withdraw(h, all[n - 1], active[n - 1]);
    return good;
}
