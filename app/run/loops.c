/* May a loop go on? The solver is asked with a small budget while loops are unrolled. Is a loop
 * that was cut off reached at once? Bounded model checking of a few steps says so, and then the
 * program is lowered again with its loops kept. */
#include "app/run/loops.h"
#include "app/run/budget.h"
#include "app/run/verdict.h"

#include "app/run/session.h"
#include "base/child.h"
#include "base/mem.h"

#include <string.h>

enum { QUESTION_TICKS = 50000, FIRST_STEPS = 2, FIRST_TICKS = 10000000, FIRST_SECONDS = 10 };

/* ---- while a program is lowered ---- */

static bool may_hold(void *context, struct terms *ts, term_t condition) {
    (void)context;
    assert(term_sort(ts, condition) == SORT_BOOL);
    struct solver *s = solver_new(&(struct solver_options){.seed = 1});
    struct frame *frame = solver_frame_new(s, ts);
    struct slit holds = slit_true(solver_encode(s, frame, condition));
    enum solver_result answer = solver_solve(s, &holds, 1, QUESTION_TICKS);
    solver_free(s);
    return answer != SOLVER_UNSAT;
}

void loops_ask(struct lower_options *options) {
    assert(!options->satisfiable);
    options->satisfiable = may_hold;
}

/* ---- a model with its loops kept ----
 *
 * For modules whose loops have no end that unrolling would find. The unrolled model comes first,
 * for its steps are those of the module, and most loops end. */

struct model {
    struct terms terms;
    struct system sys;
    struct lowered lowered;
};

/* As lowering names them (instrument/lower/execute.c). */
static bool is_loop(const struct target *t) {
    return t->kind == TARGET_OVERRUN && (str_starts(t->name, "a loop that does not end") ||
                                         str_starts(t->name, "a loop that goes on"));
}

static bool loses_loops(const struct system *sys) {
    for (size_t i = 0; i < sys->targets.len; i++)
        if (is_loop(&sys->targets.data[i]))
            return true;
    return false;
}

bool session_loops_open(const struct session *s) {
    return s->model.present && !s->model.keeps_loops && !s->model.loops_stay_open &&
           !s->woven.module.task && loses_loops(&s->model.sys) && !session_overruns_dead(s);
}

/* ---- is one of them reached at once? ---- */

static void note_hit(void *context, const struct fact *fact) {
    bool *hit = context;
    *hit |= fact->kind == FACT_HIT;
}

static int seek_loop(void *context) {
    const struct session *s = context;
    const struct engine *bmc = engine_find("bmc")->engine;
    bool hit = false;
    struct system sys = s->model.sys;
    VEC(uint32_t) targets = {0};
    for (uint32_t i = 0; i < sys.targets.len; i++)
        if (is_loop(&sys.targets.data[i]))
            vec_push(&targets, i);
    struct engine_input input = {.sys = &sys,
                                 .targets = targets.data,
                                 .n_targets = targets.len,
                                 .report = note_hit,
                                 .context = &hit};
    input.options.seed = s->project.seed;
    input.options.max_depth = FIRST_STEPS;
    input.options.knobs = s->knobs;
    void *run = bmc->open(&input);
    (void)bmc->step(run, FIRST_TICKS);
    bmc->close(run);
    vec_free(&targets);
    return hit;
}

bool session_try_loops(struct session *s, struct err *err) {
    struct child_result result = {0};
    struct child_spec spec = {.body = seek_loop,
                              .context = s,
                              .wall_seconds = FIRST_SECONDS,
                              .memory_mb = s->project.memory_mb};
    if (!session_loops_open(s) || session_must_end(s))
        return true;
    if (!child_run(&spec, &result, err))
        return false;
    if (result.end == CHILD_EXITED && result.code == 1)
        session_lose_overruns(s);
    child_result_free(&result);
    return true;
}

/* ---- the other model ---- */

