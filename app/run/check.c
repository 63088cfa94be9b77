/* The check of proofs by a fresh solver, in a child, before anything else: it is quick, and what it
 * confirms is a verdict at once. Z3 is asked about the same, for a second opinion. Each proof is
 * checked on the part of the model that it speaks of, so that one that takes long holds up no
 * other. What the solver does not decide is tried once with the lemmas about the same cells, and
 * then as it was: alone, by CBMC and then by the solver with all its patience. Only what is
 * confirmed becomes a verdict; what is refuted is an alarm. CBMC looks at what the solver has
 * confirmed when there is time for it (confirm.c). */
#include "app/run/attempt/attempt.h"
#include "app/run/resume.h"
#include "app/run/budget.h"
#include "app/run/basis.h"
#include "app/run/verdict.h"
#include "app/run/batch.h"
#include "app/run/evidence.h"
#include "app/run/policy.h"
#include "base/mem.h"
#include "db/checkers.h"
#include "engines/invariant/enrich.h"

#include <stdlib.h>
#include <string.h>

enum {
    QUICK_TICKS = 3000000,
    Z3_BESIDE_CBMC = 150000, /* a twentieth of a second; CBMC will be asked, too */
    SOLVER_SECONDS = 60,     /* of a patient check; the quick ones of a batch share as much */
    MOST_TRIES = 3,
    MOST_LEMMAS = 300, /* that a proof is checked with beside its own clauses */
    UNANSWERED = AUDIT_UNDECIDED + 1,
};

struct check {
    struct batch batch;
    VEC(uint32_t) own;      /* by claim: its own targets, before those that follow */
    VEC(unsigned) answers;  /* by claim: enum audit_answer, or UNANSWERED */
    VEC(bool) by_z3;        /* by claim: Z3 has confirmed it, too */
    VEC(uint32_t) claim_of; /* by probe of the task */
    struct str certificate;
    bool patient; /* one claim, that the quick check did not decide */
    double cbmc_seconds;
    char checked_by[16];
};

static void check_free(void *payload) {
    struct check *k = payload;
    batch_free(&k->batch);
    vec_free(&k->own);
    vec_free(&k->answers);
    vec_free(&k->by_z3);
    vec_free(&k->claim_of);
    str_free(&k->certificate);
    mem_free(k);
}

/* Claims without that answer leave the batch. */
static void keep_confirmed(struct check *k, const struct session *s) {
    size_t kept = 0;
    for (size_t i = 0; i < k->batch.claims.len; i++)
        if (k->answers.data[i] == AUDIT_CONFIRMED) {
            k->by_z3.data[kept] = k->by_z3.data[i];
            k->batch.claims.data[kept++] = k->batch.claims.data[i];
        } else
            invariant_free(&k->batch.claims.data[i].invariant);
    k->batch.claims.len = kept;
    batch_join(&k->batch, s);
}

/* ---- in the child ---- */

/* What refutes a proof with lemmas may be about these: it is asked again without them. */
static enum audit_answer solver_says(const struct claim *claim, const struct system *sys,
                                     struct str *what) {
    enum audit_answer answer = audit_by_solver(sys, &claim->invariant, QUICK_TICKS, what);
    return answer == AUDIT_REFUTED && claim->lemmas > 0 ? AUDIT_UNDECIDED : answer;
}

/* Without the goals that follow when it is these that are not confirmed. */
static enum audit_answer check_quickly(struct check *k, size_t i, const struct system *sys) {
    const struct claim *claim = &k->batch.claims.data[i];
    struct invariant *inv = &k->batch.claims.data[i].invariant;
    struct str what = {0};
    enum audit_answer answer = solver_says(claim, sys, &what);
    if (answer != AUDIT_CONFIRMED && inv->targets.len > k->own.data[i]) {
        str_clear(&what);
        inv->targets.len = k->own.data[i];
        answer = solver_says(claim, sys, &what);
    }
    task_recordf(RECORD_answer, "%zu %u %zu", i, (unsigned)answer, inv->targets.len);
    if (answer != AUDIT_CONFIRMED)
        task_recordf(RECORD_detail, "the solver %s the %s",
                     answer == AUDIT_REFUTED ? "refutes" : "does not decide in time",
                     str_text(&what));
    str_free(&what);
    return answer;
}

