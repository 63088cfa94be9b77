/* Annotated source: every line with its goals; findings are spelt out below their line. */
#include "report/escape.h"
#include "report/html.h"
#include "report/lines.h"

#include <string.h>

/* Who has looked at a justified goal has found it good. */
static const char *mark_class(const struct report_goal *g) {
    return g->justified ? "good" : html_class(g);
}

/* One mark for all goals of a line that are good, one for those that need a look, one for the bad
 * ones; it leads to the first of them. */
static void add_mark(struct arena *arena, const struct goal_refs *goals, size_t from, size_t to,
                     const char *class, struct str *out) {
    const struct report_goal *first = NULL;
    size_t n = 0;
    assert(from <= to && to <= goals->len);
    for (size_t i = from; i < to; i++) {
        if (strcmp(mark_class(goals->data[i]), class) != 0)
            continue;
        first = n++ ? first : goals->data[i];
    }
    if (!first)
        return;
    const char *value = first->value < 0 ? "" : first->value ? " true" : " false";
    str_addf(out, "<a class=\"%s\" href=\"../%s#g%lld\" title=\"", class, first->page,
             (long long)first->id);
    if (n > 1)
        str_addf(out, "%zu goals, the first: ", n);
    const char *symbol = html_symbol(first);
    str_addf(out, "%s%s: %s\" aria-label=\"%s", first->kind, value, status_names[first->status],
             symbol);
    const char *count = n > 1 ? arena_printf(arena, "%zu", n) : "";
    str_addf(out, "%s %s\">%s%s</a>", count, class, symbol, count);
}

static void add_marks(struct arena *arena, const struct goal_refs *goals, size_t from, size_t to,
                      struct str *out) {
    static const char *const classes[] = {"bad", "warn", "good"};
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        add_mark(arena, goals, from, to, classes[i], out);
}

static const char *line_class(const struct goal_refs *goals, size_t from, size_t to) {
    const char *name = "";
    for (size_t i = from; i < to; i++) {
        if (!report_needs_attention(goals->data[i]))
            continue;
        if (report_finding(goals->data[i]) != FINDING_OPEN)
            return " class=\"has-bad\"";
        name = " class=\"has-warn\"";
    }
    return name;
}

/* With its number: paper has no links. */
static void add_note(struct report_data *d, const struct report_goal *g, struct str *out) {
    str_add(out, "<tr class=\"note\"><td class=\"n\"></td><td></td><td>");
    html_badge(g, out);
    str_addf(out, " %lld %s ", (long long)g->id, g->kind);
    html_goal_link(d, g, "../", out);
    assert(!g->justified || g->justification >= 0);
    if (g->justified) {
        str_add(out, " – justified: ");
        add_xml(out, d->justifications.data[g->justification].reason);
    }
    str_add(out, "</td></tr>\n");
}

struct listing {
    struct report_data *d;
    struct goal_refs goals;
    size_t at; /* the first goal that is not listed */
    struct html_code code;
};

static void add_line(struct listing *l, int line, const char *text, size_t len, struct str *out) {
    size_t from = l->at;
    assert(from == l->goals.len || l->goals.data[from]->line >= line); /* sorted */
    while (l->at < l->goals.len && l->goals.data[l->at]->line <= line)
        l->at++;
    str_addf(out, "<tr id=\"L%d\"%s><td class=\"n\">%d</td><td class=\"marks\">", line,
             line_class(&l->goals, from, l->at), line);
    add_marks(&l->d->arena, &l->goals, from, l->at, out);
    str_add(out, "</td><td><code>");
    html_code(&l->code, text, len, out);
    str_add(out, "</code></td></tr>\n");
    for (size_t i = from; i < l->at; i++)
        if (report_finding(l->goals.data[i]) != FINDING_NONE)
            add_note(l->d, l->goals.data[i], out);
}

/* Without the text only the lines that have goals are listed. */
static void add_lines(struct listing *l, const char *text, struct str *out) {
    for (int line = 1; text && *text; line++) {
        size_t len = strcspn(text, "\n");
        size_t shown = len > 0 && text[len - 1] == '\r' ? len - 1 : len;
        add_line(l, line, text, shown, out);
        text += len + (text[len] == '\n');
    }
    while (l->at < l->goals.len) {
        const struct report_goal *g = l->goals.data[l->at];
        add_line(l, g->line, g->text, strlen(g->text), out);
    }
}

void html_source(struct report_data *d, uint32_t file, struct str *out) {
    assert(file < d->files.len);
    struct listing l = {.d = d};
    struct html_page page = {.title = d->files.data[file].path, .root = "../", .section = -1};
    report_goals_of(d, file, &l.goals);
    html_begin(d, &page, out);
    str_add(out, "<p><span class=\"good\">●</span> reachable, <span class=\"bad\">✕</span> dead, "
                 "<span class=\"warn\">?</span> open; with how many goals of the line. Green is "
                 "good: a goal of coverage is reached, an event of robustness cannot happen, or "
                 "what is found is justified.</p>\n");
    if (!d->files.data[file].text)
        str_add(out, "<p class=\"muted\">The text of this file is not in the database: only the "
                     "lines with goals are listed.</p>\n");
    str_add(out,
            "<div class=\"wide\" tabindex=\"0\"><table class=\"source\">\n<thead><tr><th "
            "scope=\"col\" class=\"n\">line</th><th scope=\"col\">goals</th><th scope=\"col\">");
    add_xml(out, page.title);
    str_add(out, "</th></tr></thead>\n<tbody>\n");
    add_lines(&l, d->files.data[file].text, out);
    str_add(out, "</tbody>\n</table></div>\n");
    html_end(d, out);
    vec_free(&l.goals);
}
