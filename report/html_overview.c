/* The first page: what was found, the tables of ISO 26262-6 for the chosen ASIL, what needs
 * attention, what the verdicts rest on. */
#include "report/escape.h"
#include "report/html.h"
#include "report/truth.h"

#include <string.h>

enum { MOST_FINDINGS = 200 };

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
    assert(row < sizeof iso_rows / sizeof *iso_rows);
    const char *level = strchr("ABCD", d->asil[0]);
    return d->asil[0] && level ? iso_rows[row].marks[level - "ABCD"] : "o";
}

/* ---- summary ---- */

static void add_card(struct str *out, size_t n, const char *class, const char *link,
                     const char *text) {
    str_addf(out, "<li><strong class=\"%s\">%zu</strong> ", n > 0 ? class : "muted", n);
    if (link && n > 0)
        str_addf(out, "<a href=\"%s\">%s</a></li>\n", link, text);
    else
        str_addf(out, "%s</li>\n", text);
}

/* All of it in a sentence. */
static void add_verdict(struct report_data *d, const size_t n[FINDINGS], size_t alarms,
                        struct str *out) {
    assert(n[FINDING_DEAD] + n[FINDING_DEFECT] + n[FINDING_OPEN] <= d->goals.len);
    size_t left = n[FINDING_DEAD] + n[FINDING_DEFECT] + n[FINDING_OPEN];
    const char *separator = ": ";
    str_addf(out, "<p class=\"verdict %s\">",
             alarms || n[FINDING_DEAD] + n[FINDING_DEFECT] ? "bad"
             : left                                        ? "warn"
                                                           : "good");
    if (alarms > 0)
        str_addf(out, "Alarm: %zu justified goals are reached. ", alarms);
    if (left == 0)
        str_addf(out, "Complete: each of the %zu goals is met or justified.", d->goals.len);
    else
        str_addf(out, "Not complete: %zu of %zu goals wait for a decision", left, d->goals.len);
    static const char *const words[FINDINGS] = {[FINDING_DEAD] = "dead and not justified",
                                                [FINDING_DEFECT] = "events that can happen",
                                                [FINDING_OPEN] = "open"};
    for (int f = 0; f < FINDINGS; f++)
        if (words[f] && n[f] > 0) {
            str_addf(out, "%s%zu %s", separator, n[f], words[f]);
            separator = ", ";
        }
    str_add(out, left ? ".</p>\n" : "</p>\n");
}

static void add_summary(struct report_data *d, struct str *out) {
    size_t n[FINDINGS] = {0}, met = 0, justified = 0, alarms = 0;
    for (size_t i = 0; i < d->goals.len; i++) {
        const struct report_goal *g = &d->goals.data[i];
        met += report_is_met(g);
        justified += g->justified;
        n[g->justified ? FINDING_NONE : report_finding(g)]++;
    }
    for (size_t i = 0; i < d->justifications.len; i++)
        alarms += d->justifications.data[i].alarm;
    add_verdict(d, n, alarms, out);
    str_add(out, "<ul class=\"cards\">\n");
    if (alarms > 0)
        add_card(out, alarms, "bad", "#justifications", "alarms: justified, yet reached");
    add_card(out, met, "good", "goals.html", "goals are met");
    add_card(out, n[FINDING_DEAD], "bad", "goals.html#verdict=dead", "dead, not justified");
    add_card(out, n[FINDING_DEFECT], "bad", "#robustness", "robustness events can happen");
    add_card(out, n[FINDING_OPEN], "warn", "goals.html#verdict=open", "open, not justified");
    add_card(out, justified, "good", "#justifications", "justified");
    str_add(out, "</ul>\n");
    if (*report_checks(d))
        str_addf(out, "<p>%s.</p>\n", report_checks(d));
}

static void add_warnings(struct report_data *d, struct str *out) {
    if (d->warnings.len == 0)
        return;
    html_heading(out, "warnings", "Read this first");
    for (size_t i = 0; i < d->warnings.len; i++) {
        str_add(out, "<p class=\"verdict warn\">");
        add_xml(out, d->warnings.data[i]);
        str_add(out, "</p>\n");
    }
}

