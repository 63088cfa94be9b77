/* Rows are taken in the order of all their columns: where they lie in the file means nothing. Each
 * value goes in with its type and length, so that no two contents read alike. */
#include "db/seal.h"

#include "base/texts.h"
#include "db/rows.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define SEAL_KEY "evidence_sum"

/* justify and overlay write theirs after the run; the next run needs `earlier` only. */
#define TABLES                                                                                     \
    "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' "     \
    "ESCAPE '\\' AND name NOT IN ('measured', 'justification', 'earlier', 'earlier_input') "       \
    "ORDER BY name"

/* Readers ask the views: other words there are other verdicts. Triggers change what is written. */
#define SCHEMA                                                                                     \
    "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE " \
    "'\\' ORDER BY 1, 2"

static void add_value(struct sha256 *s, const void *data, size_t size, char type) {
    char head[32];
    int n = snprintf(head, sizeof head, "%c%zu:", type, size);
    sha256_add(s, head, (size_t)n);
    sha256_add(s, data, size);
}

static void add_row(struct sha256 *s, struct rows *rows) {
    assert(rows_columns(rows) > 0);
    for (int c = 0; c < rows_columns(rows); c++) {
        size_t size = 0;
        const void *data = rows_null(rows, c) ? NULL : rows_blob(rows, c, &size);
        char type = rows_null(rows, c) ? 'n' : rows_is_number(rows, c) ? '#' : 't';
        add_value(s, data ? data : "", data ? size : 0, type);
    }
    sha256_add(s, "\n", 1);
}

static const char *query_of(struct store *store, const char *table, struct arena *arena,
                            struct err *err) {
    struct str order = {0};
    assert(table[0] && !strchr(table, '"'));
    struct rows *columns =
        rows_open(store, arena_printf(arena, "SELECT * FROM main.\"%s\" LIMIT 0", table), err);
    for (int c = 0; columns && c < rows_columns(columns); c++)
        str_addf(&order, "%s%d", c ? ", " : "", c + 1);
    const char *except = strcmp(table, "run_info") == 0 ? " WHERE key NOT IN ('" SEAL_KEY
                                                          "', '" AUDITED_KEY "', '" AUDITED_SUM_KEY
                                                          "', 'measured_from')"
                                                        : "";
    const char *query = arena_printf(arena, "SELECT * FROM main.\"%s\"%s ORDER BY %s", table,
                                     except, str_text(&order));
    bool ok = rows_close(columns, err);
    str_free(&order);
    return ok ? query : NULL;
}

static bool add_rows(struct sha256 *s, struct store *store, const char *name, const char *query,
                     struct err *err) {
    struct rows *rows = query ? rows_open(store, query, err) : NULL;
    add_value(s, name, strlen(name), 'T');
    while (rows_next(rows))
        add_row(s, rows);
    return rows_close(rows, err) && query != NULL;
}

bool seal_compute(struct store *store, char sum[SHA256_HEX], struct err *err) {
    struct sha256 s;
    struct arena arena = {0};
    struct texts tables = {0};
    uint8_t digest[SHA256_SIZE];
    struct rows *rows = rows_open(store, TABLES, err);
    while (rows_next(rows))
        vec_push(&tables, arena_strdup(&arena, rows_text(rows, 0)));
    bool ok = rows_close(rows, err);
    sha256_init(&s);
    for (size_t i = 0; ok && i < tables.len; i++)
        ok = add_rows(&s, store, tables.data[i], query_of(store, tables.data[i], &arena, err), err);
    ok = ok && add_rows(&s, store, "schema", SCHEMA, err);
    sha256_end(&s, digest);
    assert(!ok || tables.len > 0);
    for (int i = 0; i < SHA256_SIZE; i++)
        snprintf(sum + 2 * i, 3, "%02x", digest[i]);
    vec_free(&tables);
    arena_free(&arena);
    return ok;
}

bool seal_set(struct store *store, struct err *err) {
    char sum[SHA256_HEX];
    return seal_compute(store, sum, err) && store_info(store, SEAL_KEY, sum, err);
}

bool seal_remove(struct store *store, struct err *err) {
    return store_forget_info(store, SEAL_KEY, err);
}

char *seal_stored(struct store *store) {
    return store_get_info(store, SEAL_KEY);
}
