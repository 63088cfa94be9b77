/* Blocked cubes: rotation in the step, optionally dropping, then ungeneralisation against the
 * initial states, "ICP and IC3" III-C. */
#include "engines/ic3/ic3.h"

enum solver_result meets_initial(struct ic3 *c, const struct cube *cube) {
    assert(c->start.unroll.init);
    struct literals lits = {0};
    enum solver_result result = SOLVER_UNSAT;
    if (cube_literals(&c->start, 0, cube, &lits)) {
        struct slits none = {0};
        result = frames_solve(c, &c->start, &none, &lits.lits);
    }
    literals_free(&lits);
    return result;
}

static bool stronger(struct bound a, struct bound b) {
    return a.kind == BOUND_GE ? a.ordinal > b.ordinal : a.kind == BOUND_LE && a.ordinal < b.ordinal;
}

/* Puts a bound back; of two on the same side the stronger one stays. */
static void put_back(struct cube *cube, struct bound b) {
    for (size_t i = 0; i < cube->len; i++)
        if (cube->data[i].cell == b.cell && cube->data[i].kind == b.kind) {
            if (stronger(b, cube->data[i]))
                cube->data[i] = b;
            return;
        }
    vec_push(cube, b);
}

static bool same_bound(struct bound a, struct bound b) {
    return a.cell == b.cell && a.kind == b.kind && a.ordinal == b.ordinal;
}

/* The bounds of the original cube that the generalised one has lost or weakened. */
static void lost_bounds(const struct cube *cube, const struct cube *original, struct cube *lost) {
    for (size_t i = 0; i < original->len; i++) {
        bool kept = false;
        for (size_t j = 0; j < cube->len && !kept; j++)
            kept = same_bound(cube->data[j], original->data[i]);
        if (!kept)
            vec_push(lost, original->data[i]);
    }
}

/* I and the generalised cube must be contradictory; what is needed for that comes back. */
static bool ungeneralise(struct ic3 *c, struct cube *cube, const struct cube *original) {
    struct literals fixed = {0}, extra = {0};
    struct cube lost = {0};
    lost_bounds(cube, original, &lost);
    bool done = !cube_literals(&c->start, 0, cube, &fixed);
    if (!done && cube_literals(&c->start, 0, &lost, &extra)) {
        if (c->knobs.shuffle_lift)
            literals_shuffle(c, &extra);
        enum solver_result result = frames_solve(c, &c->start, &fixed.lits, &extra.lits);
        assert(result != SOLVER_SAT);
        if (result == SOLVER_UNSAT)
            rotate(c, &c->start, &fixed.lits, &extra);
        done = result == SOLVER_UNSAT;
        for (size_t i = 0; done && i < extra.bounds.len; i++)
            put_back(cube, extra.bounds.data[i]);
    } else if (!done) {
        put_back(cube, extra.bounds.data[0]); /* this bound alone excludes all initial states */
        done = true;
    }
    vec_free(&lost);
    literals_free(&fixed);
    literals_free(&extra);
    return done;
}

/* ---- activity: which bounds the last lemmas were made of ---- */

static double *activity_of(struct ic3 *c, struct bound b) {
    size_t at = 2 * (size_t)b.cell + (b.kind == BOUND_LE);
    if (at >= c->activity.len)
        vec_resize_zero(&c->activity, at + 1);
    return &c->activity.data[at];
}

static void bump(struct ic3 *c, const struct cube *cube) {
    c->activity_step = c->activity_step > 0 ? c->activity_step * 1.05 : 1;
    for (size_t i = 0; i < cube->len; i++)
        *activity_of(c, cube->data[i]) += c->activity_step;
    if (c->activity_step < 1e100)
        return;
    for (size_t i = 0; i < c->activity.len; i++)
        c->activity.data[i] *= 1e-100;
    c->activity_step *= 1e-100;
}

/* Assumed first, kept rather: the others are often found to follow. */
static void sort_by_activity(struct ic3 *c, struct literals *l) {
    for (size_t i = 1; i < l->lits.len; i++)
        for (size_t j = i;
             j > 0 && *activity_of(c, l->bounds.data[j - 1]) < *activity_of(c, l->bounds.data[j]);
             j--)
            literals_exchange(l, j - 1, j);
}

/* ---- dropping, with counterexamples to generalisation ---- */

