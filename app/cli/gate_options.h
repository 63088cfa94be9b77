/* gate_options: the options that say what a gate asks, of `gate` and of `report`, which tells in
 * JUnit what makes that gate fail. */
#ifndef APP_CLI_GATE_OPTIONS_H
#define APP_CLI_GATE_OPTIONS_H

#include "app/cli/command.h"
#include "report/gate/gate.h"

/* Fills an empty gate, but for its baseline; the caller frees `minimums`. `asks`: one of them was
 * given. */
bool gate_options(const struct options *o, struct gate *gate, bool *asks, struct err *err);

#endif
