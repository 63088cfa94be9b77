/* What the verdicts rest on: what was not analysed, ranges, justifications, versions. */
#include "report/escape.h"
#include "report/html.h"
#include "report/number.h"

static void add_limits(struct report_data *d, struct str *out) {
    static const char *const headings[] = {"file", "line", "function", "what, and what to do",
                                           NULL};
    html_heading(out, "limits", "What was not analysed");
    html_query(
        d,
        &(struct html_query){
            .sql = "SELECT file, line, function, text FROM limitation ORDER BY file, line, text",
            .headings = headings,
            .none = "Everything was analysed: no construct had to be left out or approximated."},
        out);
}

/* A range as a range of values, beside it what one step of a scaled value means. */
static void add_range(struct report_data *d, struct rows *r, struct str *out) {
    enum var_type type = (enum var_type)rows_text(r, 2)[0];
    int bits = (int)rows_int(r, 3);
    double lsb = rows_real(r, 6), offset = rows_real(r, 7);
    const char *min = number_text(&d->arena, type, bits, (uint64_t)rows_int(r, 4));
    const char *max = number_text(&d->arena, type, bits, (uint64_t)rows_int(r, 5));
    str_addf(out, "<td class=\"n\">%s</td><td class=\"n\">%s</td><td>", min, max);
    if ((lsb != 0 && lsb != 1) || offset != 0)
        str_addf(out, "raw · %.9g", lsb);
    if (offset != 0)
        str_addf(out, " %c %.9g", offset < 0 ? '-' : '+', offset < 0 ? -offset : offset);
    str_add(out, "</td>");
}

static void add_input(struct report_data *d, struct rows *r, struct str *out) {
    str_add(out, "<tr><td><code>");
    add_xml(out, rows_text(r, 0));
    str_addf(out, "</code></td><td>%s</td>", rows_text(r, 1));
    add_range(d, r, out);
    str_add(out, "<td>");
    add_xml(out, rows_text(r, 8));
    str_add(out, "</td></tr>\n");
}

/* Whoever gives a range wants to know what it is for. */
static void add_idle(struct report_data *d, struct str *out) {
    struct err err = {0};
    struct rows *r = rows_open(d->db, "SELECT path FROM idle_range ORDER BY path", &err);
    size_t n = 0;
    for (; rows_next(r); n++) {
        str_add(out, n ? ", <code>" : "<p>No dead goal needs these ranges: <code>");
        add_xml(out, rows_text(r, 0));
        str_add(out, "</code>");
    }
    str_add(out, n ? ".</p>\n" : "");
    rows_close(r, &err);
    err_clear(&err);
}

static void add_assumptions(struct report_data *d, struct str *out) {
    struct err err = {0};
    struct rows *r = rows_open(d->db,
                               "SELECT path, role, type, bits, min, max, lsb, offset, range_from "
                               "FROM variable WHERE is_input ORDER BY number",
                               &err);
    size_t n = 0;
    html_heading(out, "assumptions", "Assumptions: inputs and their ranges");
    for (; rows_next(r); n++) {
        if (n == 0)
            str_add(
                out,
                "<p>A range is a promise by the integrator: before each step an input "
                "takes any value in it, and none outside. A verdict that needs the "
                "promise names it.</p>\n<div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr><th "
                "scope=\"col\">input</th><th scope=\"col\">role</th><th scope=\"col\" "
                "class=\"n\">least</th><th scope=\"col\" class=\"n\">greatest</th><th "
                "scope=\"col\">physical</th><th scope=\"col\">from</th></tr></thead>\n"
                "<tbody>\n");
        add_input(d, r, out);
    }
    if (n > 0)
        str_add(out, "</tbody>\n</table></div>\n");
    else
        html_text(out, "p", "The module has no inputs.");
    add_idle(d, out);
    const char *constraints = report_info(d, "assumptions");
    if (*constraints) {
        str_add(out, "<p>Constraints by the integrator, which hold before every step:</p>\n<pre>");
        add_xml(out, constraints);
        str_add(out, "</pre>\n");
    }
    rows_close(r, &err);
    err_clear(&err);
}

