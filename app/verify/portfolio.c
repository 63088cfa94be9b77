/* portfolio: see portfolio.h. A job is one child: a search, an engine with a budget, or the check
 * of a proof. Checks go first; else the engines take turns, each round with four times the budget.
 */
#include "app/verify/portfolio.h"

#include "app/run/interrupt.h"
#include "app/run/task.h"
#include "base/child.h"
#include "base/mem.h"
#include "engines/engine.h"
#include "engines/invariant/trim.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUND_LIMIT = 16, BUDGET_GROWTH_BITS = 2, ALL_TARGETS_ROUNDS = 2 };
enum { OUTPUT_MAX = 1 << 28, CHECK_TICKS = 200000000 };
static const double poll_seconds = 0.2;

enum job_kind { JOB_SEARCH, JOB_ENGINE, JOB_CHECK };

struct race;

struct claimed {
    const char *engine;
    struct invariant invariant; /* over the whole system */
};

struct job {
    struct race *race;
    enum job_kind kind;
    size_t row; /* JOB_ENGINE: in race->rows */
    uint64_t ticks;
    uint32_t round;
    struct claimed claim;  /* JOB_CHECK */
    VEC(uint32_t) targets; /* of the slice */
    struct child *child;
};

/* One engine, or the search (engine NULL). */
struct entrant {
    const struct engine_row *row;
    uint32_t round;
    bool running, gave_up;
};

struct race {
    const struct portfolio *p;
    struct portfolio_result *result;
    struct slice slice;
    VEC(struct entrant) rows;
    VEC(struct job *) jobs;
    VEC(struct claimed) claims;
    VEC(bool) dead;          /* by target of the system */
    struct invariant lemmas; /* over the slice */
    size_t turn;
    unsigned n_jobs;
    double started;
};

static double seconds_left(const struct race *r) {
    return r->p->seconds - (clock_seconds() - r->started);
}

/* ---- in the child ---- */

static void send_fact(void *context, const struct fact *fact) {
    const struct job *j = context;
    struct str text = {0};
    fact_write(fact, &j->race->slice.sys, &text);
    task_record("fact", str_text(&text), text.len);
    str_free(&text);
}

static int run_engine(struct job *j) {
    struct race *r = j->race;
    const struct engine *engine = r->rows.data[j->row].row->engine;
    struct engine_input input = {.sys = &r->slice.sys,
                                 .targets = j->targets.data,
                                 .n_targets = j->targets.len,
                                 .lemmas = &r->lemmas,
                                 .options = {.seed = r->p->seed, .knobs = knobs_default},
                                 .report = send_fact,
                                 .context = j};
    void *run = engine->open(&input);
    enum engine_status status = engine->step(run, j->ticks);
    engine->close(run);
    task_recordf("status", "%s", status == ENGINE_GAVE_UP ? "gave up" : "done");
    return 0;
}

static int run_check(struct job *j) {
    struct str what = {0};
    enum solver_result said =
        invariant_check(j->race->p->sys, &j->claim.invariant, CHECK_TICKS, &what);
    task_recordf("answer", "%d %s", (int)said, str_text(&what));
    str_free(&what);
    return 0;
}

static int job_body(void *context) {
    struct job *j = context;
    int code = j->kind == JOB_ENGINE  ? run_engine(j)
               : j->kind == JOB_CHECK ? run_check(j)
                                      : j->race->p->search(j->race->p->context, j->round);
    fflush(stdout);
    return code;
}

/* ---- starting ---- */

static bool start(struct race *r, struct job *job, struct err *err) {
    struct job *j = mem_zalloc(1, sizeof *j);
    *j = *job;
    j->race = r;
    struct child_spec spec = {.body = job_body,
                              .context = j,
                              .wall_seconds = seconds_left(r),
                              .memory_mb = r->p->memory_mb,
                              .output_bytes = OUTPUT_MAX};
    j->child = child_start(&spec, err);
    if (!j->child) {
        mem_free(j);
        return false;
    }
    vec_push(&r->jobs, j);
    return true;
}

static void open_targets(const struct race *r, struct job *j) {
    for (uint32_t t = 0; t < r->slice.target_map.len; t++)
        if (!r->dead.data[r->slice.target_map.data[t]])
            vec_push(&j->targets, t);
}

/* Whose turn it is: the one with the fewest rounds so far, in the order of the table. */
static struct entrant *next_entrant(struct race *r) {
    struct entrant *next = NULL;
    for (size_t i = 0; i < r->rows.len; i++) {
        struct entrant *e = &r->rows.data[i];
        bool over = e->round >= ROUND_LIMIT ||
                    (e->row && e->row->engine->all_targets && e->round >= ALL_TARGETS_ROUNDS);
        if (!e->running && !e->gave_up && !over && (!next || e->round < next->round))
            next = e;
    }
    return next;
}

