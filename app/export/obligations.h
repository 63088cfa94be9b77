/* obligations: proofs of dead goals as SMT-LIB text, made from the program in the database.
 *
 * Each proof is a handful of questions (engines/z3/check.h), each of which has to be unsatisfiable;
 * `make check` beside them asks a solver of the user's choice.
 */
#ifndef APP_EXPORT_OBLIGATIONS_H
#define APP_EXPORT_OBLIGATIONS_H

#include "base/err.h"
#include "base/log.h"

/* Into the folder, which exists. What cannot be said exactly is named in the log. */
bool obligations_export(const char *database, const char *folder, struct log *log, struct err *err);

#endif
