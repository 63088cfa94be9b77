/* Each check is a function that adds a result with the goals that make it fail; an empty database
 * and alarms always fail, limits are checked only when they were asked for. */
#include "report/gate/gate.h"

#include "base/nearest.h"
#include "db/checkers.h"
#include "report/truth.h"

#include <stdlib.h>
#include <string.h>

static bool unknown_criterion(const char *option, const char *name, struct err *err) {
    struct nearest near;
    nearest_init(&near, name);
    for (int k = 0; k < GOAL_KINDS; k++)
        nearest_offer(&near, criteria[k].name);
    err_set(err, ERR_USAGE, "%s: unknown criterion '%s'", option, name);
    if (nearest_best(&near))
        err_remedy(err, "did you mean '%s'?", nearest_best(&near));
    return false;
}

bool gate_parse_minimum(const char *option, const char *text, struct gate_minimum *minimum,
                        struct err *err) {
    assert(option && text && minimum);
    struct arena arena = {0};
    size_t len = strcspn(text, "=");
    char *name = arena_strndup(&arena, text, len), *end = NULL;
    int kind = criterion_find(name);
    bool covered = strcmp(name, "covered") == 0;
    double percent = text[len] ? strtod(text + len + 1, &end) : -1;
    bool number = end && end != text + len + 1 && *end == '\0' && percent >= 0 && percent <= 100;
    bool ok = true;
    if (kind < 0 && !covered)
        ok = unknown_criterion(option, name, err);
    else if (!number)
        ok = err_set(err, ERR_USAGE, "%s: '%s' is not CRITERION=PERCENT (0 to 100)", option, text);
    else
        *minimum = (struct gate_minimum){.kind = covered ? GOAL_KINDS : (enum goal_kind)kind,
                                         .percent = percent,
                                         .covered = covered};
    arena_free(&arena);
    return ok;
}

static struct gate_result *add(struct gate_outcome *o, const char *name, bool passed,
                               const char *about, const char *remedy) {
    assert(name && about && remedy);
    vec_push(&o->results,
             (struct gate_result){
                 .name = name, .about = about, .remedy = passed ? "" : remedy, .passed = passed});
    return &vec_last(&o->results);
}

/* ---- what holds whatever is asked ---- */

static void check_goals(const struct report_data *d, struct gate_outcome *o) {
    if (d->goals.len == 0)
        add(o, "goals", false, "the database has no goals: nothing was analysed",
            "let 'goalkeeper run' finish listing the goals, and check 'exclude' and 'criteria'");
}

static void check_alarms(struct report_data *d, struct gate_outcome *o) {
    for (size_t i = 0; i < d->justifications.len; i++) {
        const struct report_justification *j = &d->justifications.data[i];
        if (!j->alarm)
            continue;
        const char *about =
            arena_printf(&o->arena, "goal %s is justified, yet a witness reaches it", j->key);
        struct gate_result *r = add(o, "justified", false, about,
                                    "look at the witness (goalkeeper replay), then correct the "
                                    "code or take the justification out of the ledger");
        r->alarm = true;
        vec_push(&r->goals, &d->goals.data[j->goal]);
    }
}

/* ---- minimums ---- */

struct share {
    size_t covered, total;
};

/* The rows that are missing go into `r`: they are what can be justified. */
static struct share unique_cause(const struct report_data *d, bool of_reachable,
                                 struct gate_result *r) {
    struct report_count c = truth_unique_count(d);
    vec_clear(&r->goals);
    for (size_t i = 0; i < d->goals.len; i++) {
        const struct report_goal *g = &d->goals.data[i];
        if (g->criterion == GOAL_vector && !report_is_met(g) && !g->justified)
            vec_push(&r->goals, g);
    }
    if (of_reachable)
        return (struct share){c.reachable, c.total - c.dead};
    return (struct share){c.reachable + c.justified, c.total};
}

