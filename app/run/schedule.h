/* schedule: which engine works on which goal, when, and for how long.
 *
 * A run is a sequence of stages; a stage is a list of tasks of one kind and one budget: simulation,
 * invariants for all goals at once, then every engine on every group of goals with equal slices,
 * with budgets that grow from round to round. Checks of claims go before everything else. Goals
 * decided on the way drop out of tasks that have not started, and tasks left without an open goal
 * are stopped.
 *
 * Deterministic runs settle the tasks of a stage in order of creation and begin the next stage when
 * the last one is settled, so verdicts do not depend on the number of jobs or the load.
 */
#ifndef APP_RUN_SCHEDULE_H
#define APP_RUN_SCHEDULE_H

#include "app/run/session.h"

enum schedule_end {
    SCHEDULE_DECIDED,     /* no open goal is left */
    SCHEDULE_EXHAUSTED,   /* every budget of every open goal is used up */
    SCHEDULE_TIME,        /* the total time is over */
    SCHEDULE_INTERRUPTED, /* Ctrl-C or SIGTERM */
    SCHEDULE_FAILED,      /* err says why */
};

enum schedule_end schedule_run(struct session *s, struct err *err);

#endif
