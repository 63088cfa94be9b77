/* CBMC on the woven program, in a child: all open goals in one run, over more and more steps.
 *
 * cbmc-bmc goes on from the depth that the last attempt, or another engine for all of these goals,
 * has reached, and ends with the first depth that hits something: what can be reached from there is
 * found natively. cbmc-kind alternates base case and induction step relative to what is known to
 * hold. Both are claims like those of any other engine: runs are replayed, proofs are checked. */
#include "app/run/attempt/attempt.h"
#include "app/run/verdict.h"

#include "app/run/evidence.h"
#include "app/run/policy.h"
#include "base/mem.h"
#include "engines/invariant/trim.h"
#include "instrument/cbmc/goals.h"
#include "instrument/cbmc/task.h"
#include "model/system/derive.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum {
    FEW_ITERATIONS = 16, /* of inner loops, tried first */
    FEWER_BY = 8,
    LEMMA_TICKS = 20000000,
    MOST_SKIPPED = 60, /* steps: so many at once would take CBMC too long */
    LEMMAS_MOST = 400, /* more would cost CBMC more than they save */
};

struct cbmc_attempt {
    bool inductive;
    uint32_t first;                /* depth to begin with */
    uint32_t reached;              /* what this attempt has completed */
    VEC(uint32_t) probes;          /* undecided so far */
    struct invariant known;        /* clauses for the induction step */
    struct cbmc_question question; /* the next one */
    double ends, cpu;              /* by the clock; seconds of CPU time in all */
};

static void attempt_free(void *payload) {
    struct cbmc_attempt *a = payload;
    vec_free(&a->probes);
    invariant_free(&a->known);
    mem_free(a);
}

/* ---- in the child ---- */

static double time_left(const struct cbmc_attempt *a) {
    return a->ends - clock_seconds();
}

/* Of the processor, which counts on a busy machine; the clock has a say much later. */
static double cpu_left(const struct cbmc_attempt *a) {
    return a->cpu - clock_cpu(RUSAGE_CHILDREN);
}

/* False: there is too little of it. */
static bool set_time(const struct cbmc_attempt *a, struct cbmc_run *run) {
    run->seconds = time_left(a);
    run->cpu_seconds = cpu_left(a);
    return run->seconds >= 1 && run->cpu_seconds >= 1;
}

static void send_hit(const struct cbmc_property *p) {
    struct str text = {0};
    str_addf(&text, "%u %u", p->number, p->n_steps);
    for (size_t i = 0; i < p->events.len; i++)
        str_addf(&text, " %u %u %llu", p->events.data[i].step, p->events.data[i].input,
                 (unsigned long long)p->events.data[i].bits);
    task_record(RECORD_hit, str_text(&text), text.len);
    str_free(&text);
}

/* Takes the goals that failed out of the list; their runs are sent. How many there were. */
static size_t send_hits(struct cbmc_attempt *a, const struct cbmc_output *answer, bool send) {
    size_t kept = 0, n = a->probes.len;
    for (size_t i = 0; i < n; i++) {
        const struct cbmc_property *p = cbmc_output_find(answer, a->probes.data[i]);
        bool failed = p && p->status == CBMC_FAILURE;
        if (failed && send && p->has_trace)
            send_hit(p);
        if (!failed)
            a->probes.data[kept++] = a->probes.data[i];
    }
    a->probes.len = kept;
    return n - kept;
}

/* The goals that are excluded, as "<depth> <probe> <probe> …". */
static void send_excluded(const struct cbmc_attempt *a, const struct cbmc_output *answer,
                          enum record_kind kind, uint32_t depth) {
    struct str text = {0};
    str_addf(&text, "%u", depth);
    for (size_t i = 0; i < a->probes.len; i++) {
        const struct cbmc_property *p = cbmc_output_find(answer, a->probes.data[i]);
        if (p && p->status == CBMC_SUCCESS)
            str_addf(&text, " %u", p->number);
    }
    if (strchr(str_text(&text), ' '))
        task_record(kind, str_text(&text), text.len);
    str_free(&text);
}

static unsigned full_unwind(const struct task *t) {
    const struct session *s = t->session;
    return s->model.present ? s->model.lowered.iterations + 2 : FEW_ITERATIONS * FEWER_BY;
}

static bool any_failed(const struct cbmc_output *answer) {
    for (size_t i = 0; i < answer->properties.len; i++)
        if (answer->properties.data[i].status == CBMC_FAILURE)
            return true;
    return false;
}

