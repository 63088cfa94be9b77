/* constant: goals that the model has already decided.
 *
 * Lowering folds constants, so code behind a condition that is false for every input and state has
 * a target whose hit is the term `false`. No engine is needed to say so, and none waits for it:
 * these claims are checked before the first one starts. */
#ifndef APP_RUN_CONSTANT_H
#define APP_RUN_CONSTANT_H

#include "app/run/session.h"

void constant_claim(struct session *s);

#endif
