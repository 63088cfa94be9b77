/* Lemmas that hold for ever. What rotation makes of a cube is as general as the frame below allows:
 * near the initial states a counter has not counted yet, a flag was never set, and a lemma like
 * "n <= 1" gives way in every new frame. So each blocked cube is asked for once more relative to
 * nothing but itself and what holds for ever already, in these shapes:
 *
 *   the lemma as it is;
 *   with the bounds that its obligation had (they come from the program's constants);
 *   after some frames: the obligation's cube without one cell (a slot, a phase).
 *
 * Counters that saturate late are proved in one frame by that instead of one a step.
 */
#include "engines/ic3/ic3.h"

enum { LATE = 3 }; /* frames from which on cells are dropped */

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
    assert(out->len == 0 && has_cell(original, cell));
    for (size_t i = 0; i < original->len; i++)
        if (original->data[i].cell != cell)
            vec_push(out, original->data[i]);
}

/* Blocks the cube for ever if it can be; frees it. */
static bool block_for_ever(struct ic3 *c, struct clause *cube) {
    assert(c->step.knows_lemmas);
    struct slits before = {0};
    struct literals next = {0};
    struct blocked b = {cube, LEVEL_INFINITE, c->knobs.ctg_depth, false, &before, &next, NULL};
    bool blocked = cube->len > 0 && meets_initial(c, cube) == SOLVER_UNSAT;
    if (blocked) {
        blocked = frames_relative(c, cube, b.level, &before, &next, &b.used) == SOLVER_UNSAT;
        if (blocked)
            generalise(c, &b);
        frames_relative_done(c, &before, &next, b.used);
    }
    blocked = blocked && !c->out_of_ticks;
    if (blocked)
        frames_add(c, cube, LEVEL_INFINITE);
    vec_free(cube);
    return blocked;
}

static bool block_without_a_cell(struct ic3 *c, const struct clause *original) {
    struct clause tried = {0};
    bool blocked = false;
    for (size_t i = 0; i < original->len && !blocked && !c->out_of_ticks; i++) {
        uint32_t cell = original->data[i].cell;
        if (has_cell(&tried, cell))
            continue; /* its other bound */
        struct clause fewer = {0};
        vec_push(&tried, original->data[i]);
        without_cell(original, cell, &fewer);
        blocked = block_for_ever(c, &fewer);
    }
    vec_free(&tried);
    return blocked;
}

bool raise_lemma(struct ic3 *c, const struct clause *lemma, const struct clause *original) {
    assert(c->top >= 1 && lemma->len <= 2 * c->sys->cells.len + original->len);
    struct clause cube = {0};
    if (!c->knobs.raise)
        return false;
    vec_append(&cube, lemma->data, lemma->len);
    if (block_for_ever(c, &cube))
        return true;
    if (with_own_bounds(lemma, original, &cube) && block_for_ever(c, &cube))
        return true;
    vec_free(&cube);
    return c->top >= LATE && block_without_a_cell(c, original);
}
