/* tool: where the external programs are (CBMC, the C compiler, clang).
 *
 * Looked for in this order: the environment variable GOALKEEPER_<NAME> (the program sets it from
 * the option of that name, so children see the same), PATH, then the folders that an installation
 * or a build brings along: <folder of the executable>/prefix/bin and ../libexec/goalkeeper.
 *
 *     char *cbmc = tool_find(&arena, "cbmc");    // NULL when there is none
 */
#ifndef BASE_TOOL_H
#define BASE_TOOL_H

#include "base/arena.h"

char *tool_find(struct arena *arena, const char *name); /* absolute, or as the variable gives it */
/* The first of several names that exists; the variable is named after the first. */
char *tool_find_any(struct arena *arena, const char *const *names, size_t n);
char *tool_variable(struct arena *arena, const char *name); /* "GOALKEEPER_CBMC" */
char *tool_own_dir(struct arena *arena);                    /* folder of the running executable */

#endif
