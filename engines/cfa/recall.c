/* What is known of a cube along an edge without a question: pre-cubes (paper, Theorems 6 and 7) and
 * contexts of earlier generalisations (Theorems 8 and 9, Corollary 5).
 *
 * A frame is what is blocked at the source of the edge. It only grows, and a cube that is blocked
 * at a level is blocked below it, so that a generalisation relative to one level of a location
 * holds relative to every level below or equal, later, too: the level stands for the frame. For
 * lower bounds, where it must not have grown, how much had been blocked at the location is kept
 * beside. */
#include "engines/cfa/ic3cfa.h"

#include "model/term/simplify.h"

enum { CONTEXTS_MAX = 256 };

/* ---- pre-cubes ---- */

/* The conditions that the guard of an edge is made of. */
static void list_guard(const struct terms *ts, term_t guard, struct cube *out) {
    struct cube stack = {0};
    vec_push(&stack, guard);
    while (stack.len > 0) {
        term_t t = vec_pop(&stack);
        vec_push(out, t);
        for (int i = 0; term_is(ts, t, OP_AND) && i < 2; i++)
            vec_push(&stack, term_arg(ts, t, i));
    }
    vec_free(&stack);
}

/* Which literals of the cube the weakest precondition of which is in the blocked cube; false: the
 * guard and they are not all of it. */
static bool invert(struct ic3cfa *c, uint32_t edge, const struct cube *blocked,
                   const struct cube *guard, const struct cube *cube, struct cube *part) {
    size_t found = 0;
    assert(edge < c->cfa.edges.len);
    vec_clear(part);
    for (size_t k = 0; k < blocked->len; k++) {
        bool here = cube_has(guard, blocked->data[k]);
        for (size_t i = 0; i < cube->len && !here; i++)
            if (wep(c, edge, cube->data[i]) == blocked->data[k]) {
                vec_push(part, cube->data[i]);
                here = true;
            }
        found += here;
    }
    return found == blocked->len;
}

bool recall_precube(struct ic3cfa *c, uint32_t edge, uint32_t level, const struct cube *cube,
                    struct cube *part) {
    const struct cfa_edge *e = &c->cfa.edges.data[edge];
    const struct place *p = &c->places.data[e->from];
    struct cube guard = {0};
    bool found = false;
    if (!c->knobs.cfa_precubes || e->from == 0)
        return false;
    list_guard(c->ts, e->guard, &guard);
    for (size_t i = 0; i < p->blocked.len && !found; i++)
        found = p->blocked.data[i].level >= level &&
                invert(c, edge, &p->blocked.data[i].cube, &guard, cube, part);
    vec_free(&guard);
    cube_sort(part);
    return found;
}

/* ---- contexts ---- */

static void context_free(struct context *x) {
    vec_free(&x->cube);
    vec_free(&x->part);
}

void recall_note(struct ic3cfa *c, uint32_t edge, uint32_t level, const struct cube *cube,
                 const struct cube *part, bool complete) {
    uint32_t from = c->cfa.edges.data[edge].from;
    struct context x = {.edge = edge,
                        .level = level,
                        .learned = c->places.data[from].learned,
                        .complete = complete};
    assert(part->len <= cube->len);
    if (!c->knobs.cfa_cache)
        return;
    vec_append(&x.cube, cube->data, cube->len);
    vec_append(&x.part, part->data, part->len);
    cube_sort(&x.cube);
    cube_sort(&x.part);
    if (c->contexts.len < CONTEXTS_MAX) {
        vec_push(&c->contexts, x);
        return;
    }
    struct context *oldest = &c->contexts.data[c->next_context++ % CONTEXTS_MAX];
    context_free(oldest);
    *oldest = x;
}

/* Theorem 8, Corollary 5: the least part known to be unreachable that is in the cube. */
bool recall_upper(const struct ic3cfa *c, uint32_t edge, uint32_t level, const struct cube *cube,
                  struct cube *part) {
    const struct context *best = NULL;
    for (size_t i = 0; c->knobs.cfa_cache && i < c->contexts.len; i++) {
        const struct context *x = &c->contexts.data[i];
        if (x->edge == edge && x->level >= level && cube_within(&x->part, cube) &&
            (!best || x->part.len < best->part.len))
            best = x;
    }
    if (!best)
        return false;
    assert(best->part.len <= cube->len);
    vec_clear(part);
    vec_append(part, best->part.data, best->part.len);
    return true;
}

/* Theorem 9: literals without which the cube was reachable from fewer states than now. */
void recall_lower(const struct ic3cfa *c, uint32_t edge, uint32_t level, const struct cube *cube,
                  struct cube *needed) {
    uint32_t learned = c->places.data[c->cfa.edges.data[edge].from].learned;
    vec_clear(needed);
    for (size_t i = 0; c->knobs.cfa_cache_lower && i < c->contexts.len; i++) {
        const struct context *x = &c->contexts.data[i];
        if (x->edge != edge || !x->complete || x->level > level || x->learned != learned ||
            x->cube.len != cube->len || !cube_within(&x->cube, cube))
            continue;
        vec_append(needed, x->part.data, x->part.len);
    }
    cube_sort(needed);
}

void recall_free(struct ic3cfa *c) {
    for (size_t i = 0; i < c->contexts.len; i++)
        context_free(&c->contexts.data[i]);
    vec_free(&c->contexts);
}
