/* Forged evidence whose checksums were made to fit: audit lists and weaves the stored sources
 * again, and sees what the database says of its program that they do not. */
#include "folder.h"

#include "base/sha256.h"

#include "unity.h"

#include <sqlite3.h>
#include <string.h>

void setUp(void) {
    folder_open();
}

void tearDown(void) {
    folder_close();
}

static const char header[] = "#define LIMIT 9\nextern unsigned char in, mode, out;\n";
static const char source[] = "#include \"m.h\"\n"
                             "unsigned char in, mode, out, unnamed; static unsigned char n;\n"
                             "static int deep(int a) { return a ? deep(a - 1) : 0; }\n"
                             "void step(void) {\n"
                             "    if (unnamed > 3) out = deep(mode);\n"
                             "    if (n < 5 && in > 3) n++;\n"
                             "    if (n > LIMIT) out = 1;\n"
                             "}\n";
static const char project[] =
    "{\"sources\": [\"src/m.c\"], \"include_dirs\": [\"include\"],\n"
    " \"step\": \"step\", \"mcdc\": \"unique-cause\",\n"
    " \"inputs\": [{\"name\": \"in\", \"max\": 7}, {\"name\": \"mode\"}]}\n";

static void make_database(const char *options) {
    put("src/m.c", source);
    put("include/m.h", header);
    put("goalkeeper.json", project);
    run_tool(arena_printf(&arena, "run --goals-only --quiet%s", options), NULL);
    expect_end(0, NULL);
}

/* Changes the database, and takes away the checksum that would show it. */
static void forge(const char *sql) {
    sqlite3 *handle = NULL;
    TEST_ASSERT_EQUAL_INT(SQLITE_OK, sqlite3_open(path("goalkeeper.db"), &handle));
    sqlite3_exec(handle, "DELETE FROM run_info WHERE key = 'evidence_sum'", NULL, NULL, NULL);
    int code = sqlite3_exec(handle, sql, NULL, NULL, NULL);
    TEST_ASSERT_EQUAL_INT_MESSAGE(SQLITE_OK, code, sqlite3_errmsg(handle));
    TEST_ASSERT_GREATER_THAN_INT_MESSAGE(0, sqlite3_total_changes(handle), sql);
    sqlite3_close(handle);
}

static void expect_audit(int code, const char *words) {
    run_tool("audit", NULL);
    const char *said = arena_printf(&arena, "wanted '%s', but: %s", words, str_text(&r.out));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&r.out), words), said);
    expect_end(code, NULL);
}

struct forgery {
    const char *sql, *words;
};

/* Each alone, in a database that is good. */
static void expect_noticed(const struct forgery *forgeries, size_t n) {
    struct str bytes = {0};
    make_database("");
    TEST_ASSERT_TRUE(file_read(path("goalkeeper.db"), &bytes, &err));
    for (size_t i = 0; i < n; i++) {
        forge(forgeries[i].sql);
        expect_audit(5, forgeries[i].words);
        TEST_ASSERT_TRUE(file_write(path("goalkeeper.db"), bytes.data, bytes.len, &err));
    }
    str_free(&bytes);
}

static void test_the_same(void) {
    make_database("");
    expect_audit(0, "goals and program are what the sources in the database give");
    run_tool("audit --require-complete", NULL);
    expect_end(0, NULL);
}

/* Nothing on the disk counts: neither the sources nor where they lie. */
static void test_from_the_database_alone(void) {
    make_database("");
    put("src/m.c", "int other;\n");
    put("include/m.h", "#error gone\n");
    expect_audit(0, "goals and program are what the sources in the database give");
}

