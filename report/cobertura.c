/* Cobertura XML: a class a file; branches as condition-coverage of their line. */
#include "report/escape.h"
#include "report/lines.h"
#include "report/report.h"

#include <math.h>
#include <time.h>

struct rates {
    size_t lines, covered, branches, taken;
};

/* Rounded down: what is not complete is never told as 1. */
static double rate(size_t part, size_t whole) {
    assert(part <= whole);
    return floor(report_percent(part, whole) * 100) / 10000;
}

static void count(const struct report_lines *lines, struct rates *r) {
    for (size_t i = 0; i < lines->len; i++) {
        const struct report_line *l = &lines->data[i];
        size_t taken = report_line_taken(l);
        r->lines += report_line_is_listed(l);
        r->covered += report_line_is_hit(l);
        r->branches += l->branches.len;
        r->taken += taken;
    }
}

static void add_line(const struct report_line *l, const char *indent, struct str *out) {
    size_t taken = report_line_taken(l);
    bool hit = report_line_is_hit(l);
    assert(taken <= l->branches.len && !(l->covered && l->all_dead));
    str_addf(out, "%s<line number=\"%d\" hits=\"%d\"", indent, l->line, hit);
    if (l->branches.len == 0)
        str_add(out, " branch=\"false\"/>\n");
    else
        str_addf(out, " branch=\"true\" condition-coverage=\"%d%% (%zu/%zu)\"/>\n",
                 (int)report_percent(taken, l->branches.len), taken, l->branches.len);
}

/* The lines from a function's head to the next one's are its own. */
static void add_methods(const struct report_lines *lines, struct str *out) {
    str_add(out, "          <methods>\n");
    for (size_t i = 0; i < lines->len; i++)
        for (size_t f = 0; f < lines->data[i].functions.len; f++) {
            const struct report_goal *g = lines->data[i].functions.data[f];
            struct report_lines own = {.data = lines->data + i, .len = 1};
            while (i + own.len < lines->len && lines->data[i + own.len].functions.len == 0)
                own.len++;
            struct rates r = {0};
            assert(own.len > 0 && i + own.len <= lines->len);
            count(&own, &r);
            str_add(out, "            <method name=\"");
            add_xml(out, g->function);
            str_addf(out,
                     "\" signature=\"\" line-rate=\"%.4f\" branch-rate=\"%.4f\" "
                     "complexity=\"0\">\n",
                     rate(r.covered, r.lines), rate(r.taken, r.branches));
            str_add(out, "              <lines>\n");
            for (size_t l = 0; l < own.len; l++)
                if (report_line_is_listed(&own.data[l]))
                    add_line(&own.data[l], "                ", out);
            str_add(out, "              </lines>\n            </method>\n");
        }
    str_add(out, "          </methods>\n");
}

static void add_class(struct report_data *d, uint32_t file, struct str *out) {
    assert(file < d->files.len);
    struct report_lines lines = {0};
    struct rates r = {0};
    report_lines_of(d, file, &lines);
    count(&lines, &r);
    str_add(out, "        <class name=\"");
    add_xml(out, report_path(d, file));
    str_add(out, "\" filename=\"");
    add_xml(out, report_path(d, file));
    str_addf(out, "\" line-rate=\"%.4f\" branch-rate=\"%.4f\" complexity=\"0\">\n",
             rate(r.covered, r.lines), rate(r.taken, r.branches));
    add_methods(&lines, out);
    str_add(out, "          <lines>\n");
    for (size_t i = 0; i < lines.len; i++)
        if (report_line_is_listed(&lines.data[i]))
            add_line(&lines.data[i], "            ", out);
    str_add(out, "          </lines>\n        </class>\n");
    report_lines_free(&lines);
}

/* The end of the run, in seconds since 1970; 0: it has not ended. */
static long long finished(struct report_data *d) {
    struct tm tm = {0};
    const char *end = strptime(report_info(d, "finished"), "%Y-%m-%dT%H:%M:%SZ", &tm);
    return end && !*end ? (long long)timegm(&tm) : 0;
}

void report_cobertura(struct report_data *d, const struct report_options *options,
                      struct str *out) {
    struct rates all = {0};
    (void)options;
    for (uint32_t f = 0; f < d->files.len; f++) {
        struct report_lines lines = {0};
        report_lines_of(d, f, &lines);
        count(&lines, &all);
        report_lines_free(&lines);
    }
    str_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE coverage SYSTEM "
                 "\"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n");
    str_addf(out,
             "<coverage line-rate=\"%.4f\" branch-rate=\"%.4f\" lines-covered=\"%zu\" "
             "lines-valid=\"%zu\" branches-covered=\"%zu\" branches-valid=\"%zu\" complexity=\"0\" "
             "version=\"goalkeeper %s\" timestamp=\"%lld\">\n",
             rate(all.covered, all.lines), rate(all.taken, all.branches), all.covered, all.lines,
             all.taken, all.branches, d->version, finished(d));
    str_add(out, "  <sources>\n    <source>.</source>\n  </sources>\n  <packages>\n"
                 "    <package name=\"");
    add_xml(out, d->name);
    str_addf(out, "\" line-rate=\"%.4f\" branch-rate=\"%.4f\" complexity=\"0\">\n      <classes>\n",
             rate(all.covered, all.lines), rate(all.taken, all.branches));
    for (uint32_t f = 0; f < d->files.len; f++)
        add_class(d, f, out);
    str_add(out, "      </classes>\n    </package>\n  </packages>\n</coverage>\n");
}
