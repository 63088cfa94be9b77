/* Verdicts: the one join.
 *
 *     open < bound k < reachable, dead
 *
 * reachable and dead exclude each other. Whoever brings the second of the two gets an alarm, and
 * both pieces of evidence stay in the database.
 */
#include "db/checkers.h"
#include "db/internal.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const char *const status_names[3] = {"open", "reachable", "dead"};

int status_find(const char *name) {
    for (int s = STATUS_OPEN; s <= STATUS_DEAD; s++)
        if (strcmp(name, status_names[s]) == 0)
            return s;
    return -1;
}

static enum status status_of(const char *name) {
    int s = name ? status_find(name) : -1;
    return s < 0 ? STATUS_OPEN : (enum status)s;
}

static void bind_optional(sqlite3_stmt *s, int index, int64_t value, bool present) {
    if (present)
        sqlite3_bind_int64(s, index, value);
    else
        sqlite3_bind_null(s, index);
}

/* Current status and evidence of a goal. */
struct standing {
    enum status status;
    int64_t bound, witness, proof;
    char engine[32]; /* of an open goal: who claims the bound */
};

static bool get_standing(struct store *store, uint32_t goal, struct standing *now,
                         struct err *err) {
    sqlite3_stmt *s = store_prepare(
        store,
        "SELECT status, coalesce(bound, -1), witness, proof, coalesce(engine, 'an engine') "
        "FROM goal WHERE id = ?1",
        err);
    if (!s)
        return false;
    sqlite3_bind_int64(s, 1, (int64_t)goal + 1);
    bool found = sqlite3_step(s) == SQLITE_ROW;
    if (found) {
        *now = (struct standing){status_of((const char *)sqlite3_column_text(s, 0)),
                                 sqlite3_column_int64(s, 1), sqlite3_column_int64(s, 2),
                                 sqlite3_column_int64(s, 3)};
        snprintf(now->engine, sizeof now->engine, "%s", (const char *)sqlite3_column_text(s, 4));
    } else
        err_set(err, ERR_USAGE, "%s: goal %u is not in the database", store->path, goal + 1);
    store_release(store, s);
    return found;
}

static bool put_final(struct store *store, const struct verdict *v, struct err *err) {
    sqlite3_stmt *s = store_prepare(
        store,
        "UPDATE goal SET status = ?2, engine = ?3, depth = ?4, ticks = ?5, seconds = ?6, "
        "witness = ?7, proof = ?8, implied_by = ?9, checked_by = ?10, assumes = ?11, "
        "reason = ?12, slice_hash = ?13, bound = NULL WHERE id = ?1",
        err);
    if (!s)
        return false;
    assert(v->status != STATUS_OPEN && v->engine);
    assert((v->status == STATUS_REACHABLE) == (v->witness > 0)); /* evidence of the right kind */
    sqlite3_bind_int64(s, 1, (int64_t)v->goal + 1);
    bind_text(s, 2, status_names[v->status]);
    bind_text(s, 3, v->engine);
    bind_optional(s, 4, v->depth, v->depth >= 0);
    sqlite3_bind_int64(s, 5, (int64_t)v->ticks);
    sqlite3_bind_double(s, 6, v->seconds);
    bind_optional(s, 7, v->witness, v->witness > 0);
    bind_optional(s, 8, v->proof, v->proof > 0);
    bind_optional(s, 9, v->implied_by + 1, v->implied_by >= 0);
    bind_text(s, 10, v->checked_by);
    bind_text(s, 11, v->assumes);
    bind_text(s, 12, v->reason);
    bind_text(s, 13, v->slice_hash);
    bool ok = store_run(store, s, "store a verdict", err);
    store_release(store, s);
    return ok;
}

