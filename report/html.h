/* html: what the pages of the HTML report share. */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include "report/report.h"

/* `root` is the way back to the folder of the report: "" or "../". */
void html_begin(struct report_data *d, const char *title, const char *root, struct str *out);
void html_end(struct str *out);
void html_text(struct str *out, const char *tag, const char *text); /* <tag>escaped</tag> */
const char *html_source_page(struct report_data *d, uint32_t file); /* "source/0.html" */

/* Pages. */
void html_overview(struct report_data *d, struct str *out);
void html_goal(struct report_data *d, const struct report_goal *g, struct str *out);
void html_source(struct report_data *d, uint32_t file, struct str *out);

/* The rows of a query as a table with these headings, or a sentence when there are none. */
void html_query(struct report_data *d, const char *sql, int64_t parameter,
                const char *const *headings, const char *none, struct str *out);
/* Signal plots of a witness: inputs and state over the steps, the hit marked. */
void html_plots(struct report_data *d, const struct report_goal *g, struct str *out);

#endif
