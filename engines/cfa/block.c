/* Alg. 3: obligations, lowest level first (paper, 5.4 orders those of a level by size). */
#include "engines/cfa/ic3cfa.h"

/* ---- the queue ---- */

/* Small cubes first, large ones first, or whatever comes (configurations C, D, E). */
static uint64_t rank(const struct ic3cfa *c, uint32_t index) {
    const struct obligation *o = &c->obligations.data[index];
    uint32_t size = (uint32_t)o->cube.len;
    assert(index < c->obligations.len && o->level <= c->top);
    uint32_t key = c->knobs.cfa_order == 0   ? size
                   : c->knobs.cfa_order == 1 ? UINT32_MAX - size
                                             : (uint32_t)hash_mix(c->input->options.seed, index);
    return (uint64_t)o->level << 32 | key;
}

static bool before(const struct ic3cfa *c, uint32_t a, uint32_t b) {
    uint64_t x = rank(c, a), y = rank(c, b);
    return x < y || (x == y && a > b);
}

static void swap(uint32_t *a, uint32_t *b) {
    uint32_t keep = *a;
    *a = *b;
    *b = keep;
}

void block_enqueue(struct ic3cfa *c, uint32_t index) {
    assert(index < c->obligations.len);
    vec_push(&c->queue, index);
    for (size_t i = c->queue.len - 1; i > 0; i = (i - 1) / 2) {
        uint32_t *child = &c->queue.data[i], *parent = &c->queue.data[(i - 1) / 2];
        if (!before(c, *child, *parent))
            return;
        swap(child, parent);
    }
}

static uint32_t obligation_take(struct ic3cfa *c) {
    assert(c->queue.len > 0);
    uint32_t first = c->queue.data[0], last = vec_pop(&c->queue);
    if (c->queue.len == 0)
        return first;
    c->queue.data[0] = last;
    for (size_t i = 0, child; (child = 2 * i + 1) < c->queue.len; i = child) {
        if (child + 1 < c->queue.len && before(c, c->queue.data[child + 1], c->queue.data[child]))
            child++;
        if (!before(c, c->queue.data[child], c->queue.data[i]))
            break;
        swap(&c->queue.data[child], &c->queue.data[i]);
    }
    return first;
}

void block_forget(struct ic3cfa *c) {
    for (size_t i = 0; i < c->obligations.len; i++)
        vec_free(&c->obligations.data[i].cube);
    vec_clear(&c->obligations);
    vec_clear(&c->queue);
    vec_clear(&c->done);
}

/* Obligation reuse (paper, 4.3): the search goes on where the last one stopped for its bound. */
void block_raise(struct ic3cfa *c) {
    for (size_t i = 0; i < c->done.len; i++) {
        c->obligations.data[c->done.data[i]].level = c->top;
        block_enqueue(c, c->done.data[i]);
    }
    vec_clear(&c->done);
}

/* ---- predecessors ---- */

void block_conditions(struct ic3cfa *c, uint32_t at, uint32_t parent, uint32_t via,
                      struct cube *roots) {
    assert(at < c->places.len && (parent == NONE) == (via == NONE));
    if (parent == NONE) {
        vec_push(roots, c->places.data[at].hit);
        return;
    }
    vec_push(roots, c->cfa.edges.data[via].guard);
    for (size_t i = 0; i < c->obligations.data[parent].cube.len; i++)
        vec_push(roots, wep(c, via, c->obligations.data[parent].cube.data[i]));
}