static bool start_check(struct race *r, struct err *err) {
    struct job j = {.kind = JOB_CHECK, .claim = r->claims.data[0]};
    memmove(r->claims.data, r->claims.data + 1, (r->claims.len - 1) * sizeof *r->claims.data);
    r->claims.len--;
    return start(r, &j, err);
}

static bool start_entrant(struct race *r, struct entrant *e, struct err *err) {
    struct job j = {.kind = e->row ? JOB_ENGINE : JOB_SEARCH, .round = e->round};
    j.row = (size_t)(e - r->rows.data);
    if (e->row) {
        j.ticks = e->row->start_ticks << BUDGET_GROWTH_BITS * e->round;
        open_targets(r, &j);
    }
    e->round++;
    e->running = true;
    return start(r, &j, err);
}

static bool fill(struct race *r, struct err *err) {
    while (r->jobs.len < r->n_jobs) {
        struct entrant *e = r->claims.len ? NULL : next_entrant(r);
        if (!r->claims.len && !e)
            return true;
        if (e ? !start_entrant(r, e, err) : !start_check(r, err))
            return false;
    }
    return true;
}

/* ---- what comes back ---- */

static void decide(struct race *r, enum status answer, const char *engine, int64_t depth) {
    if (r->result->answer != STATUS_OPEN)
        return;
    r->result->answer = answer;
    r->result->engine = engine;
    r->result->depth = depth;
}

static void take_hit(struct race *r, const char *engine, const struct fact *fact) {
    if (fact->target != r->p->goal) {
        r->result->overrun = true;
    } else if (r->p->confirm(r->p->context, &fact->trace)) {
        decide(r, STATUS_REACHABLE, engine, fact->trace.n_steps);
    } else {
        r->result->unconfirmed = true;
        log_detail(r->p->log, "%s: a run that reaches the error was not confirmed", engine);
    }
}

static void take_lemma(struct race *r, const struct fact *fact) {
    for (size_t i = 0; i < fact->invariant.clauses.len; i++)
        invariant_add(&r->lemmas, fact->invariant.clauses.data[i].data,
                      fact->invariant.clauses.data[i].len);
}

static void take_fact(struct race *r, const char *engine, const struct fact *found) {
    struct fact fact;
    if (found->kind == FACT_LEMMA) {
        take_lemma(r, found);
        return;
    }
    fact_init(&fact, found->kind);
    fact_lift(&fact, found, &r->slice, r->p->sys);
    if (fact.kind == FACT_HIT) {
        take_hit(r, engine, &fact);
    } else if (fact.kind == FACT_BOUND && fact.target == r->p->goal) {
        if (fact.depth > r->result->bound)
            r->result->bound = fact.depth;
    } else if (fact.kind == FACT_DEAD) {
        struct claimed claim = {.engine = engine, .invariant = fact.invariant};
        invariant_init(&fact.invariant);
        vec_push(&r->claims, claim);
    }
    fact_free(&fact);
}

static bool all_dead(const struct race *r) {
    for (size_t i = 0; i < r->slice.target_map.len; i++)
        if (!r->dead.data[r->slice.target_map.data[i]])
            return false;
    return true;
}

static void confirmed(struct race *r, struct claimed *claim) {
    for (size_t i = 0; i < claim->invariant.targets.len; i++) {
        uint32_t t = claim->invariant.targets.data[i];
        if (t == r->p->goal && !r->dead.data[t]) {
            invariant_free(&r->result->proof);
            invariant_copy(&r->result->proof, &claim->invariant);
            r->result->engine = claim->engine;
        }
        r->dead.data[t] = true;
    }
    if (all_dead(r))
        decide(r, STATUS_DEAD, r->result->engine, r->result->proof.k);
}

static void take_answer(struct race *r, struct job *j, const char *text) {
    enum solver_result said = (enum solver_result)strtol(text, NULL, 10);
    if (said == SOLVER_UNSAT) {
        confirmed(r, &j->claim);
        return;
    }
    if (said == SOLVER_SAT)
        r->result->refuted = true;
    log_warning(r->p->log, "a proof by %s %s: %s", j->claim.engine,
                said == SOLVER_SAT ? "failed its check" : "was not confirmed in time", text);
}

static void take_record(struct race *r, struct job *j, const char *kind, const char *text) {
    struct entrant *e = &r->rows.data[j->row];
    if (j->kind == JOB_CHECK && str_same(kind, "answer")) {
        take_answer(r, j, text);
    } else if (j->kind == JOB_SEARCH && str_same(kind, "found")) {
        if (r->p->found(r->p->context, text))
            decide(r, STATUS_REACHABLE, "simulate", -1);
    } else if (j->kind == JOB_ENGINE && str_same(kind, "status")) {
        e->gave_up = str_same(text, "gave up");
    } else if (j->kind == JOB_ENGINE && str_same(kind, "fact")) {
        struct fact fact;
        struct err bad = {0};
        fact_init(&fact, FACT_BOUND);
        if (fact_read(&fact, &r->slice.sys, text, &bad))
            take_fact(r, e->row->name, &fact);
        else
            log_detail(r->p->log, "%s: unreadable fact: %s", e->row->name, str_text(&bad.message));
        err_clear(&bad);
        fact_free(&fact);
    }
}

