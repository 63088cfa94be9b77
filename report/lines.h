/* lines: goals folded into source lines, for the formats that know nothing finer.
 *
 * A line is covered when a statement that begins there is reachable; its branches are the goals of
 * kind branch and case on it, in goal order. MC/DC stands on the line of its decision, sorted by
 * decision, condition, true before false. Goals of robustness take no part. Lines are in ascending
 * order within a file.
 */
#ifndef REPORT_LINES_H
#define REPORT_LINES_H

#include "report/data.h"

struct report_line {
    int line;
    bool has_statement, covered, all_dead;    /* of its statements */
    VEC(const struct report_goal *) branches; /* branch and case */
    VEC(const struct report_goal *) mcdc;
    VEC(const struct report_goal *) functions; /* that begin here */
};
VEC_STRUCT(report_lines, struct report_line);

/* The goals of a file in the order of their lines; `goals` is empty before. */
VEC_STRUCT(goal_refs, const struct report_goal *);
void report_goals_of(const struct report_data *data, uint32_t file, struct goal_refs *goals);

void report_lines_of(const struct report_data *data, uint32_t file, struct report_lines *lines);
/* Is there something to hit on it, and is some of that reachable? */
bool report_line_is_listed(const struct report_line *line);
bool report_line_is_hit(const struct report_line *line);
size_t report_line_taken(const struct report_line *line); /* reachable branches */
void report_lines_free(struct report_lines *lines);

#endif
