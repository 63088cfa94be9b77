/* What is different from an earlier run: new and gone goals, changed verdicts. */
#include "report/escape.h"
#include "report/html.h"

static void begin_table(struct str *out, bool before) {
    str_addf(
        out,
        "<div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr>%s<th scope=\"col\">%s</th><th "
        "scope=\"col\">kind</th><th scope=\"col\">what</th><th scope=\"col\">place</th><th "
        "scope=\"col\">function</th></tr></thead>\n<tbody>\n",
        before ? "<th scope=\"col\">before</th>" : "", before ? "now" : "verdict");
}

static void add_gone(const struct baseline_goal *g, struct str *out) {
    assert(g->key && g->status <= STATUS_DEAD);
    str_addf(out, "<tr><td>%s</td><td>", status_names[g->status]);
    add_xml(out, g->kind);
    str_add(out, "</td><td><code>");
    add_xml(out, g->text);
    str_add(out, "</code></td><td>");
    add_xml(out, g->file);
    str_addf(out, ":%d</td><td>", g->line);
    add_xml(out, g->function);
    str_add(out, "</td></tr>\n");
}

static void add_changed(struct report_data *d, const struct comparison *c, struct str *out) {
    html_heading(out, "changed", "Other verdict");
    if (c->changed.len == 0) {
        html_text(out, "p", "No goal has another verdict than before.");
        return;
    }
    begin_table(out, true);
    for (size_t i = 0; i < c->changed.len; i++) {
        assert(c->changed.data[i].before->status != c->changed.data[i].now->status);
        str_addf(out, "<tr><td>%s</td>", status_names[c->changed.data[i].before->status]);
        html_goal_cells(d, c->changed.data[i].now, out);
    }
    str_add(out, "</tbody>\n</table></div>\n");
}

void html_changes(struct report_data *d, const struct comparison *c, struct str *out) {
    struct html_page page = {.title = "Changes", .root = "", .section = HTML_CHANGES};
    html_begin(d, &page, out);
    str_add(out, "<p>Compared with <code>");
    add_xml(out, c->path);
    str_add(out, "</code>, goal key by goal key.</p>\n");
    add_changed(d, c, out);
    html_heading(out, "new", "New goals");
    if (c->added.len == 0)
        html_text(out, "p", "None.");
    else
        begin_table(out, false);
    for (size_t i = 0; i < c->added.len; i++) {
        str_add(out, "<tr>");
        html_goal_cells(d, c->added.data[i], out);
    }
    str_add(out, c->added.len ? "</tbody>\n</table></div>\n" : "");
    html_heading(out, "gone", "Goals that are gone");
    if (c->gone.len == 0)
        html_text(out, "p", "None.");
    else
        begin_table(out, false);
    for (size_t i = 0; i < c->gone.len; i++)
        add_gone(c->gone.data[i], out);
    str_add(out, c->gone.len ? "</tbody>\n</table></div>\n" : "");
    html_end(d, out);
}
