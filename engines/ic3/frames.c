/* A lemma is kept once, at the highest level it has been proved for, and levels are activation
 * literals, so that one solver serves all frames for each kind of question (bad states, steps,
 * lifting): the representation of N. Een, A. Mishchenko, R. Brayton, Efficient Implementation of
 * Property Directed Reachability (2011), there for bits. */
#include "engines/ic3/ic3.h"

enum { MAX_TEMPORARIES = 1500 };

static uint64_t ticks_of(const struct frame_solver *f) {
    return f->solver ? solver_stats(f->solver)->ticks : 0;
}

uint64_t frames_ticks(const struct ic3 *c) {
    return c->ticks_before + ticks_of(&c->bad) + ticks_of(&c->step) + ticks_of(&c->start) +
           ticks_of(&c->first) + ticks_of(&c->lift) + interval_ticks(c->interval);
}

static void assert_lemma(struct frame_solver *f, const struct lemma *lemma);

void frame_solver_open(struct ic3 *c, struct frame_solver *f, enum unroll_start start,
                       uint32_t steps, bool knows_lemmas) {
    *f = (struct frame_solver){.knows_lemmas = knows_lemmas};
    struct solver_options options = engine_solver(c->input);
    options.weak_cores = c->knobs.bound_generalisation && c->knobs.weak_cores;
    options.cone = c->knobs.cone;
    f->solver = solver_new(&options);
    unroll_init(&f->unroll, c->sys, f->solver, start, start == UNROLL_UNCHECKED ? NULL : c->known);
    unroll_to(&f->unroll, steps);
    for (uint32_t l = 0; knows_lemmas && l <= c->top; l++)
        vec_push(&f->level_active, solver_new_bool(f->solver));
    for (size_t i = 0; knows_lemmas && i < c->lemmas.len; i++)
        assert_lemma(f, &c->lemmas.data[i]);
}

void frame_solver_close(struct ic3 *c, struct frame_solver *f) {
    if (!f->solver)
        return;
    c->ticks_before += ticks_of(f);
    unroll_free(&f->unroll);
    solver_free(f->solver);
    vec_free(&f->level_active);
    *f = (struct frame_solver){0};
}

void frames_open(struct ic3 *c) {
    assert(c->lemmas.len == 0 && !c->interval);
    c->top = 1;
    frame_solver_open(c, &c->bad, UNROLL_FROM_ANY, c->suffix, true);
    frame_solver_open(c, &c->step, UNROLL_FROM_ANY, 1, true);
    frame_solver_open(c, &c->start, UNROLL_FROM_INIT, 0, false);
    frame_solver_open(c, &c->first, UNROLL_FROM_INIT, 1, false);
    frame_solver_open(c, &c->lift, UNROLL_UNCHECKED, c->suffix > 1 ? c->suffix : 1, false);
    if (c->knobs.interval_lifting)
        c->interval = interval_new(c->sys, c->target, c->lift.solver);
}

void frames_close(struct ic3 *c) {
    c->ticks_before += interval_ticks(c->interval);
    WINDOW_ADD(c->input->window, stats.own_ticks, interval_ticks(c->interval));
    interval_free(c->interval);
    c->interval = NULL;
    frame_solver_close(c, &c->bad);
    frame_solver_close(c, &c->step);
    frame_solver_close(c, &c->start);
    frame_solver_close(c, &c->first);
    frame_solver_close(c, &c->lift);
    seen_free(c);
    for (size_t i = 0; i < c->lemmas.len; i++)
        vec_free(&c->lemmas.data[i].cube);
    vec_free(&c->lemmas);
}

void frames_new_top(struct ic3 *c) {
    assert(c->bad.level_active.len == c->top + 1 && c->step.level_active.len == c->top + 1);
    c->top++;
    WINDOW_ADD(c->input->window, stats.frames, 1);
    WINDOW_EVENT(c->input->window, "frame", "\"target\":%u,\"level\":%u,\"lemmas\":%zu", c->target,
                 c->top, c->lemmas.len);
    vec_push(&c->bad.level_active, solver_new_bool(c->bad.solver));
    vec_push(&c->step.level_active, solver_new_bool(c->step.solver));
}

/* The negated cube as a clause of step 0, behind the activation literal of its level. */
static void assert_lemma(struct frame_solver *f, const struct lemma *lemma) {
    struct clause clause = {0};
    cube_negate(&lemma->cube, &clause);
    struct slit off = {0};
    bool levelled = lemma->level != LEVEL_INFINITE;
    assert(f->knows_lemmas && (!levelled || lemma->level < f->level_active.len));
    if (levelled)
        off = slit_false(f->level_active.data[lemma->level]);
    unroll_clause(&f->unroll, 0, clause.data, clause.len, &off, levelled ? 1 : 0);
    vec_free(&clause);
}