/* A level that nobody has named is a default, and not the project's. */
static const char *level_in_words(struct report_data *d) {
    bool is_default = strcmp(report_info(d, "asil_named"), "no") == 0;
    return is_default ? arena_printf(&d->arena, "%s (taken, for the project names none)", d->asil)
                      : d->asil;
}

/* Who reads only this knows what was analysed, when, with what, and what came out. */
static void add_facts(struct report_data *d, struct str *out) {
    static const struct {
        const char *key, *name;
    } facts[] = {{"name", "Project"},      {"step", "Step function"},
                 {"revision", "Revision"}, {"asil", "ASIL"},
                 {"mcdc", "MC/DC"},        {"target", "Data model"},
                 {"started", "Analysed"},  {"tool_version", "Goalkeeper"},
                 {"tool_build", "Build"},  {"evidence_sum", "Checksum of the database"}};
    str_add(out, "<dl class=\"facts\">\n");
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        const char *value = report_info(d, facts[i].key);
        if (!*value)
            continue;
        if (strcmp(facts[i].key, "asil") == 0)
            value = level_in_words(d);
        str_addf(out, "<dt>%s</dt>", facts[i].name);
        html_text(out, "dd", value);
    }
    const char *sum = report_info(d, "evidence_sum");
    if (*sum) {
        bool fresh = strcmp(report_info(d, "audited_sum"), sum) == 0;
        str_add(out, "<dt>Audit</dt>");
        html_text(out, "dd",
                  fresh ? report_info(d, "audited")
                        : "none since the run; goalkeeper audit DB --record");
    }
    str_add(out, "</dl>\n");
}

/* ---- tables ---- */

static void add_iso_row(struct report_data *d, size_t i, const struct report_count *unique,
                        struct str *out) {
    bool mcdc = strcmp(iso_rows[i].criterion, "mcdc") == 0;
    const char *name = mcdc ? "MC/DC" : iso_rows[i].criterion;
    const char *form = !mcdc                       ? ""
                       : report_is_unique_cause(d) ? " (unique-cause, in conditions)"
                                                   : " (masking, in outcomes)";
    str_addf(out, "<tr><td>%s</td><th scope=\"row\">%s%s</th><td class=\"c\">%s</td>",
             iso_rows[i].level, name, form, mark(d, i));
    int kind = criterion_find(iso_rows[i].criterion);
    assert(kind >= 0);
    html_counts(mcdc && report_is_unique_cause(d) ? unique : &d->counts.data[kind],
                report_was_asked(d, (enum goal_kind)kind), out);
}

static void add_iso(struct report_data *d, const struct report_count *unique, struct str *out) {
    html_heading(
        out, "iso",
        arena_printf(&d->arena, "Structural coverage by ISO 26262-6, ASIL %s", level_in_words(d)));
    str_add(out, "<div class=\"wide\" tabindex=\"0\"><table>\n<caption>++ highly recommended, + "
                 "recommended, o no "
                 "recommendation for this level. Check the marks against the standard before "
                 "relying on them.</caption>\n<thead><tr><th scope=\"col\">level</th><th "
                 "scope=\"col\">criterion</th><th scope=\"col\" class=\"c\">recommended</th>");
    str_add(out, html_count_headings);
    for (size_t i = 0; i < sizeof iso_rows / sizeof *iso_rows; i++)
        add_iso_row(d, i, unique, out);
    str_add(out, "</tbody>\n</table></div>\n");
}

/* The same goals, two for each condition. */
static void add_masking_conditions(const struct report_data *d, struct str *out) {
    struct report_count count = truth_masking_count(d);
    str_add(out, "<tr><th scope=\"row\">mcdc (masking, in conditions)</th>");
    html_counts(&count, true, out);
}