enum cfa_answer block_add(struct ic3cfa *c, uint32_t at, uint32_t level, uint32_t parent,
                          uint32_t via) {
    struct obligation o = {.at = at, .level = level, .parent = parent, .via = via};
    struct cube roots = {0};
    block_conditions(c, at, parent, via, &roots);
    place_model(c, at, roots.data, roots.len);
    bool ok = precube(c, roots.data, roots.len, &o.cube);
    vec_free(&roots);
    if (!ok) {
        vec_free(&o.cube);
        return CFA_STUCK;
    }
    if (at > 0)
        cube_project(c, &o.cube);
    cube_sort(&o.cube);
    WINDOW_ADD(c->input->window, stats.obligations, 1);
    WINDOW_EVENT(c->input->window, "obligation",
                 "\"target\":%u,\"place\":%u,\"level\":%u,\"literals\":%zu", c->target, at, level,
                 o.cube.len);
    vec_push(&c->obligations, o);
    uint32_t added = (uint32_t)c->obligations.len - 1;
    if (at == 0)
        return report_hit(c, added) ? CFA_HIT : CFA_STUCK;
    block_enqueue(c, added);
    return CFA_GOING_ON;
}

/* ---- one obligation ---- */

static void blocked(struct ic3cfa *c, uint32_t index) {
    struct obligation *o = &c->obligations.data[index];
    assert(o->at > 0 && o->level > 0);
    if (!c->knobs.cfa_reuse)
        return;
    if (o->level == c->top) {
        vec_push(&c->done, index);
        return;
    }
    o->level++;
    block_enqueue(c, index);
}

static void learn(struct ic3cfa *c, uint32_t index) {
    struct cube cube = {0};
    uint32_t at = c->obligations.data[index].at, level = c->obligations.data[index].level;
    vec_append(&cube, c->obligations.data[index].cube.data, c->obligations.data[index].cube.len);
    shorten(c, at, level, &cube);
    while (level < c->top && !c->out_of_ticks && levels_hold(c, at, &cube, level + 1, &cube))
        level++;
    levels_add(c, at, &cube, level);
}

/* Is the cube blocked at its level: by another that is part of it, or (paper, 7.3: semantic
 * subsumption) because no state of the level is in it? */
static enum cfa_answer subsumed(struct ic3cfa *c, uint32_t index) {
    const struct obligation *o = &c->obligations.data[index];
    if (levels_block(c, o->at, &o->cube, o->level))
        return CFA_BLOCKED;
    if (!c->knobs.cfa_subsume)
        return CFA_GOING_ON;
    enum solver_result result = place_meets(c, o->at, o->level, o->cube.data, o->cube.len);
    return result == SOLVER_UNSAT     ? CFA_BLOCKED
           : result == SOLVER_UNKNOWN ? CFA_TICKS
                                      : CFA_GOING_ON;
}

/* Along each edge: can the cube be reached from the level below? */
static enum cfa_answer block(struct ic3cfa *c, uint32_t index) {
    uint32_t at = c->obligations.data[index].at, level = c->obligations.data[index].level;
    assert(at > 0 && level > 0 && level <= c->top);
    enum cfa_answer known = subsumed(c, index);
    if (known == CFA_BLOCKED)
        blocked(c, index);
    if (known != CFA_GOING_ON)
        return known == CFA_BLOCKED ? CFA_GOING_ON : known;
    for (size_t i = 0; i < c->places.data[at].in.len; i++) {
        uint32_t edge = c->places.data[at].in.data[i], from = c->cfa.edges.data[edge].from;
        if (from > 0 && level == 1)
            continue;
        place_rebuild_if_worn(c, from);
        enum solver_result result =
            place_ask(c, edge, level - 1, &c->obligations.data[index].cube,
                      c->knobs.cfa_relative ? &c->obligations.data[index].cube : NULL);
        if (result == SOLVER_UNKNOWN)
            return CFA_TICKS;
        if (result == SOLVER_UNSAT)
            continue;
        enum cfa_answer answer = block_add(c, from, level - 1, index, edge);
        block_enqueue(c, index);
        return answer;
    }
    learn(c, index);
    blocked(c, index);
    return CFA_GOING_ON;
}

enum cfa_answer block_all(struct ic3cfa *c) {
    while (c->queue.len > 0) {
        uint32_t index = obligation_take(c);
        enum cfa_answer answer = block(c, index);
        if (answer == CFA_TICKS)
            block_enqueue(c, index);
        if (answer != CFA_GOING_ON)
            return answer;
    }
    return CFA_BLOCKED;
}
