/* Damaged evidence: each column of each table is changed, one at a time, and each row taken away;
 * all of it shows in the checksum that audit compares, but for what other commands write. */
#include "folder.h"

#include "db/seal.h"

#include "unity.h"

#include <sqlite3.h>
#include <string.h>

static sqlite3 *handle;

void setUp(void) {
    folder_open();
}

void tearDown(void) {
    sqlite3_close(handle);
    handle = NULL;
    folder_close();
}

/* With a dead goal, a reachable one, decisions, and a warning. */
static const char source[] = "typedef unsigned char uint8; uint8 in, mode, out; static uint8 n;\n"
                             "void step(void) {\n"
                             "    if (n < 5 && in > 3) n++;\n"
                             "    if (n > 9) out = 1;\n"
                             "    if (mode == 1 || mode == 2) out = 2;\n"
                             "}\n";

static void make_database(void) {
    put("m.c", source);
    run_tool("run m.c --step step --seconds 60 -j 1 --quiet", NULL);
    expect_end(0, NULL);
    TEST_ASSERT_EQUAL_INT(SQLITE_OK, sqlite3_open(path("goalkeeper.db"), &handle));
    sqlite3_exec(handle, "PRAGMA ignore_check_constraints = 1; PRAGMA foreign_keys = 0", NULL, NULL,
                 NULL);
}

static bool change(const char *sql) {
    return sqlite3_exec(handle, sql, NULL, NULL, NULL) == SQLITE_OK;
}

/* What a reader of the database gets, "" when it is refused. */
static const char *sum_now(void) {
    struct store *db = NULL;
    char sum[SHA256_HEX] = "";
    if (!store_open(&db, path("goalkeeper.db"), STORE_READ, &err) || !seal_compute(db, sum, &err))
        sum[0] = '\0';
    store_close(db);
    err_clear(&err);
    return arena_strdup(&arena, sum);
}

VEC_STRUCT(names, const char *);

static void read_names(const char *sql, struct names *names) {
    sqlite3_stmt *s = NULL;
    TEST_ASSERT_EQUAL_INT(SQLITE_OK, sqlite3_prepare_v2(handle, sql, -1, &s, NULL));
    while (sqlite3_step(s) == SQLITE_ROW)
        vec_push(names, arena_strdup(&arena, (const char *)sqlite3_column_text(s, 0)));
    sqlite3_finalize(s);
}

/* One row where there is none: numbers fit everywhere. */
static void fill(const char *table, const struct names *columns) {
    struct str sql = {0};
    str_addf(&sql, "INSERT INTO \"%s\" SELECT 1", table);
    for (size_t i = 1; i < columns->len; i++)
        str_add(&sql, ", 1");
    str_addf(&sql, " WHERE NOT EXISTS (SELECT 1 FROM \"%s\")", table);
    TEST_ASSERT_TRUE_MESSAGE(change(str_text(&sql)), sqlite3_errmsg(handle));
    str_free(&sql);
}

