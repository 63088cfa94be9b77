/* The schedule. The loop at the end of this file is its summary. */
#include "app/run/schedule.h"
#include "app/run/budget.h"
#include "app/run/verdict.h"

#include "app/run/attempt/attempt.h"
#include "app/because/because.h"
#include "app/run/evidence.h"
#include "app/run/interrupt.h"
#include "app/run/plans.h"
#include "app/run/policy.h"
#include "app/run/simulator.h"

#include <stdio.h>
#include <stdlib.h>

static const double poll_seconds = 0.25;

struct schedule {
    struct session *session;
    struct plans plans;
    struct simulator simulator;
    struct yield engines; /* all of them together */
    VEC(struct task *) running;
    VEC(struct task *) settling;             /* ended, in a deterministic run: not yet their turn */
    double attempt_seconds, confirm_seconds; /* spent on engines, and on CBMC's look at proofs */
    bool over;                               /* nobody has anything left to do for open goals */
    double search_ended;                     /* when that was */
    struct task *explaining;                 /* it runs */
    bool explained;                          /* it has come to its end */
    bool deterministic;
};

/* ---- the end ---- */

/* A little is kept for proofs that were found last. */
static bool time_is_over(const struct schedule *c) {
    return interrupted() || session_left(c->session) <= policy_reserve(session_total(c->session));
}

static bool finished(const struct schedule *c) {
    return session_decided(c->session) || time_is_over(c);
}

static const char *phase(const struct schedule *c) {
    bool proves = false, confirms = false;
    for (size_t i = 0; i < c->running.len; i++) {
        proves |= !c->running.data[i]->keep;
        confirms |= c->running.data[i]->keep;
    }
    return proves ? "proving" : confirms ? "confirming" : "simulating";
}

/* Left is what the budget leaves: a search tells nobody when it will end. */
static void report_progress(const struct schedule *c) {
    const struct session *s = c->session;
    size_t open = session_count(s, STATUS_OPEN), reachable = session_count(s, STATUS_REACHABLE),
           dead = session_count(s, STATUS_DEAD);
    double elapsed = session_elapsed(s);
    char left[64] = "";
    if (open > 0)
        snprintf(left, sizeof left, ", at most %.0f s%s more", session_left(s),
                 session_short_of_cpu(s) ? " of CPU time" : "");
    log_progress(s->log,
                 "%s: %zu of %zu goals decided: %zu reachable, %zu dead, %zu open; %.1f a second; "
                 "%.0f s%s",
                 phase(c), reachable + dead, s->woven.goals.list.len, reachable, dead, open,
                 elapsed > 0 ? (double)(reachable + dead) / elapsed : 0, elapsed, left);
}

/* ---- whose turn it is ---- */

/* Rounds of a deterministic run begin with simulation, until it has been quiet for so many steps.
 */
static bool simulate_round(struct schedule *c, struct err *err) {
    struct simulator *sim = &c->simulator;
    sim->pace = policy_pace(c->session->woven.goals.n_probes);
    while (simulator_ready(sim) && !finished(c) &&
           !policy_quiet(&sim->pace, c->plans.round, c->session->project.total_seconds)) {
        if (!simulator_slice(sim, err))
            return false;
        report_progress(c);
    }
    return true;
}

/* Else simulation goes on beside the engines, and a while longer when these are through. */
static bool simulation_goes_on(const struct schedule *c) {
    return !c->deterministic && c->session->proofs.confirming != CONFIRM_ONLY &&
           simulator_ready(&c->simulator) &&
           !(c->plans.over && policy_quiet(&c->simulator.pace, 0, session_total(c->session)));
}

static bool idle(const struct schedule *c) {
    return c->running.len == 0 && c->settling.len == 0 && plans_stage_begun(&c->plans) &&
           c->session->proofs.waiting.len == 0;
}

/* After a round without a proof that loops end the model is made anew, with its loops kept. */
static bool loops_wait(const struct schedule *c) {
    return c->session->proofs.confirming != CONFIRM_ONLY && c->plans.stage == 0 &&
           plans_stage_begun(&c->plans) && session_loops_open(c->session) &&
           (c->plans.round > 0 || session_overruns_lost(c->session));
}

static bool keep_loops(struct schedule *c, struct err *err) {
    bool ok = session_keep_loops(c->session, err);
    if (c->session->model.keeps_loops)
        plans_renew(&c->plans);
    return ok;
}

/* Stages until there is something to start. */
static bool refill(struct schedule *c, struct err *err) {
    if (loops_wait(c) && !idle(c))
        return true;
    if (loops_wait(c) && !keep_loops(c, err))
        return false;
    while (plans_stage_begun(&c->plans) && !c->plans.over && !finished(c) && !loops_wait(c)) {
        if (c->deterministic && c->plans.stage == 0 && !simulate_round(c, err))
            return false;
        plans_next_stage(&c->plans);
    }
    return true;
}