static bool put_open(struct store *store, const struct verdict *v, struct err *err) {
    assert(v->status == STATUS_OPEN && v->witness == 0 && v->proof == 0);
    sqlite3_stmt *s = store_prepare(
        store,
        "UPDATE goal SET engine = CASE WHEN ?2 > coalesce(bound, -1) THEN ?6 ELSE engine END, "
        "bound = max(coalesce(bound, -1), ?2), reason = coalesce(?3, reason), "
        "ticks = ticks + ?4, seconds = seconds + ?5 WHERE id = ?1",
        err);
    if (!s)
        return false;
    sqlite3_bind_int64(s, 1, (int64_t)v->goal + 1);
    bind_optional(s, 2, v->bound, v->bound >= 0);
    bind_text(s, 3, v->reason);
    sqlite3_bind_int64(s, 4, (int64_t)v->ticks);
    sqlite3_bind_double(s, 5, v->seconds);
    bind_text(s, 6, v->engine);
    bool ok = store_run(store, s, "store a verdict", err);
    store_release(store, s);
    return ok;
}

static bool put_alarm(struct store *store, uint32_t goal, const char *text, int64_t witness,
                      int64_t proof, struct err *err) {
    sqlite3_stmt *s = store_prepare(
        store, "INSERT INTO alarm (goal, at, text, witness, proof) VALUES (?1, ?2, ?3, ?4, ?5)",
        err);
    if (!s)
        return false;
    char now[32];
    time_t t = time(NULL);
    struct tm utc;
    strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&t, &utc));
    sqlite3_bind_int64(s, 1, (int64_t)goal + 1);
    bind_text(s, 2, now);
    bind_text(s, 3, text);
    bind_optional(s, 4, witness, witness > 0);
    bind_optional(s, 5, proof, proof > 0);
    bool ok = store_run(store, s, "store an alarm", err);
    store_release(store, s);
    return ok;
}

static bool contradiction(struct store *store, const struct verdict *v, const struct standing *now,
                          bool own, struct err *err) {
    assert(v->status != now->status && v->status != STATUS_OPEN && now->status != STATUS_OPEN);
    bool ok = put_alarm(store, v->goal, "reachable and dead at once",
                        now->witness ? now->witness : v->witness,
                        now->proof ? now->proof : v->proof, err);
    if (!store_leave(store, own, ok, err))
        return false;
    err_set(err, ERR_EVIDENCE, "%s: goal %u is claimed to be both reachable and dead", store->path,
            v->goal + 1);
    return err_remedy(err, "one of the two is wrong; both pieces of evidence are kept in the table "
                           "'alarm': please report this");
}

/* A replayed run is the truth, so the verdict stays; who claimed the bound was wrong. */
static bool bound_was_wrong(struct store *store, const struct verdict *v,
                            const struct standing *now, bool own, struct err *err) {
    struct str text = {0};
    str_addf(&text, "reached in %lld steps, but %s claims that it is not within %lld",
             (long long)v->depth, now->engine, (long long)now->bound);
    bool ok =
        put_final(store, v, err) && put_alarm(store, v->goal, str_text(&text), v->witness, 0, err);
    if (store_leave(store, own, ok, err)) {
        err_set(err, ERR_EVIDENCE, "%s: goal %u is %s", store->path, v->goal + 1, str_text(&text));
        err_remedy(err, "the run that reaches it and this claim are kept in the table 'alarm': "
                        "please report this");
    }
    str_free(&text);
    return false;
}

bool store_verdict(struct store *store, const struct verdict *v, struct err *err) {
    assert(v->status != STATUS_REACHABLE || (v->witness > 0 && v->checked_by));
    assert(v->status != STATUS_DEAD || (v->proof > 0 && v->checked_by));
    struct standing now;
    bool own, ok = store_enter(store, &own, err);
    if (!ok || !get_standing(store, v->goal, &now, err))
        return store_leave(store, own, false, err);
    bool early = v->status == STATUS_REACHABLE && v->depth >= 0 && v->depth <= now.bound;
    if (now.status == STATUS_OPEN && early)
        return bound_was_wrong(store, v, &now, own, err);
    if (now.status == STATUS_OPEN)
        ok = v->status == STATUS_OPEN ? put_open(store, v, err) : put_final(store, v, err);
    else if (v->status != STATUS_OPEN && v->status != now.status)
        return contradiction(store, v, &now, own, err);
    return store_leave(store, own, ok, err);
}

