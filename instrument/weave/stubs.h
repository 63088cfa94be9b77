/* stubs: functions that the sources call and do not define.
 *
 * A stub returns any value of its type and writes any value through pointers to what is not const;
 * all of these are inputs of role VAR_STUB. Functions of the C library that every consumer knows
 * (libm, memcpy and the like) get none. Functions that do not return end the run. */
#ifndef INSTRUMENT_WEAVE_STUBS_H
#define INSTRUMENT_WEAVE_STUBS_H

#include "instrument/inputs/interface_parts.h"

/* Appends the stubs to the harness, and their inputs to the module. */
void stubs_write(struct interface *in);
/* Also those for pointers to functions that the environment sets: gk_init chooses them. */
void stubs_write_pointer(struct interface *in, const struct made_pointer *made, const char *name);

#endif
