/* Databases of other versions: brought up to date without loss, or refused. */
#include "base/file.h"
#include "base/mem.h"
#include "db/form.h"
#include "db/rows.h"
#include "db/seal.h"

#include "unity.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

static struct str dir;
static struct arena arena;
static struct err err;
static struct store *db;
static char *path;

void setUp(void) {
    TEST_ASSERT_TRUE(file_temp_dir(&dir, &err));
    path = path_join(&arena, str_text(&dir), "old.db");
}
void tearDown(void) {
    store_close(db);
    db = NULL;
    file_remove_tree(str_text(&dir));
    str_free(&dir);
    arena_free(&arena);
    err_clear(&err);
}

static void change(const char *sql) {
    sqlite3 *handle = NULL;
    TEST_ASSERT_EQUAL_INT(SQLITE_OK, sqlite3_open(path, &handle));
    char *message = NULL;
    int code = sqlite3_exec(handle, sql, NULL, NULL, &message);
    TEST_ASSERT_EQUAL_INT_MESSAGE(SQLITE_OK, code, message);
    sqlite3_close(handle);
}

/* As the first version made them, with a reachable goal of two. */
static void make_old(void) {
    struct str schema = {0};
    TEST_ASSERT_TRUE(file_read(GK_SOURCE_DIR "/tests/db/data/version1.sql", &schema, &err));
    change("PRAGMA journal_mode = WAL");
    change(str_text(&schema));
    change("INSERT INTO witness (id, steps, engine) VALUES (1, 2, 'simulate');"
           "INSERT INTO goal (id, key, probe, kind, file, line, col, end_line, end_col, function, "
           "text, status, engine, witness, checked_by) VALUES"
           "(1, '01', 0, 'statement', 'a.c', 1, 1, 1, 2, 'f', 'x;', 'open', NULL, NULL, NULL),"
           "(2, '02', 1, 'statement', 'a.c', 2, 1, 2, 2, 'f', 'y;', 'reachable', 'simulate', 1, "
           "'replay')");
    str_free(&schema);
}

static void reopen(enum store_mode mode) {
    store_close(db);
    TEST_ASSERT_TRUE_MESSAGE(store_open(&db, path, mode, &err), str_text(&err.message));
}

static int64_t number(const char *sql) {
    struct rows *rows = rows_open(db, sql, &err);
    TEST_ASSERT_TRUE_MESSAGE(rows_next(rows), str_text(&err.message));
    int64_t n = rows_int(rows, 0);
    TEST_ASSERT_TRUE(rows_close(rows, &err));
    return n;
}

static const char *objects(void) {
    struct str list = {0};
    struct rows *rows =
        rows_open(db, "SELECT type, name FROM main.sqlite_schema ORDER BY type, name", &err);
    while (rows_next(rows))
        str_addf(&list, "%s %s\n", rows_text(rows, 0), rows_text(rows, 1));
    TEST_ASSERT_TRUE(rows_close(rows, &err));
    const char *text = arena_strdup(&arena, str_text(&list));
    str_free(&list);
    return text;
}

static void expect_usable(void) {
    TEST_ASSERT_EQUAL_INT64(0, number("SELECT count(stats) FROM attempt"));
    TEST_ASSERT_EQUAL_INT64(0, number("SELECT count(*) FROM unique_cause"));
    TEST_ASSERT_EQUAL_INT64(1, number("SELECT sum(reachable) FROM coverage_summary"));
    TEST_ASSERT_EQUAL_INT64(2, number("SELECT count(*) FROM goal_status"));
}

static void expect_form(const char *wanted) {
    struct str found = {0};
    TEST_ASSERT_TRUE(form_check(db, &found, &err));
    TEST_ASSERT_EQUAL_STRING(wanted, str_text(&found));
    str_free(&found);
}

static void test_a_reader_leaves_an_old_file_as_it_is(void) {
    make_old();
    reopen(STORE_READ);
    expect_usable();
    expect_form("");
    TEST_ASSERT_EQUAL_INT64(1, number("PRAGMA user_version"));
    TEST_ASSERT_EQUAL_INT64(
        0, number("SELECT count(*) FROM main.sqlite_schema WHERE name LIKE 'unique%'"));
}

static void test_a_writer_brings_it_up_to_date(void) {
    make_old();
    reopen(STORE_WRITE);
    expect_usable();
    TEST_ASSERT_EQUAL_INT64(11, number("PRAGMA user_version"));
    TEST_ASSERT_EQUAL_INT64(1, number("SELECT value FROM run_info WHERE key = 'migrated_from'"));
    store_close(db);
    change(
        "UPDATE goal SET checked_by = 'cbmc,z3,solver' WHERE id = 2"); /* a set since version 5 */
    change("PRAGMA integrity_check");
    db = NULL;
    reopen(STORE_WRITE);
    TEST_ASSERT_EQUAL_INT64(
        1, number("SELECT count(*) FROM goal_status WHERE checked_by = 'cbmc,z3,solver'"));
    const char *migrated = objects();
    expect_form("");
    reopen(STORE_READ);
    expect_usable();
    expect_form("");
    path = path_join(&arena, str_text(&dir), "new.db");
    reopen(STORE_CREATE);
    TEST_ASSERT_EQUAL_STRING(objects(), migrated);
    expect_form("");
    TEST_ASSERT_EQUAL_INT64(11, number("PRAGMA user_version"));
}

