/* The second look at proofs that a fresh solver has confirmed: by CBMC, on the C program. It
 * changes no verdict, only who stands behind it; a refutation is an alarm.
 *
 * Many proofs go into one certificate, for they resemble each other and CBMC's start is the larger
 * part of its time. When it does not come to its end in time, each half gets a certificate of its
 * own, down to single proofs, and these get more time, until that has been tried often enough. When
 * it refutes one, that is found the same way, down to the goals, so that only what it refutes alone
 * becomes an alarm and goes. Of a small module CBMC is shown the reasons first, whose proofs are
 * smaller (app/because/core.h), and here only what these leave. What CBMC leaves open for the first
 * time Z3 is asked about, with more patience than before (check.c).
 */
#include "app/run/attempt/attempt.h"
#include "app/run/budget.h"
#include "app/run/batch.h"
#include "app/run/policy.h"
#include "app/run/verdict.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* What goes together. In a large module CBMC needs most of its time for the program: of 8,000 lines
 * one step and a hundred goals take it little longer than one step and one goal. */
enum {
    TARGETS = 16,
    CLAUSES = 60,
    LARGE = 400, /* probes */
    LARGE_TARGETS = 400,
    LARGE_CLAUSES = 1500, /* many of them the same */
    Z3_EFFORT = 3000000,  /* about a second */
    Z3_SECONDS = 20,      /* at most, on a busy machine */
};

struct confirm {
    struct batch batch;
    struct str certificate;
    enum audit_answer answer;
    enum audit_answer by_z3;
    double cpu_seconds;
};

static void confirm_free(void *payload) {
    struct confirm *k = payload;
    batch_free(&k->batch);
    str_free(&k->certificate);
    mem_free(k);
}

/* ---- in the child ---- */

static void ask_z3(const struct confirm *k, const struct session *s) {
    struct str what = {0};
    bool floats;
    enum audit_answer said =
        audit_by_z3(session_system(s), &k->batch.invariant, Z3_EFFORT, &floats, &what);
    if (said == AUDIT_REFUTED)
        task_recordf(RECORD_detail, "the solver confirms it, Z3 refutes the %s", str_text(&what));
    task_recordf(RECORD_second, "%u", (unsigned)said);
    str_free(&what);
}

static int confirm_work(struct task *t) {
    struct confirm *k = t->payload;
    struct session *s = t->session;
    struct str claims = {0}, text = {0};
    struct audit_result result = {.answer = AUDIT_UNDECIDED};
    batch_describe(&k->batch, s, &claims);
    struct audit_proof question = batch_question(&k->batch, s, str_text(&claims));
    question.cbmc_seconds = t->seconds - Z3_SECONDS;
    question.cbmc_cpu_seconds = k->cpu_seconds;
    audit_check_by_cbmc(&question, &text, &result);
    batch_record(&text, &result);
    task_recordf(RECORD_answer, "%u", (unsigned)result.answer);
    if (result.answer == AUDIT_UNDECIDED && k->batch.claims.len == 1 &&
        k->batch.claims.data[0].tries == 0)
        ask_z3(k, s);
    audit_result_free(&result);
    str_free(&claims);
    str_free(&text);
    return 0;
}

/* ---- in the parent ---- */

/* What is no answer must not look like one. */
static enum audit_answer answer_of(const char *data) {
    unsigned answer = (unsigned)(data[0] - '0');
    return answer <= AUDIT_UNDECIDED ? (enum audit_answer)answer : AUDIT_UNDECIDED;
}

static bool confirm_take(struct task *t, enum record_kind kind, const char *data, struct err *err) {
    struct confirm *k = t->payload;
    (void)err;
    if (kind == RECORD_certificate) {
        str_clear(&k->certificate);
        str_add(&k->certificate, data);
    } else if (kind == RECORD_answer) {
        k->answer = answer_of(data);
    } else if (kind == RECORD_second) {
        k->by_z3 = answer_of(data);
    } else if (kind == RECORD_detail) {
        str_addf(&t->detail, "%s%s", t->detail.len ? "; " : "", data);
    }
    return true;
}

