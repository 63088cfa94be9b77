/* foreign: functions that the sources use and do not define.
 *
 * Those of the C library have a meaning that every consumer knows; all others get a stub, and what
 * rests on a stub is said. */
#ifndef INSTRUMENT_INPUTS_FOREIGN_H
#define INSTRUMENT_INPUTS_FOREIGN_H

#include "instrument/inputs/interface_scan.h"

bool foreign_is_library(const char *name); /* known to every consumer */
/* exit() and its like: a run ends there. */
bool foreign_ends_run(const char *name);
/* Called, or pointed to, and without a body. */
bool foreign_is_builtin(const char *name); /* the compiler's own: __builtin_… and atomic ones */
bool foreign_needs_stub(const struct routine *f);

#endif
