/* Coverage in numbers: rows of tables, by function, and by block of the model. */
#include "report/escape.h"
#include "report/html.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Good, accepted, bad, open; what is justified counts as neither bad nor open. */
void html_bar(const struct report_count *c, bool robust, struct str *out) {
    static const char *const classes[] = {"good", "muted", "bad", "warn"};
    size_t bad = robust ? c->reachable : c->dead, waiting = c->justified - c->accepted;
    assert(c->reachable + c->dead + c->open == c->total && c->accepted <= c->justified);
    waiting = waiting < c->open ? waiting : c->open;
    size_t accepted = c->accepted < bad ? c->accepted : bad;
    const size_t parts[] = {robust ? c->dead : c->reachable, accepted + waiting, bad - accepted,
                            c->open - waiting};
    double whole = c->total ? (double)c->total : 1, at = 0;
    str_add(out, "<td><svg class=\"bar\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" "
                 "aria-hidden=\"true\">");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        double width = 100.0 * (double)parts[i] / whole;
        if (parts[i] > 0)
            str_addf(out, "<rect class=\"%s\" x=\"%.2f\" width=\"%.2f\" height=\"8\"/>", classes[i],
                     at, width);
        at += width;
    }
    str_add(out, "</svg></td>");
}

void html_number(struct str *out, size_t n, const char *class) {
    assert(class);
    str_addf(out, "<td class=\"n %s\">%zu</td>", n > 0 ? class : "muted", n);
}

void html_counts(const struct report_count *c, bool asked, struct str *out) {
    str_addf(out, "<td class=\"n\">%zu</td>", c->total);
    html_number(out, c->reachable, "good");
    html_number(out, c->dead, c->dead > c->accepted ? "bad" : "");
    html_number(out, c->open, "warn");
    html_number(out, c->justified, "");
    if (c->total == 0)
        str_addf(out, "<td class=\"n muted\" colspan=\"2\">%s</td><td></td>",
                 asked ? "there are none" : "not asked for");
    else {
        str_addf(out, "<td class=\"n\">%.1f %%</td><td class=\"n\">%.1f %%</td>",
                 report_percent(c->reachable, c->total),
                 report_percent(c->reachable, c->total - c->dead));
        html_bar(c, false, out);
    }
    str_add(out, "</tr>\n");
}

const char html_count_headings[] =
    "<th scope=\"col\" class=\"n\">goals</th><th scope=\"col\" class=\"n\">reachable</th><th "
    "scope=\"col\" class=\"n\">dead</th><th scope=\"col\" class=\"n\">open</th><th scope=\"col\" "
    "class=\"n\">justified</th><th scope=\"col\" class=\"n\">covered</th><th scope=\"col\" "
    "class=\"n\">of the not dead</th><th scope=\"col\"><span class=\"muted\">share</span></th>"
    "</tr></thead>\n<tbody>\n";

/* ---- sums by name ---- */

struct tally {
    struct intern names;
    VEC(struct report_count) counts;        /* one per name */
    VEC(const struct report_goal *) firsts; /* the first goal of each */
};

static void tally_add(struct tally *t, const char *name, const struct report_goal *g) {
    uint32_t id = intern_id(&t->names, name);
    if (id == t->counts.len) {
        vec_push(&t->counts, (struct report_count){.criterion = ""});
        vec_push(&t->firsts, g);
    }
    struct report_count *c = &t->counts.data[id];
    assert(c->accepted <= c->justified && c->justified <= c->total);
    report_count_add(c, g);
}

static void tally_free(struct tally *t) {
    intern_free(&t->names);
    vec_free(&t->counts);
    vec_free(&t->firsts);
}

static void begin_table(const char *heading, const char *id, const char *columns, struct str *out) {
    html_heading(out, id, heading);
    str_addf(out,
             "<div class=\"wide\" tabindex=\"0\"><table>\n<caption>All goals of coverage, whatever "
             "their kind."
             "</caption>\n<thead><tr>%s",
             columns);
    str_add(out, html_count_headings);
}

