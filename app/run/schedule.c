/* The schedule. The loop at the end of this file is its summary. */
#include "app/run/schedule.h"

#include "app/run/attempt.h"
#include "app/run/evidence.h"
#include "base/mem.h"

#include <signal.h>
#include <stdlib.h>

enum {
    GROUP_LIMIT = 32,       /* goals of one slice that share an attempt */
    ROUND_LIMIT = 12,       /* rounds of growing budgets */
    BUDGET_GROWTH_BITS = 2, /* a round has four times the budget of the one before */
    IDLE_ATTEMPTS = 8,      /* attempts without result after which an engine loses its share */
    QUIET_SLICES = 4,       /* slices of simulation without news that end its first phase */
};
enum { SLICE_STEPS = 3000000 };
static const double poll_seconds = 0.25;

/* Probes whose slices have the same cells: an engine works on them together. */
struct group {
    VEC(uint32_t) probes;
    uint64_t hash;
    size_t size;      /* cells of the slice: small ones first */
    uint64_t gave_up; /* bit a engine: it cannot do any more for this group */
};

struct engine_record {
    const struct engine_row *row;
    uint32_t attempts, successes;
};

struct schedule {
    struct session *session;
    VEC(struct group) groups;
    VEC(struct engine_record) engines;
    VEC(struct task *) waiting; /* tasks of this stage, in order */
    VEC(struct task *) running;
    VEC(struct task *) settling; /* ended, in a deterministic run: not yet their turn */
    size_t next_waiting;
    uint64_t tasks_made, tasks_settled;
    uint32_t round;
    size_t stage; /* within the round: 0 simulation, 1 lemmas, then one an engine */
    bool deterministic, stage_did_something, no_simulation;
    volatile sig_atomic_t *interrupted;
};

/* ---- interruption ---- */

static volatile sig_atomic_t *interrupt_flag(void) {
    static volatile sig_atomic_t flag;
    return &flag;
}

static void on_interrupt(int signal) {
    (void)signal;
    *interrupt_flag() = 1;
}

static void catch_interrupts(struct schedule *c) {
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = SA_RESETHAND};
    c->interrupted = interrupt_flag();
    *c->interrupted = 0;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

/* ---- the end ---- */

static bool out_of_time(const struct schedule *c) {
    return session_elapsed(c->session) >= c->session->project.total_seconds;
}

static bool finished(const struct schedule *c) {
    return session_decided(c->session) || *c->interrupted || out_of_time(c);
}

static void report_progress(const struct schedule *c) {
    const struct session *s = c->session;
    size_t open = session_count(s, STATUS_OPEN), reachable = session_count(s, STATUS_REACHABLE),
           dead = session_count(s, STATUS_DEAD);
    log_progress(s->log,
                 "%zu of %zu goals decided: %zu reachable, %zu dead, %zu open; %.0f s of %.0f s",
                 reachable + dead, s->woven.goals.list.len, reachable, dead, open,
                 session_elapsed(s), s->project.total_seconds);
}

/* ---- groups ---- */

static int by_size(const void *a, const void *b) {
    const struct group *x = a, *y = b;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    return x->probes.data[0] < y->probes.data[0] ? -1 : 1;
}

static struct group *group_of(struct schedule *c, struct map *by_hash, uint64_t hash, size_t size) {
    uint32_t *known = map_get(by_hash, hash);
    if (known && c->groups.data[*known].probes.len < GROUP_LIMIT)
        return &c->groups.data[*known];
    map_put(by_hash, hash, (uint32_t)c->groups.len);
    vec_push(&c->groups, (struct group){.hash = hash, .size = size});
    return &vec_last(&c->groups);
}

