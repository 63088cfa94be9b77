/* The HTML report: the frame of its pages, and what they share. */
#include "report/html.h"

#include "base/file.h"
#include "report/escape.h"

#include <string.h>

static const struct {
    const char *page, *name;
} sections[HTML_SECTIONS] = {
    {"index.html", "Overview"},
    {"goals.html", "Goals"},
    {"decisions.html", "Decisions"},
    {"changes.html", "Changes"},
};

static bool has_section(const struct report_data *d, int section) {
    return (section != HTML_DECISIONS || d->decisions.len > 0) &&
           (section != HTML_CHANGES || d->compared);
}

static void add_navigation(struct report_data *d, const struct html_page *page, struct str *out) {
    assert(page->section < HTML_SECTIONS);
    str_addf(out,
             "<a class=\"skip\" href=\"#main\">Skip to the content</a>\n<header class=\"site\">"
             "<nav aria-label=\"Report\">\n<a class=\"brand\" href=\"%sindex.html\">Goalkeeper: ",
             page->root);
    add_xml(out, d->name);
    str_add(out, "</a>\n");
    for (int s = 0; s < HTML_SECTIONS; s++)
        if (has_section(d, s))
            str_addf(out, "<a href=\"%s%s\"%s>%s</a>\n", page->root, sections[s].page,
                     s == page->section ? " aria-current=\"page\"" : "", sections[s].name);
    str_add(out, "</nav></header>\n");
}

void html_begin(struct report_data *d, const struct html_page *page, struct str *out) {
    assert(page->title && page->root);
    str_add(out, "<!DOCTYPE html>\n<!-- " FILE_MARK " -->\n<html lang=\"en\">\n<head>\n"
                 "<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" "
                 "content=\"default-src 'none'; style-src 'self' file:; script-src 'self' file:; "
                 "img-src 'self' data:; base-uri 'none'; form-action 'none'\">\n<meta "
                 "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<link "
                 "rel=\"icon\" href=\"data:,\">\n");
    str_addf(out, "<link rel=\"stylesheet\" href=\"%sreport.css\">\n<title>", page->root);
    add_xml(out, page->title);
    str_add(out, " – Goalkeeper</title>\n</head>\n<body>\n");
    add_navigation(d, page, out);
    str_add(out, "<main id=\"main\" tabindex=\"-1\">\n");
    html_text(out, "h1", page->title);
}

void html_end(struct report_data *d, struct str *out) {
    str_add(out, "</main>\n<footer>Goalkeeper ");
    add_xml(out, d->version);
    str_add(out, "; re-check all: <code>goalkeeper audit</code></footer>\n</body>\n</html>\n");
}

void html_text(struct str *out, const char *tag, const char *text) {
    assert(tag && text);
    str_addf(out, "<%s>", tag);
    add_xml(out, text);
    str_addf(out, "</%s>\n", tag);
}

void html_heading(struct str *out, const char *id, const char *text) {
    assert(id && text);
    str_addf(out, "<h2 id=\"%s\">", id);
    add_xml(out, text);
    str_add(out, "</h2>\n");
}

const char *html_decision_page(struct report_data *d, const struct report_decision *decision) {
    return arena_printf(&d->arena, "decision/%lld.html", (long long)decision->id);
}

const char *html_source_page(struct report_data *d, uint32_t file) {
    assert(file < d->files.len);
    return arena_printf(&d->arena, "source/%u.html", file);
}

const char *html_class(const struct report_goal *g) {
    if (report_is_met(g))
        return "good";
    return g->helper || g->justified ? "muted" : g->status == STATUS_OPEN ? "warn" : "bad";
}

const char *html_symbol(const struct report_goal *g) {
    return g->status == STATUS_OPEN ? "?" : g->status == STATUS_DEAD ? "✕" : "●";
}

void html_badge(const struct report_goal *g, struct str *out) {
    bool accepted = g->justified && report_finding(g) != FINDING_NONE;
    str_addf(out, "<span class=\"badge %s\">%s %s%s</span>", html_class(g), html_symbol(g),
             status_names[g->status], accepted ? ", justified" : "");
}

void html_goal_link(struct report_data *d, const struct report_goal *g, const char *root,
                    struct str *out) {
    assert(*g->page && "html_groups_make() has run");
    str_addf(out, "<a href=\"%s%s#g%lld\"><code>", root, g->page, (long long)g->id);
    add_xml(out, report_goal_text(d, g));
    str_add(out, "</code></a>");
}

void html_goal_cells(struct report_data *d, const struct report_goal *g, struct str *out) {
    str_add(out, "<td>");
    html_badge(g, out);
    str_addf(out, "</td><td>%s</td><td>", g->kind);
    html_goal_link(d, g, "", out);
    str_addf(out, "</td><td><a href=\"%s#L%d\">", html_source_page(d, g->file), g->line);
    add_xml(out, d->files.data[g->file].path);
    str_addf(out, ":%d</a></td><td>", g->line);
    add_xml(out, g->function);
    str_add(out, "</td></tr>\n");
}

/* Numbers and their headings are set to the right; the first row says what is a number. */
static void add_headings(const struct html_query *q, struct rows *first, struct str *out) {
    str_add(out, "<div class=\"wide\" tabindex=\"0\"><table>\n");
    if (q->caption)
        html_text(out, "caption", q->caption);
    str_add(out, "<thead><tr>");
    for (size_t i = 0; q->headings[i]; i++) {
        str_add(out, rows_is_number(first, (int)i) ? "<th scope=\"col\" class=\"n\">"
                                                   : "<th scope=\"col\">");
        add_xml(out, q->headings[i]);
        str_add(out, "</th>");
    }
    str_add(out, "</tr></thead>\n<tbody>\n");
}

static void add_row(struct rows *r, struct str *out) {
    str_add(out, "<tr>");
    for (int i = 0; i < rows_columns(r); i++) {
        str_add(out, rows_is_number(r, i) ? "<td class=\"n\">" : "<td>");
        add_xml(out, rows_text(r, i));
        str_add(out, "</td>");
    }
    str_add(out, "</tr>\n");
}

void html_query(struct report_data *d, const struct html_query *q, struct str *out) {
    assert(q->sql && q->headings && q->none);
    struct err err = {0};
    struct rows *r = rows_open(d->db, q->sql, &err);
    size_t n = 0;
    if (strstr(q->sql, "?1"))
        rows_bind_int(r, 1, q->parameter);
    for (; rows_next(r); n++) {
        if (n == 0)
            add_headings(q, r, out);
        add_row(r, out);
    }
    if (n > 0)
        str_add(out, "</tbody>\n</table></div>\n");
    else
        html_text(out, "p", q->none);
    rows_close(r, &err);
    err_clear(&err);
}