/* Every state of `small` is in `large`. */
static bool cube_within(const struct cube *small, const struct cube *large) {
    for (size_t i = 0; i < large->len; i++) {
        struct bound l = large->data[i];
        bool implied = false;
        for (size_t j = 0; j < small->len && !implied; j++) {
            struct bound s = small->data[j];
            implied = s.cell == l.cell && s.kind == l.kind &&
                      (l.kind == BOUND_GE   ? s.ordinal >= l.ordinal
                       : l.kind == BOUND_LE ? s.ordinal <= l.ordinal
                                            : true);
        }
        if (!implied)
            return false;
    }
    return true;
}

bool frames_blocked(const struct ic3 *c, const struct cube *cube, uint32_t level) {
    for (size_t i = 0; i < c->lemmas.len; i++)
        if (c->lemmas.data[i].level >= level && cube_within(cube, &c->lemmas.data[i].cube))
            return true;
    return false;
}

static void drop_subsumed(struct ic3 *c, const struct cube *cube, uint32_t level) {
    size_t kept = 0;
    for (size_t i = 0; i < c->lemmas.len; i++) {
        struct lemma *lemma = &c->lemmas.data[i];
        if (lemma->level <= level && cube_within(&lemma->cube, cube))
            vec_free(&lemma->cube);
        else
            c->lemmas.data[kept++] = *lemma;
    }
    c->lemmas.len = kept;
}

void frames_add(struct ic3 *c, const struct cube *cube, uint32_t level) {
    assert(level >= 1 && (level <= c->top || level == LEVEL_INFINITE));
    WINDOW_ADD(c->input->window, stats.lemmas, 1);
    WINDOW_ADD(c->input->window, stats.for_ever, level == LEVEL_INFINITE);
    WINDOW_EVENT(c->input->window, "lemma", "\"target\":%u,\"level\":%lld,\"bounds\":%zu",
                 c->target, level == LEVEL_INFINITE ? -1LL : (long long)level, cube->len);
    drop_subsumed(c, cube, level);
    struct lemma lemma = {.level = level};
    vec_append(&lemma.cube, cube->data, cube->len);
    vec_push(&c->lemmas, lemma);
    seen_lemma(c, &lemma);
    assert_lemma(&c->bad, &lemma);
    assert_lemma(&c->step, &lemma);
}

bool cube_literals(struct frame_solver *f, uint32_t step, const struct cube *cube,
                   struct literals *out) {
    assert(step < f->unroll.steps.len && out->lits.len == out->bounds.len);
    for (size_t i = 0; i < cube->len; i++) {
        struct slit lit;
        bool truth;
        if (unroll_bound(&f->unroll, step, cube->data[i], &lit, &truth)) {
            vec_push(&out->lits, lit);
            vec_push(&out->bounds, cube->data[i]);
        } else if (!truth) {
            vec_clear(&out->lits);
            vec_clear(&out->bounds);
            vec_push(&out->bounds, cube->data[i]);
            return false;
        }
    }
    return true;
}

void literals_free(struct literals *l) {
    vec_free(&l->lits);
    vec_free(&l->bounds);
}

void literals_exchange(struct literals *l, size_t i, size_t j) {
    assert(i < l->lits.len && j < l->lits.len && l->lits.len == l->bounds.len);
    struct slit lit = l->lits.data[i];
    struct bound bound = l->bounds.data[i];
    l->lits.data[i] = l->lits.data[j];
    l->bounds.data[i] = l->bounds.data[j];
    l->lits.data[j] = lit;
    l->bounds.data[j] = bound;
}

void literals_shuffle(struct ic3 *c, struct literals *l) {
    for (size_t i = l->lits.len; i > 1; i--)
        literals_exchange(l, i - 1, rng_below(&c->rng, i));
}

enum solver_result frames_solve(struct ic3 *c, struct frame_solver *f, const struct slits *before,
                                const struct slits *lits) {
    struct slits all = {0};
    if (before)
        vec_append(&all, before->data, before->len);
    vec_append(&all, lits->data, lits->len);
    uint64_t now = frames_ticks(c);
    assert(f->solver);
    enum solver_result result = SOLVER_UNKNOWN;
    if (now < c->until)
        result = solver_solve(f->solver, all.data, all.len, c->until - now);
    if (result == SOLVER_UNKNOWN)
        c->out_of_ticks = true;
    vec_free(&all);
    return result;
}

/* not cube in step 0, behind a fresh activation literal */
static svar assert_not_cube(struct frame_solver *f, const struct cube *cube) {
    svar temporary = solver_new_bool(f->solver);
    struct clause clause = {0};
    cube_negate(cube, &clause);
    struct slit off = slit_false(temporary);
    unroll_clause(&f->unroll, 0, clause.data, clause.len, &off, 1);
    vec_free(&clause);
    return temporary;
}

void frame_solver_retire(struct frame_solver *f, svar temporary) {
    assert(temporary);
    struct slit off = slit_false(temporary);
    solver_add_clause(f->solver, &off, 1);
    f->temporaries++;
}

/* Frames below the top hold no state that hits the target in its next step, where there is no
 * suffix: the solver need not find that out. */
static void assume_clean(struct ic3 *c, struct frame_solver *f, struct slits *before) {
    if (c->knobs.clean_steps && c->suffix == 0)
        vec_push(before,
                 slit_false(unroll_term(&f->unroll, 0, c->sys->targets.data[c->target].hit)));
}

