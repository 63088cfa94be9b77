/* rows: reading the database with SQL, for commands and reports.
 *
 *     struct rows *r = rows_open(db, "SELECT id, text FROM goal WHERE kind = ?1", err);
 *     rows_bind_text(r, 1, "mcdc");
 *     while (rows_next(r))
 *         printf("%lld %s\n", (long long)rows_int(r, 0), rows_text(r, 1));
 *     rows_close(r, err);      // false when reading failed half-way
 *
 * Texts are valid until the next rows_next(). A NULL result of rows_open() may be passed on: it has
 * no rows. Only statements that read are accepted.
 */
#ifndef DB_ROWS_H
#define DB_ROWS_H

#include "db/store.h"

struct rows;

struct rows *rows_open(struct store *store, const char *sql, struct err *err);
void rows_bind_text(struct rows *rows, int index, const char *text); /* index from 1; copies */
void rows_bind_int(struct rows *rows, int index, int64_t value);
bool rows_next(struct rows *rows);
int rows_columns(const struct rows *rows);
const char *rows_name(const struct rows *rows, int column);
bool rows_null(struct rows *rows, int column);
bool rows_is_number(struct rows *rows, int column);
int64_t rows_int(struct rows *rows, int column);
double rows_real(struct rows *rows, int column);
const char *rows_text(struct rows *rows, int column); /* "" for NULL */
const void *rows_blob(struct rows *rows, int column, size_t *size);
bool rows_close(struct rows *rows, struct err *err);

/* One value of a query without parameters; 0 or "" when there is no row. */
int64_t rows_single_int(struct store *store, const char *sql);

#endif
