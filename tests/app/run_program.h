/* run_program: starts build/goalkeeper the way a user does, for the tests of the command line. */
#ifndef TESTS_APP_RUN_PROGRAM_H
#define TESTS_APP_RUN_PROGRAM_H

#include "base/child.h"

/* Runs `goalkeeper` with the words of `line` (split at blanks) and more environment (or NULL) in
 * the folder dir (or NULL). The caller frees the result. */
struct child_result run_program(const char *line, const char *const *environment, const char *dir);
bool says(const struct str *output, const char *text);

#endif
