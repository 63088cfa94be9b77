/* Annotated source: every line with its goals; lines with dead or open goals stand out. */
#include "report/escape.h"
#include "report/html.h"

#include <stdlib.h>
#include <string.h>

VEC_STRUCT(goal_refs, const struct report_goal *);

static int by_line(const void *a, const void *b) {
    const struct report_goal *x = *(const struct report_goal *const *)a;
    const struct report_goal *y = *(const struct report_goal *const *)b;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

static void add_links(const struct goal_refs *goals, size_t from, size_t to, struct str *out) {
    assert(from <= to && to <= goals->len);
    for (size_t i = from; i < to; i++) {
        const struct report_goal *g = goals->data[i];
        const char *symbol = g->status == STATUS_REACHABLE ? "●"
                             : g->status == STATUS_DEAD    ? "✕"
                                                           : "?";
        str_addf(out, "<a class=\"%s\" href=\"../goal/%lld.html\" title=\"%s %s\">%s</a> ",
                 status_names[g->status], (long long)g->id, g->kind, status_names[g->status],
                 symbol);
    }
}

static const char *line_class(const struct goal_refs *goals, size_t from, size_t to) {
    const char *name = "";
    for (size_t i = from; i < to; i++)
        if (goals->data[i]->status == STATUS_DEAD)
            return "has-dead";
        else if (goals->data[i]->status == STATUS_OPEN)
            name = "has-open";
    return name;
}

static void add_line(const struct goal_refs *goals, size_t *at, int line, const char *text,
                     struct str *out) {
    size_t from = *at;
    while (*at < goals->len && goals->data[*at]->line <= line)
        ++*at;
    str_addf(out, "<tr id=\"L%d\" class=\"%s\"><td class=\"n\">%d</td><td>", line,
             line_class(goals, from, *at), line);
    add_links(goals, from, *at, out);
    str_add(out, "</td><td><code style=\"white-space: pre\">");
    add_xml(out, text);
    str_add(out, "</code></td></tr>\n");
}

/* Without the text only the lines that have goals are listed. */
static void add_lines(struct report_data *d, const struct goal_refs *goals, const char *text,
                      struct str *out) {
    size_t at = 0;
    int line = 1;
    for (; text && *text; line++) {
        size_t len = strcspn(text, "\n");
        add_line(goals, &at, line, arena_strndup(&d->arena, text, len), out);
        text += len + (text[len] == '\n');
    }
    while (at < goals->len)
        add_line(goals, &at, goals->data[at]->line, goals->data[at]->text, out);
}

void html_source(struct report_data *d, uint32_t file, struct str *out) {
    assert(file < d->files.len);
    struct goal_refs goals = {0};
    for (size_t i = 0; i < d->goals.len; i++)
        if (d->goals.data[i].file == file)
            vec_push(&goals, &d->goals.data[i]);
    if (goals.len > 1)
        qsort(goals.data, goals.len, sizeof *goals.data, by_line);
    html_begin(d, d->files.data[file].path, "../", out);
    str_add(out, "<p><span class=\"reachable\">●</span> reachable <span class=\"dead\">✕</span> "
                 "dead <span class=\"open\">?</span> open</p>\n<table class=\"source\">\n");
    add_lines(d, &goals, d->files.data[file].text, out);
    str_add(out, "</table>\n");
    html_end(out);
    vec_free(&goals);
}
