/* schedule: which engine works on which goal, when, and for how long.
 *
 * Two take turns: simulation, a slice at a time (simulator.h), and the engines, whose attempts come
 * in stages with budgets that grow from round to round (plans.h). Who has found more lately in a
 * second goes on; when both find nothing the engines get most of the time (policy.h). Checks of
 * claims go before everything else; CBMC's look at what is confirmed has a share of the time.
 * Goals decided on the way drop out of attempts that have not begun, and tasks left without an open
 * goal are stopped.
 *
 * Deterministic runs simulate at the beginning of a round until it has been quiet for so many
 * steps, settle the tasks of a stage in order of creation and begin the next stage when the last
 * one is settled, so verdicts do not depend on the number of jobs or the load.
 *
 * The way of a dead verdict: an engine's child writes a fact (attempt/attempt.c); evidence_proof()
 * makes it a claim in session.proofs.waiting, or in session.proofs.held while a place where the
 * model ends is not excluded; attempt_check() takes claims from there and asks a fresh solver
 * (check.c); what it confirms goes through session_dead() into the database, and on to
 * session.proofs.unconfirmed. When the search is over the reasons are found (app/because), whose
 * certificates are the first that CBMC confirms; attempt_confirm() takes batches from there to CBMC
 * (confirm.c), which changes who stands behind the verdict, or raises an alarm. So does Bitwuzla,
 * where it is, with session.proofs.unasked (attempt/bitwuzla.c). What no check has confirmed is no
 * verdict.
 */
#ifndef APP_RUN_SCHEDULE_H
#define APP_RUN_SCHEDULE_H

#include "app/run/session.h"
#include "app/run/verdict.h"

enum schedule_end {
    SCHEDULE_DECIDED,     /* no open goal is left */
    SCHEDULE_EXHAUSTED,   /* every budget of every open goal is used up */
    SCHEDULE_TIME,        /* the total time is over */
    SCHEDULE_INTERRUPTED, /* Ctrl-C or SIGTERM */
    SCHEDULE_FAILED,      /* err says why */
};

enum schedule_end schedule_run(struct session *s, struct err *err);

#endif
