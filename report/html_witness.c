/* The run that hits a goal: what stays, what changes as plots, and as a table. */
#include "report/escape.h"
#include "report/html.h"
#include "report/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PLOTS = 16, MOST_ROWS = 60, LONG = 2000 };

static bool is_plotted(const struct signal *s) {
    return s->changes && !isnan(s->min);
}

static void add_plot(const struct signal *s, int64_t last, struct str *out) {
    assert(is_plotted(s) && s->points.len > 1);
    str_add(out, "<dt><code>");
    add_xml(out, s->path);
    str_addf(out, "</code><span>%s", s->role);
    if (s->lsb != 0 && s->lsb != 1)
        str_addf(out, ", raw; 1 is %.6g", s->lsb);
    str_add(out, "</span></dt><dd>");
    plot_signal(s, last, out);
    str_add(out, "</dd>\n");
}

/* Inputs first, then outputs, then state: what goes in, what comes out, what is in between. */
static int rank(const struct signal *s) {
    return s->is_input ? 0 : strcmp(s->role, "output") == 0 ? 1 : 2;
}

static void add_plots(const struct signals *signals, struct str *out) {
    assert(signals->last >= 0);
    size_t n = 0;
    for (int wanted = 0; wanted < 3; wanted++)
        for (size_t i = 0; i < signals->list.len; i++) {
            const struct signal *s = &signals->list.data[i];
            if (rank(s) != wanted || !is_plotted(s) || n++ >= MOST_PLOTS)
                continue;
            if (n == 1)
                str_add(out, "<dl class=\"plots\" tabindex=\"0\">\n");
            add_plot(s, signals->last, out);
        }
    if (n == 0)
        return;
    str_add(out, "<dt></dt><dd>");
    plot_axis(signals->last, out);
    str_add(out, "</dd></dl>\n");
    if (signals->last > LONG)
        str_add(out,
                "<p class=\"muted\">Of a witness as long as this one, state and outputs may be "
                "kept in samples and for the last steps only.</p>\n");
    if (n > MOST_PLOTS)
        str_addf(out,
                 "<p class=\"muted\">%zu further signals change; <code>goalkeeper replay"
                 "</code> shows all.</p>\n",
                 n - MOST_PLOTS);
}

static void add_constants(const struct signals *signals, struct str *out) {
    const char *separator = "<h2>Inputs that keep one value</h2>\n<p><code>";
    for (size_t i = 0; i < signals->list.len; i++) {
        const struct signal *s = &signals->list.data[i];
        if (!s->is_input || s->changes)
            continue;
        str_add(out, separator);
        add_xml(out, s->path);
        str_addf(out, " = %s", vec_last(&s->points).text);
        separator = ", ";
    }
    if (*separator == ',')
        str_add(out, "</code></p>\n");
}

/* ---- the table ---- */

struct change {
    int64_t step;
    size_t signal, point;
};
VEC_STRUCT(changes, struct change);

static int by_step(const void *a, const void *b) {
    const struct change *x = a, *y = b;
    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    if (x->signal != y->signal)
        return x->signal < y->signal ? -1 : 1;
    return x->point < y->point ? -1 : x->point > y->point;
}

static void list_changes(const struct signals *signals, struct changes *changes) {
    for (size_t i = 0; i < signals->list.len; i++) {
        const struct signal *s = &signals->list.data[i];
        for (size_t p = 0; s->is_input && s->changes && p < s->points.len; p++)
            vec_push(changes, (struct change){s->points.data[p].step, i, p});
    }
    if (changes->len > 1)
        qsort(changes->data, changes->len, sizeof *changes->data, by_step);
}

static void add_table(const struct signals *signals, struct str *out) {
    struct changes changes = {0};
    list_changes(signals, &changes);
    size_t rows = 0, i = 0;
    if (changes.len > 0)
        str_add(out, "<h2>Inputs that change</h2>\n<div class=\"wide\" "
                     "tabindex=\"0\"><table>\n<caption>Each "
                     "value holds until the next one. Step 0 is before init.</caption>\n"
                     "<thead><tr><th scope=\"col\" class=\"n\">step</th><th scope=\"col\">set"
                     "</th></tr></thead>\n<tbody>");
    while (i < changes.len && rows++ < MOST_ROWS) {
        int64_t step = changes.data[i].step;
        str_addf(out, "\n<tr><td class=\"n\">%lld</td><td><code>", (long long)step);
        for (bool first = true; i < changes.len && changes.data[i].step == step; i++) {
            const struct signal *s = &signals->list.data[changes.data[i].signal];
            str_add(out, first ? "" : ", ");
            add_xml(out, s->path);
            str_addf(out, " = %s", s->points.data[changes.data[i].point].text);
            first = false;
        }
        str_add(out, "</code></td></tr>");
    }
    if (changes.len > 0)
        str_add(out, "\n</tbody>\n</table></div>\n");
    if (i < changes.len)
        str_addf(out,
                 "<p class=\"muted\">The changes after step %lld are left out here; "
                 "<code>goalkeeper replay</code> shows all.</p>\n",
                 (long long)changes.data[i - 1].step);
    vec_free(&changes);
}

/* ---- the whole ---- */

void html_witness(struct report_data *d, const struct report_goal *g, struct str *out) {
    struct signals signals = {0};
    struct err err = {0};
    if (!signals_of(d, g, &signals, &err))
        html_text(out, "p", "The witness cannot be read.");
    else if (signals.list.len == 0)
        html_text(out, "p", "The goal needs no particular input.");
    else {
        add_plots(&signals, out);
        add_table(&signals, out);
        add_constants(&signals, out);
    }
    signals_free(&signals);
    err_clear(&err);
}
