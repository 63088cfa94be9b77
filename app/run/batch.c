/* Claims of the same kind are taken from the queue in its order, up to the caller's limits on
 * targets and clauses; their invariants are joined clause by clause, equal clauses once. */
#include "app/run/batch.h"
#include "app/run/basis.h"
#include "app/run/verdict.h"
#include "app/run/task.h"
#include "base/mem.h"

#include <string.h>

void batch_init(struct batch *b) {
    *b = (struct batch){0};
    invariant_init(&b->invariant);
}

void batch_free(struct batch *b) {
    for (size_t i = 0; i < b->claims.len; i++)
        invariant_free(&b->claims.data[i].invariant);
    vec_free(&b->claims);
    vec_free(&b->probes);
    vec_free(&b->claim_of);
    invariant_free(&b->invariant);
}

static bool by_cbmc(const struct claim *claim) {
    return engine_is_cbmc(claim->engine);
}

bool batch_by_cbmc(const struct batch *b) {
    assert(b->claims.len > 0);
    return by_cbmc(&b->claims.data[0]);
}

bool batch_overruns(const struct batch *b) {
    assert(b->claims.len > 0);
    return b->claims.data[0].overrun;
}

/* ---- what goes together ---- */

static bool is_wanted(const struct session *s, const struct claim *c,
                      bool (*wants)(const struct session *, uint32_t)) {
    for (size_t i = 0; i < c->invariant.targets.len; i++)
        if (wants(s, s->model.target_probe.data[c->invariant.targets.data[i]]))
            return true;
    return false;
}

static size_t most_together(const struct batch *b, const struct claim *c) {
    uint32_t most = c->together ? c->together : UINT32_MAX;
    for (size_t i = 0; i < b->claims.len; i++)
        if (b->claims.data[i].together && b->claims.data[i].together < most)
            most = b->claims.data[i].together;
    return most;
}

struct content {
    size_t targets, clauses;
};

static bool fits(const struct batch *b, const struct claim *c, const struct content *so_far,
                 const struct batch_limits *limits) {
    if (b->claims.len == 0)
        return true;
    const struct claim *first = &b->claims.data[0];
    return first->overrun == c->overrun && by_cbmc(first) == by_cbmc(c) && first->tries == 0 &&
           c->tries == 0 && first->invariant.k == c->invariant.k &&
           b->claims.len < most_together(b, c) && so_far->targets < limits->targets &&
           so_far->clauses + c->invariant.clauses.len <= limits->clauses;
}

void batch_take(struct batch *b, const struct session *s, struct claims *queue,
                const struct batch_limits *limits,
                bool (*wants)(const struct session *, uint32_t)) {
    struct content so_far = {0};
    size_t kept = 0;
    assert(b->claims.len == 0);
    for (size_t i = 0; i < queue->len; i++) {
        struct claim c = queue->data[i];
        if (!is_wanted(s, &c, wants)) {
            invariant_free(&c.invariant);
        } else if (fits(b, &c, &so_far, limits)) {
            vec_push(&b->claims, c);
            so_far.targets += c.invariant.targets.len;
            so_far.clauses += c.invariant.clauses.len;
        } else {
            queue->data[kept++] = c;
        }
    }
    queue->len = kept;
}

/* ---- goals that follow ---- */

void batch_add_implied(struct batch *b, const struct session *s) {
    const struct goals *goals = &s->woven.goals;
    VEC(uint32_t) claim_of = {0}; /* by probe, + 1 */
    vec_resize_zero(&claim_of, s->probes.len);
    for (uint32_t i = 0; i < b->claims.len; i++)
        for (size_t t = 0; t < b->claims.data[i].invariant.targets.len; t++)
            claim_of.data[s->model.target_probe.data[b->claims.data[i].invariant.targets.data[t]]] =
                i + 1;
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < goals->implications.len; i++) {
            uint32_t from = goals->list.data[goals->implications.data[i].a].probe;
            uint32_t to = goals->list.data[goals->implications.data[i].b].probe;
            if (!claim_of.data[to] || claim_of.data[from] || !session_may_decide(s, from) ||
                s->probes.data[from].target == NONE)
                continue;
            claim_of.data[from] = claim_of.data[to];
            vec_push(&b->claims.data[claim_of.data[to] - 1].invariant.targets,
                     s->probes.data[from].target);
            more = true;
        }
    }
    vec_free(&claim_of);
}

/* ---- one out of many ---- */

static uint64_t clause_hash(const struct clause *c) {
    uint64_t hash = c->len;
    for (size_t i = 0; i < c->len; i++) {
        hash = hash_mix(hash, c->data[i].cell);
        hash = hash_mix(hash, c->data[i].kind);
        hash = hash_mix(hash, (uint64_t)c->data[i].ordinal);
        hash = hash_mix(hash, c->data[i].other);
        hash =
            hash_mix(hash, (uint64_t)c->data[i].factor << 16 ^ (uint64_t)c->data[i].other_factor);
    }
    return hash;
}

/* Each clause once. `known`: by hash, the last one with it; a clash costs a repetition. */
static void join_clauses(struct invariant *all, struct map *known, const struct invariant *part) {
    for (size_t i = 0; i < part->clauses.len; i++) {
        const struct clause *c = &part->clauses.data[i];
        uint64_t hash = clause_hash(c);
        const uint32_t *at = map_get(known, hash);
        if (at && clause_same(&all->clauses.data[*at], c))
            continue;
        map_put(known, hash, (uint32_t)all->clauses.len);
        invariant_add(all, c->data, c->len);
    }
}

