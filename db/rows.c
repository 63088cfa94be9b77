/* A statement that writes is refused by SQLite's own flag (sqlite3_stmt_readonly), not by its
 * text. */
#include "db/rows.h"

#include "db/internal.h"

#include "base/mem.h"

struct rows {
    struct store *store;
    sqlite3_stmt *stmt;
    bool failed;
};

struct rows *rows_open(struct store *store, const char *sql, struct err *err) {
    sqlite3_stmt *stmt;
    const char *tail;
    assert(store && store->handle);
    if (sqlite3_prepare_v2(store->handle, sql, -1, &stmt, &tail) != SQLITE_OK) {
        store_fail(store, "run the query", err);
        return NULL;
    }
    tail += strspn(tail, " \t\r\n;");
    if (!stmt || *tail || !sqlite3_stmt_readonly(stmt)) {
        err_set(err, ERR_USAGE, "%s",
                !stmt || *tail ? "the query must be one SQL statement"
                               : "the query would change the database");
        err_remedy(err, "use a SELECT on the views goal_status, coverage_summary, witness_step, "
                        "invariant_clause, attempt or run_info");
        sqlite3_finalize(stmt);
        return NULL;
    }
    struct rows *rows = mem_zalloc(1, sizeof *rows);
    *rows = (struct rows){store, stmt, false};
    return rows;
}

void rows_bind_text(struct rows *rows, int index, const char *text) {
    if (!rows)
        return;
    assert(index >= 1 && index <= sqlite3_bind_parameter_count(rows->stmt));
    sqlite3_bind_text(rows->stmt, index, text, -1, SQLITE_TRANSIENT);
}

void rows_bind_int(struct rows *rows, int index, int64_t value) {
    if (!rows)
        return;
    assert(index >= 1 && index <= sqlite3_bind_parameter_count(rows->stmt));
    sqlite3_bind_int64(rows->stmt, index, value);
}

bool rows_next(struct rows *rows) {
    if (!rows || rows->failed)
        return false;
    int code = sqlite3_step(rows->stmt);
    rows->failed = code != SQLITE_ROW && code != SQLITE_DONE;
    return code == SQLITE_ROW;
}

int rows_columns(const struct rows *rows) {
    return rows ? sqlite3_column_count(rows->stmt) : 0;
}

const char *rows_name(const struct rows *rows, int column) {
    assert(column >= 0 && column < rows_columns(rows));
    return sqlite3_column_name(rows->stmt, column);
}

/* The type of a column of the current row: after a row was given, and before the next one. */
static int column_type(struct rows *rows, int column) {
    assert(sqlite3_data_count(rows->stmt) > 0);
    assert(column >= 0 && column < rows_columns(rows));
    return sqlite3_column_type(rows->stmt, column);
}

bool rows_null(struct rows *rows, int column) {
    return column_type(rows, column) == SQLITE_NULL;
}

bool rows_is_number(struct rows *rows, int column) {
    int type = column_type(rows, column);
    return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

int64_t rows_int(struct rows *rows, int column) {
    assert(column >= 0 && column < sqlite3_data_count(rows->stmt));
    return sqlite3_column_int64(rows->stmt, column);
}

double rows_real(struct rows *rows, int column) {
    assert(column >= 0 && column < sqlite3_data_count(rows->stmt));
    return sqlite3_column_double(rows->stmt, column);
}

const char *rows_text(struct rows *rows, int column) {
    assert(column >= 0 && column < sqlite3_data_count(rows->stmt));
    const char *text = (const char *)sqlite3_column_text(rows->stmt, column);
    return text ? text : "";
}

const void *rows_blob(struct rows *rows, int column, size_t *size) {
    assert(column >= 0 && column < sqlite3_data_count(rows->stmt));
    const void *data = sqlite3_column_blob(rows->stmt, column);
    *size = (size_t)sqlite3_column_bytes(rows->stmt, column);
    return data;
}

bool rows_close(struct rows *rows, struct err *err) {
    if (!rows)
        return false;
    bool ok = !rows->failed || store_fail(rows->store, "read it", err);
    sqlite3_finalize(rows->stmt);
    mem_free(rows);
    return ok;
}

int64_t rows_single_int(struct store *store, const char *sql) {
    struct err err = {0};
    struct rows *rows = rows_open(store, sql, &err);
    int64_t value = rows_next(rows) ? rows_int(rows, 0) : 0;
    rows_close(rows, &err);
    err_clear(&err);
    return value;
}
