/* Decisions: their conditions with the verdicts of MC/DC, and their truth tables. */
#include "report/escape.h"
#include "report/html.h"
#include "report/truth.h"

#include <string.h>

static void add_verdict(const struct report_goal *g, struct str *out) {
    if (!g) {
        str_add(out, "<td class=\"muted\">–</td>");
        return;
    }
    str_addf(out, "<td><a href=\"#g%lld\" class=\"%s\">%s %s</a></td>", (long long)g->id,
             html_class(g), html_symbol(g), status_names[g->status]);
}

static void add_unique(const struct truth *t, const struct truth_condition *c, struct str *out) {
    static const char *const words[] = {"? open", "● shown", "✕ dead"};
    static const char *const classes[] = {"warn", "good", "bad"};
    assert(c->unique <= ROW_DEAD);
    str_addf(out, "<td class=\"t\"><span class=\"%s\">%s</span>", classes[c->unique],
             words[c->unique]);
    if (c->unique == ROW_REACHABLE)
        str_addf(out, " by rows %u and %u", c->pair.t + 1, c->pair.f + 1);
    else if (c->n_pairs == 0)
        str_add(out, ": no two rows differ in it alone");
    else
        str_addf(out, ": %zu pair%s of rows%s", c->n_pairs, c->n_pairs == 1 ? "" : "s",
                 c->unique_justified ? "; accepted by justification" : "");
    assert(c->unique != ROW_REACHABLE || c->pair.t < t->rows.len);
    str_add(out, "</td>");
}

static const char *letter_of(size_t condition, struct arena *arena) {
    return condition < 26 ? arena_printf(arena, "%c", (char)('a' + condition))
                          : arena_printf(arena, "c%zu", condition + 1);
}

static void add_conditions(struct report_data *d, const struct truth *t, struct str *out) {
    str_add(out, "<div class=\"wide\" tabindex=\"0\"><table class=\"truth\">\n<thead><tr><th "
                 "scope=\"col\">name</th>"
                 "<th scope=\"col\" class=\"t\">condition</th><th scope=\"col\">true</th><th "
                 "scope=\"col\">false</th><th scope=\"col\">decides as true</th><th "
                 "scope=\"col\">decides as false</th>");
    if (t->rows.len > 0)
        str_add(out, "<th scope=\"col\" class=\"t\">unique cause</th>");
    str_add(out, "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < t->conditions.len; i++) {
        const struct truth_condition *c = &t->conditions.data[i];
        str_addf(out, "<tr><th scope=\"row\">%s</th><td class=\"t\"><code>",
                 letter_of(i, &d->arena));
        add_xml(out, c->text);
        str_add(out, "</code></td>");
        add_verdict(c->outcome[1], out);
        add_verdict(c->outcome[0], out);
        add_verdict(c->mcdc[1], out);
        add_verdict(c->mcdc[0], out);
        if (t->rows.len > 0)
            add_unique(t, c, out);
        str_add(out, "</tr>\n");
    }
    str_add(out, "</tbody>\n</table></div>\n");
}

static void add_table_row(const struct truth *t, size_t r, struct str *out) {
    assert(r < t->rows.len);
    const struct truth_row *row = &t->rows.data[r];
    assert(row->goal->value >= 0); /* a row has an outcome */
    str_addf(out, "<tr><th scope=\"row\">%zu</th>", r + 1);
    for (size_t c = 0; c < t->conditions.len; c++) {
        char letter = row->goal->text[2 * c];
        const char *shown = letter == '-' ? "–" : letter == 'T' ? "T" : "F";
        str_addf(out, "<td%s>%s</td>", row->credited[c] ? " class=\"credited\"" : "", shown);
    }
    str_addf(out, "<td>%s</td>", row->goal->value == 1 ? "T" : "F");
    add_verdict(row->goal, out);
    str_add(out, "</tr>\n");
}

static void add_table(struct report_data *d, const struct truth *t, struct str *out) {
    str_add(
        out,
        "<div class=\"wide\" tabindex=\"0\"><table class=\"truth\">\n<caption>Truth table under "
        "short-circuit evaluation: – is not evaluated; underlined is what the row shows "
        "to decide (masking MC/DC).</caption>\n<thead><tr><th scope=\"col\">row</th>");
    for (size_t c = 0; c < t->conditions.len; c++)
        str_addf(out, "<th scope=\"col\">%s</th>", letter_of(c, &d->arena));
    str_add(out, "<th scope=\"col\">outcome</th><th scope=\"col\">verdict</th></tr></thead>\n"
                 "<tbody>\n");
    for (size_t r = 0; r < t->rows.len; r++)
        add_table_row(t, r, out);
    str_add(out, "</tbody>\n</table></div>\n");
}

