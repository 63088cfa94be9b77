/* known: which certificates of reasons CBMC has accepted in an earlier run.
 *
 * What it was asked then is told by all that its answer depends on: the part of the freed model
 * that the goals and clauses depend on, with the promises that are needed, text for text, as dead
 * verdicts are carried over an edit (app/run/carry.h); and the programs that asked and answered. An
 * edit elsewhere in the module asks nothing new. {0} is an empty one. */
#ifndef APP_BECAUSE_KNOWN_H
#define APP_BECAUSE_KNOWN_H

#include "app/because/freed.h"
#include "base/map.h"
#include "base/sha256.h"

struct known {
    struct intern keys;
};

bool known_load(struct known *k, struct store *db, struct err *err);
bool known_has(const struct known *k, const char *key);
bool known_add(struct known *k, const char *key); /* false: it was there */
/* In place of what the database has; `whole`: what is not among them is of no use any more. */
bool known_store(const struct known *k, struct store *db, bool whole, struct err *err);
void known_free(struct known *k);

/* Of the question whether, with these promises, this invariant over the freed system excludes its
 * targets. */
void known_key(struct freed *f, const bool *needed, const struct invariant *inv,
               const struct session *s, char key[SHA256_HEX]);

#endif
