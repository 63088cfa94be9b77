/* The first page: the tables of ISO 26262-6 for the chosen ASIL, the goals, what the run rests on.
 */
#include "report/escape.h"
#include "report/html.h"

#include <string.h>

/* Recommendations of ISO 26262-6, tables 9 and 12, for ASIL A B C D: ++ highly recommended. */
static const struct {
    const char *criterion, *level, *marks[4];
} iso_rows[] = {
    {"statement", "unit", {"++", "++", "+", "+"}},
    {"branch", "unit", {"+", "++", "++", "++"}},
    {"mcdc", "unit", {"+", "+", "+", "++"}},
    {"function", "architecture", {"+", "+", "++", "++"}},
    {"call", "architecture", {"+", "+", "++", "++"}},
};

static const char *mark(const struct report_data *d, size_t row) {
    const char *level = strchr("ABCD", d->asil[0]);
    return d->asil[0] && level ? iso_rows[row].marks[level - "ABCD"] : "o";
}

static void add_counts(const struct report_count *c, struct str *out) {
    assert(c->reachable + c->dead + c->open == c->total);
    str_addf(out,
             "<td class=\"n\">%zu</td><td class=\"n reachable\">%zu</td><td class=\"n "
             "dead\">%zu</td><td class=\"n open\">%zu</td><td class=\"n\">%zu</td><td "
             "class=\"n\">%.1f %%</td><td class=\"n\">%.1f %%</td></tr>\n",
             c->total, c->reachable, c->dead, c->open, c->justified,
             report_percent(c->reachable, c->total),
             report_percent(c->reachable, c->total - c->dead));
}

static const char count_headings[] =
    "<th class=\"n\">goals</th><th class=\"n\">reachable</th><th class=\"n\">dead</th><th "
    "class=\"n\">open</th><th class=\"n\">justified</th><th class=\"n\">covered</th><th "
    "class=\"n\">of reachable</th></tr></thead>\n<tbody>\n";

static void add_iso(struct report_data *d, struct str *out) {
    str_add(out, "<h2>Structural coverage (ISO 26262-6), ASIL ");
    add_xml(out, d->asil);
    str_add(out, "</h2>\n<table>\n<thead><tr><th>level</th><th>criterion</th><th>recommended</th>");
    str_add(out, count_headings);
    for (size_t i = 0; i < sizeof iso_rows / sizeof *iso_rows; i++) {
        int kind = criterion_find(iso_rows[i].criterion);
        str_addf(out, "<tr><td>%s</td><td>%s%s</td><td>%s</td>", iso_rows[i].level,
                 iso_rows[i].criterion,
                 strcmp(iso_rows[i].criterion, "mcdc") == 0 && strcmp(d->mcdc, "masking") == 0
                     ? " (masking)"
                     : "",
                 mark(d, i));
        add_counts(&d->counts.data[kind], out);
    }
    str_add(out, "</tbody>\n</table>\n<p class=\"muted\">Recommendation marks: check them against "
                 "the standard before relying on them.</p>\n");
}

static void add_all_criteria(struct report_data *d, struct str *out) {
    str_add(out, "<h2>All criteria</h2>\n<table>\n<thead><tr><th>criterion</th>");
    str_add(out, count_headings);
    for (size_t i = 0; i < d->counts.len; i++)
        if (d->counts.data[i].total > 0) {
            str_addf(out, "<tr><td>%s</td>", d->counts.data[i].criterion);
            add_counts(&d->counts.data[i], out);
        }
    str_add(out, "</tbody>\n</table>\n");
}

static void add_sources(struct report_data *d, struct str *out) {
    str_add(out, "<h2>Sources</h2>\n<ul>\n");
    for (uint32_t f = 0; f < d->files.len; f++) {
        str_addf(out, "<li><a href=\"%s\">", html_source_page(d, f));
        add_xml(out, d->files.data[f].path);
        str_add(out, "</a></li>\n");
    }
    str_add(out, "</ul>\n");
}

