/* Slices are dealt in turns, the largest first; what was dealt is an artifact of the database, so
 * that a shard that goes on deals nothing again. */
#include "app/run/shard.h"
#include "app/run/basis.h"

#include "base/map.h"

#include <stdlib.h>

/* ---- dealing ---- */

/* Goals of one slice. */
struct portion {
    uint64_t hash;
    size_t size; /* cells of the slice */
    uint32_t shard;
};
VEC_STRUCT(portions, struct portion);

static int by_weight(const void *a, const void *b) {
    const struct portion *x = a, *y = b;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    return (x->hash > y->hash) - (x->hash < y->hash);
}

static bool is_dealt(const struct probe *p) {
    return p->status == STATUS_OPEN && !p->overrun && p->goals.len > 0;
}

/* A goal that is not in the model depends on nothing that is known. */
static struct portion portion_of(const struct session *s, uint32_t probe) {
    struct portion of = {.hash = probe};
    if (s->probes.data[probe].target != NONE) {
        struct slice slice;
        session_slice(s, &slice, &s->probes.data[probe].target, 1);
        of = (struct portion){.hash = slice.hash, .size = slice.sys.cells.len};
        slice_free(&slice);
    }
    return of;
}

static void deal(struct session *s) {
    struct portions all = {0};
    struct map known = {0}; /* hash to shard, 0: not yet */
    VEC(uint64_t) hash_of = {0};
    vec_resize_zero(&hash_of, s->probes.len + 1);
    for (uint32_t i = 0; i < s->probes.len; i++) {
        if (!is_dealt(&s->probes.data[i]))
            continue;
        struct portion portion = portion_of(s, i);
        hash_of.data[i] = portion.hash;
        if (!map_get(&known, portion.hash))
            vec_push(&all, portion);
        map_put(&known, portion.hash, 0);
    }
    if (all.len > 1)
        qsort(all.data, all.len, sizeof *all.data, by_weight);
    for (size_t i = 0; i < all.len; i++)
        map_put(&known, all.data[i].hash, (uint32_t)(i % s->shards) + 1);
    for (size_t i = 0; i < s->probes.len; i++)
        if (is_dealt(&s->probes.data[i]))
            s->probes.data[i].shard = *map_get(&known, hash_of.data[i]);
    vec_free(&hash_of);
    map_free(&known);
    vec_free(&all);
}

/* ---- what a shard that was ended had ---- */

static const char *artifact_name(struct session *s) {
    return arena_printf(&s->arena, "shard %u/%u", s->shard, s->shards);
}

/* One number per probe, in order. */
static bool put_dealt(struct session *s, struct err *err) {
    struct str text = {0};
    for (size_t i = 0; i < s->probes.len; i++)
        str_addf(&text, "%u\n", s->probes.data[i].shard);
    bool ok = store_artifact(s->db, artifact_name(s), str_text(&text), text.len, err);
    str_free(&text);
    return ok;
}

static bool get_dealt(struct session *s) {
    struct str text = {0};
    bool found = store_get_artifact(s->db, artifact_name(s), &text);
    const char *at = str_text(&text);
    for (size_t i = 0; found && i < s->probes.len && *at; i++) {
        char *end;
        s->probes.data[i].shard = (uint32_t)strtoul(at, &end, 10);
        at = end + (*end == '\n');
    }
    str_free(&text);
    return found;
}

bool shard_deal(struct session *s, struct err *err) {
    if (s->shards == 0 || s->proofs.confirming == CONFIRM_ONLY || get_dealt(s))
        return true;
    deal(s);
    return put_dealt(s, err);
}

const char *shard_reason(struct session *s, const struct probe *p) {
    bool ours = s->shards == 0 || p->shard == 0 || p->shard == s->shard;
    return ours ? NULL : arena_printf(&s->arena, "left to shard %u of %u", p->shard, s->shards);
}

bool shard_note(struct session *s, bool done, struct err *err) {
    if (s->shards == 0 || s->proofs.confirming == CONFIRM_ONLY)
        return true;
    const char *key = arena_printf(&s->arena, "shard:%u/%u", s->shard, s->shards);
    return store_info(s->db, key, done ? "done" : "running", err);
}
