/* seal: one checksum over all that a run has stored, so that a change shows, whatever it is.
 *
 * The run stores it when it ends, and takes it away when it begins: a killed run leaves none. It
 * covers each column of each table but those that other commands write, the text of the views, and
 * it says nothing of who has written them: a checksum that was noted elsewhere (a printed report, a
 * signature) does. */
#ifndef DB_SEAL_H
#define DB_SEAL_H

#include "base/sha256.h"
#include "db/store.h"

/* What audit --record writes: how it ended, and the checksum of what it was about. */
#define AUDITED_KEY "audited"
#define AUDITED_SUM_KEY "audited_sum"

bool seal_compute(struct store *store, char sum[SHA256_HEX], struct err *err);
bool seal_set(struct store *store, struct err *err);
bool seal_remove(struct store *store, struct err *err);
char *seal_stored(struct store *store); /* caller frees; NULL: there is none */

#endif
