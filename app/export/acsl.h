/* acsl: certificates of dead goals as C with ACSL annotations, which the plug-in WP of Frama-C
 * proves.
 *
 * The user's source stands in it as it was woven, without probes of other goals; what CBMC is shown
 * as assumptions and assertions is a predicate, gk_invariant, and contracts.
 */
#ifndef APP_EXPORT_ACSL_H
#define APP_EXPORT_ACSL_H

#include "base/log.h"
#include "db/store.h"

/* False (ERR_EVIDENCE): the certificate uses what ACSL has no word for. */
bool acsl_write(const char *certificate, struct str *out, struct err *err);

/* The proof of each dead goal, cut down where that is known, into the folder, which exists. What
 * cannot be said in ACSL is named in the log. */
bool acsl_export(struct store *db, const char *folder, struct log *log, struct err *err);

#endif