/* What is held at one value: by the project file, or by a constant that a verdict rests on. */
static const char calibration_sql[] =
    "WITH RECURSIVE part (item, rest) AS (SELECT NULL, assumes || '; ' FROM goal WHERE assumes <> "
    "'' "
    "UNION ALL SELECT substr(rest, 1, instr(rest, '; ') - 1), substr(rest, instr(rest, '; ') + 2) "
    "FROM "
    "part WHERE rest <> ''), "
    "used AS (SELECT substr(item, 1, instr(item, ' = ') - 1) AS name, substr(item, instr(item, ' = "
    "') "
    "+ 3) AS value, count(*) AS goals FROM part WHERE instr(item, ' = ') > 0 GROUP BY 1, 2), "
    "fixed AS (SELECT json_extract(p.value, '$.name') AS name FROM artifact, "
    "json_each(CASE WHEN json_valid(CAST(content AS TEXT)) THEN CAST(content AS TEXT) ELSE '{}' "
    "END, "
    "'$.parameters') p WHERE artifact.name = 'project.json' AND "
    "coalesce(json_extract(p.value, '$.mode'), 'fixed') = 'fixed') "
    "SELECT name, value, CASE WHEN name IN (SELECT name FROM fixed) THEN 'project file' ELSE "
    "'constant of the program' END, goals FROM used UNION ALL SELECT name, 'its initialiser', "
    "'project file', 0 FROM fixed WHERE name NOT IN (SELECT name FROM used) "
    /* Whose reasons were found with all of them fixed, or not at all. */
    "UNION ALL SELECT 'not told apart', 'all constants as they are', 'any of them', count(*) FROM "
    "goal_status WHERE status = 'dead' AND ifnull(because, 'constants of the program as they') "
    "LIKE '%constants of the program as they%' AND EXISTS (SELECT 1 FROM fixed UNION ALL SELECT 1 "
    "FROM used) HAVING count(*) > 0 ORDER BY 1";

static void add_calibration(struct report_data *d, struct str *out) {
    assert(d->db);
    static const char *const headings[] = {"parameter", "value", "fixed by",
                                           "verdicts that rest on it", NULL};
    html_heading(out, "calibration", "Fixed calibration");
    html_query(d,
               &(struct html_query){.sql = calibration_sql,
                                    .headings = headings,
                                    .none =
                                        "No parameter is fixed by the project file, and no verdict "
                                        "rests on the value of a constant."},
               out);
}

static void add_fact(struct str *out, const char *name, const char *value) {
    assert(name && value);
    if (!*value)
        return;
    str_addf(out, "<dt>%s</dt>", name);
    html_text(out, "dd", value);
}

void html_justification(struct report_data *d, const struct report_justification *j,
                        const char *root, struct str *out) {
    str_add(out, "<dl class=\"facts\">\n");
    if (root && j->goal >= 0) {
        str_add(out, "<dt>Goal</dt><dd>");
        html_goal_link(d, &d->goals.data[j->goal], root, out);
        str_add(out, "</dd>\n");
    }
    add_fact(out, "Key", j->key);
    add_fact(out, "Category", j->category);
    add_fact(out, "Reason", j->reason);
    add_fact(out, "Author", j->author);
    add_fact(out, "Reviewer", *j->reviewer ? j->reviewer : "none");
    add_fact(out, "Date", j->date);
    add_fact(out, "Expires", j->expires);
    str_add(out, "</dl>\n");
    if (j->alarm)
        str_add(out, "<p class=\"verdict bad\">Alarm: the goal is justified, yet a witness reaches "
                     "it.</p>\n");
    else if (*j->problem) {
        str_add(out, "<p class=\"verdict warn\">Does not hold: ");
        add_xml(out, j->problem);
        str_add(out, ".</p>\n");
    }
}

static void add_ledger(struct report_data *d, struct str *out) {
    html_heading(out, "justifications", "Justifications");
    if (d->justifications.len == 0)
        html_text(out, "p", "No goal is justified.");
    for (size_t i = 0; i < d->justifications.len; i++)
        html_justification(d, &d->justifications.data[i], "", out);
}

static void add_recheck(struct str *out) {
    html_heading(out, "recheck", "How to check all this");
    str_add(out,
            "<p>No verdict has to be believed. From the database alone, on any machine:</p>\n<pre>"
            "goalkeeper audit DB                          # replays every witness, re-checks every "
            "proof\ngoalkeeper export DB -o out --tests plain    # C tests for what is reachable, "
            "for gcc\ngoalkeeper export DB -o out --certificates   # proof obligations for what is "
            "dead, for CBMC</pre>\n");
}

void html_background(struct report_data *d, struct str *out) {
    static const char *const info[] = {"what", "value", NULL}, *const files[] = {"file", "SHA-256",
                                                                                 NULL};
    add_limits(d, out);
    add_assumptions(d, out);
    add_calibration(d, out);
    add_ledger(d, out);
    add_recheck(out);
    html_heading(out, "inputs", "Files that were read");
    html_query(d,
               &(struct html_query){
                   .sql = "SELECT substr(key, 8), value FROM run_info WHERE key LIKE 'sha256:%' "
                          "ORDER BY key",
                   .headings = files,
                   .none = "Not recorded."},
               out);
    html_heading(out, "versions", "Versions and options");
    html_query(
        d,
        &(struct html_query){.sql = "SELECT key, value FROM run_info WHERE value <> '' AND key NOT "
                                    "LIKE 'sha256:%' AND key NOT LIKE 'audited%' AND key NOT LIKE "
                                    "'accepted:%' ORDER BY key",
                             .headings = info,
                             .none = "Nothing recorded."},
        out);
}
