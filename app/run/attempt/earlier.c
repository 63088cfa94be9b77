/* Proofs from before the sources changed, where the part of the model that they speak of is another
 * now, and those that a shard has found in its database. What still holds of each is found in a
 * child: the clauses that hold at the start and are inductive together. If they still exclude the
 * goals, that is a proof like any other, and is checked like any other; if not, the engines begin
 * with them. */
#include "app/run/attempt/attempt.h"

#include "app/audit/audit.h"
#include "app/run/evidence.h"
#include "base/map.h"
#include "base/mem.h"
#include "engines/invariant/trim.h"
#include "engines/unroll.h"

#include <stdlib.h>

enum { KEEP_TICKS = 5000000, CHECK_TICKS = 3000000, SECONDS = 20 };

struct old_proof {
    const char *engine;
    struct invariant invariant; /* over the whole system; its targets are what it proved */
};

struct earlier {
    VEC(struct old_proof) proofs;
    size_t next; /* that the child speaks of */
};

static void earlier_free(void *payload) {
    struct earlier *e = payload;
    for (size_t i = 0; i < e->proofs.len; i++)
        invariant_free(&e->proofs.data[i].invariant);
    vec_free(&e->proofs);
    mem_free(e);
}

/* ---- in the child ---- */

/* What is not true at the start is not worth a look. */
static void keep_initial(struct system *sys, struct invariant *inv) {
    struct solver *solver = solver_new(&(struct solver_options){.seed = 1});
    struct unroll u;
    size_t kept = 0;
    unroll_init(&u, sys, solver, UNROLL_FROM_INIT, NULL);
    unroll_to(&u, 0);
    for (size_t i = 0; i < inv->clauses.len; i++) {
        struct slit broken =
            slit_false(unroll_term(&u, 0, clause_term(sys, &inv->clauses.data[i])));
        struct clause c = inv->clauses.data[i];
        inv->clauses.data[i] = inv->clauses.data[kept];
        inv->clauses.data[kept] = c;
        kept += solver_solve(solver, &broken, 1, CHECK_TICKS) == SOLVER_UNSAT;
    }
    for (size_t i = kept; i < inv->clauses.len; i++)
        vec_free(&inv->clauses.data[i]);
    inv->clauses.len = kept;
    unroll_free(&u);
    solver_free(solver);
}

static void send(const struct system *sys, struct invariant *inv, size_t number) {
    struct fact fact = {.kind = inv->targets.len > 0 ? FACT_DEAD : FACT_LEMMA, .target = NONE};
    struct str text = {0};
    fact.invariant = *inv;
    task_recordf(RECORD_proof, "%zu", number);
    fact_write(&fact, sys, &text);
    task_record(RECORD_fact, str_text(&text), text.len);
    str_free(&text);
}

/* The targets that it still proves, one by one: an edit may have touched one of them. */
static void keep_proved(const struct system *sys, struct invariant *inv) {
    size_t kept = 0, n = inv->targets.len;
    for (size_t i = 0; i < n; i++) {
        struct str what = {0};
        uint32_t all = inv->targets.data[kept], target = inv->targets.data[i];
        struct invariant one = *inv;
        one.targets.data = &target;
        one.targets.len = one.targets.cap = 1;
        if (audit_by_solver(sys, &one, CHECK_TICKS, &what) == AUDIT_CONFIRMED) {
            inv->targets.data[i] = all;
            inv->targets.data[kept++] = target;
        }
        str_free(&what);
    }
    inv->targets.len = kept;
}

static int earlier_work(struct task *t) {
    struct earlier *e = t->payload;
    struct system *sys = &t->session->model.sys;
    for (size_t i = 0; i < e->proofs.len; i++) {
        struct invariant *inv = &e->proofs.data[i].invariant;
        keep_initial(sys, inv);
        invariant_keep_inductive(sys, inv, KEEP_TICKS);
        keep_proved(sys, inv);
        if (inv->targets.len > 0 || inv->clauses.len > 0)
            send(sys, inv, i);
    }
    task_recordf(RECORD_status, "done");
    return 0;
}

/* ---- in the parent ---- */

static void take_lemmas(struct session *s, const struct invariant *inv) {
    for (size_t i = 0; i < inv->clauses.len; i++) {
        const struct clause *c = &inv->clauses.data[i];
        if (!invariant_has(&s->proofs.lemmas, c))
            invariant_add(&s->proofs.lemmas, c->data, c->len);
    }
}

