/* Signal plots: one small SVG a signal, stepwise, the step of the hit marked. */
#include "report/escape.h"
#include "report/html.h"

#include <math.h>

enum { WIDTH = 640, HEIGHT = 90, LEFT = 70, MOST_PLOTS = 24, MOST_POINTS = 4000 };

struct point {
    double step, value;
};

struct signal {
    VEC(struct point) points;
    double min, max;
};

static void read_signal(struct rows *r, struct signal *s) {
    while (rows_next(r) && s->points.len < MOST_POINTS) {
        double value = rows_real(r, 1);
        if (!rows_is_number(r, 1) || !isfinite(value))
            continue;
        if (s->points.len == 0)
            s->min = s->max = value;
        s->min = value < s->min ? value : s->min;
        s->max = value > s->max ? value : s->max;
        vec_push(&s->points, (struct point){rows_real(r, 0), value});
    }
}

static double x_of(double step, double last) {
    return LEFT + (WIDTH - LEFT - 10) * (last > 0 ? step / last : 0);
}

static double y_of(const struct signal *s, double value) {
    assert(s->min <= s->max);
    double span = s->max - s->min;
    return HEIGHT - 15 - (HEIGHT - 30) * (span > 0 ? (value - s->min) / span : 0.5);
}

/* A value holds until the next one: horizontal, then vertical. */
static void add_polyline(const struct signal *s, double last, struct str *out) {
    assert(s->points.len > 0);
    str_add(out, "<polyline points=\"");
    for (size_t i = 0; i < s->points.len; i++) {
        double until = i + 1 < s->points.len ? s->points.data[i + 1].step : last;
        double y = y_of(s, s->points.data[i].value);
        str_addf(out, "%.1f,%.1f %.1f,%.1f ", x_of(s->points.data[i].step, last), y,
                 x_of(until, last), y);
    }
    str_add(out, "\"/>");
}

static void add_plot(const char *name, const char *role, const struct signal *s, double hit,
                     struct str *out) {
    str_addf(out, "<figure><figcaption>%s <code>", role);
    add_xml(out, name);
    str_addf(out, "</code></figcaption>\n<svg class=\"plot\" viewBox=\"0 0 %d %d\" role=\"img\">",
             WIDTH, HEIGHT);
    str_addf(out, "<text x=\"4\" y=\"%.0f\">%.6g</text><text x=\"4\" y=\"%.0f\">%.6g</text>",
             y_of(s, s->max) + 4, s->max, y_of(s, s->min) + (s->max > s->min ? 4 : 18), s->min);
    add_polyline(s, hit, out);
    str_addf(out,
             "<line class=\"hit\" x1=\"%.1f\" y1=\"4\" x2=\"%.1f\" y2=\"%d\"/></svg></figure>\n",
             x_of(hit, hit), x_of(hit, hit), HEIGHT - 4);
}

static size_t plot_all(struct report_data *d, const struct report_goal *g, const char *names_sql,
                       const char *values_sql, size_t room, struct str *out) {
    struct err err = {0};
    size_t n = 0;
    struct rows *names = rows_open(d->db, names_sql, &err);
    rows_bind_int(names, 1, g->witness);
    while (n < room && rows_next(names)) {
        struct signal s = {0};
        struct rows *values = rows_open(d->db, values_sql, &err);
        rows_bind_int(values, 1, g->witness);
        rows_bind_int(values, 2, rows_int(names, 0));
        rows_bind_int(values, 3, g->depth);
        read_signal(values, &s);
        rows_close(values, &err);
        if (s.points.len > 0 && g->depth > 0) {
            add_plot(rows_text(names, 1), rows_text(names, 2), &s, (double)g->depth, out);
            n++;
        }
        vec_free(&s.points);
    }
    rows_close(names, &err);
    err_clear(&err);
    return n;
}

void html_plots(struct report_data *d, const struct report_goal *g, struct str *out) {
    assert(g->witness > 0);
    size_t n = plot_all(d, g,
                        "SELECT DISTINCT v.number, v.path, v.role FROM witness_event e JOIN "
                        "variable v ON v.is_input AND v.number = e.input WHERE e.witness = ?1 "
                        "ORDER BY 1",
                        "SELECT step, value FROM witness_event WHERE witness = ?1 AND input = ?2 "
                        "AND step <= ?3 ORDER BY number",
                        MOST_PLOTS / 2, out);
    plot_all(d, g,
             "SELECT v.number, v.path, v.role FROM witness_cell c JOIN variable v ON NOT "
             "v.is_input AND v.number = c.cell WHERE c.witness = ?1 GROUP BY 1 HAVING count(*) > 1 "
             "ORDER BY count(*) DESC, 1",
             "SELECT step, value FROM witness_cell WHERE witness = ?1 AND cell = ?2 AND step <= ?3 "
             "ORDER BY step",
             MOST_PLOTS - n, out);
}