static bool is_left_out(const char *table) {
    static const char *const tables[] = {
        "measured",      /* overlay writes it after the run; it comes from the user's own tests */
        "justification", /* a copy of justifications.json, which is under version control */
        "earlier",       /* verdicts on an older program, which no report shows */
        "earlier_input",
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (strcmp(table, tables[i]) == 0)
            return true;
    return false;
}

static void expect_noticed(const char *table, const char *sql, const char *before) {
    TEST_ASSERT_TRUE(change("SAVEPOINT one"));
    TEST_ASSERT_TRUE_MESSAGE(change(sql),
                             arena_printf(&arena, "%s: %s", sql, sqlite3_errmsg(handle)));
    TEST_ASSERT_TRUE(change("RELEASE one"));
    bool noticed = strcmp(sum_now(), before) != 0;
    if (noticed == is_left_out(table))
        TEST_FAIL_MESSAGE(arena_printf(&arena, "%s: %s", sql, noticed ? "counts" : "unnoticed"));
}

/* The database is put back by its bytes. */
static void put_back(const struct str *bytes) {
    sqlite3_close(handle);
    TEST_ASSERT_TRUE(file_write(path("goalkeeper.db"), bytes->data, bytes->len, &err));
    file_remove_tree(path("goalkeeper.db-wal"));
    file_remove_tree(path("goalkeeper.db-shm"));
    TEST_ASSERT_EQUAL_INT(SQLITE_OK, sqlite3_open(path("goalkeeper.db"), &handle));
    change("PRAGMA ignore_check_constraints = 1; PRAGMA foreign_keys = 0");
}

static void settle(struct str *bytes) {
    change("PRAGMA wal_checkpoint(TRUNCATE)");
    str_clear(bytes);
    TEST_ASSERT_TRUE(file_read(path("goalkeeper.db"), bytes, &err));
}

static size_t change_table(const char *table, struct str *bytes) {
    struct names columns = {0};
    read_names(arena_printf(&arena, "SELECT name FROM pragma_table_info('%s')", table), &columns);
    fill(table, &columns);
    settle(bytes);
    const char *before = sum_now(), *first = columns.data[0];
    for (size_t i = 0; i <= columns.len; i++) {
        const char *c = i < columns.len ? columns.data[i] : NULL;
        const char *where = arena_printf(
            &arena, "WHERE \"%s\" = (SELECT \"%s\" FROM \"%s\" LIMIT 1)", first, first, table);
        const char *sql =
            c ? arena_printf(
                    &arena,
                    "UPDATE \"%s\" SET \"%s\" = CASE WHEN typeof(\"%s\") IN ('integer', "
                    "'real') THEN \"%s\" + 1000003 ELSE coalesce(\"%s\", '') || 'x' END %s",
                    table, c, c, c, c, where)
              : arena_printf(&arena, "DELETE FROM \"%s\" %s", table, where);
        expect_noticed(table, sql, before);
        put_back(bytes);
    }
    size_t n = columns.len;
    vec_free(&columns);
    return n;
}

/* What readers ask, and what happens when a command writes. */
static void change_schema(const struct str *bytes) {
    static const char *const changes[] = {
        "DROP VIEW coverage_summary",
        "DROP VIEW warning; CREATE VIEW warning AS SELECT 'none' AS text",
        "CREATE VIEW other AS SELECT 1",
        "CREATE TRIGGER t AFTER INSERT ON run_info BEGIN UPDATE goal SET status = 'reachable'; END",
        "CREATE TABLE other (x)",
    };
    const char *before = sum_now();
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        expect_noticed("", changes[i], before);
        put_back(bytes);
    }
}

static void test_every_column_of_every_table(void) {
    struct names tables = {0};
    struct str bytes = {0};
    size_t columns = 0;
    make_database();
    read_names("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
               &tables);
    for (size_t i = 0; i < tables.len; i++)
        columns += change_table(tables.data[i], &bytes);
    TEST_ASSERT_GREATER_THAN_size_t(100, columns);
    change_schema(&bytes);
    str_free(&bytes);
    vec_free(&tables);
}

/* What no check of evidence looks at. */
static void test_audit_compares(void) {
    make_database();
    run_tool("audit", NULL);
    expect_end(0, NULL);
    TEST_ASSERT_TRUE(says(&r.out, "checksum of all that the run has stored: "));
    const char *const changes[] = {"UPDATE goal SET line = line + 1 WHERE id = 2",
                                   "UPDATE goal SET text = text || ' ' WHERE id = 2",
                                   "DELETE FROM goal WHERE id = (SELECT max(id) FROM goal)",
                                   "UPDATE artifact SET content = content || ' ' "
                                   "WHERE name LIKE 'source:%'",
                                   "UPDATE run_info SET value = 'x' WHERE key LIKE 'sha256:%'"};
    struct str bytes = {0};
    settle(&bytes);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        TEST_ASSERT_TRUE_MESSAGE(change(changes[i]), sqlite3_errmsg(handle));
        run_tool("audit --goal 1", NULL);
        expect_end(5, NULL);
        TEST_ASSERT_TRUE(says(&r.out, "the database was changed since the run"));
        put_back(&bytes);
    }
    str_free(&bytes);
    /* another run, justify and overlay are no damage */
    run_tool("run m.c --step step --seconds 60 -j 1 --quiet", NULL);
    run_tool("justify goalkeeper.db 1 --reason r --author a", NULL);
    run_tool("audit --goal 1", NULL);
    expect_end(0, NULL);
}

/* What people read of a run beside its bits. */
static void test_values_that_witnesses_show(void) {
    static const char *const changes[] = {
        "UPDATE witness_event SET value = value + 1 WHERE number = 0",
        "UPDATE witness_event SET bits = bits + 256, value = value + 256 WHERE number = 0",
        "UPDATE witness_cell SET value = 'nan' WHERE step = 1",
    };
    struct str bytes = {0};
    make_database();
    settle(&bytes);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        TEST_ASSERT_TRUE(change("DELETE FROM run_info WHERE key = 'evidence_sum'"));
        TEST_ASSERT_TRUE_MESSAGE(change(changes[i]), sqlite3_errmsg(handle));
        run_tool("audit", NULL);
        expect_end(5, NULL);
        TEST_ASSERT_TRUE_MESSAGE(says(&r.out, "its witness shows other values than it has"),
                                 str_text(&r.out));
        put_back(&bytes);
    }
    str_free(&bytes);
}