/* Goals that are missing go into `r`. */
static struct share share_of(const struct report_data *d, struct gate_minimum m,
                             struct gate_result *r) {
    struct share s = {0};
    for (size_t i = 0; i < d->goals.len; i++) {
        const struct report_goal *g = &d->goals.data[i];
        bool missing = report_needs_attention(g);
        if (g->criterion != (int)m.kind || (m.of_reachable && report_finding(g) == FINDING_DEAD))
            continue;
        s.total++;
        s.covered += !missing;
        if (missing)
            vec_push(&r->goals, g);
    }
    assert(s.covered <= s.total);
    return s;
}

/* What the files of coverage say nothing of counts neither way. */
static void check_covered(struct report_data *d, struct gate_minimum m, struct gate_outcome *o) {
    struct share s = {0};
    size_t unknown = 0;
    struct gate_result *r = add(o, "min covered", true, "", "");
    for (size_t i = 0; i < d->goals.len; i++) {
        const struct report_goal *g = &d->goals.data[i];
        if (g->robust || g->helper || (m.of_reachable && g->status == STATUS_DEAD))
            continue;
        if (g->measured < 0 && g->status != STATUS_DEAD) {
            unknown++;
            continue;
        }
        s.total++;
        s.covered += g->measured == 1;
        if (g->measured != 1)
            vec_push(&r->goals, g);
    }
    assert(s.covered <= s.total && m.covered);
    double percent = report_percent(s.covered, s.total);
    r->passed = s.total > 0 && percent >= m.percent;
    r->about = arena_printf(
        &o->arena, "covered by tests: %.2f %%%s (%zu of %zu, %zu not known), at least %g %%",
        percent, m.of_reachable ? " of what is not dead" : "", s.covered, s.total, unknown,
        m.percent);
    if (!r->passed)
        r->remedy = s.total > 0 ? "the missing tests: goalkeeper export; list them: goalkeeper "
                                  "query --sql \"SELECT * FROM overlay WHERE overlay = 'gap'\""
                                : "measure first: goalkeeper overlay DB COVERAGE…";
    if (r->passed)
        vec_clear(&r->goals);
}

/* The verdict and the measurement exclude each other. */
static void check_measured(struct report_data *d, struct gate_outcome *o) {
    for (size_t i = 0; i < d->goals.len; i++) {
        const struct report_goal *g = &d->goals.data[i];
        if (g->status != STATUS_DEAD || g->measured != 1 || g->robust)
            continue;
        const char *about =
            arena_printf(&o->arena, "goal %s is dead, yet tests have hit it", g->key);
        struct gate_result *r = add(o, "measured", false, about,
                                    "goalkeeper overlay says more; goalkeeper audit checks the "
                                    "proof again");
        r->alarm = true;
        vec_push(&r->goals, g);
    }
}

/* What MC/DC is counted in: "18 outcomes, 2 of 9 conditions". */
static const char *units(const struct report_data *d, struct gate_minimum m, struct arena *arena) {
    if (m.kind != GOAL_mcdc || report_is_unique_cause(d))
        return m.kind == GOAL_mcdc ? " conditions" : "";
    struct report_count c = truth_masking_count(d);
    return arena_printf(arena, " outcomes, %zu of %zu conditions",
                        m.of_reachable ? c.reachable : c.reachable + c.justified,
                        m.of_reachable ? c.total - c.dead : c.total);
}

static void check_minimum(struct report_data *d, struct gate_minimum m, struct gate_outcome *o) {
    assert(m.kind < GOAL_KINDS);
    const char *kind = criteria[m.kind].name, *of = m.of_reachable ? " of reachable" : "";
    const char *name =
        arena_printf(&o->arena, "min%s %s", m.of_reachable ? "-reachable" : "", kind);
    struct gate_result *r = add(o, name, true, "", "");
    bool unique = m.kind == GOAL_mcdc && report_is_unique_cause(d);
    struct share s = share_of(d, m, r);
    if (unique)
        s = unique_cause(d, m.of_reachable, r);
    double percent = report_percent(s.covered, s.total);
    r->about = arena_printf(&o->arena, "%s%s: %.2f %%%s (%zu of %zu%s), at least %g %%", kind,
                            unique ? " (unique-cause)" : "", percent, of, s.covered, s.total,
                            units(d, m, &o->arena), m.percent);
    r->passed = percent >= m.percent;
    if (!r->passed)
        r->remedy = arena_printf(&o->arena, "list them: goalkeeper query --kind %s --status %s",
                                 unique ? "vector" : kind,
                                 criteria[m.kind].robustness ? "reachable,open" : "dead,open");
    if (s.total == 0 && !report_was_asked(d, m.kind)) {
        r->passed = false;
        r->about = arena_printf(&o->arena, "%s: goals of this kind were not asked for", kind);
        r->remedy = "name the criterion in 'criteria' of the project file or in --criteria";
    }
    if (r->passed)
        vec_clear(&r->goals);
}

