/* gate: passes or fails a CI job, and says exactly why.
 *
 *     struct gate gate = {.max_open = GATE_ANY, .max_dead = GATE_ANY, .unjustified_dead = 0};
 *     vec_push(&gate.minimums, (struct gate_minimum){GOAL_mcdc, 100.0});
 *     struct str verdict = {0};
 *     bool passed = gate_check(&gate, &data, &verdict);
 *
 * Percentages count reachable and justified goals as covered. With a baseline only what has become
 * worse fails: goals that are dead or open now, were not so then, and are not justified.
 */
#ifndef REPORT_GATE_H
#define REPORT_GATE_H

#include "report/data.h"

#define GATE_ANY UINT64_MAX

struct gate_minimum {
    enum goal_kind kind;
    double percent;
};

struct gate {
    VEC(struct gate_minimum) minimums;
    uint64_t max_open, max_dead, unjustified_dead; /* GATE_ANY: not asked */
    const struct report_data *baseline;            /* NULL: none */
};

/* "mcdc=100", "branch=95.5" */
bool gate_parse_minimum(const char *text, struct gate_minimum *minimum, struct err *err);
/* Appends a line a check, with what to do about those that fail. */
bool gate_check(const struct gate *gate, struct report_data *data, struct str *out);

#endif
