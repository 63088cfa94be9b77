/* A summary for a pull request: the table of criteria, what is different from the baseline (causes
 * first), then all that needs somebody's attention. */
#include "report/escape.h"
#include "report/report.h"

#include "base/map.h"

#include <string.h>

enum { MOST_GOALS = 30 };

static void add_place(struct report_data *d, const struct report_goal *g, struct str *out) {
    assert(g->file < d->files.len);
    add_markdown(out, arena_printf(&d->arena, "%s:%d", d->files.data[g->file].path, g->line));
}

static void add_row(struct report_data *d, const struct report_goal *g, struct str *out) {
    assert(report_finding(g) != FINDING_NONE);
    str_addf(out, "| %lld | ", (long long)g->id);
    add_place(d, g, out);
    str_addf(out, " | %s | ", g->kind);
    add_markdown(out, report_goal_text(d, g));
    str_add(out, " | ");
    if (g->status == STATUS_DEAD && *g->because)
        add_markdown(out, g->because);
    else if (g->status == STATUS_DEAD)
        str_addf(out, "proved by %s, checked by %s", g->engine, report_checkers(d, g->checked_by));
    else if (g->status == STATUS_REACHABLE)
        str_addf(out, "happens in step %lld, replayed", (long long)g->depth);
    else
        add_markdown(out, g->reason);
    str_add(out, " |\n");
}

/* Who decides about a cause decides about all its goals. */
static bool has_cause(const struct report_goal *g) {
    return g->status == STATUS_DEAD && g->cause > 0 && *g->because;
}

/* What is listed: all that needs attention, or only what is not as it was in the baseline. */
struct selection {
    const bool *fresh; /* by index of the goal; NULL: all */
};

static bool is_selected(const struct report_data *d, const struct selection *s, size_t goal,
                        enum goal_finding finding) {
    const struct report_goal *g = &d->goals.data[goal];
    return report_finding(g) == finding && report_needs_attention(g) &&
           (!s->fresh || s->fresh[goal]);
}

/* The first goal that dies of the same: its reason does not lead through another one. */
static const struct report_goal *root_of(const struct report_data *d, const struct report_goal *g) {
    for (size_t i = 0; i < d->goals.len; i++)
        if (has_cause(&d->goals.data[i]) && d->goals.data[i].cause == g->cause)
            return &d->goals.data[i];
    return g;
}

static void add_cause(struct report_data *d, const struct selection *s, size_t first,
                      struct str *out) {
    const struct report_goal *g = root_of(d, &d->goals.data[first]);
    size_t n = 0;
    for (size_t i = first; i < d->goals.len; i++)
        n += d->goals.data[i].cause == g->cause && is_selected(d, s, i, FINDING_DEAD);
    assert(n > 0);
    str_addf(out, "| %lld | ", (long long)g->cause);
    add_place(d, g, out);
    str_addf(out, " | %zu | ", n);
    add_markdown(out, g->because);
    str_add(out, " |\n");
}

static void add_causes(struct report_data *d, const struct selection *s, const char *title,
                       struct str *out) {
    struct map seen = {0};
    size_t n = 0;
    for (size_t i = 0; i < d->goals.len; i++) {
        const struct report_goal *g = &d->goals.data[i];
        if (!has_cause(g) || !is_selected(d, s, i, FINDING_DEAD) ||
            map_get(&seen, (uint64_t)g->cause))
            continue;
        map_put(&seen, (uint64_t)g->cause, 1);
        if (n == 0)
            str_addf(out, "\n### %s\n\n| cause | place | goals | why |\n|---:|---|---:|---|\n",
                     title);
        if (n++ < MOST_GOALS)
            add_cause(d, s, i, out);
    }
    if (n > MOST_GOALS)
        str_addf(out, "\n… and %zu more.\n", n - MOST_GOALS);
    map_free(&seen);
}

static void add_goals(struct report_data *d, const struct selection *s, enum goal_finding finding,
                      const char *title, struct str *out) {
    size_t n = 0;
    for (size_t i = 0; i < d->goals.len; i++) {
        const struct report_goal *g = &d->goals.data[i];
        if (!is_selected(d, s, i, finding) || has_cause(g))
            continue;
        if (n == 0)
            str_addf(out,
                     "\n### %s\n\n| goal | place | kind | what | why |\n|---:|---|---|---|---|\n",
                     title);
        if (n++ < MOST_GOALS)
            add_row(d, g, out);
    }
    if (n > MOST_GOALS)
        str_addf(out, "\n… and %zu more.\n", n - MOST_GOALS);
}

static void add_warnings(struct report_data *d, struct str *out) {
    for (size_t i = 0; i < d->warnings.len; i++) {
        assert(*d->warnings.data[i]);
        str_add(out, "\n**Warning:** ");
        add_markdown(out, d->warnings.data[i]);
        str_add(out, "\n");
    }
}

static void add_alarms(struct report_data *d, struct str *out) {
    for (size_t i = 0; i < d->justifications.len; i++) {
        const struct report_justification *j = &d->justifications.data[i];
        if (!j->alarm)
            continue;
        str_addf(out, "\n**Alarm:** goal %lld is justified, yet a witness reaches it: ",
                 (long long)d->goals.data[j->goal].id);
        add_markdown(out, report_goal_text(d, &d->goals.data[j->goal]));
        str_add(out, "\n");
    }
}

