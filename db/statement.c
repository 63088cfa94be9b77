/* Running prepared statements, each compiled once. */
#include "db/internal.h"

#include "base/bug.h"

#include <string.h>

static sqlite3_stmt *compile(struct store *store, const char *sql, struct err *err) {
    sqlite3_stmt *stmt = NULL;
    int code = sqlite3_prepare_v3(store->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &stmt, NULL);
    if (code == SQLITE_ERROR)
        bug("bad SQL '%s': %s", sql, sqlite3_errmsg(store->handle));
    if (code != SQLITE_OK)
        store_fail(store, "use it", err);
    assert((stmt != NULL) == (code == SQLITE_OK));
    return stmt;
}

sqlite3_stmt *store_prepare(struct store *store, const char *sql, struct err *err) {
    for (size_t i = 0; i < store->statements.len; i++) {
        struct statement *s = &store->statements.data[i];
        if (s->taken || strcmp(sqlite3_sql(s->stmt), sql) != 0)
            continue;
        assert(!sqlite3_stmt_busy(s->stmt));
        s->taken = true;
        return s->stmt;
    }
    sqlite3_stmt *stmt = compile(store, sql, err);
    if (stmt)
        vec_push(&store->statements, (struct statement){stmt, true});
    return stmt;
}

/* One that is not reset would keep its snapshot of the database, and what it is bound to may be
 * gone when it is used again. */
void store_release(struct store *store, sqlite3_stmt *stmt) {
    if (!stmt)
        return;
    struct statement *s = store->statements.data;
    while (s->stmt != stmt) {
        s++;
        assert(s < store->statements.data + store->statements.len);
    }
    assert(s->taken);
    sqlite3_reset(stmt);
    sqlite3_clear_bindings(stmt);
    s->taken = false;
}

void store_finalize_statements(struct store *store) {
    for (size_t i = 0; i < store->statements.len; i++) {
        assert(!store->statements.data[i].taken);
        sqlite3_finalize(store->statements.data[i].stmt);
    }
    vec_free(&store->statements);
}

void bind_text(sqlite3_stmt *stmt, int index, const char *text) {
    assert(index >= 1 && index <= sqlite3_bind_parameter_count(stmt));
    if (text)
        sqlite3_bind_text(stmt, index, text, -1, SQLITE_TRANSIENT);
    else
        sqlite3_bind_null(stmt, index);
}

bool store_run(struct store *store, sqlite3_stmt *stmt, const char *doing, struct err *err) {
    if (!stmt)
        return false;
    assert(!sqlite3_stmt_readonly(stmt)); /* what reads is stepped by whoever wants the rows */
    bool ok = sqlite3_step(stmt) == SQLITE_DONE || store_fail(store, doing, err);
    sqlite3_reset(stmt);
    return ok;
}
