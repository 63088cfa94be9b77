/* depth: how deep the syntax of a unit is nested.
 *
 * What reads syntax goes down with it, here and in compilers: an expression of ten thousand
 * operands would use up somebody's stack. Units that are deeper than DEPTH_MOST are refused with
 * the place; nothing else has to look at depth. libclang itself goes down while it parses, so that
 * it gets a large stack, and a text for which even that might not do is refused before. */
#ifndef INSTRUMENT_SYNTAX_DEPTH_H
#define INSTRUMENT_SYNTAX_DEPTH_H

#include "instrument/syntax/unit.h"

enum { DEPTH_MOST = 2000 };

/* Before it is parsed / afterwards. */
bool depth_check_text(const struct unit *unit, struct err *err);
bool depth_check(const struct unit *unit, struct err *err);

/* Calls the function on a large stack; on the present one where there is no room for that. */
void depth_call(void (*function)(void *context), void *context);

#endif
