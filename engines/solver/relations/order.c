/* The search for negative cycles: see order.h. Which constraints give which edges: order_edges.c.
 *
 * Whether an edge holds is read off its guards when it is looked at, so nothing has to be undone.
 * A moving edge has the present bound of a side as its weight (z <= x + y gives z <= x + max(y));
 * that bound is one more guard. The search gives up after EFFORT relaxations: it may miss a cycle,
 * never invent one. */
#include "engines/solver/relations/order.h"
#include "engines/solver/clause.h"

enum { EFFORT = 300 };

static bool edge_holds(const struct solver *s, const struct order_edge *e) {
    assert(e->n_guards <= 3);
    for (int i = 0; i < e->n_guards; i++)
        if (!lit_true(s, e->guard[i]))
            return false;
    return true;
}

static int64_t edge_weight(const struct solver *s, const struct order_edge *e) {
    assert(!e->moving || e->weight_vs < s->bound.len);
    if (!e->moving)
        return e->weight;
    int64_t bound = s->bound.data[e->weight_vs];
    return e->weight_vs & 1 ? ~bound : -bound;
}

/* Shortest ways from the end of `start` (Bellman and Ford, with a queue). True when the beginning
 * of `start` is reached below -weight: then via[] leads back. */
static bool find_cycle(struct solver *s, uint32_t start) {
    assert(start && edge_holds(s, &s->order.edges.data[start]));
    struct order *o = &s->order;
    const struct order_edge *first = &o->edges.data[start];
    int64_t limit = -edge_weight(s, first);
    vec_clear(&o->queue);
    s->stats.ticks++;
    o->stamp++;
    o->seen.data[first->to] = o->stamp;
    o->distance.data[first->to] = 0;
    o->via.data[first->to] = 0;
    vec_push(&o->queue, first->to);
    for (size_t head = 0, effort = 0; head < o->queue.len && effort < EFFORT; head++) {
        uint32_t node = o->queue.data[head];
        for (uint32_t i = o->head.data[node]; i && effort < EFFORT; i = o->edges.data[i].next) {
            const struct order_edge *e = &o->edges.data[i];
            effort++;
            if (e->to == first->to || !edge_holds(s, e))
                continue;
            int64_t d = o->distance.data[node] + edge_weight(s, e);
            if (o->seen.data[e->to] == o->stamp && o->distance.data[e->to] <= d)
                continue;
            o->seen.data[e->to] = o->stamp;
            o->distance.data[e->to] = d;
            o->via.data[e->to] = i;
            if (e->to == first->from && d < limit)
                return true;
            vec_push(&o->queue, e->to);
        }
        s->stats.ticks += 1 + effort / 64;
    }
    return false;
}

static void blame_edge(struct solver *s, uint32_t edge, struct lits *out) {
    assert(edge_holds(s, &s->order.edges.data[edge]));
    const struct order_edge *e = &s->order.edges.data[edge];
    for (int i = 0; i < e->n_guards; i++)
        vec_push(out, lit_not(e->guard[i]));
    if (e->moving)
        vec_push(out, lit_not((struct lit){s->bound.data[e->weight_vs], e->weight_vs}));
}

/* False when the way back is no negative cycle through `start`: another one, missed so far, has
 * bent it. */
static bool blame_cycle(struct solver *s, uint32_t start, struct lits *out) {
    struct order *o = &s->order;
    uint32_t node = o->edges.data[start].from, end = o->edges.data[start].to;
    int64_t total = edge_weight(s, &o->edges.data[start]);
    vec_clear(out);
    blame_edge(s, start, out);
    for (int steps = 0; node != end || steps == 0; steps++) {
        uint32_t edge = o->via.data[node];
        if (!edge || steps > EFFORT)
            return false;
        blame_edge(s, edge, out);
        total += edge_weight(s, &o->edges.data[edge]);
        node = o->edges.data[edge].from;
    }
    return total < 0;
}

bool order_propagate(struct solver *s) {
    struct order *o = &s->order;
    while (o->noted.len) {
        uint32_t edge = vec_pop(&o->noted);
        if (!edge_holds(s, &o->edges.data[edge]) || !find_cycle(s, edge) ||
            !blame_cycle(s, edge, &o->blame))
            continue;
        s->stats.order_conflicts++;
        return clause_add_lemma(s, &o->blame);
    }
    return true;
}

void order_wake(struct solver *s, uint32_t vs, int64_t old, int64_t now) {
    assert(now > old);
    if (vs >= s->order.watching.len)
        return;
    const struct order_watches *list = &s->order.watching.data[vs];
    for (size_t i = 0; i < list->len; i++)
        if (list->data[i].at > old && list->data[i].at <= now)
            vec_push(&s->order.noted, list->data[i].edge);
}

void order_forget(struct solver *s) {
    vec_clear(&s->order.noted);
}

void order_free(struct solver *s) {
    struct order *o = &s->order;
    for (size_t i = 0; i < o->watching.len; i++)
        vec_free(&o->watching.data[i]);
    vec_free(&o->watching);
    vec_free(&o->edges);
    vec_free(&o->head);
    vec_free(&o->seen);
    vec_free(&o->via);
    vec_free(&o->distance);
    vec_free(&o->queue);
    vec_free(&o->noted);
    vec_free(&o->blame);
    map_free(&o->pairs);
    vec_free(&o->atoms);
}
