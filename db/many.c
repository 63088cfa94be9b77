#include "db/many.h"
#include "db/internal.h"

#include "base/mem.h"

#include <string.h>

static const char *const views[] = {
    "goal_status",  "coverage_summary", "cause",   "block_summary", "unique_cause", "warning",
    "witness_step", "invariant_clause", "attempt", "overlay",       "run_info",
};

bool store_open_many(struct store **out, struct err *err) {
    struct store *store = mem_zalloc(1, sizeof *store);
    store->path = mem_strdup("all modules");
    store->lock = -1;
    /* a temporary file, which SQLite makes, fills when memory is not enough, and removes */
    bool ok = sqlite3_open_v2("", &store->handle,
                              SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI,
                              NULL) == SQLITE_OK ||
              store_fail(store, "open it", err);
    *out = ok ? store : NULL;
    if (!ok)
        store_close(store);
    return ok;
}

static bool run_with(struct store *store, const char *sql, const char *text, struct err *err) {
    sqlite3_stmt *s = NULL;
    bool ok = sqlite3_prepare_v2(store->handle, sql, -1, &s, NULL) == SQLITE_OK;
    if (ok && text)
        sqlite3_bind_text(s, 1, text, -1, SQLITE_STATIC);
    ok = ok && sqlite3_step(s) == SQLITE_DONE;
    if (!ok)
        store_fail(store, "read a module", err);
    sqlite3_finalize(s);
    return ok;
}

static bool exists(struct store *store, const char *view) {
    sqlite3_stmt *s =
        store_prepare(store, "SELECT 1 FROM main.sqlite_schema WHERE name = ?1", &(struct err){0});
    bind_text(s, 1, view);
    bool found = sqlite3_step(s) == SQLITE_ROW;
    store_release(store, s);
    return found;
}

static bool copy_view(struct store *store, const char *view, const char *module, struct err *err) {
    struct str sql = {0};
    /* a table cannot be made with a parameter: an empty one first */
    if (!exists(store, view)) {
        str_addf(&sql, "CREATE TABLE main.%s AS SELECT '' AS module, * FROM src.%s WHERE 0", view,
                 view);
        if (!run_with(store, str_text(&sql), NULL, err)) {
            str_free(&sql);
            return false;
        }
        str_clear(&sql);
    }
    str_addf(&sql, "INSERT INTO main.%s SELECT ?1, * FROM src.%s", view, view);
    bool ok = run_with(store, str_text(&sql), module, err);
    str_free(&sql);
    return ok;
}

/* Views of an older version are another matter: they may have other columns. */
static bool is_current(struct store *store, const char *path, struct err *err) {
    sqlite3_stmt *s = NULL;
    int64_t version = -1;
    if (sqlite3_prepare_v2(store->handle, "PRAGMA src.user_version", -1, &s, NULL) == SQLITE_OK &&
        sqlite3_step(s) == SQLITE_ROW)
        version = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    if (version == DB_VERSION)
        return true;
    err_set(err, ERR_USAGE, "%s: a database of version %lld", path, (long long)version);
    return err_remedy(err, "goalkeeper run brings it up to date; alone it can be asked as it is");
}

bool store_many_add(struct store *store, const char *module, const char *path, const char *query,
                    struct err *err) {
    struct str uri = {0};
    struct store *input;
    assert(*module && store->handle);
    if (!store_open(&input, path, STORE_READ, err)) /* says what is wrong with it */
        return false;
    store_uri(path, store_is_immutable(input), &uri);
    bool ok = run_with(store, "ATTACH ?1 AS src", str_text(&uri), err);
    str_free(&uri);
    ok = ok && is_current(store, path, err);
    for (size_t i = 0; ok && i < sizeof views / sizeof *views; i++)
        if (strstr(query, views[i]))
            ok = copy_view(store, views[i], module, err);
    store_finalize_statements(store);
    sqlite3_exec(store->handle, "DETACH src", NULL, NULL, NULL);
    store_close(input);
    return ok;
}
