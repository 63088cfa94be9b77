/* record: what a run was made with, for whoever reads the report: versions, command, times.
 *
 * Rows of run_info: cc_version, clang_version, cbmc_version (the first line of --version, or "not
 * found"), command, assumptions (constraints by the integrator), started, finished, seconds; wall:
 * and cpu: of each phase; simulate: steps, runs, corpus, cpu, steps_a_second. */
#ifndef APP_RUN_RECORD_H
#define APP_RUN_RECORD_H

#include "app/run/session.h"

/* The first line that a program says of itself, "not found" when it says nothing. */
const char *record_version(struct arena *arena, const char *program);
/* What a project and its listing say by themselves, however a run goes: name, target, criteria,
 * constraints, warnings. Audit makes it again and compares (app/audit/again.h). */
bool record_listing(struct store *db, const struct project *project, const struct woven *woven,
                    struct err *err);
bool record_start(struct session *s, struct err *err);
bool record_end(struct session *s, struct err *err);

#endif