static void take_output(struct race *r, struct job *j, struct str *out) {
    const char *kind;
    char *body;
    str_addc(out, '\0');
    char *data = out->data, *end = out->data + out->len - 1;
    while (data < end && (data = task_next_record(data, end, &kind, &body)))
        take_record(r, j, kind, body);
}

static void finish(struct race *r, struct job *j) {
    struct child_result result;
    child_finish(j->child, &result);
    if (j->kind != JOB_CHECK)
        r->rows.data[j->row].running = false;
    take_output(r, j, &result.out);
    if (result.end == CHILD_SIGNALLED || result.end == CHILD_MEMORY)
        log_detail(r->p->log, "%s: ended by %s",
                   j->kind == JOB_ENGINE ? r->rows.data[j->row].row->name : "a child",
                   result.end == CHILD_MEMORY ? "the memory limit" : "a signal");
    if (result.end == CHILD_MEMORY && j->kind == JOB_ENGINE)
        r->rows.data[j->row].gave_up = true;
    child_result_free(&result);
    invariant_free(&j->claim.invariant);
    vec_free(&j->targets);
    mem_free(j);
}

static void reap(struct race *r) {
    size_t kept = 0;
    for (size_t i = 0; i < r->jobs.len; i++) {
        struct job *j = r->jobs.data[i];
        if (child_ended(j->child))
            finish(r, j);
        else
            r->jobs.data[kept++] = j;
    }
    r->jobs.len = kept;
}

/* ---- the race ---- */

static bool over(const struct race *r) {
    return r->result->answer != STATUS_OPEN || r->result->refuted || interrupted() ||
           seconds_left(r) <= 0;
}

static bool run(struct race *r, struct err *err) {
    while (!over(r)) {
        if (!fill(r, err))
            return false;
        if (r->jobs.len == 0)
            return true;
        VEC(struct child *) children = {0};
        for (size_t i = 0; i < r->jobs.len; i++)
            vec_push(&children, r->jobs.data[i]->child);
        children_wait(children.data, children.len, poll_seconds);
        vec_free(&children);
        reap(r);
        log_progress(r->p->log, "open, bound %lld; %.0f s of %.0f s", (long long)r->result->bound,
                     clock_seconds() - r->started, r->p->seconds);
    }
    return true;
}

static bool wanted(const struct portfolio *p, const char *name) {
    for (size_t i = 0; p->engines && i < p->engines->len; i++)
        if (str_same(p->engines->data[i], name))
            return true;
    return !p->engines || p->engines->len == 0;
}

static void enter(struct race *r) {
    const struct portfolio *p = r->p;
    for (const struct engine_row *row = engine_rows; row->name; row++) {
        bool search = !row->engine && p->search && str_same(row->name, "simulate");
        if (wanted(p, row->name) && (row->engine || search))
            vec_push(&r->rows, (struct entrant){.row = row->engine ? row : NULL});
    }
    VEC(uint32_t) targets = {0};
    vec_push(&targets, p->goal);
    vec_append(&targets, p->sys->overruns.data, p->sys->overruns.len);
    slice_make(&r->slice, p->sys, targets.data, targets.len);
    vec_free(&targets);
    vec_resize_zero(&r->dead, p->sys->targets.len);
    invariant_init(&r->lemmas);
}

static void leave(struct race *r) {
    for (size_t i = 0; i < r->jobs.len; i++) {
        child_stop(r->jobs.data[i]->child);
        finish(r, r->jobs.data[i]);
    }
    for (size_t i = 0; i < r->claims.len; i++)
        invariant_free(&r->claims.data[i].invariant);
    vec_free(&r->claims);
    vec_free(&r->jobs);
    vec_free(&r->rows);
    vec_free(&r->dead);
    invariant_free(&r->lemmas);
    slice_free(&r->slice);
    log_progress_end(r->p->log);
}

bool portfolio_run(const struct portfolio *p, struct portfolio_result *result, struct err *err) {
    assert(p->goal < p->sys->targets.len && p->confirm);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    struct race r = {.p = p, .result = result, .started = clock_seconds()};
    *result = (struct portfolio_result){.answer = STATUS_OPEN, .bound = -1};
    invariant_init(&result->proof);
    r.n_jobs = p->jobs ? p->jobs : cores > 0 ? (unsigned)cores : 1;
    enter(&r);
    bool ok = run(&r, err);
    leave(&r);
    result->seconds = clock_seconds() - r.started;
    if (!ok)
        portfolio_result_free(result);
    return ok;
}

void portfolio_result_free(struct portfolio_result *result) {
    invariant_free(&result->proof);
}
