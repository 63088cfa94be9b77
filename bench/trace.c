/* bench trace: a trace that `goalkeeper run --trace FILE` has written, as a picture.
 *
 *     build/bench/trace FILE >trace.svg
 *
 * A row for each attempt, from its begin to its end, with a mark for each event, and rows for the
 * verdicts of the run. Browsers show what an event says when the mouse is on it.
 */
#include "base/file.h"
#include "base/vec.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 1000, LEFT = 150, ROW = 16, NAME = 32 };

struct event {
    double at;
    uint64_t attempt;
    char who[NAME], what[NAME];
    uint32_t row;
    const char *line;
};

struct picture {
    VEC(struct event) events;
    VEC(uint32_t) first; /* event of each row */
    double end;
};

static const char *color_of(const char *what) {
    static const char *const colors[][2] = {
        {"frame", "#1f77b4"},   {"obligation", "#bbbbbb"}, {"lemma", "#2ca02c"},
        {"restart", "#d62728"}, {"dead", "#9467bd"},       {"hit", "#ff7f0e"},
        {"verdict", "#000000"}, {"depth", "#17becf"},      {"induction", "#8c564b"},
    };
    for (size_t i = 0; i < sizeof colors / sizeof *colors; i++)
        if (strcmp(what, colors[i][0]) == 0)
            return colors[i][1];
    return "#e377c2";
}

/* Each attempt has a row; what the run itself tells stands in one of each teller. */
static uint32_t row_of(struct picture *p, const struct event *e) {
    bool begins = strcmp(e->what, "begin") == 0;
    for (size_t r = p->first.len; r-- > 0 && !begins;) {
        const struct event *f = &p->events.data[p->first.data[r]];
        bool verdicts = strcmp(f->what, "verdict") == 0;
        if (f->attempt == e->attempt && strcmp(f->who, e->who) == 0 &&
            verdicts == (strcmp(e->what, "verdict") == 0))
            return (uint32_t)r;
    }
    vec_push(&p->first, (uint32_t)p->events.len);
    return (uint32_t)p->first.len - 1;
}

static bool read_line(struct picture *p, const char *line) {
    struct event e = {.line = line};
    if (sscanf(line,
               "{\"at\":%lf,\"attempt\":%" SCNu64 ",\"engine\":\"%31[^\"]\",\"event\":\"%31[^\"]\"",
               &e.at, &e.attempt, e.who, e.what) != 4)
        return false;
    e.row = row_of(p, &e);
    vec_push(&p->events, e);
    p->end = e.at > p->end ? e.at : p->end;
    return true;
}

static void print_text(const char *text) {
    for (; *text; text++)
        *text == '<'   ? fputs("&lt;", stdout)
        : *text == '&' ? fputs("&amp;", stdout)
                       : putchar(*text);
}

static double x_of(const struct picture *p, double at) {
    assert(at <= p->end);
    return LEFT + (WIDTH - LEFT) * (p->end > 0 ? at / p->end : 0);
}

static void print_row(const struct picture *p, uint32_t row) {
    const struct event *first = &p->events.data[p->first.data[row]];
    double last = first->at;
    unsigned y = ROW * (row + 1);
    for (size_t i = 0; i < p->events.len; i++)
        last = p->events.data[i].row == row ? p->events.data[i].at : last;
    printf("<text x=\"2\" y=\"%u\">%s %" PRIu64 "</text>\n", y + 4, first->who, first->attempt);
    printf("<path stroke=\"#888\" d=\"M%.1f %uH%.1f\"/>\n", x_of(p, first->at), y, x_of(p, last));
}

static void print_event(const struct picture *p, const struct event *e) {
    printf("<path stroke=\"%s\" d=\"M%.1f %uv10\"><title>", color_of(e->what), x_of(p, e->at),
           ROW * (e->row + 1) - 5);
    print_text(e->line);
    printf("</title></path>\n");
}

int main(int argc, char **argv) {
    struct str text = {0};
    struct err err = {0};
    struct picture p = {0};
    if (argc != 2 || !file_read(argv[1], &text, &err)) {
        fprintf(stderr, "%s\nusage: trace FILE >trace.svg\n", str_text(&err.message));
        return 2;
    }
    size_t number = 0;
    for (char *at = text.data, *line; (line = strsep(&at, "\n")) && *line;) {
        number++;
        if (read_line(&p, line))
            continue;
        fprintf(stderr, "%s:%zu: no line of a trace\n", argv[1], number);
        return 2;
    }
    printf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%zu\" "
           "font-family=\"sans-serif\" font-size=\"10\">\n",
           WIDTH + 10, ROW * (p.first.len + 2));
    for (uint32_t row = 0; row < p.first.len; row++)
        print_row(&p, row);
    for (size_t i = 0; i < p.events.len; i++)
        print_event(&p, &p.events.data[i]);
    printf("<text x=\"%d\" y=\"%zu\">0 .. %.3f s</text>\n</svg>\n", LEFT, ROW * (p.first.len + 1),
           p.end);
    vec_free(&p.events);
    vec_free(&p.first);
    str_free(&text);
    return 0;
}
