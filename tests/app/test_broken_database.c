/* Files that are no database of ours, or not whole: every command that reads one says what is
 * wrong and what to do, ends with the exit code for wrong input, and makes nothing beside it. */
#include "base/file.h"
#include "base/rng.h"
#include "db/store.h"
#include "run_program.h"

#include "unity.h"

#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DATA GK_SOURCE_DIR "/tests/app/data/run/"

static struct str dir, whole; /* of the whole test; a database after a run */
static struct arena arena;
static struct err err;
static struct child_result r;

void setUp(void) {
}
void tearDown(void) {
    child_result_free(&r);
    err_clear(&err);
}

static const char *path(const char *name) {
    return path_join(&arena, str_text(&dir), name);
}

/* The first take folders, too. */
static const char *const commands[] = {"status b.db",
                                       "query b.db",
                                       "gate b.db --min mcdc=1",
                                       "report b.db -o out",
                                       "audit b.db",
                                       "replay b.db 1",
                                       "export b.db -o out",
                                       "justify b.db 1 --reason none --author nobody"};
enum { COMMANDS = sizeof commands / sizeof *commands, TAKE_FOLDERS = 4 };

static void run(const char *line) {
    child_result_free(&r);
    r = run_program(line, NULL, str_text(&dir));
}

static void expect_refused_by(size_t from, size_t to, const char *words) {
    for (size_t i = from; i < to; i++) {
        run(commands[i]);
        TEST_ASSERT_EQUAL_INT_MESSAGE(2, r.code, commands[i]);
        TEST_ASSERT_TRUE_MESSAGE(says(&r.err, words), str_text(&r.err));
        TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "\n  "), str_text(&r.err)); /* a remedy */
        TEST_ASSERT_EQUAL_STRING("", str_text(&r.out));
        TEST_ASSERT_FALSE(file_exists(path("out")));
        TEST_ASSERT_FALSE(file_exists(path("justifications.json")));
    }
}

static void expect_refused(const char *words) {
    expect_refused_by(0, COMMANDS, words);
}

static void put(const void *data, size_t size) {
    file_remove_tree(path("b.db"));
    TEST_ASSERT_TRUE(file_write(path("b.db"), data, size, &err));
}

static void test_files_that_are_none(void) {
    expect_refused("no such database");
    put("", 0);
    expect_refused("no such database but an empty file");
    put("int main(void) { return 0; }\n", 29);
    expect_refused("not a Goalkeeper database");
    file_remove_tree(path("b.db"));
    TEST_ASSERT_EQUAL_INT(0, mkdir(path("b.db"), 0700));
    expect_refused_by(0, TAKE_FOLDERS, "no databases in this folder");
    expect_refused_by(TAKE_FOLDERS, COMMANDS, "a directory or device");
    file_remove_tree(path("b.db"));
    TEST_ASSERT_EQUAL_INT(0, mkfifo(path("b.db"), 0600));
    expect_refused("a directory or device");
}

static void test_a_database_of_another_program_stays_as_it_is(void) {
    sqlite3 *other = NULL;
    struct str before = {0}, after = {0};
    file_remove_tree(path("b.db"));
    TEST_ASSERT_EQUAL_INT(SQLITE_OK, sqlite3_open(path("b.db"), &other));
    TEST_ASSERT_EQUAL_INT(SQLITE_OK, sqlite3_exec(other, "CREATE TABLE t (x)", NULL, NULL, NULL));
    sqlite3_close(other);
    TEST_ASSERT_TRUE(file_read(path("b.db"), &before, &err));
    expect_refused("a database of another program");
    run("run " DATA "machine.json --goals-only --db b.db");
    TEST_ASSERT_EQUAL_INT(2, r.code);
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "a database of another program"), str_text(&r.err));
    TEST_ASSERT_TRUE(file_read(path("b.db"), &after, &err));
    TEST_ASSERT_EQUAL_size_t(before.len, after.len);
    TEST_ASSERT_EQUAL_MEMORY(before.data, after.data, before.len);
    str_free(&before);
    str_free(&after);
}

static void test_a_file_that_nobody_may_read(void) {
    if (geteuid() == 0)
        TEST_IGNORE_MESSAGE("root may read everything");
    put(whole.data, whole.len);
    TEST_ASSERT_EQUAL_INT(0, chmod(path("b.db"), 0));
    expect_refused("cannot be opened: Permission denied");
}

