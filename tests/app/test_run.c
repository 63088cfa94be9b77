/* `goalkeeper run` from outside: what it decides is complete and checked, it repeats itself, it can
 * be stopped and killed at any moment, and it says why goals are open. */
#include "app/cli/command.h"
#include "base/file.h"
#include "base/rng.h"
#include "db/rows.h"
#include "run_program.h"

#include "unity.h"

#include <stdlib.h>
#include <string.h>

#define DATA GK_SOURCE_DIR "/tests/app/data/run/"

static struct str dir;
static struct arena arena;
static struct err err;
static struct child_result r;

/* The folder of the whole test: m.db of the first run is looked at by several. */
void setUp(void) {
}
void tearDown(void) {
    child_result_free(&r);
    arena_free(&arena);
}

static const char *path(const char *name) {
    return arena_printf(&arena, "%s/%s", str_text(&dir), name);
}

/* `command` is for the shell, in the temporary folder; "goalkeeper" is the program under test. */
static void shell(const char *command) {
    const char *argv[] = {"sh", "-c", command, NULL};
    const char *environment[] = {"PATH=" GK_BINARY_DIR ":/usr/local/bin:/usr/bin:/bin", NULL};
    struct child_spec spec = {
        .argv = argv, .environment = environment, .dir = str_text(&dir), .wall_seconds = 600};
    child_result_free(&r);
    TEST_ASSERT_TRUE_MESSAGE(child_run(&spec, &r, &err), str_text(&err.message));
    TEST_ASSERT_EQUAL_INT_MESSAGE(CHILD_EXITED, r.end, command);
}

static void run(const char *project, const char *db, const char *options) {
    shell(arena_printf(&arena, "exec goalkeeper run " DATA "%s.json --db %s %s", project, db,
                       options));
}

static int64_t number(const char *db, const char *sql) {
    struct store *store = NULL;
    TEST_ASSERT_TRUE_MESSAGE(store_open(&store, path(db), STORE_READ, &err),
                             str_text(&err.message));
    int64_t n = rows_single_int(store, sql);
    store_close(store);
    return n;
}

/* All rows of a query as one text. */
static const char *table(const char *db, const char *sql) {
    struct store *store = NULL;
    struct str out = {0};
    TEST_ASSERT_TRUE_MESSAGE(store_open(&store, path(db), STORE_READ, &err),
                             str_text(&err.message));
    struct rows *rows = rows_open(store, sql, &err);
    while (rows_next(rows)) {
        for (int i = 0; i < rows_columns(rows); i++)
            str_addf(&out, "%s\t", rows_text(rows, i));
        str_addc(&out, '\n');
    }
    TEST_ASSERT_TRUE_MESSAGE(rows_close(rows, &err), str_text(&err.message));
    store_close(store);
    const char *text = arena_strdup(&arena, str_text(&out));
    str_free(&out);
    return text;
}

static const char *statuses(const char *db) {
    return table(db, "SELECT key, status FROM goal_status ORDER BY goal_id");
}

/* What is known of machine.c: statements marked as dead, all others reachable. */
static void expect_machine_decided(const char *db) {
    TEST_ASSERT_EQUAL_INT64(0,
                            number(db, "SELECT count(*) FROM goal_status WHERE status = 'open'"));
    TEST_ASSERT_EQUAL_STRING(
        "out = 1;\t\nmode = 0;\t\nout = 2;\t\nout = 4;\t\n",
        table(db, "SELECT text FROM goal_status WHERE status = 'dead' AND kind = 'statement' "
                  "ORDER BY line"));
}

static void test_everything_is_decided_and_checked(void) {
    run("machine", "m.db", "--require-complete");
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.err));
    expect_machine_decided("m.db");
    TEST_ASSERT_EQUAL_INT64(
        0, number("m.db", "SELECT count(*) FROM goal_status WHERE checked_by IS NULL OR "
                          "evidence IS NULL OR engine IS NULL OR depth IS NULL"));
    TEST_ASSERT_EQUAL_INT64(
        0, number("m.db", "SELECT count(*) FROM goal_status WHERE (checked_by = 'replay') <> "
                          "(status = 'reachable')"));
    TEST_ASSERT_TRUE(says(&r.out, "Dead goals"));
    TEST_ASSERT_FALSE(says(&r.out, "Open goals:"));
}