void html_truth(struct report_data *d, const struct report_decision *decision, struct str *out) {
    struct truth t = {0};
    truth_of(decision, &t);
    assert(t.conditions.len == decision->conditions.len);
    str_add(out, "<pre>");
    add_xml(out, decision->text);
    str_add(out, "</pre>\n");
    add_conditions(d, &t, out);
    if (t.rows.len > 0)
        add_table(d, &t, out);
    truth_free(&t);
}

static void add_place(struct report_data *d, const struct report_decision *decision,
                      const char *root, struct str *out) {
    assert(decision->file < d->files.len);
    str_addf(out, "<a href=\"%s%s#L%d\">", root, html_source_page(d, decision->file),
             decision->line);
    add_xml(out, d->files.data[decision->file].path);
    str_addf(out, ":%d</a>", decision->line);
}

void html_decision(struct report_data *d, const struct report_decision *decision, struct str *out) {
    struct html_page page = {
        .title = arena_printf(&d->arena, "Decision %lld, %s:%d", (long long)decision->id,
                              d->files.data[decision->file].path, decision->line),
        .root = "../",
        .section = HTML_DECISIONS};
    html_begin(d, &page, out);
    str_add(out, "<p>In <code>");
    add_xml(out, decision->function);
    str_add(out, "</code>, ");
    add_place(d, decision, "../", out);
    str_add(out, "</p>\n");
    html_truth(d, decision, out);
    html_goal_list(d, decision->goals.data, decision->goals.len, out);
    html_end(d, out);
}

/* ---- the list ---- */

static void add_share(size_t met, size_t total, struct str *out) {
    assert(met <= total);
    if (total > 0)
        str_addf(out, "<td class=\"n %s\">%zu of %zu</td>", met == total ? "good" : "bad", met,
                 total);
    else
        str_add(out, "<td class=\"n muted\">–</td>");
}

static void add_unique_share(const struct report_decision *decision, struct str *out) {
    struct truth t = {0};
    size_t met = 0;
    truth_of(decision, &t);
    for (size_t c = 0; c < t.conditions.len; c++)
        met += t.conditions.data[c].unique == ROW_REACHABLE;
    add_share(met, t.conditions.len > 1 ? t.conditions.len : met, out);
    truth_free(&t);
}

static void add_masking_share(const struct report_decision *decision, struct str *out) {
    size_t met = 0, total = 0;
    for (size_t i = 0; i < decision->goals.len; i++) {
        const struct report_goal *g = decision->goals.data[i];
        if (g->criterion != GOAL_mcdc)
            continue;
        total++;
        met += g->status == STATUS_REACHABLE;
    }
    add_share(met, total, out);
}

void html_decisions(struct report_data *d, struct str *out) {
    struct html_page page = {.title = "Decisions", .root = "", .section = HTML_DECISIONS};
    html_begin(d, &page, out);
    str_add(out, "<p class=\"muted\">The rows of truth tables are goals of their own: <code>run "
                 "--criteria …,vector</code> asks for them.</p>\n");
    str_add(out, "<div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr><th scope=\"col\" "
                 "class=\"n\">decision"
                 "</th><th scope=\"col\">what</th><th scope=\"col\" class=\"n\">conditions</th><th "
                 "scope=\"col\" class=\"n\">MC/DC, ");
    str_add(out, report_is_unique_cause(d) ? "conditions" : "outcomes");
    str_add(out, "</th><th scope=\"col\">place</th><th "
                 "scope=\"col\">function</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < d->decisions.len; i++) {
        const struct report_decision *decision = &d->decisions.data[i];
        str_addf(out, "<tr><td class=\"n\"><a href=\"decision/%lld.html\">%lld</a></td><td><code>",
                 (long long)decision->id, (long long)decision->id);
        add_xml(out, decision->text);
        str_addf(out, "</code></td><td class=\"n\">%zu</td>", decision->conditions.len);
        if (report_is_unique_cause(d))
            add_unique_share(decision, out);
        else
            add_masking_share(decision, out);
        str_add(out, "<td>");
        add_place(d, decision, "", out);
        str_add(out, "</td><td>");
        add_xml(out, decision->function);
        str_add(out, "</td></tr>\n");
    }
    str_add(out, "</tbody>\n</table></div>\n");
    html_end(d, out);
}