/* One depth, with loops followed further until that is enough or as far as the model did. */
static bool ask(struct task *t, bool inductive, uint32_t steps, struct cbmc_output *answer,
                struct str *detail) {
    struct cbmc_attempt *a = t->payload;
    struct cbmc_question *q = &a->question;
    unsigned full = full_unwind(t);
    q->inductive = inductive;
    q->steps = steps;
    q->probes = a->probes.data;
    q->n_asked = a->probes.len;
    if (q->run.unwind == 0)
        q->run.unwind = full < FEW_ITERATIONS ? full : FEW_ITERATIONS;
    for (;;) {
        str_clear(detail);
        if (!set_time(a, &q->run)) {
            cbmc_output_init(answer);
            str_add(detail, "time");
            return false;
        }
        WINDOW_ADD(t->window, stats.cbmc_calls, 1);
        bool ok = cbmc_ask(q, answer, detail);
        bool again = ok && answer->unwinding_failed && !any_failed(answer);
        if (!again || q->run.unwind >= full)
            return ok;
        cbmc_output_free(answer);
        q->run.unwind = q->run.unwind * FEWER_BY < full ? q->run.unwind * FEWER_BY : full;
    }
}

static uint32_t next_depth(uint32_t depth) {
    return depth + (depth < 4 ? 1 : depth / 2);
}

/* BMC_k; false when it came to no end or hit something. */
static bool base_case(struct task *t, uint32_t depth, struct str *detail) {
    struct cbmc_attempt *a = t->payload;
    struct cbmc_output answer;
    bool ok = ask(t, false, depth, &answer, detail);
    size_t hits = send_hits(a, &answer, true);
    if (ok && !answer.unwinding_failed) {
        send_excluded(a, &answer, RECORD_bound, depth);
        a->reached = depth;
        task_recordf(RECORD_depth, "%u", depth);
        WINDOW_ADD(t->window, stats.depths, 1);
        WINDOW_EVENT(t->window, "depth", "\"steps\":%u", depth);
    } else if (ok) {
        str_add(detail, "loops run longer than the model follows them");
        ok = false;
    }
    cbmc_output_free(&answer);
    return ok && hits == 0;
}

/* IND_k: what it excludes is dead, because the base case has been seen before. */
static bool induction_step(struct task *t, uint32_t depth, struct str *detail) {
    struct cbmc_attempt *a = t->payload;
    struct cbmc_output answer;
    VEC(uint32_t) before = {0};
    vec_append(&before, a->probes.data, a->probes.len);
    bool ok = ask(t, true, depth, &answer, detail);
    if (ok && !answer.unwinding_failed) {
        send_hits(a, &answer, false); /* not inductive yet */
        send_excluded(a, &answer, RECORD_dead, depth);
        vec_clear(&a->probes);
        for (size_t i = 0; i < before.len; i++) {
            const struct cbmc_property *p = cbmc_output_find(&answer, before.data[i]);
            if (!p || p->status != CBMC_SUCCESS)
                vec_push(&a->probes, before.data[i]);
        }
    }
    vec_free(&before);
    cbmc_output_free(&answer);
    return ok;
}

/* Clauses over other cells do not matter, unless they relate them to these. */
static void choose_known(struct task *t) {
    struct cbmc_attempt *a = t->payload;
    const struct session *s = t->session;
    struct slice slice;
    VEC(uint32_t) targets = {0};
    VEC(bool) inside = {0};
    assert(!s->model.keeps_loops && "a step of the model is one of the program");
    for (size_t i = 0; i < a->probes.len; i++)
        vec_push(&targets, s->probes.data[a->probes.data[i]].target);
    slice_make(&slice, session_system(s), targets.data, targets.len);
    vec_resize_zero(&inside, s->model.sys.cells.len);
    for (size_t i = 0; i < slice.cell_map.len; i++)
        inside.data[slice.cell_map.data[i]] = true;
    for (size_t i = 0; i < s->proofs.lemmas.clauses.len; i++) {
        const struct clause *c = &s->proofs.lemmas.clauses.data[i];
        bool fits = true;
        for (size_t b = 0; b < c->len; b++)
            fits &= cell_within(session_system(s), c->data[b].cell, inside.data) &&
                    (!bound_is_sum(c->data[b]) || inside.data[c->data[b].other]);
        if (fits)
            invariant_add(&a->known, c->data, c->len);
    }
    invariant_keep_inductive(session_system(s), &a->known, LEMMA_TICKS);
    if (a->known.clauses.len > LEMMAS_MOST ||
        invariant_check(session_system(s), &a->known, LEMMA_TICKS, NULL) != SOLVER_UNSAT) {
        invariant_free(&a->known);
        invariant_init(&a->known);
    }
    slice_free(&slice);
    vec_free(&inside);
    vec_free(&targets);
}