static size_t confirmations(const struct schedule *c) {
    size_t n = 0;
    for (size_t i = 0; i < c->running.len; i++)
        n += c->running.data[i]->keep;
    return n;
}

/* The reasons why goals are dead; the certificates of these say more than those of verdicts. */
static struct task *next_reasons(struct schedule *c) {
    struct session *s = c->session;
    if (!c->over || c->explained || c->explaining || !attempt_reasons_first(s) ||
        s->proofs.unconfirmed.len == 0)
        return NULL;
    c->explaining = because_task(s);
    c->explained = !c->explaining;
    if (c->explaining)
        session_phase(s, PHASE_explain);
    return c->explaining;
}

static void reasons_done(struct schedule *c) {
    c->explained = c->explaining->result.end != CHILD_STOPPED;
    c->explaining = NULL;
    c->search_ended = session_elapsed(c->session); /* from when on CBMC has its time */
    session_phase(c->session, PHASE_decide);
}

static struct task *confirmation(struct session *s) {
    struct task *t = attempt_confirm(s);
    return t ? t : attempt_bitwuzla(s);
}

/* CBMC's look at proofs has a share of the time while goals are open. When nothing else is left it
 * has all of it, but not for much longer than the search took. */
static struct task *next_confirmation(struct schedule *c) {
    const struct session *s = c->session;
    if (s->proofs.confirming == CONFIRM_LATER || c->explaining)
        return NULL;
    if (c->over) {
        bool patient = s->proofs.confirming == CONFIRM_ONLY ||
                       session_elapsed(s) - c->search_ended < policy_patience(c->search_ended);
        return patient ? confirmation(c->session) : NULL;
    }
    bool late = policy_late(session_left(s), session_total(s));
    if (c->deterministic || confirmations(c) > 0 || (!late && attempt_confirm_waits(s)) ||
        !policy_confirm_share(c->confirm_seconds, c->attempt_seconds, late))
        return NULL;
    return confirmation(c->session);
}

/* Checks go before everything else; a deterministic run has them among those that wait. */
static struct task *next_check(struct schedule *c) {
    struct task *t = c->deterministic ? NULL : attempt_check(c->session);
    if (!t)
        t = next_reasons(c);
    if (!t)
        t = next_confirmation(c);
    if (t)
        t->number = c->plans.made++;
    return t;
}

static bool start(struct schedule *c, struct task *t, struct err *err) {
    if (!task_start(t, err)) {
        task_free(t);
        return false;
    }
    vec_push(&c->running, t);
    return true;
}

enum turn { TURN_NONE, TURN_TASK, TURN_SLICE };

/* Who has found the most lately goes on; who has found nothing for long waits the longest. */
static enum turn next_turn(struct schedule *c, struct task **t) {
    *t = next_check(c);
    if (*t)
        return TURN_TASK;
    bool may_simulate = !c->over && simulation_goes_on(c);
    if (may_simulate &&
        (plans_stage_begun(&c->plans) || policy_simulate(&c->simulator.yield, &c->engines)))
        return TURN_SLICE;
    *t = plans_take(&c->plans);
    return *t ? TURN_TASK : TURN_NONE;
}

/* Tasks into the free places, or one slice of simulation in the place of a task. */
static bool fill_slots(struct schedule *c, bool *simulated, struct err *err) {
    struct task *t;
    enum turn turn = TURN_TASK;
    *simulated = false;
    while (turn == TURN_TASK && c->running.len < c->session->jobs && !time_is_over(c)) {
        turn = next_turn(c, &t);
        if (turn == TURN_TASK && !start(c, t, err))
            return false;
        if (turn == TURN_SLICE && !simulator_slice(&c->simulator, err))
            return false;
    }
    *simulated = turn == TURN_SLICE;
    return true;
}

/* ---- what comes back ---- */

static bool still_wanted(const struct task *t) {
    if (t->probes.len == 0 || t->keep)
        return true;
    for (size_t i = 0; i < t->probes.len; i++)
        if (session_is_open(t->session, t->probes.data[i]))
            return true;
    return false;
}

static void stop_unwanted(struct schedule *c) {
    for (size_t i = 0; i < c->running.len; i++)
        if (!still_wanted(c->running.data[i]))
            task_stop(c->running.data[i]);
}

