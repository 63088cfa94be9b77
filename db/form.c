/* Today's schema is made in memory, and what the file has is compared with it by the text that
 * SQLite keeps. A table that an older version has made and a newer one has brought up to date has
 * another text: its columns are compared, and nothing of it may be computed or compare in a way of
 * its own. Then SQLite itself reads every page and looks each row up in each index. */
#include "db/form.h"

#include "db/internal.h"

#include <stdlib.h>
#include <string.h>

struct former {
    sqlite3 *file, *today;
    bool older; /* readers see today's views instead of those of the file */
    struct str *found;
};

static void say(struct former *f, const char *type, const char *name, const char *what) {
    if (f->found->len == 0)
        str_addf(f->found, "%s '%s' %s", type, name, what);
}

/* The answer of a query with one parameter, "" without a row. */
static void ask(sqlite3 *handle, const char *sql, const char *name, struct str *answer) {
    sqlite3_stmt *s = NULL;
    str_clear(answer);
    if (sqlite3_prepare_v2(handle, sql, -1, &s, NULL) != SQLITE_OK)
        return;
    if (name)
        bind_text(s, 1, name);
    if (sqlite3_step(s) == SQLITE_ROW && sqlite3_column_type(s, 0) != SQLITE_NULL)
        str_add(answer, (const char *)sqlite3_column_text(s, 0));
    sqlite3_finalize(s);
}

/* Are the columns of the file the first of today's, all of them unless it is older? */
static bool has_columns(const struct former *f, const char *table, const char *text) {
    static const char columns[] =
        "SELECT group_concat(name || ' ' || type || ' ' || pk || ' ' || hidden) || ',' "
        "FROM pragma_table_xinfo(?1, 'main')";
    struct str old = {0}, now = {0}, odd = {0};
    ask(f->file, columns, table, &old);
    ask(f->today, columns, table, &now);
    ask(f->today, "SELECT upper(?1) GLOB '*COLLATE*' OR upper(?1) GLOB '*GENERATED*'", text, &odd);
    bool same = old.len > 0 && str_same(str_text(&odd), "0") &&
                (f->older ? str_starts(str_text(&now), str_text(&old))
                          : str_same(str_text(&now), str_text(&old)));
    str_free(&old);
    str_free(&now);
    str_free(&odd);
    return same;
}

/* What SQLite makes itself, for keys and for its planner. */
static bool is_of_sqlite(const char *type, const char *name, const char *text) {
    return (str_same(type, "index") && str_starts(name, "sqlite_autoindex_") && !*text) ||
           (str_same(type, "table") && str_starts(name, "sqlite_stat"));
}

static void judge(struct former *f, const char *type, const char *name, const char *text) {
    struct str made = {0}, made_type = {0};
    bool table = str_same(type, "table");
    assert(f->today && f->found);
    ask(f->today, "SELECT sql FROM sqlite_schema WHERE name = ?1", name, &made);
    ask(f->today, "SELECT type FROM sqlite_schema WHERE name = ?1", name, &made_type);
    if (str_same(type, "trigger"))
        say(f, type, name, "is none of ours");
    else if (is_of_sqlite(type, name, text) || (f->older && !table))
        ;
    else if (!str_same(type, str_text(&made_type)))
        say(f, type, name, "is none of ours");
    else if (!str_same(text, str_text(&made)) && !(table && has_columns(f, name, text)))
        say(f, type, name, "is not made as ours is");
    str_free(&made);
    str_free(&made_type);
}

/* In the one schema, by the other: each has what `sql` lists. */
static bool each(struct former *f, struct store *store, struct err *err) {
    sqlite3_stmt *s = store_prepare(
        store, "SELECT type, name, coalesce(sql, '') FROM main.sqlite_schema ORDER BY name", err);
    int code = SQLITE_ERROR;
    while (s && (code = sqlite3_step(s)) == SQLITE_ROW) {
        const char *type = (const char *)sqlite3_column_text(s, 0);
        const char *name = (const char *)sqlite3_column_text(s, 1);
        judge(f, type ? type : "", name ? name : "", (const char *)sqlite3_column_text(s, 2));
    }
    bool ok = code == SQLITE_DONE || (s && store_fail(store, "read its form", err));
    store_release(store, s);
    return ok;
}

static void look_for_missing(struct former *f) {
    sqlite3_stmt *s = NULL;
    sqlite3_prepare_v2(f->today, "SELECT type, name FROM sqlite_schema WHERE sql NOT NULL", -1, &s,
                       NULL);
    while (!f->older && sqlite3_step(s) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(s, 1);
        struct str there = {0};
        ask(f->file, "SELECT 'yes' FROM main.sqlite_schema WHERE name = ?1", name, &there);
        if (there.len == 0)
            say(f, (const char *)sqlite3_column_text(s, 0), name, "is missing");
        str_free(&there);
    }
    sqlite3_finalize(s);
}

static void look_inside(struct former *f) {
    struct str said = {0};
    ask(f->file, "PRAGMA main.encoding", NULL, &said);
    if (!str_same(str_text(&said), "UTF-8"))
        say(f, "encoding", str_text(&said), "is not that of ours");
    ask(f->file, "PRAGMA main.integrity_check(1)", NULL, &said);
    const char *text = str_text(&said), *end = strchr(text, '\n');
    if (str_starts(text, "***") && end) /* a first line names the database */
        text = end + 1;
    if (!str_same(text, "ok"))
        say(f, "content", text, "does not fit together");
    str_free(&said);
}

bool form_check(struct store *store, struct str *found, struct err *err) {
    struct str version = {0};
    struct former f = {.file = store->handle, .today = db_today(), .found = found};
    assert(found->len == 0);
    ask(store->handle, "PRAGMA user_version", NULL, &version);
    f.older = strtol(str_text(&version), NULL, 10) < DB_VERSION;
    bool ok = each(&f, store, err);
    if (ok)
        look_for_missing(&f);
    if (ok && found->len == 0)
        look_inside(&f);
    sqlite3_close(f.today);
    str_free(&version);
    return ok;
}
