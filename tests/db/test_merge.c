/* Merging: the rules of the join whatever the order of the inputs, contradictions, what is refused,
 * and that nothing is lost when it is killed. Verdicts are forged here: what is checked is the
 * joining. */
#include "base/stop.h"
#include "db/merge.h"
#include "db/rows.h"
#include "db/store.h"

#include "unity.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { GOALS = 6 };

static char dir[64], name[6][96];
static struct err err;

void setUp(void) {
    snprintf(dir, sizeof dir, "/tmp/gk_merge_XXXXXX");
    TEST_ASSERT_NOT_NULL(mkdtemp(dir));
    for (int i = 0; i < 6; i++)
        snprintf(name[i], sizeof name[i], "%s/%c.db", dir, "oabcdp"[i]);
}

void tearDown(void) {
    static const char *const suffixes[] = {
        "", "-wal", "-shm", "-lock", ".merging", ".merging-lock", ".merging-journal"};
    for (int i = 0; i < 6; i++)
        for (size_t k = 0; k < sizeof suffixes / sizeof *suffixes; k++) {
            char file[1024];
            snprintf(file, sizeof file, "%s%s", name[i], suffixes[k]);
            unlink(file);
        }
    TEST_ASSERT_EQUAL_INT(0, rmdir(dir)); /* nothing else is left behind */
    err_clear(&err);
}

/* A database of a program with six goals; hitting goal 5 has hit goal 6. */
static struct store *fresh(const char *path, const char *woven) {
    struct store *db;
    struct goals goals = {0};
    struct module module = {0};
    for (size_t i = 0; i < GOALS; i++)
        vec_push(&goals.list, (struct goal){.key = 1000 + i,
                                            .kind = GOAL_statement,
                                            .value = -1,
                                            .probe = (uint32_t)i,
                                            .file = "a.c",
                                            .line = (int)i + 1,
                                            .function = "f",
                                            .text = "x = 1;",
                                            .decision = -1,
                                            .condition = -1});
    vec_push(&goals.implications, (struct implication){4, 5});
    vec_push(
        &module.inputs,
        (struct module_var){.path = "speed", .c_expr = "speed", .type = TYPE_SIGNED, .bits = 16});
    TEST_ASSERT_TRUE(store_open(&db, path, STORE_CREATE, &err));
    TEST_ASSERT_TRUE(store_module(db, &goals, &module, &err));
    TEST_ASSERT_TRUE(store_info(db, "woven_sha256", woven, &err));
    TEST_ASSERT_TRUE(store_info(db, "sha256:a.c", woven, &err));
    vec_free(&goals.list);
    vec_free(&goals.implications);
    vec_free(&module.inputs);
    return db;
}

static void reach(struct store *db, uint32_t goal, uint32_t steps) {
    struct witness w = {.steps = steps, .engine = "simulate"};
    for (uint32_t i = 0; i < steps; i++)
        vec_push(&w.events, (struct input_event){i, 0, i});
    struct verdict v = VERDICT_INIT;
    v.goal = goal;
    v.status = STATUS_REACHABLE;
    v.engine = "simulate";
    v.depth = steps;
    v.witness = store_witness(db, &w, &err);
    v.checked_by = "replay";
    TEST_ASSERT_TRUE(store_verdict(db, &v, &err));
    witness_free(&w);
}

/* The proof cut down to the reason, with a certificate of its own. */
static void store_cut(struct store *db, uint32_t goal, const char *invariant, bool by_cbmc) {
    struct proof p = {.engine = "kind", .k = 1, .invariant = invariant, .certificate = "int y;\n"};
    char clause[80];
    snprintf(clause, sizeof clause, "%s suffices", invariant);
    vec_push(&p.clauses, clause);
    int64_t id = store_proof(db, &p, &err);
    TEST_ASSERT_TRUE(store_reason_proof(db, goal, id, by_cbmc ? "cbmc" : "solver", &err));
    proof_free(&p);
}

