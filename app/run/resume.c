/* Three cases: the same woven program (all holds), another one (goals by key, witnesses replayed,
 * proofs tried again), and proofs that CBMC has not seen yet, which are queued once more. */
#include "app/run/resume.h"
#include "app/run/budget.h"
#include "app/run/verdict.h"

#include "app/audit/audit.h"
#include "app/project/same.h"
#include "app/run/evidence.h"
#include "base/child.h"
#include "base/mem.h"
#include "base/map.h"
#include "base/sha256.h"
#include "base/tool.h"

#include <stdlib.h>
#include <string.h>

static void take_over(struct session *s, const struct verdict *v) {
    struct probe *p = &s->probes.data[s->woven.goals.list.data[v->goal].probe];
    p->by_cbmc |= v->status == STATUS_DEAD && session_by_cbmc(v);
    p->by_bitwuzla |= v->status == STATUS_DEAD && session_by_bitwuzla(v);
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
    return store_module(s->db, &s->woven.goals, &s->woven.module, err) &&
           store_artifact(s->db, "woven.c", str_text(&s->woven.text), s->woven.text.len, err) &&
           store_info(s->db, "woven_sha256", hash, err);
}

bool resume_goals(struct session *s, struct err *err) {
    char hash[SHA256_HEX];
    sha256_hex(str_text(&s->woven.text), s->woven.text.len, hash);
    char *known = store_get_info(s->db, "woven_sha256");
    char *migrated = store_get_info(s->db, "migrated_from"); /* tables may be empty that are new */
    bool same = known && strcmp(known, hash) == 0 && !migrated && same_machine(s->db, &s->project);
    s->resumed.same = known && !same && !migrated && same_program(s->db, &s->project, &s->woven);
    mem_free(known);
    mem_free(migrated);
    return (same ? resume_same(s, err) : put_module(s, hash, err)) &&
           store_earlier(s->db, &s->earlier, &s->arena, err);
}

/* The goal that has this key now; NONE when it is gone. */
static uint32_t goal_now(const struct session *s, uint64_t key) {
    const struct goal *g = goals_find(&s->woven.goals, key);
    return g ? (uint32_t)(g - s->woven.goals.list.data) : NONE;
}

/* ---- witnesses ---- */

/* Inputs are numbered anew in a changed program: those of the same path are meant. */
struct renumbering {
    int64_t program;   /* 0: none yet */
    struct intern now; /* paths to numbers, in `number` */
    VEC(uint32_t) number;
    VEC(uint32_t) to; /* from the numbers of `program`; NONE: there is no such input any more */
};

static void renumbering_open(struct renumbering *r, const struct module *m) {
    *r = (struct renumbering){0};
    for (uint32_t i = 0; i < m->inputs.len; i++)
        if (intern_id(&r->now, m->inputs.data[i].path) == r->number.len)
            vec_push(&r->number, i);
}

static void renumbering_close(struct renumbering *r) {
    intern_free(&r->now);
    vec_free(&r->number);
    vec_free(&r->to);
}

static bool renumber_from(struct renumbering *r, struct session *s, int64_t program,
                          struct err *err) {
    struct texts paths = {0};
    if (r->program == program)
        return true;
    bool ok = store_earlier_inputs(s->db, program, &paths, &s->arena, err);
    vec_clear(&r->to);
    for (size_t i = 0; i < paths.len; i++) {
        uint32_t known = intern_find(&r->now, paths.data[i]);
        vec_push(&r->to, known == INTERN_NONE ? NONE : r->number.data[known]);
    }
    vec_free(&paths);
    r->program = ok ? program : 0;
    return ok;
}

/* An input that is no more is left out; a new one is held at some value (evidence_run()). */
static void renumber(const struct renumbering *r, const struct input_events *events,
                     struct scenario *scenario) {
    for (size_t i = 0; i < events->len; i++) {
        struct input_event e = events->data[i];
        e.input = e.input < r->to.len ? r->to.data[e.input] : NONE;
        if (e.input != NONE)
            vec_push(&scenario->events, e);
    }
}

/* The program has not changed: what the run has hit it hits. */
static bool take_witness(struct session *s, const struct verdict *v, struct err *err) {
    uint32_t probe = s->woven.goals.list.data[v->goal].probe;
    struct finding f = {.engine = v->engine,
                        .checked_by = v->checked_by,
                        .assumes = v->assumes,
                        .evidence = v->witness,
                        .depth = v->depth,
                        .ticks = v->ticks,
                        .seconds = v->seconds,
                        .slice_hash = v->slice_hash};
    return s->probes.data[probe].status != STATUS_OPEN || session_reachable(s, probe, &f, err);
}