/* A second opinion on what the solver has confirmed. They share no code: that they disagree is
 * an alarm, whoever is right. */
static void ask_z3(struct check *k, size_t i, const struct session *s) {
    const struct invariant *inv = &k->batch.claims.data[i].invariant;
    unsigned effort = s->has_cbmc ? Z3_BESIDE_CBMC : AUDIT_Z3_ALONE;
    struct str what = {0};
    bool floats;
    enum audit_answer answer = audit_by_z3(session_system(s), inv, effort, &floats, &what);
    if (answer == AUDIT_CONFIRMED)
        task_recordf(RECORD_second, "%zu", i);
    if (answer == AUDIT_REFUTED) {
        task_recordf(RECORD_detail, "the solver confirms it, Z3 refutes the %s", str_text(&what));
        task_recordf(RECORD_answer, "%zu %u %zu", i, (unsigned)AUDIT_REFUTED, inv->targets.len);
    }
    str_free(&what);
}

/* All by the solver before any by Z3: should that crash, nothing else is lost. */
static void work_quickly(struct check *k, const struct session *s) {
    size_t confirmed = 0, n = k->batch.claims.len;
    VEC(uint32_t) second = {0};
    for (size_t i = 0; i < n; i++)
        if (check_quickly(k, i, session_system(s)) == AUDIT_CONFIRMED)
            vec_push(&second, (uint32_t)i);
    confirmed = second.len;
    for (size_t i = 0; i < second.len; i++)
        ask_z3(k, second.data[i], s);
    vec_free(&second);
    task_recordf(RECORD_status, "%s", confirmed == n ? "confirmed" : "not confirmed");
}

/* A deterministic run lets the clock of CBMC decide as little as possible. */
static void ask_patiently(const struct check *k, struct session *s, struct audit_proof *question,
                          struct str *text, struct audit_result *result) {
    if (!s->options->deterministic || batch_overruns(&k->batch)) {
        audit_check_proof(question, text, result);
        return;
    }
    result->answer = audit_by_solver(question->sys, question->invariant, 0, &result->detail);
    result->checked_by = "solver";
    if (result->answer == AUDIT_UNDECIDED && question->cbmc && !audit_has_choice(question))
        audit_check_by_cbmc(question, text, result);
    else
        audit_write_certificate(question, text);
}

static void work_patiently(struct check *k, struct session *s) {
    struct str claims = {0}, text = {0};
    struct audit_result result = {.answer = AUDIT_UNDECIDED};
    batch_describe(&k->batch, s, &claims);
    struct audit_proof question = batch_question(&k->batch, s, str_text(&claims));
    question.cbmc_seconds = k->cbmc_seconds;
    ask_patiently(k, s, &question, &text, &result);
    batch_record(&text, &result);
    if (result.checked_by)
        task_recordf(RECORD_by, "%s", result.checked_by);
    task_recordf(RECORD_answer, "0 %u %zu", (unsigned)result.answer,
                 k->batch.claims.data[0].invariant.targets.len);
    audit_result_free(&result);
    str_free(&claims);
    str_free(&text);
}

static int check_work(struct task *t) {
    struct check *k = t->payload;
    if (k->patient)
        work_patiently(k, t->session);
    else
        work_quickly(k, t->session);
    return 0;
}

/* ---- in the parent ---- */

/* Anything that is not an answer must not look like one. */
static void take_answer(struct check *k, const char *data) {
    unsigned claim, answer, targets;
    if (sscanf(data, "%u %u %u", &claim, &answer, &targets) != 3 || claim >= k->answers.len ||
        answer > AUDIT_UNDECIDED || targets < k->own.data[claim] ||
        targets > k->batch.claims.data[claim].invariant.targets.len)
        return;
    k->batch.claims.data[claim].invariant.targets.len = targets;
    k->answers.data[claim] = answer;
}

static void take_z3(struct check *k, const char *data) {
    unsigned claim;
    if (sscanf(data, "%u", &claim) == 1 && claim < k->by_z3.len)
        k->by_z3.data[claim] = true;
}