static void make_groups(struct schedule *c) {
    struct session *s = c->session;
    struct map by_hash = {0};
    for (uint32_t p = 0; p < s->probes.len; p++) {
        if (!session_is_open(s, p) || s->probes.data[p].target == NONE)
            continue;
        struct slice slice;
        slice_make(&slice, session_system(s), &s->probes.data[p].target, 1);
        struct group *g = group_of(c, &by_hash, slice.hash, slice.sys.cells.len);
        vec_push(&g->probes, p);
        slice_free(&slice);
    }
    map_free(&by_hash);
    if (c->groups.len > 1)
        qsort(c->groups.data, c->groups.len, sizeof *c->groups.data, by_size);
}

static void drop_decided(struct schedule *c) {
    for (size_t i = 0; i < c->groups.len; i++) {
        struct group *g = &c->groups.data[i];
        size_t kept = 0;
        for (size_t p = 0; p < g->probes.len; p++)
            if (session_is_open(c->session, g->probes.data[p]))
                g->probes.data[kept++] = g->probes.data[p];
        g->probes.len = kept;
    }
}

/* ---- stages ---- */

static bool engine_wanted(const struct project *project, const char *name) {
    for (size_t i = 0; i < project->engines.len; i++)
        if (str_same(project->engines.data[i], name))
            return true;
    return project->engines.len == 0;
}

static void choose_engines(struct schedule *c) {
    for (const struct engine_row *row = engine_rows; row->name; row++)
        if (row->engine && c->session->has_model && engine_wanted(&c->session->project, row->name))
            vec_push(&c->engines, (struct engine_record){.row = row});
}

static void add_task(struct schedule *c, struct task *t) {
    t->number = c->tasks_made++;
    vec_push(&c->waiting, t);
    c->stage_did_something = true;
}

/* ---- simulation: driven from here, it has processes of its own ---- */

static bool simulating(const struct schedule *c) {
    return c->stage == 0 && c->session->has_native && !c->no_simulation &&
           engine_wanted(&c->session->project, "simulate");
}

static bool take_news(struct schedule *c, const struct simulate_news *news, uint32_t *found,
                      struct err *err) {
    for (size_t i = 0; i < news->scenarios.len; i++)
        if (!evidence_scenario(c->session, "simulate", &news->scenarios.data[i],
                               session_elapsed(c->session), found, err))
            return false;
    for (size_t i = 0; i < news->crashes.len; i++)
        evidence_crash(c->session, &news->crashes.data[i]);
    return true;
}

/* Slices until several in a row bring nothing new. Each round allows more silence than the last. */
static bool simulate(struct schedule *c, struct err *err) {
    struct simulate_news news = {0};
    bool ok = true;
    uint32_t slices = QUIET_SLICES << (c->round < 4 ? c->round : 4);
    for (uint32_t quiet = 0; ok && quiet < slices && !finished(c);) {
        uint32_t found = 0;
        struct err stopped = {0};
        if (!simulate_step(c->session->simulation, SLICE_STEPS, &news, &stopped)) {
            log_warning(c->session->log, "simulation ends: %s", str_text(&stopped.message));
            err_clear(&stopped);
            c->no_simulation = true;
            break;
        }
        ok = take_news(c, &news, &found, err);
        quiet = found ? 0 : quiet + 1;
        report_progress(c);
    }
    simulate_news_free(&news);
    return ok;
}

static double goal_seconds_left(const struct schedule *c, const struct group *g) {
    double limit = c->session->project.goal_seconds, left = 0;
    for (size_t i = 0; i < g->probes.len; i++)
        left += limit - c->session->probes.data[g->probes.data[i]].seconds;
    return left;
}

/* An engine that has decided nothing in many attempts works only every other round. */
static bool has_share(const struct schedule *c, const struct engine_record *e) {
    return e->successes > 0 || e->attempts < IDLE_ATTEMPTS || c->round % 2 == 1;
}

static uint64_t round_ticks(const struct schedule *c, const struct engine_row *engine) {
    uint64_t ticks = engine->start_ticks << (BUDGET_GROWTH_BITS * c->round);
    uint64_t limit = c->session->project.goal_ticks;
    return limit && ticks > limit ? limit : ticks;
}

