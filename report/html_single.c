/* The report as one document, for a safety case: title, contents, coverage, what it rests on, all
 * goals by cause, versions and hashes, lines to sign. Nothing but this file is needed to read or
 * print it.
 *
 * Its parts are those of the pages; what they link to on other pages is linked within the document
 * when it is a goal, and is plain text else. */
#include "report/escape.h"
#include "report/html.h"

#include "base/file.h"

#include <ctype.h>
#include <string.h>

extern const char report_css[];

static void add_head(struct report_data *d, struct str *out) {
    str_add(out, "<!DOCTYPE html>\n<!-- " FILE_MARK " -->\n<html lang=\"en\">\n<head>\n"
                 "<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" "
                 "content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
                 "base-uri 'none'; form-action 'none'\">\n<meta name=\"viewport\" "
                 "content=\"width=device-width, initial-scale=1\">\n<link rel=\"icon\" "
                 "href=\"data:,\">\n<title>Structural coverage of ");
    add_xml(out, d->name);
    str_addf(out,
             " – Goalkeeper</title>\n<style>\n%s</style>\n</head>\n<body>\n<main id=\"main\">\n",
             report_css);
}

/* ---- goals ---- */

static void add_goal_row(struct report_data *d, const struct report_goal *g, struct str *out) {
    assert(g->file < d->files.len);
    str_addf(out, "<tr id=\"g%lld\"><td class=\"n\">%lld</td><td>", (long long)g->id,
             (long long)g->id);
    html_badge(g, out);
    str_addf(out, "</td><td>%s</td><td>", g->kind);
    add_xml(out, d->files.data[g->file].path);
    str_addf(out, ":%d</td><td>", g->line);
    add_xml(out, g->function);
    str_add(out, "</td><td><code>");
    add_xml(out, report_goal_text(d, g));
    str_addf(out, "</code></td><td>%s</td><td><code>%s</code></td></tr>\n", g->checked_by, g->key);
}

/* The goals that `takes`, in one table; the number of them. */
struct choice {
    bool (*takes)(const struct report_goal *g, int64_t cause);
    int64_t cause;
};

static size_t add_goal_table(struct report_data *d, const struct choice *c, struct str *out) {
    size_t n = 0;
    assert(c->takes);
    for (size_t i = 0; i < d->goals.len; i++) {
        const struct report_goal *g = &d->goals.data[i];
        if (!c->takes(g, c->cause))
            continue;
        if (n++ == 0)
            str_add(out, "<div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr><th scope=\"col\" "
                         "class=\"n\">goal"
                         "</th><th scope=\"col\">verdict</th><th scope=\"col\">kind</th><th "
                         "scope=\"col\">place</th><th scope=\"col\">function</th><th "
                         "scope=\"col\">what</th><th scope=\"col\">checked by</th><th "
                         "scope=\"col\">key</th></tr></thead>\n<tbody>\n");
        add_goal_row(d, g, out);
    }
    str_add(out, n ? "</tbody>\n</table></div>\n" : "");
    return n;
}

static bool is_of_cause(const struct report_goal *g, int64_t cause) {
    return g->status == STATUS_DEAD && g->cause == cause;
}

static bool is_open(const struct report_goal *g, int64_t cause) {
    (void)cause;
    return g->status == STATUS_OPEN;
}

static bool is_reachable(const struct report_goal *g, int64_t cause) {
    (void)cause;
    return g->status == STATUS_REACHABLE;
}

/* Causes in the order of their first goal; 0 is that of goals whose reason is not known. */
static void add_causes(struct report_data *d, struct str *out) {
    struct map seen = {0};
    html_heading(out, "dead", "Dead goals by cause");
    size_t n = 0;
    for (size_t i = 0; i < d->goals.len; i++) {
        const struct report_goal *g = &d->goals.data[i];
        if (g->status != STATUS_DEAD || map_get(&seen, (uint64_t)g->cause))
            continue;
        map_put(&seen, (uint64_t)g->cause, 1);
        if (g->cause > 0)
            str_addf(out, "<h3>Cause %lld</h3>\n", (long long)g->cause);
        else
            html_text(out, "h3", "Of unknown cause");
        if (g->cause > 0)
            html_because(d, g, out);
        struct choice choice = {is_of_cause, g->cause};
        n += add_goal_table(d, &choice, out);
    }
    if (n == 0)
        html_text(out, "p", "No goal is dead.");
    map_free(&seen);
}

