/* folder_run: the program on a generated module in a folder of its own, and what it cost. */
#ifndef BENCH_FOLDER_RUN_H
#define BENCH_FOLDER_RUN_H

#include "base/child.h"
#include "bench/generate_module.h"

/* Writes DIR/module.c and DIR/goalkeeper.json. */
bool folder_write(const char *dir, const struct str *source, const struct str *project,
                  struct err *err);
/* `goalkeeper` with these arguments (apart at spaces) in the folder, one job; CPU seconds, negative
 * when it failed. What it says on stderr is put into `said` (NULL: dropped). */
double folder_run(const char *dir, const char *arguments, struct str *said);
/* The first number of a query on DIR/a.db. */
int64_t folder_number(const char *dir, const char *sql);

#endif
