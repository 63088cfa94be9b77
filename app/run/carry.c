/* Goals are matched by key, slices by hash. Of a proof the clauses about what unchanged targets
 * depend on are kept, as a proof of today's program; a clause that reaches beyond stops it. */
#include "app/run/carry.h"
#include "app/run/basis.h"
#include "app/run/verdict.h"

#include "app/run/batch.h"
#include "base/map.h"
#include "engines/invariant/trim.h"
#include "model/system/fact.h"
#include "model/system/slicer.h"

#include <string.h>

/* Verdicts that rested on one proof. */
struct carried {
    VEC(const struct verdict *) verdicts;
    VEC(uint32_t) targets; /* each once */
};

static uint32_t probe_of(const struct session *s, const struct verdict *v) {
    return s->woven.goals.list.data[v->goal].probe;
}

static bool is_same(struct session *s, const struct verdict *v) {
    if (v->status != STATUS_DEAD || v->goal == NONE || !v->slice_hash ||
        !session_may_decide(s, probe_of(s, v)))
        return false;
    const char *hash = session_slice_hash(s, probe_of(s, v));
    return hash && strcmp(hash, v->slice_hash) == 0;
}

static void add(struct carried *c, const struct session *s, const struct verdict *v) {
    uint32_t target = s->probes.data[probe_of(s, v)].target;
    bool known = false;
    vec_push(&c->verdicts, v);
    for (size_t i = 0; i < c->targets.len; i++)
        known |= c->targets.data[i] == target;
    if (!known)
        vec_push(&c->targets, target);
}

static size_t count_targets(const char *invariant) {
    size_t n = 0;
    for (const char *at = invariant; (at = strstr(at, "\ntarget ")); at++)
        n++;
    return n;
}

/* The clauses about what the targets, and the overruns that every proof excludes, depend on. False:
 * one of them speaks of something else as well. */
static bool restrict_to(struct session *s, const struct carried *c, const struct invariant *whole,
                        struct invariant *out) {
    struct slice slice;
    struct fact part, lifted;
    VEC(uint32_t) targets = {0};
    vec_append(&targets, c->targets.data, c->targets.len);
    vec_append(&targets, s->model.sys.overruns.data, s->model.sys.overruns.len);
    slicer_make(s->model.slicer, &slice,
                &(struct slice_wish){.targets = targets.data, .n_targets = targets.len});
    fact_init(&part, FACT_LEMMA);
    fact_init(&lifted, FACT_LEMMA);
    bool cut = invariant_on_slice(&part.invariant, whole, &slice, &s->model.sys);
    if (!cut) {
        fact_lift(&lifted, &part, &slice, &s->model.sys);
        for (size_t i = 0; i < lifted.invariant.clauses.len; i++)
            invariant_add(out, lifted.invariant.clauses.data[i].data,
                          lifted.invariant.clauses.data[i].len);
        vec_append(&out->targets, c->targets.data, c->targets.len);
        out->k = whole->k;
    }
    fact_free(&part);
    fact_free(&lifted);
    slice_free(&slice);
    vec_free(&targets);
    return !cut;
}

static int64_t store_part(struct session *s, const struct verdict *v,
                          const struct invariant *invariant, struct err *err) {
    struct str certificate = {0};
    struct claim claim = {.engine = v->engine, .ticks = v->ticks, .seconds = v->seconds};
    struct batch b;
    batch_init(&b);
    invariant_init(&claim.invariant);
    invariant_copy(&claim.invariant, invariant);
    vec_push(&b.claims, claim);
    batch_join(&b, s);
    batch_certificate(&b, s, &certificate);
    int64_t row = batch_store(&b, s, str_text(&certificate), err);
    batch_free(&b);
    str_free(&certificate);
    return row;
}

static bool keep(struct session *s, const struct carried *c, int64_t row, struct err *err) {
    bool ok = true;
    for (size_t i = 0; ok && i < c->verdicts.len; i++) {
        const struct verdict *v = c->verdicts.data[i];
        struct finding f = {.engine = v->engine,
                            .checked_by = v->checked_by,
                            .assumes = v->assumes,
                            .evidence = row,
                            .depth = v->depth,
                            .ticks = v->ticks,
                            .seconds = v->seconds,
                            .slice_hash = v->slice_hash};
        if (session_may_decide(s, probe_of(s, v)))
            ok = session_dead(s, probe_of(s, v), &f, err);
    }
    return ok;
}

/* What is k-inductive is so for all its goals together. What cannot be carried is tried again as a
 * whole (attempt/earlier.c). */
static bool carry(struct session *s, const struct carried *c, struct err *err) {
    const struct verdict *first = c->verdicts.data[0];
    struct proof proof = {0};
    struct invariant whole, part;
    bool ok = true;
    invariant_init(&whole);
    invariant_init(&part);
    if (store_get_proof(s->db, first->proof, &proof, &s->arena) &&
        invariant_read_again(&whole, &s->model.sys, proof.invariant) &&
        (proof.k == 1 || count_targets(proof.invariant) == c->targets.len)) {
        whole.k = proof.k;
        if (restrict_to(s, c, &whole, &part)) {
            int64_t row = store_part(s, first, &part, err);
            ok = row > 0 && keep(s, c, row, err);
        }
    }
    proof_free(&proof);
    invariant_free(&whole);
    invariant_free(&part);
    return ok;
}

bool carry_dead(struct session *s, struct err *err) {
    struct map done = {0}; /* rows of proofs */
    bool ok = true;
    assert(s->model.present);
    for (size_t i = 0; ok && i < s->earlier.len; i++) {
        const struct verdict *v = &s->earlier.data[i].verdict;
        struct carried c = {0};
        if (v->status != STATUS_DEAD || map_get(&done, (uint64_t)v->proof))
            continue;
        map_put(&done, (uint64_t)v->proof, 1);
        for (size_t j = i; j < s->earlier.len; j++)
            if (s->earlier.data[j].verdict.proof == v->proof &&
                is_same(s, &s->earlier.data[j].verdict))
                add(&c, s, &s->earlier.data[j].verdict);
        if (c.verdicts.len > 0)
            ok = carry(s, &c, err);
        vec_free(&c.verdicts);
        vec_free(&c.targets);
    }
    map_free(&done);
    return ok;
}