static void join_targets(struct batch *b, const struct session *s, struct map *known,
                         uint32_t claim) {
    const struct invariant *part = &b->claims.data[claim].invariant;
    for (size_t i = 0; i < part->targets.len; i++) {
        uint32_t target = part->targets.data[i];
        if (map_get(known, target))
            continue;
        map_put(known, target, 1);
        vec_push(&b->probes, s->model.target_probe.data[target]);
        vec_push(&b->claim_of, claim);
        vec_push(&b->invariant.targets, target);
    }
}

void batch_join(struct batch *b, const struct session *s) {
    struct map clauses = {0}, targets = {0};
    invariant_free(&b->invariant);
    invariant_init(&b->invariant);
    vec_clear(&b->probes);
    vec_clear(&b->claim_of);
    for (uint32_t i = 0; i < b->claims.len; i++) {
        const struct invariant *part = &b->claims.data[i].invariant;
        join_clauses(&b->invariant, &clauses, part);
        join_targets(b, s, &targets, i);
        if (i == 0 || part->k > b->invariant.k)
            b->invariant.k = part->k;
    }
    if (b->claims.len > 0 && !batch_overruns(b)) {
        join_clauses(&b->invariant, &clauses, &s->proofs.ground);
        vec_append(&b->invariant.targets, s->proofs.ground.targets.data,
                   s->proofs.ground.targets.len);
        if (s->proofs.ground.k > b->invariant.k)
            b->invariant.k = s->proofs.ground.k;
    }
    assert(b->probes.len == b->claim_of.len && b->probes.len <= b->invariant.targets.len);
    map_free(&clauses);
    map_free(&targets);
}

/* ---- for those who check, and for the database ---- */

static void add_goal(const struct goal *g, struct str *out) {
    str_addf(out, " *   %s:%d %s ", g->file, g->line, criteria[g->kind].name);
    for (const char *c = g->text; *c; c++)
        if (c[0] != '*' || c[1] != '/') /* nothing may end the comment */
            str_addc(out, *c);
    str_addf(out, "%s\n", criterion_says((int)g->kind, g->value));
}

void batch_describe(const struct batch *b, const struct session *s, struct str *out) {
    for (size_t i = 0; i < b->probes.len; i++) {
        const struct probe *p = &s->probes.data[b->probes.data[i]];
        for (size_t k = 0; k < p->goals.len; k++)
            add_goal(&s->woven.goals.list.data[p->goals.data[k]], out);
    }
}

struct audit_proof batch_question(const struct batch *b, struct session *s, const char *claims) {
    assert(b->invariant.k >= 1 && b->invariant.targets.len > 0);
    return (struct audit_proof){
        .claims = claims,
        .assumes = session_assumes(s, b->probes.data, b->probes.len),
        .woven = str_text(&s->woven.text),
        .module = &s->woven.module,
        .lowered = &s->model.lowered,
        .sys = session_system(s),
        .invariant = &b->invariant,
        .probes = b->probes.data,
        .n_probes = batch_overruns(b) ? 0 : b->probes.len,
        .by_cbmc = batch_by_cbmc(b),
        .cbmc = s->has_cbmc ? &s->cbmc : NULL,
        .memory_mb = s->project.memory_mb,
    };
}

void batch_certificate(const struct batch *b, struct session *s, struct str *out) {
    struct str claims = {0};
    batch_describe(b, s, &claims);
    struct audit_proof question = batch_question(b, s, str_text(&claims));
    audit_write_certificate(&question, out);
    str_free(&claims);
}

void batch_record(const struct str *certificate, const struct audit_result *result) {
    if (certificate->len > 0)
        task_record(RECORD_certificate, str_text(certificate), certificate->len);
    task_recordf(RECORD_status, "%s\t%s",
                 result->answer == AUDIT_CONFIRMED ? "confirmed"
                 : result->answer == AUDIT_REFUTED ? "refuted"
                                                   : "not confirmed",
                 str_text(&result->detail));
}

int64_t batch_store(const struct batch *b, struct session *s, const char *certificate,
                    struct err *err) {
    const struct system *sys = session_system(s);
    struct proof proof = {.engine = b->claims.data[0].engine, .k = b->invariant.k};
    struct str text = {0};
    struct arena arena = {0};
    invariant_write(&b->invariant, sys, &text);
    proof.invariant = str_text(&text);
    proof.certificate = *certificate ? certificate : NULL;
    for (size_t i = 0; i < b->invariant.clauses.len; i++) {
        struct str clause = {0};
        clause_print(&b->invariant.clauses.data[i], sys, &clause);
        vec_push(&proof.clauses, arena_strdup(&arena, str_text(&clause)));
        str_free(&clause);
    }
    int64_t id = store_proof(s->db, &proof, err);
    proof_free(&proof);
    str_free(&text);
    arena_free(&arena);
    return id;
}

bool batch_alarm(const struct batch *b, struct session *s, const char *certificate,
                 const char *detail, struct err *err) {
    struct str text = {0};
    str_addf(&text, "the check of a proof failed: %s", detail);
    int64_t proof = batch_store(b, s, certificate, err);
    bool ok = proof > 0;
    for (size_t i = 0; ok && i < b->probes.len; i++)
        ok = session_alarm(s, b->probes.data[i], str_text(&text), 0, proof, err);
    str_free(&text);
    log_error(s->log, "a proof by %s failed its check: %s", b->claims.data[0].engine, detail);
    return ok;
}
