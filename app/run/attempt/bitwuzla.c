/* Another look at proofs that a fresh solver has confirmed: by Bitwuzla, where the user has it. As
 * with CBMC (confirm.c) it changes no verdict, only who stands behind it, and a refutation is an
 * alarm that says who had accepted the proof.
 *
 * Several proofs are asked about as one, since their invariants resemble each other; when that is
 * not confirmed, each alone. Each is asked about once in a run: what takes Bitwuzla longer than its
 * limit, mostly floating point, will not take it less later. */
#include "app/run/attempt/attempt.h"
#include "app/run/batch.h"
#include "app/run/budget.h"
#include "app/run/policy.h"
#include "app/run/verdict.h"
#include "base/mem.h"

#include <stdio.h>
#include <sys/resource.h>

enum {
    TARGETS = 32,
    CLAUSES = 120,
    CPU_SECONDS = 20,   /* of each question */
    ALONE_SECONDS = 40, /* of CPU time; then no further proof of the batch is asked about */
};

struct look {
    struct batch batch;
    VEC(unsigned) answers; /* by claim: enum audit_answer */
};

static void look_free(void *payload) {
    struct look *k = payload;
    batch_free(&k->batch);
    vec_free(&k->answers);
    mem_free(k);
}

/* ---- in the child ---- */

static enum audit_answer ask(const struct session *s, const struct invariant *inv, bool tell) {
    struct bitwuzla_limits limits = {.seconds = POLICY_BUSY * CPU_SECONDS,
                                     .cpu_seconds = CPU_SECONDS,
                                     .memory_mb = s->project.memory_mb};
    struct str what = {0};
    enum audit_answer said =
        audit_by_bitwuzla(&s->bitwuzla, session_system(s), inv, &limits, &what);
    if (tell && said != AUDIT_CONFIRMED)
        task_recordf(RECORD_detail, "%s%s", said == AUDIT_REFUTED ? "Bitwuzla refutes the " : "",
                     str_text(&what));
    str_free(&what);
    return said;
}

static int look_work(struct task *t) {
    const struct look *k = t->payload;
    const struct session *s = t->session;
    size_t n = k->batch.claims.len;
    enum audit_answer all = ask(s, &k->batch.invariant, n == 1), said = all;
    double end = clock_cpu(RUSAGE_CHILDREN) + ALONE_SECONDS;
    for (size_t i = 0; i < n && clock_cpu(RUSAGE_CHILDREN) < end; i++) {
        if (all != AUDIT_CONFIRMED && n > 1)
            said = ask(s, &k->batch.claims.data[i].invariant, true);
        task_recordf(RECORD_answer, "%zu %u", i, (unsigned)said);
    }
    task_recordf(RECORD_status, "%s", all == AUDIT_CONFIRMED ? "confirmed" : "not confirmed");
    return 0;
}

/* ---- in the parent ---- */

/* What is no answer must not look like one. */
static bool look_take(struct task *t, enum record_kind kind, const char *data, struct err *err) {
    struct look *k = t->payload;
    unsigned claim, answer;
    (void)err;
    if (kind == RECORD_detail)
        str_addf(&t->detail, "%s%s", t->detail.len ? "; " : "", data);
    else if (kind == RECORD_answer && sscanf(data, "%u %u", &claim, &answer) == 2 &&
             claim < k->answers.len && answer <= AUDIT_UNDECIDED)
        k->answers.data[claim] = answer;
    return true;
}

static void look_amend(const struct task *t, size_t i, struct attempt *a) {
    const struct look *k = t->payload;
    a->engine = k->batch.claims.data[k->batch.claim_of.data[i]].engine;
}

/* A claim as a batch of its own; the claim stays with the whole. */
static void alone(struct batch *one, const struct look *k, size_t claim, const struct session *s) {
    batch_init(one);
    vec_push(&one->claims, k->batch.claims.data[claim]);
    batch_join(one, s);
}

static void give_back(struct batch *one) {
    one->claims.len = 0;
    batch_free(one);
}

