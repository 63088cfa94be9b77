/* The schedule. The loop at the end of this file is its summary. */
#include "app/run/schedule.h"

#include "app/run/attempt.h"
#include "app/run/constant.h"
#include "app/run/evidence.h"
#include "app/run/group.h"
#include "app/run/interrupt.h"
#include "app/run/policy.h"

#include <stdlib.h>

enum { ALL_SECONDS = 60 };
static const double poll_seconds = 0.25;

struct engine_record {
    const struct engine_row *row;
    uint32_t attempts, successes;
};

/* What an attempt may cost. */
struct budget {
    double seconds; /* 0: no limit */
    uint64_t ticks; /* 0: none left */
};

/* A task that has not started. Its slice is made when it does: most never do. */
struct plan {
    uint64_t number;
    struct task *check;           /* made already, or */
    const struct engine_row *row; /* an engine on these probes */
    bool climbing;                /* CBMC from states that were reached */
    VEC(uint32_t) probes;
    struct budget budget;
    uint32_t group; /* index, NONE: all goals */
};

struct schedule {
    struct session *session;
    struct groups groups;
    VEC(struct engine_record) engines;
    VEC(struct plan) waiting; /* of this stage, in order */
    VEC(struct task *) running;
    VEC(struct task *) settling; /* ended, in a deterministic run: not yet their turn */
    size_t next_waiting;
    uint64_t tasks_made, tasks_settled;
    uint32_t round;
    size_t stage; /* within the round: 0 simulation, 1 lemmas, then one an engine */
    struct pace pace;
    double attempt_seconds, confirm_seconds; /* spent on engines, and on CBMC's look at proofs */
    bool over;                               /* no engine has anything left to do */
    double search_ended;                     /* when that was */
    bool deterministic, stage_did_something, no_simulation;
};

/* ---- the end ---- */

/* A little is kept for proofs that were found last. */
static bool time_is_over(const struct schedule *c) {
    double total = c->session->project.total_seconds;
    return interrupted() || session_elapsed(c->session) >= total - policy_reserve(total);
}