static void kill_goal(struct store *db, uint32_t goal, const char *invariant,
                      const char *checked_by) {
    struct proof p = {.engine = "kind", .k = 1, .invariant = invariant, .certificate = "int x;\n"};
    vec_push(&p.clauses, invariant);
    struct verdict v = VERDICT_INIT;
    v.goal = goal;
    v.status = STATUS_DEAD;
    v.engine = "kind";
    v.depth = 1;
    v.proof = store_proof(db, &p, &err);
    v.checked_by = checked_by;
    TEST_ASSERT_TRUE(store_verdict(db, &v, &err));
    TEST_ASSERT_TRUE(store_because(db,
                                   &(struct because_row){.goal = goal,
                                                         .class = "constant",
                                                         .text = "so it is",
                                                         .cause = "c",
                                                         .cause_class = "constant"},
                                   &err));
    store_cut(db, goal, invariant, strstr(checked_by, "cbmc"));
    proof_free(&p);
}

static void leave_open(struct store *db, uint32_t goal, int64_t bound, const char *reason) {
    struct verdict v = VERDICT_INIT;
    v.goal = goal;
    v.bound = bound;
    v.engine = "bmc";
    v.reason = reason;
    TEST_ASSERT_TRUE(store_verdict(db, &v, &err));
}

static void try(struct store *db, uint32_t probe, const char *started) {
    struct attempt a = {
        .probe = probe, .engine = "kind", .started = started, .ticks = 5, .outcome = "gave up"};
    TEST_ASSERT_TRUE(store_attempt(db, &a, &err));
}

/* All that users see of verdicts and evidence, as one text. */
static void dump(const char *path, struct str *text) {
    static const char *const queries[] = {
        "SELECT * FROM goal_status ORDER BY goal_id",
        "SELECT * FROM witness_step ORDER BY goal_id, step",
        "SELECT * FROM invariant_clause ORDER BY goal_id, clause",
        "SELECT * FROM cause ORDER BY cause",
        "SELECT * FROM attempt ORDER BY goal_id, started",
        "SELECT id, goal, text, witness, proof FROM alarm ORDER BY id",
        "SELECT * FROM run_info ORDER BY key",
        "SELECT id, engine, k, invariant FROM proof ORDER BY id",
        "SELECT c.proof, c.number, p.text FROM certificate_piece c JOIN piece p ON p.id = c.piece "
        "ORDER BY c.proof, c.number",
    };
    struct store *db;
    TEST_ASSERT_TRUE(store_open(&db, path, STORE_READ, &err));
    for (size_t q = 0; q < sizeof queries / sizeof *queries; q++) {
        struct rows *r = rows_open(db, queries[q], &err);
        while (rows_next(r)) {
            for (int c = 0; c < rows_columns(r); c++)
                str_addf(text, "%s|", rows_text(r, c));
            str_addc(text, '\n');
        }
        TEST_ASSERT_TRUE(rows_close(r, &err));
    }
    store_close(db);
}

/* Merges in the order given, as numbers of `name`; into a file that was not there. */
static struct merged merge(const char *order) {
    const char *in[6];
    struct merged m = {0};
    size_t n = 0;
    for (; order[n]; n++)
        in[n] = name[order[n] - '0'];
    unlink(name[0]);
    if (!store_merge(name[0], in, n, &m, &err))
        TEST_FAIL_MESSAGE(str_text(&err.message));
    TEST_ASSERT_EQUAL_UINT64(n, m.inputs);
    return m;
}

static int64_t ask(const char *sql) {
    struct store *db;
    TEST_ASSERT_TRUE(store_open(&db, name[0], STORE_READ, &err));
    int64_t value = rows_single_int(db, sql);
    store_close(db);
    return value;
}

static void make_three(void) {
    struct store *db = fresh(name[1], "w");
    reach(db, 0, 3);
    kill_goal(db, 1, "x <= 3", "solver");
    leave_open(db, 2, 4, "hard");
    leave_open(db, 3, 1, "harder");
    try(db, 2, "2026-01-01T00:00:00Z");
    store_close(db);
    db = fresh(name[2], "w");
    leave_open(db, 0, 1, "not yet");
    kill_goal(db, 1, "x <= 4", "cbmc,solver");
    leave_open(db, 2, 9, "hard indeed");
    reach(db, 4, 1);
    try(db, 2, "2026-01-01T00:00:00Z"); /* the same attempt is not a second one */
    try(db, 2, "2026-01-02T00:00:00Z");
    store_close(db);
    db = fresh(name[3], "w");
    reach(db, 0, 2);
    kill_goal(db, 1, "x <= 4", "solver");
    reach(db, 4, 1);
    reach(db, 5, 1);
    store_close(db);
}

