/* Databases of older versions: what the tables and views of today have more is added.
 *
 * No list of steps: today's schema is made in memory and compared. Missing tables, views and
 * indices are made; views that read otherwise are made anew; columns that today's table has more,
 * at its end, are added; a table that differs elsewhere cannot be mended here, so the file is
 * refused. Someone who only reads gets what is missing as temporary objects, a view with NULLs in
 * place of such a table, and the file stays as it is. The checksum over the content is that of the
 * new form if it was right before.
 *
 * What new tables hold comes with the next run: run_info('migrated_from') tells it to store the
 * module again, and store_module() deletes the row. */
#include "db/internal.h"

#include "db/seal.h"

#include "base/bug.h"
#include "base/mem.h"

#include <string.h>

struct migration {
    struct store *store;
    sqlite3 *today; /* an empty database of this version */
    bool writes;
    int64_t from;
};

sqlite3 *db_today(void) {
    sqlite3 *today = NULL;
    if (sqlite3_open(":memory:", &today) != SQLITE_OK ||
        sqlite3_exec(today, db_schema_sql, NULL, NULL, NULL) != SQLITE_OK)
        bug("the schema is not accepted: %s", sqlite3_errmsg(today));
    return today;
}

static sqlite3_stmt *compile(sqlite3 *handle, const char *sql) {
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(handle, sql, -1, &s, NULL) != SQLITE_OK)
        return NULL;
    return s;
}

/* The text of a query with one parameter, "" without a row. */
static void ask(sqlite3 *handle, const char *sql, const char *name, struct str *answer) {
    sqlite3_stmt *s = compile(handle, sql);
    str_clear(answer);
    if (!s)
        return;
    assert(sqlite3_column_count(s) == 1 && sqlite3_bind_parameter_count(s) == 1);
    bind_text(s, 1, name);
    if (sqlite3_step(s) == SQLITE_ROW && sqlite3_column_type(s, 0) != SQLITE_NULL)
        str_add(answer, (const char *)sqlite3_column_text(s, 0));
    sqlite3_finalize(s);
}

static bool same_answer(const struct migration *m, const char *sql, const char *name) {
    struct str old = {0}, now = {0};
    ask(m->store->handle, sql, name, &old);
    ask(m->today, sql, name, &now);
    assert(now.len > 0); /* asked only for what today's schema has */
    bool same = strcmp(str_text(&old), str_text(&now)) == 0;
    str_free(&old);
    str_free(&now);
    return same;
}

/* "CREATE VIEW …" as SQLite keeps it, for a reader "CREATE TEMP VIEW …". */
static bool make(const struct migration *m, const char *sql, struct err *err) {
    static const char create[] = "CREATE ";
    struct str text = {0};
    assert(str_starts(sql, create));
    str_addf(&text, "CREATE %s%s", m->writes ? "" : "TEMP ", sql + sizeof create - 1);
    bool ok = store_exec(m->store, str_text(&text), "bring it up to date", err);
    str_free(&text);
    return ok;
}

static bool make_again(const struct migration *m, const char *view, const char *sql,
                       struct err *err) {
    struct str text = {0};
    str_addf(&text, "DROP VIEW %s", view); /* a name of today's schema */
    bool ok = !m->writes || store_exec(m->store, str_text(&text), "bring it up to date", err);
    str_free(&text);
    return ok && make(m, sql, err);
}

static bool refuse_table(const struct migration *m, const char *name, struct err *err) {
    err_set(err, ERR_USAGE, "%s: database version %lld has another table '%s' than this program",
            m->store->path, (long long)m->from, name);
    return err_remedy(err, "delete it and run again");
}

/* The columns that today's table has more: NULL in all rows there are. */
static bool add_columns(const struct migration *m, const char *table, struct err *err) {
    struct str sql = {0}, old = {0};
    static const char names[] =
        "SELECT ',' || group_concat(name) || ',' FROM pragma_table_info(?1)";
    ask(m->store->handle, names, table, &old);
    sqlite3_stmt *s = compile(m->today, "SELECT name, type FROM pragma_table_info(?1)");
    bind_text(s, 1, table);
    if (!m->writes)
        str_addf(&sql, "CREATE TEMP VIEW %s AS SELECT *", table);
    while (sqlite3_step(s) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(s, 0);
        struct str pattern = {0};
        str_addf(&pattern, ",%s,", name);
        bool known = strstr(str_text(&old), str_text(&pattern)) != NULL;
        str_free(&pattern);
        if (!known && m->writes)
            str_addf(&sql, "ALTER TABLE %s ADD COLUMN %s %s;", table, name,
                     (const char *)sqlite3_column_text(s, 1));
        else if (!known)
            str_addf(&sql, ", NULL AS %s", name);
    }
    sqlite3_finalize(s);
    if (!m->writes)
        str_addf(&sql, " FROM main.%s", table);
    bool ok = store_exec(m->store, str_text(&sql), "bring it up to date", err);
    str_free(&sql);
    str_free(&old);
    return ok;
}