static bool check_take(struct task *t, enum record_kind kind, const char *data, struct err *err) {
    struct check *k = t->payload;
    (void)err;
    if (kind == RECORD_certificate) {
        str_clear(&k->certificate);
        str_add(&k->certificate, data);
    } else if (kind == RECORD_answer) {
        take_answer(k, data);
    } else if (kind == RECORD_second) {
        take_z3(k, data);
    } else if (kind == RECORD_by) {
        snprintf(k->checked_by, sizeof k->checked_by, "%s", data);
    } else if (kind == RECORD_detail) {
        str_addf(&t->detail, "%s%s", t->detail.len ? "; " : "", data);
    }
    return true;
}

static void check_amend(const struct task *t, size_t i, struct attempt *a) {
    const struct check *k = t->payload;
    uint32_t claim = k->claim_of.data[i];
    a->engine = k->batch.claims.data[claim].engine;
    if (k->answers.data[claim] == AUDIT_CONFIRMED)
        a->outcome = "confirmed";
}

static void share_clauses(struct session *s, const struct invariant *inv) {
    for (size_t i = 0; i < inv->clauses.len; i++)
        invariant_add(&s->proofs.lemmas, inv->clauses.data[i].data, inv->clauses.data[i].len);
}

/* CBMC will be asked as well, unless it has been, or has found the proof itself. */
static void leave_to_cbmc(struct check *k, struct session *s) {
    bool writable = k->certificate.len > 0 || s->woven.module.task;
    if (!s->has_cbmc || batch_by_cbmc(&k->batch) || str_same(k->checked_by, "cbmc") || !writable)
        return;
    for (size_t i = 0; i < k->batch.claims.len; i++) {
        struct claim claim = k->batch.claims.data[i];
        claim.tries = claim.together = 0;
        vec_push(&s->proofs.unconfirmed, claim);
    }
    vec_clear(&k->batch.claims);
}

static void leave_to_others(struct check *k, struct session *s) {
    attempt_bitwuzla_later(s, &k->batch.claims);
    leave_to_cbmc(k, s);
}

static bool confirmed(struct check *k, struct session *s, struct err *err) {
    const struct batch *b = &k->batch;
    assert(session_overruns_dead(s) && b->claims.len > 0);
    if (k->certificate.len == 0) /* what the solver alone has confirmed has none yet */
        batch_certificate(b, s, &k->certificate);
    int64_t proof = batch_store(b, s, str_text(&k->certificate), err);
    bool ok = proof > 0;
    for (size_t i = 0; ok && i < b->probes.len; i++) {
        uint32_t p = b->probes.data[i];
        const struct claim *claim = &b->claims.data[b->claim_of.data[i]];
        struct finding f = {.engine = claim->engine,
                            .checked_by =
                                checkers_add(&s->arena, k->checked_by,
                                             k->by_z3.data[b->claim_of.data[i]] ? "z3" : NULL),
                            .assumes = session_assumes(s, &p, 1),
                            .evidence = proof,
                            .depth = b->invariant.k,
                            .ticks = claim->ticks,
                            .seconds = claim->seconds,
                            .slice_hash = session_slice_hash(s, p)};
        ok = session_dead(s, p, &f, err);
        if (s->has_native)
            simulate_know(s->simulation, p);
    }
    share_clauses(s, &b->invariant);
    if (ok)
        leave_to_others(k, s);
    return ok;
}

static bool overruns_confirmed(struct task *t, struct check *k, struct err *err) {
    t->successes += (uint32_t)k->batch.probes.len;
    share_clauses(t->session, &k->batch.invariant);
    return resume_released(t->session, &k->batch.invariant, err);
}

static bool refuted(struct task *t, size_t i, struct err *err) {
    struct check *k = t->payload;
    struct batch one;
    batch_init(&one);
    vec_push(&one.claims, k->batch.claims.data[i]);
    batch_join(&one, t->session);
    bool ok = batch_alarm(&one, t->session, str_text(&k->certificate), str_text(&t->detail), err);
    one.claims.len = 0; /* they belong to the whole */
    batch_free(&one);
    return ok;
}

