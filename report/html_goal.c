/* A goal on the page of its group: the verdict in a sentence, then what makes it checkable. */
#include "report/escape.h"
#include "report/html.h"

#include <ctype.h>
#include <string.h>

static void add_place(struct report_data *d, const struct report_goal *g, struct str *out) {
    str_addf(out, "<p>Goal %lld, %s: %s; <code>", (long long)g->id, g->kind,
             g->criterion >= 0 ? criteria[g->criterion].about : "");
    add_xml(out, g->function);
    str_addf(out, "</code>, <a href=\"../%s#L%d\">", html_source_page(d, g->file), g->line);
    add_xml(out, d->files.data[g->file].path);
    str_addf(out, ":%d</a>; key <code>%s</code>", g->line, g->key);
    if (*g->block) {
        str_add(out, "; block of the model ");
        add_xml(out, g->block);
    }
    if (*g->expansion) {
        str_add(out, "; after preprocessing <code>");
        add_xml(out, g->expansion);
        str_add(out, "</code>");
    }
    str_add(out, "</p>\n");
}

static void add_assumptions(struct report_data *d, const struct report_goal *g, struct str *out) {
    if (!*g->assumes)
        return;
    if (g->teller && strcmp(g->teller->assumes, g->assumes) == 0) {
        str_addf(out, "<p>It rests on what <a href=\"#g%lld\">goal %lld</a> rests on.</p>\n",
                 (long long)g->teller->id, (long long)g->teller->id);
        return;
    }
    if (g->rests) {
        str_add(out, "<p>It rests on the same as ");
        html_goal_link(d, g->rests, "../", out);
        str_add(out, ".</p>\n");
        return;
    }
    str_add(out, "<h3>It rests on</h3>\n<p><code>");
    add_xml(out, g->assumes);
    str_add(out, "</code></p>\n");
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
        str_addf(out, "<p>Cut down, with what it rests on, to what is needed%s.</p>\n",
                 rows_int(r, 0) ? "; CBMC has accepted it with nothing else"
                                : " as far as our solver found");
    rows_close(r, &err);
    err_clear(&err);
}

/* CBMC unrolls loops, so that proofs about kept ones have no certificate. */
static bool has_certificate(struct report_data *d, const struct report_goal *g) {
    struct err err = {0};
    struct rows *r = rows_open(d->db,
                               "SELECT 1 FROM certificate_piece WHERE proof = (SELECT proof FROM "
                               "goal WHERE id = ?1)",
                               &err);
    rows_bind_int(r, 1, g->id);
    bool has = rows_next(r);
    rows_close(r, &err);
    err_clear(&err);
    return has;
}

static void add_proof(struct report_data *d, const struct report_goal *g, struct str *out) {
    assert(g->status == STATUS_DEAD);
    html_text(out, "h3", "Proof");
    if (g->teller) {
        str_addf(out, "<p>That of <a href=\"#g%lld\">goal %lld</a>.</p>\n",
                 (long long)g->teller->id, (long long)g->teller->id);
        return;
    }
    str_add(out, "<p>This holds after the initialisation, every step keeps it, and where it holds "
                 "the goal is not reached");
    if (g->depth > 1)
        str_addf(out, " (by induction over %lld steps)", (long long)g->depth);
    str_add(out, ":</p>\n");
    add_clauses(d, g, out);
    add_minimal(d, g, out);
    if (g->implied_by > 0)
        add_implied(d, g, out);
    bool for_cbmc = has_certificate(d, g);
    str_addf(out,
             "<p>Check it again, from the database: <code>goalkeeper audit DB --goal %lld"
             "</code>. As %s: <code>goalkeeper export DB -o out %s</code>.</p>\n",
             (long long)g->id, for_cbmc ? "a C file for CBMC" : "questions for other solvers",
             for_cbmc ? "--certificates" : "--evidence smt2");
}