/* ---- limits ---- */

typedef bool (*goal_test)(const struct gate *, const struct report_goal *);

static bool is_open(const struct gate *gate, const struct report_goal *g) {
    (void)gate;
    return report_finding(g) == FINDING_OPEN && !g->justified;
}

static bool is_dead(const struct gate *gate, const struct report_goal *g) {
    (void)gate;
    return report_finding(g) == FINDING_DEAD;
}

static bool is_unjustified_dead(const struct gate *gate, const struct report_goal *g) {
    return is_dead(gate, g) && !g->justified;
}

static bool is_defect(const struct gate *gate, const struct report_goal *g) {
    (void)gate;
    return report_finding(g) == FINDING_DEFECT && !g->justified;
}

static bool is_worse(const struct gate *gate, const struct report_goal *g) {
    assert(gate->baseline);
    return baseline_is_worse(g, baseline_find(gate->baseline, g->key));
}

/* "2": as many of them, whoever they are; 0: a name. */
static unsigned least_checkers(const char *name) {
    return name[0] >= '1' && name[0] <= '4' && !name[1] ? (unsigned)(name[0] - '0') : 0;
}

bool gate_knows_checker(const char *name) {
    if (least_checkers(name))
        return true;
    for (size_t i = 0; checker_names[i]; i++)
        if (strcmp(checker_names[i], name) == 0)
            return strcmp(name, "replay") != 0; /* that is for runs */
    return false;
}

static unsigned count_checkers(const char *set) {
    unsigned n = 0;
    for (size_t i = 0; checker_names[i]; i++)
        n += checkers_have(set, checker_names[i]);
    return n;
}

static bool has_checker(const char *set, const char *wanted) {
    unsigned least = least_checkers(wanted);
    return least ? count_checkers(set) >= least : checkers_have(set, wanted);
}

static bool lacks_checker(const struct gate *gate, const struct report_goal *g) {
    bool all = true;
    assert(gate->checkers && gate->checkers->len > 0);
    for (size_t i = 0; i < gate->checkers->len; i++)
        all = all && has_checker(g->checked_by, gate->checkers->data[i]);
    return g->status == STATUS_DEAD && !g->helper && !all;
}

static void check_checkers(const struct gate *gate, struct report_data *d, struct gate_outcome *o) {
    const char *names = "";
    if (!gate->checkers || gate->checkers->len == 0)
        return;
    for (size_t i = 0; i < gate->checkers->len; i++)
        names = arena_printf(&o->arena, "%s%s%s%s", names, i ? "," : "", gate->checkers->data[i],
                             least_checkers(gate->checkers->data[i]) ? " checkers" : "");
    struct gate_result *r = add(o, "require-checked-by", true, "", "");
    for (size_t i = 0; i < d->goals.len; i++)
        if (lacks_checker(gate, &d->goals.data[i]))
            vec_push(&r->goals, &d->goals.data[i]);
    const char *checks = report_checks(d);
    r->about = arena_printf(&o->arena, "dead verdicts without %s: %zu, at most 0%s%s%s", names,
                            r->goals.len, *checks ? " (" : "", checks, *checks ? ")" : "");
    r->passed = r->goals.len == 0;
    if (!r->passed)
        r->remedy = "run again: it lets them look at what they have not seen yet; with more time "
                    "(goalkeeper run --seconds)";
}

