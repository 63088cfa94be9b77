/* truth: the truth table of a decision, from the goals that belong to it.
 *
 * Rows are the goals of kind vector, so a table has rows only when they were asked for. Each row
 * tells which conditions it shows to decide (masking MC/DC); unique-cause MC/DC of a condition
 * follows from pairs of rows (coverage/unique_cause.h).
 *
 *     struct truth truth = {0};
 *     truth_of(decision, &truth);
 *     for (size_t r = 0; r < truth.rows.len; r++)
 *         puts(truth.rows.data[r].goal->text);      // "T F -"
 *     truth_free(&truth);
 */
#ifndef REPORT_TRUTH_H
#define REPORT_TRUTH_H

#include "coverage/unique_cause.h"
#include "report/data.h"

struct truth_row {
    const struct report_goal *goal;
    bool *credited; /* one per condition */
};

struct truth_condition {
    const char *text;
    const struct report_goal *outcome[2]; /* kind condition, by value; NULL: not asked for */
    const struct report_goal *mcdc[2];
    enum row_status unique; /* ROW_OPEN when there are no rows */
    bool unique_justified;  /* shown, if the justified rows are accepted as given */
    struct row_pair pair;   /* indices of rows, when unique is ROW_REACHABLE */
    size_t n_pairs;
};

struct truth {
    struct arena arena;
    VEC(struct truth_row) rows;
    VEC(struct truth_condition) conditions;
};

void truth_of(const struct report_decision *decision, struct truth *truth);
void truth_free(struct truth *truth);

/* Unique-cause MC/DC over all decisions of two or more conditions; a goal is a condition. total is
 * 0 when no rows were asked for. */
struct report_count truth_unique_count(const struct report_data *data);

/* Masking MC/DC of the same decisions in conditions: both outcomes of one have to be shown. The
 * goals, and their counts, are outcomes. */
struct report_count truth_masking_count(const struct report_data *data);

#endif