static bool replay_earlier(struct session *s, const struct earlier_verdict *v,
                           struct renumbering *r, struct map *done, struct err *err) {
    struct witness w = {0};
    int64_t id = v->verdict.witness;
    if (map_get(done, (uint64_t)id))
        return true;
    map_put(done, (uint64_t)id, 1);
    bool ok = renumber_from(r, s, v->program, err);
    if (ok && store_get_witness(s->db, id, &w, &s->arena)) {
        struct scenario scenario = {.n_steps = w.steps};
        uint32_t credited = 0;
        renumber(r, &w.events, &scenario);
        ok = evidence_run(s, w.engine, &scenario, NONE, 0, &credited, err);
        scenario_free(&scenario);
    }
    witness_free(&w);
    return ok;
}

/* In the order of the goals, so that what is found does not depend on keys. */
static int by_goal(const void *a, const void *b) {
    const struct earlier_verdict *x = a, *y = b;
    return (x->verdict.goal > y->verdict.goal) - (x->verdict.goal < y->verdict.goal);
}

static void find_goals(struct session *s) {
    for (size_t i = 0; i < s->earlier.len; i++) {
        s->earlier.data[i].verdict.goal = goal_now(s, s->earlier.data[i].key);
        s->resumed.earlier += s->earlier.data[i].verdict.goal != NONE;
    }
    if (s->earlier.len > 1)
        qsort(s->earlier.data, s->earlier.len, sizeof *s->earlier.data, by_goal);
}

void resume_count(struct session *s) {
    for (size_t i = 0; i < s->earlier.len; i++) {
        const struct verdict *v = &s->earlier.data[i].verdict;
        s->resumed.carried +=
            v->goal != NONE &&
            s->probes.data[s->woven.goals.list.data[v->goal].probe].status == v->status;
    }
}

bool resume_witnesses(struct session *s, struct err *err) {
    struct map replayed = {0};
    struct renumbering inputs;
    bool ok = true;
    renumbering_open(&inputs, &s->woven.module);
    find_goals(s);
    for (size_t i = 0; ok && i < s->earlier.len; i++) {
        const struct verdict *v = &s->earlier.data[i].verdict;
        if (v->status == STATUS_REACHABLE && v->goal != NONE && s->resumed.same)
            ok = take_witness(s, v, err);
        else if (v->status == STATUS_REACHABLE && s->has_native)
            ok = replay_earlier(s, &s->earlier.data[i], &inputs, &replayed, err);
    }
    renumbering_close(&inputs);
    map_free(&replayed);
    return ok;
}

void resume_tell(const struct session *s) {
    size_t again = 0, n = s->resumed.earlier, carried = s->resumed.carried;
    for (size_t i = 0; i < s->earlier.len; i++) {
        const struct verdict *v = &s->earlier.data[i].verdict;
        again += v->goal != NONE &&
                 s->probes.data[s->woven.goals.list.data[v->goal].probe].status != STATUS_OPEN;
    }
    carried = carried < again ? carried : again; /* an alarm may have taken some of them back */
    assert(n >= again);
    if (n > 0)
        log_note(s->log,
                 "of %zu verdicts from before the sources changed %zu were carried over, %zu were "
                 "found anew, %zu are lost",
                 n, carried, again - carried, n - again);
}

/* ---- proofs that CBMC, or Bitwuzla, has not seen yet ---- */

static bool without_cbmc(const struct verdict *v) {
    return v->status == STATUS_DEAD && !session_by_cbmc(v);
}

static bool without_bitwuzla(const struct verdict *v) {
    return v->status == STATUS_DEAD && !session_by_bitwuzla(v);
}

bool resume_complete(struct session *s) {
    struct stored_verdicts all = {0};
    struct err ignored = {0};
    bool has_cbmc = tool_cbmc(&s->arena) != NULL;
    bool has_bitwuzla = tool_bitwuzla(&s->arena) != NULL;
    bool any = session_count(s, STATUS_OPEN) < s->woven.goals.list.len; /* an earlier run got far */
    bool complete = any && session_decided(s) && store_verdicts(s->db, &all, &s->arena, &ignored);
    complete = complete && !store_unexplained(s->db);
    for (size_t i = 0; complete && i < all.len; i++)
        complete = !(has_cbmc && without_cbmc(&all.data[i].verdict)) &&
                   !(has_bitwuzla && without_bitwuzla(&all.data[i].verdict));
    err_clear(&ignored);
    vec_free(&all);
    return complete;
}

