/* witness: the verdict of a verification task as a witness for other verifiers, format 2.0 (YAML).
 *
 * Reachable: a violation sequence. Each value that the run got from __VERIFIER_nondet_*() is a
 * waypoint at the call that asked for it, in their order, then the call of the error; the run is
 * replayed to see which calls these are. Dead: an invariant set, with what the proof says of global
 * integers at the loops where the model stands between two steps. What it says of other cells is
 * left out: a witness may say less, but nothing that does not hold.
 */
#ifndef APP_EXPORT_WITNESS_H
#define APP_EXPORT_WITNESS_H

#include "base/err.h"
#include "base/log.h"

/* FOLDER/witness.yml, in the folder, which exists. An open task has none, which the log says. */
bool witness_export(const char *database, const char *folder, struct log *log, struct err *err);

#endif