/* "goals.html#function=…" */
static void add_filter(const char *field, const char *value, struct str *out) {
    assert(*field && value);
    str_addf(out, "<a href=\"goals.html#%s=", field);
    for (const char *p = value; *p; p++)
        if (isalnum((unsigned char)*p) || strchr("_-./", *p))
            str_addc(out, *p);
        else
            str_addf(out, "%%%02X", (unsigned char)*p);
    str_add(out, "\">");
}

/* ---- by function ---- */

/* In the order of their first goals. */
void html_functions(struct report_data *d, struct str *out) {
    struct tally t = {0};
    for (size_t i = 0; i < d->goals.len; i++) {
        const struct report_goal *g = &d->goals.data[i];
        if (!g->robust && !g->helper)
            tally_add(&t, arena_printf(&d->arena, "%u %s", g->file, g->function), g);
    }
    begin_table("Coverage by function", "functions",
                "<th scope=\"col\">function</th><th scope=\"col\">place</th>", out);
    for (size_t i = 0; i < t.counts.len; i++) {
        const struct report_goal *first = t.firsts.data[i];
        assert(first->file < d->files.len && t.counts.data[i].total > 0);
        str_add(out, "<tr><th scope=\"row\">");
        add_filter("function", first->function, out);
        str_add(out, "<code>");
        add_xml(out, first->function);
        str_addf(out, "</code></a></th><td><a href=\"%s#L%d\">", html_source_page(d, first->file),
                 first->line);
        add_xml(out, d->files.data[first->file].path);
        str_addf(out, ":%d</a></td>", first->line);
        html_counts(&t.counts.data[i], true, out);
    }
    str_add(out, "</tbody>\n</table></div>\n");
    tally_free(&t);
}

/* ---- by block ---- */

struct block_row {
    const char *path; /* "Top/Torque/": its blocks come right behind it */
    const struct report_count *count;
};

static int by_path(const void *a, const void *b) {
    return strcmp(((const struct block_row *)a)->path, ((const struct block_row *)b)->path);
}

static void add_block(struct report_data *d, const struct block_row *row, struct str *out) {
    assert(str_ends(row->path, "/") && row->count->total > 0);
    const char *path = arena_strndup(&d->arena, row->path, strlen(row->path) - 1);
    const char *name = strrchr(path, '/');
    str_add(out, "<tr><th scope=\"row\">");
    for (const char *p = path; *p; p++)
        str_add(out, *p == '/' ? "· " : "");
    add_filter("block", path, out);
    add_xml(out, name ? name + 1 : path);
    str_add(out, "</a></th>");
    html_counts(row->count, true, out);
}

/* The tree of subsystems and blocks that the code was generated from; each counts what is in it. */
void html_blocks(struct report_data *d, struct str *out) {
    struct tally t = {0};
    VEC(struct block_row) rows = {0};
    for (size_t i = 0; i < d->goals.len; i++) {
        const struct report_goal *g = &d->goals.data[i];
        for (const char *end = g->block; *end && !g->robust && !g->helper;) {
            end += strcspn(end, "/");
            tally_add(&t, arena_printf(&d->arena, "%.*s/", (int)(end - g->block), g->block), g);
            end += *end == '/';
        }
    }
    for (uint32_t i = 0; i < t.counts.len; i++)
        vec_push(&rows, (struct block_row){intern_text(&t.names, i), &t.counts.data[i]});
    if (rows.len > 0) {
        qsort(rows.data, rows.len, sizeof *rows.data, by_path);
        begin_table("Coverage by subsystem and block of the model", "blocks",
                    "<th scope=\"col\">block</th>", out);
        for (size_t i = 0; i < rows.len; i++)
            add_block(d, &rows.data[i], out);
        str_add(out, "</tbody>\n</table></div>\n");
    }
    vec_free(&rows);
    tally_free(&t);
}
