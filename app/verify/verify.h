/* verify: `goalkeeper run --verify FILE.c`, a verification task as a module with one goal.
 *
 * The task is a program with main(). Its values come from __VERIFIER_nondet_*(), it leaves out runs
 * with __VERIFIER_assume() and assume_abort_if_not(), and its goal is to reach reach_error(),
 * __VERIFIER_error() or a failing assert(). The verdict is `reachable` when values were found with
 * which the compiled program reaches it, `dead` when a proof was checked by a fresh solver, else
 * `open`. What cannot be analysed is listed with its place, and no proof gets past it.
 */
#ifndef APP_VERIFY_VERIFY_H
#define APP_VERIFY_VERIFY_H

#include "app/cli/command.h"

/* Prints the verdict; gives the exit code. */
int verify_run(const struct options *o);

#endif
