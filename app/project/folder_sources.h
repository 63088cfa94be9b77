/* folder_sources: the C files that a command line means without naming each.
 *
 * A folder stands for the C files in it and below, in the order of their names; its headers say
 * where headers are. Hidden folders, those of builds (CMakeCache.txt) and files that Goalkeeper
 * wrote are left out. Without any argument --compile-commands names the files.
 *
 * A file that defines main() is a program for the host: a test bench, a simulator. It is no part of
 * the module, unless somebody names it. */
#ifndef APP_PROJECT_FOLDER_SOURCES_H
#define APP_PROJECT_FOLDER_SOURCES_H

#include "base/err.h"
#include "base/texts.h"
#include "base/arena.h"

/* Appends to both lists; texts live in the arena. False: there is no C file. */
bool folder_sources(struct arena *arena, const char *folder, struct texts *sources,
                    struct texts *include_dirs, struct err *err);

/* Moves the files from the `from`-th on that define main() to `left_out`; but not if all do. */
void folder_leave_out_hosts(struct texts *files, size_t from, struct texts *left_out);

#endif
