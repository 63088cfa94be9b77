/* lines: goals folded into source lines, for the formats that know nothing finer.
 *
 * A line is covered when a statement that begins there is reachable; its branches are the goals of
 * kind branch and case on it, in goal order. Goals of robustness take no part. Lines are in
 * ascending order within a file.
 */
#ifndef REPORT_LINES_H
#define REPORT_LINES_H

#include "report/data.h"

struct report_line {
    int line;
    bool has_statement, covered, all_dead;    /* of its statements */
    VEC(const struct report_goal *) branches; /* branch and case */
    VEC(const struct report_goal *) mcdc;
};
VEC_STRUCT(report_lines, struct report_line);

/* The goals of a file in the order of their lines; `goals` is empty before. */
VEC_STRUCT(goal_refs, const struct report_goal *);
void report_goals_of(const struct report_data *data, uint32_t file, struct goal_refs *goals);

void report_lines_of(const struct report_data *data, uint32_t file, struct report_lines *lines);
void report_lines_free(struct report_lines *lines);

#endif
