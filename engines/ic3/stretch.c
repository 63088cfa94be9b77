/* Lemmas that creep. Rotation weakens a bound as far as what propagation has derived says; where
 * that takes a decision, the bound stays what the obligation had, the next obligation is its
 * neighbour, and so on, one ordinal at a time. So when a lemma looks like a recent one, the same
 * sides of the same cells, its bounds are moved out as far as questions in full allow: the greatest
 * power of two first, then a few bits below it. A bound that nothing needs goes.
 */
#include "engines/ic3/ic3.h"

enum { REFINEMENTS = 10 };

static bool is_numeric(struct bound b) {
    return b.kind == BOUND_GE || b.kind == BOUND_LE;
}

/* Same sides of the same cells, in any order. */
static bool same_shape(const struct cube *a, const struct cube *b) {
    for (size_t i = 0; i < a->len; i++) {
        bool found = false;
        for (size_t k = 0; k < b->len && !found; k++)
            found = a->data[i].cell == b->data[k].cell && a->data[i].kind == b->data[k].kind;
        if (!found)
            return false;
    }
    return a->len == b->len && a->len > 0;
}

static bool blocked(struct ic3 *c, const struct cube *cube, uint32_t level) {
    return cube->len > 0 && meets_initial(c, cube) == SOLVER_UNSAT && holds_at(c, cube, level);
}

static bool try_without(struct ic3 *c, struct cube *cube, size_t i, uint32_t level) {
    struct cube fewer = {0};
    for (size_t k = 0; k < cube->len; k++)
        if (k != i)
            vec_push(&fewer, cube->data[k]);
    bool holds = blocked(c, &fewer, level);
    if (holds) {
        vec_clear(cube);
        vec_append(cube, fewer.data, fewer.len);
    }
    vec_free(&fewer);
    return holds;
}

/* The bound moved out by so much; undone when the cube is then not blocked. */
static bool try_distance(struct ic3 *c, struct cube *cube, size_t i, struct bound start,
                         uint64_t distance, uint32_t level) {
    struct bound old = cube->data[i];
    assert(is_numeric(start) && start.cell == old.cell && start.kind == old.kind);
    cube->data[i].ordinal = start.kind == BOUND_GE ? (int64_t)((uint64_t)start.ordinal - distance)
                                                   : (int64_t)((uint64_t)start.ordinal + distance);
    if (blocked(c, cube, level))
        return true;
    cube->data[i] = old;
    return false;
}

static uint64_t room_of(const struct ic3 *c, struct bound b) {
    const struct term_var *var =
        &c->sys->terms->vars.data[term_get(c->sys->terms, c->sys->cells.data[b.cell].var)->payload];
    return b.kind == BOUND_GE
               ? (uint64_t)b.ordinal - (uint64_t)ordinal_min(var->sort, var->is_signed)
               : (uint64_t)ordinal_max(var->sort, var->is_signed) - (uint64_t)b.ordinal;
}

static void move_out(struct ic3 *c, struct cube *cube, size_t i, uint32_t level) {
    struct bound start = cube->data[i];
    uint64_t room = room_of(c, start);
    int good = -1, bad = 0; /* exponents */
    while (bad < 64 && room >> bad)
        bad++;
    if (bad == 0 || !try_distance(c, cube, i, start, 1, level))
        return;
    for (good = 0; bad - good > 1;) {
        int middle = good + (bad - good) / 2;
        if (try_distance(c, cube, i, start, UINT64_C(1) << middle, level))
            good = middle;
        else
            bad = middle;
    }
    uint64_t distance = UINT64_C(1) << good;
    for (int bit = good - 1; bit >= 0 && bit >= good - REFINEMENTS; bit--)
        if (distance + (UINT64_C(1) << bit) <= room &&
            try_distance(c, cube, i, start, distance + (UINT64_C(1) << bit), level))
            distance += UINT64_C(1) << bit;
}

/* Is there a recent lemma of this shape? Remembers this one. */
static bool creeps(struct ic3 *c, const struct cube *cube) {
    bool found = false;
    for (size_t i = 0; i < RECENT_SHAPES && !found; i++)
        found = same_shape(cube, &c->shapes[i]);
    struct cube *oldest = &c->shapes[c->newest_shape++ % RECENT_SHAPES];
    vec_clear(oldest);
    vec_append(oldest, cube->data, cube->len);
    return found;
}

void stretch(struct ic3 *c, struct cube *cube, uint32_t level) {
    assert(level >= 1 && (level <= c->top || level == LEVEL_INFINITE));
    if (!c->knobs.stretch || !c->knobs.bound_generalisation || !creeps(c, cube))
        return;
    for (size_t i = 0; i < cube->len && !c->out_of_ticks;)
        if (cube->len == 1 || !try_without(c, cube, i, level))
            i++;
    for (size_t i = 0; i < cube->len && !c->out_of_ticks; i++)
        if (is_numeric(cube->data[i]))
            move_out(c, cube, i, level);
}
