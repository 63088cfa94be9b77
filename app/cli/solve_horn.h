/* solve_horn: `goalkeeper solve` on a transition system written as Horn clauses (engines/horn). */
#ifndef APP_CLI_SOLVE_HORN_H
#define APP_CLI_SOLVE_HORN_H

#include "app/cli/command.h"

bool solve_horn(const struct options *o, const char *file, const char *text, size_t len,
                struct err *err);

#endif
