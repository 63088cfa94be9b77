/* A goal on the page of its group: the verdict in a sentence, then what makes it checkable. */
#include "report/escape.h"
#include "report/html.h"

#include <ctype.h>
#include <string.h>

static void add_place(struct report_data *d, const struct report_goal *g, struct str *out) {
    int kind = criterion_find(g->kind);
    str_addf(out, "<dl class=\"facts\">\n<dt>Goal</dt><dd>%lld, %s: %s</dd>\n<dt>Function</dt>",
             (long long)g->id, g->kind, kind >= 0 ? criteria[kind].about : "");
    str_add(out, "<dd><code>");
    add_xml(out, g->function);
    str_addf(out, "</code></dd>\n<dt>Place</dt><dd><a href=\"../%s#L%d\">",
             html_source_page(d, g->file), g->line);
    add_xml(out, d->files.data[g->file].path);
    str_addf(out, ":%d</a></dd>\n", g->line);
    if (*g->expansion) {
        str_add(out, "<dt>After preprocessing</dt><dd><code>");
        add_xml(out, g->expansion);
        str_add(out, "</code></dd>\n");
    }
    if (*g->block) {
        str_add(out, "<dt>Block of the model</dt><dd>");
        add_xml(out, g->block);
        str_add(out, "</dd>\n");
    }
    str_addf(out, "<dt>Key</dt><dd><code>%s</code></dd>\n</dl>\n", g->key);
}

static void add_assumptions(struct report_data *d, const struct report_goal *g, struct str *out) {
    if (!*g->assumes)
        return;
    str_add(out, "<h3>It rests on</h3>\n<p>");
    const char *separator = "";
    for (const char *p = g->assumes; *p;) {
        size_t len = strcspn(p, ";");
        str_addf(out, "%s<code>", separator);
        add_xml(out, arena_strndup(&d->arena, p, len));
        str_add(out, "</code>");
        separator = ", ";
        p += len;
        p += strspn(p, "; ");
    }
    str_add(out, "</p>\n");
}

static void add_clauses(struct report_data *d, const struct report_goal *g, struct str *out) {
    struct err err = {0};
    struct rows *r = rows_open(
        d->db, "SELECT text FROM invariant_clause WHERE goal_id = ?1 ORDER BY clause", &err);
    size_t n = 0;
    rows_bind_int(r, 1, g->id);
    for (; rows_next(r); n++) {
        str_add(out, n ? "\n&amp;&amp; (" : "<pre role=\"group\" aria-label=\"Invariant\">   (");
        add_xml(out, rows_text(r, 0));
        str_add(out, ")");
    }
    str_add(out, n ? "</pre>\n"
                   : "<p>No invariant is needed: one step excludes it in any state."
                     "</p>\n");
    rows_close(r, &err);
    err_clear(&err);
}

static void add_implied(struct report_data *d, const struct report_goal *g, struct str *out) {
    for (size_t i = 0; i < d->goals.len; i++)
        if (d->goals.data[i].id == g->implied_by) {
            str_add(out, "<p>It follows from the proof of ");
            html_goal_link(d, &d->goals.data[i], "../", out);
            str_add(out, ".</p>\n");
        }
}

static void add_minimal(struct report_data *d, const struct report_goal *g, struct str *out) {
    assert(g->status == STATUS_DEAD);
    struct err err = {0};
    struct rows *r =
        rows_open(d->db, "SELECT checked_by = 'cbmc' FROM reason_proof WHERE goal = ?1", &err);
    rows_bind_int(r, 1, g->id);
    if (rows_next(r))
        str_addf(out, "<p>Nothing of this, and of what it rests on, can be left out%s.</p>\n",
                 rows_int(r, 0) ? "; CBMC has accepted it with nothing else" : "");
    rows_close(r, &err);
    err_clear(&err);
}

static void add_proof(struct report_data *d, const struct report_goal *g, struct str *out) {
    assert(g->status == STATUS_DEAD);
    html_text(out, "h3", "Proof");
    str_add(out, "<p>This holds after the initialisation, every step keeps it, and where it holds "
                 "the goal is not reached");
    if (g->depth > 1)
        str_addf(out, " (by induction over %lld steps)", (long long)g->depth);
    str_add(out, ":</p>\n");
    add_clauses(d, g, out);
    add_minimal(d, g, out);
    if (g->implied_by > 0)
        add_implied(d, g, out);
    str_addf(out,
             "<p>Check it again, from the database: <code>goalkeeper audit DB --goal %lld"
             "</code>. As a C file for CBMC: <code>goalkeeper export DB -o out "
             "--certificates</code>.</p>\n",
             (long long)g->id);
}

static bool was_tried(struct report_data *d, const struct report_goal *g) {
    struct err err = {0};
    struct rows *r = rows_open(d->db, "SELECT 1 FROM attempt WHERE goal_id = ?1 LIMIT 1", &err);
    rows_bind_int(r, 1, g->id);
    bool tried = rows_next(r);
    rows_close(r, &err);
    err_clear(&err);
    return tried;
}

