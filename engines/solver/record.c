/* Recording: see record.h and proof.h. A chain is built while conflict analysis replaces needs by
 * their explanations; bounds that hold at level 0 are resolved away at its end, by the unit clauses
 * that were derived when those bounds were committed. */
#include "engines/solver/record.h"
#include "engines/solver/explain.h"
#include "engines/solver/trail.h"

void record_open(struct solver *s) {
    s->recorder = mem_zalloc(1, sizeof *s->recorder);
    vec_resize_zero(&s->recorder->proof.steps, 1);
}

void record_close(struct solver *s) {
    struct recorder *r = s->recorder;
    if (!r)
        return;
    vec_free(&r->proof.steps);
    vec_free(&r->proof.lits);
    vec_free(&r->proof.premises);
    vec_free(&r->unit);
    vec_free(&r->pending);
    vec_free(&r->used);
    vec_free(&r->used_stamp);
    vec_free(&r->chain);
    mem_free(r);
    s->recorder = NULL;
}

const struct proof *solver_proof(const struct solver *s) {
    return s->recorder ? &s->recorder->proof : NULL;
}

void solver_share(struct solver *s, svar v, uint32_t keeping) {
    assert(v && v <= s->n_vars);
    s->flags.data[v] |= VAR_SHARED;
    s->keeping = keeping;
}

static uint32_t step_new(struct solver *s, enum proof_kind kind, uint32_t partition) {
    assert(recording(s));
    struct proof *p = &s->recorder->proof;
    struct proof_step step = {.kind = (uint8_t)kind,
                              .partition = partition,
                              .first_lit = p->lits.len,
                              .first_premise = p->premises.len};
    vec_push(&p->steps, step);
    return (uint32_t)p->steps.len - 1;
}

static void step_add_lit(struct solver *s, struct lit l) {
    assert(s->recorder->proof.steps.len > 1);
    vec_push(&s->recorder->proof.lits, slit_of(l));
    vec_last(&s->recorder->proof.steps).n_lits++;
}

uint32_t record_given(struct solver *s, const struct lit *lits, size_t n) {
    if (!recording(s))
        return 0;
    uint32_t step = step_new(s, PROOF_GIVEN, s->partition);
    for (size_t i = 0; i < n; i++)
        step_add_lit(s, lits[i]);
    return step;
}

uint32_t record_lemma(struct solver *s, uint32_t prim, struct lit needed, const struct lits *lits,
                      size_t from) {
    if (!recording(s))
        return 0;
    uint32_t step = step_new(s, PROOF_LEMMA, s->prims.data[prim].partition);
    s->recorder->proof.steps.data[step].constraint = prim;
    if (needed.vs)
        step_add_lit(s, needed);
    for (size_t i = from; i < lits->len; i++)
        step_add_lit(s, lit_not(lits->data[i]));
    return step;
}

static void sides_grow(struct solver *s, struct ids *by_vs) {
    if (by_vs->len < s->bound.len)
        vec_resize_zero(by_vs, s->bound.len);
}

void record_unit(struct solver *s, uint32_t vs, uint32_t step) {
    assert(!recording(s) || step);
    if (!recording(s))
        return;
    sides_grow(s, &s->recorder->pending);
    s->recorder->pending.data[vs] = step;
}

/* ---- chains ---- */

void record_chain_open(struct solver *s) {
    if (!recording(s))
        return;
    vec_clear(&s->recorder->chain);
    vec_clear(&s->recorder->used);
    s->recorder->stamp++;
}

void record_premise(struct solver *s, uint32_t step, uint32_t vs) {
    if (!recording(s))
        return;
    assert(step);
    struct recorder *r = s->recorder;
    svar pivot = r->chain.len ? vs / 2 : 0;
    vec_push(&r->chain, (struct proof_premise){step, pivot});
}

void record_level_zero(struct solver *s, uint32_t vs) {
    assert(!recording(s) || s->bound.data[vs] > s->initial.data[vs]);
    if (!recording(s))
        return;
    struct recorder *r = s->recorder;
    sides_grow(s, &r->used_stamp);
    if (r->used_stamp.data[vs] == r->stamp)
        return;
    r->used_stamp.data[vs] = r->stamp;
    vec_push(&r->used, vs);
}

uint32_t record_chain_close(struct solver *s, const struct lit *lits, size_t n) {
    if (!recording(s))
        return 0;
    struct recorder *r = s->recorder;
    sides_grow(s, &r->unit);
    for (size_t i = 0; i < r->used.len; i++)
        record_premise(s, r->unit.data[r->used.data[i]], r->used.data[i]);
    uint32_t step = step_new(s, PROOF_DERIVED, 0);
    for (size_t i = 0; i < n; i++)
        step_add_lit(s, lits[i]);
    r->proof.steps.data[step].n_premises = r->chain.len;
    vec_append(&r->proof.premises, r->chain.data, r->chain.len);
    return step;
}

/* ---- level 0 ---- */

static void use_level_zero(struct solver *s, const struct lits *lits) {
    for (size_t i = 0; i < lits->len; i++)
        if (s->initial.data[lits->data[i].vs] < lits->data[i].bound)
            record_level_zero(s, lits->data[i].vs);
}

void record_commit(struct solver *s) {
    if (!recording(s))
        return;
    struct recorder *r = s->recorder;
    sides_grow(s, &r->unit);
    sides_grow(s, &r->pending);
    for (size_t i = 1; i < s->trail.len; i++) {
        struct lit l = {s->trail.data[i].bound, s->trail.data[i].vs};
        if (!s->trail.data[i].reason) {
            assert(r->pending.data[l.vs]);
            r->unit.data[l.vs] = r->pending.data[l.vs];
            continue;
        }
        vec_clear(&s->explained);
        uint32_t step = explain_entry(s, (uint32_t)i, l, &s->explained);
        record_chain_open(s);
        record_premise(s, step, 0);
        use_level_zero(s, &s->explained);
        r->unit.data[l.vs] = record_chain_close(s, &l, 1);
    }
}

void record_refute(struct solver *s) {
    if (!recording(s))
        return;
    record_commit(s);
    vec_clear(&s->explained);
    uint32_t step = explain_conflict(s, &s->explained);
    record_chain_open(s);
    record_premise(s, step, 0);
    use_level_zero(s, &s->explained);
    record_final(s, record_chain_close(s, NULL, 0));
}

void record_refute_given(struct solver *s, uint32_t step, const struct lit *lits, size_t n) {
    if (!recording(s))
        return;
    record_commit(s);
    vec_clear(&s->explained);
    for (size_t i = 0; i < n; i++)
        vec_push(&s->explained, lit_not(lits[i]));
    record_chain_open(s);
    record_premise(s, step, 0);
    use_level_zero(s, &s->explained);
    record_final(s, record_chain_close(s, NULL, 0));
}

void record_final(struct solver *s, uint32_t step) {
    assert(!recording(s) || step);
    if (recording(s))
        s->recorder->proof.final = step;
}
