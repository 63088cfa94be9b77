/* Locks of somebody else: another program (an SQLite shell, a backup) that holds our database. */
#include "base/file.h"
#include "db/rows.h"

#include "unity.h"

#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct str dir;
static struct arena arena;
static struct err err;
static struct store *db;
static sqlite3 *other;
static char *path;

void setUp(void) {
    TEST_ASSERT_TRUE(file_temp_dir(&dir, &err));
    path = path_join(&arena, str_text(&dir), "shared.db");
}
void tearDown(void) {
    store_close(db);
    db = NULL;
    sqlite3_close(other);
    other = NULL;
    chmod(str_text(&dir), 0700);
    file_remove_tree(str_text(&dir));
    str_free(&dir);
    arena_free(&arena);
    err_clear(&err);
}

static void reopen(enum store_mode mode) {
    store_close(db);
    TEST_ASSERT_TRUE_MESSAGE(store_open(&db, path, mode, &err), str_text(&err.message));
}

static void foreign(const char *sql) {
    if (!other)
        TEST_ASSERT_EQUAL_INT(SQLITE_OK, sqlite3_open(path, &other));
    TEST_ASSERT_EQUAL_INT_MESSAGE(SQLITE_OK, sqlite3_exec(other, sql, NULL, NULL, NULL),
                                  sqlite3_errmsg(other));
}

static void expect_said(const char *word) {
    TEST_ASSERT_EQUAL_INT(ERR_USAGE, err.code);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&err.message), word), str_text(&err.message));
    TEST_ASSERT_TRUE(err.remedy.len > 0);
    err_clear(&err);
}

/* A lock that is held for a while is waited for; one that is held for ever is told. Nothing is half
 * written, and the same connection goes on when the lock is gone. */
static void test_a_foreign_writer_is_waited_for_and_then_told(void) {
    reopen(STORE_CREATE);
    TEST_ASSERT_TRUE(store_info(db, "a", "1", &err));
    foreign("BEGIN IMMEDIATE");
    TEST_ASSERT_FALSE(store_info(db, "a", "2", &err));
    expect_said("locked");
    TEST_ASSERT_EQUAL_INT64(1, rows_single_int(db, "SELECT value FROM run_info WHERE key = 'a'"));
    foreign("ROLLBACK");
    TEST_ASSERT_TRUE(store_info(db, "a", "3", &err));
    TEST_ASSERT_EQUAL_INT64(3, rows_single_int(db, "SELECT value FROM run_info WHERE key = 'a'"));
}

static pid_t hold_for(unsigned milliseconds) {
    int fd[2];
    char byte;
    TEST_ASSERT_EQUAL_INT(0, pipe(fd));
    pid_t pid = fork();
    if (pid == 0) {
        foreign("BEGIN EXCLUSIVE");
        (void)!write(fd[1], "x", 1);
        usleep(milliseconds * 1000);
        _exit(0);
    }
    TEST_ASSERT_EQUAL_INT(1, read(fd[0], &byte, 1));
    close(fd[0]);
    close(fd[1]);
    return pid;
}

static void test_a_short_foreign_lock_costs_time_only(void) {
    reopen(STORE_CREATE);
    pid_t pid = hold_for(1500);
    TEST_ASSERT_TRUE_MESSAGE(store_info(db, "a", "1", &err), str_text(&err.message));
    TEST_ASSERT_EQUAL_INT(pid, waitpid(pid, NULL, 0));
    TEST_ASSERT_EQUAL_INT64(1, rows_single_int(db, "SELECT value FROM run_info WHERE key = 'a'"));
}

/* Whoever locks everything out may be changing the file: no reader looks past the lock. */
static void test_an_exclusive_lock_is_not_read_past(void) {
    reopen(STORE_CREATE);
    TEST_ASSERT_TRUE(store_info(db, "a", "1", &err));
    store_close(db);
    db = NULL;
    foreign("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; UPDATE run_info SET value = '9'");
    TEST_ASSERT_FALSE(store_open(&db, path, STORE_READ, &err));
    expect_said("locked");
    foreign("ROLLBACK");
    sqlite3_close(other);
    other = NULL;
    reopen(STORE_READ);
    TEST_ASSERT_EQUAL_INT64(1, rows_single_int(db, "SELECT value FROM run_info WHERE key = 'a'"));
}

/* ---- a folder that cannot be written ---- */

/* The files as a killed process leaves them: results in the log alone. */
static void copy_with_log(const char *to) {
    const char *ends[] = {"", "-wal"};
    for (size_t i = 0; i < 2; i++) {
        struct str text = {0};
        TEST_ASSERT_TRUE(file_read(arena_printf(&arena, "%s%s", path, ends[i]), &text, &err));
        TEST_ASSERT_TRUE(file_write(arena_printf(&arena, "%s/shared.db%s", to, ends[i]), text.data,
                                    text.len, &err));
        str_free(&text);
    }
}

/* 0: it says 1 there; 1: it was refused with words about the log; else something is wrong. */
static int read_in_locked_folder(const char *folder) {
    pid_t pid = fork();
    if (pid == 0) {
        if (geteuid() == 0 && setuid(65534) != 0)
            _exit(9);
        path = path_join(&arena, folder, "shared.db");
        if (!store_open(&db, path, STORE_READ, &err))
            _exit(strstr(str_text(&err.message), "-wal") && err.remedy.len ? 1 : 8);
        _exit(rows_single_int(db, "SELECT value FROM run_info WHERE key = 'a'") == 1 ? 0 : 7);
    }
    int status;
    TEST_ASSERT_EQUAL_INT(pid, waitpid(pid, &status, 0));
    TEST_ASSERT_TRUE(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void test_results_in_a_log_that_cannot_be_read_are_not_left_out(void) {
    const char *folder = path_join(&arena, str_text(&dir), "copy");
    TEST_ASSERT_EQUAL_INT(0, chmod(str_text(&dir), 0755));
    TEST_ASSERT_EQUAL_INT(0, mkdir(folder, 0755));
    reopen(STORE_CREATE);
    TEST_ASSERT_TRUE(store_info(db, "a", "1", &err));
    copy_with_log(folder);
    TEST_ASSERT_EQUAL_INT(0, chmod(folder, 0555));
    TEST_ASSERT_EQUAL_INT(1, read_in_locked_folder(folder));
    chmod(folder, 0755);
    TEST_ASSERT_EQUAL_INT(0, unlink(path_join(&arena, folder, "shared.db-wal")));
    store_close(db); /* the log goes into the file */
    db = NULL;
    struct str text = {0};
    TEST_ASSERT_TRUE(file_read(path, &text, &err));
    TEST_ASSERT_TRUE(file_write(path_join(&arena, folder, "shared.db"), text.data, text.len, &err));
    str_free(&text);
    TEST_ASSERT_EQUAL_INT(0, chmod(folder, 0555));
    TEST_ASSERT_EQUAL_INT(0, read_in_locked_folder(folder));
    chmod(folder, 0755);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_a_foreign_writer_is_waited_for_and_then_told);
    RUN_TEST(test_a_short_foreign_lock_costs_time_only);
    RUN_TEST(test_an_exclusive_lock_is_not_read_past);
    RUN_TEST(test_results_in_a_log_that_cannot_be_read_are_not_left_out);
    return UNITY_END();
}
