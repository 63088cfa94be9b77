/* verify: `goalkeeper run --verify FILE.c`, a verification task as a module with one goal.
 *
 * The task is a program with main(). Its values come from __VERIFIER_nondet_*(), it leaves out runs
 * with __VERIFIER_assume() and the like, and its goal is that reach_error() is called or an
 * assertion fails (instrument/syntax/task_calls.h). From here on it goes the way of every module:
 * session, database, audit, reports; only its program is not woven, but taken as it is.
 *
 *     if (verify_weave(&project, &woven, err)) …     // instead of weave()
 *     verify_print(db, err);                         // what the database says of the goal
 */
#ifndef APP_VERIFY_VERIFY_H
#define APP_VERIFY_VERIFY_H

#include "db/store.h"
#include "instrument/weave/weave.h"

/* The preprocessed file, one goal, one input. A task without any call that could be its error gets
 * a goal that cannot be decided, and says so. */
bool verify_weave(const struct project *project, struct woven *woven, struct err *err);

/* The verdict in lines of "word: value", on stdout. */
bool verify_print(struct store *db, struct err *err);

#endif