static void confirm_amend(const struct task *t, size_t i, struct attempt *a) {
    const struct confirm *k = t->payload;
    a->engine = k->batch.claims.data[k->batch.claim_of.data[i]].engine;
}

/* A reason may have been confirmed before: it says more than the proof does. */
static bool wanted(const struct session *s, uint32_t probe) {
    const struct probe *p = &s->probes.data[probe];
    return p->status == STATUS_DEAD && !p->by_cbmc;
}

/* The goals get the name of who has checked their proof, and this one if there is any. */
static bool name_checker(const struct confirm *k, struct session *s, const char *who, int64_t proof,
                         struct err *err) {
    bool ok = true;
    for (size_t i = 0; ok && i < k->batch.probes.len; i++)
        ok = session_rechecked(s, k->batch.probes.data[i], who, proof, err);
    return ok;
}

static bool confirmed(struct confirm *k, struct session *s, struct err *err) {
    bool own, ok = store_enter(s->db, &own, err);
    int64_t proof = ok ? batch_store(&k->batch, s, str_text(&k->certificate), err) : 0;
    ok = proof > 0 && name_checker(k, s, "cbmc", proof, err);
    return store_leave(s->db, own, ok, err) && ok;
}

static void apart(struct confirm *k, struct session *s) {
    uint32_t half = (uint32_t)(k->batch.claims.len + 1) / 2;
    for (size_t i = 0; i < k->batch.claims.len; i++) {
        k->batch.claims.data[i].together = half;
        vec_push(&s->proofs.unconfirmed, k->batch.claims.data[i]);
    }
    vec_clear(&k->batch.claims);
}

/* Of one refuted proof for several goals the half that CBMC confirms stands: each half again. What
 * is k-inductive is so for all its goals together. */
static bool halved(struct confirm *k, struct session *s) {
    struct claim first = k->batch.claims.data[0], second = first;
    size_t n = first.invariant.targets.len, half = n / 2;
    if (n < 2 || first.invariant.k > 1)
        return false;
    invariant_init(&second.invariant);
    invariant_copy(&second.invariant, &first.invariant);
    vec_clear(&second.invariant.targets);
    vec_append(&second.invariant.targets, first.invariant.targets.data + half, n - half);
    vec_truncate(&first.invariant.targets, half);
    first.together = second.together = 1;
    vec_push(&s->proofs.unconfirmed, first);
    vec_push(&s->proofs.unconfirmed, second);
    vec_clear(&k->batch.claims);
    return true;
}

static void later(struct task *t) {
    struct confirm *k = t->payload;
    struct claim *claim = &k->batch.claims.data[0];
    claim->tries += t->result.end != CHILD_STOPPED;
    if (!policy_confirm_again(claim->tries) || t->session->woven.module.task)
        return;
    vec_push(&t->session->proofs.unconfirmed, *claim);
    vec_clear(&k->batch.claims);
}

static bool confirm_done(struct task *t, struct err *err) {
    struct confirm *k = t->payload;
    if (k->answer == AUDIT_CONFIRMED)
        return confirmed(k, t->session, err);
    if (k->batch.claims.len > 1) {
        apart(k, t->session);
        return true;
    }
    if (k->answer == AUDIT_REFUTED && halved(k, t->session))
        return true;
    if (k->answer == AUDIT_REFUTED || k->by_z3 == AUDIT_REFUTED)
        return batch_alarm(&k->batch, t->session, str_text(&k->certificate), str_text(&t->detail),
                           err);
    bool ok = k->by_z3 != AUDIT_CONFIRMED || name_checker(k, t->session, "z3", 0, err);
    later(t);
    return ok;
}

static const struct task_type confirm_type = {.name = "confirm",
                                              .work = confirm_work,
                                              .take = confirm_take,
                                              .done = confirm_done,
                                              .amend = confirm_amend};

static bool is_large(const struct session *s) {
    return s->woven.goals.n_probes > LARGE;
}

