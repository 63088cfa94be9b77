#include "report/gate.h"

#include "base/nearest.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_NAMED = 20 };

static bool unknown_criterion(const char *name, struct err *err) {
    struct nearest near;
    nearest_init(&near, name);
    for (int k = 0; k < GOAL_KINDS; k++)
        nearest_offer(&near, criteria[k].name);
    err_set(err, ERR_USAGE, "--min: unknown criterion '%s'", name);
    if (nearest_best(&near))
        err_remedy(err, "did you mean '%s'?", nearest_best(&near));
    return false;
}

bool gate_parse_minimum(const char *text, struct gate_minimum *minimum, struct err *err) {
    assert(text && minimum);
    struct arena arena = {0};
    size_t len = strcspn(text, "=");
    char *name = arena_strndup(&arena, text, len), *end = NULL;
    int kind = criterion_find(name);
    double percent = text[len] ? strtod(text + len + 1, &end) : -1;
    bool number = end && end != text + len + 1 && *end == '\0' && percent >= 0 && percent <= 100;
    bool ok = true;
    if (kind < 0)
        ok = unknown_criterion(name, err);
    else if (!number)
        ok = err_set(err, ERR_USAGE, "--min: '%s' is not CRITERION=PERCENT (0 to 100)", text);
    else
        *minimum = (struct gate_minimum){(enum goal_kind)kind, percent};
    arena_free(&arena);
    return ok;
}

static void name_goal(struct report_data *d, const struct report_goal *g, struct str *out) {
    str_addf(out, "      goal %lld  %s:%d  %s  %s is %s\n", (long long)g->id,
             d->files.data[g->file].path, g->line, g->kind, report_goal_text(d, g),
             status_names[g->status]);
}

typedef bool (*goal_test)(const struct gate *, const struct report_goal *);

static size_t count(const struct gate *gate, const struct report_data *d, goal_test test) {
    size_t n = 0;
    for (size_t i = 0; i < d->goals.len; i++)
        n += test(gate, &d->goals.data[i]);
    return n;
}

static void name_goals(const struct gate *gate, struct report_data *d, goal_test test,
                       struct str *out) {
    size_t n = 0;
    for (size_t i = 0; i < d->goals.len; i++)
        if (test(gate, &d->goals.data[i]) && n++ < MOST_NAMED)
            name_goal(d, &d->goals.data[i], out);
    if (n > MOST_NAMED)
        str_addf(out, "      … and %zu more\n", n - MOST_NAMED);
}

static bool is_open(const struct gate *gate, const struct report_goal *g) {
    (void)gate;
    return g->status == STATUS_OPEN && !g->justified;
}

static bool is_dead(const struct gate *gate, const struct report_goal *g) {
    (void)gate;
    return report_finding(g) == FINDING_DEAD;
}

static bool is_unjustified_dead(const struct gate *gate, const struct report_goal *g) {
    return is_dead(gate, g) && !g->justified;
}

/* Worse than in the baseline: it needs attention, and did not then (or was not there). */
static bool is_worse(const struct gate *gate, const struct report_goal *g) {
    assert(gate->baseline);
    if (!report_needs_attention(g))
        return false;
    for (size_t i = 0; i < gate->baseline->goals.len; i++)
        if (strcmp(gate->baseline->goals.data[i].key, g->key) == 0)
            return !report_needs_attention(&gate->baseline->goals.data[i]) ||
                   gate->baseline->goals.data[i].status != g->status;
    return true;
}

static bool check_limit(const struct gate *gate, struct report_data *d, uint64_t limit,
                        const char *what, const char *remedy, goal_test test, struct str *out) {
    if (limit == GATE_ANY)
        return true;
    size_t n = count(gate, d, test);
    bool ok = n <= limit;
    str_addf(out, "%s  %s: %zu, at most %llu\n", ok ? "pass" : "FAIL", what, n,
             (unsigned long long)limit);
    if (!ok) {
        name_goals(gate, d, test, out);
        str_addf(out, "      %s\n", remedy);
    }
    return ok;
}

static bool check_minimum(struct report_data *d, struct gate_minimum m, struct str *out) {
    assert(m.kind < GOAL_KINDS);
    size_t covered = 0, total = 0;
    for (size_t i = 0; i < d->goals.len; i++) {
        const struct report_goal *g = &d->goals.data[i];
        if (strcmp(g->kind, criteria[m.kind].name) != 0)
            continue;
        total++;
        covered += !report_needs_attention(g);
    }
    double percent = report_percent(covered, total);
    bool ok = percent >= m.percent;
    str_addf(out, "%s  %s: %.2f %% (%zu of %zu), at least %g %%\n", ok ? "pass" : "FAIL",
             criteria[m.kind].name, percent, covered, total, m.percent);
    if (!ok)
        str_addf(out, "      list them: goalkeeper query --kind %s --status dead,open\n",
                 criteria[m.kind].name);
    return ok;
}

bool gate_check(const struct gate *gate, struct report_data *d, struct str *out) {
    static const char justify[] = "remove the code, correct the logic, or: goalkeeper justify DB "
                                  "GOAL --reason … --author …";
    bool ok = true;
    for (size_t i = 0; i < gate->minimums.len; i++)
        ok &= check_minimum(d, gate->minimums.data[i], out);
    ok &= check_limit(gate, d, gate->max_open, "open goals",
                      "give more time (goalkeeper run --seconds), or justify them", is_open, out);
    ok &= check_limit(gate, d, gate->max_dead, "dead goals", justify, is_dead, out);
    ok &= check_limit(gate, d, gate->unjustified_dead, "dead goals without justification", justify,
                      is_unjustified_dead, out);
    if (gate->baseline)
        ok &= check_limit(gate, d, 0, "goals worse than in the baseline", justify, is_worse, out);
    return ok;
}
