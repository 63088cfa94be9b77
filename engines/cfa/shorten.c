/* Generalisation over the edges into a location, paper, section 5.
 *
 * Along one edge a part of the cube is found that cannot be reached; what is needed along several
 * edges is the union of the parts (Corollary 3). That holds only without "not the cube" in the
 * premise (Theorem 2): where a part is found with it, the union is larger, and excludes less.
 * With it all edges are asked about the very same cube: then it may be in the premise of edges that
 * stay at the location, for the cube is blocked there one level below, too.
 */
#include "engines/cfa/ic3cfa.h"

#include "base/mem.h"

struct weakening {
    struct ic3cfa *c;
    uint32_t place, level;
    struct cube *cube;
};

static bool is_live(const struct weakening *w, uint32_t edge) {
    return w->c->cfa.edges.data[edge].from == 0 || w->level > 1;
}

/* Keeps what the last answer rests on, and the first `fixed` ones. */
static void keep_core(struct ic3cfa *c, struct cube *cube, size_t fixed) {
    bool *used = mem_zalloc(cube->len + 1, sizeof *used);
    size_t kept = 0;
    assert(fixed <= cube->len);
    place_core(c, cube->len, used);
    for (size_t i = 0; i < cube->len; i++)
        if (i < fixed || used[i])
            cube->data[kept++] = cube->data[i];
    cube->len = kept;
    mem_free(used);
}

static void copy_without(struct cube *to, const struct cube *from, size_t i) {
    vec_clear(to);
    assert(i < from->len);
    vec_append(to, from->data, i);
    vec_append(to, from->data + i + 1, from->len - i - 1);
}

/* ---- edge by edge: `fixed` literals are needed already ---- */

static bool unreachable(struct weakening *w, uint32_t edge, const struct cube *cube) {
    return place_ask(w->c, edge, w->level - 1, cube, NULL) == SOLVER_UNSAT;
}

static void drop_along(struct weakening *w, uint32_t edge, struct cube *part, size_t fixed) {
    struct cube less = {0}, needed = {0};
    recall_lower(w->c, edge, w->level - 1, w->cube, &needed);
    for (size_t i = part->len; i-- > fixed;) {
        if (w->c->out_of_ticks)
            break;
        if (cube_has(&needed, part->data[i]))
            continue;
        copy_without(&less, part, i);
        if (!unreachable(w, edge, &less))
            continue;
        keep_core(w->c, &less, fixed);
        vec_clear(part);
        vec_append(part, less.data, less.len);
        i = i < part->len ? i : part->len;
    }
    vec_free(&less);
    vec_free(&needed);
}

/* A part of the cube that the edge does not lead into: remembered, seen in the frame, or asked for.
 * `all` has the fixed literals first. */
static bool find_part(struct weakening *w, uint32_t edge, struct cube *all, size_t fixed) {
    struct cube known = {0};
    bool upper = recall_upper(w->c, edge, w->level - 1, w->cube, &known);
    bool seen = !upper && recall_precube(w->c, edge, w->level - 1, w->cube, &known);
    bool ok = upper || seen || unreachable(w, edge, all);
    if (upper || seen) {
        vec_truncate(all, fixed);
        for (size_t i = 0; i < known.len; i++)
            if (!cube_has(all, known.data[i]))
                vec_push(all, known.data[i]);
    } else if (ok) {
        keep_core(w->c, all, fixed);
    }
    if (ok && !seen)
        drop_along(w, edge, all, fixed);
    vec_free(&known);
    return ok;
}

