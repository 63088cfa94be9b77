/* One page a goal: the verdict in a sentence, then what makes it checkable. */
#include "report/escape.h"
#include "report/html.h"

#include <string.h>

static void add_place(struct report_data *d, const struct report_goal *g, struct str *out) {
    str_addf(out, "<p>%s in <code>", g->kind);
    add_xml(out, g->function);
    str_addf(out, "</code>, <a href=\"../%s#L%d\">", html_source_page(d, g->file), g->line);
    add_xml(out, d->files.data[g->file].path);
    str_addf(out, ":%d</a>; key <code>%s</code></p>\n", g->line, g->key);
}

static void add_witness(struct report_data *d, const struct report_goal *g, struct str *out) {
    assert(g->status == STATUS_REACHABLE);
    static const char *const headings[] = {"step", "input", "value", NULL};
    str_add(out, "<h2>Witness</h2>\n<p>Inputs from reset; each keeps its value until the next "
                 "row. Step 0 is the initialisation. Run it with <code>goalkeeper replay DB ");
    str_addf(out, "%lld</code>.</p>\n", (long long)g->id);
    html_plots(d, g, out);
    html_query(d,
               "SELECT step, input, value FROM witness_step WHERE goal_id = ?1 ORDER BY step, "
               "input LIMIT 2000",
               g->id, headings, "The goal needs no particular input.", out);
}

static void add_proof(struct report_data *d, const struct report_goal *g, struct str *out) {
    assert(g->status == STATUS_DEAD);
    static const char *const headings[] = {"clause", "holds in every reachable state", NULL};
    str_add(out, "<h2>Proof</h2>\n");
    html_query(d, "SELECT clause, text FROM invariant_clause WHERE goal_id = ?1 ORDER BY clause",
               g->id, headings, "One step excludes the goal in any state: no invariant is needed.",
               out);
    str_addf(out, "<p>Re-check it with <code>goalkeeper audit DB --goal %lld</code>.</p>\n",
             (long long)g->id);
    if (*g->assumes) {
        str_add(out, "<p>The verdict rests on: ");
        add_xml(out, g->assumes);
        str_add(out, ".</p>\n");
    }
}

/* The rows of the decision that were asked for as goals of kind vector, and its conditions. */
static void add_decision(struct report_data *d, const struct report_goal *g, struct str *out) {
    static const char *const conditions[] = {"position", "condition", NULL};
    static const char *const verdicts[] = {"kind", "what", "outcome", "verdict", NULL};
    if (g->decision < 0)
        return;
    str_add(out, "<h2>Decision</h2>\n");
    html_query(
        d, "SELECT position, text FROM decision_condition WHERE decision = ?1 ORDER BY position",
        g->decision, conditions, "", out);
    html_query(d,
               "SELECT kind, text, value, status FROM goal WHERE decision = ?1 AND kind IN "
               "('condition', 'mcdc', 'vector') ORDER BY kind, condition, value DESC",
               g->decision, verdicts, "", out);
}

void html_goal(struct report_data *d, const struct report_goal *g, struct str *out) {
    assert(g->file < d->files.len);
    static const char *const attempts[] = {"engine", "outcome", "seconds", "MB", "detail", NULL};
    html_begin(d, report_goal_text(d, g), "../", out);
    add_place(d, g, out);
    str_addf(out, "<p class=\"%s\"><strong>", status_names[g->status]);
    add_xml(out, report_sentence(d, g));
    str_add(out, "</strong></p>\n");
    if (g->status == STATUS_REACHABLE)
        add_witness(d, g, out);
    if (g->status == STATUS_DEAD)
        add_proof(d, g, out);
    add_decision(d, g, out);
    str_add(out, "<h2>Attempts</h2>\n");
    html_query(d,
               "SELECT engine, outcome, round(seconds, 2), peak_mb, detail FROM attempt WHERE "
               "goal_id = ?1",
               g->id, attempts, "Decided by simulation, or by another goal's evidence.", out);
    html_end(out);
}