static void test_any_order_gives_the_same(void) {
    static const char *const orders[] = {"123", "132", "213", "231", "312", "321"};
    struct str first = {0}, other = {0};
    make_three();
    for (size_t i = 0; i < 6; i++) {
        struct merged m = merge(orders[i]);
        TEST_ASSERT_EQUAL_UINT64(3, m.reachable);
        TEST_ASSERT_EQUAL_UINT64(1, m.dead);
        TEST_ASSERT_EQUAL_UINT64(2, m.open);
        TEST_ASSERT_EQUAL_UINT64(0, m.alarms.len);
        merged_free(&m);
        str_clear(&other);
        dump(name[0], i ? &other : &first);
        if (i)
            TEST_ASSERT_EQUAL_STRING(str_text(&first), str_text(&other));
    }
    str_free(&first);
    str_free(&other);
}

static void test_the_better_one_is_taken(void) {
    make_three();
    struct merged m = merge("123");
    merged_free(&m);
    TEST_ASSERT_EQUAL_INT64(2, ask("SELECT depth FROM goal_status WHERE goal_id = 1"));
    TEST_ASSERT_EQUAL_INT64(1, ask("SELECT checked_by = 'cbmc,solver' FROM goal_status "
                                   "WHERE goal_id = 2"));
    TEST_ASSERT_EQUAL_INT64(1, ask("SELECT text = 'x <= 4 suffices' FROM invariant_clause"));
    TEST_ASSERT_EQUAL_INT64(1, ask("SELECT because = 'so it is' AND class = 'constant' AND "
                                   "cause = 1 FROM goal_status WHERE goal_id = 2"));
    TEST_ASSERT_EQUAL_INT64(1, ask("SELECT bound = 9 AND engine = 'bmc' FROM goal_status "
                                   "WHERE goal_id = 3"));
    TEST_ASSERT_EQUAL_INT64(1, ask("SELECT reason = 'harder' FROM goal_status WHERE goal_id = 4"));
    TEST_ASSERT_EQUAL_INT64(2, ask("SELECT count(*) FROM attempt_log"));
    /* what several inputs have is there once, and nothing that nobody refers to */
    TEST_ASSERT_EQUAL_INT64(2, ask("SELECT count(*) FROM witness"));
    TEST_ASSERT_EQUAL_INT64(2, ask("SELECT count(*) FROM proof"));
    TEST_ASSERT_EQUAL_INT64(2, ask("SELECT count(*) FROM certificate_piece"));
    TEST_ASSERT_EQUAL_INT64(1, ask("SELECT count(*) FROM reason_proof r, goal g WHERE g.id = r.goal"
                                   " AND g.proof <> r.proof AND r.checked_by = 'cbmc'"));
}

static void test_what_is_there_is_an_input_and_twice_is_once(void) {
    struct str once = {0}, twice = {0};
    make_three();
    struct merged m = merge("13"), again = {0}, last = {0};
    merged_free(&m);
    TEST_ASSERT_TRUE(store_merge(name[0], (const char *[]){name[2]}, 1, &again, &err));
    TEST_ASSERT_EQUAL_UINT64(2, again.inputs);
    dump(name[0], &once);
    TEST_ASSERT_TRUE(
        store_merge(name[0], (const char *[]){name[2], name[0], name[1]}, 3, &last, &err));
    dump(name[0], &twice);
    TEST_ASSERT_EQUAL_STRING(str_text(&once), str_text(&twice));
    merged_free(&again);
    merged_free(&last);
    str_free(&once);
    str_free(&twice);
}

/* ---- contradictions ---- */

static void make_contradiction(void) {
    struct store *db = fresh(name[1], "w");
    reach(db, 0, 3);
    store_close(db);
    db = fresh(name[2], "w");
    kill_goal(db, 0, "x <= 3", "cbmc,solver");
    store_close(db);
    db = fresh(name[3], "w");
    reach(db, 0, 4);
    store_close(db);
}

static void test_reachable_and_dead_is_an_alarm_with_both_sides(void) {
    static const char *const orders[] = {"123", "321", "231"};
    make_contradiction();
    for (size_t i = 0; i < 3; i++) {
        struct merged m = merge(orders[i]);
        TEST_ASSERT_EQUAL_UINT64(1, m.alarms.len);
        TEST_ASSERT_EQUAL_INT64(1, m.alarms.data[0].goal);
        TEST_ASSERT_EQUAL_STRING("reachable and dead at once", m.alarms.data[0].text);
        TEST_ASSERT_EQUAL_UINT64(0, m.reachable + m.dead);
        merged_free(&m);
        TEST_ASSERT_EQUAL_INT64(3, ask("SELECT w.steps FROM alarm a JOIN witness w "
                                       "ON w.id = a.witness"));
        TEST_ASSERT_EQUAL_INT64(1, ask("SELECT p.invariant = 'x <= 3' FROM alarm a JOIN proof p "
                                       "ON p.id = a.proof"));
    }
}

