/* merge as a user calls it: two halves of the work make the whole, what comes from elsewhere can be
 * re-checked, and forged results are found out. */
#include "folder.h"

#include "unity.h"

#include <string.h>

void setUp(void) {
    folder_open();
}
void tearDown(void) {
    folder_close();
}

static const char source[] = "int in, out;\n"
                             "static int low;\n"
                             "void step(void) {\n"
                             "  if (in > 3) { if (low < 10) low++; } else { low = 0; }\n"
                             "  if (low > 10) out = 1; }\n";

static void make_project(void) {
    put("a.c", source);
    put("goalkeeper.json", "{\"name\": \"a\", \"sources\": [\"a.c\"], \"step\": \"step\",\n"
                           " \"inputs\": [{\"name\": \"in\", \"min\": -5, \"max\": 20}]}\n");
}

static void make_half(const char *database, const char *engines) {
    run_tool(
        arena_printf(&arena, "run --quiet --db %s --engines %s --seconds 60", database, engines),
        NULL);
    expect_end(0, NULL);
}

/* What simulation finds is in a.db, what proofs decide in b.db. */
static void make_halves(void) {
    make_project();
    make_half("a.db", "simulate");
    make_half("b.db", "houdini,kind");
}

static void test_halves_make_a_whole_that_stands_the_audit(void) {
    make_halves();
    run_tool("merge all.db a.db b.db --audit", NULL);
    expect_end(0, NULL);
    TEST_ASSERT_TRUE(says(&r.out, "from 2 databases"));
    TEST_ASSERT_TRUE(says(&r.out, " 0 failed"));
    TEST_ASSERT_EQUAL_INT64(0, number_in("all.db", "SELECT count(*) FROM goal_status "
                                                   "WHERE status = 'open'"));
    TEST_ASSERT_EQUAL_INT64(3, number_in("all.db", "SELECT count(*) FROM goal_status "
                                                   "WHERE status = 'dead'"));
    /* a run goes on from it as from its own: nothing is left to do */
    run_tool("run --quiet --db all.db --engines simulate --seconds 60", NULL);
    expect_end(0, NULL);
    TEST_ASSERT_EQUAL_INT64(3, number_in("all.db", "SELECT count(*) FROM goal_status "
                                                   "WHERE status = 'dead'"));
}

static void test_results_that_contradict_end_in_5(void) {
    make_halves();
    change_database(
        "b.db", "UPDATE goal SET status = 'dead', witness = NULL, depth = 1, checked_by = 'cbmc',"
                " proof = (SELECT min(id) FROM proof) WHERE kind = 'function'");
    run_tool("merge all.db a.db b.db", NULL);
    expect_end(5, "verdicts contradict");
    TEST_ASSERT_TRUE(says(&r.out, "reachable and dead at once"));
    TEST_ASSERT_EQUAL_INT64(1, number_in("all.db", "SELECT count(*) FROM alarm WHERE "
                                                   "witness NOT NULL AND proof NOT NULL"));
}

/* Nothing contradicts it, so only the evidence can tell. */
static void test_the_audit_finds_what_a_shard_has_made_up(void) {
    make_project();
    make_half("b.db", "houdini,kind");
    change_database("b.db", "UPDATE proof SET invariant = replace(invariant, 'low', 'out')");
    run_tool("merge all.db b.db", NULL);
    expect_end(0, NULL);
    run_tool("merge all.db b.db --audit", NULL);
    expect_end(5, NULL);
}

static void test_another_program_is_refused(void) {
    make_project();
    run_tool("run --quiet --db a.db --goals-only", NULL);
    put("a.c", "int in, out; void step(void) { if (in > 7) out = 1; }\n");
    run_tool("run --quiet --db c.db --goals-only", NULL);
    expect_end(0, NULL);
    run_tool("merge all.db a.db c.db", NULL);
    expect_end(2, "different programs: a.c differs");
    TEST_ASSERT_FALSE(file_exists(path("all.db")));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_halves_make_a_whole_that_stands_the_audit);
    RUN_TEST(test_results_that_contradict_end_in_5);
    RUN_TEST(test_the_audit_finds_what_a_shard_has_made_up);
    RUN_TEST(test_another_program_is_refused);
    return UNITY_END();
}
