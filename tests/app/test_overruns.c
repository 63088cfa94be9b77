/* Beyond a loop limit, or a construct that it cannot follow, the model says nothing about the
 * program: no goal may be called dead before such a place is shown to be out of reach. Checked from
 * the outside, with CBMC (where there is one) and without. */
#include "base/tool.h"
#include "db/rows.h"
#include "run_program.h"

#include "scratch.h"
#include "unity.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

static struct str database;
static const char *cbmc[2] = {"/nonexistent", NULL}; /* none; the one of this machine */

static const char small_effort[] = "--engines houdini,kind,ic3 --goal-ticks 100000 --seconds 30";
static const char *effort;

void setUp(void) {
    scratch_open();
    str_addf(&database, "%s/t.db", str_text(&dir));
    effort = small_effort;
}
void tearDown(void) {
    str_free(&database);
    scratch_close();
}

static int64_t count(const char *sql) {
    struct store *db;
    TEST_ASSERT_TRUE_MESSAGE(store_open(&db, str_text(&database), STORE_READ, &err), "database");
    int64_t n = rows_single_int(db, sql);
    store_close(db);
    return n;
}

static int start(const char *command, const char *which) {
    /* without a compiler nothing is built or found natively: this is about proofs */
    const char *environment[] = {arena_printf(&arena, "GOALKEEPER_CBMC=%s", which),
                                 "GOALKEEPER_CC=/nonexistent", NULL};
    struct child_result result = run_program(command, environment, NULL);
    if (result.code != 0)
        printf("%s%s", str_text(&result.out), str_text(&result.err));
    int code = result.code;
    child_result_free(&result);
    return code;
}

static const char dead_sql[] = "SELECT count(*) FROM goal WHERE status = 'dead'";

/* A run with the engines that prove, and an audit of what it has stored. */
static void decide(const char *c, const char *inputs, const char *which) {
    put("t.c", c);
    put("goalkeeper.json",
        arena_printf(&arena,
                     "{\"name\":\"t\",\"target\":\"ilp32\",\"sources\":[\"t.c\"],"
                     "\"step\":\"step\",\"inputs\":[%s]}",
                     inputs));
    remove(str_text(&database));
    const char *line =
        arena_printf(&arena, "run -q --db %s %s %s", str_text(&database), effort, str_text(&dir));
    TEST_ASSERT_EQUAL_INT(0, start(line, which));
    TEST_ASSERT_EQUAL_INT64(0, count("SELECT count(*) FROM alarm"));
    line = arena_printf(&arena, "audit -q %s", str_text(&database));
    if (count(dead_sql) > 0)
        TEST_ASSERT_EQUAL_INT(0, start(line, which));
}

/* `dead`: how many goals are, with CBMC and without. */
static void expect_dead(const char *c, const char *inputs, int64_t dead) {
    for (int i = 0; i < 2 && cbmc[i]; i++) {
        decide(c, inputs, cbmc[i]);
        TEST_ASSERT_EQUAL_INT64_MESSAGE(dead, count(dead_sql), cbmc[i]);
    }
}

static const char limit_input[] = "{\"name\":\"limit\",\"min\":0,\"max\":60000}";

/* What follows the loop needs more iterations than the model follows; all of it can be reached. */
static void test_reachable_only_beyond_the_limit(void) {
    expect_dead("static unsigned char seen;\nunsigned short limit;\nunsigned char out;\n"
                "void step(void)\n{\n    unsigned int i = 0u;\n"
                "    while (i < limit) {\n        i = i + 1u;\n    }\n"
                "    if (i > 2000u) {\n        seen = 1u;\n    }\n"
                "    if (seen && (limit < 10u)) {\n        out = 1u;\n    }\n}\n",
                limit_input, 0);
    TEST_ASSERT_EQUAL_INT64(0, count("SELECT count(*) FROM goal WHERE bound NOT NULL"));
    TEST_ASSERT_EQUAL_INT64(0, count("SELECT count(*) FROM limitation"));
    /* the loop is kept then, and the end of the model is not why they are open */
    TEST_ASSERT_EQUAL_INT64(
        0, count("SELECT count(*) FROM goal WHERE reason LIKE '%where this may be reached%'"));
}

/* The same, seen by the next step only. */
static void test_reachable_only_beyond_the_limit_of_another_step(void) {
    expect_dead("static unsigned int sum;\nunsigned short limit;\nunsigned char out;\n"
                "void step(void)\n{\n    unsigned int i;\n"
                "    if (sum == 1500u) {\n        out = 1u;\n    }\n"
                "    sum = 0u;\n"
                "    for (i = 0u; i < limit; i++) {\n        sum = sum + 1u;\n    }\n}\n",
                limit_input, 0);
}