static void test_what_reports_show(void) {
    static const struct forgery forgeries[] = {
        {"UPDATE goal SET line = line + 1 WHERE id = 3", "goal 3: 'line' is"},
        {"UPDATE goal SET file = 'src/other.c' WHERE id = 3", "'file' is 'src/other.c'"},
        {"UPDATE goal SET text = 'n > 90' WHERE id = 3", "'text' is 'n > 90'"},
        {"UPDATE goal SET kind = 'branch', value = 1 WHERE id = 1", "'kind' is 'branch'"},
        {"DELETE FROM goal WHERE id = (SELECT max(id) FROM goal)", "missing in the database"},
        {"INSERT INTO goal (id, key, probe, kind, file, line, col, end_line, end_col, function, "
         "text) SELECT 1000, 'f', probe, kind, file, line, col, end_line, end_col, function, text "
         "FROM goal WHERE id = 1",
         "goal 1000 is not in the sources"},
        {"UPDATE decision SET text = 'x' WHERE id = 1", "decision 1: 'text' is 'x'"},
        {"UPDATE decision_condition SET text = 'x' WHERE position = 1", "'text' is 'x'"},
        {"DELETE FROM implication WHERE a = (SELECT min(a) FROM implication)", "implication"},
        {"DELETE FROM unique_cause_pair", "missing in the database"},
        {"UPDATE variable SET max = 3 WHERE path = 'in'", "'max' is '3', the sources say '7'"},
        {"UPDATE variable SET role = 'parameter' WHERE path = 'in'", "'role' is 'parameter'"},
        {"DROP VIEW warning; CREATE VIEW warning AS SELECT 'none' AS text",
         "view 'warning' is not made as ours is"},
        {"CREATE TRIGGER t AFTER INSERT ON run_info BEGIN UPDATE goal SET status = 'open'; END",
         "trigger 't' is none of ours"},
        {"UPDATE goal_expansion SET text = 'n > 8'", "'text' is 'n > 8'"},
        {"UPDATE run_info SET value = 'lp64' WHERE key = 'target'",
         "says 'lp64' for 'target', its project file 'ilp32'"},
        {"UPDATE run_info SET value = 'unsigned' WHERE key = 'char'", "for 'char'"},
        {"UPDATE run_info SET value = 'branch' WHERE key = 'criteria'", "for 'criteria'"},
        {"UPDATE run_info SET value = 'masking' WHERE key = 'mcdc'", "for 'mcdc'"},
        {"UPDATE run_info SET value = 'in < 3' WHERE key = 'assumptions'", "for 'assumptions'"},
        {"UPDATE run_info SET value = 'other' WHERE key = 'name'", "for 'name'"},
        {"UPDATE module_warning SET text = 'all is well'", "warning"},
        {"DELETE FROM module_warning", "is missing in the database"},
        {"DELETE FROM limitation", "was not analysed is missing in the database"},
    };
    expect_noticed(forgeries, sizeof forgeries / sizeof *forgeries);
}

/* An index that answers what its table does not say: coverage_summary is read from one alone. */
static void test_an_index_of_other_rows(void) {
    make_database("");
    forge("UPDATE goal SET status = 'open'; DROP INDEX goal_summary; "
          "CREATE INDEX goal_summary ON goal (file, function, kind, text, key); "
          "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = 'CREATE INDEX goal_summary "
          "ON goal (file, function, kind, status, key)' WHERE name = 'goal_summary'; "
          "PRAGMA writable_schema = RESET");
    expect_audit(5, "does not fit together");
}

static void test_tables_of_others(void) {
    static const struct forgery forgeries[] = {
        {"CREATE INDEX other ON goal (status) WHERE status = 'dead'", "index 'other' is none"},
        {"DROP VIEW goal_status", "view 'goal_status' is missing"},
        {"ALTER TABLE limitation ADD COLUMN more GENERATED ALWAYS AS (line + 1)",
         "table 'limitation' is not made as ours is"},
        {"DROP TABLE measured; CREATE VIEW measured AS SELECT id AS goal, 1 AS hit FROM goal",
         "view 'measured' is none of ours"},
    };
    expect_noticed(forgeries, sizeof forgeries / sizeof *forgeries);
}

/* Numbers of the database that become sizes, and what decides how the program is read. */
static void test_what_cannot_be(void) {
    struct str bytes = {0};
    make_database("");
    TEST_ASSERT_TRUE(file_read(path("goalkeeper.db"), &bytes, &err));
    forge("UPDATE run_info SET value = 'task' WHERE key = 'form'");
    run_tool("audit", NULL);
    expect_end(5, "a verification task has one goal");
    TEST_ASSERT_TRUE(file_write(path("goalkeeper.db"), bytes.data, bytes.len, &err));
    forge("UPDATE goal SET probe = 4294967290 WHERE id = 3");
    run_tool("audit", NULL);
    expect_end(5, "a probe that no program has");
    str_free(&bytes);
}