/* Floats that move by constants: what their README calls dead is, by gaps between their values. */
static void test_values_are_missed_by_a_bit(void) {
    shell("exec goalkeeper run " GK_SOURCE_DIR "/samples/cabin_light --db cabin.db -j1 "
          "--seconds 300 --require-complete");
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.err));
    TEST_ASSERT_EQUAL_STRING(
        "68\tX_Sa2_Fade < 0.038F\t1\t\n99\tX_Sa3_Dial > 10.F\t1\t\n"
        "104\tX_Sa3_Dial == 7.125F\t1\t\n129\tX_Sa4_Time == 2.F\t1\t\n"
        "132\tX_Sa4_Time > 2.01F\t0\t\n165\tSa1_Power > 10.25F\t1\t\n",
        table("cabin.db", "SELECT line, text, value FROM goal_status WHERE status = 'dead' "
                          "AND kind = 'condition' ORDER BY line"));
}

/* Only the goals inside of them are not listed. */
static void test_gnu_expressions_are_decided(void) {
    run("gnu", "g.db", "");
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.err));
    TEST_ASSERT_EQUAL_STRING(
        "out = 1;\treachable\t5\t\nout = 2;\tdead\t4\t\n",
        table("g.db", "SELECT text, status, count(*) FROM goal_status WHERE text LIKE 'out%' "
                      "GROUP BY text, status ORDER BY text"));
}

/* Whoever has proved a goal has an attempt on it in the books, and so has its check. */
static void test_attempts_are_recorded(void) {
    TEST_ASSERT_EQUAL_INT64(
        0, number("m.db", "SELECT count(*) FROM goal_status g WHERE status = 'dead' AND NOT EXISTS "
                          "(SELECT 1 FROM attempt a WHERE a.outcome = 'confirmed' AND "
                          "a.engine = g.engine AND a.goal_id = g.goal_id)"));
    TEST_ASSERT_GREATER_THAN_INT64(0, number("m.db", "SELECT count(*) FROM attempt WHERE ticks > 0 "
                                                     "AND seconds > 0 AND peak_mb > 0"));
    TEST_ASSERT_EQUAL_INT64(
        0, number("m.db", "SELECT count(*) FROM attempt WHERE outcome = '' OR started = ''"));
}

/* A dead verdict rests on a proof that stands alone: an invariant with its own certificate. Where a
 * goal follows from another one, the chain ends, at a goal with a proof of its own. */
static void test_dead_verdicts_rest_on_proofs_that_stand_alone(void) {
    TEST_ASSERT_EQUAL_INT64(
        0, number("m.db", "WITH RECURSIVE rests(goal, from_goal, length) AS ("
                          "SELECT id, id, 0 FROM goal WHERE status = 'dead' UNION "
                          "SELECT r.goal, g.implied_by, r.length + 1 FROM rests r JOIN goal g ON "
                          "g.id = r.from_goal WHERE g.implied_by IS NOT NULL AND r.length < 1000) "
                          "SELECT count(*) FROM rests r WHERE r.length >= 1000"));
    TEST_ASSERT_EQUAL_INT64(
        0, number("m.db", "SELECT count(*) FROM goal g WHERE status = 'dead' AND implied_by IS "
                          "NULL AND NOT EXISTS (SELECT 1 FROM certificate_piece p WHERE "
                          "p.proof = g.proof)"));
    shell("exec goalkeeper audit m.db");
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.out));
}

static const char verdict_columns[] =
    "SELECT key, status, bound, engine, depth, ticks, checked_by, assumes, reason FROM goal_status "
    "ORDER BY goal_id";

static void test_deterministic_runs_repeat_with_any_number_of_jobs(void) {
    run("machine", "one.db", "--deterministic -j1 --seed 5");
    run("machine", "two.db", "--deterministic -j2 --seed 5");
    expect_machine_decided("one.db");
    TEST_ASSERT_EQUAL_STRING(table("one.db", verdict_columns), table("two.db", verdict_columns));
}

static void test_deterministic_runs_repeat_what_stays_open(void) {
    static const char options[] =
        "--deterministic --engines houdini,kind,ic3 --goal-ticks 100000 --goal-seconds 1";
    run("hard", "one.db", arena_printf(&arena, "%s -j1", options));
    run("hard", "two.db", arena_printf(&arena, "%s -j2", options));
    TEST_ASSERT_GREATER_THAN_INT64(
        0, number("one.db", "SELECT count(*) FROM goal_status WHERE status = 'open'"));
    TEST_ASSERT_EQUAL_STRING(table("one.db", verdict_columns), table("two.db", verdict_columns));
}

/* ---- stopped and killed ---- */

static void expect_stopped(const char *signal, const char *options, int code) {
    shell(arena_printf(&arena,
                       "exec timeout -s %s --preserve-status 3 goalkeeper run " DATA
                       "hard.json --db %s.db %s",
                       signal, signal, options));
    TEST_ASSERT_EQUAL_INT_MESSAGE(code, r.code, str_text(&r.err));
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "stopped by a signal"), str_text(&r.err));
    TEST_ASSERT_FALSE_MESSAGE(says(&r.err, "ended with"), str_text(&r.err));
}