bool store_alarm(struct store *store, uint32_t goal, const char *text, int64_t witness,
                 int64_t proof, struct err *err) {
    assert(text && *text);
    bool own;
    bool ok = store_enter(store, &own, err) && put_alarm(store, goal, text, witness, proof, err);
    sqlite3_stmt *s =
        ok ? store_prepare(store,
                           "UPDATE goal SET status = 'open', engine = NULL, depth = NULL, "
                           "witness = NULL, proof = NULL, implied_by = NULL, checked_by = NULL, "
                           "reason = ?2 WHERE id = ?1",
                           err)
           : NULL;
    if (s) {
        sqlite3_bind_int64(s, 1, (int64_t)goal + 1);
        bind_text(s, 2, text);
    }
    ok = store_run(store, s, "store an alarm", err);
    store_release(store, s);
    return store_leave(store, own, ok, err);
}

static const char *column_copy(sqlite3_stmt *s, int column, struct arena *arena) {
    const char *text = (const char *)sqlite3_column_text(s, column);
    return text ? arena_strdup(arena, text) : NULL;
}

const char *store_checked_by(struct store *store, uint32_t goal, struct arena *arena) {
    struct err ignored = {0};
    const char *set = NULL;
    sqlite3_stmt *s = store_prepare(store, "SELECT checked_by FROM goal WHERE id = ?1", &ignored);
    if (s && sqlite3_bind_int64(s, 1, (int64_t)goal + 1) == SQLITE_OK &&
        sqlite3_step(s) == SQLITE_ROW)
        set = column_copy(s, 0, arena);
    store_release(store, s);
    err_clear(&ignored);
    return set;
}

bool store_rechecked(struct store *store, uint32_t goal, int64_t proof, const char *checked_by,
                     struct err *err) {
    assert(proof >= 0 && checked_by);
    struct arena arena = {0};
    const char *all = checkers_add(&arena, store_checked_by(store, goal, &arena), checked_by);
    sqlite3_stmt *s =
        store_prepare(store,
                      "UPDATE goal SET proof = coalesce(nullif(?2, 0), proof), checked_by = ?3 "
                      "WHERE id = ?1 AND status = 'dead'",
                      err);
    if (s) {
        sqlite3_bind_int64(s, 1, (int64_t)goal + 1);
        sqlite3_bind_int64(s, 2, proof);
        bind_text(s, 3, all);
    }
    bool ok = store_run(store, s, "store a check", err);
    store_release(store, s);
    arena_free(&arena);
    return ok;
}

static struct stored_verdict read_verdict(sqlite3_stmt *s, struct arena *arena) {
    struct stored_verdict row = {.verdict = VERDICT_INIT};
    struct verdict *v = &row.verdict;
    v->goal = (uint32_t)(sqlite3_column_int64(s, 0) - 1);
    row.key = strtoull((const char *)sqlite3_column_text(s, 1), NULL, 16);
    v->status = status_of((const char *)sqlite3_column_text(s, 2));
    v->bound = sqlite3_column_int64(s, 3);
    v->engine = column_copy(s, 4, arena);
    v->depth = sqlite3_column_int64(s, 5);
    v->ticks = (uint64_t)sqlite3_column_int64(s, 6);
    v->seconds = sqlite3_column_double(s, 7);
    v->witness = sqlite3_column_int64(s, 8);
    v->proof = sqlite3_column_int64(s, 9);
    v->implied_by = sqlite3_column_int64(s, 10) - 1;
    v->checked_by = column_copy(s, 11, arena);
    v->assumes = column_copy(s, 12, arena);
    v->reason = column_copy(s, 13, arena);
    v->slice_hash = column_copy(s, 14, arena);
    assert(v->status == STATUS_OPEN || v->checked_by); /* no verdict without a second look */
    return row;
}

bool store_verdicts(struct store *store, struct stored_verdicts *out, struct arena *arena,
                    struct err *err) {
    sqlite3_stmt *s = store_prepare(
        store,
        "SELECT id, key, status, coalesce(bound, -1), engine, coalesce(depth, -1), ticks, seconds, "
        "witness, proof, implied_by, checked_by, assumes, reason, slice_hash FROM goal ORDER BY id",
        err);
    if (!s)
        return false;
    int code;
    while ((code = sqlite3_step(s)) == SQLITE_ROW)
        vec_push(out, read_verdict(s, arena));
    bool ok = code == SQLITE_DONE || store_fail(store, "read verdicts", err);
    store_release(store, s);
    return ok;
}

