/* Cobertura XML: a class a file; branches as condition-coverage of their line. */
#include "report/escape.h"
#include "report/lines.h"
#include "report/report.h"

struct rates {
    size_t lines, covered, branches, taken;
};

static double rate(size_t part, size_t whole) {
    assert(part <= whole);
    return report_percent(part, whole) / 100.0;
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

static void add_line(const struct report_line *l, struct str *out) {
    size_t taken = report_line_taken(l);
    bool hit = report_line_is_hit(l);
    assert(taken <= l->branches.len && !(l->covered && l->all_dead));
    str_addf(out, "            <line number=\"%d\" hits=\"%d\"", l->line, hit);
    if (l->branches.len == 0)
        str_add(out, " branch=\"false\"/>\n");
    else
        str_addf(out, " branch=\"true\" condition-coverage=\"%.0f%% (%zu/%zu)\"/>\n",
                 report_percent(taken, l->branches.len), taken, l->branches.len);
}

static void add_class(const struct report_data *d, uint32_t file, struct str *out) {
    assert(file < d->files.len);
    struct report_lines lines = {0};
    struct rates r = {0};
    report_lines_of(d, file, &lines);
    count(&lines, &r);
    str_add(out, "        <class name=\"");
    add_xml(out, d->files.data[file].path);
    str_add(out, "\" filename=\"");
    add_xml(out, d->files.data[file].path);
    str_addf(out, "\" line-rate=\"%.4f\" branch-rate=\"%.4f\" complexity=\"0\">\n",
             rate(r.covered, r.lines), rate(r.taken, r.branches));
    str_add(out, "          <methods/>\n          <lines>\n");
    for (size_t i = 0; i < lines.len; i++)
        if (report_line_is_listed(&lines.data[i]))
            add_line(&lines.data[i], out);
    str_add(out, "          </lines>\n        </class>\n");
    report_lines_free(&lines);
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
             "version=\"goalkeeper %s\" timestamp=\"0\">\n",
             rate(all.covered, all.lines), rate(all.taken, all.branches), all.covered, all.lines,
             all.taken, all.branches, d->version);
    str_add(out, "  <sources>\n    <source>.</source>\n  </sources>\n  <packages>\n"
                 "    <package name=\"");
    add_xml(out, d->name);
    str_addf(out, "\" line-rate=\"%.4f\" branch-rate=\"%.4f\" complexity=\"0\">\n      <classes>\n",
             rate(all.covered, all.lines), rate(all.taken, all.branches));
    for (uint32_t f = 0; f < d->files.len; f++)
        add_class(d, f, out);
    str_add(out, "      </classes>\n    </package>\n  </packages>\n</coverage>\n");
}
