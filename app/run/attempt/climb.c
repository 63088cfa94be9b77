/* CBMC from states that have been reached natively: goals that are a few steps away from a witness
 * but many from reset, and counters.
 *
 * A start is the state one step before a witness hits what an open goal implies. From there CBMC is
 * asked for the open goals and for runs in which a cell climbs; what climbs is prolonged natively
 * by repeating its end with every period, which reaches limits that no depth of unwinding does. */
#include "app/run/attempt/attempt.h"

#include "app/run/evidence.h"
#include "app/run/policy.h"
#include "base/mem.h"
#include "instrument/cbmc/goals.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_LOOKS = 64, /* open goals that a start is sought for */
    MOST_CLIMBERS = 40,
    CLIMB_STEPS = 17, /* a counter of 16 and one step more */
    FAR_STEPS = 4000, /* of a run that is prolonged */
    FEW_ITERATIONS = 16
};

struct start {
    struct input_events events; /* of the steps that lead there */
    uint32_t n_steps;
    VEC(uint64_t) cells;     /* by module.state */
    VEC(uint64_t) constants; /* by module.inputs */
};

struct climb {
    struct start start;
    VEC(uint32_t) probes;
    VEC(uint32_t) climbers;
    bool deep; /* twice as many steps */
};

static void start_free(struct start *start) {
    vec_free(&start->events);
    vec_free(&start->cells);
    vec_free(&start->constants);
}

static void climb_free(void *payload) {
    struct climb *c = payload;
    start_free(&c->start);
    vec_free(&c->probes);
    vec_free(&c->climbers);
    mem_free(c);
}

/* ---- in the child ---- */

static void send_run(enum record_kind kind, const struct cbmc_property *p, uint32_t probe) {
    struct str text = {0};
    str_addf(&text, "%u %u", probe, p->n_steps);
    for (size_t i = 0; i < p->events.len; i++)
        if (p->events.data[i].step != UINT32_MAX) /* the initialisation is that of the start */
            str_addf(&text, " %u %u %llu", p->events.data[i].step, p->events.data[i].input,
                     (unsigned long long)p->events.data[i].bits);
    task_record(kind, str_text(&text), text.len);
    str_free(&text);
}

/* Of each cell the climb in each direction that is the most likely to go on. */
static void send_climb(const struct cbmc_question *q, size_t i, const struct cbmc_output *answer) {
    static const enum cbmc_climb order[2][3] = {{CBMC_UP_ROUND, CBMC_UP_FAST, CBMC_UP},
                                                {CBMC_DOWN_ROUND, CBMC_DOWN_FAST, CBMC_DOWN}};
    for (int direction = 0; direction < 2; direction++)
        for (int k = 0; k < 3; k++) {
            const struct cbmc_property *p =
                cbmc_output_find(answer, cbmc_climb_number(q, i, order[direction][k]));
            if (!p || p->status != CBMC_FAILURE || !p->has_trace)
                continue;
            send_run(RECORD_climb, p, NONE);
            break;
        }
}

static size_t ask_from(struct task *t, struct cbmc_question *q, struct str *detail) {
    struct climb *c = t->payload;
    struct cbmc_output answer;
    size_t kept = 0, before = c->probes.len;
    q->start = c->start.cells.data;
    q->constants = c->start.constants.data;
    q->probes = c->probes.data;
    q->n_asked = c->probes.len;
    WINDOW_ADD(t->window, stats.cbmc_calls, 1);
    bool ok = cbmc_ask(q, &answer, detail);
    for (size_t i = 0; i < before; i++) {
        const struct cbmc_property *p = cbmc_output_find(&answer, c->probes.data[i]);
        if (p && p->status == CBMC_FAILURE && p->has_trace)
            send_run(RECORD_hit, p, c->probes.data[i]);
        else
            c->probes.data[kept++] = c->probes.data[i];
    }
    c->probes.len = kept;
    for (size_t i = 0; ok && i < q->n_climbers; i++)
        send_climb(q, i, &answer);
    cbmc_output_free(&answer);
    return before - kept;
}

static int climb_work(struct task *t) {
    struct climb *c = t->payload;
    const struct session *s = t->session;
    unsigned full = s->model.present ? s->model.lowered.iterations + 2 : FEW_ITERATIONS;
    struct cbmc_question q = {
        .run = {.cbmc = &s->cbmc,
                .ilp32 = s->woven.module.ilp32,
                .char_is_unsigned = !s->woven.module.char_is_signed,
                .unwind = full < FEW_ITERATIONS ? full : FEW_ITERATIONS,
                .seconds = t->seconds * 0.9,
                .cpu_seconds = t->seconds / POLICY_BUSY,
                .memory_mb = s->project.memory_mb},
        .base = {.woven = str_text(&s->woven.text), .module = &s->woven.module},
        .n_probes = s->woven.goals.n_probes,
        .steps = CLIMB_STEPS << c->deep,
        .climbers = c->climbers.data,
        .n_climbers = c->climbers.len,
    };
    struct str detail = {0};
    size_t hits = ask_from(t, &q, &detail);
    task_recordf(RECORD_status, "budget\tfrom a state that was reached: %zu hits%s%s", hits,
                 detail.len ? "; " : "", str_text(&detail));
    str_free(&detail);
    return 0;
}