static void model_free(struct model *m) {
    lowered_free(&m->lowered);
    system_free(&m->sys);
    terms_free(&m->terms);
}

static bool lower_model(struct session *s, struct model *m) {
    struct err err = {0};
    struct lower_options options = {.n_probes = s->woven.goals.n_probes,
                                    .keep_loops = true,
                                    .total_seconds = s->project.total_seconds,
                                    .stop = session_must_end,
                                    .stop_context = s};
    loops_ask(&options);
    terms_init(&m->terms);
    system_init(&m->sys, &m->terms);
    m->lowered = (struct lowered){0};
    bool ok =
        lower(str_text(&s->woven.text), &s->woven.module, &options, &m->sys, &m->lowered, &err);
    err_clear(&err);
    if (ok && !loses_loops(&m->sys))
        return true;
    if (ok)
        lowered_free(&m->lowered);
    system_free(&m->sys);
    terms_free(&m->terms);
    return false;
}

static void forget_claims(struct claims *claims) {
    for (size_t i = 0; i < claims->len; i++)
        invariant_free(&claims->data[i].invariant);
    vec_clear(claims);
}

/* All that speaks of the cells and targets of the model before. */
static void forget_model(struct session *s) {
    forget_claims(&s->proofs.waiting);
    forget_claims(&s->proofs.unconfirmed);
    forget_claims(&s->proofs.unasked);
    forget_claims(&s->proofs.held);
    invariant_free(&s->proofs.lemmas);
    invariant_init(&s->proofs.lemmas);
    invariant_free(&s->proofs.ground);
    invariant_init(&s->proofs.ground);
    mem_free(s->seen);
    s->seen = NULL;
    vec_clear(&s->model.target_probe);
    vec_clear(&s->model.cell_of_state);
    for (size_t i = s->woven.goals.n_probes; i < s->probes.len; i++) {
        vec_free(&s->probes.data[i].goals);
        str_free(&s->probes.data[i].tried);
    }
    vec_truncate(&s->probes, s->woven.goals.n_probes);
    for (size_t i = 0; i < s->probes.len; i++) {
        s->probes.data[i].target = NONE;
        s->probes.data[i].held = false;
        s->probes.data[i].bound = -1;
    }
}

/* Every proof says where a run can be; by that it is known later which model it is about. */
static void add_places(struct session *s) {
    struct bound at = {.cell = lowered_place(&s->model.sys), .kind = BOUND_GE, .ordinal = 1};
    if (at.cell == NONE)
        return;
    invariant_add(&s->proofs.ground, &at, 1);
    at.kind = BOUND_LE;
    at.ordinal = (int64_t)s->model.lowered.places.len;
    invariant_add(&s->proofs.ground, &at, 1);
}

/* What the model before could not follow, and what this one cannot. */
static bool change_limitations(struct session *s, const struct lowered *now, struct err *err) {
    bool ok = true;
    for (size_t i = 0; ok && i < s->model.lowered.limitations.len; i++)
        ok = store_lift_limitation(s->db, &s->model.lowered.limitations.data[i], err);
    for (size_t i = 0; ok && i < now->limitations.len; i++)
        ok = store_limitation(s->db, &now->limitations.data[i], err);
    return ok;
}

bool session_keep_loops(struct session *s, struct err *err) {
    struct model m;
    assert(session_loops_open(s));
    s->model.loops_stay_open = !lower_model(s, &m);
    if (s->model.loops_stay_open)
        return true;
    bool ok = change_limitations(s, &m.lowered, err);
    forget_model(s);
    model_free(&(struct model){s->model.terms, s->model.sys, s->model.lowered});
    s->model.terms = m.terms;
    s->model.sys = m.sys;
    s->model.sys.terms = &s->model.terms;
    s->model.lowered = m.lowered;
    s->model.keeps_loops = true;
    session_connect(s);
    add_places(s);
    log_detail(s->log, "loops are kept: %zu places", s->model.lowered.places.len);
    return ok;
}
