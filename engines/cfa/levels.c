/* Frames: what is blocked at each location, delta-encoded (paper, 6.3): a cube is kept at the
 * highest level at which it is known to be blocked. */
#include "engines/cfa/ic3cfa.h"

#include "model/term/simplify.h"

#include <stdlib.h>

static int by_number(const void *a, const void *b) {
    term_t x = *(const term_t *)a, y = *(const term_t *)b;
    return (x > y) - (x < y);
}

void cube_sort(struct cube *cube) {
    size_t kept = 0;
    if (cube->len > 1)
        qsort(cube->data, cube->len, sizeof *cube->data, by_number);
    for (size_t i = 0; i < cube->len; i++)
        if (kept == 0 || cube->data[kept - 1] != cube->data[i])
            cube->data[kept++] = cube->data[i];
    cube->len = kept;
}

bool cube_has(const struct cube *cube, term_t literal) {
    for (size_t i = 0; i < cube->len; i++)
        if (cube->data[i] == literal)
            return true;
    return false;
}

bool cube_within(const struct cube *small, const struct cube *large) {
    size_t at = 0;
    assert(!small->data == !small->cap && !large->data == !large->cap);
    for (size_t i = 0; i < small->len; i++, at++) {
        while (at < large->len && large->data[at] < small->data[i])
            at++;
        if (at == large->len || large->data[at] != small->data[i])
            return false;
    }
    return true;
}

bool levels_block(const struct ic3cfa *c, uint32_t place, const struct cube *cube, uint32_t level) {
    assert(place > 0 && place < c->places.len);
    const struct place *p = &c->places.data[place];
    for (size_t i = 0; i < p->blocked.len; i++)
        if (p->blocked.data[i].level >= level && cube_within(&p->blocked.data[i].cube, cube))
            return true;
    return false;
}

/* Cubes that the new one makes superfluous leave; their clauses do no harm. */
static void drop_subsumed(struct place *p, const struct cube *cube, uint32_t level) {
    size_t kept = 0;
    for (size_t i = 0; i < p->blocked.len; i++) {
        struct blocked b = p->blocked.data[i];
        if (b.level <= level && cube_within(cube, &b.cube))
            vec_free(&b.cube);
        else
            p->blocked.data[kept++] = b;
    }
    p->blocked.len = kept;
}

void levels_add(struct ic3cfa *c, uint32_t place, struct cube *cube, uint32_t level) {
    struct place *p = &c->places.data[place];
    assert(place > 0 && level > 0 && level <= c->top);
    WINDOW_ADD(c->input->window, stats.lemmas, 1);
    WINDOW_EVENT(c->input->window, "lemma",
                 "\"target\":%u,\"place\":%u,\"level\":%u,\"literals\":%zu", c->target, place,
                 level, cube->len);
    drop_subsumed(p, cube, level);
    place_exclude(p, cube, level);
    vec_push(&p->blocked, (struct blocked){*cube, level});
    *cube = (struct cube){0};
}

bool levels_hold(struct ic3cfa *c, uint32_t place, const struct cube *cube, uint32_t level,
                 const struct cube *except) {
    const struct place *p = &c->places.data[place];
    assert(level > 0);
    for (size_t i = 0; i < p->in.len; i++) {
        uint32_t edge = p->in.data[i], from = c->cfa.edges.data[edge].from;
        if ((from == 0 || level > 1) && place_ask(c, edge, level - 1, cube, except) != SOLVER_UNSAT)
            return false;
    }
    return true;
}

static void raise_cube(struct place *p, struct blocked *b, uint32_t level) {
    assert(b->level < level);
    b->level = level;
    place_exclude(p, &b->cube, level);
}

/* True: nothing is left that is blocked at this level and not above. */
static bool push_level(struct ic3cfa *c, uint32_t level) {
    assert(level > 0 && level < c->top);
    bool all = true;
    for (uint32_t l = 1; l < c->places.len; l++) {
        struct place *p = &c->places.data[l];
        for (size_t i = 0; i < p->blocked.len && !c->out_of_ticks; i++) {
            if (p->blocked.data[i].level != level)
                continue;
            if (levels_hold(c, l, &p->blocked.data[i].cube, level + 1, NULL))
                raise_cube(p, &p->blocked.data[i], level + 1);
            else
                all = false;
        }
    }
    return all && !c->out_of_ticks;
}

/* What is above a level that equals the next one is inductive. */
static void raise_all(struct ic3cfa *c, uint32_t level) {
    for (size_t l = 1; l < c->places.len; l++)
        for (size_t i = 0; i < c->places.data[l].blocked.len; i++) {
            struct blocked *b = &c->places.data[l].blocked.data[i];
            if (b->level > level && b->level < c->top)
                raise_cube(&c->places.data[l], b, c->top);
        }
}

/* Lemma 2. Goes on where it was interrupted. */
bool levels_push(struct ic3cfa *c, uint32_t *level) {
    if (c->pushed == 0) {
        c->top++;
        WINDOW_ADD(c->input->window, stats.frames, 1);
        WINDOW_EVENT(c->input->window, "frame", "\"target\":%u,\"level\":%u", c->target, c->top);
        c->pushed = 1;
        for (size_t l = 0; l < c->places.len; l++)
            place_new_top(&c->places.data[l]);
    }
    for (; c->pushed < c->top; c->pushed++) {
        if (push_level(c, c->pushed)) {
            *level = c->pushed;
            c->pushed = 0;
            raise_all(c, *level);
            return true;
        }
        if (c->out_of_ticks)
            return false;
    }
    c->pushed = 0;
    return false;
}
