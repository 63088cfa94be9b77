/* tool: where the external programs are.
 *
 * Looked for in this order: the environment variable (the command line sets it from the option of
 * that name, so children see the same), PATH, then the folders that a build or an installation
 * brings along: prefix/bin beside the executable or (tests, benchmarks) beside its folder,
 * ../lib/goalkeeper/prefix/bin.
 *
 *     char *cbmc = tool_cbmc(&arena);    // NULL when there is none
 *
 * A variable that names something which does not exist means that there is none: what the user
 * asked for is never replaced by something else. An empty variable is none at all.
 */
#ifndef BASE_TOOL_H
#define BASE_TOOL_H

#include "base/arena.h"

char *tool_cbmc(struct arena *arena);     /* GOALKEEPER_CBMC */
char *tool_bitwuzla(struct arena *arena); /* GOALKEEPER_BITWUZLA */
char *tool_cc(struct arena *arena);       /* GOALKEEPER_CC: cc, gcc */
char *tool_clang(struct arena *arena); /* GOALKEEPER_CLANG: clang-19, Debian's and Ubuntu's place */

/* The first of n names (or paths) that is a program, unless the variable ("": none) says
 * otherwise. */
char *tool_find(struct arena *arena, const char *variable, const char *const *names, size_t n);
/* The folder with the unity.c that a build or an installation brings along; NULL: it has none. */
char *tool_unity(struct arena *arena);
/* A file that a build or an installation brings along, by its path there; NULL: it has none. */
char *tool_beside(struct arena *arena, const char *name);
char *tool_own_dir(struct arena *arena); /* folder of the running executable */

#endif
