/* Evidence that was changed behind our back: whatever is changed, audit says of which goal, and
 * ends with code 5. */
#include "base/file.h"
#include "db/rows.h"
#include "run_program.h"

#include "unity.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

static struct str dir;
static struct arena arena;
static struct err err;
static struct str original; /* the database of a good run */
static const char *environment[] = {"GOALKEEPER_CBMC=/nonexistent", NULL};
static char dead[24], reachable[24]; /* goals */

void setUp(void) {
}
void tearDown(void) {
}

static const char *path(const char *name) {
    return path_join(&arena, str_text(&dir), name);
}

static void expect(bool ok) {
    TEST_ASSERT_TRUE_MESSAGE(ok, str_text(&err.message));
}

/* The compiler leaves out the first function; its goals count all the same. */
static const char program[] = "static inline int spare(int a) { return a && (a > 3); }"
                              " static unsigned char n;\nunsigned char up;\nunsigned char out;\n"
                              "void step(void)\n{\n"
                              "    if (up && (n < 20)) {\n        n = n + 2;\n    }\n"
                              "    if (n == 18) {\n        out = 1;\n    }\n"
                              "    if (n > 21) {\n        out = 2;\n    }\n}\n";

static void pick(const char *sql, char id[24]) {
    struct store *db = NULL;
    expect(store_open(&db, path("t.db"), STORE_READ, &err));
    snprintf(id, 24, "%lld", (long long)rows_single_int(db, sql));
    store_close(db);
}

static void make_database(void) {
    expect(file_temp_dir(&dir, &err));
    expect(file_write(path("t.c"), program, strlen(program), &err));
    const char *line = arena_printf(
        &arena, "run -q --db %s --engines simulate,houdini,kind --seconds 60 --step step %s",
        path("t.db"), path("t.c"));
    struct child_result r = run_program(line, environment, NULL);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.err));
    child_result_free(&r);
    pick("SELECT min(id) FROM goal WHERE status = 'dead' AND line = 12", dead);
    pick("SELECT min(id) FROM goal WHERE status = 'reachable' AND line = 10", reachable);
    TEST_ASSERT_TRUE(strcmp(dead, "0") != 0 && strcmp(reachable, "0") != 0);
    expect(file_read(path("t.db"), &original, &err));
}

/* A copy of the good database with a change, and what audit says of the goal then. */
static struct child_result audit(const char *change, const char *goal) {
    sqlite3 *db = NULL;
    char *message = NULL;
    expect(file_write(path("c.db"), original.data, original.len, &err));
    TEST_ASSERT_EQUAL_INT(SQLITE_OK, sqlite3_open(path("c.db"), &db));
    sqlite3_exec(db, "PRAGMA ignore_check_constraints = 1; PRAGMA foreign_keys = 0", NULL, NULL,
                 NULL);
    int code = sqlite3_exec(db, change, NULL, NULL, &message);
    TEST_ASSERT_EQUAL_INT_MESSAGE(SQLITE_OK, code, message);
    TEST_ASSERT_TRUE_MESSAGE(!change[0] || sqlite3_total_changes(db) > 0, change);
    sqlite3_close(db);
    const char *line = arena_printf(&arena, "audit -q %s --goal %s", path("c.db"), goal);
    return run_program(line, environment, NULL);
}

static void find(const char *change, const char *goal, const char *finding) {
    struct child_result r = audit(change, goal);
    const char *said = arena_printf(&arena, "%s\n%s%s", change, str_text(&r.out), str_text(&r.err));
    TEST_ASSERT_EQUAL_INT_MESSAGE(ERR_EVIDENCE, r.code, said);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&r.out), finding), said);
    child_result_free(&r);
}

static void test_unchanged(void) {
    const char *const goals[] = {dead, reachable};
    for (int i = 0; i < 2; i++) {
        struct child_result r = audit("", goals[i]);
        TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.out));
        TEST_ASSERT_TRUE(says(&r.out, "1 verdicts re-checked, 0 failed"));
        TEST_ASSERT_EQUAL(goals[i] == dead, says(&r.out, "Z3 confirms 1 of 1 proofs, 0 it leaves"));
        child_result_free(&r);
    }
}