/* What the title of the report says of the audit, and that it says it of this state only. */
static bool report_says(const char *words) {
    struct str page = {0};
    run_tool("report goalkeeper.db -o out", NULL);
    expect_end(0, NULL);
    TEST_ASSERT_TRUE(file_read(path_join(&arena, str_text(&dir), "out/index.html"), &page, &err));
    bool found = strstr(str_text(&page), words) != NULL;
    str_free(&page);
    return found;
}

static void test_an_audit_is_kept(void) {
    make_database();
    TEST_ASSERT_TRUE(report_says("<dt>Audit</dt><dd>none since the run; "));
    run_tool("audit --record --goal 1", NULL);
    expect_end(2, "--record is about all goals");
    run_tool("audit --record", NULL);
    expect_end(0, NULL);
    TEST_ASSERT_TRUE(
        report_says(" verdicts re-checked, 0 failed, 0 not decided in time; Goalkeeper "));
    run_tool("audit", NULL); /* it changes nothing that is checked */
    expect_end(0, NULL);
    TEST_ASSERT_FALSE(says(&r.out, "was changed"));
    run_tool("run m.c --step step --seconds 60 -j 1 --quiet --seed 7", NULL);
    TEST_ASSERT_TRUE(report_says("<dt>Audit</dt><dd>none since the run; "));
}

static bool ssh(const char *line) {
    const char *argv[] = {"sh", "-c", line, NULL};
    struct child_spec spec = {.argv = argv, .dir = str_text(&dir)};
    child_result_free(&r);
    return child_run(&spec, &r, &err) && r.code == 0;
}

static void test_signatures(void) {
    make_database();
    sqlite3_close(handle);
    handle = NULL;
    if (!ssh("ssh-keygen -q -t ed25519 -N '' -f mine && ssh-keygen -q -t ed25519 -N '' -f other && "
             "(printf 'anna@x '; cat mine.pub) > signers && (printf 'bob@x '; cat other.pub) > bob "
             "&& "
             "ssh-keygen -q -Y sign -f mine -n goalkeeper goalkeeper.db"))
        TEST_IGNORE_MESSAGE("no ssh-keygen");
    run_tool("audit --signature goalkeeper.db.sig --signers signers", NULL);
    expect_end(0, NULL);
    TEST_ASSERT_TRUE_MESSAGE(says(&r.out, "signed by anna@x"), str_text(&r.out));
    run_tool("audit --signature goalkeeper.db.sig --signers bob", NULL);
    expect_end(5, "not what somebody of the list has signed");
    run_tool("audit --signature goalkeeper.db.sig", NULL);
    expect_end(2, "belong together");
    TEST_ASSERT_TRUE(
        ssh("rm goalkeeper.db.sig; ssh-keygen -q -Y sign -f mine -n mail goalkeeper.db"));
    run_tool("audit --signature goalkeeper.db.sig --signers signers", NULL);
    expect_end(5, "not what somebody of the list has signed");
    TEST_ASSERT_TRUE(ssh("rm goalkeeper.db.sig; ssh-keygen -q -Y sign -f mine -n goalkeeper "
                         "goalkeeper.db"));
    TEST_ASSERT_TRUE(ssh("cp goalkeeper.db goalkeeper.db-wal")); /* a reader would take that, too */
    run_tool("audit --signature goalkeeper.db.sig --signers signers", NULL);
    expect_end(5, "goalkeeper.db-wal");
    TEST_ASSERT_TRUE(ssh("mkdir far; mv goalkeeper.db far/x.db; mv goalkeeper.db-wal far/x.db-wal; "
                         "ln -s far/x.db goalkeeper.db")); /* and where a link leads */
    run_tool("audit --signature goalkeeper.db.sig --signers signers", NULL);
    expect_end(5, "far/x.db-wal");
    TEST_ASSERT_TRUE(ssh("rm goalkeeper.db far/x.db-wal; mv far/x.db goalkeeper.db"));
    run_tool("audit --signature goalkeeper.db.sig --signers signers", NULL);
    expect_end(0, NULL);
    TEST_ASSERT_TRUE(ssh("printf x >> goalkeeper.db"));
    run_tool("audit --signature goalkeeper.db.sig --signers signers", NULL);
    expect_end(5, "not what somebody of the list has signed");
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_every_column_of_every_table);
    RUN_TEST(test_audit_compares);
    RUN_TEST(test_values_that_witnesses_show);
    RUN_TEST(test_an_audit_is_kept);
    RUN_TEST(test_signatures);
    return UNITY_END();
}
