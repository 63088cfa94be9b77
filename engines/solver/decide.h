/* decide: which variable to fix next, and where. */
#ifndef ENGINES_SOLVER_DECIDE_H
#define ENGINES_SOLVER_DECIDE_H

#include "engines/solver/core.h"

void decide_new_var(struct solver *s, svar v); /* the variable exists from now on */
void decide_again(struct solver *s, svar v);   /* it may be open again */
void decide_bump(struct solver *s, svar v);
void decide_decay(struct solver *s);
void decide_source(struct solver *s, svar v); /* v has become a source */

bool decide_atoms_done(struct solver *s); /* every Boolean that matters has a value */

/* A new question: variables that did not matter may matter now. */
void decide_all_again(struct solver *s);

/* The next decision. False: every variable that matters is a point. */
bool decide_next(struct solver *s, struct lit *out);

#endif
