/* carry: dead verdicts from before the sources changed, where the part of the model that they rest
 * on is the same, text for text.
 *
 * What is kept of their proof is what speaks of that part: of a proof for several goals the rest
 * may be about what has changed. It is stored as a proof of this program, with a certificate of it,
 * so that whoever checks it need not know of the other. */
#ifndef APP_RUN_CARRY_H
#define APP_RUN_CARRY_H

#include "app/run/session.h"

bool carry_dead(struct session *s, struct err *err);

#endif
