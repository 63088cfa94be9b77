/* Value sets: what moves by constants takes few values, and misses its threshold by a bit in the
 * last place. As an invariant a set is a clause for each of its gaps, `x <= a or x >= b` with
 * neighbours a and b, and a ramp of 0.01 up to 10 has a thousand of them. So a proof gets only
 * those that it needs: the solver is asked how the target is hit, and where its answer has a cell
 * in a gap, the clause of that gap is added; then how a step leads into each gap that was added,
 * which adds the gaps that it comes from, until no step does.
 */
#include "engines/domains/domains.h"

#include "base/mem.h"
#include "engines/invariant/tell.h"
#include "model/term/simplify.h"

#include <stdlib.h>

enum {
    QUESTION_TICKS = 200000,
    FIRST_MOST = 24, /* gaps to keep a target from being hit in one step */
    GAPS_MOST = 4096,
    FEW = 32, /* gaps that others may want to know */
};

/* Before piece `at` of the cell's set; at == the number of pieces: after the last. NO_NUMBER: NaN.
 */
enum { NO_NUMBER = UINT32_MAX };
struct gap {
    uint32_t cell, at;
};

struct proof {
    struct domains *d;
    struct unroll *unroll;
    svar active; /* asserts the gaps */
    VEC(struct gap) gaps;
    size_t kept; /* gaps before this one are not entered by any step */
};

/* ---- gaps ---- */

static void gap_clause(const struct domains *d, struct gap gap, struct clause *out) {
    const struct pieces *pieces = &d->sets.data[gap.cell].pieces;
    assert(pieces->len > 0 && out->len == 0);
    if (gap.at == NO_NUMBER) {
        vec_push(out, (struct bound){gap.cell, BOUND_NOT_NAN, 0});
        return;
    }
    assert(gap.at <= pieces->len);
    if (gap.at > 0)
        vec_push(out, (struct bound){gap.cell, BOUND_LE, pieces->data[gap.at - 1].hi});
    if (gap.at < pieces->len)
        vec_push(out, (struct bound){gap.cell, BOUND_GE, pieces->data[gap.at].lo});
}

static bool is_known(const struct proof *p, struct gap gap) {
    for (size_t i = 0; i < p->gaps.len; i++)
        if (p->gaps.data[i].cell == gap.cell && p->gaps.data[i].at == gap.at)
            return true;
    return false;
}

static void add_gap(struct proof *p, struct gap gap) {
    struct clause c = {0};
    struct slit off = slit_false(p->active);
    gap_clause(p->d, gap, &c);
    unroll_clause(p->unroll, 0, c.data, c.len, &off, 1);
    vec_push(&p->gaps, gap);
    vec_free(&c);
}

/* In the state that the solver has found the cell has a value that it never takes. */
static bool take_gap(struct proof *p, uint32_t cell) {
    const struct term_var *v = domains_var(p->d, cell);
    const struct value_set *set = value_set_of(p->d, cell);
    svar s = solver_encoded(p->unroll->steps.data[0], v->term);
    if (set->pieces.len == 0 || !s)
        return false;
    struct gap gap = {cell, NO_NUMBER};
    if (!solver_value_nan(p->unroll->solver, s)) {
        int64_t value = ordinal_of(v->sort, v->is_signed, solver_value(p->unroll->solver, s));
        gap.at = (uint32_t)value_set_find(set, value);
        if (gap.at < set->pieces.len && value >= set->pieces.data[gap.at].lo)
            return false;
    }
    if (is_known(p, gap))
        return false;
    add_gap(p, gap);
    return true;
}

/* Of the cells that a term reads, `first` before the others. */
static bool take_some_gap(struct proof *p, term_t reads, uint32_t first) {
    const struct system *sys = domains_system(p->d);
    bool taken = first != NONE && take_gap(p, first);
    if (taken)
        return true;
    bool *mark = mem_zalloc(sys->terms->nodes.len, sizeof *mark);
    term_mark(sys->terms, &reads, 1, mark);
    for (uint32_t i = 0; i < p->d->n_cells && !taken; i++)
        taken = i != first && mark[sys->cells.data[i].var] && take_gap(p, i);
    mem_free(mark);
    return taken;
}

/* ---- proofs ---- */

