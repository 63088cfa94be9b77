/* Running prepared statements. */
#include "db/internal.h"

#include "base/bug.h"

sqlite3_stmt *store_prepare(struct store *store, const char *sql, struct err *err) {
    sqlite3_stmt *stmt = NULL;
    int code = sqlite3_prepare_v2(store->handle, sql, -1, &stmt, NULL);
    if (code == SQLITE_ERROR)
        bug("bad SQL '%s': %s", sql, sqlite3_errmsg(store->handle));
    if (code != SQLITE_OK)
        store_fail(store, "use it", err);
    return stmt;
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
