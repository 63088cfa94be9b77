/* unique_cause: unique-cause MC/DC, derived from the rows of truth tables (goals of kind vector).
 *
 * A condition is shown to decide its decision by a pair of rows that differ in it and in the
 * outcome, while every other condition has the same value in both or is not evaluated in one of
 * them. So the verdict follows from those of the rows: reachable when both rows of some pair are,
 * dead when every pair has a dead row, else open. */
#ifndef COVERAGE_UNIQUE_CAUSE_H
#define COVERAGE_UNIQUE_CAUSE_H

#include "coverage/goal.h"

struct row_pair {
    uint32_t t, f; /* goals: the row where the condition is true, and where it is false */
};

VEC_STRUCT(row_pairs, struct row_pair);

/* All pairs for condition `condition` of a decision, in the order of the goals. */
void unique_cause_pairs(const struct goals *goals, int32_t decision, int32_t condition,
                        struct row_pairs *pairs);

enum row_status { ROW_OPEN, ROW_REACHABLE, ROW_DEAD };

/* `status` has one entry per goal. `pair`, when not NULL, gets the reachable pair. */
enum row_status unique_cause_status(const struct row_pairs *pairs, const enum row_status *status,
                                    struct row_pair *pair);

#endif