/* The exit code says which signal it was. The signal goes to the whole process group, as that
 * of a terminal does. */
static void test_signals_stop_a_run_with_everything_stored(void) {
    expect_stopped("INT", "", 130);
    TEST_ASSERT_TRUE(says(&r.out, "Open goals"));
    expect_stopped("TERM", "--require-complete", 143);
    expect_stopped("HUP", "", 129);
    TEST_ASSERT_EQUAL_INT64(0, number("INT.db",
                                      "SELECT count(*) FROM goal_status WHERE status = 'open' AND "
                                      "reason NOT LIKE '%lever:%'"));
}

/* Runs and kills it after so many seconds. True when it had ended by itself. */
static bool killed_run(const char *db, double seconds) {
    const char *argv[] = {
        GK_BINARY_DIR "/goalkeeper", "run", "-q", DATA "machine.json", "--db", db, NULL};
    struct child_spec spec = {.argv = argv, .wall_seconds = seconds};
    struct child_result result;
    TEST_ASSERT_TRUE(child_run(&spec, &result, &err));
    bool ended = result.end == CHILD_EXITED;
    if (ended)
        TEST_ASSERT_EQUAL_INT_MESSAGE(0, result.code, str_text(&result.err));
    child_result_free(&result);
    return ended;
}

/* A run that was killed at once leaves no database, or one that has nothing in it yet. */
static bool has_results(const char *db) {
    struct store *store = NULL;
    struct err why = {0};
    bool has = file_exists(path(db)) && store_open(&store, path(db), STORE_READ, &why);
    TEST_ASSERT_TRUE_MESSAGE(has || !file_exists(path(db)) || says(&why.message, "nothing in it"),
                             str_text(&why.message));
    store_close(store);
    err_clear(&why);
    return has;
}

static void test_a_killed_run_resumes_and_loses_no_verdict(void) {
    enum { KILLS = 12 };
    struct rng rng;
    int64_t decided = 0;
    rng_init(&rng, 3);
    for (int kills = 0; kills < KILLS; kills++) {
        killed_run(path("killed.db"), 0.2 + 2.0 * (double)rng_below(&rng, 1000) / 1000);
        if (!has_results("killed.db"))
            continue;
        TEST_ASSERT_EQUAL_STRING("ok\t\n",
                                 table("killed.db", "SELECT * FROM pragma_integrity_check"));
        int64_t now =
            number("killed.db", "SELECT count(*) FROM goal_status WHERE status <> 'open'");
        TEST_ASSERT_GREATER_OR_EQUAL_INT64(decided, now);
        decided = now;
    }
    run("machine", "killed.db", "--require-complete");
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.err));
    expect_machine_decided("killed.db");
}

/* What is decided is not decided again. */
static void test_a_finished_run_has_nothing_left_to_do(void) {
    const char *before = table("m.db", "SELECT count(*) FROM attempt");
    const char *verdicts = statuses("m.db");
    run("machine", "m.db", "-v");
    TEST_ASSERT_EQUAL_INT(0, r.code);
    if (number("m.db", "SELECT count(*) FROM goal WHERE status = 'dead' AND checked_by NOT LIKE "
                       "'%cbmc%'") == 0)
        TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "nothing is built"), str_text(&r.err));
    TEST_ASSERT_EQUAL_STRING(before, table("m.db", "SELECT count(*) FROM attempt"));
    TEST_ASSERT_EQUAL_STRING(verdicts, statuses("m.db"));
}

/* ---- budgets and reasons ---- */

static void test_the_total_time_ends_a_run(void) {
    run("hard", "t.db", "--seconds 3 --goal-seconds 1000");
    TEST_ASSERT_EQUAL_INT(0, r.code);
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "the total time of 3 s is over"), str_text(&r.err));
    run("hard", "t.db", "--seconds 1 --require-complete");
    TEST_ASSERT_EQUAL_INT(4, r.code);
}

static void test_cpu_time_ends_a_run(void) {
    run("hard", "cpu.db", "--cpu-seconds 4 --goal-seconds 1000");
    TEST_ASSERT_EQUAL_INT(0, r.code);
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "the CPU time of 4 s is used up"), str_text(&r.err));
}

static int64_t open_because(const char *db, const char *text, const char *reason) {
    return number(db, arena_printf(&arena,
                                   "SELECT count(*) FROM goal_status WHERE status = 'open' AND "
                                   "kind = 'statement' AND text = '%s' AND reason LIKE '%%%s%%'",
                                   text, reason));
}

/* Ends by itself, however slow the machine is. */
static const char few_ticks[] = "--engines kind --goal-ticks 20000 --goal-seconds 5";

