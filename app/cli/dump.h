/* dump: `run --dump-model FILE`, the model as text (model/system/system.h) instead of a run. */
#ifndef APP_CLI_DUMP_H
#define APP_CLI_DUMP_H

#include "model/system/system.h"

/* "-" is stdout. A file that Goalkeeper did not write is left alone. */
bool dump_model(const struct system *sys, const char *path, struct err *err);

#endif
