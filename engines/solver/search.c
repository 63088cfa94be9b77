/* The search: propagate, learn, restart, reduce, assume, decide.
 *
 * Two modes alternate (as in CaDiCaL): the focused one restarts when recent clauses are worse than
 * the average (LBD) and splits domains; the stable one restarts rarely and picks values for
 * sources, which is what finds models. */
#include "base/bug.h"
#include "engines/solver/analyze.h"
#include "engines/solver/clause.h"
#include "engines/solver/cone.h"
#include "engines/solver/decide.h"
#include "engines/solver/prims.h"
#include "engines/solver/propagate.h"
#include "engines/solver/record.h"
#include "engines/solver/relations/modular.h"
#include "engines/solver/trail.h"
#include "engines/solver/vars.h"
#include "engines/solver/walk.h"

enum { RESTART_FOCUSED = 10, RESTART_STABLE = 1000, MODEL_CHECK_EVERY = 16 };

void search_tell(struct solver *s) {
    struct solver_stats *total = s->options.total;
    if (!total)
        return;
#define STAT(name, about) total->name += s->stats.name - s->told.name;
#include "engines/solver/stats.def"
#undef STAT
    s->told = s->stats;
}

static bool reducing(const struct solver *s) {
    uint64_t since = s->stats.conflicts - s->conflicts_at_reduce;
    return since >= s->knobs.reduce_first + s->reductions * s->knobs.reduce_step;
}

/* Also true when a reduction is due: that happens at level 0. */
static bool restarting(const struct solver *s) {
    uint64_t since = s->stats.conflicts - s->conflicts_at_restart;
    if (since == 0 || level_of(s) == 0)
        return false;
    if (reducing(s))
        return true;
    if (s->knobs.restart_every) /* grows, or the search might never end */
        return since >= s->knobs.restart_every + s->stats.restarts / 16;
    if (s->stable)
        return since >= RESTART_STABLE;
    return since >= RESTART_FOCUSED && s->lbd_fast > 1.1 * s->lbd_slow;
}

static void switch_mode(struct solver *s) {
    if (s->stats.conflicts - s->conflicts_at_mode < s->mode_length)
        return;
    s->conflicts_at_mode = s->stats.conflicts;
    s->stable = !s->stable;
    if (!s->stable)
        s->mode_length += s->mode_length / 2;
}

static void restart(struct solver *s) {
    uint32_t keep = reducing(s) ? 0 : (uint32_t)s->assumptions.len;
    s->stats.restarts++;
    search_tell(s);
    s->conflicts_at_restart = s->stats.conflicts;
    trail_backtrack(s, keep);
    switch_mode(s);
}

static void reduce(struct solver *s) {
    clause_reduce(s);
    s->conflicts_at_reduce = s->stats.conflicts;
    s->reductions++;
}

/* Evaluates the constraints on the model. Each ran when its last operand became a point, so this
 * finds nothing unless the solver is wrong; it costs a pass over the formula, so not every time. */
static void model_check(struct solver *s) {
    for (uint32_t prim = 1; prim < s->prims.len; prim++) {
        if (!cone_has(s, s->prims.data[prim].var[0]))
            continue;
        s->stats.ticks += s->prims.data[prim].cost;
        struct constraint c = prims_constraint(s, prim);
        struct range r[MAX_OPERANDS], out;
        for (int i = 0; i < c.n; i++)
            r[i] = var_range(s, c.var[i]);
        if (prims_narrow(s, prim, r, 0, &out))
            bug("the model breaks constraint %u", prim);
    }
}

static void model_copy(struct solver *s) {
    vec_resize_zero(&s->model, (size_t)s->n_vars + 1);
    vec_resize_zero(&s->model_nan, (size_t)s->n_vars + 1);
    s->stats.ticks += s->n_vars / 16;
    for (svar v = 1; v <= s->n_vars; v++) {
        assert(var_fixed(s, v) || !cone_has(s, v));
        s->model.data[v] = var_lo(s, v);
        s->model_nan.data[v] = s->nan.data[v] && var_lo(s, s->nan.data[v]) == 1;
    }
}

