/* The list of all goals: a frame, and the rows as data for report.js. */
#include "report/escape.h"
#include "report/html.h"

#include "base/file.h"

static void add_filters(struct report_data *d, struct str *out) {
    str_add(out,
            "<form class=\"filters\" id=\"filters\" role=\"search\" hidden>\n<label>Search <input "
            "id=\"filter-text\" type=\"search\" size=\"24\" aria-keyshortcuts=\"/\" "
            "placeholder=\"text, file, number\"></label>\n<label>Verdict <select "
            "id=\"filter-verdict\"><option value=\"\">all</option><option>reachable</option>"
            "<option>dead</option><option>open</option></select></label>\n<label>Kind <select "
            "id=\"filter-kind\"><option value=\"\">all</option>");
    for (size_t i = 0; i < d->counts.len; i++)
        if (d->counts.data[i].total > 0)
            str_addf(out, "<option>%s</option>", d->counts.data[i].criterion);
    str_add(out,
            "</select></label>\n<label>Function <select id=\"filter-function\"><option "
            "value=\"\">all</option></select></label>\n<label id=\"blocks\" hidden>Block <select "
            "id=\"filter-block\"><option value=\"\">all</option></select></label>\n<button "
            "class=\"plain\" "
            "type=\"reset\">Clear</button>\n<output id=\"count\" aria-live=\"polite\"></output>\n"
            "</form>\n");
}

static bool has_blocks(const struct report_data *d) {
    for (size_t i = 0; i < d->goals.len; i++)
        if (*d->goals.data[i].block)
            return true;
    return false;
}

/* `field`: in the rows of goals.js. */
static void add_heading(size_t field, const char *name, struct str *out) {
    assert(*name);
    str_addf(out,
             "<th scope=\"col\" data-column=\"%zu\"%s><button class=\"sort\" "
             "type=\"button\">%s</button></th>",
             field, field == 0 ? " class=\"n\"" : "", name);
}

static void add_headings(bool blocks, struct str *out) {
    static const char *const names[] = {"goal", "verdict", "", "kind", "place", "function", "what"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (*names[i])
            add_heading(i, names[i], out);
    if (blocks)
        add_heading(8, "block", out);
}

void html_goals(struct report_data *d, struct str *out) {
    struct html_page page = {.title = "Goals", .root = "", .section = HTML_GOALS};
    html_begin(d, &page, out);
    add_filters(d, out);
    str_add(out, "<div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr>");
    add_headings(has_blocks(d), out);
    str_add(out, "</tr></thead>\n<tbody id=\"goals\"></tbody>\n</table></div>\n<p><button "
                 "class=\"plain\" id=\"more\" type=\"button\" hidden>Show more</button></p>\n"
                 "<noscript><p>The list needs JavaScript. Without it, the <a "
                 "href=\"index.html\">overview</a> lists what needs attention, and the annotated "
                 "sources link every goal.</p></noscript>\n<script src=\"goals.js\"></script>\n"
                 "<script src=\"report.js\"></script>\n");
    html_end(d, out);
}

void html_goals_js(struct report_data *d, struct str *out) {
    bool blocks = has_blocks(d);
    str_add(out, "/* " FILE_MARK " */\nvar goals = [");
    for (size_t i = 0; i < d->goals.len; i++) {
        const struct report_goal *g = &d->goals.data[i];
        assert(g->file < d->files.len);
        str_addf(out, "%s\n[%lld,\"%s\",\"%s\",\"%s\",", i ? "," : "", (long long)g->id,
                 status_names[g->status], html_class(g), g->kind);
        add_json(out, arena_printf(&d->arena, "%s:%d", d->files.data[g->file].path, g->line));
        str_addc(out, ',');
        add_json(out, g->function);
        str_addc(out, ',');
        add_json(out, report_goal_text(d, g));
        str_addf(out, ",\"%s\"", g->page);
        if (blocks) {
            str_addc(out, ',');
            add_json(out, g->block);
        }
        str_addc(out, ']');
    }
    str_add(out, "\n];\n");
}