static void add_criteria(struct report_data *d, struct str *out) {
    str_add(out, "\n\n| criterion | total | reachable | dead | open | justified | met |\n"
                 "|---|---:|---:|---:|---:|---:|---:|\n");
    for (size_t i = 0; i < d->counts.len; i++) {
        const struct report_count *c = &d->counts.data[i];
        size_t met = criteria[i].robustness ? c->dead : c->reachable;
        if (c->total > 0)
            str_addf(out, "| %s | %zu | %zu | %zu | %zu | %zu | %.1f %% |\n", c->criterion,
                     c->total, c->reachable, c->dead, c->open, c->justified,
                     report_percent(met, c->total));
    }
}

/* Open goals by what they wait for, those of most goals first. */
static void add_waiting(struct report_data *d, struct str *out) {
    struct err err = {0};
    struct rows *r = rows_open(d->db,
                               "SELECT file || ':' || line, goals, class, text FROM cause WHERE "
                               "class LIKE 'waits for%' ORDER BY goals DESC, cause",
                               &err);
    size_t n = 0;
    for (; rows_next(r); n++) {
        if (n == 0)
            str_add(out, "\n### What open goals wait for\n\n| place | goals | cause | what would "
                         "help |\n|---|---:|---|---|\n");
        if (n >= MOST_GOALS)
            continue;
        str_add(out, "| ");
        add_markdown(out, rows_text(r, 0));
        str_addf(out, " | %lld | %s | ", (long long)rows_int(r, 1), rows_text(r, 2));
        add_markdown(out, rows_text(r, 3));
        str_add(out, " |\n");
    }
    if (n > MOST_GOALS)
        str_addf(out, "\n… and %zu more.\n", n - MOST_GOALS);
    rows_close(r, &err);
    err_clear(&err);
}

/* ---- compared with a baseline ---- */

static void add_changed(struct report_data *d, const struct comparison *c, struct str *out) {
    size_t n = c->changed.len;
    if (n > 0)
        str_add(out, "\n| goal | place | kind | what | before | now |\n|---:|---|---|---|---|---|"
                     "\n");
    for (size_t i = 0; i < n && i < MOST_GOALS; i++) {
        const struct report_goal *g = c->changed.data[i].now;
        str_addf(out, "| %lld | ", (long long)g->id);
        add_place(d, g, out);
        str_addf(out, " | %s | ", g->kind);
        add_markdown(out, report_goal_text(d, g));
        str_addf(out, " | %s | %s |\n", status_names[c->changed.data[i].before->status],
                 status_names[g->status]);
    }
    if (n > MOST_GOALS)
        str_addf(out, "\n… and %zu more.\n", n - MOST_GOALS);
}

/* Goals that are new, or have another verdict than before. */
static bool *fresh_goals(struct report_data *d, const struct comparison *c) {
    bool *fresh = arena_array(&d->arena, bool, d->goals.len + 1);
    for (size_t i = 0; i < c->changed.len; i++)
        fresh[c->changed.data[i].now - d->goals.data] = true;
    for (size_t i = 0; i < c->added.len; i++)
        fresh[c->added.data[i] - d->goals.data] = true;
    return fresh;
}

static void add_findings(struct report_data *d, const struct selection *s, const char *new,
                         struct str *out) {
    assert(new);
    add_causes(d, s, arena_printf(&d->arena, "%sCauses of dead goals without justification", new),
               out);
    add_goals(d, s, FINDING_DEAD,
              arena_printf(&d->arena, "%sDead goals of unknown cause, without justification", new),
              out);
    add_goals(d, s, FINDING_DEFECT, arena_printf(&d->arena, "%sEvents that can happen", new), out);
    add_goals(d, s, FINDING_OPEN, arena_printf(&d->arena, "%sOpen goals", new), out);
}

/* What a merge request has done comes first; the rest can be unfolded. */
static void add_comparison(struct report_data *d, const struct comparison *c, struct str *out) {
    struct selection fresh = {fresh_goals(d, c)};
    str_add(out, "\n### Compared with ");
    add_markdown(out, c->path);
    str_addf(out, "\n\n%zu new goals, %zu gone, %zu with another verdict.\n", c->added.len,
             c->gone.len, c->changed.len);
    add_findings(d, &fresh, "New: ", out);
    if (c->changed.len > 0)
        str_add(out, "\n### Goals with another verdict\n");
    add_changed(d, c, out);
    str_add(out, "\n<details><summary>All that needs attention</summary>\n");
}

void report_markdown(struct report_data *d, const struct report_options *options, struct str *out) {
    static const struct selection all = {NULL};
    str_add(out, "## Goalkeeper: ");
    add_markdown(out, d->name);
    add_criteria(d, out);
    if (*report_checks(d))
        str_addf(out, "\n%s.\n", report_checks(d));
    add_warnings(d, out);
    add_alarms(d, out);
    if (options->comparison)
        add_comparison(d, options->comparison, out);
    add_findings(d, &all, "", out);
    add_waiting(d, out);
    if (options->comparison)
        str_add(out, "\n</details>\n");
}