static void test_proofs(void) {
    find("UPDATE proof SET invariant = 'invariant 1 k 1' || char(10) || 'end' || char(10)", dead,
         "its proof is refuted");
    find("UPDATE proof SET invariant = 'x'", dead, "its proof cannot be read");
    find("UPDATE proof SET invariant = replace(invariant, '\"n\"', '\"m\"')", dead,
         "its proof cannot be read");
    find("UPDATE proof SET k = k + 1", dead, "its proof has another depth");
    find("UPDATE proof_clause SET text = text || '0'", dead, "the clauses it shows");
    find("DELETE FROM proof_clause", dead, "the clauses it shows");
    find("UPDATE piece SET text = 'int main(void) { return 0; }'", dead,
         "its certificate is not about");
    find("UPDATE piece SET text = replace(text, '__CPROVER_assert(', '(void)(')", dead,
         "its certificate is not about");
    find("UPDATE piece SET text = replace(text, '> 21', '> 251')", dead,
         "its certificate is not about");
    find("UPDATE piece SET text = replace(text, '> 21', '> 251')", dead,
         "the certificate of its reason is not about");
    find("UPDATE piece SET text = replace(text, '] = 1', '] = 0')", dead,
         "its certificate is not about");
    find("INSERT INTO certificate_piece SELECT proof, 1000, piece FROM certificate_piece "
         "WHERE number = (SELECT min(number) FROM certificate_piece)",
         dead, "its certificate is not about");
    find("UPDATE proof SET certificate = 'int main(void) { return 0; }'", dead,
         "its certificate is not about");
}

static void test_statuses(void) {
    find("DELETE FROM proof", dead, "do not fit together");
    find("UPDATE goal SET proof = NULL WHERE status = 'dead'", dead, "do not fit together");
    find("UPDATE goal SET status = 'open'", dead, "do not fit together");
    find("DELETE FROM witness", reachable, "do not fit together");
    find("UPDATE goal SET witness = NULL WHERE status = 'reachable'", reachable,
         "do not fit together");
    find("UPDATE goal SET proof = 1 WHERE status = 'reachable'", reachable, "do not fit together");
    find(arena_printf(&arena, "INSERT INTO alarm (goal, at, text) VALUES (%s, '', 'an alarm')",
                      dead),
         dead, "an alarm");
    find("UPDATE goal SET status = 'dead', proof = (SELECT max(id) FROM proof), witness = NULL "
         "WHERE status = 'reachable'",
         reachable, "its proof is refuted");
}

static void test_program(void) {
    find("UPDATE artifact SET content = replace(content, '> 21', '> 22') WHERE name = 'woven.c'",
         dead, "the program in the database is not the one");
    find("UPDATE run_info SET value = 'x' WHERE key = 'woven_sha256'", dead,
         "the program in the database is not the one");
}

static void test_witnesses(void) {
    find("UPDATE witness_event SET bits = 0", reachable, "its witness does not hit it");
    find("DELETE FROM witness_event", reachable, "its witness does not hit it");
    find("UPDATE witness SET steps = 1", reachable, "its witness does not hit it");
    find("UPDATE witness_event SET input = 99", reachable, "its witness cannot be read");
    find("UPDATE goal SET depth = depth + 1", reachable, "hits it in another step");
    find("UPDATE witness_cell SET bits = bits + 1", reachable, "leads to other states");
    find(arena_printf(&arena,
                      "UPDATE goal SET status = 'reachable', proof = NULL, witness = (SELECT "
                      "witness FROM goal WHERE id = %s) WHERE status = 'dead'",
                      reachable),
         dead, "its witness does not hit it");
}