/* ---- in the parent ---- */

/* The run of a record behind the way to its start. */
static bool read_run(const struct task *t, const char *data, struct scenario *scenario,
                     uint32_t *from, uint64_t *probe) {
    const struct climb *c = t->payload;
    const struct start *s = &c->start;
    uint64_t steps, step, input, bits;
    if (!task_next_number(&data, probe) || !task_next_number(&data, &steps) || steps > 1000000)
        return false;
    *from = s->n_steps;
    scenario->n_steps = s->n_steps + (uint32_t)steps;
    vec_append(&scenario->events, s->events.data, s->events.len);
    while (task_next_number(&data, &step)) {
        if (!task_next_number(&data, &input) || !task_next_number(&data, &bits) || step >= steps ||
            input >= t->session->woven.module.inputs.len)
            return false;
        vec_push(&scenario->events,
                 (struct input_event){(uint32_t)(*from + step), (uint32_t)input, bits});
    }
    return true;
}

/* The last `period` steps of the run again and again. */
static void prolong(const struct scenario *run, uint32_t period, struct scenario *longer) {
    assert(period > 0 && period <= run->n_steps);
    uint32_t begin = run->n_steps - period;
    longer->n_steps = run->n_steps;
    vec_clear(&longer->events);
    vec_append(&longer->events, run->events.data, run->events.len);
    size_t first = 0;
    while (first < run->events.len &&
           (run->events.data[first].step == UINT32_MAX || run->events.data[first].step < begin))
        first++;
    for (; longer->n_steps < run->n_steps + FAR_STEPS; longer->n_steps += period)
        for (size_t i = first; i < run->events.len; i++) {
            struct input_event e = run->events.data[i];
            e.step += longer->n_steps - begin;
            vec_push(&longer->events, e);
        }
}

static bool hits_something(const struct session *s, const struct scenario *scenario,
                           struct err *err) {
    struct native_run run = {.events = &scenario->events, .n_steps = scenario->n_steps};
    struct native_result result = {0};
    bool found = native_replay(simulate_zero(s->simulation), &run, &result, err);
    bool any = false;
    for (uint32_t p = 0; found && p < result.first_hit.len && !any; p++)
        any = result.first_hit.data[p].step != NATIVE_NEVER && !result.first_hit.data[p].tainted &&
              s->probes.data[p].status == STATUS_OPEN && s->probes.data[p].goals.len > 0;
    native_result_free(&result);
    return any;
}

static bool take_climb(struct task *t, const struct scenario *run, uint32_t from, struct err *err) {
    struct session *s = t->session;
    struct scenario longer = {0};
    bool ok = true;
    assert(from <= run->n_steps);
    for (uint32_t period = 1; ok && period <= run->n_steps - from; period++) {
        prolong(run, period, &longer);
        if (hits_something(s, &longer, err))
            ok = evidence_run(s, t->engine, &longer, NONE, t->result.wall_seconds, &t->successes,
                              err);
        ok = ok && err->code == ERR_NONE;
    }
    scenario_free(&longer);
    return ok;
}

static bool climb_take(struct task *t, enum record_kind kind, const char *data, struct err *err) {
    struct scenario run = {0};
    uint32_t from;
    uint64_t probe;
    bool ok = true;
    if (!read_run(t, data, &run, &from, &probe))
        str_add(&t->detail, "unreadable record");
    else if (kind == RECORD_climb)
        ok = take_climb(t, &run, from, err);
    else if (kind == RECORD_hit && probe < t->session->woven.goals.n_probes)
        ok = evidence_run(t->session, t->engine, &run, (uint32_t)probe, t->result.wall_seconds,
                          &t->successes, err);
    scenario_free(&run);
    return ok;
}

static bool climb_done(struct task *t, struct err *err) {
    (void)err;
    for (size_t i = 0; i < t->probes.len; i++) {
        struct probe *p = &t->session->probes.data[t->probes.data[i]];
        if (p->status == STATUS_OPEN)
            probe_tried(p, t->engine, str_text(&t->outcome));
    }
    return true;
}

static const struct task_type climb_type = {
    .name = "engine", .work = climb_work, .take = climb_take, .done = climb_done};

/* ---- starts ---- */

/* The state and constants that a witness leads to, without its last step. */
static bool replay_start(struct session *s, const struct witness *w, struct start *start,
                         struct err *err) {
    uint32_t n = w->steps > 1 ? w->steps - 1 : 0;
    struct native_run run = {.events = &w->events, .n_steps = n ? n : 1, .trace_steps = 1};
    struct native_result result = {0};
    run.trace_from = n ? n - 1 : 0;
    bool ok = native_replay(simulate_zero(s->simulation), &run, &result, err);
    if (ok && n == 0)
        vec_append(&start->cells, result.init_cells.data, result.init_cells.len);
    else if (ok)
        vec_append(&start->cells, result.cells.data, result.cells.len);
    native_result_free(&result);
    start->n_steps = n;
    vec_resize_zero(&start->constants, s->woven.module.inputs.len);
    for (size_t i = 0; i < w->events.len; i++) {
        const struct input_event *e = &w->events.data[i];
        if (e->step == UINT32_MAX)
            start->constants.data[e->input] = e->bits;
        if (e->step == UINT32_MAX || e->step < n)
            vec_push(&start->events, *e);
    }
    return ok && start->cells.len == s->woven.module.state.len;
}