/* With lemmas where there are new ones; then without them, which is no more than what was claimed.
 */
static bool with_lemmas(const struct session *s, struct claim *claim) {
    size_t known = s->proofs.lemmas.clauses.len;
    bool had = claim->lemmas > 0;
    invariant_impoverish(&claim->invariant, claim->lemmas);
    claim->lemmas = 0;
    if (!had && known > claim->known) {
        claim->known = known;
        claim->lemmas =
            invariant_enrich(session_system(s), &claim->invariant, &s->proofs.lemmas, MOST_LEMMAS);
    }
    return claim->lemmas > 0;
}

/* Once more, alone and with more time, until that has been too often. A check that was stopped is
 * none. */
static void again(struct task *t, size_t i) {
    struct check *k = t->payload;
    struct session *s = t->session;
    struct claim *claim = &k->batch.claims.data[i];
    bool stopped = t->result.end == CHILD_STOPPED && k->answers.data[i] == UNANSWERED;
    claim->invariant.targets.len = k->own.data[i];
    claim->tries += !stopped && !with_lemmas(s, claim);
    if (claim->tries < MOST_TRIES) {
        vec_push(&s->proofs.waiting, *claim);
        invariant_init(&claim->invariant);
        return;
    }
    for (size_t j = 0; j < claim->invariant.targets.len; j++)
        probe_tried(&s->probes.data[s->model.target_probe.data[claim->invariant.targets.data[j]]],
                    claim->engine, "proof found, but confirmed neither by CBMC nor by the solver");
}

static bool check_done(struct task *t, struct err *err) {
    struct check *k = t->payload;
    bool ok = true, overruns = batch_overruns(&k->batch);
    for (size_t i = 0; ok && i < k->batch.claims.len; i++)
        if (k->answers.data[i] == AUDIT_REFUTED)
            ok = refuted(t, i, err);
        else if (k->answers.data[i] != AUDIT_CONFIRMED)
            again(t, i);
    keep_confirmed(k, t->session);
    if (!ok || k->batch.claims.len == 0)
        return ok;
    return overruns ? overruns_confirmed(t, k, err) : confirmed(k, t->session, err);
}

static const struct task_type check_type = {.name = "check",
                                            .work = check_work,
                                            .take = check_take,
                                            .done = check_done,
                                            .amend = check_amend};

/* ---- what is checked next ---- */

static void set_limits(struct task *t, struct check *k) {
    const struct session *s = t->session;
    unsigned tries = k->batch.claims.data[0].tries;
    k->patient = tries > 0 && k->batch.claims.data[0].lemmas == 0;
    k->cbmc_seconds = policy_confirm_seconds(tries, session_left(s) / 2);
    t->seconds = SOLVER_SECONDS + (k->patient ? k->cbmc_seconds : 0);
    if (s->options->deterministic) /* the clock is no part of the answer */
        t->seconds *= 10;
}

struct task *attempt_check(struct session *s) {
    static const struct batch_limits limits = {.targets = 16, .clauses = 60};
    struct batch batch;
    batch_init(&batch);
    batch_take(&batch, s, &s->proofs.waiting, &limits, session_may_decide);
    if (batch.claims.len == 0) {
        batch_free(&batch);
        return NULL;
    }
    struct task *t = task_new(&check_type, s);
    struct check *k = t->payload = mem_zalloc(1, sizeof *k);
    t->free_payload = check_free;
    t->engine = batch.claims.data[0].engine;
    snprintf(k->checked_by, sizeof k->checked_by, "solver");
    for (size_t i = 0; i < batch.claims.len; i++) {
        vec_push(&k->own, (uint32_t)batch.claims.data[i].invariant.targets.len);
        vec_push(&k->answers, UNANSWERED);
        vec_push(&k->by_z3, false);
    }
    if (!batch_overruns(&batch))
        batch_add_implied(&batch, s);
    batch_join(&batch, s);
    k->batch = batch;
    vec_append(&t->probes, batch.probes.data, batch.probes.len);
    vec_append(&k->claim_of, batch.claim_of.data, batch.claim_of.len);
    set_limits(t, k);
    return t;
}