static void set_question(struct task *t) {
    struct cbmc_attempt *a = t->payload;
    const struct session *s = t->session;
    a->question = (struct cbmc_question){
        .run = {.cbmc = &s->cbmc,
                .ilp32 = s->woven.module.ilp32,
                .char_is_unsigned = !s->woven.module.char_is_signed,
                .memory_mb = s->project.memory_mb},
        .base = {.woven = str_text(&s->woven.text), .module = &s->woven.module},
        .n_probes = s->woven.goals.n_probes,
    };
    if (!a->inductive)
        return;
    choose_known(t);
    a->question.base.sys = session_system(s);
    a->question.base.pointers = s->model.lowered.pointers.data;
    a->question.base.n_pointers = s->model.lowered.pointers.len;
    a->question.base.state = s->model.lowered.state.data;
    a->question.base.invariant = &a->known;
}

static void send_known(const struct task *t) {
    const struct cbmc_attempt *a = t->payload;
    struct str text = {0};
    invariant_write(&a->known, session_system(t->session), &text);
    task_record(RECORD_known, str_text(&text), text.len);
    str_free(&text);
}

/* A verification task: all its loops followed further and further; the error is probe 0. */
static int task_work(struct task *t) {
    struct cbmc_attempt *a = t->payload;
    struct str detail = {0};
    bool more = true, all = false;
    set_question(t);
    for (uint32_t depth = a->first; more && !all; depth = next_depth(depth)) {
        struct cbmc_output answer;
        struct cbmc_run run = a->question.run;
        run.unwind = depth;
        if (!set_time(a, &run))
            break;
        WINDOW_ADD(t->window, stats.cbmc_calls, 1);
        more = cbmc_task_ask(&run, str_text(&t->session->woven.text), &answer, &detail) &&
               send_hits(a, &answer, true) == 0;
        all = more && !answer.unwinding_failed;
        if (more)
            task_recordf(RECORD_depth, "%u", a->reached = depth);
        cbmc_output_free(&answer);
    }
    task_recordf(RECORD_status, "%s\t%s%u iterations%s%s", all ? "gave up" : "budget",
                 all ? "no error within all " : "", a->reached, detail.len ? "; " : "",
                 str_text(&detail));
    str_free(&detail);
    return 0;
}

static int cbmc_work(struct task *t) {
    struct cbmc_attempt *a = t->payload;
    struct str detail = {0};
    a->ends = clock_seconds() + t->seconds * 0.95;
    a->cpu = t->seconds / POLICY_BUSY;
    if (t->session->woven.module.task)
        return task_work(t);
    set_question(t);
    if (a->inductive)
        send_known(t);
    bool more = true;
    for (uint32_t depth = a->first; more && a->probes.len > 0; depth = next_depth(depth))
        more = base_case(t, depth, &detail) &&
               (!a->inductive || a->probes.len == 0 || induction_step(t, depth, &detail));
    task_recordf(RECORD_status, "%s\tdepth %u%s%s", a->probes.len > 0 ? "budget" : "done",
                 a->reached, detail.len ? "; " : "", str_text(&detail));
    str_free(&detail);
    return 0;
}

/* ---- in the parent ---- */

static bool take_hit(struct task *t, const char *data, struct err *err) {
    struct session *s = t->session;
    struct scenario scenario = {0};
    uint64_t probe = 0, steps = 0, step, input, bits;
    bool good = task_next_number(&data, &probe) && task_next_number(&data, &steps) &&
                probe < s->woven.goals.n_probes && steps <= UINT32_MAX;
    while (good && task_next_number(&data, &step)) {
        good = task_next_number(&data, &input) && task_next_number(&data, &bits) &&
               input < s->woven.module.inputs.len && (step == UINT32_MAX || step < steps);
        if (good)
            vec_push(&scenario.events, (struct input_event){(uint32_t)step, (uint32_t)input, bits});
    }
    scenario.n_steps = (uint32_t)steps;
    bool ok = true;
    if (good)
        ok = evidence_run(s, t->engine, &scenario, (uint32_t)probe, t->result.wall_seconds,
                          &t->successes, err);
    scenario_free(&scenario);
    return ok;
}

