/* Proofs against the compiled program (app/audit/trial.h), when everything else is done: all dead
 * goals of the module together, for a small share of the time that the run has taken. What is found
 * is an alarm, as when CBMC refutes a proof. */
#include "app/run/attempt/attempt.h"
#include "app/run/budget.h"
#include "app/run/verdict.h"

#include "app/audit/trial.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIXED_STEPS = 1000, /* in a deterministic run, whatever time that takes */
    MOST_FAILURES = 8,
};

/* A proof, and the dead probes that rest on it. */
struct stored {
    int64_t row;
    const char *text;
    struct invariant inv;
    VEC(uint32_t) probes;
};

struct trial_job {
    VEC(struct stored) proofs;
    struct arena arena;
    double cpu_seconds;
    VEC(uint32_t) failed; /* of proofs */
};

static void job_free(void *payload) {
    struct trial_job *j = payload;
    for (size_t i = 0; i < j->proofs.len; i++) {
        invariant_free(&j->proofs.data[i].inv);
        vec_free(&j->proofs.data[i].probes);
    }
    vec_free(&j->proofs);
    vec_free(&j->failed);
    arena_free(&j->arena);
    mem_free(j);
}

/* ---- in the child ---- */

static bool has_failed(const struct trial_job *j, uint32_t proof) {
    for (size_t i = 0; i < j->failed.len; i++)
        if (j->failed.data[i] == proof)
            return true;
    return false;
}

/* The others, once more, when one has failed. */
static bool run_once(struct trial_job *j, struct trial *t, struct trial_result *r) {
    VEC(uint32_t) which = {0};
    struct err err = {0};
    vec_clear(&t->proofs);
    for (uint32_t i = 0; i < j->proofs.len; i++) {
        const struct stored *p = &j->proofs.data[i];
        if (has_failed(j, i))
            continue;
        vec_push(&t->proofs, (struct trial_proof){&p->inv, p->probes.data, p->probes.len});
        vec_push(&which, i);
    }
    bool ok = trial_run(t, r, &err);
    if (!ok)
        task_recordf(RECORD_detail, "%s", str_text(&err.message));
    if (ok && r->failed) {
        vec_push(&j->failed, which.data[r->proof]);
        task_recordf(RECORD_failed, "%u %s", which.data[r->proof], str_text(&r->what));
    }
    err_clear(&err);
    vec_free(&which);
    return ok && r->failed;
}

static void read_proofs(struct trial_job *j, struct session *s) {
    struct err err = {0};
    for (size_t i = 0; i < j->proofs.len; i++) {
        struct stored *p = &j->proofs.data[i];
        invariant_init(&p->inv);
        if (!invariant_read(&p->inv, &s->model.sys, p->text, &err))
            vec_clear(&p->probes); /* says nothing about anybody */
        err_clear(&err);
    }
}

static int trial_work(struct task *task) {
    struct trial_job *j = task->payload;
    struct session *s = task->session;
    struct native *pattern = simulate_pattern(s->simulation);
    struct err ignored = {0};
    struct native *gcc = native_gcc(pattern, &ignored);
    struct trial t = {.sys = &s->model.sys,
                      .module = &s->woven.module,
                      .may_end = s->model.lowered.ends.len > 0,
                      .seed = s->project.seed + 1,
                      .cpu_seconds = j->cpu_seconds,
                      .most_steps = s->options->deterministic ? FIXED_STEPS : 0};
    struct trial_result r = {0};
    read_proofs(j, s);
    t.zero = native_again(simulate_zero(s->simulation), TRIAL_STEP_MS);
    t.pattern = native_again(pattern, TRIAL_STEP_MS);
    t.gcc = gcc ? native_again(gcc, TRIAL_STEP_MS) : NULL;
    for (bool again = true; again && j->failed.len < MOST_FAILURES; trial_result_free(&r))
        again = run_once(j, &t, &r);
    task_recordf(RECORD_steps, "%llu %u", (unsigned long long)r.steps, r.tried);
    native_close(t.zero);
    native_close(t.pattern);
    native_close(t.gcc);
    vec_free(&t.proofs);
    err_clear(&ignored);
    return 0;
}

