/* report: renders the database for people and for CI servers; formats are rows of formats.def.
 *
 *     struct report_options options = {.dir = "out", .formats = names, .n_formats = 2};
 *     report_write(db, &options, err);
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "report/baseline.h"
#include "report/data.h"

struct gate;

struct report_options {
    const char *dir; /* "-": the one format goes to stdout */
    const char *const *formats;
    size_t n_formats;
    bool lcov_unreachable;               /* with the unreachable flag of lcov 2.5 */
    const char *baseline;                /* database or JSON report to compare with; NULL: none */
    struct report_view view;             /* how to read the ledger */
    const struct gate *gate;             /* what JUnit judges by; NULL: every finding fails. Its
                                            baseline is set by report_write() */
    const struct comparison *comparison; /* set by report_write() */
};

bool report_write(struct store *db, const struct report_options *options, struct err *err);

/* The renderers; text is appended to `out`. */
#define FORMAT(name, file, mark, about)                                                            \
    void report_##name(struct report_data *data, const struct report_options *options,             \
                       struct str *out);
#include "report/formats.def"
#undef FORMAT

/* A folder: overview, annotated sources, pages for decisions, causes, functions and runs. */
bool report_html(struct report_data *data, const struct report_options *options, struct err *err);

/* One document with all of it but sources and runs: report.html. */
bool report_html_single(struct report_data *data, const struct report_options *options,
                        struct err *err);

#endif