static void test_truncated_files(void) {
    const size_t sizes[] = {99, 100, 4096, 3 * 4096 + 7, whole.len - 1};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        put(whole.data, sizes[i]);
        expect_refused("the database is truncated");
    }
}

/* A log beside it may be a writer at work; when nothing comes of it the file is short for good. */
static void test_a_truncated_file_with_a_log(void) {
    put(whole.data, whole.len - 1);
    TEST_ASSERT_TRUE(file_write(path("b.db-wal"), "", 0, &err));
    run(commands[0]);
    TEST_ASSERT_EQUAL_INT_MESSAGE(2, r.code, str_text(&r.err));
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "the database is truncated"), str_text(&r.err));
    TEST_ASSERT_EQUAL_INT(0, unlink(path("b.db-wal")));
}

/* Killed while the log was copied into the file: its first page promises more than it holds, and
 * the log has the rest. Nothing is lost. */
static void test_a_log_that_is_half_copied(void) {
    enum { PAGE = 4096 };
    sqlite3 *writer = NULL;
    struct str old = {0}, log = {0}, new = {0};
    put(whole.data, whole.len);
    TEST_ASSERT_EQUAL_INT(SQLITE_OK, sqlite3_open(path("b.db"), &writer));
    TEST_ASSERT_EQUAL_INT(SQLITE_OK,
                          sqlite3_exec(writer,
                                       "PRAGMA wal_autocheckpoint = 0; INSERT INTO run_info VALUES "
                                       "('long', zeroblob(100000))",
                                       NULL, NULL, NULL));
    TEST_ASSERT_TRUE(file_read(path("b.db"), &old, &err));
    TEST_ASSERT_TRUE(file_read(path("b.db-wal"), &log, &err));
    sqlite3_close(writer);
    TEST_ASSERT_TRUE(file_read(path("b.db"), &new, &err));
    TEST_ASSERT_GREATER_THAN_size_t(old.len, new.len);
    memcpy(old.data, new.data, PAGE);
    put(old.data, old.len);
    expect_refused_by(0, 1, "the database is truncated");
    TEST_ASSERT_TRUE(file_write(path("b.db-wal"), log.data, log.len, &err));
    run(commands[0]);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.err));
    unlink(path("b.db-wal"));
    unlink(path("b.db-shm"));
    str_free(&old);
    str_free(&log);
    str_free(&new);
}

/* Bytes changed anywhere: an answer or a message, never a crash, and the exit code of wrong input,
 * of stored C that does not parse any more, or of evidence that does not hold. */
static void test_damaged_pages_crash_nothing(void) {
    enum { ROUNDS = 12, BYTES = 40 };
    struct rng rng;
    rng_init(&rng, 6);
    for (int round = 0; round < ROUNDS; round++) {
        struct str damaged = {0};
        str_addn(&damaged, whole.data, whole.len);
        for (int i = 0; i < BYTES; i++)
            damaged.data[100 + rng_below(&rng, whole.len - 100)] = (char)rng_below(&rng, 256);
        put(damaged.data, damaged.len);
        str_free(&damaged);
        run(commands[round % 4]); /* those that read much */
        TEST_ASSERT_TRUE_MESSAGE(r.code == 0 || r.code == 1 || r.code == 2 || r.code == 3 ||
                                     r.code == 5,
                                 str_text(&r.err));
    }
}

int main(void) {
    if (!file_temp_dir(&dir, &err))
        return 2;
    run("run " DATA "machine.json --engines simulate,houdini --seconds 4 --db whole.db");
    if (!file_read(path("whole.db"), &whole, &err))
        return 2;
    UNITY_BEGIN();
    RUN_TEST(test_files_that_are_none);
    RUN_TEST(test_a_database_of_another_program_stays_as_it_is);
    RUN_TEST(test_a_file_that_nobody_may_read);
    RUN_TEST(test_truncated_files);
    RUN_TEST(test_a_truncated_file_with_a_log);
    RUN_TEST(test_a_log_that_is_half_copied);
    RUN_TEST(test_damaged_pages_crash_nothing);
    child_result_free(&r);
    file_remove_tree(str_text(&dir));
    str_free(&dir);
    str_free(&whole);
    arena_free(&arena);
    return UNITY_END();
}