/* A proof by k-induction is checked on so many steps: the fewer goals with it. */
static struct batch_limits limits_for(const struct session *s) {
    uint32_t k = s->proofs.unconfirmed.len > 0 ? s->proofs.unconfirmed.data[0].invariant.k : 1;
    if (!is_large(s))
        return (struct batch_limits){.targets = TARGETS, .clauses = CLAUSES};
    assert(k >= 1);
    return (struct batch_limits){.targets = (LARGE_TARGETS + k - 1) / k, .clauses = LARGE_CLAUSES};
}

bool attempt_reasons_first(const struct session *s) {
    return s->proofs.confirming == CONFIRM_BESIDE && !is_large(s);
}

bool attempt_confirm_waits(const struct session *s) {
    size_t targets = 0;
    for (size_t i = 0; i < s->proofs.unconfirmed.len; i++)
        targets += s->proofs.unconfirmed.data[i].invariant.targets.len;
    return !is_large(s) || targets < LARGE_TARGETS;
}

/* The time that is left is shared by what waits; CBMC has its limit in CPU time, for the machine
 * may be busy. */
static void set_limits(const struct session *s, struct task *t, struct confirm *k) {
    const struct batch *b = &k->batch;
    double waiting = 1 + (double)s->proofs.unconfirmed.len / (double)b->claims.len;
    double share = session_left(s) * s->jobs / waiting;
    k->cpu_seconds = policy_confirm_cpu(b->claims.data[0].tries, s->woven.goals.n_probes);
    double least = policy_confirm_seconds(0, 0), most = POLICY_BUSY * k->cpu_seconds;
    t->seconds = Z3_SECONDS + (share < least ? least : share < most ? share : most);
}

/* Small ones first: of what is quick CBMC confirms the most in the time it has. */
static int by_size(const void *a, const void *b) {
    const struct claim *c = a, *d = b;
    const struct invariant *x = &c->invariant, *y = &d->invariant;
    if (c->tries != d->tries)
        return c->tries < d->tries ? -1 : 1;
    if (x->k != y->k)
        return x->k < y->k ? -1 : 1;
    return (x->clauses.len > y->clauses.len) - (x->clauses.len < y->clauses.len);
}

/* What is k-inductive is so for all its goals together; of other proofs those stay that are wanted.
 */
static void drop_confirmed(struct session *s) {
    for (size_t i = 0; i < s->proofs.unconfirmed.len; i++) {
        struct invariant *inv = &s->proofs.unconfirmed.data[i].invariant;
        size_t kept = 0;
        for (size_t t = 0; inv->k == 1 && t < inv->targets.len; t++)
            if (wanted(s, s->model.target_probe.data[inv->targets.data[t]]))
                inv->targets.data[kept++] = inv->targets.data[t];
        if (kept > 0)
            vec_truncate(&inv->targets, kept);
    }
}

struct task *attempt_confirm(struct session *s) {
    struct batch_limits limits = limits_for(s);
    struct batch batch;
    batch_init(&batch);
    drop_confirmed(s);
    if (s->proofs.unconfirmed.len > 1)
        qsort(s->proofs.unconfirmed.data, s->proofs.unconfirmed.len,
              sizeof *s->proofs.unconfirmed.data, by_size);
    if (s->has_cbmc && !s->model.keeps_loops) /* what holds in loops has no place in C */
        batch_take(&batch, s, &s->proofs.unconfirmed, &limits, wanted);
    if (batch.claims.len == 0) {
        batch_free(&batch);
        return NULL;
    }
    batch_join(&batch, s);
    struct task *t = task_new(&confirm_type, s);
    struct confirm *k = t->payload = mem_zalloc(1, sizeof *k);
    t->free_payload = confirm_free;
    t->engine = batch.claims.data[0].engine;
    t->keep = true;
    vec_append(&t->probes, batch.probes.data, batch.probes.len);
    k->batch = batch;
    k->answer = k->by_z3 = AUDIT_UNDECIDED;
    set_limits(s, t, k);
    return t;
}
