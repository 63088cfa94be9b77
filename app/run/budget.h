/* budget: the time that a run has, by the clock and of CPU time, and what it has used. */
#ifndef APP_RUN_BUDGET_H
#define APP_RUN_BUDGET_H

#include "app/run/session.h"

double session_elapsed(const struct session *s);
void session_phase(struct session *s, enum phase phase); /* begins */
double session_cpu(const struct session *s);             /* CPU time used, with that of children */
double session_left(const struct session *s);            /* of the total time, 0 when it is over */
bool session_short_of_cpu(const struct session *s);      /* which is it that ends first? */
double session_total(const struct session *s); /* by the clock, or of CPU time if that is less */
bool session_must_end(void *session);          /* the total time is over, or a signal has come */
bool session_must_cut(void *session);          /* so much so that nobody waits for what has begun */

#endif