static void add_all_criteria(struct report_data *d, const struct report_count *unique,
                             struct str *out) {
    html_heading(out, "criteria", "All criteria of coverage");
    str_add(
        out,
        "<div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr><th scope=\"col\">criterion</th>");
    str_add(out, html_count_headings);
    for (size_t i = 0; i < d->counts.len; i++) {
        const struct report_count *c = &d->counts.data[i];
        if (c->total == 0 || criteria[i].robustness)
            continue;
        bool mcdc = i == GOAL_mcdc;
        str_addf(out, "<tr><th scope=\"row\">%s%s</th>", c->criterion,
                 mcdc ? " (masking, in outcomes)" : "");
        html_counts(c, true, out);
        if (mcdc)
            add_masking_conditions(d, out);
    }
    if (unique->total > 0) {
        str_add(out, "<tr><th scope=\"row\">mcdc (unique-cause, in conditions)</th>");
        html_counts(unique, true, out);
    }
    str_add(out, "</tbody>\n</table></div>\n");
}

static void add_robustness(struct report_data *d, struct str *out) {
    bool any = false;
    for (size_t i = 0; i < d->counts.len; i++) {
        const struct report_count *c = &d->counts.data[i];
        if (c->total == 0 || !criteria[i].robustness)
            continue;
        if (!any) {
            html_heading(out, "robustness", "Robustness: can it happen?");
            str_add(out, "<div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr><th "
                         "scope=\"col\">event</th><th "
                         "scope=\"col\" class=\"n\">places</th><th scope=\"col\" class=\"n\">can "
                         "happen</th><th scope=\"col\" class=\"n\">cannot happen</th><th "
                         "scope=\"col\" class=\"n\">open</th><th scope=\"col\" class=\"n\">"
                         "justified</th><th scope=\"col\"><span class=\"muted\">share</span></th>"
                         "</tr></thead>\n<tbody>\n");
        }
        any = true;
        str_addf(out,
                 "<tr><th scope=\"row\"><a href=\"goals.html#kind=%s\">%s</a></th><td "
                 "class=\"n\">%zu</td>",
                 c->criterion, c->criterion, c->total);
        html_number(out, c->reachable, "bad");
        html_number(out, c->dead, "good");
        html_number(out, c->open, "warn");
        html_number(out, c->justified, "");
        html_bar(c, true, out);
        str_add(out, "</tr>\n");
    }
    str_add(out, any ? "</tbody>\n</table></div>\n" : "");
}

/* ---- what needs attention ---- */

static void add_finding(struct report_data *d, const struct report_goal *g, struct str *out) {
    str_addf(out, "<tr><td class=\"n\">%lld</td>", (long long)g->id);
    html_goal_cells(d, g, out);
}

static void add_findings(struct report_data *d, struct str *out) {
    size_t n = 0;
    html_heading(out, "attention", "What needs attention");
    for (size_t i = 0; i < d->goals.len; i++) {
        if (!report_needs_attention(&d->goals.data[i]) || n++ >= MOST_FINDINGS)
            continue;
        if (n == 1)
            str_add(out, "<div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr><th scope=\"col\" "
                         "class=\"n\">"
                         "goal</th><th scope=\"col\">verdict</th><th scope=\"col\">kind</th><th "
                         "scope=\"col\">what</th><th scope=\"col\">place</th><th scope=\"col\">"
                         "function</th></tr></thead>\n<tbody>\n");
        add_finding(d, &d->goals.data[i], out);
    }
    if (n == 0)
        html_text(out, "p", "Nothing: every goal is met or justified.");
    else
        str_add(out, "</tbody>\n</table></div>\n");
    if (n > MOST_FINDINGS)
        str_addf(out, "<p>… and %zu more in the <a href=\"goals.html\">list of goals</a>.</p>\n",
                 n - MOST_FINDINGS);
}

