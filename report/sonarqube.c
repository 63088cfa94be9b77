/* SonarQube generic coverage. */
#include "report/escape.h"
#include "report/lines.h"
#include "report/report.h"

static void add_line(const struct report_line *l, struct str *out) {
    size_t taken = report_line_taken(l);
    assert(taken <= l->branches.len);
    str_addf(out, "    <lineToCover lineNumber=\"%d\" covered=\"%s\"", l->line,
             report_line_is_hit(l) ? "true" : "false");
    if (l->branches.len > 0)
        str_addf(out, " branchesToCover=\"%zu\" coveredBranches=\"%zu\"", l->branches.len, taken);
    str_add(out, "/>\n");
}

void report_sonarqube(struct report_data *d, const struct report_options *options,
                      struct str *out) {
    (void)options;
    str_add(out, "<!-- Written by Goalkeeper -->\n<coverage version=\"1\">\n");
    for (uint32_t f = 0; f < d->files.len; f++) {
        struct report_lines lines = {0};
        report_lines_of(d, f, &lines);
        str_add(out, "  <file path=\"");
        add_xml(out, report_path(d, f));
        str_add(out, "\">\n");
        for (size_t i = 0; i < lines.len; i++)
            if (report_line_is_listed(&lines.data[i]))
                add_line(&lines.data[i], out);
        str_add(out, "  </file>\n");
        report_lines_free(&lines);
    }
    str_add(out, "</coverage>\n");
}