static bool is_in_model(const struct session *s, const struct verdict *v) {
    return s->probes.data[s->woven.goals.list.data[v->goal].probe].target != NONE;
}

/* Shards that begin with the same proofs show each of them to CBMC once: they take turns in the
 * order of the proofs, `place`, whether confirmed or not, so that one that is started again has the
 * same. */
static bool is_our_proof(const struct session *s, const struct verdict *v, uint32_t place) {
    bool dealt = s->probes.data[s->woven.goals.list.data[v->goal].probe].shard > 0;
    return dealt || s->shards == 0 || place % s->shards + 1 == s->shard;
}

static uint32_t place_of(struct map *places, int64_t proof) {
    if (!map_get(places, (uint64_t)proof))
        map_put(places, (uint64_t)proof, (uint32_t)places->len);
    return *map_get(places, (uint64_t)proof);
}

/* The stored proof as a claim without targets; false when it cannot be read any more. */
static bool claim_again(struct session *s, int64_t id, struct claim *claim) {
    struct proof proof = {0};
    struct err bad = {0};
    *claim = (struct claim){0};
    invariant_init(&claim->invariant);
    bool ok = store_get_proof(s->db, id, &proof, &s->arena) &&
              invariant_read(&claim->invariant, &s->model.sys, proof.invariant, &bad);
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
    assert(s->model.present && !session_overruns_dead(s));
    if (dead && claim_again(s, dead->proof, &claim)) {
        vec_append(&claim.invariant.targets, s->model.sys.overruns.data, s->model.sys.overruns.len);
        ok = excludes(s, &claim.invariant, &yes, err) &&
             (!yes || resume_released(s, &claim.invariant, err));
        invariant_free(&claim.invariant);
    }
    vec_free(&all);
    return ok;
}

/* ---- what waits for CBMC, and for Bitwuzla ---- */

static void add_target(struct claim *claim, uint32_t target) {
    for (size_t i = 0; i < claim->invariant.targets.len; i++)
        if (claim->invariant.targets.data[i] == target)
            return;
    vec_push(&claim->invariant.targets, target);
}

/* The proofs of all goals `without` his word, for his queue. */
static bool queue_again(struct session *s, struct claims *queue,
                        bool (*without)(const struct verdict *), struct err *err) {
    struct stored_verdicts all = {0};
    struct map of_proof = {0}, places = {0}; /* row to its claim; to its place */
    assert(s->model.present && queue->len == 0);
    bool ok = store_verdicts(s->db, &all, &s->arena, err);
    for (size_t i = 0; ok && i < all.len; i++) {
        const struct verdict *v = &all.data[i].verdict;
        struct claim claim;
        uint32_t place = v->proof > 0 ? place_of(&places, v->proof) : 0;
        if (!without(v) || !is_in_model(s, v) || !is_our_proof(s, v, place))
            continue;
        if (!map_get(&of_proof, (uint64_t)v->proof)) {
            if (!claim_again(s, v->proof, &claim))
                continue;
            map_put(&of_proof, (uint64_t)v->proof, (uint32_t)queue->len);
            vec_push(queue, claim);
        }
        add_target(&queue->data[*map_get(&of_proof, (uint64_t)v->proof)],
                   s->probes.data[s->woven.goals.list.data[v->goal].probe].target);
    }
    map_free(&of_proof);
    map_free(&places);
    vec_free(&all);
    return ok;
}

bool resume_unconfirmed(struct session *s, struct err *err) {
    return (!s->has_cbmc || queue_again(s, &s->proofs.unconfirmed, without_cbmc, err)) &&
           (!s->has_bitwuzla || queue_again(s, &s->proofs.unasked, without_bitwuzla, err));
}

bool resume_released(struct session *s, const struct invariant *proof, struct err *err) {
    bool before = session_overruns_dead(s);
    if (!session_overruns_proved(s, proof, err))
        return false;
    return before || !session_overruns_dead(s) || resume_unconfirmed(s, err);
}
