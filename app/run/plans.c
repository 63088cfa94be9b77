/* plans: see plans.h. */
#include "app/run/plans.h"
#include "app/run/verdict.h"

#include "app/run/attempt/attempt.h"
#include "app/run/policy.h"

enum {
    ALL_SECONDS = 60,
    CLIMBS = 3, /* states to go on from, until one is enough */
    DETERMINISTIC_TIMES = 4,
    ROUNDS_OF_PARTS = 2 /* then slices have all constraints: what no run survives is dead, too */
};

/* ---- engines ---- */

static void choose_engine(struct plans *c, const struct engine_row *row) {
    bool by_cbmc = !c->session->options->deterministic && attempt_cbmc_engine(c->session, row);
    if (by_cbmc || (row->engine && c->session->model.present))
        vec_push(&c->engines, (struct engine_record){.row = row});
}

/* In the order of the project; else in that of engines.def. */
static void choose_engines(struct plans *c) {
    const struct texts *named = &c->session->project.engines;
    for (size_t i = 0; i < named->len; i++)
        choose_engine(c, engine_find(named->data[i]));
    for (const struct engine_row *row = engine_rows; named->len == 0 && row->name; row++)
        choose_engine(c, row);
    assert(c->engines.len < 64); /* bits of group.gave_up */
}

static void add_plan(struct plans *c, struct plan plan) {
    assert(!plan.check != !plan.row);
    plan.number = c->made++;
    vec_push(&c->waiting, plan);
    c->something = true;
}

static void plan_free(struct plan *plan) {
    vec_free(&plan->probes);
    if (plan->check)
        task_free(plan->check);
    plan->check = NULL;
}

/* ---- stages ---- */

/* A deterministic run counts ticks instead of seconds. */
static struct budget deterministic_budget(const struct plans *c, const struct group *g,
                                          uint64_t ticks) {
    double limit = c->session->project.goal_seconds * POLICY_TICKS_A_SECOND, left = 0;
    for (size_t i = 0; i < g->probes.len; i++)
        left += limit - (double)c->session->probes.data[g->probes.data[i]].ticks;
    if (left < 1)
        return (struct budget){0, 0};
    return (struct budget){0, left < (double)ticks ? (uint64_t)left : ticks};
}

static struct budget group_budget(const struct plans *c, const struct group *g, uint64_t ticks) {
    if (c->session->options->deterministic)
        return deterministic_budget(c, g, ticks);
    double limit = c->session->project.goal_seconds, left = 0;
    for (size_t i = 0; i < g->probes.len; i++)
        left += limit - c->session->probes.data[g->probes.data[i]].seconds;
    return (struct budget){left, left > 0 ? ticks : 0};
}

static void plan_group(struct plans *c, const struct engine_row *row, uint32_t group,
                       struct budget budget) {
    const struct group *g = &c->groups.data[group];
    struct plan plan = {.row = row, .budget = budget, .group = group};
    bool last_first = !engine_does(row, ENGINE_PROVES);
    for (size_t i = 0; i < g->probes.len; i++)
        vec_push(&plan.probes, g->probes.data[last_first ? g->probes.len - 1 - i : i]);
    add_plan(c, plan);
}

/* Engines that serve all goals at once get them at once, and only in the first rounds. */
static void plan_all(struct plans *c, const struct engine_row *row) {
    struct plan plan = {.row = row, .group = NONE};
    c->reached = session_count(c->session, STATUS_REACHABLE);
    for (size_t i = 0; i < c->groups.len; i++)
        vec_append(&plan.probes, c->groups.data[i].probes.data, c->groups.data[i].probes.len);
    plan.budget.seconds =
        c->session->options->deterministic ? 0 : ALL_SECONDS + (double)plan.probes.len;
    plan.budget.ticks = policy_ticks(row->start_ticks, c->round, c->session->project.goal_ticks);
    if (plan.probes.len > 0)
        add_plan(c, plan);
    else
        plan_free(&plan);
}

