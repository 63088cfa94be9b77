/* html: what the pages of the HTML report share.
 *
 * The report is a folder without any outside reference; a content security policy in every page
 * forbids what would be one. Whatever comes from the program under analysis passes add_xml().
 * Verdicts are told by a symbol, a word and a colour: good, bad or warn. */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include "base/map.h"
#include "report/lines.h"
#include "report/report.h"

enum html_section { HTML_OVERVIEW, HTML_GOALS, HTML_DECISIONS, HTML_CHANGES, HTML_SECTIONS };

struct html_page {
    const char *title;
    const char *root; /* the way back to the folder of the report: "" or "../" */
    int section;      /* that the page belongs to, -1: none of them */
};

void html_begin(struct report_data *d, const struct html_page *page, struct str *out);
void html_end(struct report_data *d, struct str *out);
void html_text(struct str *out, const char *tag, const char *text); /* <tag>escaped</tag> */
void html_heading(struct str *out, const char *id, const char *text);
const char *html_decision_page(struct report_data *d, const struct report_decision *decision);
const char *html_source_page(struct report_data *d, uint32_t file); /* "source/0.html" */

const char *html_class(const struct report_goal *g); /* "good", "bad", "warn", "muted" */
const char *html_symbol(const struct report_goal *g);
void html_badge(const struct report_goal *g, struct str *out);
/* <a href="…decision/7.html#g12">what</a> */
void html_goal_link(struct report_data *d, const struct report_goal *g, const char *root,
                    struct str *out);
/* The last cells of a row of the overview: verdict, kind, what, place, function. */
void html_goal_cells(struct report_data *d, const struct report_goal *g, struct str *out);

/* Goals that are told on one page, and the runs that they were hit in. A run is a group, too. */
enum html_group_kind {
    HTML_OF_DECISION,
    HTML_OF_CAUSE,
    HTML_OF_FUNCTION,
    HTML_RUN,
    HTML_GROUP_KINDS
};
struct html_group {
    enum html_group_kind kind;
    const char *page;                       /* "cause/3.html" */
    const struct report_decision *decision; /* NULL: of none */
    struct goal_refs goals;
};
struct html_groups {
    VEC(struct html_group) list;
    struct intern names;            /* one per group */
    size_t pages[HTML_GROUP_KINDS]; /* how many of a kind there are */
};
/* Also gives each goal its page and its run. */
void html_groups_make(struct report_data *d, struct html_groups *groups, struct html_groups *runs);
void html_groups_free(struct html_groups *groups);

/* Pages. */
void html_overview(struct report_data *d, const struct comparison *comparison, struct str *out);
void html_goals(struct report_data *d, struct str *out);
void html_goals_js(struct report_data *d, struct str *out);
void html_group(struct report_data *d, const struct html_group *group, struct str *out);
void html_run(struct report_data *d, const struct html_group *run, struct str *out);
void html_source(struct report_data *d, uint32_t file, struct str *out);
void html_decisions(struct report_data *d, struct str *out);
void html_decision(struct report_data *d, const struct report_decision *decision, struct str *out);
void html_changes(struct report_data *d, const struct comparison *comparison, struct str *out);

/* Rows of tables in numbers (report/html_functions.c): a share as a bar, and the columns of
 * html_count_headings, which end the row. */
extern const char html_count_headings[];
void html_bar(const struct report_count *c, bool robust, struct str *out);
void html_number(struct str *out, size_t n, const char *class);
void html_counts(const struct report_count *c, bool asked, struct str *out);
void html_functions(struct report_data *d, struct str *out);
void html_blocks(struct report_data *d, struct str *out);

/* Parts of pages. */
void html_title_block(struct report_data *d,
                      struct str *out); /* what was analysed, what came out */
void html_overview_parts(struct report_data *d, struct str *out); /* coverage and causes */
void html_background(struct report_data *d, struct str *out);
void html_truth(struct report_data *d, const struct report_decision *decision, struct str *out);
/* All goals of a page in a table, and each that there is more to say of in a section of its own. */
void html_goal_list(struct report_data *d, const struct report_goal *const *goals, size_t n,
                    struct str *out);
void html_because(struct report_data *d, const struct report_goal *g, struct str *out);
void html_witness(struct report_data *d, const struct report_goal *g, struct str *out);
/* root: as in struct html_page; NULL: the goal is not named, the page is its own. */
void html_justification(struct report_data *d, const struct report_justification *j,
                        const char *root, struct str *out);

/* The rows of a query as a table with these headings, or a sentence when there are none. `?1` is
 * the parameter. */
struct html_query {
    const char *sql, *caption;
    int64_t parameter;
    const char *const *headings; /* ends with NULL */
    const char *none;
};
void html_query(struct report_data *d, const struct html_query *query, struct str *out);

/* A line of C, with comments, words and texts marked. The state is carried from line to line. */
struct html_code {
    bool in_comment;
};
void html_code(struct html_code *state, const char *line, size_t len, struct str *out);

#endif
