/* internal: what the files of db/ share and nobody else sees. */
#ifndef DB_INTERNAL_H
#define DB_INTERNAL_H

#include "db/store.h"

#include <sqlite3.h>

struct store {
    sqlite3 *handle;
    char *path;
    int lock; /* descriptor of the lock file, -1 for readers */
    bool in_transaction;
};

/* false, with what SQLite says put into words a user can act on */
bool store_fail(struct store *store, const char *doing, struct err *err);

bool store_exec(struct store *store, const char *sql, const char *doing, struct err *err);

/* A statement that is a bug when it does not compile: our own SQL on our own schema. NULL with err
 * set when the database is damaged. */
sqlite3_stmt *store_prepare(struct store *store, const char *sql, struct err *err);
void bind_text(sqlite3_stmt *stmt, int index, const char *text); /* NULL binds NULL */
bool store_run(struct store *store, sqlite3_stmt *stmt, const char *doing, struct err *err);

extern const char db_schema_sql[];

#endif