/* CBMC takes all goals at once, too, and knows no ticks. */
static void plan_cbmc(struct plans *c, const struct engine_row *row, bool climbing) {
    struct plan plan = {.row = row, .climbing = climbing};
    for (uint32_t p = 0; p < c->session->woven.goals.n_probes; p++)
        if (session_is_open(c->session, p) && session_can_decide(c->session, p))
            vec_push(&plan.probes, p);
    plan.budget.seconds = POLICY_BUSY * policy_cbmc_seconds(c->round) / (climbing ? CLIMBS : 1);
    if (plan.probes.len > 0)
        add_plan(c, plan);
    else
        plan_free(&plan);
}

/* Each from another state, and only while the ones before have left something open. */
static void plan_climbs(struct plans *c, const struct engine_row *row) {
    c->climbed = session_count(c->session, STATUS_REACHABLE);
    for (int i = 0; i < CLIMBS; i++)
        plan_cbmc(c, row, true);
}

/* What cannot be analysed may still be hit by an engine, but that is soon or never. */
static bool any_can_be_decided(const struct plans *c, const struct group *g) {
    for (size_t i = 0; i < g->probes.len; i++)
        if (session_can_decide(c->session, g->probes.data[i]))
            return true;
    return false;
}

/* What it finds from reset is where it can climb from; later that is the cheaper one, for it does
 * not unwind more from round to round. */
static void engage_cbmc(struct plans *c, const struct engine_row *row) {
    bool climbs = attempt_climbs(row);
    if (climbs && c->round > 0)
        plan_climbs(c, row);
    plan_cbmc(c, row, false);
    if (climbs && c->round == 0)
        plan_climbs(c, row);
}

static void engage(struct plans *c, size_t index) {
    const struct engine_record *e = &c->engines.data[index];
    bool proves = engine_does(e->row, ENGINE_PROVES);
    if (!policy_has_share(e->attempts, e->successes, c->round) ||
        (proves && session_overruns_lost(c->session)))
        return;
    if (!e->row->engine) {
        engage_cbmc(c, e->row);
        return;
    }
    if (engine_does(e->row, ENGINE_AT_ONCE)) {
        if (c->round < POLICY_LEMMA_ROUNDS)
            plan_all(c, e->row);
        return;
    }
    uint64_t ticks = policy_ticks(e->row->start_ticks, c->round, c->session->project.goal_ticks);
    for (uint32_t i = 0; i < c->groups.len; i++) {
        const struct group *g = &c->groups.data[i];
        struct budget budget = group_budget(c, g, ticks);
        bool useful = c->round < POLICY_HOPE_ROUNDS || any_can_be_decided(c, g);
        if (g->probes.len > 0 && budget.ticks > 0 && useful && !(g->gave_up & UINT64_C(1) << index))
            plan_group(c, e->row, i, budget);
    }
}

/* ---- from plan to task ---- */

/* Of the first n probes of a plan; NULL: this cannot be tried now. */
static struct task *make_task(struct session *s, const struct plan *plan, size_t n) {
    if (plan->climbing)
        return attempt_climb(s, plan->row, plan->probes.data, n);
    if (!plan->row->engine)
        return attempt_cbmc(s, plan->row, plan->probes.data, n);
    if (engine_does(plan->row, ENGINE_AT_ONCE))
        session_look(s);
    return attempt_engine(s, plan->row, plan->probes.data, n, plan->budget.ticks);
}

/* A deterministic run would not end without it either; there it is so far away that no attempt that
 * counts what it does comes near, however busy the machine is. */
static double attempt_cpu(const struct plans *c, uint64_t ticks) {
    double seconds = policy_attempt_cpu(ticks, c->session->model.terms.nodes.len);
    return c->session->options->deterministic ? DETERMINISTIC_TIMES * seconds : seconds;
}

/* The task of a plan; NULL when all its goals have been decided meanwhile. */
static struct task *begin_plan(struct plans *c, struct plan *plan) {
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
        if (plan->budget.ticks > 0)
            t->cpu_seconds = attempt_cpu(c, plan->budget.ticks);
        t->group = plan->group;
    }
    if (t)
        t->number = plan->number;
    plan_free(plan);
    return t;
}

