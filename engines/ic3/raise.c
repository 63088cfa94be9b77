/* Lemmas for the top frame. What rotation makes of a cube is as general as the frame below allows:
 * near the initial states a counter has not counted yet, a flag was never set, and a lemma like
 * "n <= 1" gives way in every new frame. So where a lemma stays below the top, relatives of it that
 * are less general, or general in another place, are asked for at the top:
 *
 *   the lemma with the bounds that its obligation had (they come from the program's constants);
 *   for an obligation that keeps coming back: its cube without one cell (a slot, a phase).
 *
 * Counters that saturate late are proved in one frame by that instead of one a step.
 */
#include "engines/ic3/ic3.h"

enum { PATIENCE = 2 }; /* returns of an obligation before cells are dropped */

static bool has_cell(const struct clause *cube, uint32_t cell) {
    for (size_t i = 0; i < cube->len; i++)
        if (cube->data[i].cell == cell)
            return true;
    return false;
}

/* The original bounds of the cells that the lemma has kept. */
static bool with_own_bounds(const struct clause *lemma, const struct clause *original,
                            struct clause *out) {
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

static void without_cell(const struct clause *original, uint32_t cell, struct clause *out) {
    for (size_t i = 0; i < original->len; i++)
        if (original->data[i].cell != cell)
            vec_push(out, original->data[i]);
}

/* Blocks the cube at the top frame if it can be; frees it. */
static bool block_at_top(struct ic3 *c, struct clause *cube) {
    struct slits before = {0};
    struct literals next = {0};
    struct blocked b = {cube, c->top, c->knobs.ctg_depth, false, &before, &next, NULL};
    bool blocked = cube->len > 0 && meets_initial(c, cube) == SOLVER_UNSAT;
    if (blocked) {
        blocked = frames_relative(c, cube, c->top, &before, &next, &b.used) == SOLVER_UNSAT;
        if (blocked)
            generalise(c, &b);
        frames_relative_done(c, &before, &next, b.used);
    }
    blocked = blocked && !c->out_of_ticks;
    if (blocked)
        frames_add(c, cube, c->top);
    vec_free(cube);
    return blocked;
}

bool raise_lemma(struct ic3 *c, const struct clause *lemma, uint32_t obligation) {
    const struct obligation *o = &c->obligations.data[obligation];
    struct clause cube = {0};
    if (!c->knobs.raise || c->top < 2)
        return false;
    if (with_own_bounds(lemma, &o->cube, &cube) && block_at_top(c, &cube))
        return true;
    vec_free(&cube);
    for (size_t i = 0; o->bounces >= PATIENCE && i < o->cube.len && !c->out_of_ticks; i++) {
        uint32_t cell = o->cube.data[i].cell;
        if (has_cell(&cube, cell))
            continue; /* tried: its other bound */
        struct clause fewer = {0};
        vec_push(&cube, o->cube.data[i]);
        without_cell(&o->cube, cell, &fewer);
        if (block_at_top(c, &fewer)) {
            vec_free(&cube);
            return true;
        }
    }
    vec_free(&cube);
    return false;
}