/* Behind the end of a member lies another, which CBMC would read: the run ends there for all. */
static void test_member_array_ends_runs(void) {
    expect_dead("struct s { signed char few[3], many[20]; };\n"
                "static const struct s t = {{1, 2, 3}, {9, 9, 9, 9}};\n"
                "unsigned char at;\nunsigned char out;\n"
                "void step(void)\n{\n    if (t.few[at] > 5) {\n        out = 1u;\n    }\n}\n",
                "{\"name\":\"at\"}", 3);
}

static void change(const char *sql) {
    sqlite3 *db;
    TEST_ASSERT_EQUAL_INT(SQLITE_OK, sqlite3_open(str_text(&database), &db));
    TEST_ASSERT_EQUAL_INT(SQLITE_OK, sqlite3_exec(db, sql, NULL, NULL, NULL));
    TEST_ASSERT_GREATER_THAN_INT(0, sqlite3_changes(db));
    sqlite3_close(db);
}

/* A loop that no limit would do for is kept, and what holds in it excludes three goals behind it.
 * The audit makes the same model, and does not take every invariant. */
static void test_kept_loop_excludes(void) {
    effort = "--engines cfa --seconds 100";
    expect_dead("static unsigned int total;\nunsigned short limit;\nunsigned char out;\n"
                "void step(void)\n{\n    unsigned int i = 0u;\n"
                "    while (i < limit) {\n        i = i + 1u;\n    }\n    total = i;\n"
                "    if (total > limit) {\n        out = 1u;\n    }\n}\n",
                limit_input, 3);
    TEST_ASSERT_EQUAL_INT64(
        count("SELECT count(*) FROM proof"),
        count("SELECT count(*) FROM proof WHERE invariant LIKE '%\"(place)\"%'"));
    change("UPDATE proof SET invariant = replace(invariant, '\"(place)\" <= 2', "
           "'\"(place)\" <= 1')");
    const char *line = arena_printf(&arena, "audit -q %s", str_text(&database));
    TEST_ASSERT_EQUAL_INT(5, start(line, cbmc[0]));
}

/* The sample whose loops are as long as calibration says: all is decided, by a model that ends
 * nowhere, and the audit makes that model again. */
static void test_sample_of_long_loops(void) {
    const char *run = arena_printf(&arena, "run -q --no-cache --cpu-seconds 120 -j 1 --db %s %s",
                                   str_text(&database), GK_SOURCE_DIR "/samples/injection_map");
    struct child_result result = run_program(run, NULL, NULL);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, result.code, str_text(&result.err));
    child_result_free(&result);
    TEST_ASSERT_EQUAL_INT64(0, count("SELECT count(*) FROM goal WHERE status = 'open'"));
    TEST_ASSERT_EQUAL_INT64(18, count(dead_sql));
    TEST_ASSERT_EQUAL_INT64(0, count("SELECT count(*) FROM limitation"));
    TEST_ASSERT_EQUAL_INT64(0, count("SELECT count(*) FROM alarm"));
    TEST_ASSERT_GREATER_THAN_INT64(
        0, count("SELECT count(*) FROM proof WHERE invariant LIKE '%\"(place)\"%'"));
    result = run_program(arena_printf(&arena, "audit -q %s", str_text(&database)), NULL, NULL);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, result.code, str_text(&result.err));
    child_result_free(&result);
}

/* Here the loop is short, which only an invariant says: three goals are dead, and what excludes the
 * overrun is part of their proof. */
static const char short_loop[] =
    "static unsigned short n;\nunsigned char grow;\nunsigned char out;\n"
    "void step(void)\n{\n    unsigned short i = 0u;\n"
    "    if (grow && (n < 20u)) {\n        n = n + 1u;\n    }\n"
    "    while (i < n) {\n        i = i + 1u;\n    }\n"
    "    if (i > 30u) {\n        out = 1u;\n    }\n}\n";
static const char grow_input[] = "{\"name\":\"grow\",\"min\":0,\"max\":1}";

static void test_limit_out_of_reach(void) {
    expect_dead(short_loop, grow_input, 3);
    TEST_ASSERT_EQUAL_INT64(
        count("SELECT count(DISTINCT proof) FROM goal"),
        count("SELECT count(DISTINCT g.proof) FROM goal g JOIN proof p ON p.id = g.proof WHERE "
              "p.invariant LIKE '%a loop that does not end%'"));
}

/* A run without CBMC leaves its proofs to the next one with it, which has to show once more that
 * the overrun is out of reach. */
