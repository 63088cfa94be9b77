/* Why goals are dead. */
#include "db/internal.h"

static bool put_cause(struct store *store, const struct because_row *row, struct err *err) {
    sqlite3_stmt *s =
        store_prepare(store, "INSERT OR IGNORE INTO dead_cause (class, key) VALUES (?1, ?2)", err);
    if (!s)
        return false;
    bind_text(s, 1, row->cause_class);
    bind_text(s, 2, row->cause);
    bool ok = store_run(store, s, "store a cause", err);
    store_release(store, s);
    return ok;
}

static bool put_row(struct store *store, const struct because_row *row, struct err *err) {
    sqlite3_stmt *s = store_prepare(
        store,
        "INSERT OR REPLACE INTO because (goal, class, text, cause) VALUES (?1, nullif(?2, ''), "
        "nullif(?3, ''), (SELECT id FROM dead_cause WHERE key = ?4))",
        err);
    if (!s)
        return false;
    sqlite3_bind_int64(s, 1, (int64_t)row->goal + 1);
    bind_text(s, 2, row->class);
    bind_text(s, 3, row->text);
    bind_text(s, 4, row->cause);
    bool ok = store_run(store, s, "store a reason", err);
    store_release(store, s);
    return ok;
}

static bool put_assumes(struct store *store, const struct because_row *row, struct err *err) {
    sqlite3_stmt *s =
        store_prepare(store, "UPDATE goal SET assumes = ?2 WHERE id = ?1 AND status = 'dead'", err);
    if (!s)
        return false;
    sqlite3_bind_int64(s, 1, (int64_t)row->goal + 1);
    bind_text(s, 2, row->assumes);
    bool ok = store_run(store, s, "store a reason", err);
    store_release(store, s);
    return ok;
}

bool store_because(struct store *store, const struct because_row *row, struct err *err) {
    bool own, known = row->class[0] != '\0';
    if (!store_enter(store, &own, err))
        return false;
    bool ok = (!known || put_cause(store, row, err)) && put_row(store, row, err) &&
              (!known || put_assumes(store, row, err));
    return store_leave(store, own, ok, err) && ok;
}

bool store_reason_proof(struct store *store, uint32_t goal, int64_t proof, const char *checked_by,
                        struct err *err) {
    sqlite3_stmt *s = store_prepare(
        store, "INSERT OR REPLACE INTO reason_proof (goal, proof, checked_by) VALUES (?1, ?2, ?3)",
        err);
    if (!s)
        return false;
    assert(proof > 0 && checked_by[0]);
    sqlite3_bind_int64(s, 1, (int64_t)goal + 1);
    sqlite3_bind_int64(s, 2, proof);
    bind_text(s, 3, checked_by);
    bool ok = store_run(store, s, "store a reason", err);
    store_release(store, s);
    return ok;
}

bool store_unexplained(struct store *store) {
    struct err ignored = {0};
    sqlite3_stmt *s = store_prepare(store,
                                    "SELECT 1 FROM goal WHERE status = 'dead' AND id NOT IN "
                                    "(SELECT goal FROM because) LIMIT 1",
                                    &ignored);
    bool any = s && sqlite3_step(s) == SQLITE_ROW;
    if (s)
        store_release(store, s);
    err_clear(&ignored);
    return any;
}