static bool finished(const struct schedule *c) {
    return session_decided(c->session) || time_is_over(c);
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

/* ---- stages ---- */

static bool engine_wanted(const struct project *project, const char *name) {
    for (size_t i = 0; i < project->engines.len; i++)
        if (str_same(project->engines.data[i], name))
            return true;
    return project->engines.len == 0;
}

static void choose_engine(struct schedule *c, const struct engine_row *row) {
    bool by_cbmc = !c->deterministic && attempt_cbmc_engine(c->session, row);
    if (by_cbmc || (row->engine && c->session->has_model))
        vec_push(&c->engines, (struct engine_record){.row = row});
}

/* In the order of the project; else in that of engines.def. */
static void choose_engines(struct schedule *c) {
    const struct texts *named = &c->session->project.engines;
    for (size_t i = 0; i < named->len; i++)
        choose_engine(c, engine_find(named->data[i]));
    for (const struct engine_row *row = engine_rows; named->len == 0 && row->name; row++)
        choose_engine(c, row);
    assert(c->engines.len < 64); /* bits of group.gave_up */
}

static void add_plan(struct schedule *c, struct plan plan) {
    assert(!plan.check != !plan.row);
    plan.number = c->tasks_made++;
    vec_push(&c->waiting, plan);
    c->stage_did_something = true;
}

static void plan_free(struct plan *plan) {
    vec_free(&plan->probes);
    if (plan->check)
        task_free(plan->check);
    plan->check = NULL;
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

/* Where no process can be run any more, the run goes on without simulation. */
static bool simulate_slice(struct schedule *c, struct simulate_news *news) {
    struct err why = {0};
    if (simulate_step(c->session->simulation, c->pace.slice, news, &why))
        return true;
    if (!session_must_end(c->session))
        session_warn(c->session, "simulation ends", &why);
    err_clear(&why);
    c->no_simulation = true;
    return false;
}

static double searched_seconds(const struct schedule *c) {
    return simulate_statistics(c->session->simulation).cpu_seconds;
}

/* Slices until there has been no news for long enough; each round is more patient than the last. */
static bool simulate(struct schedule *c, struct err *err) {
    struct simulate_news news = {0};
    bool ok = true;
    c->pace = policy_pace(c->session->woven.goals.n_probes);
    double total = c->session->project.total_seconds;
    while (ok && !policy_quiet(&c->pace, c->round, total) && !finished(c)) {
        uint32_t found = 0;
        double began = clock_seconds(), used = searched_seconds(c);
        if (!simulate_slice(c, &news))
            break;
        double wall = clock_seconds() - began;
        used = searched_seconds(c) - used;
        ok = take_news(c, &news, &found, err);
        policy_slice_done(&c->pace, c->deterministic ? 0 : used, c->deterministic ? 0 : wall,
                          found > 0);
        report_progress(c);
    }
    simulate_news_free(&news);
    return ok;
}

/* ---- model engines ---- */

/* A deterministic run counts ticks instead of seconds. */
static struct budget deterministic_budget(const struct schedule *c, const struct group *g,
                                          uint64_t ticks) {
    double limit = c->session->project.goal_seconds * POLICY_TICKS_A_SECOND, left = 0;
    for (size_t i = 0; i < g->probes.len; i++)
        left += limit - (double)c->session->probes.data[g->probes.data[i]].ticks;
    if (left < 1)
        return (struct budget){0, 0};
    return (struct budget){0, left < (double)ticks ? (uint64_t)left : ticks};
}

static struct budget group_budget(const struct schedule *c, const struct group *g, uint64_t ticks) {
    if (c->deterministic)
        return deterministic_budget(c, g, ticks);
    double limit = c->session->project.goal_seconds, left = 0;
    for (size_t i = 0; i < g->probes.len; i++)
        left += limit - c->session->probes.data[g->probes.data[i]].seconds;
    return (struct budget){left, left > 0 ? ticks : 0};
}

static void plan_group(struct schedule *c, const struct engine_row *row, uint32_t group,
                       struct budget budget) {
    const struct group *g = &c->groups.data[group];
    struct plan plan = {.row = row, .budget = budget, .group = group};
    bool last_first = row->engine->seeks_hits;
    for (size_t i = 0; i < g->probes.len; i++)
        vec_push(&plan.probes, g->probes.data[last_first ? g->probes.len - 1 - i : i]);
    add_plan(c, plan);
}

/* Engines that serve all goals at once get them at once, and only in the first rounds. */
static void plan_all(struct schedule *c, const struct engine_row *row) {
    struct plan plan = {.row = row, .group = NONE};
    for (size_t i = 0; i < c->groups.len; i++)
        vec_append(&plan.probes, c->groups.data[i].probes.data, c->groups.data[i].probes.len);
    plan.budget.seconds = c->deterministic ? 0 : ALL_SECONDS + (double)plan.probes.len;
    plan.budget.ticks = policy_ticks(row->start_ticks, c->round, c->session->project.goal_ticks);
    if (plan.probes.len > 0)
        add_plan(c, plan);
    else
        plan_free(&plan);
}

/* CBMC takes all goals at once, too, and knows no ticks. */
static void plan_cbmc(struct schedule *c, const struct engine_row *row, bool climbing) {
    struct plan plan = {.row = row, .climbing = climbing};
    for (uint32_t p = 0; p < c->session->woven.goals.n_probes; p++)
        if (session_is_open(c->session, p) && c->session->probes.data[p].goals.len > 0)
            vec_push(&plan.probes, p);
    plan.budget.seconds = policy_cbmc_seconds(c->round);
    if (plan.probes.len > 0)
        add_plan(c, plan);
    else
        plan_free(&plan);
}

static void engage(struct schedule *c, size_t index) {
    const struct engine_record *e = &c->engines.data[index];
    if (!policy_has_share(e->attempts, e->successes, c->round))
        return;
    if (!e->row->engine) {
        plan_cbmc(c, e->row, false);
        if (str_same(e->row->name, "cbmc-bmc"))
            plan_cbmc(c, e->row, true);
        return;
    }
    if (e->row->engine->all_targets) {
        session_look(c->session);
        if (c->round < POLICY_LEMMA_ROUNDS)
            plan_all(c, e->row);
        return;
    }
    uint64_t ticks = policy_ticks(e->row->start_ticks, c->round, c->session->project.goal_ticks);
    for (uint32_t i = 0; i < c->groups.len; i++) {
        const struct group *g = &c->groups.data[i];
        struct budget budget = group_budget(c, g, ticks);
        if (g->probes.len > 0 && budget.ticks > 0 && !(g->gave_up & UINT64_C(1) << index))
            plan_group(c, e->row, i, budget);
    }
}

/* The tasks of the next stage; false when the last round is over or a whole round had none. */
static bool next_stage(struct schedule *c) {
    assert(c->next_waiting == c->waiting.len);
    vec_clear(&c->waiting);
    c->next_waiting = 0;
    if (c->stage > c->engines.len) {
        if (!c->stage_did_something || ++c->round >= POLICY_ROUNDS)
            return false;
        c->stage = 0;
        c->stage_did_something = false;
    }
    groups_drop_decided(&c->groups, c->session);
    if (c->stage > 0)
        engage(c, c->stage - 1);
    c->stage++;
    return true;
}

/* ---- running ---- */

static bool still_wanted(const struct task *t) {
    if (t->probes.len == 0 || t->keep)
        return true;
    for (size_t i = 0; i < t->probes.len; i++)
        if (session_is_open(t->session, t->probes.data[i]))
            return true;
    return false;
}

/* Of the first n probes of a plan; NULL: this cannot be tried now. */
static struct task *make_task(struct session *s, const struct plan *plan, size_t n) {
    if (plan->climbing)
        return attempt_climb(s, plan->row, plan->probes.data, n);
    if (!plan->row->engine)
        return attempt_cbmc(s, plan->row, plan->probes.data, n);
    return attempt_engine(s, plan->row, plan->probes.data, n, plan->budget.ticks);
}

/* The task of a plan; NULL when all its goals have been decided meanwhile. */
static struct task *begin_plan(struct schedule *c, struct plan *plan) {
    struct task *t = plan->check;
    size_t open = 0;
    plan->check = NULL;
    for (size_t i = 0; i < plan->probes.len; i++)
        if (session_is_open(c->session, plan->probes.data[i]))
            plan->probes.data[open++] = plan->probes.data[i];
    if (!t && open > 0)
        t = make_task(c->session, plan, open);
    if (t && plan->row) {
        t->row = plan->row;
        t->seconds = plan->budget.seconds;
        t->group = plan->group;
    }
    if (t)
        t->number = plan->number;
    plan_free(plan);
    return t;
}

static struct task *next_plan(struct schedule *c) {
    struct task *t = NULL;
    while (!t && c->next_waiting < c->waiting.len)
        t = begin_plan(c, &c->waiting.data[c->next_waiting++]);
    return t;
}

static size_t confirmations(const struct schedule *c) {
    size_t n = 0;
    for (size_t i = 0; i < c->running.len; i++)
        n += c->running.data[i]->keep;
    return n;
}

/* CBMC's look at proofs has a share of the time while goals are open. When nothing else is left it
 * has all of it, but not for much longer than the search took. */
static struct task *next_confirmation(struct schedule *c) {
    const struct session *s = c->session;
    if (c->over) {
        bool patient = session_elapsed(s) - c->search_ended < policy_patience(c->search_ended);
        return patient ? attempt_confirm(c->session) : NULL;
    }
    bool late = policy_late(session_left(s), s->project.total_seconds);
    if (c->deterministic || confirmations(c) > 0 || (!late && attempt_confirm_waits(s)) ||
        !policy_confirm_share(c->confirm_seconds, c->attempt_seconds, late))
        return NULL;
    return attempt_confirm(c->session);
}

/* Checks go before everything else; a deterministic run has them among those that wait. */
static struct task *next_task(struct schedule *c) {
    struct task *t = c->deterministic ? NULL : attempt_check(c->session);
    if (!t)
        t = next_confirmation(c);
    if (t)
        t->number = c->tasks_made++;
    return t ? t : next_plan(c);
}

static bool fill_slots(struct schedule *c, struct err *err) {
    struct task *t;
    while (c->running.len < c->session->jobs && !time_is_over(c) && (t = next_task(c))) {
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

/* More ticks help neither who gave up nor who ran out of memory. */
static bool is_hopeless(const struct task *t) {
    return t->gave_up || t->result.end == CHILD_MEMORY;
}

static void note_result(struct schedule *c, const struct task *t) {
    for (size_t i = 0; t->row && i < c->engines.len; i++) {
        struct engine_record *e = &c->engines.data[i];
        if (e->row != t->row)
            continue;
        e->attempts++;
        e->successes += t->successes > 0;
        if (t->group != NONE && is_hopeless(t))
            c->groups.data[t->group].gave_up |= UINT64_C(1) << i;
    }
}

static bool settle(struct schedule *c, struct task *t, struct err *err) {
    bool ok = task_settle(t, err);
    *(t->keep ? &c->confirm_seconds : &c->attempt_seconds) += t->result.wall_seconds;
    note_result(c, t);
    task_free(t);
    return ok;
}

static int by_number(const void *a, const void *b) {
    const struct task *const *x = a, *const *y = b;
    return (*x)->number < (*y)->number ? -1 : 1;
}

static bool settle_ended(struct schedule *c, struct err *err) {
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

/* All claims at once become checks, so that what is checked together depends on nothing else. */
static void queue_checks(struct schedule *c) {
    struct task *check;
    assert(c->running.len == 0 && c->next_waiting == c->waiting.len);
    while ((check = attempt_check(c->session)))
        add_plan(c, (struct plan){.check = check, .group = NONE});
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
    /* in a deterministic run results wait until everything that runs has ended */
    if (c->deterministic && (c->running.len > 0 || c->next_waiting < c->waiting.len))
        return true;
    bool ok = settle_ended(c, err);
    if (c->deterministic)
        queue_checks(c);
    else
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
        plan_free(&c->waiting.data[c->next_waiting]);
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
    while (c->next_waiting == c->waiting.len && !finished(c)) {
        if (simulating(c) && !simulate(c, err))
            return false;
        if (!next_stage(c))
            return false;
    }
    return true;
}

/* Nothing is left for the engines: what runs and waits for their sake is over. */
static void end_search(struct schedule *c) {
    if (c->over)
        return;
    c->over = true;
    c->search_ended = session_elapsed(c->session);
}

static bool work_on(struct schedule *c, bool *more, struct err *err) {
    if (*more && !finished(c) && stage_is_over(c))
        *more = begin_stage(c, err);
    if (session_decided(c->session) || (!*more && idle(c)))
        end_search(c);
    return err->code == ERR_NONE && fill_slots(c, err);
}

static enum schedule_end loop(struct schedule *c, struct err *err) {
    for (bool more = true; !time_is_over(c);) {
        if (!work_on(c, &more, err))
            return SCHEDULE_FAILED;
        if (c->over && c->running.len == 0)
            break;
        if (!wait_for_results(c, err))
            return SCHEDULE_FAILED;
        report_progress(c);
    }
    return session_decided(c->session) ? SCHEDULE_DECIDED
           : interrupted()             ? SCHEDULE_INTERRUPTED
           : time_is_over(c)           ? SCHEDULE_TIME
                                       : SCHEDULE_EXHAUSTED;
}

/* Proofs that wait are checked, and nothing else is done. */
static bool check_claims(struct schedule *c, double seconds, struct err *err) {
    double end = clock_seconds() + seconds;
    struct task *t;
    for (bool more = true; more && clock_seconds() < end;) {
        while (c->running.len < c->session->jobs && (t = attempt_check(c->session))) {
            if (!task_start(t, err)) {
                task_free(t);
                return false;
            }
            vec_push(&c->running, t);
        }
        more = c->running.len > 0;
        if (more && !wait_for_results(c, err))
            return false;
    }
    return true;
}

/* What was found last is checked in the seconds that were kept for it. */
static bool last_checks(struct schedule *c, struct err *err) {
    double reserve = policy_reserve(c->session->project.total_seconds);
    return check_claims(c, interrupted() ? reserve / 2 : reserve, err);
}

/* What needs no engine is decided before the first one starts. */
static bool first_checks(struct schedule *c, struct err *err) {
    if (!c->session->has_model)
        return true;
    constant_claim(c->session);
    return check_claims(c, policy_reserve(c->session->project.total_seconds), err);
}

static void schedule_free(struct schedule *c) {
    groups_free(&c->groups);
    vec_free(&c->engines);
    vec_free(&c->waiting);
    vec_free(&c->running);
    vec_free(&c->settling);
}

static void free_settling(struct schedule *c) {
    for (size_t i = 0; i < c->settling.len; i++)
        task_free(c->settling.data[i]);
    vec_clear(&c->settling);
}

/* Proofs that nobody has time to check any more: their goals stay open. */
static void note_unchecked(struct session *s) {
    for (size_t i = 0; i < s->claims.len; i++) {
        const struct claim *claim = &s->claims.data[i];
        for (size_t t = 0; t < claim->invariant.targets.len; t++)
            probe_tried(&s->probes.data[s->target_probe.data[claim->invariant.targets.data[t]]],
                        claim->engine, "proof found, no time left to check it");
    }
}

enum schedule_end schedule_run(struct session *s, struct err *err) {
    struct schedule c = {.session = s, .deterministic = s->options->deterministic};
    choose_engines(&c);
    if (s->has_model)
        groups_make(&c.groups, s);
    enum schedule_end end = first_checks(&c, err) ? loop(&c, err) : SCHEDULE_FAILED;
    stop_all(&c);
    if (end != SCHEDULE_FAILED && (!settle_ended(&c, err) || !last_checks(&c, err)))
        end = SCHEDULE_FAILED;
    stop_all(&c);
    free_settling(&c);
    note_unchecked(s);
    log_progress_end(s->log);
    schedule_free(&c);
    return end;
}