/* Their attempts were the same ones: a row that both have, and none that one has alone. */
static bool tried_alike(struct report_data *d, const struct report_goal *g,
                        const struct report_goal *other) {
    static const char sql[] =
        "SELECT (SELECT group_concat(engine || started || outcome || seconds || ticks) FROM "
        "attempt "
        "WHERE goal_id = ?1) IS (SELECT group_concat(engine || started || outcome || seconds || "
        "ticks) FROM attempt WHERE goal_id = ?2)";
    struct err err = {0};
    struct rows *r = rows_open(d->db, sql, &err);
    rows_bind_int(r, 1, g->id);
    rows_bind_int(r, 2, other->id);
    bool alike = rows_next(r) && rows_int(r, 0) == 1;
    rows_close(r, &err);
    err_clear(&err);
    return alike;
}

/* Most goals have none of their own: simulation hit them, or another goal's evidence decides. */
static void add_attempts(struct report_data *d, const struct report_goal *g, struct str *out) {
    struct err err = {0};
    struct rows *r =
        rows_open(d->db,
                  "SELECT engine, outcome, count(*), sum(seconds), max(peak_mb), sum(ticks), "
                  "max(detail), "
                  "(SELECT group_concat(n || ' ' || key, ', ') FROM (SELECT replace(key, "
                  "'_', ' ') AS key, sum(value) AS n FROM attempt b, json_each(b.stats) "
                  "WHERE b.goal_id = ?1 AND b.engine = a.engine AND b.outcome = a.outcome "
                  "AND key NOT GLOB '*ticks' GROUP BY key ORDER BY min(id))) FROM attempt a "
                  "WHERE goal_id = ?1 GROUP BY engine, outcome ORDER BY min(started)",
                  &err);
    size_t n = 0;
    rows_bind_int(r, 1, g->id);
    for (; rows_next(r); n++) {
        if (n == 0 && g->teller && tried_alike(d, g, g->teller)) {
            str_addf(out, "<p>Attempts: those for <a href=\"#g%lld\">goal %lld</a>.</p>\n",
                     (long long)g->teller->id, (long long)g->teller->id);
            break;
        }
        str_add(out, n ? "\n" : "<h3>Attempts</h3>\n<ul>");
        str_addf(out, "<li>%s: ", rows_text(r, 0));
        add_xml(out, rows_text(r, 1));
        if (rows_int(r, 2) > 1)
            str_addf(out, ", %lld times", (long long)rows_int(r, 2));
        str_addf(out, "; %.2f s, %.0f MB, %lld ticks", rows_real(r, 3), rows_real(r, 4),
                 (long long)rows_int(r, 5));
        for (int more = 6; more <= 7; more++) /* the detail, and what the engine has counted */
            if (*rows_text(r, more)) {
                str_add(out, "; ");
                add_xml(out, rows_text(r, more));
            }
        str_add(out, "</li>");
    }
    str_add(out, n ? "</ul>\n" : "");
    rows_close(r, &err);
    err_clear(&err);
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

void html_because(struct report_data *d, const struct report_goal *g, struct str *out) {
    const char *text = *g->because ? g->because : report_sentence(d, g);
    str_addf(out, "<p>%c", toupper((unsigned char)*text)); /* "dead because …" */
    add_marked(d, text + 1, out);
    str_add(out, "</p>\n");
}

static void add_run(const struct report_goal *g, struct str *out) {
    assert(g->status == STATUS_REACHABLE && *g->run);
    if (g->depth > 0)
        str_addf(out, "<a href=\"../%s\">step %lld</a>", g->run, (long long)g->depth);
    else
        str_addf(out, "<a href=\"../%s\">initialisation</a>", g->run);
}

static void add_goal(struct report_data *d, const struct report_goal *g, struct str *out) {
    str_addf(out, "<section class=\"goal\" aria-label=\"goal %lld\">\n<h2 id=\"g%lld\">",
             (long long)g->id, (long long)g->id);
    add_xml(out, report_goal_text(d, g));
    str_addf(out, "</h2>\n<p class=\"verdict %s\">%s ", html_class(g), html_symbol(g));
    add_marked(d, report_sentence(d, g), out);
    str_add(out, "</p>\n");
    add_place(d, g, out);
    add_measured(g, out);
    if (*g->run) {
        str_add(out, "<p>Witness: ");
        add_run(g, out);
        str_add(out, "</p>\n");
    }
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

/* ---- all of a page ---- */

/* All that there is to say is told elsewhere: of a run on its page, of a proof by another goal. */
static bool is_plain(struct report_data *d, const struct report_goal *g) {
    if (g->justification >= 0 || g->measured >= 0)
        return false;
    if (*g->run)
        return !report_needs_attention(g);
    return g->teller && strcmp(g->teller->assumes, g->assumes) == 0 &&
           strcmp(g->teller->because, g->because) == 0 && tried_alike(d, g, g->teller);
}

/* The line is a link where it is another one than in the row before. */
static void add_line(struct report_data *d, const struct report_goal *g,
                     const struct report_goal *before, struct str *out) {
    if (before && before->file == g->file && before->line == g->line)
        str_addf(out, "<td class=\"n\">%d</td>", g->line);
    else
        str_addf(out, "<td class=\"n\"><a href=\"../%s#L%d\">%d</a></td>",
                 html_source_page(d, g->file), g->line, g->line);
}

static void add_row(struct report_data *d, const struct report_goal *g,
                    const struct report_goal *before, bool plain, struct str *out) {
    long long id = (long long)g->id;
    if (plain)
        str_addf(out, "<tr id=\"g%lld\"><td class=\"n\">%lld", id, id);
    else
        str_addf(out, "<tr><td class=\"n\"><a href=\"#g%lld\">%lld</a>", id, id);
    str_addf(out, "</td><td class=\"%s\">%s %s%s", html_class(g), html_symbol(g),
             status_names[g->status], g->justified ? ", justified" : "");
    str_addf(out, "</td><td>%s</td>", g->kind);
    add_line(d, g, before, out);
    str_add(out, "<td><code>");
    add_xml(out, report_goal_text(d, g));
    str_add(out, "</code>");
    if (plain && *g->expansion) {
        str_add(out, "<br>after preprocessing <code>");
        add_xml(out, g->expansion);
        str_add(out, "</code>");
    }
    str_add(out, "</td><td>");
    if (*g->run)
        add_run(g, out);
    else
        str_addf(out, "<a href=\"#g%lld\">%s</a>", plain ? (long long)g->teller->id : id,
                 !plain                     ? "below"
                 : g->status == STATUS_DEAD ? "the same proof"
                                            : "the same bound");
    str_addf(out, "</td><td>%s</td></tr>\n", g->key);
}

void html_goal_list(struct report_data *d, const struct report_goal *const *goals, size_t n,
                    struct str *out) {
    str_add(out,
            "<div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr><th scope=\"col\" class=\"n\">"
            "goal</th><th scope=\"col\">verdict</th><th scope=\"col\">kind</th><th scope=\"col\" "
            "class=\"n\">line</th><th scope=\"col\">what</th><th scope=\"col\">evidence</th><th "
            "scope=\"col\">key</th></tr></thead>\n<tbody>\n");
    VEC(const struct report_goal *) sections = {0};
    for (size_t i = 0; i < n; i++) {
        bool plain = is_plain(d, goals[i]);
        add_row(d, goals[i], i ? goals[i - 1] : NULL, plain, out);
        if (!plain)
            vec_push(&sections, goals[i]);
    }
    str_add(out, "</tbody>\n</table></div>\n");
    for (size_t i = 0; i < sections.len; i++)
        add_goal(d, sections.data[i], out);
    vec_free(&sections);
}