/* Of whatever version it says it is. */
static void test_the_form_of_an_old_file(void) {
    make_old();
    change("CREATE TRIGGER t AFTER INSERT ON run_info BEGIN UPDATE goal SET status = 'open'; END");
    reopen(STORE_READ);
    expect_form("trigger 't' is none of ours");
    store_close(db);
    db = NULL;
    change("DROP TRIGGER t; ALTER TABLE limitation ADD COLUMN more GENERATED ALWAYS AS (line + 1)");
    reopen(STORE_READ);
    expect_form("table 'limitation' is not made as ours is");
}

static void check_seal(bool forged) {
    char sum[SHA256_HEX] = "00";
    make_old();
    reopen(STORE_READ);
    TEST_ASSERT_TRUE(forged || seal_compute(db, sum, &err));
    store_close(db);
    db = NULL;
    change(arena_printf(&arena,
                        "INSERT INTO run_info VALUES ('evidence_sum', '%s'), ('audited_sum', '%s')",
                        sum, sum));
    reopen(STORE_WRITE);
    char *stored = seal_stored(db), *audited = store_get_info(db, AUDITED_SUM_KEY);
    TEST_ASSERT_TRUE(forged || seal_compute(db, sum, &err));
    TEST_ASSERT_EQUAL_STRING(sum, stored);
    TEST_ASSERT_EQUAL_STRING(sum, audited);
    mem_free(stored);
    mem_free(audited);
}

static void test_a_seal_that_was_right_stays_right(void) {
    check_seal(false);
}

static void test_a_forged_seal_does_not_become_right(void) {
    check_seal(true);
}

/* A certificate of an older version stands in its proof, whole. */
static void test_an_old_certificate_is_read(void) {
    static const enum store_mode modes[] = {STORE_READ, STORE_WRITE};
    make_old();
    change("INSERT INTO proof VALUES (1, 'kind', 1, 'inv', 'int main(void)'), "
           "(2, 'kind', 1, 'inv', NULL)");
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        struct str text = {0};
        reopen(modes[i]);
        TEST_ASSERT_TRUE(store_certificate(db, 1, &text, &err));
        TEST_ASSERT_TRUE(store_certificate(db, 2, &text, &err));
        TEST_ASSERT_EQUAL_STRING("int main(void)", str_text(&text));
        str_free(&text);
    }
}

/* The run that stores the module has filled what is new. */
static void test_a_stored_module_is_of_today(void) {
    struct goals goals = {0};
    struct module module = {0};
    make_old();
    reopen(STORE_WRITE);
    TEST_ASSERT_TRUE(store_module(db, &goals, &module, &err));
    TEST_ASSERT_EQUAL_INT64(0, number("SELECT count(*) FROM run_info WHERE key LIKE 'migrated%'"));
}

static void test_views_are_those_of_today(void) {
    static const enum store_mode modes[] = {STORE_READ, STORE_WRITE};
    make_old();
    change("DROP VIEW coverage_summary; CREATE VIEW coverage_summary AS SELECT 7 AS reachable");
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        reopen(modes[i]);
        expect_usable();
    }
}

static void expect_refused(const char *word) {
    static const enum store_mode modes[] = {STORE_READ, STORE_WRITE, STORE_CREATE};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        TEST_ASSERT_FALSE(store_open(&db, path, modes[i], &err));
        TEST_ASSERT_EQUAL_INT(ERR_USAGE, err.code);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&err.message), word), str_text(&err.message));
        TEST_ASSERT_TRUE(err.remedy.len > 0);
        err_clear(&err);
    }
}

/* Tables that come before it in the schema are not left behind. */
static void test_a_table_that_cannot_be_mended_is_refused_and_nothing_changes(void) {
    make_old();
    change("DROP TABLE justification; CREATE TABLE justification (key TEXT, who TEXT)");
    expect_refused("'justification'");
    change("UPDATE goal SET line = 3"); /* not locked any more */
    change("PRAGMA user_version = 11");
    reopen(STORE_READ);
    TEST_ASSERT_EQUAL_INT64(
        0, number("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'unique_cause%'"));
}

static void test_a_view_in_place_of_a_table_is_refused(void) {
    make_old();
    change("CREATE VIEW unique_cause_pair AS SELECT 1 AS decision");
    expect_refused("'unique_cause_pair'");
}

static void test_unknown_versions_are_refused(void) {
    make_old();
    change("PRAGMA user_version = 12");
    expect_refused("version 12, this program knows version 11");
    change("PRAGMA user_version = 0");
    expect_refused("version 0");
    change("PRAGMA user_version = -1");
    expect_refused("version -1");
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_a_reader_leaves_an_old_file_as_it_is);
    RUN_TEST(test_a_writer_brings_it_up_to_date);
    RUN_TEST(test_the_form_of_an_old_file);
    RUN_TEST(test_a_seal_that_was_right_stays_right);
    RUN_TEST(test_a_forged_seal_does_not_become_right);
    RUN_TEST(test_an_old_certificate_is_read);
    RUN_TEST(test_a_stored_module_is_of_today);
    RUN_TEST(test_views_are_those_of_today);
    RUN_TEST(test_a_table_that_cannot_be_mended_is_refused_and_nothing_changes);
    RUN_TEST(test_a_view_in_place_of_a_table_is_refused);
    RUN_TEST(test_unknown_versions_are_refused);
    return UNITY_END();
}
