/* Verdicts go into the database at once, for all goals of a probe or for none. What was proved
 * about the model waits until the overruns, at which the model ends runs that the program goes on
 * with, are proved dead themselves. */
#include "app/run/verdict.h"

#include "db/checkers.h"

#include <assert.h>

/* What cannot be analysed is never called dead. */
static bool may_get(const struct session *s, uint32_t goal, enum status status) {
    return status != STATUS_DEAD || !s->woven.goals.list.data[goal].reason;
}

static void tell_verdict(const struct session *s, uint32_t probe, const struct verdict *v) {
    const struct probe *p = &s->probes.data[probe];
    struct str fields = {0};
    str_addf(&fields, "\"verdict\":\"%s\",\"depth\":%lld,\"goals\":[",
             v->status == STATUS_DEAD ? "dead" : "reachable", (long long)v->depth);
    for (size_t i = 0; i < p->goals.len; i++)
        str_addf(&fields, "%s%u", i ? "," : "", p->goals.data[i]);
    str_add(&fields, "]");
    events_write(s->events, 0, v->engine, "verdict", str_text(&fields));
    str_free(&fields);
}

/* All goals of a probe or none: a run that goes on takes the verdict of one for that of all. The
 * two sides of a contradiction stay. */
static bool put(struct session *s, uint32_t probe, struct verdict v, struct err *err) {
    if (s->events && v.status != STATUS_OPEN)
        tell_verdict(s, probe, &v);
    struct probe *p = &s->probes.data[probe];
    bool own, ok = store_enter(s->db, &own, err);
    for (size_t i = 0; ok && i < p->goals.len; i++) {
        v.goal = p->goals.data[i];
        if (!may_get(s, v.goal, v.status))
            continue;
        ok = store_verdict(s->db, &v, err);
    }
    bool contradicts = !ok && err->code == ERR_EVIDENCE;
    s->alarmed |= contradicts;
    ok = store_leave(s->db, own, ok || contradicts, err) && ok;
    if (ok && v.status != STATUS_OPEN)
        p->status = v.status;
    return ok;
}

static struct verdict verdict_of(const struct finding *f) {
    struct verdict v = VERDICT_INIT;
    v.engine = f->engine;
    v.checked_by = f->checked_by;
    v.assumes = f->assumes;
    v.depth = f->depth;
    v.ticks = f->ticks;
    v.seconds = f->seconds;
    v.slice_hash = f->slice_hash;
    return v;
}

bool session_reachable(struct session *s, uint32_t probe, const struct finding *f,
                       struct err *err) {
    struct verdict v = verdict_of(f);
    v.status = STATUS_REACHABLE;
    v.witness = f->evidence;
    return put(s, probe, v, err);
}

/* Not behind an alarm: another proof of the same may have been under way when it came. */
bool session_dead(struct session *s, uint32_t probe, const struct finding *f, struct err *err) {
    struct verdict v = verdict_of(f);
    if (s->probes.data[probe].alarmed)
        return true;
    v.status = STATUS_DEAD;
    v.proof = f->evidence;
    s->probes.data[probe].by_cbmc |= session_by_cbmc(&v);
    s->probes.data[probe].by_bitwuzla |= session_by_bitwuzla(&v);
    return put(s, probe, v, err);
}

bool session_by_cbmc(const struct verdict *v) {
    return checkers_have(v->checked_by, "cbmc") || engine_is_cbmc(v->engine);
}

bool session_by_bitwuzla(const struct verdict *v) {
    return checkers_have(v->checked_by, "bitwuzla");
}

bool session_rechecked(struct session *s, uint32_t probe, const char *who, int64_t proof,
                       struct err *err) {
    struct probe *p = &s->probes.data[probe];
    bool ok = true;
    for (size_t g = 0; ok && p->status == STATUS_DEAD && g < p->goals.len; g++)
        ok = store_rechecked(s->db, p->goals.data[g], proof, who, err);
    p->by_cbmc |= str_same(who, "cbmc");
    p->by_bitwuzla |= str_same(who, "bitwuzla");
    return ok;
}

/* Not of a verification task: engines count iterations of its loop, a replay the values that it
 * asks for, and the two must not be compared. */
static bool put_bound(struct session *s, uint32_t probe, struct err *err) {
    struct verdict v = VERDICT_INIT;
    if (s->woven.module.task)
        return true;
    v.bound = s->probes.data[probe].bound;
    v.engine = s->probes.data[probe].bound_by;
    assert(session_overruns_dead(s));
    return put(s, probe, v, err);
}

bool session_bound(struct session *s, const char *engine, uint32_t probe, int64_t bound,
                   struct err *err) {
    struct probe *p = &s->probes.data[probe];
    if (bound <= p->bound)
        return true;
    p->bound = bound;
    p->bound_by = engine;
    return !session_overruns_dead(s) || put_bound(s, probe, err);
}

bool session_alarm(struct session *s, uint32_t probe, const char *text, int64_t witness,
                   int64_t proof, struct err *err) {
    struct probe *p = &s->probes.data[probe];
    s->alarmed = true;
    p->alarmed = true;
    p->status = STATUS_OPEN;
    for (size_t i = 0; i < p->goals.len; i++)
        if (!store_alarm(s->db, p->goals.data[i], text, witness, proof, err))
            return false;
    return true;
}

bool session_overruns_dead(const struct session *s) {
    for (size_t i = s->woven.goals.n_probes; i < s->probes.len; i++)
        if (s->probes.data[i].status != STATUS_DEAD)
            return false;
    return true;
}

void session_lose_overruns(struct session *s) {
    for (size_t i = s->woven.goals.n_probes; i < s->probes.len; i++)
        s->probes.data[i].lost = s->probes.data[i].status == STATUS_OPEN;
}

bool session_overruns_lost(const struct session *s) {
    for (size_t i = s->woven.goals.n_probes; i < s->probes.len; i++)
        if (s->probes.data[i].lost)
            return true;
    return false;
}

/* What was proved about the model now holds for the program. */
static bool release(struct session *s, struct err *err) {
    bool ok = true;
    for (uint32_t i = 0; ok && i < s->probes.len; i++) {
        struct probe *p = &s->probes.data[i];
        p->held = false;
        ok = p->status != STATUS_OPEN || p->bound < 0 || put_bound(s, i, err);
    }
    vec_append(&s->proofs.waiting, s->proofs.held.data, s->proofs.held.len);
    vec_clear(&s->proofs.held);
    return ok;
}

bool session_overruns_proved(struct session *s, const struct invariant *proof, struct err *err) {
    if (session_overruns_dead(s))
        return true;
    for (size_t i = 0; i < proof->clauses.len; i++)
        invariant_add(&s->proofs.ground, proof->clauses.data[i].data, proof->clauses.data[i].len);
    for (size_t i = 0; i < proof->targets.len; i++) {
        struct probe *p = &s->probes.data[s->model.target_probe.data[proof->targets.data[i]]];
        assert(p->overrun);
        if (p->status != STATUS_DEAD)
            vec_push(&s->proofs.ground.targets, proof->targets.data[i]);
        p->status = STATUS_DEAD;
    }
    if (proof->k > s->proofs.ground.k)
        s->proofs.ground.k = proof->k;
    return !session_overruns_dead(s) || release(s, err);
}
