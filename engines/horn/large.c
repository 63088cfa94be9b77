/* large: edges between places, then places out, one after the other. */
#include "engines/horn/large.h"

#include "base/mem.h"
#include "engines/horn/cases.h"
#include "engines/horn/core.h"
#include "engines/horn/places.h"
#include "model/term/simplify.h"

#include <assert.h>

enum { MOST_TERMS = 1000000 };

struct edge {
    uint32_t from, to;
    uint32_t steps;
    term_t guard;
    struct horn_terms value; /* by cell */
};

struct program {
    const struct system *sys;
    struct terms *ts;
    struct places places;
    VEC(struct edge) edges;
    VEC(bool) is_input; /* by variable: of a step */
    VEC(bool) stays; /* by place: runs start there, or it may be hit there, or a path comes back */
    size_t left_out;
};

static uint64_t var_of(const struct program *p, term_t var) {
    return term_bits(p->ts, var);
}

static void edge_free(struct edge *e) {
    vec_free(&e->value);
}

/* ---- edges ---- */

/* The values of Boolean cells in a place; and of next values that are variables, in another. */
static void put_places(const struct program *p, struct place_edge e, struct horn_terms *map,
                       term_t *also) {
    size_t b = 0;
    *also = term_bool(p->ts, true);
    for (size_t i = 0; i < p->sys->cells.len; i++) {
        const struct cell *c = &p->sys->cells.data[i];
        if (term_sort(p->ts, c->var) != SORT_BOOL)
            continue;
        term_t after = term_bool(p->ts, places_bit(&p->places, e.to, b));
        map->data[var_of(p, c->var)] = term_bool(p->ts, places_bit(&p->places, e.from, b));
        if (term_is(p->ts, c->next, OP_VAR) && p->is_input.data[var_of(p, c->next)])
            map->data[var_of(p, c->next)] = after;
        *also = term_and(p->ts, *also, term_eq(p->ts, c->next, after));
        b++;
    }
    assert(b == p->places.cells.len);
}

/* Each edge reads inputs of its own, so that edges can follow each other in one step. */
static void rename_inputs(const struct program *p, struct horn_terms *roots) {
    bool *mark = mem_zalloc(p->ts->nodes.len, sizeof *mark);
    struct horn_terms map = {0};
    term_mark(p->ts, roots->data, roots->len, mark);
    for (size_t i = 0; i < p->sys->cells.len; i++)
        mark[p->sys->cells.data[i].var] = false;
    size_t n = p->ts->vars.len, n_nodes = p->ts->nodes.len;
    vec_resize_zero(&map, n);
    for (size_t v = 0; v < n; v++) {
        struct term_var var = p->ts->vars.data[v];
        if (var.term < n_nodes && mark[var.term])
            map.data[v] = term_var(p->ts, var.name, var.sort, var.is_signed);
    }
    term_substitute(p->ts, map.data, map.len, roots->data, roots->len);
    vec_free(&map);
    mem_free(mark);
}

static void add_edge(struct program *p, struct place_edge at) {
    struct terms *ts = p->ts;
    const struct system *sys = p->sys;
    struct horn_terms roots = {0}, map = {0};
    struct definitions d;
    term_t also;
    vec_resize_zero(&map, ts->vars.len);
    put_places(p, at, &map, &also);
    term_t holds = term_and(ts, sys->step_ok, also);
    for (size_t i = 0; i < sys->cells.len; i++)
        vec_push(&roots, sys->cells.data[i].next);
    vec_push(&roots, holds);
    term_substitute(ts, map.data, map.len, roots.data, roots.len);
    definitions_init(&d, ts);
    for (size_t v = 0; v < p->is_input.len; v++)
        d.may.data[v] = p->is_input.data[v];
    roots.data[sys->cells.len] = cases_find(&d, roots.data[sys->cells.len]);
    definitions_apply(&d, roots.data, roots.len);
    rename_inputs(p, &roots);
    struct edge e = {.from = at.from, .to = at.to, .steps = 1, .guard = vec_last(&roots)};
    vec_append(&e.value, roots.data, sys->cells.len);
    vec_push(&p->edges, e);
    definitions_free(&d);
    vec_free(&roots);
    vec_free(&map);
}