static bool settle(struct schedule *c, struct task *t, struct err *err) {
    bool ok = task_settle(t, err);
    *(t->keep ? &c->confirm_seconds : &c->attempt_seconds) += t->result.wall_seconds;
    if (t->row)
        policy_spent(&c->engines, t->result.cpu_seconds, t->successes);
    plans_note(&c->plans, t);
    if (t == c->explaining)
        reasons_done(c);
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
    assert(c->running.len == 0 && plans_stage_begun(&c->plans));
    while ((check = attempt_check(c->session)))
        plans_add_check(&c->plans, check);
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

static bool take_results(struct schedule *c, double seconds, struct err *err) {
    VEC(struct child *) children = {0};
    for (size_t i = 0; i < c->running.len; i++)
        vec_push(&children, c->running.data[i]->child);
    children_wait(children.data, children.len, seconds);
    vec_free(&children);
    reap_ended(c);
    /* in a deterministic run results wait until everything that runs has ended */
    if (c->deterministic && (c->running.len > 0 || !plans_stage_begun(&c->plans)))
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
}

/* ---- the loop ---- */

static bool needs_stage(const struct schedule *c) {
    return c->deterministic ? idle(c) : c->running.len < c->session->jobs;
}

/* Nothing is left for the engines: what runs and waits for their sake is over. */
static void note_end(struct schedule *c) {
    bool through = c->plans.over && idle(c) && !simulation_goes_on(c);
    if (c->over || !(session_decided(c->session) || through))
        return;
    c->over = true;
    c->search_ended = session_elapsed(c->session);
}

static enum schedule_end loop(struct schedule *c, struct err *err) {
    for (bool simulated; !time_is_over(c);) {
        if (needs_stage(c) && !refill(c, err))
            return SCHEDULE_FAILED;
        note_end(c);
        if (!fill_slots(c, &simulated, err))
            return SCHEDULE_FAILED;
        if (c->over && c->running.len == 0)
            break;
        if (!take_results(c, simulated || c->running.len == 0 ? 0 : poll_seconds, err))
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
        while (c->running.len < c->session->jobs && (t = attempt_check(c->session)))
            if (!start(c, t, err))
                return false;
        more = c->running.len > 0;
        if (more && !take_results(c, poll_seconds, err))
            return false;
    }
    return true;
}

/* What was found last is checked in the seconds that were kept for it. */
static bool last_checks(struct schedule *c, struct err *err) {
    double reserve = policy_reserve(session_total(c->session));
    return check_claims(c, interrupted() ? reserve / 2 : reserve, err);
}

/* What needs no engine is decided before the first one starts. */
static bool first_checks(struct schedule *c, struct err *err) {
    if (!c->session->model.present || c->session->proofs.confirming == CONFIRM_ONLY)
        return true;
    constant_claim(c->session);
    struct task *earlier = attempt_earlier(c->session);
    if (earlier && !start(c, earlier, err))
        return false;
    return check_claims(c, policy_reserve(session_total(c->session)), err);
}

/* Also when the time is over: it takes a small part of it. */
static bool try_dead(struct schedule *c, struct err *err) {
    session_phase(c->session, PHASE_try);
    bool wanted = c->session->proofs.confirming != CONFIRM_ONLY && !interrupted();
    struct task *t = wanted ? attempt_trial(c->session) : NULL;
    if (t && !start(c, t, err))
        return false;
    while (c->running.len > 0 && !interrupted())
        if (!take_results(c, poll_seconds, err))
            return false;
    return true;
}

/* Verdicts stand without it, so it has what time is left. */
static bool explain_dead(struct schedule *c, struct err *err) {
    session_phase(c->session, PHASE_explain);
    bool wanted = !c->explained && !session_must_end(c->session);
    struct task *t = wanted ? because_task(c->session) : NULL;
    if (t && !start(c, t, err))
        return false;
    while (c->running.len > 0 && !session_must_end(c->session))
        if (!take_results(c, poll_seconds, err))
            return false;
    return true;
}

static void free_settling(struct schedule *c) {
    for (size_t i = 0; i < c->settling.len; i++)
        task_free(c->settling.data[i]);
    vec_clear(&c->settling);
}

/* Proofs that nobody has time to check any more: their goals stay open. */
static void note_unchecked(struct session *s) {
    for (size_t i = 0; i < s->proofs.waiting.len; i++) {
        const struct claim *claim = &s->proofs.waiting.data[i];
        for (size_t t = 0; t < claim->invariant.targets.len; t++)
            probe_tried(
                &s->probes.data[s->model.target_probe.data[claim->invariant.targets.data[t]]],
                claim->engine, "proof found, no time left to check it");
    }
}

enum schedule_end schedule_run(struct session *s, struct err *err) {
    struct schedule c = {.session = s, .deterministic = s->options->deterministic};
    simulator_init(&c.simulator, s);
    plans_open(&c.plans, s);
    c.plans.over = s->proofs.confirming == CONFIRM_ONLY;
    session_phase(s, PHASE_decide);
    enum schedule_end end = first_checks(&c, err) ? loop(&c, err) : SCHEDULE_FAILED;
    stop_all(&c);
    if (end != SCHEDULE_FAILED && (!settle_ended(&c, err) || !last_checks(&c, err)))
        end = SCHEDULE_FAILED;
    stop_all(&c);
    if (end != SCHEDULE_FAILED && (!try_dead(&c, err) || !explain_dead(&c, err)))
        end = SCHEDULE_FAILED;
    stop_all(&c);
    session_phase(s, PHASE_end);
    free_settling(&c);
    note_unchecked(s);
    log_progress_end(s->log);
    plans_close(&c.plans);
    vec_free(&c.running);
    vec_free(&c.settling);
    return end;
}