/* A proof is checked again, by somebody who has not made it. */
static void take_proof(struct task *t, struct fact *fact) {
    const struct earlier *e = t->payload;
    struct invariant inv = fact->invariant;
    size_t i = e->next;
    invariant_init(&fact->invariant);
    t->successes += (uint32_t)inv.targets.len;
    if (i < e->proofs.len)
        evidence_proof(t->session, e->proofs.data[i].engine, &inv, 0, 0);
    else
        invariant_free(&inv);
}

static bool earlier_take(struct task *t, enum record_kind kind, const char *data, struct err *err) {
    struct earlier *e = t->payload;
    struct fact fact;
    struct err bad = {0};
    (void)err;
    fact_init(&fact, FACT_LEMMA);
    if (kind == RECORD_proof) {
        e->next = strtoull(data, NULL, 10);
    } else if (kind == RECORD_fact && fact_read(&fact, &t->session->model.sys, data, &bad)) {
        if (fact.kind == FACT_DEAD)
            take_proof(t, &fact);
        else
            take_lemmas(t->session, &fact.invariant);
    }
    err_clear(&bad);
    fact_free(&fact);
    return true;
}

static bool earlier_done(struct task *t, struct err *err) {
    (void)t, (void)err;
    return true;
}

static const struct task_type earlier_type = {
    .name = "earlier", .work = earlier_work, .take = earlier_take, .done = earlier_done};

static bool read_proof(struct session *s, int64_t id, struct old_proof *old) {
    struct proof proof = {0};
    bool ok = store_get_proof(s->db, id, &proof, &s->arena) &&
              invariant_read_again(&old->invariant, &s->model.sys, proof.invariant);
    old->engine = ok ? proof.engine : NULL;
    proof_free(&proof);
    return ok;
}

static void add_target(struct earlier *e, struct task *t, uint32_t proof, uint32_t probe) {
    for (size_t i = 0; i < t->probes.len; i++)
        if (t->probes.data[i] == probe)
            return;
    vec_push(&t->probes, probe);
    vec_push(&e->proofs.data[proof].invariant.targets, t->session->probes.data[probe].target);
}

/* What the run before the shards has proved is worth as much to goals that are open as it was then.
 */
static void add_known(struct earlier *e, struct session *s) {
    struct stored_verdicts all = {0};
    struct map known = {0};
    struct err ignored = {0};
    bool ok = s->shards > 0 && store_verdicts(s->db, &all, &s->arena, &ignored);
    for (size_t i = 0; ok && i < all.len; i++) {
        const struct verdict *v = &all.data[i].verdict;
        struct old_proof old = {0};
        if (v->status != STATUS_DEAD || map_get(&known, (uint64_t)v->proof))
            continue;
        map_put(&known, (uint64_t)v->proof, 1);
        if (read_proof(s, v->proof, &old))
            vec_push(&e->proofs, old);
    }
    err_clear(&ignored);
    map_free(&known);
    vec_free(&all);
}

struct task *attempt_earlier(struct session *s) {
    struct task *t = task_new(&earlier_type, s);
    struct earlier *e = t->payload = mem_zalloc(1, sizeof *e);
    struct map known = {0}; /* row of a proof to its place + 1, 0: it cannot be read */
    t->free_payload = earlier_free;
    t->seconds = SECONDS;
    for (size_t i = 0; i < s->earlier.len; i++) {
        const struct verdict *v = &s->earlier.data[i].verdict;
        uint32_t probe = v->goal == NONE ? NONE : s->woven.goals.list.data[v->goal].probe;
        if (v->status != STATUS_DEAD || probe == NONE || !session_may_decide(s, probe) ||
            s->probes.data[probe].target == NONE)
            continue;
        if (!map_get(&known, (uint64_t)v->proof)) {
            struct old_proof old = {0};
            bool ok = read_proof(s, v->proof, &old);
            if (ok)
                vec_push(&e->proofs, old);
            map_put(&known, (uint64_t)v->proof, ok ? (uint32_t)e->proofs.len : 0);
        }
        uint32_t place = *map_get(&known, (uint64_t)v->proof);
        if (place > 0)
            add_target(e, t, place - 1, probe);
    }
    map_free(&known);
    add_known(e, s);
    if (s->options->deterministic) /* the clock is no part of the answer */
        t->seconds *= 10;
    if (e->proofs.len > 0)
        return t;
    task_free(t);
    return NULL;
}