/* ---- two edges as one ---- */

/* A condition that the first guard contains, and the second its opposite; 0: none is seen. */
static term_t distinction(struct terms *ts, term_t a, term_t b) {
    struct horn_terms parts = {0}, others = {0};
    struct map known = {0};
    term_t found = 0;
    assert(term_sort(ts, a) == SORT_BOOL && term_sort(ts, b) == SORT_BOOL);
    definitions_split(ts, a, &parts);
    definitions_split(ts, b, &others);
    for (size_t i = 0; i < parts.len; i++)
        map_put(&known, parts.data[i], 1);
    for (size_t i = 0; i < others.len && !found; i++) {
        term_t opposite = term_not(ts, others.data[i]);
        if (map_get(&known, opposite))
            found = opposite;
    }
    map_free(&known);
    vec_free(&parts);
    vec_free(&others);
    return found;
}

/* One or the other, from the same place: into the first. */
static void join(struct program *p, struct edge *a, const struct edge *b) {
    struct terms *ts = p->ts;
    assert(a->from == b->from && a->value.len == b->value.len);
    term_t which = distinction(ts, a->guard, b->guard);
    if (!which)
        which = term_var(ts, "way", SORT_BOOL, false);
    a->guard = term_ite(ts, which, a->guard, b->guard);
    for (size_t i = 0; i < a->value.len; i++)
        a->value.data[i] = term_ite(ts, which, a->value.data[i], b->value.data[i]);
    a->steps = a->steps > b->steps ? a->steps : b->steps;
}

/* One after the other: into `out`. */
static void follow(const struct program *p, const struct edge *a, const struct edge *b,
                   struct edge *out) {
    struct horn_terms map = {0}, roots = {0};
    assert(a->to == b->from);
    vec_resize_zero(&map, p->ts->vars.len);
    for (size_t i = 0; i < p->sys->cells.len; i++)
        map.data[var_of(p, p->sys->cells.data[i].var)] = a->value.data[i];
    vec_append(&roots, b->value.data, b->value.len);
    vec_push(&roots, b->guard);
    term_substitute(p->ts, map.data, map.len, roots.data, roots.len);
    *out = (struct edge){.from = a->from, .to = b->to, .steps = a->steps + b->steps};
    out->guard = term_and(p->ts, a->guard, vec_pop(&roots));
    out->value.data = roots.data;
    out->value.len = roots.len;
    out->value.cap = roots.cap;
    vec_free(&map);
}

/* ---- places out ---- */

/* Takes the edge; joined with one between the same places if there is one. */
static void put_edge(struct program *p, struct edge e) {
    for (size_t i = 0; i < p->edges.len; i++) {
        struct edge *old = &p->edges.data[i];
        if (old->from == e.from && old->to == e.to) {
            join(p, old, &e);
            edge_free(&e);
            return;
        }
    }
    if (term_is_false(p->ts, e.guard))
        edge_free(&e);
    else
        vec_push(&p->edges, e);
}

static size_t count_edges(const struct program *p, uint32_t place, bool into) {
    size_t n = 0;
    for (size_t i = 0; i < p->edges.len; i++)
        n += (into ? p->edges.data[i].to : p->edges.data[i].from) == place;
    return n;
}

static bool returns_at_once(const struct program *p, uint32_t place) {
    for (size_t i = 0; i < p->edges.len; i++)
        if (p->edges.data[i].from == place && p->edges.data[i].to == place)
            return true;
    return false;
}

static bool can_leave(const struct program *p, uint32_t place) {
    size_t in = count_edges(p, place, true), out = count_edges(p, place, false);
    return !p->stays.data[place] && in > 0 && out > 0 && in * out <= in + out + 2 &&
           !returns_at_once(p, place) && p->ts->nodes.len < MOST_TERMS;
}