static bool confirmed(struct look *k, size_t claim, struct session *s, struct err *err) {
    bool ok = true;
    for (size_t i = 0; ok && i < k->batch.probes.len; i++)
        if (k->batch.claim_of.data[i] == claim)
            ok = session_rechecked(s, k->batch.probes.data[i], "bitwuzla", 0, err);
    return ok;
}

/* Of the first goal that has a verdict: some of the probe's may be none that can. */
static const char *accepted_by(const struct session *s, const struct probe *p,
                               struct arena *arena) {
    const char *set = NULL;
    for (size_t i = 0; !set && i < p->goals.len; i++)
        set = store_checked_by(s->db, p->goals.data[i], arena);
    return set ? set : "nobody";
}

/* Who is right is not known: all that was said is kept. Another proof of the same may have gone
 * before. */
static bool refuted(struct task *t, size_t claim, struct err *err) {
    struct session *s = t->session;
    struct batch one;
    struct str certificate = {0}, text = {0};
    struct arena arena = {0};
    alone(&one, t->payload, claim, s);
    const struct probe *p = &s->probes.data[one.probes.data[0]];
    bool ok = true;
    if (p->status == STATUS_DEAD) {
        str_addf(&text, "%s; accepted by %s", str_text(&t->detail), accepted_by(s, p, &arena));
        batch_certificate(&one, s, &certificate);
        ok = batch_alarm(&one, s, str_text(&certificate), str_text(&text), err);
    }
    give_back(&one);
    str_free(&certificate);
    str_free(&text);
    arena_free(&arena);
    return ok;
}

static void tell(struct task *t) {
    if (!t->session->bitwuzla_told)
        log_note(t->session->log, "Bitwuzla has no answer to a proof, which stands without it: %s",
                 t->detail.len ? str_text(&t->detail) : "it was stopped");
    t->session->bitwuzla_told = true;
}

static bool look_done(struct task *t, struct err *err) {
    struct look *k = t->payload;
    bool ok = true;
    assert(k->answers.len == k->batch.claims.len);
    for (size_t i = 0; ok && i < k->answers.len; i++)
        if (k->answers.data[i] == AUDIT_CONFIRMED)
            ok = confirmed(k, i, t->session, err);
        else if (k->answers.data[i] == AUDIT_REFUTED)
            ok = refuted(t, i, err);
        else
            tell(t);
    return ok;
}

static const struct task_type look_type = {.name = "bitwuzla",
                                           .work = look_work,
                                           .take = look_take,
                                           .done = look_done,
                                           .amend = look_amend};

/* ---- what is looked at next ---- */

static bool wanted(const struct session *s, uint32_t probe) {
    const struct probe *p = &s->probes.data[probe];
    return p->status == STATUS_DEAD && !p->by_bitwuzla;
}

void attempt_bitwuzla_later(struct session *s, const struct claims *claims) {
    for (size_t i = 0; s->has_bitwuzla && i < claims->len; i++) {
        struct claim copy = claims->data[i];
        copy.tries = copy.together = 0;
        invariant_init(&copy.invariant);
        invariant_copy(&copy.invariant, &claims->data[i].invariant);
        vec_push(&s->proofs.unasked, copy);
    }
}

struct task *attempt_bitwuzla(struct session *s) {
    static const struct batch_limits limits = {.targets = TARGETS, .clauses = CLAUSES};
    struct batch batch;
    batch_init(&batch);
    if (s->has_bitwuzla)
        batch_take(&batch, s, &s->proofs.unasked, &limits, wanted);
    if (batch.claims.len == 0) {
        batch_free(&batch);
        return NULL;
    }
    batch_join(&batch, s);
    struct task *t = task_new(&look_type, s);
    struct look *k = t->payload = mem_zalloc(1, sizeof *k);
    t->free_payload = look_free;
    t->engine = batch.claims.data[0].engine;
    t->keep = true;
    t->seconds = session_left(s);
    vec_append(&t->probes, batch.probes.data, batch.probes.len);
    for (size_t i = 0; i < batch.claims.len; i++)
        vec_push(&k->answers, AUDIT_UNDECIDED);
    k->batch = batch;
    return t;
}
