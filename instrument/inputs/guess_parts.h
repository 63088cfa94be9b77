/* guess_parts: the two halves of guess_project(). */
#ifndef INSTRUMENT_INPUTS_GUESS_PARTS_H
#define INSTRUMENT_INPUTS_GUESS_PARTS_H

#include "instrument/inputs/guess.h"
#include "instrument/inputs/interface_parts.h"

/* guess_entries.c: fills guess->step and guess->init. */
bool guess_entries(struct guess *guess, const struct interface *in, struct err *err);

/* guess_vars.c: fills guess->vars from the roles of the cells. */
void guess_vars(struct guess *guess, const struct interface *in);

#endif
