/* A summary for a pull request: the table of criteria, then what needs somebody's attention, then
 * what is different from the baseline. */
#include "report/escape.h"
#include "report/report.h"

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

static void add_goals(struct report_data *d, enum goal_finding finding, const char *title,
                      struct str *out) {
    size_t n = 0;
    for (size_t i = 0; i < d->goals.len; i++) {
        const struct report_goal *g = &d->goals.data[i];
        if (report_finding(g) != finding || !report_needs_attention(g))
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

static void add_comparison(struct report_data *d, const struct comparison *c, struct str *out) {
    str_add(out, "\n### Compared with ");
    add_markdown(out, c->path);
    str_addf(out, "\n\n%zu new goals, %zu gone, %zu with another verdict.\n", c->added.len,
             c->gone.len, c->changed.len);
    add_changed(d, c, out);
}

void report_markdown(struct report_data *d, const struct report_options *options, struct str *out) {
    str_add(out, "## Goalkeeper: ");
    add_markdown(out, d->name);
    add_criteria(d, out);
    if (*report_checks(d))
        str_addf(out, "\n%s.\n", report_checks(d));
    add_warnings(d, out);
    add_alarms(d, out);
    add_goals(d, FINDING_DEAD, "Dead goals without justification", out);
    add_goals(d, FINDING_DEFECT, "Events that can happen", out);
    add_goals(d, FINDING_OPEN, "Open goals", out);
    if (options->comparison)
        add_comparison(d, options->comparison, out);
}