/* One side alone, later, does not settle it. */
static void test_a_contradiction_stays_one(void) {
    make_contradiction();
    struct merged m = merge("12"), again = {0};
    merged_free(&m);
    TEST_ASSERT_TRUE(store_merge(name[0], (const char *[]){name[3]}, 1, &again, &err));
    TEST_ASSERT_EQUAL_UINT64(1, again.alarms.len);
    TEST_ASSERT_EQUAL_UINT64(0, again.reachable + again.dead);
    merged_free(&again);
}

static void test_a_run_within_a_bound_is_an_alarm_and_the_run_is_right(void) {
    struct store *db = fresh(name[1], "w");
    reach(db, 0, 3);
    store_close(db);
    db = fresh(name[2], "w");
    leave_open(db, 0, 3, "proved for 3 steps");
    store_close(db);
    struct merged m = merge("12");
    TEST_ASSERT_EQUAL_UINT64(1, m.alarms.len);
    TEST_ASSERT_EQUAL_STRING("reached in 3 steps, but bmc claims that it is not within 3",
                             m.alarms.data[0].text);
    TEST_ASSERT_EQUAL_UINT64(1, m.reachable);
    merged_free(&m);
}

/* Goal 5 cannot be hit without goal 6. */
static void test_contradictions_through_implications_are_seen(void) {
    struct store *db = fresh(name[1], "w");
    reach(db, 4, 1);
    store_close(db);
    db = fresh(name[2], "w");
    kill_goal(db, 5, "x <= 3", "solver");
    store_close(db);
    struct merged m = merge("21");
    TEST_ASSERT_EQUAL_UINT64(1, m.alarms.len);
    TEST_ASSERT_EQUAL_INT64(6, m.alarms.data[0].goal);
    TEST_ASSERT_EQUAL_UINT64(0, m.dead);
    merged_free(&m);
    TEST_ASSERT_EQUAL_INT64(1, ask("SELECT witness NOT NULL AND proof NOT NULL FROM alarm"));
}

/* ---- shards ---- */

static void make_shard(int number, const char *shard, const char *state) {
    struct store *db = fresh(name[number], "w");
    char key[32];
    snprintf(key, sizeof key, "shard:%s", shard);
    TEST_ASSERT_TRUE(store_info(db, key, state, &err));
    for (uint32_t g = 0; g < GOALS; g++) {
        bool ours = shard[0] == "123123"[g];
        char text[32];
        snprintf(text, sizeof text, "left to shard %c of 3", "123123"[g]);
        if (!ours || strcmp(state, "done") == 0)
            leave_open(db, g, -1, ours ? "tried hard" : text);
    }
    store_close(db);
}

static void test_goals_say_which_shard_has_not_come_back(void) {
    make_shard(1, "1/3", "done");
    make_shard(2, "2/3", "running");
    struct store *db = fresh(name[3], "w"); /* the run before: its reasons are old */
    for (uint32_t g = 0; g < GOALS; g++)
        leave_open(db, g, -1, "no time");
    store_close(db);
    struct merged m = merge("312");
    merged_free(&m);
    TEST_ASSERT_EQUAL_INT64(2, ask("SELECT count(*) FROM goal_status WHERE reason = 'tried hard'"));
    TEST_ASSERT_EQUAL_INT64(2, ask("SELECT count(*) FROM goal_status WHERE reason = "
                                   "'shard 2 of 3 was ended before it could say why'"));
    TEST_ASSERT_EQUAL_INT64(2, ask("SELECT count(*) FROM goal_status WHERE reason = "
                                   "'shard 3 of 3 has not come back: nobody has tried it'"));
    make_shard(4, "3/3", "done");
    struct merged late = {0};
    TEST_ASSERT_TRUE(store_merge(name[0], (const char *[]){name[4]}, 1, &late, &err));
    merged_free(&late);
    TEST_ASSERT_EQUAL_INT64(4, ask("SELECT count(*) FROM goal_status WHERE reason = 'tried hard'"));
}