/* `part` gets what this edge needs beyond it; the whole cube is unreachable along the edge. */
static bool extend_part(struct weakening *w, uint32_t edge, struct cube *part) {
    struct cube all = {0};
    size_t fixed = part->len;
    vec_append(&all, part->data, part->len);
    for (size_t i = 0; i < w->cube->len; i++)
        if (!cube_has(part, w->cube->data[i]))
            vec_push(&all, w->cube->data[i]);
    bool ok = find_part(w, edge, &all, fixed);
    if (ok) {
        recall_note(w->c, edge, w->level - 1, w->cube, &all, fixed == 0 && !w->c->out_of_ticks);
        vec_clear(part);
        vec_append(part, all.data, all.len);
    }
    vec_free(&all);
    return ok;
}

static void edge_by_edge(struct weakening *w) {
    const struct place *p = &w->c->places.data[w->place];
    struct cube part = {0};
    assert(!w->c->out_of_ticks || w->cube->len > 0);
    bool ok = true;
    for (size_t i = 0; ok && i < p->in.len; i++)
        if (is_live(w, p->in.data[i]) && !unreachable(w, p->in.data[i], &part))
            ok = extend_part(w, p->in.data[i], &part);
    if (ok) {
        vec_clear(w->cube);
        vec_append(w->cube, part.data, part.len);
    }
    vec_free(&part);
}

/* ---- all edges at once ---- */

/* No edge leads into the cube. *core becomes the part that the answers rest on. */
static bool unreachable_jointly(struct weakening *w, const struct cube *cube, struct cube *core) {
    const struct place *p = &w->c->places.data[w->place];
    bool *used = mem_zalloc(cube->len + 1, sizeof *used), *now = mem_zalloc(cube->len + 1, 1);
    bool ok = true;
    for (size_t i = 0; ok && i < p->in.len; i++) {
        if (!is_live(w, p->in.data[i]))
            continue;
        ok = place_ask(w->c, p->in.data[i], w->level - 1, cube,
                       w->c->knobs.cfa_relative ? cube : NULL) == SOLVER_UNSAT;
        if (!ok)
            break;
        place_core(w->c, cube->len, now);
        for (size_t k = 0; k < cube->len; k++)
            used[k] |= now[k];
    }
    vec_clear(core);
    for (size_t k = 0; ok && k < cube->len; k++)
        if (used[k])
            vec_push(core, cube->data[k]);
    mem_free(used);
    mem_free(now);
    return ok;
}

/* Smaller and smaller cores, each asked about anew: the premise has changed with the cube. */
static bool shrink(struct weakening *w, struct cube *cube) {
    struct cube core = {0}, less = {0};
    bool ok = unreachable_jointly(w, cube, &core);
    while (ok && core.len < cube->len) {
        vec_clear(&less);
        vec_append(&less, core.data, core.len);
        if (!unreachable_jointly(w, &less, &core))
            break;
        vec_clear(cube);
        vec_append(cube, less.data, less.len);
    }
    vec_free(&core);
    vec_free(&less);
    return ok;
}

static void all_edges(struct weakening *w) {
    struct cube less = {0};
    (void)shrink(w, w->cube);
    for (size_t i = w->cube->len; i-- > 0 && !w->c->out_of_ticks;) {
        copy_without(&less, w->cube, i);
        if (!shrink(w, &less))
            continue;
        vec_clear(w->cube);
        vec_append(w->cube, less.data, less.len);
        i = i < w->cube->len ? i : w->cube->len;
    }
    vec_free(&less);
}

static bool stays(const struct weakening *w) {
    const struct place *p = &w->c->places.data[w->place];
    for (size_t i = 0; i < p->in.len; i++)
        if (w->c->cfa.edges.data[p->in.data[i]].from == w->place)
            return true;
    return false;
}

void shorten(struct ic3cfa *c, uint32_t place, uint32_t level, struct cube *cube) {
    struct weakening w = {c, place, level, cube};
    assert(place > 0 && level > 0);
    if (c->knobs.cfa_generalise == 0)
        return;
    if (c->knobs.cfa_generalise == 1 || (c->knobs.cfa_relative && stays(&w)))
        all_edges(&w);
    else
        edge_by_edge(&w);
    cube_sort(cube);
}