static void expect_end(const char *line, int code, const char *words) {
    struct child_result r = run_program(line, environment, NULL);
    const char *said = arena_printf(&arena, "%s\n%s%s", line, str_text(&r.out), str_text(&r.err));
    TEST_ASSERT_EQUAL_INT_MESSAGE(code, r.code, said);
    TEST_ASSERT_TRUE_MESSAGE(says(&r.out, words), said);
    child_result_free(&r);
}

static void run_shell(const char *command, const char *words) {
    const char *argv[] = {"sh", "-c", command, NULL};
    struct child_spec spec = {.argv = argv, .dir = str_text(&dir)};
    struct child_result r = {0};
    expect(child_run(&spec, &r, &err));
    TEST_ASSERT_TRUE_MESSAGE(says(&r.out, words), str_text(&r.err));
    child_result_free(&r);
}

/* Outputs are compared at both ends of such a run. */
static void export_deep_test(const char *database) {
    const char *folder = path("tests");
    expect_end(arena_printf(&arena, "export -q %s -o %s --tests plain", database, folder), 0, "");
    run_shell("f=$(grep -l 'outputs not compared' tests/plain/*.c) && cc -o deep \"$f\" && ./deep",
              "passed");
    run_shell("sed 's/gk_want_out = 227U/gk_want_out = 226U/' \"$(grep -l 'not compared' "
              "tests/plain/*.c)\" >wrong.c && cc -o wrong wrong.c; ./wrong",
              "FAILED");
}

/* More steps than can be recorded; one that nobody can run to its end keeps the audit no longer
 * than it is told. */
static void test_a_witness_of_a_million_steps(void) {
    static const char counter[] = "unsigned char in, out; static unsigned count, table[100];\n"
                                  "void step(void) {\n"
                                  "    if (in == 7) count++; else count = 0;\n"
                                  "    table[count % 100u] = count;\n"
                                  "    if (count > 1000000u) out = (unsigned char)table[in];\n"
                                  "}\n";
    static const char forge[] = "UPDATE witness SET steps = 4000000000 WHERE steps > 1000000;"
                                "UPDATE goal SET depth = 4000000000 WHERE depth > 1000000;"
                                "DELETE FROM witness_cell";
    sqlite3 *db = NULL;
    const char *file = path("deep.db"), *goal = "'out = (unsigned char)table[in];'";
    expect(file_write(path("d.c"), counter, strlen(counter), &err));
    expect_end(arena_printf(&arena,
                            "run -q --db %s --seconds 100 --step step "
                            "--criteria statement --require-complete %s",
                            file, path("d.c")),
               0, "");
    expect_end(arena_printf(&arena, "audit -q %s", file), 0, "6 verdicts re-checked, 0 failed, 0");
    struct store *stored = NULL;
    expect(store_open(&stored, file, STORE_READ, &err));
    int id = (int)rows_single_int(
        stored, arena_printf(&arena, "SELECT id FROM goal WHERE text = %s", goal));
    store_close(stored);
    expect_end(arena_printf(&arena, "replay %s %d", file, id), 0, "The goal is hit in step 10000");
    export_deep_test(file);
    TEST_ASSERT_EQUAL_INT(SQLITE_OK, sqlite3_open(file, &db));
    TEST_ASSERT_EQUAL_INT(SQLITE_OK, sqlite3_exec(db, forge, NULL, NULL, NULL));
    sqlite3_close(db);
    expect_end(
        arena_printf(&arena, "audit -q %s --goal %d --goal-seconds 1 --require-complete", file, id),
        ERR_EVIDENCE, "its witness could not be replayed in time");
}

int main(void) {
    UNITY_BEGIN();
    make_database();
    RUN_TEST(test_unchanged);
    RUN_TEST(test_proofs);
    RUN_TEST(test_statuses);
    RUN_TEST(test_program);
    RUN_TEST(test_witnesses);
    RUN_TEST(test_a_witness_of_a_million_steps);
    file_remove_tree(str_text(&dir));
    str_free(&dir);
    str_free(&original);
    arena_free(&arena);
    return UNITY_END();
}