/* ---- what is refused ---- */

static void test_other_programs_are_refused_and_named(void) {
    store_close(fresh(name[1], "w"));
    store_close(fresh(name[2], "v"));
    struct merged m = {0};
    TEST_ASSERT_FALSE(store_merge(name[0], (const char *[]){name[1], name[2]}, 2, &m, &err));
    TEST_ASSERT_EQUAL_INT(ERR_USAGE, err.code);
    TEST_ASSERT_NOT_NULL(strstr(str_text(&err.message), "different programs: a.c differs"));
    TEST_ASSERT_NOT_EQUAL_INT(0, access(name[0], F_OK));
    merged_free(&m);
}

static void test_other_goals_of_the_same_program_are_refused(void) {
    store_close(fresh(name[1], "w"));
    struct store *db = fresh(name[2], "w");
    struct goals none = {0};
    struct module module = {0};
    TEST_ASSERT_TRUE(store_module(db, &none, &module, &err));
    store_close(db);
    struct merged m = {0};
    TEST_ASSERT_FALSE(store_merge(name[0], (const char *[]){name[1], name[2]}, 2, &m, &err));
    TEST_ASSERT_NOT_NULL(strstr(str_text(&err.message), "different goals"));
    merged_free(&m);
}

static void test_files_of_others_are_kept(void) {
    store_close(fresh(name[1], "w"));
    FILE *f = fopen(name[0], "w");
    TEST_ASSERT_NOT_NULL(f);
    fputs("the only copy of a thesis", f);
    fclose(f);
    struct merged m = {0};
    TEST_ASSERT_FALSE(store_merge(name[0], (const char *[]){name[1]}, 1, &m, &err));
    TEST_ASSERT_NOT_NULL(strstr(str_text(&err.message), "not a Goalkeeper database"));
    merged_free(&m);
}

static void test_a_database_that_is_written_is_not_replaced(void) {
    struct store *writer = fresh(name[0], "w");
    store_close(fresh(name[1], "w"));
    struct merged m = {0};
    TEST_ASSERT_FALSE(store_merge(name[0], (const char *[]){name[1]}, 1, &m, &err));
    TEST_ASSERT_NOT_NULL(strstr(str_text(&err.message), "another goalkeeper is writing"));
    store_close(writer);
    merged_free(&m);
}

/* Killed when the file beside is complete: the old one is there, the next merge works. */
static void test_killed_it_loses_nothing(void) {
    make_three();
    struct merged m = merge("1");
    merged_free(&m);
    struct str before = {0}, after = {0};
    dump(name[0], &before);
    pid_t pid = fork();
    if (pid == 0) {
        struct merged lost = {0};
        stop_arm("FILE_RENAME", &err);
        store_merge(name[0], (const char *[]){name[2]}, 1, &lost, &err);
        _exit(0);
    }
    int status;
    waitpid(pid, &status, 0);
    TEST_ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    dump(name[0], &after);
    TEST_ASSERT_EQUAL_STRING(str_text(&before), str_text(&after));
    struct merged again = {0};
    TEST_ASSERT_TRUE(store_merge(name[0], (const char *[]){name[2], name[3]}, 2, &again, &err));
    TEST_ASSERT_EQUAL_UINT64(3, again.reachable);
    merged_free(&again);
    str_free(&before);
    str_free(&after);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_any_order_gives_the_same);
    RUN_TEST(test_the_better_one_is_taken);
    RUN_TEST(test_what_is_there_is_an_input_and_twice_is_once);
    RUN_TEST(test_reachable_and_dead_is_an_alarm_with_both_sides);
    RUN_TEST(test_a_contradiction_stays_one);
    RUN_TEST(test_a_run_within_a_bound_is_an_alarm_and_the_run_is_right);
    RUN_TEST(test_contradictions_through_implications_are_seen);
    RUN_TEST(test_goals_say_which_shard_has_not_come_back);
    RUN_TEST(test_other_programs_are_refused_and_named);
    RUN_TEST(test_other_goals_of_the_same_program_are_refused);
    RUN_TEST(test_files_of_others_are_kept);
    RUN_TEST(test_a_database_that_is_written_is_not_replaced);
    RUN_TEST(test_killed_it_loses_nothing);
    return UNITY_END();
}
