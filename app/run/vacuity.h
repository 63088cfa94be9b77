/* vacuity: a module that cannot make a single step has nothing but dead goals, and no user means
 * that.
 *
 *     if (!vacuity_check(session, err))       // the error says why, and what to do
 *         return false;
 */
#ifndef APP_RUN_VACUITY_H
#define APP_RUN_VACUITY_H

#include "app/run/session.h"

/* False when initialisation or the first step is proved never to end: because ranges and
 * assumptions contradict each other, or because the program stops there whatever the inputs are.
 * Not knowing is no error: such a module shows itself by its verdicts. */
bool vacuity_check(struct session *s, struct err *err);

#endif