static bool set_start(struct task *t, int64_t witness, struct err *err) {
    struct climb *c = t->payload;
    struct session *s = t->session;
    struct witness w = {0};
    struct arena arena = {0};
    bool ok = store_get_witness(s->db, witness, &w, &arena) && replay_start(s, &w, &c->start, err);
    witness_free(&w);
    arena_free(&arena);
    return ok;
}

/* Goals that everybody hits who hits the goal; transitively. */
static void mark_implied(const struct goals *goals, uint32_t goal, bool *marked) {
    marked[goal] = true;
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < goals->implications.len; i++) {
            struct implication m = goals->implications.data[i];
            more |= marked[m.a] && !marked[m.b];
            marked[m.b] |= marked[m.a];
        }
    }
}

/* The witness of the goal that was hardest to reach among those that this one implies; 0: none. */
static int64_t nearest_witness(const struct session *s, const struct stored_verdicts *all,
                               uint32_t goal) {
    bool *marked = mem_zalloc(s->woven.goals.list.len, sizeof *marked);
    const struct verdict *best = NULL;
    mark_implied(&s->woven.goals, goal, marked);
    for (size_t i = 0; i < all->len; i++) {
        const struct verdict *v = &all->data[i].verdict;
        if (v->goal < s->woven.goals.list.len && marked[v->goal] && v->status == STATUS_REACHABLE &&
            (!best || v->depth > best->depth))
            best = v;
    }
    mem_free(marked);
    return best ? best->witness : 0;
}

static uint32_t times_climbed(const struct session *s, int64_t witness) {
    const uint32_t *times = map_get(&s->climbed, (uint64_t)witness);
    return times ? *times : 0;
}

/* The one that was gone on from the least often; 0: none. */
static int64_t choose_witness(const struct task *t, const struct stored_verdicts *all) {
    const struct climb *c = t->payload;
    const struct session *s = t->session;
    uint32_t least = UINT32_MAX;
    int64_t best = 0;
    for (size_t i = 0; i < c->probes.len && i < MOST_LOOKS && least > 0; i++) {
        uint32_t goal = s->probes.data[c->probes.data[i]].goals.data[0];
        int64_t witness = nearest_witness(s, all, goal);
        if (witness == 0 || times_climbed(s, witness) >= least)
            continue;
        least = times_climbed(s, witness);
        best = witness;
    }
    return best;
}

/* Every other time from the same state it looks farther. */
static bool choose_start(struct task *t, struct err *err) {
    struct climb *c = t->payload;
    struct session *s = t->session;
    struct stored_verdicts all = {0};
    struct arena arena = {0};
    int64_t witness = store_verdicts(s->db, &all, &arena, err) ? choose_witness(t, &all) : 0;
    bool ok = witness != 0 && set_start(t, witness, err);
    if (ok) {
        uint32_t times = times_climbed(s, witness);
        c->deep = times % 2 == 1;
        map_put(&s->climbed, (uint64_t)witness, times + 1);
    }
    vec_free(&all);
    arena_free(&arena);
    return ok;
}

/* Integers of the state; where there is a model, those that the open goals depend on. */
static void choose_climbers(struct climb *c, const struct session *s) {
    for (uint32_t i = 0; i < s->woven.module.state.len && c->climbers.len < MOST_CLIMBERS; i++)
        if (cbmc_can_climb(&s->woven.module.state.data[i]))
            vec_push(&c->climbers, i);
}

static bool can_start(const struct session *s) {
    struct obligation base = {.module = &s->woven.module,
                              .sys = &s->model.sys,
                              .pointers = s->model.lowered.pointers.data,
                              .n_pointers = s->model.lowered.pointers.len,
                              .state = s->model.lowered.state.data};
    return s->model.present && !s->woven.module.task && cbmc_can_start(&base);
}

struct task *attempt_climb(struct session *s, const struct engine_row *row, const uint32_t *probes,
                           size_t n) {
    struct err err = {0};
    assert(attempt_climbs(row));
    if (!s->has_native || !can_start(s))
        return NULL;
    struct task *t = task_new(&climb_type, s);
    struct climb *c = t->payload = mem_zalloc(1, sizeof *c);
    t->free_payload = climb_free;
    t->engine = row->name;
    vec_append(&t->probes, probes, n);
    vec_append(&c->probes, probes, n);
    choose_climbers(c, s);
    bool ok = choose_start(t, &err);
    err_clear(&err);
    if (ok)
        return t;
    task_free(t);
    return NULL;
}