static void test_what_the_solver_confirmed_is_left_to_cbmc(void) {
    static const char by_sql[] = "SELECT count(*) FROM goal WHERE checked_by IN (%s)";
    if (!cbmc[1])
        TEST_IGNORE_MESSAGE("CBMC is not installed");
    decide(short_loop, grow_input, cbmc[0]);
    TEST_ASSERT_EQUAL_INT64(3, count(arena_printf(&arena, by_sql, "'solver', 'z3,solver'")));
    const char *line =
        arena_printf(&arena, "run -q --db %s --engines houdini,kind --seconds 100 %s",
                     str_text(&database), str_text(&dir));
    TEST_ASSERT_EQUAL_INT(0, start(line, cbmc[1]));
    TEST_ASSERT_EQUAL_INT64(3,
                            count(arena_printf(&arena, by_sql, "'cbmc,solver', 'cbmc,z3,solver'")));
    TEST_ASSERT_EQUAL_INT64(3, count(dead_sql));
    TEST_ASSERT_EQUAL_INT64(0, count("SELECT count(*) FROM alarm"));
}

/* Nothing is known of what assembly does with an address, so nothing is dead that runs after it. */
static void test_assembly(void) {
    static const char c[] =
        "unsigned short limit;\nstatic unsigned char state;\nunsigned char out;\n"
        "static void touch(void)\n{\n    if (limit > %s) {\n"
        "        __asm__ volatile(\"\" : : \"r\"(&state));\n    }\n}\n"
        "void step(void)\n{\n    touch();\n"
        "    if (state > 3u) {\n        out = 1u;\n    }\n}\n";
    expect_dead(arena_printf(&arena, c, "100u"), limit_input, 0);
    /* the integrator says that the input never gets that far */
    expect_dead(arena_printf(&arena, c, "100u"), "{\"name\":\"limit\",\"min\":0,\"max\":100}", 6);
}

/* What is declared to write a variable makes that any value, and leaves the rest as it is. */
static void test_assembly_of_known_effect(void) {
    decide(
        "unsigned short limit;\nstatic unsigned int kept;\nunsigned char out;\n"
        "void step(void)\n{\n    unsigned int t;\n    if (kept == 7u) {\n        out = 1u;\n    }\n"
        "    __asm__ volatile(\"nop\" : \"=r\"(t));\n    kept = t;\n"
        "    if (limit > 60000u) {\n        out = 2u;\n    }\n}\n",
        limit_input, cbmc[0]);
    TEST_ASSERT_EQUAL_INT64(3, count(dead_sql)); /* those of the last decision */
    TEST_ASSERT_EQUAL_INT64(0, count("SELECT count(*) FROM goal WHERE status = 'dead' AND "
                                     "line < 12"));
}

/* A variable of the module is state then, and the order in which it is written counts. */
static void test_assembly_that_writes_a_global(void) {
    decide("unsigned short limit;\nstatic unsigned int kept;\nunsigned char out;\n"
           "static unsigned int now(void)\n{\n"
           "    __asm__ volatile(\"\" : \"=m\"(kept));\n    return 1u;\n}\n"
           "void step(void)\n{\n    unsigned int t = kept;\n    if (t == 7u) {\n        out = 1u;\n"
           "    }\n    kept = 5u;\n    if (kept + now() == 3u) {\n        out = 2u;\n    }\n"
           "    if (limit > 60000u) {\n        out = 3u;\n    }\n}\n",
           limit_input, cbmc[0]);
    TEST_ASSERT_EQUAL_INT64(3, count(dead_sql)); /* those of the last decision */
    TEST_ASSERT_EQUAL_INT64(0, count("SELECT count(*) FROM goal WHERE status = 'dead' AND "
                                     "line < 18"));
}

/* A function without a body that may write through a pointer into objects of any size. */
static void test_unknown_writer(void) {
    expect_dead("extern void fill(void *to);\nunsigned short limit;\nstatic unsigned char a[4];\n"
                "unsigned char out;\nvoid step(void)\n{\n    fill(&a[limit & 3u]);\n"
                "    if (a[1] == 3u) {\n        out = 1u;\n    }\n}\n",
                limit_input, 0);
}

int main(void) {
    struct arena all = {0}; /* longer than one test */
    cbmc[1] = tool_cbmc(&all);
    UNITY_BEGIN();
    RUN_TEST(test_reachable_only_beyond_the_limit);
    RUN_TEST(test_reachable_only_beyond_the_limit_of_another_step);
    RUN_TEST(test_member_array_ends_runs);
    RUN_TEST(test_kept_loop_excludes);
    RUN_TEST(test_sample_of_long_loops);
    RUN_TEST(test_limit_out_of_reach);
    RUN_TEST(test_what_the_solver_confirmed_is_left_to_cbmc);
    RUN_TEST(test_assembly);
    RUN_TEST(test_assembly_of_known_effect);
    RUN_TEST(test_assembly_that_writes_a_global);
    RUN_TEST(test_unknown_writer);
    arena_free(&all);
    return UNITY_END();
}
