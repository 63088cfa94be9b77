/* known_names: functions that compilers give a meaning by their name alone.
 *
 * A program may define such a function itself: `static int abs(int)`, a `memset` of its own, a stub
 * for `floor`. Its body is what counts then, but gcc, clang and CBMC would put theirs in its place.
 * And what a program calls `read` or `time` would, in a native build, take the place of what the
 * runtime needs.
 *
 *     if (function->has_body && name_is_known(function->name))
 *         …  // give it another name, or forbid the compiler to know it: -fno-builtin-<name>
 */
#ifndef INSTRUMENT_WEAVE_KNOWN_NAMES_H
#define INSTRUMENT_WEAVE_KNOWN_NAMES_H

#include <stdbool.h>

bool name_is_known(const char *name);
bool name_in_c_library(const char *name); /* a symbol of this machine's libc or libm */

#endif