/* Paths through the place become edges. */
static void leave_out(struct program *p, uint32_t place) {
    VEC(struct edge) old = {0};
    assert(!p->stays.data[place] && !returns_at_once(p, place));
    vec_append(&old, p->edges.data, p->edges.len);
    vec_clear(&p->edges);
    for (size_t i = 0; i < old.len; i++)
        if (old.data[i].from != place && old.data[i].to != place)
            vec_push(&p->edges, old.data[i]);
    for (size_t i = 0; i < old.len; i++)
        for (size_t k = 0; k < old.len && old.data[i].to == place; k++) {
            struct edge both;
            if (old.data[k].from != place)
                continue;
            follow(p, &old.data[i], &old.data[k], &both);
            put_edge(p, both);
        }
    for (size_t i = 0; i < old.len; i++)
        if (old.data[i].from == place || old.data[i].to == place)
            edge_free(&old.data[i]);
    vec_free(&old);
    p->left_out++;
}

static void leave_out_all(struct program *p) {
    bool changed = true;
    VEC(bool) gone = {0};
    vec_resize_zero(&gone, p->places.at.len);
    while (changed) {
        changed = false;
        for (uint32_t place = 0; place < p->places.at.len; place++)
            if (!gone.data[place] && can_leave(p, place)) {
                leave_out(p, place);
                gone.data[place] = changed = true;
            }
    }
    for (uint32_t place = 0; place < p->places.at.len; place++)
        p->stays.data[place] |= !gone.data[place];
    vec_free(&gone);
}

/* ---- the system ---- */

/* All edges of a place as one; without any there is no step. */
static struct edge edge_of(struct program *p, uint32_t place) {
    assert(place < p->places.at.len);
    struct edge all = {.from = place, .to = NONE, .guard = term_bool(p->ts, false)};
    assert(p->stays.data[place]);
    for (size_t i = 0; i < p->edges.len; i++) {
        const struct edge *e = &p->edges.data[i];
        if (e->from != place)
            continue;
        if (all.value.len > 0) {
            join(p, &all, e);
            continue;
        }
        all.guard = e->guard;
        vec_append(&all.value, e->value.data, e->value.len);
    }
    return all;
}

static void put_steps(struct program *p, struct large *large) {
    struct terms *ts = p->ts;
    struct system *sys = &large->sys;
    sys->step_ok = term_bool(ts, false);
    for (size_t i = 0; i < sys->cells.len; i++)
        sys->cells.data[i].next = sys->cells.data[i].var;
    for (uint32_t place = 0; place < p->places.at.len; place++) {
        if (!p->stays.data[place])
            continue;
        term_t here = places_term(&p->places, ts, place);
        struct edge e = edge_of(p, place);
        large->stops = term_or(ts, large->stops, here);
        vec_push(&large->at, here);
        sys->step_ok = term_or(ts, sys->step_ok, term_and(ts, here, e.guard));
        for (size_t i = 0; i < e.value.len; i++)
            sys->cells.data[i].next = term_ite(ts, here, e.value.data[i], sys->cells.data[i].next);
        edge_free(&e);
    }
}

/* Variables that are neither cells nor read at the start. */
static void put_inputs(struct program *p, struct large *large) {
    struct system *sys = &large->sys;
    struct horn_terms roots = {0};
    const struct target *target = &sys->targets.data[0];
    bool *mark = mem_zalloc(p->ts->nodes.len, sizeof *mark);
    vec_push(&roots, sys->step_ok);
    vec_push(&roots, target->hit);
    for (size_t i = 0; i < sys->cells.len; i++)
        vec_push(&roots, sys->cells.data[i].next);
    term_mark(p->ts, roots.data, roots.len, mark);
    for (size_t i = 0; i < sys->cells.len; i++)
        mark[sys->cells.data[i].var] = false;
    size_t kept = 0;
    for (size_t i = 0; i < sys->inputs.len; i++)
        if (sys->inputs.data[i].at_init)
            sys->inputs.data[kept++] = sys->inputs.data[i];
    sys->inputs.len = kept;
    for (size_t v = 0; v < p->ts->vars.len; v++) {
        struct term_var var = p->ts->vars.data[v];
        struct sys_input input = {.name = var.name, .var = var.term, .module_input = NONE};
        if (mark[var.term])
            vec_push(&sys->inputs, input);
    }
    vec_free(&roots);
    mem_free(mark);
}

