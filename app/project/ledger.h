/* ledger: justifications.json, reviewable text beside the database, one entry per goal key.
 *
 *     [ { "key": "0123456789abcdef", "category": "defensive", "reason": "cannot be selected",
 *         "author": "A. Smith", "reviewer": "B. Jones", "date": "2030-01-31",
 *         "expires": "2031-01-31", "function_hash": "…" } ]
 *
 * The file is the truth; reports and gates read it where it stands beside the database. The
 * database holds a copy for queries, and for when the file is not there. An entry that has expired,
 * whose function has changed, whose goal is gone, reachable (coverage) or proved not to happen
 * (robustness), or whose reviewer is its author, has a problem and counts for nothing.
 */
#ifndef APP_PROJECT_LEDGER_H
#define APP_PROJECT_LEDGER_H

#include "db/store.h"
#include "report/data.h"

struct ledger_entry {
    const char *key, *category, *reason, *author, *reviewer, *date, *expires, *function_hash;
};

struct ledger {
    struct arena arena;
    const char *path;
    bool exists;                        /* there is a file */
    VEC(struct ledger_entry) entries;   /* by key */
    VEC(struct justification_row) rows; /* what ledger_judge() made of them */
    size_t alarms;                      /* entries whose goal is reachable after all */
};

/* The ledger that belongs to a database; a missing file is an empty ledger. */
bool ledger_open(struct ledger *ledger, const char *database, struct err *err);
void ledger_close(struct ledger *ledger);
void ledger_put(struct ledger *ledger, const struct ledger_entry *entry); /* replaces; copies */
/* The entry of a goal; NULL: none. Valid until the next ledger_put(). */
const struct ledger_entry *ledger_find(const struct ledger *ledger, const char *key);
bool ledger_write(const struct ledger *ledger, struct err *err);
/* Fills rows and alarms: each entry with its problem, if it has one. */
void ledger_judge(struct ledger *ledger, struct store *db);
/* Judges, and copies the outcome into the database. */
bool ledger_sync(struct ledger *ledger, struct store *db, struct err *err);

/* Reads the ledger beside the database, and lets reports see it instead of the copy; without a file
 * they see the copy. The ledger must outlive the view. */
bool ledger_view(struct ledger *ledger, struct store *db, struct report_view *view,
                 struct err *err);

/* What a justification is bound to: the function of the goal as it was analysed, its text without
 * comments and layout, and its goals (they show what macros stand for). In the arena. */
const char *ledger_function_hash(struct arena *arena, struct store *db, const char *key);

#endif
