/* An engine on a slice, in a child; its facts come back as text. */
#include "app/run/attempt/attempt.h"
#include "app/run/basis.h"
#include "app/run/verdict.h"

#include "app/run/evidence.h"
#include "base/mem.h"
#include "engines/candidates.h"
#include "engines/invariant/trim.h"
#include "model/system/machine.h"

#include <string.h>

enum { KEEP_TICKS = 5000000 };

struct engine_attempt {
    const struct engine_row *row;
    struct slice slice;
    VEC(uint32_t) targets;   /* of the slice */
    struct invariant lemmas; /* over the slice */
    bool lemmas_cut;         /* they may be inductive only together with others */
    struct cell_seen *seen;
};

static void attempt_free(void *payload) {
    struct engine_attempt *a = payload;
    slice_free(&a->slice);
    vec_free(&a->targets);
    invariant_free(&a->lemmas);
    mem_free(a->seen);
    mem_free(a);
}

/* ---- in the child ---- */

static void send_fact(void *context, const struct fact *fact) {
    const struct engine_attempt *a = context;
    struct str text = {0};
    fact_write(fact, &a->slice.sys, &text);
    task_record(RECORD_fact, str_text(&text), text.len);
    str_free(&text);
}

static int attempt_work(struct task *t) {
    struct engine_attempt *a = t->payload;
    const struct engine *engine = a->row->engine;
    struct engine_input input = {
        .sys = &a->slice.sys,
        .targets = a->targets.data,
        .n_targets = a->targets.len,
        .lemmas = &a->lemmas,
        .seen = a->seen,
        .options = {.seed = t->session->project.seed, .knobs = t->session->knobs},
        .window = t->window,
        .report = send_fact,
        .context = a,
    };
    if (a->lemmas_cut)
        invariant_keep_inductive(&a->slice.sys, &a->lemmas, KEEP_TICKS);
    void *run = engine->open(&input);
    enum engine_status status = ENGINE_MORE;
    assert(engine && a->targets.len > 0);
    if (t->ticks > 0)
        status = engine->step(run, t->ticks);
    engine->close(run);
    task_recordf(RECORD_status, "%s",
                 status == ENGINE_DONE      ? "done"
                 : status == ENGINE_GAVE_UP ? "gave up"
                                            : "budget\ttick budget used");
    return 0;
}

/* ---- in the parent ---- */

static void take_dead(struct task *t, struct fact *fact) {
    struct invariant inv = fact->invariant;
    invariant_init(&fact->invariant);
    t->successes++;
    evidence_proof(t->session, t->engine, &inv, t->used_ticks, t->result.wall_seconds);
}

/* Inputs that the slice does not know get a value from their range instead of zero. */
static void fill_unknown(const struct task *t, struct trace *trace) {
    const struct engine_attempt *a = t->payload;
    const struct session *s = t->session;
    VEC(bool) known = {0};
    vec_resize_zero(&known, s->model.sys.inputs.len);
    for (size_t i = 0; i < a->slice.input_map.len; i++)
        known.data[a->slice.input_map.data[i]] = true;
    for (size_t i = 0; i < known.len; i++) {
        uint32_t id = s->model.sys.inputs.data[i].module_input;
        if (known.data[i] || id == NONE || !s->woven.module.inputs.data[id].has_range)
            continue;
        uint64_t bits = s->woven.module.inputs.data[id].min;
        trace->init.data[i] = bits;
        for (uint32_t j = 0; j < trace->n_steps; j++)
            trace->values.data[j * trace->n_inputs + i] = bits;
    }
    vec_free(&known);
}

static bool take_hit(struct task *t, struct fact *fact, struct err *err) {
    struct scenario scenario = {0};
    if (t->session->probes.data[t->session->model.target_probe.data[fact->target]].overrun)
        session_lose_overruns(t->session);
    fill_unknown(t, &fact->trace);
    uint32_t place =
        t->session->model.keeps_loops ? lowered_place(session_system(t->session)) : NONE;
    scenario.n_steps = trace_program(session_system(t->session), &fact->trace, place,
                                     t->session->model.lowered.boundary, &scenario.events);
    uint32_t before = t->successes;
    bool ok = evidence_run(t->session, t->engine, &scenario,
                           t->session->model.target_probe.data[fact->target],
                           t->result.wall_seconds, &t->successes, err);
    t->session->model.all_constraints |= t->successes == before; /* maybe others were not met */
    scenario_free(&scenario);
    return ok;
}

