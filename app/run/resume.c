#include "app/run/resume.h"

#include "app/audit/audit.h"
#include "app/run/evidence.h"
#include "base/child.h"
#include "base/mem.h"
#include "base/map.h"
#include "base/sha256.h"
#include "base/tool.h"
#include "db/checkers.h"

#include <string.h>

static void take_over(struct session *s, const struct verdict *v) {
    struct probe *p = &s->probes.data[s->woven.goals.list.data[v->goal].probe];
    if (v->status != STATUS_OPEN)
        p->status = v->status;
    else if (v->bound > p->bound) {
        p->bound = v->bound;
        p->bound_by = v->engine;
    }
}

/* The same program: its verdicts are ours. */
static bool resume_same(struct session *s, struct err *err) {
    struct stored_verdicts all = {0};
    bool ok = store_verdicts(s->db, &all, &s->arena, err);
    for (size_t i = 0; ok && i < all.len; i++)
        take_over(s, &all.data[i].verdict);
    vec_free(&all);
    return ok;
}

static bool put_module(struct session *s, const char *hash, struct err *err) {
    return store_verdicts(s->db, &s->earlier, &s->arena, err) &&
           store_module(s->db, &s->woven.goals, &s->woven.module, err) &&
           store_artifact(s->db, "woven.c", str_text(&s->woven.text), s->woven.text.len, err) &&
           store_info(s->db, "woven_sha256", hash, err);
}

bool resume_goals(struct session *s, struct err *err) {
    char hash[SHA256_HEX];
    sha256_hex(str_text(&s->woven.text), s->woven.text.len, hash);
    char *known = store_get_info(s->db, "woven_sha256");
    char *migrated = store_get_info(s->db, "migrated_from"); /* tables may be empty that are new */
    bool same = known && strcmp(known, hash) == 0 && !migrated;
    mem_free(known);
    mem_free(migrated);
    return same ? resume_same(s, err) : put_module(s, hash, err);
}

/* The goal that has this key now; NONE when it is gone. */
static uint32_t goal_now(const struct session *s, uint64_t key) {
    const struct goal *g = goals_find(&s->woven.goals, key);
    return g ? (uint32_t)(g - s->woven.goals.list.data) : NONE;
}

/* Inputs are numbered anew in a changed program: only those that still mean the same are used. */
static bool events_fit(const struct session *s, const struct input_events *events) {
    for (size_t i = 0; i < events->len; i++)
        if (events->data[i].input >= s->woven.module.inputs.len)
            return false;
    return true;
}

static bool replay_earlier(struct session *s, const struct verdict *v, struct map *done,
                           struct err *err) {
    struct witness w = {0};
    if (map_get(done, (uint64_t)v->witness))
        return true;
    map_put(done, (uint64_t)v->witness, 1);
    bool ok = true;
    if (store_get_witness(s->db, v->witness, &w, &s->arena) && events_fit(s, &w.events)) {
        struct scenario scenario = {.n_steps = w.steps};
        uint32_t credited = 0;
        vec_append(&scenario.events, w.events.data, w.events.len);
        ok = evidence_run(s, w.engine, &scenario, NONE, 0, &credited, err);
        scenario_free(&scenario);
    }
    witness_free(&w);
    return ok;
}

static bool keep_dead(struct session *s, uint32_t probe, const struct verdict *v, struct err *err) {
    const char *hash = session_slice_hash(s, probe);
    if (!hash || !v->slice_hash || strcmp(hash, v->slice_hash) != 0)
        return true;
    struct finding f = {.engine = v->engine,
                        .checked_by = v->checked_by,
                        .assumes = v->assumes,
                        .evidence = v->proof,
                        .depth = v->depth,
                        .ticks = v->ticks,
                        .seconds = v->seconds,
                        .slice_hash = hash};
    return session_dead(s, probe, &f, err);
}

bool resume_verdicts(struct session *s, struct err *err) {
    struct map replayed = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < s->earlier.len; i++) {
        const struct verdict *v = &s->earlier.data[i].verdict;
        uint32_t goal = goal_now(s, s->earlier.data[i].key);
        if (v->status == STATUS_REACHABLE && s->has_native)
            ok = replay_earlier(s, v, &replayed, err);
        else if (v->status == STATUS_DEAD && goal != NONE && s->has_model &&
                 session_is_open(s, s->woven.goals.list.data[goal].probe))
            ok = keep_dead(s, s->woven.goals.list.data[goal].probe, v, err);
    }
    map_free(&replayed);
    vec_free(&s->earlier);
    return ok;
}

/* ---- proofs that CBMC has not seen yet ---- */

static bool without_cbmc(const struct verdict *v) {
    return v->status == STATUS_DEAD && !checkers_have(v->checked_by, "cbmc") &&
           !str_starts(v->engine, "cbmc");
}