struct task *plans_take(struct plans *c) {
    struct task *t = NULL;
    while (!t && c->next < c->waiting.len)
        t = begin_plan(c, &c->waiting.data[c->next++]);
    return t;
}

void plans_add_check(struct plans *c, struct task *check) {
    add_plan(c, (struct plan){.check = check, .group = NONE});
}

bool plans_stage_begun(const struct plans *c) {
    return c->next == c->waiting.len;
}

/* CBMC and the late engines are dear, and states that were seen since may be what a cheap proof
 * needs. */
static bool lemmas_again(struct plans *c) {
    const struct engine_row *next = c->engines.data[c->stage].row;
    bool dear = !next->engine || engine_does(next, ENGINE_LATE);
    bool again = dear && c->round < POLICY_LEMMA_ROUNDS &&
                 session_count(c->session, STATUS_REACHABLE) > c->reached;
    for (size_t i = 0; again && i < c->engines.len; i++)
        if (engine_does(c->engines.data[i].row, ENGINE_AT_ONCE) && !c->engines.data[i].spent)
            engage(c, i);
    return again && c->waiting.len > 0;
}

static void climb(struct plans *c) {
    for (size_t i = 0; i < c->engines.len; i++)
        if (attempt_climbs(c->engines.data[i].row))
            plan_climbs(c, c->engines.data[i].row);
}

/* What simulation has come near to is a few steps away from there, and from one state CBMC asks for
 * all goals at once: that is cheaper than one more prover for each of them. */
static bool climb_first(struct plans *c) {
    const struct engine_row *next = c->engines.data[c->stage].row;
    bool first = !c->climbed_first && c->round == 0 && engine_does(next, ENGINE_LATE);
    if (first)
        climb(c);
    c->climbed_first |= first;
    return first && c->waiting.len > 0;
}

/* What was reached since is where it can go on from: once in a round at once. */
static bool climb_again(struct plans *c) {
    bool again = c->climbed > 0 && !c->climbed_again &&
                 session_count(c->session, STATUS_REACHABLE) > c->climbed;
    if (again)
        climb(c);
    c->climbed_again |= again;
    return again && c->waiting.len > 0;
}

bool plans_next_stage(struct plans *c) {
    assert(plans_stage_begun(c));
    vec_clear(&c->waiting);
    c->next = 0;
    if (c->stage == c->engines.len) {
        c->over = c->over || !c->something || ++c->round >= POLICY_ROUNDS;
        c->stage = 0;
        c->something = c->climbed_again = false;
        c->session->model.all_constraints |= c->round >= ROUNDS_OF_PARTS;
        return !c->over;
    }
    groups_drop_decided(&c->groups, c->session);
    if (!lemmas_again(c) && !climb_first(c) && !climb_again(c))
        engage(c, c->stage++);
    return true;
}

/* ---- results ---- */

/* More ticks help neither who gave up nor who ran out of memory. */
static bool is_hopeless(const struct task *t) {
    return t->gave_up || t->result.end == CHILD_MEMORY || t->result.end == CHILD_CPU;
}

void plans_note(struct plans *c, const struct task *t) {
    for (size_t i = 0; t->row && i < c->engines.len; i++) {
        struct engine_record *e = &c->engines.data[i];
        if (e->row != t->row)
            continue;
        e->attempts++;
        e->successes += t->successes > 0;
        e->spent = t->successes == 0 && !t->gave_up;
        if (t->group != NONE && is_hopeless(t))
            c->groups.data[t->group].gave_up |= UINT64_C(1) << i;
    }
}

void plans_open(struct plans *c, struct session *s) {
    *c = (struct plans){.session = s};
    choose_engines(c);
    if (s->model.present)
        groups_make(&c->groups, s);
}

void plans_renew(struct plans *c) {
    struct session *s = c->session;
    uint64_t made = c->made;
    plans_close(c);
    plans_open(c, s);
    c->made = made;
}

void plans_close(struct plans *c) {
    for (; c->next < c->waiting.len; c->next++)
        plan_free(&c->waiting.data[c->next]);
    groups_free(&c->groups);
    vec_free(&c->engines);
    vec_free(&c->waiting);
}
