/* because: why a goal is dead, in one sentence.
 *
 * The proof of a dead goal is cut down to the least that still excludes it, ranges of inputs,
 * assumptions and values of fixed parameters included (app/because/freed.h): what is left is the
 * reason. Goals with the same reason have one cause; a goal that cannot be reached without reaching
 * another dead one is dead because of that one.
 */
#ifndef APP_BECAUSE_BECAUSE_H
#define APP_BECAUSE_BECAUSE_H

#include "app/run/session.h"

struct task;

/* All dead goals without a reason; NULL when there is none, or reasons cannot be had. Asked once.
 */
struct task *because_task(struct session *s);

#endif