bool store_prune(struct store *store, struct err *err) {
    return store_exec(
        store,
        "BEGIN IMMEDIATE;"
        "CREATE TEMP TABLE used_witness AS SELECT witness AS id FROM goal WHERE witness NOT NULL "
        "UNION SELECT witness FROM alarm WHERE witness NOT NULL "
        "UNION SELECT witness FROM earlier WHERE witness NOT NULL;"
        "CREATE TEMP TABLE used_proof AS SELECT proof AS id FROM goal WHERE proof NOT NULL "
        "UNION SELECT proof FROM alarm WHERE proof NOT NULL "
        "UNION SELECT proof FROM reason_proof "
        "UNION SELECT proof FROM earlier WHERE proof NOT NULL;"
        "DELETE FROM witness_event WHERE witness NOT IN (SELECT id FROM used_witness);"
        "DELETE FROM witness_cell WHERE witness NOT IN (SELECT id FROM used_witness);"
        "DELETE FROM witness WHERE id NOT IN (SELECT id FROM used_witness);"
        "DELETE FROM proof_clause WHERE proof NOT IN (SELECT id FROM used_proof);"
        "DELETE FROM certificate_piece WHERE proof NOT IN (SELECT id FROM used_proof);"
        "DELETE FROM piece WHERE id NOT IN (SELECT piece FROM certificate_piece);"
        "DELETE FROM proof WHERE id NOT IN (SELECT id FROM used_proof);"
        "DROP TABLE used_witness; DROP TABLE used_proof; COMMIT;",
        "prune evidence", err);
}

bool store_effort(struct store *store, const char *stats, int64_t *effort, struct err *err) {
    assert(stats[0] == '{');
    sqlite3_stmt *s = store_prepare(store, "INSERT INTO effort (stats) VALUES (?1)", err);
    if (!s)
        return false;
    bind_text(s, 1, stats);
    bool ok = store_run(store, s, "store an effort", err);
    *effort = sqlite3_last_insert_rowid(store->handle);
    store_release(store, s);
    return ok;
}

bool store_attempt(struct store *store, const struct attempt *a, struct err *err) {
    assert(a->engine && a->started && a->outcome);
    sqlite3_stmt *s =
        store_prepare(store,
                      "INSERT INTO attempt_log (probe, engine, started, ticks, seconds, peak_mb, "
                      "outcome, detail, "
                      "effort) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, nullif(?9, 0))",
                      err);
    if (!s)
        return false;
    sqlite3_bind_int64(s, 1, a->probe);
    bind_text(s, 2, a->engine);
    bind_text(s, 3, a->started);
    sqlite3_bind_int64(s, 4, (int64_t)a->ticks);
    sqlite3_bind_double(s, 5, a->seconds);
    sqlite3_bind_double(s, 6, a->peak_mb);
    bind_text(s, 7, a->outcome);
    bind_text(s, 8, a->detail);
    sqlite3_bind_int64(s, 9, a->effort);
    bool ok = store_run(store, s, "store an attempt", err);
    store_release(store, s);
    return ok;
}

bool store_justifications(struct store *store, const struct justification_row *rows, size_t n,
                          struct err *err) {
    bool own;
    bool ok = store_enter(store, &own, err) &&
              store_exec(store, "DELETE FROM justification", "store justifications", err);
    sqlite3_stmt *s =
        ok ? store_prepare(store,
                           "INSERT OR REPLACE INTO justification (key, category, reason, author, "
                           "reviewer, date, expires, function_hash, problem) VALUES "
                           "(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
                           err)
           : NULL;
    ok = s != NULL;
    for (size_t i = 0; ok && i < n; i++) {
        assert(rows[i].key && rows[i].reason && rows[i].author && rows[i].date);
        const char *const columns[] = {rows[i].key,     rows[i].category,      rows[i].reason,
                                       rows[i].author,  rows[i].reviewer,      rows[i].date,
                                       rows[i].expires, rows[i].function_hash, rows[i].problem};
        for (int c = 0; c < 9; c++)
            bind_text(s, c + 1, columns[c]);
        ok = store_run(store, s, "store a justification", err);
    }
    store_release(store, s);
    return store_leave(store, own, ok, err);
}