/* Its word about a goal that depends on a choice is about one possibility of several. */
static bool can_exclude(const struct session *s, uint64_t probe) {
    assert(s->model.present || !s->model.choice);
    uint32_t target = probe < s->woven.goals.n_probes ? s->probes.data[probe].target : NONE;
    return s->model.present && target != NONE && !s->model.choice[target];
}

static bool take_bound(struct task *t, const char *data, struct err *err) {
    uint64_t depth, probe;
    bool ok = task_next_number(&data, &depth);
    while (ok && task_next_number(&data, &probe))
        ok = !can_exclude(t->session, probe) ||
             session_bound(t->session, t->engine, (uint32_t)probe, (int64_t)depth, err);
    return ok;
}

static void take_dead(struct task *t, const char *data) {
    struct cbmc_attempt *a = t->payload;
    struct session *s = t->session;
    struct invariant proof;
    uint64_t depth, probe;
    if (!task_next_number(&data, &depth) || depth == 0)
        return;
    invariant_init(&proof);
    invariant_copy(&proof, &a->known);
    proof.k = (uint32_t)depth;
    while (task_next_number(&data, &probe) && probe < s->woven.goals.n_probes)
        if (session_is_open(s, (uint32_t)probe) && can_exclude(s, probe))
            vec_push(&proof.targets, s->probes.data[probe].target);
    t->successes += (uint32_t)proof.targets.len;
    evidence_proof(s, t->engine, &proof, 0, t->result.wall_seconds);
}

static bool cbmc_take(struct task *t, enum record_kind kind, const char *data, struct err *err) {
    struct cbmc_attempt *a = t->payload;
    struct err bad = {0};
    if (kind == RECORD_hit)
        return take_hit(t, data, err);
    if (kind == RECORD_bound)
        return take_bound(t, data, err);
    if (kind == RECORD_dead)
        take_dead(t, data);
    else if (kind == RECORD_depth)
        a->reached = (uint32_t)strtoul(data, NULL, 10);
    else if (kind != RECORD_known || !invariant_read(&a->known, &t->session->model.sys, data, &bad))
        str_addf(&t->detail, "unreadable record: %s", str_text(&bad.message));
    err_clear(&bad);
    return true;
}

static bool cbmc_done(struct task *t, struct err *err) {
    struct cbmc_attempt *a = t->payload;
    (void)err;
    if (a->reached >= a->first)
        t->session->cbmc_depth[a->inductive] = a->reached;
    for (size_t i = 0; i < t->probes.len; i++) {
        struct probe *p = &t->session->probes.data[t->probes.data[i]];
        if (p->status == STATUS_OPEN)
            probe_tried(p, t->engine, str_text(&t->outcome));
    }
    return true;
}

static const struct task_type cbmc_type = {
    .name = "engine", .work = cbmc_work, .take = cbmc_take, .done = cbmc_done};

bool attempt_cbmc_engine(const struct session *s, const struct engine_row *row) {
    bool inductive = engine_does(row, ENGINE_PROVES);
    if ((s->woven.module.task || s->model.keeps_loops) && inductive)
        return false; /* heads of loops have no place in C to put an invariant */
    return row->home == ENGINE_CBMC && s->has_cbmc && (s->model.present || !inductive);
}

/* Steps in which no run hits any of them, whoever has shown it: no use asking for as few. */
static uint32_t least_bound(const struct session *s, const uint32_t *probes, size_t n) {
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < n; i++)
        if (s->probes.data[probes[i]].bound < least)
            least = s->probes.data[probes[i]].bound;
    bool known = n > 0 && least > 0 && least < MOST_SKIPPED && session_overruns_dead(s);
    return known && !s->woven.module.task ? (uint32_t)least : 0;
}

struct task *attempt_cbmc(struct session *s, const struct engine_row *row, const uint32_t *probes,
                          size_t n) {
    assert(attempt_cbmc_engine(s, row));
    struct task *t = task_new(&cbmc_type, s);
    struct cbmc_attempt *a = t->payload = mem_zalloc(1, sizeof *a);
    t->free_payload = attempt_free;
    t->engine = row->name;
    invariant_init(&a->known);
    a->inductive = engine_does(row, ENGINE_PROVES);
    uint32_t done = s->cbmc_depth[a->inductive];
    if (!a->inductive && least_bound(s, probes, n) > done)
        done = least_bound(s, probes, n);
    a->first = next_depth(done);
    for (size_t i = 0; i < n; i++)
        if (probes[i] < s->woven.goals.n_probes) { /* CBMC knows nothing of overruns */
            vec_push(&t->probes, probes[i]);
            vec_push(&a->probes, probes[i]);
        }
    return t;
}
