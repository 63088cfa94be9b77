/* Lemmas that hold for ever. What rotation makes of a cube is as general as the frame below allows:
 * near the initial states a counter has not counted yet, a flag was never set, and a lemma like
 * "n <= 1" gives way in every new frame. So each blocked cube is asked for once more relative to
 * nothing but itself and what holds for ever already, in these shapes:
 *
 *   the lemma as it is;
 *   with the bounds that its obligation had (they come from the program's constants);
 *   after some frames: the obligation's cube, less the bounds that its predecessors break (`down`
 *   of Bradley's IC3). Where too little would be left, the predecessor itself has to fall for ever
 *   first, in the same way (Hassan, Bradley and Somenzi, "Better generalization in IC3").
 *
 * The last of these takes many questions. Where it does not pay (targets that are reachable after
 * many steps), it gets a share of the ticks only.
 *
 * Counters that saturate late, and modes behind them, are proved in a few frames by that instead of
 * one per step.
 */
#include "engines/ic3/ic3.h"

enum {
    LATE = 3,          /* frames from which on bounds are given up */
    FEW_QUESTIONS = 6, /* of one attempt */
    MANY_QUESTIONS = 48,
    DEEPEST = 4,
    FREE_TICKS = 200000, /* of that, */
    SHARE = 5,           /* then one fifth of all */
};

/* The original bounds of the cells that the lemma has kept. */
static bool with_own_bounds(const struct cube *lemma, const struct cube *original,
                            struct cube *out) {
    for (size_t i = 0; i < original->len; i++) {
        struct bound b = original->data[i];
        for (size_t k = 0; k < lemma->len; k++)
            if (lemma->data[k].cell == b.cell && lemma->data[k].kind == b.kind) {
                vec_push(out, b);
                break;
            }
    }
    bool differs = out->len != lemma->len;
    for (size_t i = 0; i < out->len && !differs; i++)
        for (size_t k = 0; k < lemma->len; k++)
            differs |= lemma->data[k].cell == out->data[i].cell &&
                       lemma->data[k].kind == out->data[i].kind &&
                       lemma->data[k].ordinal != out->data[i].ordinal;
    return differs;
}

/* Blocks the cube for ever if it can be; frees it. */
static bool block_for_ever(struct ic3 *c, struct cube *cube) {
    assert(c->step.knows_lemmas);
    struct slits before = {0};
    struct literals next = {0};
    struct blocked b = {cube, LEVEL_INFINITE, c->knobs.ctg_depth, false, &before, &next, NULL};
    bool blocked = cube->len > 0 && !seen_reached(c, cube, LEVEL_INFINITE) &&
                   meets_initial(c, cube) == SOLVER_UNSAT;
    if (blocked) {
        blocked = frames_relative(c, cube, b.level, &before, &next, &b.used) == SOLVER_UNSAT;
        if (blocked)
            generalise(c, &b);
        frames_relative_done(c, &before, &next, b.used);
    }
    blocked = blocked && !c->out_of_ticks;
    if (blocked) {
        stretch(c, cube, LEVEL_INFINITE);
        frames_add(c, cube, LEVEL_INFINITE);
    }
    vec_free(cube);
    return blocked;
}

/* The state of a model has every cell as a point: does it satisfy the bound? */
static bool state_satisfies(const struct cube *state, struct bound b) {
    for (size_t i = 0; i < state->len; i++) {
        struct bound s = state->data[i];
        if (s.cell != b.cell)
            continue;
        if (s.kind == b.kind && (b.kind == BOUND_NAN || b.kind == BOUND_NOT_NAN))
            return true;
        if (s.kind == BOUND_GE && (b.kind == BOUND_GE || b.kind == BOUND_LE))
            return b.kind == BOUND_GE ? s.ordinal >= b.ordinal : s.ordinal <= b.ordinal;
    }
    return false;
}

static void join(const struct cube *cube, const struct cube *state, struct cube *out) {
    assert(out->len == 0);
    for (size_t i = 0; i < cube->len; i++)
        if (state_satisfies(state, cube->data[i]))
            vec_push(out, cube->data[i]);
}

/* A predecessor of the cube among all states that are not blocked for ever: as a point in `state`,
 * generalised in `from`. */
static enum solver_result find_predecessor(struct ic3 *c, const struct cube *cube,
                                           struct cube *state, struct cube *from) {
    struct slits before = {0};
    struct literals next = {0};
    struct frame_solver *used;
    enum solver_result result = frames_relative(c, cube, LEVEL_INFINITE, &before, &next, &used);
    if (result == SOLVER_SAT) {
        frame_solver_state(used, state);
        vec_append(from, state->data, state->len);
        lift(c, from, model_inputs(c, &used->unroll, 1), 1, cube);
    }
    frames_relative_done(c, &before, &next, used);
    return result;
}

/* Frees the cube. */
static bool block_down(struct ic3 *c, struct cube *cube, uint32_t depth, uint32_t *questions) {
    assert(depth <= DEEPEST);
    bool possible = true;
    while (possible && !c->out_of_ticks && cube->len > 0) {
        struct cube state = {0}, from = {0}, joined = {0};
        possible = *questions > 0 && meets_initial(c, cube) == SOLVER_UNSAT;
        *questions -= *questions > 0;
        enum solver_result result =
            possible ? find_predecessor(c, cube, &state, &from) : SOLVER_UNKNOWN;
        if (result == SOLVER_UNSAT) {
            vec_free(&state);
            return block_for_ever(c, cube);
        }
        possible &= result == SOLVER_SAT;
        if (possible)
            join(cube, &state, &joined);
        if (possible && joined.len > 0 && joined.len < cube->len &&
            meets_initial(c, &joined) == SOLVER_UNSAT) {
            vec_clear(cube);
            vec_append(cube, joined.data, joined.len);
            vec_free(&from);
        } else {
            possible = possible && depth < DEEPEST && block_down(c, &from, depth + 1, questions);
        }
        vec_free(&state);
        vec_free(&from);
        vec_free(&joined);
    }
    vec_free(cube);
    return false;
}

/* In a few frames more is tried: their numbers grow with powers of two. */
static bool is_special(uint32_t top) {
    return (top & (top - 1)) == 0;
}

/* The obligation's cube less what its predecessors break; counts the ticks. */
static bool raise_obligation(struct ic3 *c, const struct cube *original) {
    uint64_t start = frames_ticks(c);
    uint32_t questions = is_special(c->top) ? MANY_QUESTIONS : FEW_QUESTIONS;
    if (c->top < LATE || c->raise_ticks > FREE_TICKS + start / SHARE)
        return false;
    struct cube cube = {0};
    vec_append(&cube, original->data, original->len);
    bool raised = block_down(c, &cube, 0, &questions);
    if (!raised)
        c->raise_ticks += frames_ticks(c) - start;
    return raised;
}

bool raise_lemma(struct ic3 *c, const struct cube *lemma, const struct cube *original) {
    assert(c->top >= 1 && lemma->len <= 2 * c->sys->cells.len + original->len);
    struct cube cube = {0};
    if (!c->knobs.raise)
        return false;
    vec_append(&cube, lemma->data, lemma->len);
    if (block_for_ever(c, &cube))
        return true;
    if (with_own_bounds(lemma, original, &cube) && block_for_ever(c, &cube))
        return true;
    vec_free(&cube);
    return raise_obligation(c, original);
}
