/* ledger: justifications.json, reviewable text beside the database, one entry a goal key.
 *
 *     [ { "key": "0123456789abcdef", "reason": "defensive default", "author": "A. Smith",
 *         "reviewer": "B. Jones", "date": "2030-01-31", "expires": "2031-01-31",
 *         "function_hash": "…" } ]
 *
 * The file is the truth; the database holds a copy for queries and reports, in which an entry that
 * has expired, whose function has changed, or whose goal is reachable has a problem and counts for
 * nothing.
 */
#ifndef APP_LEDGER_H
#define APP_LEDGER_H

#include "db/store.h"

struct ledger_entry {
    const char *key, *reason, *author, *reviewer, *date, *expires, *function_hash;
};

struct ledger {
    struct arena arena;
    const char *path;
    VEC(struct ledger_entry) entries; /* by key */
};

/* The ledger that belongs to a database; a missing file is an empty ledger. */
bool ledger_open(struct ledger *ledger, const char *database, struct err *err);
void ledger_close(struct ledger *ledger);
void ledger_put(struct ledger *ledger, const struct ledger_entry *entry); /* replaces; copies */
bool ledger_write(const struct ledger *ledger, struct err *err);
/* Copies the entries into the database, each with its problem, if it has one. */
bool ledger_sync(struct ledger *ledger, struct store *db, struct err *err);

/* What a justification is bound to: the text of the goal's function as it was analysed. */
const char *ledger_function_hash(struct ledger *ledger, struct store *db, const char *key);
bool ledger_is_date(const char *text); /* YYYY-MM-DD */

#endif