static void take_lemma(struct task *t, struct fact *fact) {
    invariant_tidy(&fact->invariant, session_system(t->session));
    for (size_t i = 0; i < fact->invariant.clauses.len; i++) {
        const struct clause *c = &fact->invariant.clauses.data[i];
        if (!invariant_has(&t->session->proofs.lemmas, c))
            invariant_add(&t->session->proofs.lemmas, c->data, c->len);
    }
}

static bool take_fact(struct task *t, struct fact *fact, struct err *err) {
    switch (fact->kind) {
    case FACT_DEAD:
        take_dead(t, fact);
        return true;
    case FACT_HIT:
        return take_hit(t, fact, err);
    case FACT_LEMMA:
        take_lemma(t, fact);
        return true;
    case FACT_BOUND: /* in steps of the model */
        return t->session->model.keeps_loops ||
               session_bound(t->session, t->engine,
                             t->session->model.target_probe.data[fact->target], fact->depth, err);
    }
    return true;
}

static bool attempt_take(struct task *t, enum record_kind kind, const char *data, struct err *err) {
    struct engine_attempt *a = t->payload;
    struct fact fact, lifted;
    struct err bad = {0};
    fact_init(&fact, FACT_BOUND);
    fact_init(&lifted, FACT_BOUND);
    bool ok = true;
    if (kind == RECORD_fact && fact_read(&fact, &a->slice.sys, data, &bad)) {
        fact_lift(&lifted, &fact, &a->slice, &t->session->model.sys);
        ok = take_fact(t, &lifted, err);
    } else {
        str_addf(&t->detail, "unreadable record: %s", str_text(&bad.message));
    }
    err_clear(&bad);
    fact_free(&fact);
    fact_free(&lifted);
    return ok;
}

static bool attempt_done(struct task *t, struct err *err) {
    (void)err;
    t->gave_up = str_same(str_text(&t->outcome), "gave up");
    for (size_t i = 0; i < t->probes.len; i++) {
        struct probe *p = &t->session->probes.data[t->probes.data[i]];
        if (p->status == STATUS_OPEN)
            probe_tried(p, t->engine, str_text(&t->outcome));
    }
    return true;
}

static const struct task_type attempt_type = {
    .name = "engine", .work = attempt_work, .take = attempt_take, .done = attempt_done};

static void slice_seen(struct engine_attempt *a, const struct session *s) {
    if (!s->seen)
        return;
    a->seen = mem_zalloc(a->slice.sys.cells.len + 1, sizeof *a->seen);
    for (size_t i = 0; i < a->slice.cell_map.len; i++)
        a->seen[i] = s->seen[a->slice.cell_map.data[i]];
}

struct task *attempt_engine(struct session *s, const struct engine_row *row, const uint32_t *probes,
                            size_t n, uint64_t ticks) {
    assert(n > 0 && s->model.present && row->engine);
    struct task *t = task_new(&attempt_type, s);
    struct engine_attempt *a = t->payload = mem_zalloc(1, sizeof *a);
    VEC(uint32_t) targets = {0};
    t->free_payload = attempt_free;
    t->engine = row->name;
    t->ticks = ticks;
    vec_append(&t->probes, probes, n);
    for (size_t i = 0; i < n; i++)
        vec_push(&targets, s->probes.data[probes[i]].target);
    a->row = row;
    invariant_init(&a->lemmas);
    session_slice(s, &a->slice, targets.data, targets.len);
    for (uint32_t i = 0; i < a->slice.target_map.len; i++)
        vec_push(&a->targets, i);
    vec_free(&targets);
    if (engine_does(row, ENGINE_RELATES) && s->knobs.relations)
        candidates_derive(&a->slice.sys, CANDIDATES_MOST);
    a->lemmas_cut = invariant_on_slice(&a->lemmas, &s->proofs.lemmas, &a->slice, session_system(s));
    slice_seen(a, s);
    return t;
}
