/* A group has the hash of its slice. Ranks come from the implications between goals, one more than
 * the highest of what a goal implies, in passes until nothing changes. */
#include "app/run/group.h"
#include "app/run/basis.h"

#include "app/run/policy.h"
#include "base/map.h"
#include "base/mem.h"

#include <stdlib.h>

enum { MOST_PASSES = 64 }; /* longer chains of implications, and cycles, are cut */

/* One per probe: 1 + the highest rank of what it implies. */
static uint32_t *make_ranks(const struct session *s) {
    const struct goals *goals = &s->woven.goals;
    uint32_t *rank = mem_zalloc(s->probes.len + 1, sizeof *rank);
    bool more = true;
    for (int pass = 0; more && pass < MOST_PASSES; pass++) {
        more = false;
        for (size_t i = 0; i < goals->implications.len; i++) {
            uint32_t a = goals->list.data[goals->implications.data[i].a].probe;
            uint32_t b = goals->list.data[goals->implications.data[i].b].probe;
            if (a == b || rank[a] > rank[b] || rank[b] >= MOST_PASSES)
                continue;
            rank[a] = rank[b] + 1;
            more = true;
        }
    }
    return rank;
}

static int by_size(const void *a, const void *b) {
    const struct group *x = a, *y = b;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->probes.data[0] < y->probes.data[0] ? -1 : 1;
}

static struct group *group_of(struct groups *groups, struct map *by_hash, uint64_t hash,
                              size_t size) {
    uint32_t *known = map_get(by_hash, hash);
    if (known && groups->data[*known].probes.len < POLICY_GROUP)
        return &groups->data[*known];
    map_put(by_hash, hash, (uint32_t)groups->len);
    vec_push(groups, (struct group){.hash = hash, .size = size});
    return &vec_last(groups);
}

struct ranked {
    uint32_t probe, rank;
};
VEC_STRUCT(ranked_probes, struct ranked);

static int by_rank(const void *a, const void *b) {
    const struct ranked *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->probe < y->probe ? -1 : 1;
}

static void rank_open(struct ranked_probes *list, const struct session *s) {
    uint32_t *rank = make_ranks(s);
    for (uint32_t p = 0; p < s->probes.len; p++)
        if (session_is_open(s, p) && s->probes.data[p].target != NONE)
            vec_push(list, (struct ranked){p, rank[p]});
    mem_free(rank);
    if (list->len > 1)
        qsort(list->data, list->len, sizeof *list->data, by_rank);
}

void groups_make(struct groups *groups, const struct session *s) {
    struct map by_hash = {0};
    struct ranked_probes open = {0};
    rank_open(&open, s);
    for (size_t i = 0; i < open.len; i++) {
        uint32_t p = open.data[i].probe;
        struct slice slice;
        session_slice(s, &slice, &s->probes.data[p].target, 1);
        struct group *g = group_of(groups, &by_hash, slice.hash, slice.sys.cells.len);
        if (g->probes.len == 0)
            g->rank = open.data[i].rank;
        assert(open.data[i].rank >= g->rank);
        vec_push(&g->probes, p);
        slice_free(&slice);
    }
    vec_free(&open);
    map_free(&by_hash);
    if (groups->len > 1)
        qsort(groups->data, groups->len, sizeof *groups->data, by_size);
}

void groups_drop_decided(struct groups *groups, const struct session *s) {
    for (size_t i = 0; i < groups->len; i++) {
        struct group *g = &groups->data[i];
        size_t kept = 0;
        for (size_t p = 0; p < g->probes.len; p++)
            if (session_is_open(s, g->probes.data[p]))
                g->probes.data[kept++] = g->probes.data[p];
        g->probes.len = kept;
    }
}

void groups_free(struct groups *groups) {
    for (size_t i = 0; i < groups->len; i++)
        vec_free(&groups->data[i].probes);
    vec_free(groups);
}
