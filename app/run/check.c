/* The check of a proof, in a child: the certificate is written, CBMC asked, else the solver. Only
 * what is confirmed becomes a verdict; what is refuted is an alarm. */
#include "app/audit.h"
#include "app/run/attempt.h"
#include "app/run/evidence.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum {
    CBMC_SECONDS = 120,
    TOGETHER_SECONDS = 40, /* for CBMC on several claims at once; each alone gets CBMC_SECONDS */
    SOLVER_SECONDS = 60,
    TARGETS_TOGETHER = 16, /* in one certificate */
    CLAUSES_TOGETHER = 60,
};

struct check {
    struct claims claims;       /* what is checked */
    struct invariant invariant; /* all of them as one */
    VEC(uint32_t) claim_of;     /* by probe of the task: which claim it comes from */
    struct str certificate;
    enum audit_answer answer;
    char checked_by[16];
};

static void check_free(void *payload) {
    struct check *k = payload;
    for (size_t i = 0; i < k->claims.len; i++)
        invariant_free(&k->claims.data[i].invariant);
    vec_free(&k->claims);
    vec_free(&k->claim_of);
    invariant_free(&k->invariant);
    str_free(&k->certificate);
    mem_free(k);
}

/* ---- in the child ---- */

/* The goals in the words of the user, a line each, for the head of the certificate. */
static void add_goal(const struct goal *g, struct str *out) {
    str_addf(out, " *   %s:%d %s ", g->file, g->line, criteria[g->kind].name);
    for (const char *c = g->text; *c; c++)
        if (c[0] != '*' || c[1] != '/') /* nothing may end the comment */
            str_addc(out, *c);
    str_add(out, g->value < 0 ? "\n" : g->value ? " is true\n" : " is false\n");
}

static void add_claims(const struct task *t, struct str *out) {
    for (size_t i = 0; i < t->probes.len; i++) {
        const struct probe *p = &t->session->probes.data[t->probes.data[i]];
        for (size_t k = 0; k < p->goals.len; k++)
            add_goal(&t->session->woven.goals.list.data[p->goals.data[k]], out);
    }
}

static bool by_cbmc(const struct claim *claim) {
    return str_starts(claim->engine, "cbmc");
}

static bool about_overruns(const struct check *k) {
    assert(k->claims.len > 0);
    return k->claims.data[0].overrun;
}

static int check_work(struct task *t) {
    struct check *k = t->payload;
    struct session *s = t->session;
    struct str claims = {0};
    add_claims(t, &claims);
    struct audit_proof proof = {
        .claims = str_text(&claims),
        .assumes = session_assumes(s, t->probes.data, t->probes.len),
        .woven = str_text(&s->woven.text),
        .module = &s->woven.module,
        .lowered = &s->lowered,
        .sys = session_system(s),
        .invariant = &k->invariant,
        .probes = t->probes.data,
        .n_probes = about_overruns(k) ? 0 : t->probes.len,
        .by_cbmc = by_cbmc(&k->claims.data[0]),
        .cbmc = s->has_cbmc ? &s->cbmc : NULL,
        .cbmc_seconds = k->claims.len > 1 ? TOGETHER_SECONDS : CBMC_SECONDS,
        .cbmc_only = k->claims.len > 1 && !about_overruns(k) && s->has_cbmc,
        .memory_mb = s->project.memory_mb,
    };
    struct audit_result result = {.answer = AUDIT_UNDECIDED};
    struct str text = {0};
    audit_check_proof(&proof, &text, &result);
    if (text.len > 0)
        task_record("certificate", str_text(&text), text.len);
    task_recordf("answer", "%d %s", (int)result.answer,
                 result.checked_by ? result.checked_by : "-");
    task_recordf("status", "%s\t%s",
                 result.answer == AUDIT_CONFIRMED ? "confirmed"
                 : result.answer == AUDIT_REFUTED ? "refuted"
                                                  : "not confirmed",
                 str_text(&result.detail));
    audit_result_free(&result);
    str_free(&claims);
    str_free(&text);
    return 0;
}

/* ---- in the parent ---- */

static bool check_take(struct task *t, const char *kind, const char *data, struct err *err) {
    struct check *k = t->payload;
    (void)err;
    if (strcmp(kind, "certificate") == 0) {
        str_clear(&k->certificate);
        str_add(&k->certificate, data);
    } else if (strcmp(kind, "answer") == 0) {
        const char *by = strchr(data, ' ');
        /* anything that is not an answer must not look like one */
        unsigned answer = (unsigned)(data[0] - '0');
        k->answer = answer <= AUDIT_UNDECIDED ? (enum audit_answer)answer : AUDIT_UNDECIDED;
        snprintf(k->checked_by, sizeof k->checked_by, "%s", by ? by + 1 : "-");
    }
    return true;
}