bool resume_complete(struct session *s) {
    struct stored_verdicts all = {0};
    struct err ignored = {0};
    bool has_cbmc = tool_cbmc(&s->arena) != NULL;
    bool any = session_count(s, STATUS_OPEN) < s->woven.goals.list.len; /* an earlier run got far */
    bool complete = any && session_decided(s) && store_verdicts(s->db, &all, &s->arena, &ignored);
    complete = complete && !store_unexplained(s->db);
    for (size_t i = 0; complete && has_cbmc && i < all.len; i++)
        complete = !without_cbmc(&all.data[i].verdict);
    err_clear(&ignored);
    vec_free(&all);
    return complete;
}

static bool wants_cbmc(const struct session *s, const struct verdict *v) {
    return without_cbmc(v) &&
           s->probes.data[s->woven.goals.list.data[v->goal].probe].target != NONE;
}

/* The stored proof as a claim without targets; false when it cannot be read any more. */
static bool claim_again(struct session *s, int64_t id, struct claim *claim) {
    struct proof proof = {0};
    struct err bad = {0};
    *claim = (struct claim){0};
    invariant_init(&claim->invariant);
    bool ok = store_get_proof(s->db, id, &proof, &s->arena) &&
              invariant_read(&claim->invariant, &s->sys, proof.invariant, &bad);
    if (ok) {
        claim->engine = proof.engine;
        vec_clear(&claim->invariant.targets);
    } else {
        invariant_free(&claim->invariant);
    }
    err_clear(&bad);
    proof_free(&proof);
    return ok;
}

/* ---- overruns ---- */

enum { OVERRUN_SECONDS = 20, CONFIRMED = 43 /* exit code */ };

struct ground_check {
    const struct system *sys;
    const struct invariant *invariant;
};

static int check_ground(void *context) {
    const struct ground_check *check = context;
    struct str what = {0};
    bool ok = audit_by_solver(check->sys, check->invariant, 0, &what) == AUDIT_CONFIRMED;
    str_free(&what);
    return ok ? CONFIRMED : 0;
}

/* In a child, as every search. */
static bool excludes(const struct session *s, const struct invariant *inv, bool *yes,
                     struct err *err) {
    struct ground_check check = {.sys = session_system(s), .invariant = inv};
    double left = session_left(s);
    struct child_spec spec = {.body = check_ground,
                              .context = &check,
                              .wall_seconds = left < OVERRUN_SECONDS ? left : OVERRUN_SECONDS,
                              .memory_mb = s->project.memory_mb};
    struct child_result result = {0};
    *yes = false;
    if (left <= 0)
        return true;
    if (!child_run(&spec, &result, err))
        return false;
    *yes = result.end == CHILD_EXITED && result.code == CONFIRMED;
    child_result_free(&result);
    return true;
}

/* A dead goal's proof stands alone: it excludes all overruns. NULL claims nothing. */
static const struct verdict *some_dead(const struct stored_verdicts *all) {
    for (size_t i = 0; i < all->len; i++)
        if (all->data[i].verdict.status == STATUS_DEAD)
            return &all->data[i].verdict;
    return NULL;
}

bool resume_overruns(struct session *s, struct err *err) {
    struct stored_verdicts all = {0};
    struct claim claim;
    bool yes = false, ok = store_verdicts(s->db, &all, &s->arena, err);
    const struct verdict *dead = ok ? some_dead(&all) : NULL;
    assert(s->has_model && !session_overruns_dead(s));
    if (dead && claim_again(s, dead->proof, &claim)) {
        vec_append(&claim.invariant.targets, s->sys.overruns.data, s->sys.overruns.len);
        ok = excludes(s, &claim.invariant, &yes, err) &&
             (!yes || session_overruns_proved(s, &claim.invariant, err));
        invariant_free(&claim.invariant);
    }
    vec_free(&all);
    return ok;
}

/* ---- what waits for CBMC ---- */

static void add_target(struct claim *claim, uint32_t target) {
    for (size_t i = 0; i < claim->invariant.targets.len; i++)
        if (claim->invariant.targets.data[i] == target)
            return;
    vec_push(&claim->invariant.targets, target);
}

bool resume_unconfirmed(struct session *s, struct err *err) {
    struct stored_verdicts all = {0};
    struct map of_proof = {0}; /* row to its claim */
    assert(s->has_model && s->unconfirmed.len == 0);
    bool ok = store_verdicts(s->db, &all, &s->arena, err);
    for (size_t i = 0; ok && i < all.len; i++) {
        const struct verdict *v = &all.data[i].verdict;
        struct claim claim;
        if (!wants_cbmc(s, v))
            continue;
        if (!map_get(&of_proof, (uint64_t)v->proof)) {
            if (!claim_again(s, v->proof, &claim))
                continue;
            map_put(&of_proof, (uint64_t)v->proof, (uint32_t)s->unconfirmed.len);
            vec_push(&s->unconfirmed, claim);
        }
        add_target(&s->unconfirmed.data[*map_get(&of_proof, (uint64_t)v->proof)],
                   s->probes.data[s->woven.goals.list.data[v->goal].probe].target);
    }
    map_free(&of_proof);
    vec_free(&all);
    return ok;
}
