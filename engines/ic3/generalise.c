/* Blocked cubes: rotation in the step, optionally dropping, then ungeneralisation against the
 * initial states, "ICP and IC3" III-C. */
#include "engines/ic3/ic3.h"

enum solver_result meets_initial(struct ic3 *c, const struct clause *cube) {
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
static void put_back(struct clause *cube, struct bound b) {
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
static void lost_bounds(const struct clause *cube, const struct clause *original,
                        struct clause *lost) {
    for (size_t i = 0; i < original->len; i++) {
        bool kept = false;
        for (size_t j = 0; j < cube->len && !kept; j++)
            kept = same_bound(cube->data[j], original->data[i]);
        if (!kept)
            vec_push(lost, original->data[i]);
    }
}

/* I and the generalised cube must be contradictory; what is needed for that comes back. */
static bool ungeneralise(struct ic3 *c, struct clause *cube, const struct clause *original) {
    struct literals fixed = {0}, extra = {0};
    struct clause lost = {0};
    lost_bounds(cube, original, &lost);
    bool done = !cube_literals(&c->start, 0, cube, &fixed);
    if (!done && cube_literals(&c->start, 0, &lost, &extra)) {
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

static void shuffle(struct ic3 *c, struct literals *l) {
    for (size_t i = l->lits.len; i > 1; i--) {
        size_t j = rng_below(&c->rng, i);
        struct slit lit = l->lits.data[i - 1];
        struct bound bound = l->bounds.data[i - 1];
        l->lits.data[i - 1] = l->lits.data[j];
        l->bounds.data[i - 1] = l->bounds.data[j];
        l->lits.data[j] = lit;
        l->bounds.data[j] = bound;
    }
}

/* Drops literals one by one, asking in full each time (option literal-dropping). */
static void drop_literals(struct ic3 *c, struct frame_solver *f, const struct slits *before,
                          struct literals *list) {
    for (size_t i = 0; i < list->lits.len && !c->out_of_ticks;) {
        struct literals fewer = {0};
        for (size_t j = 0; j < list->lits.len; j++)
            if (j != i) {
                vec_push(&fewer.lits, list->lits.data[j]);
                vec_push(&fewer.bounds, list->bounds.data[j]);
            }
        if (frames_solve(c, f, before, &fewer.lits) == SOLVER_UNSAT) {
            rotate(c, f, before, &fewer);
            literals_free(list);
            *list = fewer;
            i = 0;
        } else {
            literals_free(&fewer);
            i++;
        }
    }
}

void generalise(struct ic3 *c, struct clause *cube, const struct slits *before,
                struct literals *next, struct frame_solver *used) {
    struct clause smaller = {0};
    if (next->lits.len > 0) {
        /* Shuffled, then asked again: the order of the assumptions decides what the core keeps. */
        shuffle(c, next);
        enum solver_result result = frames_solve(c, used, before, &next->lits);
        assert(result != SOLVER_SAT);
        if (result == SOLVER_UNSAT) {
            rotate(c, used, before, next);
            if (c->knobs.literal_dropping)
                drop_literals(c, used, before, next);
        }
    }
    vec_append(&smaller, next->bounds.data, next->bounds.len);
    if (ungeneralise(c, &smaller, cube)) {
        vec_clear(cube);
        vec_append(cube, smaller.data, smaller.len);
    }
    vec_free(&smaller);
}