/* Do the table's columns begin today's? */
static bool lacks_columns(const struct migration *m, const char *columns, const char *table) {
    struct str old = {0}, now = {0};
    ask(m->store->handle, columns, table, &old);
    ask(m->today, columns, table, &now);
    bool lacks = old.len > 0 && now.len > old.len && now.data[old.len] == ',' &&
                 str_starts(str_text(&now), str_text(&old));
    str_free(&old);
    str_free(&now);
    return lacks;
}

static bool bring_up_to_date(const struct migration *m, const char *type, const char *name,
                             const char *sql, struct err *err) {
    static const char columns[] =
        "SELECT group_concat(name || ' ' || type || ' ' || pk) FROM pragma_table_info(?1)";
    struct str present = {0};
    ask(m->store->handle, "SELECT type FROM main.sqlite_schema WHERE name = ?1", name, &present);
    bool missing = present.len == 0;
    bool other = !missing && strcmp(str_text(&present), type) != 0;
    str_free(&present);
    if (other)
        return refuse_table(m, name, err);
    if (missing)
        return (!m->writes && strcmp(type, "index") == 0) || make(m, sql, err);
    if (strcmp(type, "table") == 0)
        return same_answer(m, columns, name) ||
               (lacks_columns(m, columns, name) ? add_columns : refuse_table)(m, name, err);
    return strcmp(type, "view") != 0 ||
           same_answer(m, "SELECT sql FROM main.sqlite_schema WHERE name = ?1", name) ||
           make_again(m, name, sql, err);
}

static bool bring_all_up_to_date(const struct migration *m, struct err *err) {
    bool ok = true;
    sqlite3_stmt *s = compile(
        m->today, "SELECT type, name, sql FROM sqlite_schema WHERE sql NOT NULL ORDER BY rowid");
    while (ok && s && sqlite3_step(s) == SQLITE_ROW)
        ok = bring_up_to_date(m, (const char *)sqlite3_column_text(s, 0),
                              (const char *)sqlite3_column_text(s, 1),
                              (const char *)sqlite3_column_text(s, 2), err);
    sqlite3_finalize(s);
    return ok;
}

/* One checker a verdict, it said before version 5. SQLite changes no condition of a table but in
 * its schema, as its documentation of ALTER TABLE describes; rows are not touched by that. */
static bool let_checkers_be_sets(const struct migration *m, struct err *err) {
    return store_exec(m->store,
                      "PRAGMA writable_schema = 1; "
                      "UPDATE sqlite_schema SET sql = replace(sql, "
                      "' CHECK (checked_by IN (''replay'', ''cbmc'', ''solver''))', '') "
                      "WHERE type = 'table' AND name = 'goal'; "
                      "PRAGMA writable_schema = RESET",
                      "bring it up to date", err);
}

static bool note_version(const struct migration *m, struct err *err) {
    struct str text = {0};
    str_addf(&text,
             "PRAGMA user_version = %d; "
             "INSERT OR REPLACE INTO run_info VALUES ('migrated_from', %lld)",
             DB_VERSION, (long long)m->from);
    bool ok = store_exec(m->store, str_text(&text), "bring it up to date", err);
    str_free(&text);
    return ok;
}

/* The new form is the content that was sealed, and audited. */
static bool seal_again(struct store *store, const char *old, struct err *err) {
    char *audited = store_get_info(store, AUDITED_SUM_KEY);
    bool same = audited && strcmp(audited, old) == 0, ok = seal_set(store, err);
    char *now = ok ? seal_stored(store) : NULL;
    ok = ok && (!same || store_info(store, AUDITED_SUM_KEY, now, err));
    mem_free(audited);
    mem_free(now);
    return ok;
}

/* The stored checksum where nobody has touched the content since: then nobody has by this, either.
 */
static char *right_seal(struct store *store) {
    char sum[SHA256_HEX];
    char *stored = seal_stored(store);
    struct err ignored = {0};
    bool sealed = stored && seal_compute(store, sum, &ignored) && strcmp(stored, sum) == 0;
    err_clear(&ignored);
    if (sealed)
        return stored;
    mem_free(stored);
    return NULL;
}

bool store_migrate(struct store *store, int64_t from, bool writes, struct err *err) {
    struct migration m = {.store = store, .today = db_today(), .writes = writes, .from = from};
    bool own = false;
    assert(from >= 1 && from < DB_VERSION);
    assert(writes == (store->lock >= 0)); /* only the one writer changes the file */
    char *sealed = writes ? right_seal(store) : NULL;
    bool ok = writes ? store_enter(store, &own, err)
                     : store_exec(store, "PRAGMA temp_store = MEMORY", "read it", err);
    ok = ok && (!writes || let_checkers_be_sets(&m, err)) && bring_all_up_to_date(&m, err);
    if (writes)
        ok = store_leave(store, own,
                         ok && note_version(&m, err) && (!sealed || seal_again(store, sealed, err)),
                         err);
    sqlite3_close(m.today);
    mem_free(sealed);
    return ok;
}
