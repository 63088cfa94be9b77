#include "folder.h"

#include "unity.h"

#include <string.h>

struct str dir;
struct arena arena;
struct err err;
struct child_result r;

void folder_open(void) {
    TEST_ASSERT_TRUE_MESSAGE(file_temp_dir(&dir, &err), str_text(&err.message));
}

void folder_close(void) {
    file_remove_tree(str_text(&dir));
    str_free(&dir);
    child_result_free(&r);
    arena_free(&arena);
    err_clear(&err);
}

const char *path(const char *name) {
    return path_join(&arena, str_text(&dir), name);
}

void put(const char *name, const char *text) {
    TEST_ASSERT_TRUE_MESSAGE(file_make_dirs(path_dir(&arena, path(name)), &err),
                             str_text(&err.message));
    TEST_ASSERT_TRUE_MESSAGE(file_write(path(name), text, strlen(text), &err),
                             str_text(&err.message));
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