/* After goalkeeper overlay. */
static void add_measured(struct report_data *d, struct str *out) {
    static const char *const headings[] = {"criterion", "goals", "covered", "test gap", "dead",
                                           "open",      "alarm", "unknown", NULL};
    struct err err = {0};
    struct rows *r = rows_open(d->db, "SELECT count(*) FROM measured", &err);
    bool any = rows_next(r) && rows_int(r, 0) > 0;
    rows_close(r, &err);
    err_clear(&err);
    if (!any)
        return;
    html_heading(out, "measured", "What your tests cover");
    html_query(d,
               &(struct html_query){
                   .sql = "SELECT kind, count(*), sum(overlay = 'covered'), sum(overlay = 'gap'), "
                          "sum(overlay = 'dead'), sum(overlay = 'open'), sum(overlay = 'alarm'), "
                          "sum(overlay = 'unknown') FROM overlay GROUP BY kind ORDER BY kind",
                   .headings = headings,
                   .none = ""},
               out);
}

static bool has_rows(struct report_data *d, const char *sql) {
    struct err err = {0};
    struct rows *r = rows_open(d->db, sql, &err);
    bool any = rows_next(r);
    rows_close(r, &err);
    err_clear(&err);
    return any;
}

/* What would decide most of what is open comes first. */
static void add_waiting(struct report_data *d, struct str *out) {
    static const char *const headings[] = {"open goals", "wait for", "first", "lever", NULL};
    if (!has_rows(d, "SELECT 1 FROM open_goal"))
        return;
    html_heading(out, "waiting", "What open goals wait for");
    html_query(d,
               &(struct html_query){.sql = "SELECT count(*), class, file || ':' || min(line), text "
                                           "FROM open_goal GROUP BY class, text "
                                           "ORDER BY 1 DESC, 4",
                                    .headings = headings,
                                    .none = ""},
               out);
}

/* The reasons, in a row each: who decides about one decides about all its goals. */
static void add_causes(struct report_data *d, struct str *out) {
    static const char *const headings[] = {"cause", "goals", "class", "place", "why", NULL};
    if (!has_rows(d, "SELECT 1 FROM cause WHERE class NOT LIKE 'waits for%'"))
        return;
    html_heading(out, "causes", "Why goals are dead");
    html_query(d,
               &(struct html_query){.sql = "SELECT cause, goals, class, file || ':' || line, "
                                           "replace(CASE WHEN text LIKE 'dead because %' THEN "
                                           "substr(text, 14) ELSE substr(text, 6) END, '`', '') "
                                           "FROM cause WHERE class NOT LIKE 'waits for%' "
                                           "ORDER BY cause",
                                    .headings = headings,
                                    .none = ""},
               out);
}

static void add_sources(struct report_data *d, struct str *out) {
    html_heading(out, "sources", "Annotated sources");
    str_add(out, "<ul>\n");
    for (uint32_t f = 0; f < d->files.len; f++) {
        str_addf(out, "<li><a href=\"%s\">", html_source_page(d, f));
        add_xml(out, d->files.data[f].path);
        str_add(out, "</a></li>\n");
    }
    str_add(out, "</ul>\n");
}

static void add_changes(const struct comparison *c, struct str *out) {
    html_heading(out, "changes", "Compared with the baseline");
    str_addf(out,
             "<p>%zu new goals, %zu gone, %zu with another verdict: <a href=\"changes.html\">"
             "changes</a>.</p>\n",
             c->added.len, c->gone.len, c->changed.len);
}

void html_title_block(struct report_data *d, struct str *out) {
    add_facts(d, out);
    add_summary(d, out);
    add_warnings(d, out);
}

void html_overview_parts(struct report_data *d, struct str *out) {
    struct report_count unique = truth_unique_count(d);
    add_iso(d, &unique, out);
    add_all_criteria(d, &unique, out);
    add_robustness(d, out);
    html_functions(d, out);
    html_blocks(d, out);
    add_measured(d, out);
    add_causes(d, out);
    add_waiting(d, out);
}

void html_overview(struct report_data *d, const struct comparison *comparison, struct str *out) {
    struct html_page page = {.title = arena_printf(&d->arena, "Structural coverage of %s", d->name),
                             .root = "",
                             .section = HTML_OVERVIEW};
    html_begin(d, &page, out);
    html_title_block(d, out);
    if (comparison)
        add_changes(comparison, out);
    html_overview_parts(d, out);
    add_findings(d, out);
    add_sources(d, out);
    html_background(d, out);
    html_end(d, out);
}
