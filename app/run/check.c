/* The check of a proof, in a child: the certificate is written, CBMC asked, else the solver. Only
 * what is confirmed becomes a verdict; what is refuted is an alarm. */
#include "app/audit.h"
#include "app/run/attempt.h"
#include "app/run/evidence.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { CBMC_SECONDS = 120, SOLVER_SECONDS = 60 };

struct check {
    struct invariant invariant;
    uint64_t engine_ticks;
    double engine_seconds;
    struct str certificate;
    enum audit_answer answer;
    char checked_by[16];
};

static void check_free(void *payload) {
    struct check *k = payload;
    invariant_free(&k->invariant);
    str_free(&k->certificate);
    mem_free(k);
}

/* ---- in the child ---- */

static int check_work(struct task *t) {
    struct check *k = t->payload;
    const struct session *s = t->session;
    struct audit_proof proof = {
        .woven = str_text(&s->woven.text),
        .module = &s->woven.module,
        .lowered = &s->lowered,
        .sys = session_system(s),
        .invariant = &k->invariant,
        .probes = t->probes.data,
        .n_probes = t->probes.len,
        .cbmc_seconds = CBMC_SECONDS,
        .memory_mb = s->project.memory_mb,
    };
    struct audit_result result = {.answer = AUDIT_UNDECIDED};
    struct str text = {0};
    struct err err = {0};
    if (audit_certificate(&proof, &text, &err))
        task_record("certificate", str_text(&text), text.len);
    else
        str_addf(&result.detail, "no certificate: %s; ", str_text(&err.message));
    audit_check_proof(&proof, text.len ? str_text(&text) : NULL, &result);
    task_recordf("answer", "%d %s", (int)result.answer,
                 result.checked_by ? result.checked_by : "-");
    task_recordf("status", "%s\t%s",
                 result.answer == AUDIT_CONFIRMED ? "confirmed"
                 : result.answer == AUDIT_REFUTED ? "refuted"
                                                  : "not confirmed",
                 str_text(&result.detail));
    audit_result_free(&result);
    str_free(&text);
    err_clear(&err);
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
    int64_t proof = store_check(t, err);
    const char *assumes = session_assumes(s, t->probes.data, t->probes.len);
    bool ok = proof > 0;
    for (size_t i = 0; ok && i < t->probes.len; i++) {
        uint32_t p = t->probes.data[i];
        struct finding f = {.engine = t->engine,
                            .checked_by = arena_strdup(&s->arena, k->checked_by),
                            .assumes = assumes,
                            .evidence = proof,
                            .depth = k->invariant.k,
                            .ticks = k->engine_ticks,
                            .seconds = k->engine_seconds,
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

static bool check_done(struct task *t, struct err *err) {
    const struct check *k = t->payload;
    if (k->answer == AUDIT_CONFIRMED)
        return confirmed(t, err);
    if (k->answer == AUDIT_REFUTED)
        return refuted(t, err);
    for (size_t i = 0; i < t->probes.len; i++)
        probe_tried(&t->session->probes.data[t->probes.data[i]], t->engine,
                    "proof not confirmed in time");
    return true;
}

static const struct task_type check_type = {"check", check_work, check_take, check_done};

/* What the claim implies: goals that cannot be hit without a goal that is dead. */
static void add_implied(struct session *s, struct task *t, struct invariant *inv) {
    VEC(bool) in = {0};
    vec_resize_zero(&in, s->probes.len);
    for (size_t i = 0; i < t->probes.len; i++)
        in.data[t->probes.data[i]] = true;
    const struct goals *goals = &s->woven.goals;
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < goals->implications.len; i++) {
            uint32_t a = goals->list.data[goals->implications.data[i].a].probe;
            uint32_t b = goals->list.data[goals->implications.data[i].b].probe;
            if (!in.data[b] || in.data[a] || !session_is_open(s, a) ||
                s->probes.data[a].target == NONE)
                continue;
            in.data[a] = more = true;
            vec_push(&t->probes, a);
            vec_push(&inv->targets, s->probes.data[a].target);
        }
    }
    vec_free(&in);
}

struct task *attempt_check(struct session *s, const char *engine, struct invariant *invariant,
                           uint64_t ticks, double seconds) {
    struct task *t = task_new(&check_type, s);
    struct check *k = t->payload = mem_zalloc(1, sizeof *k);
    t->free_payload = check_free;
    t->engine = engine;
    for (size_t i = 0; i < invariant->targets.len; i++)
        vec_push(&t->probes, s->target_probe.data[invariant->targets.data[i]]);
    add_implied(s, t, invariant);
    k->invariant = *invariant;
    k->answer = AUDIT_UNDECIDED;
    k->engine_ticks = ticks;
    k->engine_seconds = seconds;
    t->seconds = CBMC_SECONDS + SOLVER_SECONDS + 30;
    return t;
}