/* Takes the next assumptions, one level each, up to one that is open. UNSAT: one is false. */
static enum solver_result assume(struct solver *s, bool *decided) {
    while (level_of(s) < s->assumptions.len) {
        size_t index = level_of(s);
        struct lit l = s->assumptions.data[index];
        if (lit_false(s, l)) {
            analyze_assumption(s, index);
            return SOLVER_UNSAT;
        }
        trail_open_level(s);
        if (!lit_true(s, l)) {
            trail_push(s, l, 0);
            *decided = true;
            return SOLVER_UNKNOWN;
        }
    }
    return SOLVER_UNKNOWN;
}

static bool resolve_conflict(struct solver *s) {
    s->stats.conflicts++;
    if (s->diving) { /* points teach little: less and less of them */
        s->diving = false;
        s->dive_at = s->stats.conflicts + ++s->dives;
    }
    if (level_of(s) > 0 && analyze_conflict(s))
        return true;
    if (level_of(s) == 0)
        record_refute(s);
    return s->ok = false;
}

/* The level on which the first number was decided; the present one when none was. */
static uint32_t numbers_level(const struct solver *s) {
    for (size_t level = s->assumptions.len; level < level_of(s); level++)
        if (s->sort.data[s->trail.data[s->level_start.data[level]].vs / 2] != SORT_BOOL)
            return (uint32_t)level;
    return level_of(s);
}

/* Looks at all that is linear when the atoms are decided. Before numbers are, if something was
 * found there the last time; else deeper, where less is possible. */
static enum relax_result relax(struct solver *s) {
    if (!relax_due(s) || !decide_atoms_done(s))
        return RELAX_NOTHING;
    if (!s->relax_deeper)
        trail_backtrack(s, numbers_level(s));
    enum relax_result result = relax_now(s);
    s->relax_deeper = result == RELAX_POINT || result == RELAX_NOTHING;
    s->diving |= result == RELAX_POINT && s->stats.conflicts >= s->dive_at;
    return result;
}

/* Equations modulo powers of two, before numbers are decided. */
static enum relax_result equate(struct solver *s) {
    if (!modular_due(s) || numbers_level(s) < level_of(s) || !decide_atoms_done(s))
        return RELAX_NOTHING;
    return modular_now(s);
}

static void walk(struct solver *s) {
    if (!walk_due(s) || !decide_atoms_done(s))
        return;
    trail_backtrack(s, numbers_level(s));
    s->diving |= walk_now(s);
}

static enum solver_result search(struct solver *s) {
    for (;;) {
        bool decided = false;
        struct lit decision;
        if (!propagate(s)) {
            if (!resolve_conflict(s))
                return SOLVER_UNSAT;
            continue;
        }
        if (out_of_budget(s)) /* what is left to propagate waits, at level 0 for the next call */
            return SOLVER_UNKNOWN;
        if (level_of(s) == 0)
            trail_commit(s);
        if (restarting(s)) {
            restart(s);
            continue;
        }
        if (level_of(s) == 0 && reducing(s))
            reduce(s);
        if (assume(s, &decided) == SOLVER_UNSAT)
            return SOLVER_UNSAT;
        if (decided)
            continue;
        enum relax_result relaxed = equate(s);
        if (relaxed == RELAX_NOTHING)
            relaxed = relax(s);
        if (relaxed == RELAX_CONFLICT && !resolve_conflict(s))
            return SOLVER_UNSAT;
        if (relaxed == RELAX_CONFLICT || relaxed == RELAX_LEMMA)
            continue;
        walk(s);
        if (!decide_next(s, &decision)) {
            if (s->knobs.check || s->stats.solves % MODEL_CHECK_EVERY == 1)
                model_check(s);
            model_copy(s);
            return SOLVER_SAT;
        }
        s->stats.decisions++;
        trail_open_level(s);
        trail_push(s, decision, 0);
    }
}

enum solver_result solver_solve(struct solver *s, const struct slit *assumptions, size_t n,
                                uint64_t ticks) {
    assert(level_of(s) == 0);
    s->stats.solves++;
    s->tick_limit = ticks ? s->stats.ticks + ticks : UINT64_MAX;
    vec_clear(&s->core);
    vec_clear(&s->assumptions);
    for (size_t i = 0; i < n; i++)
        vec_push(&s->assumptions, lit_of(assumptions[i]));
    if (!s->ok)
        return SOLVER_UNSAT;
    cone_open(s);
    decide_all_again(s);
    relax_restart(s);
    walk_restart(s);
    s->searching = true;
    enum solver_result result = search(s);
    trail_backtrack(s, 0);
    search_tell(s);
    s->searching = false;
    s->interrupted = 0;
    return result;
}
