/* obligations: proofs of dead goals as SMT-LIB or BTOR2 text, made from the program in the
 * database.
 *
 * In SMT-LIB each proof is a handful of questions (engines/z3/check.h), each of which has to be
 * unsatisfiable; in BTOR2 it is a transition system (engines/horn/btor2_write.h), which has to be
 * safe. `make check` beside them asks a solver of the user's choice.
 */
#ifndef APP_EXPORT_OBLIGATIONS_H
#define APP_EXPORT_OBLIGATIONS_H

#include "base/err.h"
#include "base/log.h"

enum obligations_as { OBLIGATIONS_SMT2, OBLIGATIONS_BTOR2 };

/* Into the folder, which exists. What cannot be said exactly is named in the log. */
bool obligations_export(const char *database, enum obligations_as as, const char *folder,
                        struct log *log, struct err *err);

#endif