static void attempt_group(struct schedule *c, const struct engine_row *engine,
                          const uint32_t *probes, size_t n, double seconds, uint64_t group) {
    struct task *t = attempt_engine(c->session, engine, probes, n, round_ticks(c, engine));
    t->seconds = seconds;
    t->group = group;
    add_task(c, t);
}

/* Engines that serve all goals at once get them at once, and only in the first rounds. */
static void attempt_all(struct schedule *c, const struct engine_row *engine) {
    VEC(uint32_t) all = {0};
    for (size_t i = 0; i < c->groups.len; i++)
        vec_append(&all, c->groups.data[i].probes.data, c->groups.data[i].probes.len);
    if (all.len > 0)
        attempt_group(c, engine, all.data, all.len, 60.0 + (double)all.len, 0);
    vec_free(&all);
}

static void engage(struct schedule *c, size_t index) {
    const struct engine_record *e = &c->engines.data[index];
    if (!has_share(c, e))
        return;
    if (e->row->engine->all_targets) {
        if (c->round < 2)
            attempt_all(c, e->row);
        return;
    }
    for (size_t i = 0; i < c->groups.len; i++) {
        struct group *g = &c->groups.data[i];
        double seconds = goal_seconds_left(c, g);
        if (g->probes.len > 0 && seconds > 0 && !(g->gave_up & UINT64_C(1) << index))
            attempt_group(c, e->row, g->probes.data, g->probes.len, seconds, g->hash);
    }
}

/* The tasks of the next stage; false when the last round is over or a whole round had none. */
static bool next_stage(struct schedule *c) {
    assert(c->next_waiting == c->waiting.len);
    vec_clear(&c->waiting);
    c->next_waiting = 0;
    if (c->stage > c->engines.len) {
        if (!c->stage_did_something || ++c->round >= ROUND_LIMIT)
            return false;
        c->stage = 0;
        c->stage_did_something = false;
    }
    drop_decided(c);
    if (c->stage > 0)
        engage(c, c->stage - 1);
    c->stage++;
    return true;
}

/* ---- running ---- */

static bool still_wanted(const struct task *t) {
    if (t->probes.len == 0)
        return true;
    for (size_t i = 0; i < t->probes.len; i++)
        if (session_is_open(t->session, t->probes.data[i]))
            return true;
    return false;
}

static struct task *next_task(struct schedule *c) {
    struct task *check = attempt_check(c->session);
    if (check) {
        check->number = c->tasks_made++;
        return check;
    }
    return c->next_waiting < c->waiting.len ? c->waiting.data[c->next_waiting++] : NULL;
}

static bool fill_slots(struct schedule *c, struct err *err) {
    struct task *t;
    while (c->running.len < c->session->jobs && (t = next_task(c))) {
        if (!still_wanted(t)) {
            task_free(t);
            continue;
        }
        if (!task_start(t, err)) {
            task_free(t);
            return false;
        }
        vec_push(&c->running, t);
    }
    return true;
}

static void stop_unwanted(struct schedule *c) {
    for (size_t i = 0; i < c->running.len; i++)
        if (!still_wanted(c->running.data[i]))
            task_stop(c->running.data[i]);
}

static void note_result(struct schedule *c, const struct task *t) {
    for (size_t i = 0; i < c->engines.len; i++)
        if (str_same(c->engines.data[i].row->name, t->engine)) {
            c->engines.data[i].attempts++;
            c->engines.data[i].successes += t->successes > 0;
            for (size_t g = 0; t->gave_up && g < c->groups.len; g++)
                if (c->groups.data[g].hash == t->group)
                    c->groups.data[g].gave_up |= UINT64_C(1) << i;
        }
}

static bool settle(struct schedule *c, struct task *t, struct err *err) {
    bool ok = task_settle(t, err);
    note_result(c, t);
    task_free(t);
    return ok;
}

static int by_number(const void *a, const void *b) {
    const struct task *const *x = a, *const *y = b;
    return (*x)->number < (*y)->number ? -1 : 1;
}

