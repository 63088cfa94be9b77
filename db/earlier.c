/* Verdicts on the program as it was before it changed. They stay until their goals have verdicts
 * again, so that a run that is stopped loses nothing; they count for nothing meanwhile. */
#include "db/internal.h"

#include <stdlib.h>

bool store_keep_earlier(struct store *store, struct err *err) {
    return store_exec(
        store,
        "INSERT OR REPLACE INTO earlier SELECT key, status, engine, depth, ticks, seconds, witness,"
        " proof, checked_by, assumes, slice_hash,"
        " (SELECT coalesce(max(program), 0) + 1 FROM earlier_input) "
        "FROM goal WHERE status <> 'open';"
        "INSERT INTO earlier_input SELECT (SELECT coalesce(max(program), 0) + 1 FROM "
        "earlier_input),"
        " number, path FROM variable WHERE is_input "
        "AND EXISTS (SELECT 1 FROM goal WHERE status <> 'open');",
        "keep verdicts", err);
}

bool store_name_earlier(struct store *store, struct err *err) {
    return store_exec(store,
                      "UPDATE goal SET reason = (SELECT e.status || ' before the sources changed; "
                      "not shown again yet' FROM earlier e WHERE e.key = goal.key) "
                      "WHERE status = 'open' AND key IN (SELECT key FROM earlier);",
                      "name verdicts of the program as it was", err);
}

static const char *text_copy(sqlite3_stmt *s, int column, struct arena *arena) {
    const char *text = (const char *)sqlite3_column_text(s, column);
    return text ? arena_strdup(arena, text) : NULL;
}

static struct earlier_verdict read_earlier(sqlite3_stmt *s, struct arena *arena) {
    struct earlier_verdict row = {.verdict = VERDICT_INIT};
    struct verdict *v = &row.verdict;
    row.key = strtoull((const char *)sqlite3_column_text(s, 0), NULL, 16);
    v->status = sqlite3_column_int(s, 1) ? STATUS_DEAD : STATUS_REACHABLE;
    v->engine = text_copy(s, 2, arena);
    v->depth = sqlite3_column_int64(s, 3);
    v->ticks = (uint64_t)sqlite3_column_int64(s, 4);
    v->seconds = sqlite3_column_double(s, 5);
    v->witness = sqlite3_column_int64(s, 6);
    v->proof = sqlite3_column_int64(s, 7);
    v->checked_by = text_copy(s, 8, arena);
    v->assumes = text_copy(s, 9, arena);
    v->slice_hash = text_copy(s, 10, arena);
    row.program = sqlite3_column_int64(s, 11);
    assert(v->checked_by && (v->witness || v->proof));
    return row;
}

bool store_earlier(struct store *store, struct earlier_verdicts *out, struct arena *arena,
                   struct err *err) {
    sqlite3_stmt *s = store_prepare(
        store,
        "SELECT key, status = 'dead', engine, depth, ticks, seconds, witness, proof, checked_by, "
        "assumes, slice_hash, program FROM earlier WHERE key NOT IN "
        "(SELECT key FROM goal WHERE status <> 'open') ORDER BY key",
        err);
    int code = SQLITE_ERROR;
    while (s && (code = sqlite3_step(s)) == SQLITE_ROW)
        vec_push(out, read_earlier(s, arena));
    bool ok = code == SQLITE_DONE || (s && store_fail(store, "read verdicts", err));
    store_release(store, s);
    return ok;
}

bool store_earlier_inputs(struct store *store, int64_t program, struct texts *paths,
                          struct arena *arena, struct err *err) {
    sqlite3_stmt *s = store_prepare(
        store, "SELECT number, path FROM earlier_input WHERE program = ?1 ORDER BY number", err);
    int code = SQLITE_ERROR;
    if (s)
        sqlite3_bind_int64(s, 1, program);
    while (s && (code = sqlite3_step(s)) == SQLITE_ROW)
        if (sqlite3_column_int64(s, 0) == (int64_t)paths->len)
            vec_push(paths, text_copy(s, 1, arena));
    bool ok = code == SQLITE_DONE || (s && store_fail(store, "read inputs", err));
    store_release(store, s);
    return ok;
}

bool store_forget_earlier(struct store *store, struct err *err) {
    return store_exec(
        store,
        "DELETE FROM earlier WHERE key NOT IN (SELECT key FROM goal WHERE status = 'open');"
        "DELETE FROM earlier_input WHERE program NOT IN (SELECT program FROM earlier);",
        "forget verdicts", err);
}