static void put_place(const struct program *p, struct large *large, uint32_t place) {
    term_t here = places_term(&p->places, p->ts, place);
    large->places = term_or(p->ts, large->places, here);
    vec_push(&large->every, here);
}

static void put_system(struct program *p, struct large *large) {
    struct system *sys = &large->sys;
    *large = (struct large){.stops = term_bool(p->ts, false), .places = term_bool(p->ts, false)};
    system_init(sys, p->ts);
    vec_append(&sys->cells, p->sys->cells.data, p->sys->cells.len);
    vec_append(&sys->inputs, p->sys->inputs.data, p->sys->inputs.len);
    vec_append(&sys->targets, p->sys->targets.data, p->sys->targets.len);
    sys->init_ok = p->sys->init_ok;
    put_steps(p, large);
    put_inputs(p, large);
    for (uint32_t place = 0; place < p->places.at.len; place++)
        put_place(p, large, place);
    large->worthwhile = p->left_out > 0;
    large->span = 1;
    for (size_t i = 0; i < p->edges.len; i++)
        if (p->edges.data[i].steps > large->span)
            large->span = p->edges.data[i].steps;
    core_cut(sys);
    check_system(sys);
}

/* ---- all ---- */

/* Can the target be hit there? */
static term_t hit_at(const struct program *p, uint32_t place) {
    struct horn_terms map = {0};
    term_t hit = p->sys->targets.data[0].hit;
    assert(place < p->places.at.len);
    vec_resize_zero(&map, p->ts->vars.len);
    for (size_t i = 0; i < p->places.cells.len; i++)
        map.data[var_of(p, p->places.cells.data[i])] =
            term_bool(p->ts, places_bit(&p->places, place, i));
    term_substitute(p->ts, map.data, map.len, &hit, 1);
    vec_free(&map);
    return hit;
}

/* Edges of places where the run ends in any case are not needed. */
static void read_program(struct program *p) {
    VEC(bool) ends = {0};
    vec_resize_zero(&p->is_input, p->ts->vars.len);
    for (size_t i = 0; i < p->sys->inputs.len; i++)
        p->is_input.data[var_of(p, p->sys->inputs.data[i].var)] = !p->sys->inputs.data[i].at_init;
    for (uint32_t place = 0; place < p->places.at.len; place++) {
        term_t hit = hit_at(p, place);
        vec_push(&p->stays, place < p->places.initial || !term_is_false(p->ts, hit));
        vec_push(&ends, term_is_true(p->ts, hit));
    }
    for (size_t i = 0; i < p->places.edges.len; i++)
        if (!ends.data[p->places.edges.data[i].from])
            add_edge(p, p->places.edges.data[i]);
    vec_free(&ends);
}

/* Of a program most places have one or two that follow. */
static bool is_program(const struct places *places) {
    return places->edges.len <= 2 * places->at.len + 2;
}

bool large_make(struct large *large, const struct system *sys, const struct query_options *how) {
    struct program p = {.sys = sys, .ts = sys->terms};
    bool found = places_find(&p.places, sys, how) && is_program(&p.places);
    if (found) {
        read_program(&p);
        leave_out_all(&p);
        put_system(&p, large);
    }
    for (size_t i = 0; i < p.edges.len; i++)
        edge_free(&p.edges.data[i]);
    vec_free(&p.edges);
    vec_free(&p.stays);
    vec_free(&p.is_input);
    places_free(&p.places);
    return found;
}

void large_free(struct large *large) {
    system_free(&large->sys);
    vec_free(&large->at);
    vec_free(&large->every);
}