/* In a deterministic run results wait until everything that runs has ended. */
static bool settle_ended(struct schedule *c, struct err *err) {
    if (c->deterministic && (c->running.len > 0 || c->next_waiting < c->waiting.len))
        return true;
    if (c->settling.len > 1)
        qsort(c->settling.data, c->settling.len, sizeof *c->settling.data, by_number);
    bool ok = true;
    for (size_t i = 0; i < c->settling.len; i++)
        if (ok)
            ok = settle(c, c->settling.data[i], err);
        else
            task_free(c->settling.data[i]);
    vec_clear(&c->settling);
    return ok;
}

static void reap_ended(struct schedule *c) {
    size_t kept = 0;
    for (size_t i = 0; i < c->running.len; i++) {
        struct task *t = c->running.data[i];
        if (child_ended(t->child)) {
            task_reap(t);
            vec_push(&c->settling, t);
        } else {
            c->running.data[kept++] = t;
        }
    }
    c->running.len = kept;
}

static bool wait_for_results(struct schedule *c, struct err *err) {
    VEC(struct child *) children = {0};
    for (size_t i = 0; i < c->running.len; i++)
        vec_push(&children, c->running.data[i]->child);
    children_wait(children.data, children.len, poll_seconds);
    vec_free(&children);
    reap_ended(c);
    bool ok = settle_ended(c, err);
    if (!c->deterministic)
        stop_unwanted(c);
    return ok;
}

static void stop_all(struct schedule *c) {
    for (size_t i = 0; i < c->running.len; i++) {
        task_stop(c->running.data[i]);
        task_reap(c->running.data[i]);
        vec_push(&c->settling, c->running.data[i]);
    }
    vec_clear(&c->running);
    for (; c->next_waiting < c->waiting.len; c->next_waiting++)
        task_free(c->waiting.data[c->next_waiting]);
}

static bool idle(const struct schedule *c) {
    return c->running.len == 0 && c->settling.len == 0 && c->next_waiting == c->waiting.len &&
           c->session->claims.len == 0;
}

static bool stage_is_over(const struct schedule *c) {
    if (c->next_waiting < c->waiting.len)
        return false;
    return c->deterministic ? idle(c) : c->running.len < c->session->jobs;
}

/* Begins stages until there is something to start; false when the schedule is exhausted. */
static bool begin_stage(struct schedule *c, struct err *err) {
    while (c->next_waiting == c->waiting.len) {
        if (simulating(c) && !simulate(c, err))
            return false;
        if (!next_stage(c))
            return false;
    }
    return true;
}

static enum schedule_end loop(struct schedule *c, struct err *err) {
    for (bool more = true; !finished(c);) {
        if (more && stage_is_over(c))
            more = begin_stage(c, err);
        if (err->code != ERR_NONE || !fill_slots(c, err))
            return SCHEDULE_FAILED;
        if (!more && idle(c))
            return SCHEDULE_EXHAUSTED;
        if (!wait_for_results(c, err))
            return SCHEDULE_FAILED;
        report_progress(c);
    }
    return session_decided(c->session) ? SCHEDULE_DECIDED
           : *c->interrupted           ? SCHEDULE_INTERRUPTED
                                       : SCHEDULE_TIME;
}

static void schedule_free(struct schedule *c) {
    for (size_t i = 0; i < c->groups.len; i++)
        vec_free(&c->groups.data[i].probes);
    vec_free(&c->groups);
    vec_free(&c->engines);
    vec_free(&c->waiting);
    vec_free(&c->running);
    vec_free(&c->settling);
}

enum schedule_end schedule_run(struct session *s, struct err *err) {
    struct schedule c = {.session = s, .deterministic = s->options->deterministic};
    catch_interrupts(&c);
    choose_engines(&c);
    if (s->has_model)
        make_groups(&c);
    enum schedule_end end = loop(&c, err);
    stop_all(&c);
    c.deterministic = false;
    if (end != SCHEDULE_FAILED && !settle_ended(&c, err))
        end = SCHEDULE_FAILED;
    log_progress_end(s->log);
    schedule_free(&c);
    return end;
}