bool holds_at(struct ic3 *c, const struct cube *cube, uint32_t level) {
    if (level > 1 && seen_reached(c, cube, level - 1))
        return false;
    struct slits before = {0};
    struct literals next = {0};
    struct frame_solver *used;
    bool holds = frames_relative(c, cube, level, &before, &next, &used) == SOLVER_UNSAT;
    frames_relative_done(c, &before, &next, used);
    return holds;
}

/* A state of F_(level-1) keeps the cube from shrinking: is it itself unreachable? */
static bool block_counterexample(struct ic3 *c, const struct blocked *b) {
    assert(b->level > 1 && b->level <= c->top);
    uint32_t level = b->level - 1;
    struct cube state = {0};
    struct slits before = {0};
    struct literals next = {0};
    struct blocked inner = {&state, level, b->depth + 1, false, &before, &next, NULL};
    frame_solver_state(b->used, &state);
    bool blocked = state.len > 0 && meets_initial(c, &state) == SOLVER_UNSAT;
    if (blocked) {
        blocked = frames_relative(c, &state, level, &before, &next, &inner.used) == SOLVER_UNSAT;
        if (blocked)
            generalise(c, &inner);
        frames_relative_done(c, &before, &next, inner.used);
    }
    if (blocked && !c->out_of_ticks)
        frames_add(c, &state, level);
    vec_free(&state);
    return blocked && !c->out_of_ticks;
}

/* The question without literal i. On UNSAT the list has shrunk. */
static enum solver_result without(struct ic3 *c, struct blocked *b, size_t i) {
    struct literals fewer = {0};
    for (size_t j = 0; j < b->next->lits.len; j++)
        if (j != i) {
            vec_push(&fewer.lits, b->next->lits.data[j]);
            vec_push(&fewer.bounds, b->next->bounds.data[j]);
        }
    enum solver_result result = frames_solve(c, b->used, b->before, &fewer.lits);
    if (result != SOLVER_UNSAT) {
        literals_free(&fewer);
        return result;
    }
    rotate(c, b->used, b->before, &fewer);
    literals_free(b->next);
    *b->next = fewer;
    return result;
}

/* Drops literals one by one, asking in full each time. Where a state of the frame below forbids it,
 * that state may fall to a lemma of its own (CTG); then the literal has another chance. */
static void drop_literals(struct ic3 *c, struct blocked *b) {
    uint32_t tried = 0;
    for (size_t i = 0; i < b->next->lits.len && !c->out_of_ticks;) {
        enum solver_result result = without(c, b, i);
        bool again = result == SOLVER_SAT && b->level > 1 && b->depth < c->knobs.ctg_depth &&
                     tried < c->knobs.ctg_limit;
        if (again) {
            tried++;
            again = block_counterexample(c, b);
        }
        if (result != SOLVER_UNSAT && !again)
            i++;
    }
}

static bool wants_dropping(const struct ic3 *c, const struct blocked *b) {
    return c->knobs.literal_dropping ||
           (b->thorough && c->knobs.ctg_limit > 0 && c->knobs.ctg_depth > 0);
}

void generalise(struct ic3 *c, struct blocked *b) {
    assert(b->level >= 1 && b->next->lits.len <= b->next->bounds.len);
    assert(b->depth <= c->knobs.ctg_depth);
    struct cube smaller = {0};
    if (b->next->lits.len > 0) {
        /* Shuffled, then asked again: the order of the assumptions decides what the core keeps. */
        enum solver_result result = SOLVER_UNSAT;
        if (!c->knobs.shuffle_first) {
            literals_shuffle(c, b->next);
            if (c->knobs.activity_order)
                sort_by_activity(c, b->next);
            result = frames_solve(c, b->used, b->before, &b->next->lits);
        }
        assert(result != SOLVER_SAT);
        if (result == SOLVER_UNSAT) {
            rotate(c, b->used, b->before, b->next);
            if (wants_dropping(c, b))
                drop_literals(c, b);
        }
    }
    vec_append(&smaller, b->next->bounds.data, b->next->bounds.len);
    WINDOW_ADD(c->input->window, stats.bounds_before, b->cube->len);
    if (ungeneralise(c, &smaller, b->cube)) {
        vec_clear(b->cube);
        vec_append(b->cube, smaller.data, smaller.len);
    }
    WINDOW_ADD(c->input->window, stats.bounds_after, b->cube->len);
    bump(c, b->cube);
    vec_free(&smaller);
}
