/* choice: what depends on a choice that C leaves to whoever translates the program: on an
 * unspecified input of the system. There a tool that reads the C itself may take one possibility
 * for the only one, so that what it excludes is not excluded. */
#ifndef MODEL_SYSTEM_CHOICE_H
#define MODEL_SYSTEM_CHOICE_H

#include "model/system/system.h"

/* rests[i]: whether target i is hit may depend on one. */
void choice_find(const struct system *sys, bool *rests);
/* Does one of these targets? */
bool choice_in(const struct system *sys, const uint32_t *targets, size_t n);

#endif
