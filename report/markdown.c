/* A summary for a pull request: the table of criteria, then what needs somebody's attention. */
#include "report/report.h"

enum { MOST_GOALS = 30 };

/* Text in a table cell: no line breaks, no bars, no HTML. */
static void add_cell(struct str *out, const char *text) {
    str_addc(out, '`');
    for (; *text; text++)
        if (*text == '|')
            str_add(out, "\\|");
        else if (*text == '`')
            str_addc(out, '\'');
        else
            str_addc(out, (unsigned char)*text < 0x20 ? ' ' : *text);
    str_addc(out, '`');
}

static void add_row(struct report_data *d, const struct report_goal *g, struct str *out) {
    assert(g->file < d->files.len);
    assert(g->status != STATUS_REACHABLE);
    str_addf(out, "| %lld | ", (long long)g->id);
    add_cell(out, d->files.data[g->file].path);
    str_addf(out, ":%d | %s | ", g->line, g->kind);
    add_cell(out, report_goal_text(d, g));
    str_add(out, " | ");
    if (g->status == STATUS_DEAD)
        str_addf(out, "%s, checked by %s", g->engine, g->checked_by);
    else
        add_cell(out, g->reason);
    str_add(out, " |\n");
}

static void add_goals(struct report_data *d, enum status status, const char *title,
                      struct str *out) {
    size_t n = 0;
    for (size_t i = 0; i < d->goals.len; i++) {
        const struct report_goal *g = &d->goals.data[i];
        if (g->status != status || !report_needs_attention(g))
            continue;
        if (n == 0)
            str_addf(out,
                     "\n### %s\n\n| goal | place | kind | what | %s |\n|---:|---|---|---|---|\n",
                     title, status == STATUS_DEAD ? "proof" : "why");
        if (n++ < MOST_GOALS)
            add_row(d, g, out);
    }
    if (n > MOST_GOALS)
        str_addf(out, "\n… and %zu more.\n", n - MOST_GOALS);
}

void report_markdown(struct report_data *d, const struct report_options *options, struct str *out) {
    (void)options;
    str_add(out, "## Goalkeeper: ");
    add_cell(out, d->name);
    str_add(out, "\n\n| criterion | total | reachable | dead | open | justified | covered |\n"
                 "|---|---:|---:|---:|---:|---:|---:|\n");
    for (size_t i = 0; i < d->counts.len; i++) {
        const struct report_count *c = &d->counts.data[i];
        if (c->total > 0)
            str_addf(out, "| %s | %zu | %zu | %zu | %zu | %zu | %.1f %% |\n", c->criterion,
                     c->total, c->reachable, c->dead, c->open, c->justified,
                     report_percent(c->reachable, c->total));
    }
    add_goals(d, STATUS_DEAD, "Dead goals without justification", out);
    add_goals(d, STATUS_OPEN, "Open goals", out);
}
