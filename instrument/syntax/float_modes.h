/* float_modes: is it by its name a function that changes how floats are computed?
 *
 * What the C library of the host has really runs in the native build (instrument/native/). The
 * model follows it in verification tasks, and ends where a module leaves the mode to nearest even
 * (lower/library/rounding.c). Functions that only other targets have get a stub that ends the run
 * (weave/stubs.c): nobody knows what is computed behind it.
 */
#ifndef INSTRUMENT_SYNTAX_FLOAT_MODES_H
#define INSTRUMENT_SYNTAX_FLOAT_MODES_H

#include <stdbool.h>

bool float_mode_on_host(const char *name);   /* those that save it or ask included */
bool float_mode_elsewhere(const char *name); /* always changes it, in a way that nobody knows */

#endif
