/* What happens within one column of the drawing is one vertical line over all its values, so that
 * a run of any length has a drawing of bounded size. */
#include "report/plot.h"

#include "report/escape.h"

#include <math.h>

/* In units of the drawing: labels left of LEFT, the curve between LEFT and WIDTH. */
enum { WIDTH = 720, HEIGHT = 40, LEFT = 80, RIGHT = 712, TOP = 7, BOTTOM = 33 };

/* A step is as wide as every other one; its value holds from its begin to its end. */
static int x_of(int64_t step, int64_t last) {
    assert(step >= 0 && step <= last + 1);
    return LEFT + (int)llround((double)(RIGHT - LEFT) * (double)step / (double)(last + 1));
}

/* In tenths of a unit, so that a slow ramp is no staircase. */
static int y_of(const struct signal *s, double value) {
    double span = s->max - s->min;
    assert(span >= 0);
    return 10 * BOTTOM -
           (int)llround(10 * (BOTTOM - TOP) * (span > 0 ? (value - s->min) / span : 0.5));
}

static void add_y(char command, int y, struct str *out) {
    str_addf(out, y % 10 ? "%c%d.%d" : "%c%d", command, y / 10, y % 10);
}

/* What happens within one column of the drawing is one vertical line over all its values. */
struct column {
    int x, low, high, first, y; /* first, y: where the curve enters and leaves it */
};

/* The value before the column holds until it; from one column to the next the curve is a line.
 * `at`: where the pen is. */
static void draw(const struct column *c, struct column *at, struct str *out) {
    assert(c->low <= c->y && c->y <= c->high && c->low <= c->first && c->first <= c->high);
    if (at->x < 0) {
        str_addf(out, "M%d", c->x);
        add_y(' ', c->first, out);
    } else if (c->x == at->x + 1) {
        str_addf(out, "L%d", c->x);
        add_y(' ', c->first, out);
    } else {
        str_addf(out, "H%d", c->x);
        if (c->first != at->y)
            add_y('V', c->first, out);
    }
    const int ys[] = {c->low, c->high, c->y};
    for (size_t i = 0, y = (size_t)c->first; i < 3; i++)
        if ((size_t)ys[i] != y) {
            add_y('V', ys[i], out);
            y = (size_t)ys[i];
        }
    *at = *c;
}

static void add_curve(const struct signal *s, int64_t last, struct str *out) {
    struct column c = {.x = -1}, at = {.x = -1};
    for (size_t i = 0; i < s->points.len; i++) {
        const struct signal_point *p = &s->points.data[i];
        int x = x_of(p->step, last), y = isnan(p->value) ? 10 * BOTTOM : y_of(s, p->value);
        if (x != c.x) {
            if (c.x >= 0)
                draw(&c, &at, out);
            c = (struct column){x, y, y, y, y};
        }
        c.low = y < c.low ? y : c.low;
        c.high = y > c.high ? y : c.high;
        c.y = y;
    }
    draw(&c, &at, out);
    str_addf(out, "H%d", RIGHT);
}

static void describe(const struct signal *s, int64_t last, struct str *out) {
    const struct signal_point *end = &vec_last(&s->points);
    str_add(out, "<title>");
    add_xml(out, s->path);
    str_addf(out, ": between %g and %g, changes %zu times, %s at the hit in step %lld</title>",
             s->min, s->max, s->points.len - 1, end->text, (long long)last);
}

void plot_signal(const struct signal *s, int64_t last, struct str *out) {
    assert(s->points.len > 0 && s->min <= s->max);
    str_addf(out, "<svg class=\"plot\" viewBox=\"0 0 %d %d\" role=\"img\">", WIDTH, HEIGHT);
    describe(s, last, out);
    str_addf(out, "<rect class=\"hit\" x=\"%d\" y=\"0\" width=\"%d\" height=\"%d\"/>",
             x_of(last, last), RIGHT - x_of(last, last) + 2, HEIGHT);
    if (s->min < 0 && s->max > 0)
        str_addf(out, "<line class=\"zero\" x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\"/>", LEFT, RIGHT,
                 y_of(s, 0) / 10, y_of(s, 0) / 10);
    str_addf(out,
             "<text x=\"%d\" y=\"%d\">%.6g</text><text x=\"%d\" y=\"%d\">%.6g</text><path d=\"",
             LEFT - 6, TOP + 5, s->max, LEFT - 6, BOTTOM + 4, s->min);
    add_curve(s, last, out);
    str_add(out, "\"/></svg>");
}

/* 1, 2 or 5 times a power of ten, so that there are at most eight marks. */
static int64_t distance(int64_t last) {
    static const int factors[] = {1, 2, 5};
    for (int64_t power = 1;; power *= 10)
        for (int i = 0; i < 3; i++)
            if (last / (power * factors[i]) <= 8)
                return power * factors[i];
}

void plot_axis(int64_t last, struct str *out) {
    int64_t gap = distance(last);
    assert(gap > 0);
    str_addf(out, "<svg class=\"plot axis\" viewBox=\"0 0 %d 18\" aria-hidden=\"true\">", WIDTH);
    str_addf(out, "<text x=\"%d\" y=\"12\" text-anchor=\"end\">step</text>", LEFT - 6);
    for (int64_t step = 0; step <= last - gap / 2 || step == 0; step += gap)
        str_addf(out, "<text x=\"%d\" y=\"12\">%lld</text>", x_of(step, last), (long long)step);
    if (last > 0)
        str_addf(out, "<text x=\"%d\" y=\"12\" text-anchor=\"end\">%lld hit</text>", RIGHT,
                 (long long)last);
    str_add(out, "</svg>");
}