static int64_t waiting(const char *db, const char *class, const char *text) {
    return number(db, arena_printf(&arena,
                                   "SELECT count(*) FROM cause WHERE class = 'waits for: %s' AND "
                                   "text LIKE '%s%%'",
                                   class, text));
}

/* Each open goal is in one group. */
static void expect_groups(const char *db) {
    TEST_ASSERT_EQUAL_INT64(
        1, number(db, "SELECT sum(goals) = (SELECT count(*) FROM goal_status WHERE status = "
                      "'open') FROM cause WHERE class LIKE 'waits for: %'"));
    TEST_ASSERT_EQUAL_INT64(0, number(db, "SELECT count(*) FROM goal_status WHERE reason LIKE "
                                          "'%tried nothing%'"));
    TEST_ASSERT_TRUE(says(&r.out, "Open goals, by what they wait for:"));
}

static void test_open_goals_say_what_would_help(void) {
    run("hard", "h.db", few_ticks);
    expect_groups("h.db");
    TEST_ASSERT_EQUAL_INT64(1, waiting("h.db", "range", "ranges of the inputs that have none: c"));
    TEST_ASSERT_EQUAL_INT64(1, waiting("h.db", "budget", "more time"));
    TEST_ASSERT_EQUAL_INT64(1, open_because("h.db", "out = 1;", "lever: more time"));
    TEST_ASSERT_EQUAL_INT64(
        1, open_because("h.db", "out = 2;", "lever: ranges of the inputs that have none: c"));
    run("limits", "l.db", few_ticks);
    expect_groups("l.db");
    TEST_ASSERT_EQUAL_INT64(1, waiting("l.db", "construct", "the model ends where"));
    TEST_ASSERT_EQUAL_INT64(
        1,
        open_because("l.db", "out = 1;", "inline assembly is not supported (assembly, limits.c:"));
    TEST_ASSERT_EQUAL_INT64(
        1, open_because("l.db", "out = 2;", "lever: the model ends where this may be reached"));
    TEST_ASSERT_EQUAL_INT64(
        0, number("l.db", "SELECT count(*) FROM goal_status WHERE status = 'dead'"));
}

static void test_a_goal_may_cost_so_many_ticks(void) {
    run("hard", "k.db", few_ticks);
    TEST_ASSERT_EQUAL_INT(0, r.code);
    TEST_ASSERT_FALSE(says(&r.err, "total time"));
    TEST_ASSERT_EQUAL_INT64(0, number("k.db", "SELECT count(*) FROM attempt WHERE engine <> 'kind' "
                                              "OR ticks > 20000"));
}

/* No engine is asked: they have no ticks. */
static void test_what_lowering_has_folded_needs_no_engine(void) {
    run("constant", "c.db", "--engines kind --goal-ticks 1");
    TEST_ASSERT_EQUAL_INT64(
        2, number("c.db", "SELECT count(*) FROM goal_status WHERE status = 'dead' AND engine = "
                          "'folding' AND text IN ('out = 1;', 'out = 2;') AND checked_by IS NOT "
                          "NULL"));
    TEST_ASSERT_EQUAL_INT64(0, number("c.db", "SELECT count(*) FROM goal_status WHERE status = "
                                              "'dead' AND engine <> 'folding'"));
    TEST_ASSERT_EQUAL_INT64(
        1, number("c.db", "SELECT status = 'open' FROM goal_status WHERE text = 'out = 3;'"));
}

int main(void) {
    if (!file_temp_dir(&dir, &err))
        return command_fail(&err);
    UNITY_BEGIN();
    RUN_TEST(test_everything_is_decided_and_checked);
    RUN_TEST(test_values_are_missed_by_a_bit);
    RUN_TEST(test_gnu_expressions_are_decided);
    RUN_TEST(test_attempts_are_recorded);
    RUN_TEST(test_dead_verdicts_rest_on_proofs_that_stand_alone);
    RUN_TEST(test_a_finished_run_has_nothing_left_to_do);
    RUN_TEST(test_deterministic_runs_repeat_with_any_number_of_jobs);
    RUN_TEST(test_deterministic_runs_repeat_what_stays_open);
    RUN_TEST(test_signals_stop_a_run_with_everything_stored);
    RUN_TEST(test_a_killed_run_resumes_and_loses_no_verdict);
    RUN_TEST(test_the_total_time_ends_a_run);
    RUN_TEST(test_cpu_time_ends_a_run);
    RUN_TEST(test_open_goals_say_what_would_help);
    RUN_TEST(test_a_goal_may_cost_so_many_ticks);
    RUN_TEST(test_what_lowering_has_folded_needs_no_engine);
    file_remove_tree(str_text(&dir));
    str_free(&dir);
    return UNITY_END();
}