/* "src//m.c" would be written where "src/m.c" is, which the reports show. */
static void test_two_files_of_one_name(void) {
    make_database("");
    forge("INSERT INTO artifact SELECT 'header:src//m.c', content FROM artifact WHERE name = "
          "'source:src/m.c'; INSERT INTO run_info SELECT 'sha256:src//m.c', value FROM run_info "
          "WHERE key = 'sha256:src/m.c'");
    run_tool("audit", NULL);
    expect_end(5, "twice");
}

/* A file and its hash, or only the file. */
static void replace(const char *artifact, const char *file, const char *text, bool hash_too) {
    char hash[SHA256_HEX];
    sha256_hex(text, strlen(text), hash);
    struct str hex = {0};
    for (const char *c = text; *c; c++)
        str_addf(&hex, "%02x", (unsigned char)*c);
    forge(arena_printf(&arena, "UPDATE artifact SET content = x'%s' WHERE name = '%s'",
                       str_text(&hex), artifact));
    str_free(&hex);
    if (hash_too)
        forge(arena_printf(&arena,
                           "UPDATE run_info SET value = '%s' WHERE key IN ('sha256:%s', %s)", hash,
                           file, strcmp(artifact, file) ? "''" : "'woven_sha256'"));
}

static void test_sources_and_program(void) {
    struct str bytes = {0}, woven = {0};
    struct store *db = NULL;
    make_database("");
    TEST_ASSERT_TRUE(file_read(path("goalkeeper.db"), &bytes, &err));
    TEST_ASSERT_TRUE(store_open(&db, path("goalkeeper.db"), STORE_READ, &err));
    TEST_ASSERT_TRUE(store_get_artifact(db, "woven.c", &woven));
    store_close(db);

    replace("source:src/m.c", "src/m.c", "int x;", false);
    expect_audit(5, "src/m.c in the database is not the file that the run has read");
    TEST_ASSERT_TRUE(file_write(path("goalkeeper.db"), bytes.data, bytes.len, &err));
    replace("header:include/m.h", "include/m.h",
            "#define LIMIT 8\nextern unsigned char in, mode, out;\n", true);
    expect_audit(5, "the program in the database is not the one that its sources give");
    TEST_ASSERT_TRUE(file_write(path("goalkeeper.db"), bytes.data, bytes.len, &err));
    char *five = strstr(str_text(&woven), "n < 5");
    TEST_ASSERT_NOT_NULL(five);
    five[4] = '6';
    replace("woven.c", "woven.c", str_text(&woven), true);
    expect_audit(5, "the program in the database is not the one that its sources give");
    str_free(&woven);
    str_free(&bytes);
}

/* What cannot be compared is said, and nothing more. */
static void test_not_compared(void) {
    make_database(" --criteria branch");
    expect_audit(0, "not made again from the sources: the run had --criteria on the command line");
    run_tool("audit --require-complete", NULL);
    expect_end(4, "goals and program were not made again from the sources");
    make_database("");
    forge("UPDATE run_info SET value = 'other' WHERE key = 'tool_build'");
    expect_audit(0, "goals and program are what the sources in the database give");
    forge("UPDATE variable SET max = 3 WHERE path = 'in'");
    expect_audit(0, "they are read differently here, where tool_build is another");
    forge("UPDATE artifact SET name = 'source:../../../../../../../../../m.c' WHERE name = "
          "'source:src/m.c'; "
          "UPDATE run_info SET key = 'sha256:../../../../../../../../../m.c' WHERE key = "
          "'sha256:src/m.c'");
    expect_audit(0, "lies outside of the project");
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_the_same);
    RUN_TEST(test_from_the_database_alone);
    RUN_TEST(test_what_reports_show);
    RUN_TEST(test_an_index_of_other_rows);
    RUN_TEST(test_tables_of_others);
    RUN_TEST(test_what_cannot_be);
    RUN_TEST(test_two_files_of_one_name);
    RUN_TEST(test_sources_and_program);
    RUN_TEST(test_not_compared);
    return UNITY_END();
}
