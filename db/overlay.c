/* What the user's own tests cover. */
#include "db/internal.h"

static bool put_measured(struct store *store, const struct measured_goal *goal, struct err *err) {
    sqlite3_stmt *s =
        store_prepare(store, "INSERT OR REPLACE INTO measured (goal, hit) VALUES (?1, ?2)", err);
    if (!s)
        return false;
    sqlite3_bind_int64(s, 1, (int64_t)goal->goal + 1);
    sqlite3_bind_int(s, 2, goal->hit);
    bool ok = store_run(store, s, "store what was measured", err);
    store_release(store, s);
    return ok;
}

bool store_measured(struct store *store, const struct measured_goal *goals, size_t n,
                    struct err *err) {
    bool own;
    if (!store_enter(store, &own, err))
        return false;
    bool ok = store_exec(store, "DELETE FROM measured", "replace what was measured", err);
    for (size_t i = 0; ok && i < n; i++)
        ok = put_measured(store, &goals[i], err);
    return store_leave(store, own, ok, err) && ok;
}
