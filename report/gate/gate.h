/* gate: passes or fails a CI job, and says exactly why.
 *
 *     struct gate gate = {.max_open = GATE_ANY, .max_dead = GATE_ANY, .unjustified_dead = 0,
 *                         .max_defects = GATE_ANY};
 *     vec_push(&gate.minimums, (struct gate_minimum){GOAL_mcdc, 100.0, false});
 *     struct gate_outcome outcome = {0};
 *     gate_check(&gate, &data, &outcome);
 *     gate_print("text", &data, &outcome, &text);
 *     gate_outcome_free(&outcome);
 *
 * Percentages count met and justified goals as covered; "of reachable" leaves out what is proved
 * dead. Where the project asks for unique-cause MC/DC, `mcdc` means that. A database without goals
 * passes no gate, and neither does a minimum for a criterion that was not asked for. With a
 * baseline only what has become worse fails. A goal that is justified and yet reached is an alarm,
 * whatever else is asked.
 */
#ifndef REPORT_GATE_H
#define REPORT_GATE_H

#include "base/texts.h"
#include "report/baseline.h"

#define GATE_ANY UINT64_MAX

struct gate_minimum {
    enum goal_kind kind;
    double percent;
    bool of_reachable; /* of the goals that are not dead */
    bool covered;      /* by the user's own tests (goalkeeper overlay), all kinds together */
};

struct gate {
    VEC(struct gate_minimum) minimums;
    uint64_t max_open, max_dead, unjustified_dead, max_defects; /* GATE_ANY: not asked */
    uint64_t max_dead_causes;
    const struct baseline *baseline; /* NULL: none */
    const struct texts *checkers; /* each dead verdict needs them all (db/checkers.h); NULL: none */
};

/* One thing that was asked, and how it came out. */
struct gate_result {
    const char *name;   /* "max-open", "min mcdc" */
    const char *about;  /* "open goals: 3, at most 0" */
    const char *remedy; /* "" when it passed */
    bool passed, alarm;
    VEC(const struct report_goal *) goals; /* that make it fail */
};

struct gate_outcome {
    struct arena arena;
    VEC(struct gate_result) results;
    bool passed, alarm; /* of all */
};

/* "mcdc=100", "branch=95.5", "covered=90"; `option` names the option in messages. */
bool gate_parse_minimum(const char *option, const char *text, struct gate_minimum *minimum,
                        struct err *err);
/* "cbmc", "z3", "bitwuzla", "solver"; "2": as many of them, whoever they are */
bool gate_knows_checker(const char *name);
/* The goals of the outcome point into the data. */
void gate_check(const struct gate *gate, struct report_data *data, struct gate_outcome *outcome);
void gate_outcome_free(struct gate_outcome *outcome);

/* ---- report/gate/gate_print.c: formats are rows of gate_formats.def ---- */

#define GATE_FORMAT(name, about)                                                                   \
    void gate_print_##name(struct report_data *data, const struct gate_outcome *outcome,           \
                           struct str *out);
#include "report/gate/gate_formats.def"
#undef GATE_FORMAT

/* false when there is no such format */
bool gate_print(const char *format, struct report_data *data, const struct gate_outcome *outcome,
                struct str *out);

#endif
