#include "folder.h"

#include "unity.h"

#include <sqlite3.h>
#include <string.h>

struct child_result r;

void folder_open(void) {
    scratch_open();
}

void folder_close(void) {
    child_result_free(&r);
    scratch_close();
}

void run_tool(const char *line, const char *const *environment) {
    child_result_free(&r);
    r = run_program(line, environment, str_text(&dir));
}

void expect_end(int code, const char *words) {
    TEST_ASSERT_EQUAL_INT_MESSAGE(code, r.code, str_text(&r.err));
    TEST_ASSERT_TRUE_MESSAGE(!words || says(&r.err, words), str_text(&r.err));
}

int64_t number_in(const char *database, const char *sql) {
    struct store *db = NULL;
    TEST_ASSERT_TRUE_MESSAGE(store_open(&db, path(database), STORE_READ, &err),
                             str_text(&err.message));
    int64_t n = rows_single_int(db, sql);
    store_close(db);
    return n;
}

void expect_out(const char *words) {
    TEST_ASSERT_TRUE_MESSAGE(says(&r.out, words), str_text(&r.out));
}

void expect_file(const char *name, const char *words) {
    struct str text = {0};
    TEST_ASSERT_TRUE_MESSAGE(file_read(path(name), &text, &err), name);
    TEST_ASSERT_TRUE_MESSAGE(strstr(str_text(&text), words), str_text(&text));
    str_free(&text);
}

const char *verdicts_in(const char *database) {
    run_tool(arena_printf(&arena,
                          "query %s --format csv --sql SELECT\tkey,status\tFROM\t"
                          "goal_status\tORDER\tBY\tgoal_id",
                          database),
             NULL);
    expect_end(0, NULL);
    return arena_strdup(&arena, str_text(&r.out));
}

void change_database(const char *database, const char *sql) {
    sqlite3 *db = NULL;
    TEST_ASSERT_EQUAL_INT(SQLITE_OK, sqlite3_open(path(database), &db));
    TEST_ASSERT_EQUAL_INT(SQLITE_OK, sqlite3_exec(db, sql, NULL, NULL, NULL));
    TEST_ASSERT_TRUE(sqlite3_total_changes(db) > 0);
    sqlite3_close(db);
}
