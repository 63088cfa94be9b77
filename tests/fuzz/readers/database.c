#include "database.h"

#include "base/file.h"
#include "base/mem.h"
#include "db/seal.h"
#include "report/report.h"
#include "valve.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The valve is made with the means of tests, which want these. */
void setUp(void);
void tearDown(void);
void setUp(void) {
}
void tearDown(void) {
}

/* ---- the changes ---- */

static const struct str *original(void) {
    static struct str bytes;
    struct err err = {0};
    if (bytes.len > 0)
        return &bytes;
    valve_make(test_file("valve.db"), &(struct valve){0});
    if (!file_read(test_file("valve.db"), &bytes, &err))
        abort();
    test_folder_remove();
    return &bytes;
}

static sqlite3_stmt *columns_of(sqlite3 *db) {
    sqlite3_stmt *s = NULL;
    sqlite3_prepare_v2(db,
                       "SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c "
                       "WHERE m.type = 'table' ORDER BY 1, 2",
                       -1, &s, NULL);
    return s;
}

static unsigned count_columns(sqlite3 *db) {
    unsigned n = 0;
    sqlite3_stmt *s = columns_of(db);
    while (sqlite3_step(s) == SQLITE_ROW)
        n++;
    sqlite3_finalize(s);
    return n;
}

static void bind(sqlite3_stmt *s, const char *value) {
    char *end;
    long long number = strtoll(value, &end, 10);
    if (strcmp(value, "null") == 0)
        sqlite3_bind_null(s, 1);
    else if (end != value && *end == '\0')
        sqlite3_bind_int64(s, 1, number);
    else
        sqlite3_bind_text(s, 1, value, -1, SQLITE_TRANSIENT);
}

/* What constraints forbid is not done. */
static void change_column(sqlite3 *db, unsigned long column, unsigned long row, const char *value) {
    sqlite3_stmt *columns = columns_of(db), *update = NULL;
    for (unsigned long i = 0; i <= column; i++)
        sqlite3_step(columns);
    char *sql = sqlite3_mprintf(
        "UPDATE OR IGNORE \"%w\" SET \"%w\" = ?1 WHERE rowid = (SELECT rowid FROM \"%w\" LIMIT 1 "
        "OFFSET %lu %% max(1, (SELECT count(*) FROM \"%w\")))",
        sqlite3_column_text(columns, 0), sqlite3_column_text(columns, 1),
        sqlite3_column_text(columns, 0), row, sqlite3_column_text(columns, 0));
    if (sqlite3_prepare_v2(db, sql, -1, &update, NULL) == SQLITE_OK) {
        bind(update, value);
        sqlite3_step(update);
    }
    sqlite3_finalize(update);
    sqlite3_free(sql);
    sqlite3_finalize(columns);
}

static void change_columns(const char *path, char *changes) {
    sqlite3 *db = NULL;
    if (sqlite3_open(path, &db) != SQLITE_OK)
        abort();
    sqlite3_exec(db, "PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; BEGIN", NULL, NULL,
                 NULL);
    unsigned n = count_columns(db);
    for (char *line; n > 0 && (line = strsep(&changes, "\n"));) {
        char *end;
        unsigned long column = strtoul(line, &end, 10), row = strtoul(end, &end, 10);
        if (end != line && line[0] != '@')
            change_column(db, column % n, row, *end == ' ' ? end + 1 : end);
    }
    sqlite3_exec(db, "COMMIT; PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    sqlite3_close(db);
}

static void change_bytes(const char *path, char *changes) {
    struct str bytes = {0};
    struct err err = {0};
    if (!strchr(changes, '@'))
        return;
    if (!file_read(path, &bytes, &err) || bytes.len == 0)
        abort();
    for (char *line; (line = strsep(&changes, "\n"));) {
        char *end = line;
        unsigned long at = line[0] == '@' ? strtoul(line + 1, &end, 10) : 0;
        if (end > line)
            bytes.data[at % bytes.len] = (char)strtoul(end, NULL, 10);
    }
    if (!file_write(path, bytes.data, bytes.len, &err))
        abort();
    str_free(&bytes);
}

/* ---- who reads it ---- */

static bool read_all(struct store *db, const char *dir, struct err *err) {
    struct report_data data = {0};
    struct report_options options = {.dir = dir, .view = {.today = VALVE_TODAY}};
    struct str out = {0};
    char sum[SHA256_HEX];
    bool good = seal_compute(db, sum, err) && report_load(&data, db, &options.view, err);
#define FORMAT(name, file, mark, about)                                                            \
    if (good)                                                                                      \
        report_##name(&data, &options, &out);
#include "report/formats.def"
#undef FORMAT
    good = good && report_html(&data, &options, err);
    report_unload(&data);
    str_free(&out);
    return good;
}

bool database_accepts(const char *path, const struct str *changes, struct err *err) {
    struct arena arena = {0};
    struct store *db = NULL;
    const char *dir = arena_printf(&arena, "%s.reports", path);
    if (!file_write(path, original()->data, original()->len, err))
        abort();
    change_columns(path, arena_strdup(&arena, str_text(changes)));
    change_bytes(path, arena_strdup(&arena, str_text(changes)));
    bool good = store_open(&db, path, STORE_READ, err);
    good = good && read_all(db, dir, err);
    if (db)
        store_close(db);
    file_remove_tree(dir);
    unlink(arena_printf(&arena, "%s-wal", path));
    unlink(arena_printf(&arena, "%s-shm", path));
    arena_free(&arena);
    return good;
}