/* Most goals have none of their own: simulation hit them, or another goal's evidence decides. */
static void add_attempts(struct report_data *d, const struct report_goal *g, struct str *out) {
    static const char *const attempts[] = {"engine", "outcome", "times",   "seconds", "MB",
                                           "ticks",  "detail",  "counted", NULL};
    if (!was_tried(d, g))
        return;
    html_text(out, "h3", "Attempts");
    html_query(d,
               &(struct html_query){
                   .sql = "SELECT engine, outcome, count(*), round(sum(seconds), 2), "
                          "round(max(peak_mb), 1), sum(ticks), max(detail), "
                          "(SELECT group_concat(n || ' ' || key, ', ') FROM (SELECT replace(key, "
                          "'_', ' ') AS key, sum(value) AS n FROM attempt b, json_each(b.stats) "
                          "WHERE b.goal_id = ?1 AND b.engine = a.engine AND b.outcome = a.outcome "
                          "AND key NOT GLOB '*ticks' GROUP BY key ORDER BY min(id))) "
                          "FROM attempt a "
                          "WHERE goal_id = ?1 GROUP BY engine, outcome ORDER BY min(started)",
                   .parameter = g->id,
                   .headings = attempts,
                   .none = ""},
               out);
}

static void add_remedy(const struct report_goal *g, struct str *out) {
    if (!report_needs_attention(g))
        return;
    assert(*report_remedy(g));
    html_text(out, "h3", "What to do");
    html_text(out, "p", report_remedy(g));
    str_addf(out,
             "<pre>goalkeeper justify DB %lld --reason '…' --author '…' --reviewer '…'</pre>\n",
             (long long)g->id);
}

/* What the user's own tests say of it. */
static void add_measured(const struct report_goal *g, struct str *out) {
    if (g->measured < 0 || (g->measured == 0 && g->status == STATUS_DEAD))
        return; /* what is dead cannot be covered */
    bool alarm = g->measured == 1 && g->status == STATUS_DEAD;
    str_addf(out, "<p class=\"verdict %s\">Your tests: %s.</p>\n",
             alarm              ? "bad"
             : g->measured == 1 ? "good"
                                : "warn",
             alarm ? "they have hit it, although it is proved dead: see goalkeeper overlay"
             : g->measured == 1 ? "covered"
             : g->status == STATUS_REACHABLE
                 ? "not covered; the witness below is a test that does (goalkeeper export)"
                 : "not covered");
}

/* What stands between ` is C. */
static void add_marked(struct report_data *d, const char *text, struct str *out) {
    bool code = false;
    for (; *text; code = !code) {
        size_t len = strcspn(text, "`");
        str_add(out, code ? "<code>" : "");
        add_xml(out, arena_strndup(&d->arena, text, len));
        str_add(out, code ? "</code>" : "");
        text += len + (text[len] == '`');
    }
}

static void add_run(const struct report_goal *g, struct str *out) {
    assert(g->status == STATUS_REACHABLE && *g->run);
    html_text(out, "h3", "Witness");
    if (g->depth > 0)
        str_addf(out, "<p>Step %lld of <a href=\"../%s\">this run</a>: inputs, outputs and state. ",
                 (long long)g->depth, g->run);
    else
        str_addf(out, "<p>The initialisation of <a href=\"../%s\">this run</a>. ", g->run);
    str_addf(out, "Run it natively: <code>goalkeeper replay DB %lld</code>.</p>\n",
             (long long)g->id);
}

void html_because(struct report_data *d, const struct report_goal *g, struct str *out) {
    const char *text = *g->because ? g->because : report_sentence(d, g);
    str_addf(out, "<p>%c", toupper((unsigned char)*text)); /* "dead because …" */
    add_marked(d, text + 1, out);
    str_add(out, "</p>\n");
}

void html_goal(struct report_data *d, const struct report_goal *g, struct str *out) {
    str_addf(out, "<section class=\"goal\" aria-label=\"goal %lld\">\n<h2 id=\"g%lld\">",
             (long long)g->id, (long long)g->id);
    add_xml(out, report_goal_text(d, g));
    str_addf(out, "</h2>\n<p class=\"verdict %s\">%s ", html_class(g), html_symbol(g));
    add_marked(d, report_sentence(d, g), out);
    str_add(out, "</p>\n");
    add_place(d, g, out);
    add_measured(g, out);
    if (*g->run)
        add_run(g, out);
    if (g->status == STATUS_DEAD)
        add_proof(d, g, out);
    add_assumptions(d, g, out);
    add_remedy(g, out);
    if (g->justification >= 0) {
        html_text(out, "h3", "Justification");
        html_justification(d, &d->justifications.data[g->justification], NULL, out);
    }
    add_attempts(d, g, out);
    str_add(out, "</section>\n");
}