static void add_goals(struct report_data *d, struct str *out) {
    static const struct choice open = {is_open, 0}, reachable = {is_reachable, 0};
    add_causes(d, out);
    html_heading(out, "open", "Open goals");
    if (add_goal_table(d, &open, out) == 0)
        html_text(out, "p", "No goal is open.");
    html_heading(out, "reachable", "Reachable goals");
    if (add_goal_table(d, &reachable, out) == 0)
        html_text(out, "p", "No goal is reachable.");
}

static void add_signatures(struct str *out) {
    static const char *const roles[] = {"Author", "Reviewer", "Approved by"};
    html_heading(out, "signatures", "Signatures");
    str_add(
        out,
        "<p>Whoever signs has compared the checksum with that of the database: "
        "<code>goalkeeper audit</code> computes it.</p>\n<div class=\"wide\" tabindex=\"0\"><table "
        "class=\"sign\">\n<thead><tr><th scope=\"col\">role</th><th scope=\"col\">name</th>"
        "<th scope=\"col\">date</th><th scope=\"col\">signature</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        str_addf(out, "<tr><th scope=\"row\">%s</th><td></td><td></td><td></td></tr>\n", roles[i]);
    str_add(out, "</tbody>\n</table></div>\n");
}

/* ---- links and contents ---- */

/* The "#g12" of a link to a goal; NULL: it leads to something else. */
static const char *goal_of_link(const char *href, size_t len) {
    assert(href && len > 0);
    const char *at = memmem(href, len, "#g", 2);
    return at && isdigit((unsigned char)at[2]) ? at : NULL;
}

static void add_linked(const char *html, struct str *out) {
    static const char begin[] = "<a ", href_begin[] = "href=\"";
    for (bool dropped = false;;) {
        const char *at = strstr(html, "<"), *href, *end;
        if (!at) {
            str_add(out, html);
            return;
        }
        str_addn(out, html, (size_t)(at - html));
        assert(strchr(at, '>'));
        html = strchr(at, '>') + 1; /* no text holds a '<' that is not escaped */
        if (str_starts(at, "</a>") && dropped) {
            dropped = false;
        } else if (str_starts(at, begin) && (href = strstr(at, href_begin)) && href < html) {
            href += strlen(href_begin);
            end = strchr(href, '"');
            const char *goal = goal_of_link(href, (size_t)(end - href));
            dropped = *href != '#' && !goal;
            if (goal)
                str_addf(out, "<a href=\"%.*s\">", (int)(end - goal), goal);
            else if (!dropped)
                str_addn(out, at, (size_t)(html - at));
        } else {
            str_addn(out, at, (size_t)(html - at));
        }
    }
}

static void add_contents(const char *html, struct str *out) {
    static const char heading[] = "<h2 id=\"";
    str_add(out, "<nav aria-label=\"Contents\"><h2 id=\"contents\">Contents</h2>\n<ol>\n");
    for (const char *at = html; (at = strstr(at, heading)); at++) {
        assert(strstr(at, "</h2>"));
        const char *id = at + strlen(heading), *text = strchr(id, '>') + 1;
        str_addf(out, "<li><a href=\"#%.*s\">%.*s</a></li>\n", (int)strcspn(id, "\""), id,
                 (int)(strstr(text, "</h2>") - text), text);
    }
    str_add(out, "</ol></nav>\n");
}

bool report_html_single(struct report_data *d, const struct report_options *options,
                        struct err *err) {
    struct str title = {0}, parts = {0}, body = {0}, page = {0};
    struct html_groups groups = {0}, runs = {0};
    assert(options->dir);
    html_groups_make(d, &groups, &runs); /* links to goals are made from them */
    html_overview_parts(d, &parts);
    add_goals(d, &parts);
    html_background(d, &parts);
    add_signatures(&parts);
    add_linked(str_text(&parts), &body);
    add_head(d, &page);
    html_text(&page, "h1", arena_printf(&d->arena, "Structural coverage of %s", d->name));
    html_title_block(d, &title);
    add_linked(str_text(&title), &page);
    add_contents(str_text(&body), &page);
    str_addn(&page, str_text(&body), body.len);
    str_add(&page, "</main>\n</body>\n</html>\n");
    bool ok = file_draft_ours(path_join(&d->arena, options->dir, "report.html"), str_text(&page),
                              page.len, FILE_MARK, err);
    html_groups_free(&groups);
    html_groups_free(&runs);
    str_free(&title);
    str_free(&parts);
    str_free(&body);
    str_free(&page);
    return ok;
}
