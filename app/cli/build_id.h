/* build_id: which program this is, beyond its version: the commit and what the linker has built.
 *
 *     char *build = build_id(&arena);    // "commit 1a2b3c4, build 9f86d081884c7d65"
 *
 * The linker's number is a hash of the whole program: two builds with the same one do the same. A
 * program without either (built elsewhere, or linked into a test) says "".
 */
#ifndef APP_CLI_BUILD_ID_H
#define APP_CLI_BUILD_ID_H

#include "base/arena.h"

char *build_id(struct arena *arena);

#endif
