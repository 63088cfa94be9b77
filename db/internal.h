/* internal: what the files of db/ share and nobody else sees. */
#ifndef DB_INTERNAL_H
#define DB_INTERNAL_H

#include "db/store.h"

#include <sqlite3.h>

/* A statement is compiled once and kept: compiling costs more than most of them take to run. */
struct statement {
    sqlite3_stmt *stmt;
    bool taken; /* between store_prepare() and store_release() */
};

struct store {
    sqlite3 *handle;
    char *path;
    int lock; /* descriptor of the lock file, -1 for readers */
    bool in_transaction, immutable;
    VEC(struct statement) statements;
};

/* false, with what SQLite says put into words a user can act on */
bool store_fail(struct store *store, const char *doing, struct err *err);

/* Whether all pages and indices can be read and fit together. A check without an answer says what
 * SQLite said and calls nothing damaged. */
bool store_check_whole(struct store *store, struct err *err);

/* An empty database that nobody else knows yet, instead of what is there: a lock, no log. */
bool store_open_anew(struct store **store, const char *path, struct err *err);
/* The writer's lock of a file that may not be there; store_unlock() gives it back. */
bool store_lock(struct store *store, struct err *err);
void store_unlock(struct store *store);
/* "file:…" with what has a meaning there encoded. */
void store_uri(const char *path, bool immutable, struct str *uri);
/* A reader that cannot write beside the file, where nobody else can be writing. */
bool store_is_immutable(const struct store *store);

bool store_exec(struct store *store, const char *sql, const char *doing, struct err *err);

/* What store_module() replaces; then open goals say what they were. */
bool store_keep_earlier(struct store *store, struct err *err);
bool store_name_earlier(struct store *store, struct err *err);

/* A statement that is a bug when it does not compile: our own SQL on our own schema. NULL with err
 * set when the database is damaged. Whoever gets one gives it back; the same SQL may be asked for
 * again meanwhile. */
sqlite3_stmt *store_prepare(struct store *store, const char *sql, struct err *err);
/* What it was bound to and what it has read are forgotten; NULL is allowed. */
void store_release(struct store *store, sqlite3_stmt *stmt);
void store_finalize_statements(struct store *store);             /* none may be taken */
void bind_text(sqlite3_stmt *stmt, int index, const char *text); /* NULL binds NULL */
bool store_run(struct store *store, sqlite3_stmt *stmt, const char *doing, struct err *err);

/* Version 2: unique_cause and its pairs, and an index. Version 4: certificates in pieces. Version
 * 5: checked_by is a set, warnings. Version 6: blocks of the model. Version 9: texts behind the
 * preprocessor. Version 10: proofs of reasons. Version 11: what attempts have counted. */
enum { DB_VERSION = 11 };
/* Brings a database of an older version up to date, for good or (for readers) for this connection.
 */
bool store_migrate(struct store *store, int64_t from, bool writes, struct err *err);

/* The certificate of a proof that has none yet (db/piece.c). */
bool store_put_pieces(struct store *store, int64_t proof, const char *certificate, struct err *err);

extern const char db_schema_sql[];
/* An empty database of this version, in memory; the caller closes it. */
sqlite3 *db_today(void);

#endif