/* ---- in the parent ---- */

static bool alarm_on(struct task *task, const struct stored *p, const char *what, struct err *err) {
    struct session *s = task->session;
    bool ok = true;
    log_error(s->log, "a proof fails on the compiled program: %s", what);
    for (size_t i = 0; ok && i < p->probes.len; i++)
        if (s->probes.data[p->probes.data[i]].status == STATUS_DEAD)
            ok = session_alarm(s, p->probes.data[i], "its proof fails on the compiled program", 0,
                               p->row, err);
    return ok;
}

static bool trial_take(struct task *task, enum record_kind kind, const char *data,
                       struct err *err) {
    struct trial_job *j = task->payload;
    char *text;
    if (kind == RECORD_detail)
        str_add(&task->detail, data);
    if (kind == RECORD_steps)
        log_detail(task->session->log, "dead goals on the compiled program: %.*s steps",
                   (int)strcspn(data, " "), data);
    if (kind != RECORD_failed)
        return true;
    unsigned long proof = strtoul(data, &text, 10);
    return proof >= j->proofs.len || alarm_on(task, &j->proofs.data[proof], text + 1, err);
}

static bool trial_done(struct task *task, struct err *err) {
    (void)task;
    (void)err;
    return true;
}

static const struct task_type trial_type = {
    .name = "trial", .work = trial_work, .take = trial_take, .done = trial_done};

static struct stored *proof_of(struct trial_job *j, const struct session *s, int64_t row) {
    for (size_t i = 0; i < j->proofs.len; i++)
        if (j->proofs.data[i].row == row)
            return &j->proofs.data[i];
    struct proof proof = {0};
    if (store_get_proof(s->db, row, &proof, &j->arena))
        vec_push(&j->proofs, (struct stored){.row = row, .text = proof.invariant});
    proof_free(&proof);
    return j->proofs.len > 0 && vec_last(&j->proofs).row == row ? &vec_last(&j->proofs) : NULL;
}

static bool collect(struct trial_job *j, struct session *s, struct err *err) {
    struct stored_verdicts all = {0};
    VEC(bool) seen = {0};
    bool ok = store_verdicts(s->db, &all, &j->arena, err);
    vec_resize_zero(&seen, s->probes.len + 1);
    for (size_t i = 0; ok && i < all.len; i++) {
        const struct verdict *v = &all.data[i].verdict;
        uint32_t probe = s->woven.goals.list.data[v->goal].probe;
        /* what a replayed run has shown already has an alarm with a witness (compilers.c) */
        if (v->status != STATUS_DEAD || seen.data[probe] || session_odd(s, &s->probes.data[probe]))
            continue;
        seen.data[probe] = true;
        struct stored *p = proof_of(j, s, v->proof);
        if (p)
            vec_push(&p->probes, probe);
    }
    vec_free(&seen);
    vec_free(&all);
    return ok;
}

/* Proofs over a model with loops kept speak of places inside of a step. */
struct task *attempt_trial(struct session *s) {
    struct err err = {0};
    if (s->woven.module.task || !s->model.present || !s->has_native || s->model.keeps_loops)
        return NULL;
    struct trial_job *j = mem_zalloc(1, sizeof *j);
    if (!collect(j, s, &err) || j->proofs.len == 0) {
        err_clear(&err);
        job_free(j);
        return NULL;
    }
    j->cpu_seconds = trial_seconds(session_cpu(s));
    struct task *t = task_new(&trial_type, s);
    t->payload = j;
    t->free_payload = job_free;
    t->keep = true;
    t->seconds = 10 + 20 * j->cpu_seconds; /* on a busy machine */
    return t;
}