static int64_t store_check(struct task *t, struct err *err) {
    const struct check *k = t->payload;
    const struct system *sys = session_system(t->session);
    struct proof proof = {.engine = t->engine, .k = k->invariant.k};
    struct str text = {0};
    struct arena arena = {0};
    invariant_write(&k->invariant, sys, &text);
    proof.invariant = str_text(&text);
    proof.certificate = k->certificate.len ? str_text(&k->certificate) : NULL;
    for (size_t i = 0; i < k->invariant.clauses.len; i++) {
        struct str clause = {0};
        clause_print(&k->invariant.clauses.data[i], sys, &clause);
        vec_push(&proof.clauses, arena_strdup(&arena, str_text(&clause)));
        str_free(&clause);
    }
    int64_t id = store_proof(t->session->db, &proof, err);
    proof_free(&proof);
    str_free(&text);
    arena_free(&arena);
    return id;
}

static void share_clauses(struct task *t) {
    const struct check *k = t->payload;
    for (size_t i = 0; i < k->invariant.clauses.len; i++)
        invariant_add(&t->session->lemmas, k->invariant.clauses.data[i].data,
                      k->invariant.clauses.data[i].len);
}

static bool confirmed(struct task *t, struct err *err) {
    const struct check *k = t->payload;
    struct session *s = t->session;
    assert(session_overruns_dead(s));
    int64_t proof = store_check(t, err);
    const char *assumes = session_assumes(s, t->probes.data, t->probes.len);
    bool ok = proof > 0;
    for (size_t i = 0; ok && i < t->probes.len; i++) {
        uint32_t p = t->probes.data[i];
        const struct claim *claim = &k->claims.data[k->claim_of.data[i]];
        struct finding f = {.engine = claim->engine,
                            .checked_by = arena_strdup(&s->arena, k->checked_by),
                            .assumes = assumes,
                            .evidence = proof,
                            .depth = k->invariant.k,
                            .ticks = claim->ticks,
                            .seconds = claim->seconds,
                            .slice_hash = session_slice_hash(s, p)};
        ok = session_dead(s, p, &f, err);
        if (s->has_native)
            simulate_know(s->simulation, p);
    }
    share_clauses(t);
    return ok;
}

static bool refuted(struct task *t, struct err *err) {
    int64_t proof = store_check(t, err);
    for (size_t i = 0; proof && i < t->probes.len; i++)
        if (!session_alarm(t->session, t->probes.data[i], "the check of a proof failed", 0, proof,
                           err))
            return false;
    log_error(t->session->log, "a proof by %s failed its check: %s", t->engine,
              str_text(&t->detail));
    return proof > 0;
}

/* Several together did not succeed: each gets its own check. */
static void check_apart(struct task *t) {
    struct check *k = t->payload;
    for (size_t i = 0; i < k->claims.len; i++) {
        struct claim claim = k->claims.data[i];
        claim.alone = true;
        vec_push(&t->session->claims, claim);
    }
    vec_clear(&k->claims);
}

static bool overruns_confirmed(struct task *t, struct err *err) {
    const struct check *k = t->payload;
    t->successes += (uint32_t)t->probes.len;
    share_clauses(t);
    return session_overruns_proved(t->session, &k->invariant, err);
}

static bool check_done(struct task *t, struct err *err) {
    const struct check *k = t->payload;
    if (k->answer == AUDIT_CONFIRMED)
        return about_overruns(k) ? overruns_confirmed(t, err) : confirmed(t, err);
    if (k->claims.len > 1) {
        check_apart(t);
        return true;
    }
    if (k->answer == AUDIT_REFUTED)
        return refuted(t, err);
    for (size_t i = 0; i < t->probes.len; i++)
        probe_tried(&t->session->probes.data[t->probes.data[i]], t->engine,
                    "proof not confirmed in time");
    return true;
}

static const struct task_type check_type = {"check", check_work, check_take, check_done};

/* ---- gathering ---- */

static bool same_bound(struct bound a, struct bound b) {
    return a.cell == b.cell && a.kind == b.kind && a.ordinal == b.ordinal;
}

static bool same_clause(const struct clause *a, const struct clause *b) {
    bool same = a->len == b->len;
    for (size_t i = 0; same && i < a->len; i++)
        same = same_bound(a->data[i], b->data[i]);
    return same;
}

static bool has_clause(const struct invariant *inv, const struct clause *c) {
    for (size_t i = 0; i < inv->clauses.len; i++)
        if (same_clause(&inv->clauses.data[i], c))
            return true;
    return false;
}

static bool has_probe(const struct task *t, uint32_t probe) {
    for (size_t i = 0; i < t->probes.len; i++)
        if (t->probes.data[i] == probe)
            return true;
    return false;
}