static void add_filters(struct report_data *d, struct str *out) {
    str_add(out, "<h2>Goals</h2>\n<form class=\"filters\" id=\"filters\" hidden "
                 "onsubmit=\"return false\">\n<label>Text <input id=\"text\" "
                 "type=\"search\"></label>\n<label>Verdict <select id=\"status\"><option "
                 "value=\"\">all</option><option>dead</option><option>open</option><option>"
                 "reachable</option></select></label>\n<label>Kind <select id=\"kind\"><option "
                 "value=\"\">all</option>");
    for (size_t i = 0; i < d->counts.len; i++)
        if (d->counts.data[i].total > 0)
            str_addf(out, "<option>%s</option>", d->counts.data[i].criterion);
    str_add(out, "</select></label>\n<output id=\"count\"></output>\n</form>\n"
                 "<table>\n<thead><tr><th class=\"n\">goal</th><th>verdict</th><th>kind</th>"
                 "<th>place</th><th>function</th><th>what</th></tr></thead>\n<tbody id=\"goals\">"
                 "</tbody>\n</table>\n<button id=\"more\" hidden>Show more</button>\n"
                 "<noscript><p>The list needs JavaScript; the annotated sources link every goal "
                 "without it.</p></noscript>\n");
}

static void add_goal_rows(struct report_data *d, struct str *out) {
    str_add(out, "<script>var goals = [");
    for (size_t i = 0; i < d->goals.len; i++) {
        const struct report_goal *g = &d->goals.data[i];
        str_addf(out, "%s\n[%lld,\"%s\",\"%s\",", i ? "," : "", (long long)g->id,
                 status_names[g->status], g->kind);
        add_json(out, arena_printf(&d->arena, "%s:%d", d->files.data[g->file].path, g->line));
        str_addc(out, ',');
        add_json(out, g->function);
        str_addc(out, ',');
        add_json(out, report_goal_text(d, g));
        str_addc(out, ']');
    }
    str_add(out, "];</script>\n<script src=\"report.js\"></script>\n");
}

static void add_background(struct report_data *d, struct str *out) {
    static const char *const limits[] = {"file", "line", "function", "what", NULL};
    static const char *const inputs[] = {"input", "role", "min", "max", "from", NULL};
    static const char *const ledger[] = {"goal", "reason",  "author",  "reviewer",
                                         "date", "expires", "problem", NULL};
    static const char *const info[] = {"what", "value", NULL};
    str_add(out, "<h2>What was not analysed</h2>\n");
    html_query(d, "SELECT file, line, function, text FROM limitation ORDER BY file, line", 0,
               limits, "Everything was analysed.", out);
    str_add(out, "<h2>Assumptions: inputs and their ranges</h2>\n");
    html_query(d,
               "SELECT path, role, CASE WHEN has_range THEN min ELSE '' END, CASE WHEN has_range "
               "THEN max ELSE '' END, range_from FROM variable WHERE is_input AND type <> 'f' "
               "UNION ALL SELECT path, role, '', '', range_from FROM variable WHERE is_input AND "
               "type = 'f' ORDER BY 1",
               0, inputs, "The module has no inputs.", out);
    str_add(out, "<h2>Justifications</h2>\n");
    html_query(d,
               "SELECT key, reason, author, reviewer, date, expires, problem FROM justification "
               "ORDER BY key",
               0, ledger, "No goal is justified.", out);
    str_add(out, "<h2>Versions and hashes</h2>\n");
    html_query(d, "SELECT key, value FROM run_info ORDER BY key", 0, info, "Nothing recorded.",
               out);
}

void html_overview(struct report_data *d, struct str *out) {
    html_begin(d, arena_printf(&d->arena, "Coverage of %s", d->name), "", out);
    add_iso(d, out);
    add_all_criteria(d, out);
    add_sources(d, out);
    add_filters(d, out);
    add_background(d, out);
    add_goal_rows(d, out);
    html_end(out);
}
