/* mcdc: what an assessor asks of dead goals of MC/DC, as files.
 *
 *     mcdc.md               masking and unique cause side by side; of each decision with a dead
 * goal the truth table, its dead rows, and the proof of each lcov_unreachable.txt  the same for
 * lcov: a comment a line of source justifications.json   entries for the ledger that lack an author
 */
#ifndef APP_EXPORT_MCDC_H
#define APP_EXPORT_MCDC_H

#include "db/store.h"

/* Into the folder, which exists. */
bool mcdc_export(struct store *db, const char *folder, struct err *err);

#endif