static void add_probe(struct task *t, uint32_t probe, uint32_t claim) {
    struct check *k = t->payload;
    if (has_probe(t, probe))
        return;
    vec_push(&t->probes, probe);
    vec_push(&k->claim_of, claim);
    vec_push(&k->invariant.targets, t->session->probes.data[probe].target);
}

/* What a claim implies: goals that cannot be hit without a goal that is dead. */
static void add_implied(struct task *t) {
    const struct session *s = t->session;
    const struct goals *goals = &s->woven.goals;
    const struct check *k = t->payload;
    VEC(uint32_t) claim_of = {0}; /* + 1 */
    vec_resize_zero(&claim_of, s->probes.len);
    for (size_t i = 0; i < t->probes.len; i++)
        claim_of.data[t->probes.data[i]] = k->claim_of.data[i] + 1;
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < goals->implications.len; i++) {
            uint32_t a = goals->list.data[goals->implications.data[i].a].probe;
            uint32_t b = goals->list.data[goals->implications.data[i].b].probe;
            if (!claim_of.data[b] || claim_of.data[a] || !session_is_open(s, a) ||
                s->probes.data[a].target == NONE)
                continue;
            claim_of.data[a] = claim_of.data[b];
            add_probe(t, a, claim_of.data[b] - 1);
            more = true;
        }
    }
    vec_free(&claim_of);
}

static bool still_open(const struct session *s, const struct claim *c) {
    for (size_t i = 0; i < c->invariant.targets.len; i++)
        if (session_is_open(s, s->target_probe.data[c->invariant.targets.data[i]]))
            return true;
    return false;
}

static bool fits(const struct check *k, const struct claim *c) {
    return k->claims.len == 0 ||
           (k->claims.data[0].overrun == c->overrun && by_cbmc(&k->claims.data[0]) == by_cbmc(c) &&
            !c->alone && !k->claims.data[0].alone && k->invariant.k == c->invariant.k &&
            k->invariant.targets.len < TARGETS_TOGETHER &&
            k->invariant.clauses.len + c->invariant.clauses.len <= CLAUSES_TOGETHER);
}

static void add_claim(struct task *t, const struct claim *c) {
    struct check *k = t->payload;
    uint32_t index = (uint32_t)k->claims.len;
    vec_push(&k->claims, *c);
    k->invariant.k = c->invariant.k;
    for (size_t i = 0; i < c->invariant.clauses.len; i++)
        if (!has_clause(&k->invariant, &c->invariant.clauses.data[i]))
            invariant_add(&k->invariant, c->invariant.clauses.data[i].data,
                          c->invariant.clauses.data[i].len);
    for (size_t i = 0; i < c->invariant.targets.len; i++) {
        uint32_t probe = t->session->target_probe.data[c->invariant.targets.data[i]];
        if (session_is_open(t->session, probe))
            add_probe(t, probe, index);
    }
}

/* Takes the first claim and all later ones that go with it out of the queue. */
static void gather(struct task *t) {
    struct session *s = t->session;
    struct check *k = t->payload;
    size_t kept = 0;
    for (size_t i = 0; i < s->claims.len; i++) {
        struct claim c = s->claims.data[i];
        if (!still_open(s, &c))
            invariant_free(&c.invariant);
        else if (fits(k, &c))
            add_claim(t, &c);
        else
            s->claims.data[kept++] = c;
    }
    s->claims.len = kept;
}

/* Proofs stand alone: what excludes the overruns is part of each. */
static void add_ground(struct task *t) {
    struct check *k = t->payload;
    const struct invariant *ground = &t->session->ground;
    for (size_t i = 0; i < ground->clauses.len; i++)
        if (!has_clause(&k->invariant, &ground->clauses.data[i]))
            invariant_add(&k->invariant, ground->clauses.data[i].data, ground->clauses.data[i].len);
    vec_append(&k->invariant.targets, ground->targets.data, ground->targets.len);
    if (ground->k > k->invariant.k)
        k->invariant.k = ground->k;
}

struct task *attempt_check(struct session *s) {
    if (s->claims.len == 0)
        return NULL;
    struct task *t = task_new(&check_type, s);
    struct check *k = t->payload = mem_zalloc(1, sizeof *k);
    t->free_payload = check_free;
    invariant_init(&k->invariant);
    k->answer = AUDIT_UNDECIDED;
    gather(t);
    if (k->claims.len == 0) {
        task_free(t);
        return NULL;
    }
    t->engine = k->claims.data[0].engine;
    if (!about_overruns(k)) {
        add_implied(t);
        add_ground(t);
    }
    t->seconds = CBMC_SECONDS + SOLVER_SECONDS + 30;
    return t;
}