struct limit {
    const char *name, *what, *remedy;
    uint64_t most;
    goal_test test;
};

static void check_limit(const struct gate *gate, const struct report_data *d,
                        const struct limit *limit, struct gate_outcome *o) {
    if (limit->most == GATE_ANY)
        return;
    struct gate_result *r = add(o, limit->name, true, "", "");
    for (size_t i = 0; i < d->goals.len; i++)
        if (limit->test(gate, &d->goals.data[i]))
            vec_push(&r->goals, &d->goals.data[i]);
    r->about = arena_printf(&o->arena, "%s: %zu, at most %llu", limit->what, r->goals.len,
                            (unsigned long long)limit->most);
    r->passed = r->goals.len <= limit->most;
    if (r->passed)
        vec_clear(&r->goals);
    else
        r->remedy = limit->remedy;
}

static void check_limits(const struct gate *gate, const struct report_data *d,
                         struct gate_outcome *o) {
    static const char justify[] = "remove the code, correct the logic, or: goalkeeper justify DB "
                                  "GOAL --reason … --author …";
    static const char guard[] = "guard against the event, narrow the ranges of the inputs, or: "
                                "goalkeeper justify DB GOAL --reason … --author …";
    const struct limit limits[] = {
        {"max-open", "open goals", "give more time (goalkeeper run --seconds), or justify them",
         gate->max_open, is_open},
        {"max-dead", "dead goals", justify, gate->max_dead, is_dead},
        {"unjustified-dead", "dead goals without justification", justify, gate->unjustified_dead,
         is_unjustified_dead},
        {"max-defects", "robustness events that can happen", guard, gate->max_defects, is_defect},
        {"baseline", "goals worse than in the baseline", justify, gate->baseline ? 0 : GATE_ANY,
         is_worse},
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        check_limit(gate, d, &limits[i], o);
}

/* One goal for each; a goal whose cause is not known has one of its own. */
static void check_causes(const struct gate *gate, const struct report_data *d,
                         struct gate_outcome *o) {
    VEC(int64_t) seen = {0};
    if (gate->max_dead_causes == GATE_ANY)
        return;
    struct gate_result *r = add(o, "max-dead-causes", true, "", "");
    for (size_t i = 0; i < d->goals.len; i++) {
        const struct report_goal *g = &d->goals.data[i];
        bool known = false;
        for (size_t k = 0; k < seen.len; k++)
            known |= g->cause && seen.data[k] == g->cause;
        if (!is_unjustified_dead(gate, g) || known)
            continue;
        vec_push(&seen, g->cause);
        vec_push(&r->goals, g);
    }
    r->about =
        arena_printf(&o->arena, "causes of dead goals without justification: %zu, at most %llu",
                     r->goals.len, (unsigned long long)gate->max_dead_causes);
    r->passed = r->goals.len <= gate->max_dead_causes;
    if (r->passed)
        vec_clear(&r->goals);
    else
        r->remedy = "remove the code, correct the logic, or: goalkeeper justify DB --cause N "
                    "--reason … --author …";
    vec_free(&seen);
}

void gate_check(const struct gate *gate, struct report_data *d, struct gate_outcome *o) {
    assert(o->results.len == 0);
    check_goals(d, o);
    check_alarms(d, o);
    check_measured(d, o);
    for (size_t i = 0; i < gate->minimums.len; i++)
        if (gate->minimums.data[i].covered)
            check_covered(d, gate->minimums.data[i], o);
        else
            check_minimum(d, gate->minimums.data[i], o);
    check_limits(gate, d, o);
    check_causes(gate, d, o);
    check_checkers(gate, d, o);
    o->passed = true;
    for (size_t i = 0; i < o->results.len; i++) {
        o->passed &= o->results.data[i].passed;
        o->alarm |= o->results.data[i].alarm;
    }
    assert(!(o->passed && o->alarm));
}

void gate_outcome_free(struct gate_outcome *o) {
    for (size_t i = 0; i < o->results.len; i++)
        vec_free(&o->results.data[i].goals);
    vec_free(&o->results);
    arena_free(&o->arena);
}