/* Some gaps keep the target from being hit. */
static bool excludes(struct proof *p, term_t hit) {
    struct slit assume[2] = {slit_true(p->active), slit_true(unroll_term(p->unroll, 0, hit))};
    enum solver_result result;
    do {
        result = solver_solve(p->unroll->solver, assume, 2, QUESTION_TICKS);
    } while (result == SOLVER_SAT && p->gaps.len < FIRST_MOST && take_some_gap(p, hit, NONE));
    return result == SOLVER_UNSAT && p->gaps.len > 0;
}

static bool holds_initially(const struct proof *p, const struct clause *c) {
    struct slits negated = {0};
    struct unroll *u = &p->d->from_init;
    bool holds = !unroll_negated(u, 0, c, &negated) ||
                 solver_solve(u->solver, negated.data, negated.len, QUESTION_TICKS) == SOLVER_UNSAT;
    vec_free(&negated);
    return holds;
}

/* No step leads into the gap, once those that it may come from have been added. */
static bool keep_out(struct proof *p, struct gap gap) {
    struct clause c = {0};
    struct slits assume = {0};
    enum solver_result result = SOLVER_UNSAT;
    gap_clause(p->d, gap, &c);
    vec_push(&assume, slit_true(p->active));
    bool good = holds_initially(p, &c);
    if (good && unroll_negated(p->unroll, 1, &c, &assume))
        do {
            result = solver_solve(p->unroll->solver, assume.data, assume.len, QUESTION_TICKS);
        } while (result == SOLVER_SAT && p->gaps.len < GAPS_MOST &&
                 take_some_gap(p, domains_system(p->d)->cells.data[gap.cell].next, gap.cell));
    vec_free(&assume);
    vec_free(&c);
    return good && result == SOLVER_UNSAT;
}

static bool close_gaps(struct proof *p) {
    for (; p->kept < p->gaps.len; p->kept++)
        if (!keep_out(p, p->gaps.data[p->kept]))
            return false;
    return true;
}

static int by_place(const void *a, const void *b) {
    const struct gap *x = a, *y = b;
    return x->cell != y->cell ? (x->cell > y->cell) - (x->cell < y->cell)
                              : (x->at > y->at) - (x->at < y->at);
}

static void add_clauses(const struct proof *p, struct invariant *inv) {
    for (size_t i = 0; i < p->gaps.len; i++) {
        struct clause c = {0};
        gap_clause(p->d, p->gaps.data[i], &c);
        if (!invariant_has(inv, &c))
            invariant_add(inv, c.data, c.len);
        vec_free(&c);
    }
}

static bool report(struct proof *p, uint32_t target, const struct invariant *known) {
    struct engine_input input = p->d->input;
    struct invariant inv;
    bool dead = false;
    qsort(p->gaps.data, p->gaps.len, sizeof *p->gaps.data, by_place);
    input.targets = &target;
    input.n_targets = 1;
    invariant_init(&inv);
    invariant_copy(&inv, known);
    add_clauses(p, &inv);
    if (p->gaps.len <= FEW)
        add_clauses(p, &p->d->found);
    tell_dead(&input, &inv, &dead);
    invariant_free(&inv);
    return dead;
}

/* In a solver of its own, that no other proof's gaps are in the way of. */
static bool prove(struct proof *first, uint32_t target) {
    struct domains *d = first->d;
    struct solver_options options = engine_solver(&d->input);
    struct invariant known;
    struct unroll u;
    options.cone = true;
    struct proof p = {.d = d, .unroll = &u};
    struct solver *solver = solver_new(&options);
    domains_known(d, &known);
    unroll_init(&u, domains_system(d), solver, UNROLL_FROM_ANY, &known);
    unroll_to(&u, 1);
    p.active = solver_new_bool(solver);
    for (size_t i = 0; i < first->gaps.len; i++)
        add_gap(&p, first->gaps.data[i]);
    bool dead = close_gaps(&p) && report(&p, target, &known);
    d->work += solver_stats(solver)->ticks;
    unroll_free(&u);
    solver_free(solver);
    invariant_free(&known);
    vec_free(&p.gaps);
    return dead;
}

bool values_target(struct domains *d, uint32_t target) {
    struct proof p = {.d = d, .unroll = &d->from_any, .active = solver_new_bool(d->step)};
    assert(d->sets.len == d->n_cells);
    bool dead = excludes(&p, domains_system(d)->targets.data[target].hit) && prove(&p, target);
    solver_add_clause(d->step, (struct slit[]){slit_false(p.active)}, 1);
    vec_free(&p.gaps);
    return dead;
}