static void assume_levels(const struct frame_solver *f, uint32_t from, struct slits *before) {
    for (size_t l = f->level_active.len; l-- > from;)
        vec_push(before, slit_true(f->level_active.data[l]));
}

void frames_rebuild_if_worn(struct ic3 *c) {
    if (c->step.temporaries < MAX_TEMPORARIES)
        return;
    frame_solver_close(c, &c->step);
    frame_solver_open(c, &c->step, UNROLL_FROM_ANY, 1, true);
}

enum solver_result frames_relative(struct ic3 *c, const struct cube *cube, uint32_t level,
                                   struct slits *before, struct literals *next,
                                   struct frame_solver **used) {
    assert(level >= 1 && before->len == 0 && next->lits.len == 0);
    struct frame_solver *f = *used = level == 1 ? &c->first : &c->step;
    if (level > 1) {
        vec_push(before, slit_true(assert_not_cube(f, cube)));
        assume_levels(f, level - 1, before);
        if (level != LEVEL_INFINITE)
            assume_clean(c, f, before);
    }
    enum solver_result result = SOLVER_UNSAT;
    if (cube_literals(f, 1, cube, next)) {
        if (c->knobs.shuffle_first)
            literals_shuffle(c, next);
        result = frames_solve(c, f, before, &next->lits);
    }
    if (result == SOLVER_SAT && level > 1)
        seen_add(c, f);
    return result;
}

void frames_relative_done(struct ic3 *c, struct slits *before, struct literals *next,
                          struct frame_solver *used) {
    assert(used == &c->step || used == &c->first);
    if (used == &c->step)
        frame_solver_retire(used, before->data[0].var);
    vec_free(before);
    literals_free(next);
}

void frame_solver_state(const struct frame_solver *f, struct cube *cube) {
    assert(cube->len == 0 && f->unroll.steps.len > 0);
    const struct system *sys = f->unroll.sys;
    for (uint32_t i = 0; i < sys->cells.len; i++) {
        svar v = solver_encoded(f->unroll.steps.data[0], sys->cells.data[i].var);
        if (!v)
            continue;
        bool nan = solver_value_nan(f->solver, v);
        if (solver_nan(f->solver, v))
            vec_push(cube, (struct bound){i, nan ? BOUND_NAN : BOUND_NOT_NAN, 0});
        if (nan)
            continue;
        int64_t value = solver_value_ordinal(f->solver, v);
        vec_push(cube, (struct bound){i, BOUND_GE, value});
        vec_push(cube, (struct bound){i, BOUND_LE, value});
    }
}

static bool push_lemma(struct ic3 *c, size_t index) {
    struct lemma *lemma = &c->lemmas.data[index];
    assert(lemma->level >= 1 && lemma->level < c->top);
    if (seen_reached(c, &lemma->cube, lemma->level))
        return false;
    struct slits before = {0};
    struct literals next = {0};
    assume_levels(&c->step, lemma->level, &before);
    assume_clean(c, &c->step, &before);
    enum solver_result result = SOLVER_UNSAT;
    if (cube_literals(&c->step, 1, &lemma->cube, &next))
        result = frames_solve(c, &c->step, &before, &next.lits);
    if (result == SOLVER_SAT)
        seen_add(c, &c->step);
    if (result == SOLVER_UNSAT) {
        struct cube cube = {0};
        uint32_t level = lemma->level + 1;
        vec_append(&cube, lemma->cube.data, lemma->cube.len);
        WINDOW_ADD(c->input->window, stats.pushed, 1);
        frames_add(c, &cube, level);
        vec_free(&cube);
    }
    vec_free(&before);
    literals_free(&next);
    return result == SOLVER_UNSAT;
}

static bool level_is_empty(const struct ic3 *c, uint32_t level) {
    for (size_t i = 0; i < c->lemmas.len; i++)
        if (c->lemmas.data[i].level == level)
            return false;
    return true;
}

bool frames_push(struct ic3 *c, uint32_t *level) {
    assert(c->top >= 2);
    for (uint32_t l = 1; l < c->top; l++) {
        /* Pushing replaces the lemma (it subsumes itself): the one at index i is then another. */
        for (size_t i = 0; i < c->lemmas.len && !c->out_of_ticks;)
            if (c->lemmas.data[i].level != l || !push_lemma(c, i))
                i++;
        if (c->out_of_ticks)
            return false;
        if (level_is_empty(c, l)) {
            *level = l;
            return true;
        }
    }
    return false;
}

void frames_proof(const struct ic3 *c, uint32_t level, struct invariant *inv) {
    assert(level >= 1 && level < c->top && level_is_empty(c, level));
    for (size_t i = 0; i < c->lemmas.len; i++) {
        const struct lemma *lemma = &c->lemmas.data[i];
        if (lemma->level <= level)
            continue;
        struct clause clause = {0};
        cube_negate(&lemma->cube, &clause);
        invariant_add(inv, clause.data, clause.len);
        vec_free(&clause);
    }
}
