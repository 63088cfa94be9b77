/* The store: joins, crash safety, foreign and damaged files, one writer and many readers. */
#include "db/internal.h"
#include "db/checkers.h"
#include "db/rows.h"
#include "db/store.h"

#include "unity.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char dir[64], path[96];
static struct err err;

static void remove_file(const char *suffix) {
    char name[128];
    snprintf(name, sizeof name, "%s%s", path, suffix);
    unlink(name);
}

void setUp(void) {
    snprintf(dir, sizeof dir, "/tmp/gk_store_XXXXXX");
    TEST_ASSERT_NOT_NULL(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/goalkeeper.db", dir);
}

void tearDown(void) {
    remove_file("");
    remove_file("-wal");
    remove_file("-shm");
    remove_file("-lock");
    rmdir(dir);
    err_clear(&err);
}

static void make_goals(struct goals *goals, struct module *module, size_t n) {
    for (size_t i = 0; i < n; i++) {
        struct goal goal = {.key = 1000 + i,
                            .kind = GOAL_statement,
                            .value = -1,
                            .probe = 7,
                            .file = "a.c",
                            .line = (int)i + 1,
                            .col = 1,
                            .function = "f",
                            .text = "x = 1;",
                            .decision = -1,
                            .condition = -1};
        vec_push(&goals->list, goal);
    }
    struct module_var speed = {
        .path = "Bus.Speed", .c_expr = "Bus.Speed", .type = TYPE_SIGNED, .bits = 16};
    vec_push(&module->inputs, speed);
    struct module_var count = {
        .path = "count", .c_expr = "count", .type = TYPE_FLOAT, .bits = 32, .role = VAR_STATE};
    vec_push(&module->state, count);
}

static struct store *fresh(size_t n_goals) {
    struct store *db;
    struct goals goals = {0};
    struct module module = {0};
    make_goals(&goals, &module, n_goals);
    TEST_ASSERT_TRUE(store_open(&db, path, STORE_CREATE, &err));
    TEST_ASSERT_TRUE(store_module(db, &goals, &module, &err));
    vec_free(&goals.list);
    vec_free(&module.inputs);
    vec_free(&module.state);
    return db;
}

static int64_t put_witness(struct store *db) {
    struct witness w = {.steps = 1, .engine = "simulate"};
    vec_push(&w.events, (struct input_event){0, 0, 0xfffe});
    vec_push(&w.cells, (struct witness_cell){0, 0, 0x3fc00000});
    int64_t id = store_witness(db, &w, &err);
    witness_free(&w);
    TEST_ASSERT_TRUE(id > 0);
    return id;
}

static bool put_reachable(struct store *db, uint32_t goal, int64_t witness) {
    struct verdict v = VERDICT_INIT;
    v.goal = goal;
    v.status = STATUS_REACHABLE;
    v.engine = "simulate";
    v.witness = witness;
    v.checked_by = "replay";
    return store_verdict(db, &v, &err);
}

static bool put_dead(struct store *db, uint32_t goal) {
    struct proof p = {.engine = "kind", .k = 1, .invariant = "inv"};
    vec_push(&p.clauses, "count <= 3");
    struct verdict v = VERDICT_INIT;
    v.goal = goal;
    v.status = STATUS_DEAD;
    v.engine = "kind";
    v.proof = store_proof(db, &p, &err);
    v.checked_by = "cbmc";
    proof_free(&p);
    return store_verdict(db, &v, &err);
}

static void test_evidence_comes_back(void) {
    struct store *db = fresh(2);
    TEST_ASSERT_TRUE(put_reachable(db, 0, put_witness(db)));
    TEST_ASSERT_TRUE(put_dead(db, 1));
    store_close(db);
    TEST_ASSERT_TRUE(store_open(&db, path, STORE_READ, &err));
    struct rows *r =
        rows_open(db, "SELECT step, input, value FROM witness_step WHERE goal_id = 1", &err);
    TEST_ASSERT_TRUE(rows_next(r));
    TEST_ASSERT_EQUAL_INT64(1, rows_int(r, 0));
    TEST_ASSERT_EQUAL_STRING("Bus.Speed", rows_text(r, 1));
    TEST_ASSERT_EQUAL_INT64(-2, rows_int(r, 2));
    TEST_ASSERT_FALSE(rows_next(r));
    TEST_ASSERT_TRUE(rows_close(r, &err));
    struct arena arena = {0};
    struct proof p = {0};
    TEST_ASSERT_TRUE(store_get_proof(db, 1, &p, &arena));
    TEST_ASSERT_EQUAL_STRING("count <= 3", p.clauses.data[0]);
    struct witness w = {0};
    TEST_ASSERT_TRUE(store_get_witness(db, 1, &w, &arena));
    TEST_ASSERT_EQUAL_UINT64(0xfffe, w.events.data[0].bits);
    TEST_ASSERT_EQUAL_UINT64(0x3fc00000, w.cells.data[0].bits);
    TEST_ASSERT_FALSE(store_get_witness(db, 99, &w, &arena));
    witness_free(&w);
    proof_free(&p);
    arena_free(&arena);
    store_close(db);
}

/* What is entered together stays together, in an outer transaction, too. */
static void test_what_fails_half_way_leaves_nothing(void) {
    struct store *db = fresh(3);
    int64_t witness = put_witness(db);
    bool outer, inner;
    TEST_ASSERT_TRUE(store_enter(db, &outer, &err));
    TEST_ASSERT_TRUE(put_reachable(db, 0, witness));
    TEST_ASSERT_TRUE(store_enter(db, &inner, &err));
    TEST_ASSERT_TRUE(outer && !inner);
    TEST_ASSERT_TRUE(put_reachable(db, 1, witness));
    TEST_ASSERT_TRUE(store_leave(db, inner, true, &err));
    TEST_ASSERT_FALSE(store_leave(db, outer, false, &err));
    TEST_ASSERT_EQUAL_INT64(
        3, rows_single_int(db, "SELECT count(*) FROM goal_status WHERE status = 'open'"));
    TEST_ASSERT_TRUE(store_enter(db, &outer, &err));
    TEST_ASSERT_TRUE(put_reachable(db, 2, witness) && store_leave(db, outer, true, &err));
    TEST_ASSERT_EQUAL_INT64(
        2, rows_single_int(db, "SELECT count(*) FROM goal_status WHERE status = 'open'"));
    store_close(db);
}

static void test_a_contradiction_is_an_alarm_and_overwrites_nothing(void) {
    struct store *db = fresh(1);
    TEST_ASSERT_TRUE(put_dead(db, 0));
    TEST_ASSERT_FALSE(put_reachable(db, 0, put_witness(db)));
    TEST_ASSERT_EQUAL_INT(ERR_EVIDENCE, err.code);
    TEST_ASSERT_EQUAL_INT64(1, rows_single_int(db, "SELECT status = 'dead' FROM goal_status"));
    TEST_ASSERT_EQUAL_INT64(
        1, rows_single_int(db, "SELECT count(*) FROM alarm WHERE witness = 1 AND proof = 1"));
    store_close(db);
}

static void test_dead_goals_are_checked_again_one_after_the_other(void) {
    struct store *db = fresh(3);
    for (uint32_t g = 0; g < 2; g++)
        TEST_ASSERT_TRUE(put_dead(db, g));
    for (uint32_t g = 0; g < 3; g++)
        TEST_ASSERT_TRUE(store_rechecked(db, g, 2, "solver", &err));
    TEST_ASSERT_TRUE(store_rechecked(db, 1, 2, "z3", &err));
    TEST_ASSERT_EQUAL_INT64(
        1, rows_single_int(db, "SELECT count(*) FROM goal_status WHERE checked_by = "
                               "'cbmc,solver' AND goal_id = 1"));
    TEST_ASSERT_EQUAL_INT64(
        1, rows_single_int(db, "SELECT count(*) FROM goal_status WHERE checked_by = "
                               "'cbmc,z3,solver' AND goal_id = 2"));
    TEST_ASSERT_EQUAL_INT64(
        1, rows_single_int(db, "SELECT count(*) FROM goal_status WHERE checked_by IS NULL"));
    store_close(db);
}

static void test_checkers_are_a_set(void) {
    struct arena arena = {0};
    TEST_ASSERT_TRUE(checkers_have("cbmc,z3,solver", "z3"));
    TEST_ASSERT_FALSE(checkers_have("cbmc,solver", "z3"));
    TEST_ASSERT_FALSE(checkers_have("cbmcx,xz3", "cbmc"));
    TEST_ASSERT_FALSE(checkers_have(NULL, "cbmc") || checkers_have("", "cbmc"));
    TEST_ASSERT_EQUAL_STRING("cbmc,solver", checkers_add(&arena, "solver", "cbmc"));
    TEST_ASSERT_EQUAL_STRING("cbmc,z3,solver", checkers_add(&arena, "solver,cbmc", "z3,cbmc"));
    TEST_ASSERT_EQUAL_STRING("z3", checkers_add(&arena, NULL, "z3"));
    arena_free(&arena);
}

static void test_bounds_only_grow_and_end_with_the_verdict(void) {
    struct store *db = fresh(1);
    struct verdict v = VERDICT_INIT;
    v.bound = 5;
    TEST_ASSERT_TRUE(store_verdict(db, &v, &err));
    v.bound = 3;
    v.reason = "budget";
    TEST_ASSERT_TRUE(store_verdict(db, &v, &err));
    TEST_ASSERT_EQUAL_INT64(5, rows_single_int(db, "SELECT bound FROM goal_status"));
    TEST_ASSERT_TRUE(put_reachable(db, 0, put_witness(db)));
    v.bound = 9;
    TEST_ASSERT_TRUE(store_verdict(db, &v, &err));
    TEST_ASSERT_EQUAL_INT64(1, rows_single_int(db, "SELECT bound IS NULL FROM goal_status"));
    store_close(db);
}

/* A run that was replayed is right, and whoever excluded it was not. */
static void test_a_run_within_a_bound_is_an_alarm(void) {
    struct store *db = fresh(3);
    int64_t witness = put_witness(db);
    struct verdict v = VERDICT_INIT;
    for (v.goal = 0; v.goal < 3; v.goal++) {
        v.status = STATUS_OPEN;
        v.bound = 4;
        v.engine = "cbmc-bmc";
        TEST_ASSERT_TRUE(store_verdict(db, &v, &err));
    }
    v = (struct verdict)VERDICT_INIT;
    v.bound = 6;
    v.engine = "kind";
    TEST_ASSERT_TRUE(store_verdict(db, &v, &err));
    v.bound = 5; /* no news */
    v.engine = "cbmc-bmc";
    TEST_ASSERT_TRUE(store_verdict(db, &v, &err));
    TEST_ASSERT_EQUAL_INT64(
        1, rows_single_int(db, "SELECT engine = 'kind' FROM goal_status WHERE goal_id = 1"));
    TEST_ASSERT_EQUAL_INT64(
        1, rows_single_int(db, "SELECT engine = 'cbmc-bmc' FROM goal_status WHERE goal_id = 2"));
    v = (struct verdict)VERDICT_INIT;
    v.status = STATUS_REACHABLE;
    v.engine = "simulate";
    v.checked_by = "replay";
    v.witness = witness;
    v.depth = 5;
    v.goal = 2; /* behind its bound */
    TEST_ASSERT_TRUE(store_verdict(db, &v, &err));
    TEST_ASSERT_EQUAL_INT64(0, rows_single_int(db, "SELECT count(*) FROM alarm"));
    v.depth = 4;
    v.goal = 1;
    TEST_ASSERT_FALSE(store_verdict(db, &v, &err));
    TEST_ASSERT_EQUAL_INT(ERR_EVIDENCE, err.code);
    TEST_ASSERT_NOT_NULL(strstr(str_text(&err.message), "reached in 4 steps, but cbmc-bmc claims"));
    TEST_ASSERT_EQUAL_INT64(
        1, rows_single_int(db, "SELECT status = 'reachable' FROM goal_status WHERE goal_id = 2"));
    TEST_ASSERT_EQUAL_INT64(1, rows_single_int(db, "SELECT witness FROM alarm WHERE goal = 2"));
    store_close(db);
}

static void test_a_second_writer_is_refused_a_reader_is_not(void) {
    struct store *db = fresh(1), *other;
    TEST_ASSERT_FALSE(store_open(&other, path, STORE_WRITE, &err));
    TEST_ASSERT_EQUAL_INT(ERR_USAGE, err.code);
    err_clear(&err);
    TEST_ASSERT_TRUE(store_open(&other, path, STORE_READ, &err));
    TEST_ASSERT_TRUE(store_begin(db, &err));
    TEST_ASSERT_TRUE(put_reachable(db, 0, put_witness(db)));
    TEST_ASSERT_EQUAL_INT64(0, rows_single_int(other, "SELECT count(*) FROM witness"));
    TEST_ASSERT_TRUE(store_commit(db, &err));
    TEST_ASSERT_EQUAL_INT64(1, rows_single_int(other, "SELECT count(*) FROM witness"));
    store_close(other);
    store_close(db);
}

/* Filters of `query` and the sums of `status` are answered by indices. */
static void test_filters_use_indices(void) {
    static const char *const plans[][2] = {
        {"SELECT * FROM goal_status WHERE kind IN ('mcdc') AND status IN ('open')", "goal_kind"},
        {"SELECT * FROM goal_status WHERE function IN ('f', 'g')", "goal_function"},
        {"SELECT * FROM goal_status WHERE file = 'a.c' AND line = 3", "goal_place"},
        {"SELECT * FROM goal_status WHERE goal_id = 3", "PRIMARY KEY"},
        {"SELECT * FROM coverage_summary", "COVERING INDEX goal_summary"},
        {"SELECT * FROM attempt WHERE goal_id = 3", "attempt_probe"},
    };
    struct store *db = fresh(2);
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        struct str sql = {0}, plan = {0};
        str_addf(&sql, "EXPLAIN QUERY PLAN %s", plans[i][0]);
        struct rows *rows = rows_open(db, str_text(&sql), &err);
        while (rows_next(rows))
            str_addf(&plan, "%s\n", rows_text(rows, 3));
        TEST_ASSERT_TRUE(rows_close(rows, &err));
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&plan), plans[i][1]), str_text(&plan));
        TEST_ASSERT_NULL_MESSAGE(strstr(str_text(&plan), "SCAN j"), str_text(&plan));
        str_free(&sql);
        str_free(&plan);
    }
    store_close(db);
}

enum { SHARED_GOALS = 300 };

static bool is_ordered(struct store *db, int64_t least) {
    int64_t reachable =
        rows_single_int(db, "SELECT count(*) FROM goal_status WHERE status = 'reachable'");
    int64_t evidence = rows_single_int(db, "SELECT count(*) FROM witness");
    return reachable >= least && evidence >= reachable;
}

/* In a process of its own: reads until all goals are reachable. What it sees never goes back, and
 * no verdict is there before its evidence. */
static pid_t start_reader(void) {
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    struct store *db;
    int64_t seen = 0;
    alarm(60); /* should the writer fail */
    if (!store_open(&db, path, STORE_READ, &err))
        _exit(2);
    while (seen < SHARED_GOALS) {
        if (!is_ordered(db, seen))
            _exit(1);
        seen = rows_single_int(db, "SELECT sum(reachable) FROM coverage_summary");
    }
    store_close(db);
    _exit(0);
}

static void test_two_readers_query_while_results_are_written(void) {
    struct store *db = fresh(SHARED_GOALS);
    pid_t readers[2] = {start_reader(), start_reader()};
    for (uint32_t goal = 0; goal < SHARED_GOALS; goal++)
        TEST_ASSERT_TRUE(put_reachable(db, goal, put_witness(db)));
    for (int i = 0; i < 2; i++) {
        int status;
        TEST_ASSERT_EQUAL_INT(readers[i], waitpid(readers[i], &status, 0));
        TEST_ASSERT_TRUE(WIFEXITED(status));
        TEST_ASSERT_EQUAL_INT(0, WEXITSTATUS(status));
    }
    store_close(db);
}

/* The rows of "a && b", and what they say about unique-cause MC/DC. */
static void make_table(struct goals *goals, struct module *module) {
    static const char *const rows[] = {"T T", "T F", "F -"};
    static const char *const conditions[] = {"a", "b"};
    make_goals(goals, module, 3);
    for (size_t i = 0; i < 3; i++) {
        goals->list.data[i].kind = GOAL_vector;
        goals->list.data[i].value = i == 0;
        goals->list.data[i].text = rows[i];
        goals->list.data[i].decision = 0;
    }
    struct decision decision = {.file = "a.c",
                                .function = "f",
                                .text = "a && b",
                                .line = 1,
                                .col = 1,
                                .n_conditions = 2,
                                .condition_text = conditions,
                                .structure = "0&&1"};
    vec_push(&goals->decisions, decision);
}

static void expect_unique_cause(struct store *db, const char *expected) {
    struct str found = {0};
    struct rows *rows = rows_open(db, "SELECT text, status FROM unique_cause ORDER BY text", &err);
    while (rows_next(rows))
        str_addf(&found, "%s %s, ", rows_text(rows, 0), rows_text(rows, 1));
    TEST_ASSERT_TRUE(rows_close(rows, &err));
    TEST_ASSERT_EQUAL_STRING(expected, str_text(&found));
    str_free(&found);
}

static void test_unique_cause_follows_from_rows(void) {
    struct goals goals = {0};
    struct module module = {0};
    struct store *db;
    make_table(&goals, &module);
    TEST_ASSERT_TRUE(store_open(&db, path, STORE_CREATE, &err));
    TEST_ASSERT_TRUE(store_module(db, &goals, &module, &err));
    expect_unique_cause(db, "a open, b open, ");
    TEST_ASSERT_TRUE(put_reachable(db, 0, put_witness(db)));
    expect_unique_cause(db, "a open, b open, ");
    TEST_ASSERT_TRUE(put_dead(db, 1));
    expect_unique_cause(db, "a open, b dead, ");
    TEST_ASSERT_TRUE(put_reachable(db, 2, put_witness(db)));
    expect_unique_cause(db, "a reachable, b dead, ");
    TEST_ASSERT_TRUE(store_module(db, &goals, &module, &err)); /* again */
    expect_unique_cause(db, "a open, b open, ");
    vec_free(&goals.list);
    vec_free(&goals.decisions);
    vec_free(&module.inputs);
    vec_free(&module.state);
    store_close(db);
}

static void expect_refused(const char *word) {
    struct store *db;
    TEST_ASSERT_FALSE(store_open(&db, path, STORE_CREATE, &err));
    TEST_ASSERT_EQUAL_INT(ERR_USAGE, err.code);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&err.message), word), str_text(&err.message));
    TEST_ASSERT_TRUE(err.remedy.len > 0);
    err_clear(&err);
    TEST_ASSERT_FALSE(store_open(&db, path, STORE_READ, &err));
    err_clear(&err);
}

static void write_file(const char *text) {
    FILE *f = fopen(path, "wb");
    fputs(text, f);
    fclose(f);
}

static void test_foreign_newer_and_truncated_files_are_refused(void) {
    struct store *db;
    TEST_ASSERT_FALSE(store_open(&db, path, STORE_READ, &err));
    err_clear(&err);
    write_file("int main(void) { return 0; }\n");
    expect_refused("not a Goalkeeper database");
    unlink(path);

    store_close(fresh(100));
    TEST_ASSERT_EQUAL_INT(0, truncate(path, 8192));
    expect_refused("truncated");
    unlink(path);

    store_close(fresh(1));
    FILE *f = fopen(path, "r+b");
    fseek(f, 68, SEEK_SET);
    fputs("XXXX", f);
    fclose(f);
    expect_refused("another program");
    unlink(path);

    store_close(fresh(1));
    f = fopen(path, "r+b");
    fseek(f, 60, SEEK_SET);
    fwrite("\0\0\0\x63", 1, 4, f);
    fclose(f);
    expect_refused("version 99");
}

static void expect_alone(const char *when) {
    static const char *const suffixes[] = {"-wal", "-shm", "-lock"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        char name[128];
        snprintf(name, sizeof name, "%s%s", path, suffixes[i]);
        TEST_ASSERT_NOT_EQUAL_INT_MESSAGE(0, access(name, F_OK), when);
    }
}

/* Neither a writer nor a reader, whichever goes last, leaves a file beside the database. */
static void test_nothing_is_left_beside_it(void) {
    struct store *db = fresh(3), *reader;
    store_close(db);
    expect_alone("writer");
    TEST_ASSERT_TRUE(store_open(&reader, path, STORE_READ, &err));
    TEST_ASSERT_EQUAL_INT64(3, rows_single_int(reader, "SELECT count(*) FROM goal"));
    store_close(reader);
    expect_alone("reader");
    TEST_ASSERT_TRUE(store_open(&reader, path, STORE_READ, &err));
    TEST_ASSERT_TRUE(store_open(&db, path, STORE_WRITE, &err));
    TEST_ASSERT_TRUE(store_info(db, "name", "x", &err));
    store_close(db);
    TEST_ASSERT_EQUAL_INT64(
        1, rows_single_int(reader, "SELECT count(*) FROM run_info WHERE value = 'x'"));
    store_close(reader);
    expect_alone("writer, then reader");
}

static void test_a_whole_database_is_opened_again(void) {
    struct store *db;
    store_close(fresh(100));
    TEST_ASSERT_TRUE_MESSAGE(store_open(&db, path, STORE_WRITE, &err), str_text(&err.message));
    store_close(db);
}

/* Overwrites a page of a table: its cells no longer lie within it. */
static void test_damage_is_named(void) {
    unsigned char page[4096];
    store_close(fresh(1000));
    FILE *f = fopen(path, "r+b");
    TEST_ASSERT_EQUAL_INT(0, fseek(f, -(long)sizeof page, SEEK_END));
    TEST_ASSERT_EQUAL_size_t(sizeof page, fread(page, 1, sizeof page, f));
    memset(page + 8, 0xff, 64);
    TEST_ASSERT_EQUAL_INT(0, fseek(f, -(long)sizeof page, SEEK_END));
    fwrite(page, 1, sizeof page, f);
    fclose(f);
    struct store *db;
    TEST_ASSERT_FALSE(store_open(&db, path, STORE_WRITE, &err));
    TEST_ASSERT_EQUAL_INT(ERR_USAGE, err.code);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&err.message), "the database is damaged: "),
                                 str_text(&err.message));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&err.message), " page "), str_text(&err.message));
    TEST_ASSERT_NULL(strchr(str_text(&err.message), '\n'));
}

static int deny_pragmas(void *data, int action, const char *a, const char *b, const char *c,
                        const char *d) {
    (void)data, (void)a, (void)b, (void)c, (void)d;
    return action == SQLITE_PRAGMA ? SQLITE_DENY : SQLITE_OK;
}

static void test_a_check_without_an_answer_is_no_damage(void) {
    struct store *db = fresh(1);
    TEST_ASSERT_TRUE(store_check_whole(db, &err));
    sqlite3_set_authorizer(db->handle, deny_pragmas, NULL);
    TEST_ASSERT_FALSE(store_check_whole(db, &err));
    TEST_ASSERT_EQUAL_INT(ERR_USAGE, err.code);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&err.message), "cannot check it: not authorized"),
                                 str_text(&err.message));
    TEST_ASSERT_NULL(strstr(str_text(&err.message), "damaged"));
    TEST_ASSERT_NULL(strstr(str_text(&err.remedy), "delete"));
    store_close(db);
}

static void test_queries_cannot_write(void) {
    struct store *db = fresh(1);
    TEST_ASSERT_NULL(rows_open(db, "DELETE FROM goal", &err));
    TEST_ASSERT_EQUAL_INT(ERR_USAGE, err.code);
    err_clear(&err);
    TEST_ASSERT_NULL(rows_open(db, "SELECT 1; DELETE FROM goal", &err));
    err_clear(&err);
    TEST_ASSERT_NULL(rows_open(db, "SELECT nonsense FROM goal", &err));
    err_clear(&err);
    TEST_ASSERT_NULL(rows_open(db, "", &err));
    store_close(db);
}

/* A child writes verdicts and says so on a pipe after each; it is killed at a random moment. All
 * that it announced must be there, and the file whole. */
static void run_and_kill(int round) {
    int fd[2];
    TEST_ASSERT_EQUAL_INT(0, pipe(fd));
    pid_t child = fork();
    if (child == 0) {
        struct store *db = fresh(200);
        for (uint32_t g = 0; g < 200; g++)
            if (put_reachable(db, g, put_witness(db)))
                (void)!write(fd[1], "x", 1);
        _exit(0);
    }
    close(fd[1]);
    char byte;
    int said = 0;
    for (int wanted = 1 + round * 7; said < wanted && read(fd[0], &byte, 1) == 1;)
        said++;
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    while (read(fd[0], &byte, 1) == 1)
        said++;
    close(fd[0]);
    struct store *db;
    TEST_ASSERT_TRUE_MESSAGE(store_open(&db, path, STORE_WRITE, &err), str_text(&err.message));
    int64_t kept = rows_single_int(db, "SELECT count(*) FROM goal WHERE status = 'reachable'");
    TEST_ASSERT_TRUE(kept >= said);
    TEST_ASSERT_EQUAL_INT64(
        1, rows_single_int(db, "SELECT integrity_check = 'ok' FROM pragma_integrity_check"));
    store_close(db);
    unlink(path);
    remove_file("-wal");
    remove_file("-shm");
}

static void test_a_killed_writer_loses_nothing_it_announced(void) {
    for (int round = 0; round < 20; round++)
        run_and_kill(round);
}

static void test_new_sources_open_all_goals_and_keep_the_evidence(void) {
    struct store *db = fresh(3);
    int64_t witness = put_witness(db);
    TEST_ASSERT_TRUE(put_reachable(db, 2, witness));
    struct goals goals = {0};
    struct module module = {0};
    make_goals(&goals, &module, 2);
    TEST_ASSERT_TRUE(store_module(db, &goals, &module, &err));
    struct stored_verdicts all = {0};
    struct arena arena = {0};
    TEST_ASSERT_TRUE(store_verdicts(db, &all, &arena, &err));
    TEST_ASSERT_EQUAL_size_t(2, all.len);
    TEST_ASSERT_EQUAL_UINT64(1001, all.data[1].key);
    TEST_ASSERT_EQUAL_INT(STATUS_OPEN, all.data[1].verdict.status);
    struct earlier_verdicts earlier = {0};
    struct texts paths = {0};
    struct witness w = {0};
    TEST_ASSERT_TRUE(store_prune(db, &err));
    TEST_ASSERT_TRUE(store_earlier(db, &earlier, &arena, &err));
    TEST_ASSERT_EQUAL_size_t(1, earlier.len);
    TEST_ASSERT_EQUAL_UINT64(1002, earlier.data[0].key);
    TEST_ASSERT_EQUAL_INT(STATUS_REACHABLE, earlier.data[0].verdict.status);
    TEST_ASSERT_TRUE(store_earlier_inputs(db, earlier.data[0].program, &paths, &arena, &err));
    TEST_ASSERT_EQUAL_size_t(module.inputs.len, paths.len);
    TEST_ASSERT_EQUAL_STRING(module.inputs.data[0].path, paths.data[0]);
    TEST_ASSERT_TRUE(store_get_witness(db, earlier.data[0].verdict.witness, &w, &arena));
    witness_free(&w);
    TEST_ASSERT_TRUE(store_forget_earlier(db, &err)); /* the goal is no more */
    TEST_ASSERT_TRUE(store_prune(db, &err));
    TEST_ASSERT_FALSE(store_get_witness(db, witness, &w, &arena));
    vec_free(&all);
    vec_free(&earlier);
    vec_free(&paths);
    vec_free(&goals.list);
    vec_free(&module.inputs);
    vec_free(&module.state);
    arena_free(&arena);
    store_close(db);
}

static void test_alarm_reopens_the_goal(void) {
    struct store *db = fresh(1);
    TEST_ASSERT_TRUE(put_dead(db, 0));
    TEST_ASSERT_TRUE(store_alarm(db, 0, "certificate refuted", 0, 1, &err));
    TEST_ASSERT_EQUAL_INT64(1, rows_single_int(db, "SELECT status = 'open' FROM goal_status"));
    TEST_ASSERT_EQUAL_INT64(1, rows_single_int(db, "SELECT proof FROM alarm"));
    store_close(db);
}

/* A goal of coverage is met when it is reachable, an event of robustness when it cannot happen. */
static void expect_summary(enum goal_kind kind) {
    struct store *db;
    struct goals goals = {0};
    struct module module = {0};
    bool robust = criteria[kind].robustness;
    make_goals(&goals, &module, 2);
    for (int i = 0; i < 2; i++) {
        goals.list.data[i].kind = kind;
        goals.list.data[i].value = criteria[kind].has_value ? 1 : -1;
    }
    TEST_ASSERT_TRUE(store_open(&db, path, STORE_CREATE, &err));
    TEST_ASSERT_TRUE(store_module(db, &goals, &module, &err));
    vec_free(&goals.list);
    vec_free(&module.inputs);
    vec_free(&module.state);
    TEST_ASSERT_TRUE(put_dead(db, 0));
    TEST_ASSERT_EQUAL_INT64(robust ? 50 : 0,
                            rows_single_int(db, "SELECT percent FROM coverage_summary"));
    TEST_ASSERT_TRUE(put_reachable(db, 1, put_witness(db)));
    TEST_ASSERT_EQUAL_INT64(50, rows_single_int(db, "SELECT percent FROM coverage_summary"));
    TEST_ASSERT_EQUAL_INT64(
        robust ? 50 : 100,
        rows_single_int(db, "SELECT percent_of_reachable FROM coverage_summary"));
    store_close(db);
}

static void test_the_summary_knows_what_is_good(void) {
    for (int kind = 0; kind < GOAL_KINDS; kind++) {
        expect_summary((enum goal_kind)kind);
        tearDown();
        setUp();
    }
}

static void test_a_second_check_changes_no_verdict(void) {
    struct store *db = fresh(2);
    TEST_ASSERT_TRUE(put_dead(db, 0));
    struct proof p = {.engine = "kind", .k = 1, .invariant = "inv", .certificate = "c"};
    int64_t proof = store_proof(db, &p, &err);
    TEST_ASSERT_TRUE(store_rechecked(db, 0, proof, "solver", &err));
    TEST_ASSERT_TRUE(store_rechecked(db, 1, proof, "solver", &err)); /* open: nothing to check */
    TEST_ASSERT_EQUAL_INT64(1,
                            rows_single_int(db, "SELECT count(*) FROM goal WHERE proof = 2 AND "
                                                "checked_by = 'cbmc,solver' AND status = 'dead'"));
    TEST_ASSERT_EQUAL_INT64(1, rows_single_int(db, "SELECT count(*) FROM goal WHERE proof IS NULL "
                                                   "AND status = 'open'"));
    store_close(db);
}

static int64_t put_certificate(struct store *db, const char *certificate) {
    struct proof p = {.engine = "kind", .k = 1, .invariant = "inv", .certificate = certificate};
    int64_t id = store_proof(db, &p, &err);
    TEST_ASSERT_GREATER_THAN_INT64(0, id);
    return id;
}

static void expect_certificate(struct store *db, int64_t proof, const char *certificate) {
    struct proof p = {0};
    struct arena arena = {0};
    TEST_ASSERT_TRUE(store_get_proof(db, proof, &p, &arena));
    TEST_ASSERT_EQUAL_STRING(certificate, p.certificate);
    proof_free(&p);
    arena_free(&arena);
}

/* A text of so many lines between a first and a last one. */
static const char *long_text(struct arena *arena, const char *first, int lines, const char *last) {
    struct str text = {0};
    str_add(&text, first);
    for (int i = 0; i < lines; i++)
        str_addf(&text, "\nline %d of the program", i);
    str_add(&text, last);
    const char *copy = arena_strdup(arena, str_text(&text));
    str_free(&text);
    return copy;
}

static void test_certificates_share_what_they_have_in_common(void) {
    enum { LINES = 3000, MANY = 20 };
    struct store *db = fresh(1);
    struct arena arena = {0};
    const char *texts[MANY];
    int64_t ids[MANY];
    for (int i = 0; i < MANY; i++) {
        texts[i] = long_text(&arena, arena_printf(&arena, "first %d", i), LINES,
                             arena_printf(&arena, "\nlast %d\n", i));
        ids[i] = put_certificate(db, texts[i]);
    }
    for (int i = 0; i < MANY; i++)
        expect_certificate(db, ids[i], texts[i]);
    int64_t stored = rows_single_int(db, "SELECT sum(length(text)) FROM piece");
    TEST_ASSERT_LESS_THAN_INT64((int64_t)strlen(texts[0]) * MANY / 4, stored);
    TEST_ASSERT_GREATER_THAN_INT64((int64_t)strlen(texts[0]), stored);
    store_close(db);
    arena_free(&arena);
}

static void test_certificates_of_every_length_come_back(void) {
    struct store *db = fresh(1);
    struct arena arena = {0};
    static const char *const texts[] = {"c", "\n", "\n\n\n", "a\nb", "a\nb\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        expect_certificate(db, put_certificate(db, texts[i]), texts[i]);
    for (int lines = 1; lines < 400; lines = lines * 2 + 1) {
        const char *text = long_text(&arena, "", lines, "");
        expect_certificate(db, put_certificate(db, text), text);
    }
    char *line = arena_printf(&arena, "%0600000d", 7); /* longer than any piece should be */
    expect_certificate(db, put_certificate(db, line), line);
    store_close(db);
    arena_free(&arena);
}

/* Pieces that a certificate in use has stay, whoever shared them. */
static void test_pieces_go_with_the_last_certificate(void) {
    struct store *db = fresh(1);
    struct arena arena = {0};
    const char *gone = long_text(&arena, "gone", 1000, "\ngone\n");
    const char *kept = long_text(&arena, "kept", 1000, "\nkept\n");
    put_certificate(db, gone);
    TEST_ASSERT_TRUE(put_dead(db, 0));
    int64_t proof = put_certificate(db, kept);
    TEST_ASSERT_TRUE(store_rechecked(db, 0, proof, "cbmc", &err));
    TEST_ASSERT_TRUE(store_prune(db, &err));
    expect_certificate(db, proof, kept);
    TEST_ASSERT_EQUAL_INT64((int64_t)strlen(kept),
                            rows_single_int(db, "SELECT sum(length(text)) FROM piece"));
    TEST_ASSERT_TRUE(store_alarm(db, 0, "refuted", 0, 0, &err));
    TEST_ASSERT_TRUE(store_prune(db, &err));
    TEST_ASSERT_EQUAL_INT64(0, rows_single_int(db, "SELECT count(*) FROM piece"));
    store_close(db);
    arena_free(&arena);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_evidence_comes_back);
    RUN_TEST(test_what_fails_half_way_leaves_nothing);
    RUN_TEST(test_a_contradiction_is_an_alarm_and_overwrites_nothing);
    RUN_TEST(test_dead_goals_are_checked_again_one_after_the_other);
    RUN_TEST(test_checkers_are_a_set);
    RUN_TEST(test_bounds_only_grow_and_end_with_the_verdict);
    RUN_TEST(test_a_run_within_a_bound_is_an_alarm);
    RUN_TEST(test_a_second_writer_is_refused_a_reader_is_not);
    RUN_TEST(test_filters_use_indices);
    RUN_TEST(test_unique_cause_follows_from_rows);
    RUN_TEST(test_two_readers_query_while_results_are_written);
    RUN_TEST(test_foreign_newer_and_truncated_files_are_refused);
    RUN_TEST(test_nothing_is_left_beside_it);
    RUN_TEST(test_a_whole_database_is_opened_again);
    RUN_TEST(test_damage_is_named);
    RUN_TEST(test_a_check_without_an_answer_is_no_damage);
    RUN_TEST(test_queries_cannot_write);
    RUN_TEST(test_a_killed_writer_loses_nothing_it_announced);
    RUN_TEST(test_new_sources_open_all_goals_and_keep_the_evidence);
    RUN_TEST(test_alarm_reopens_the_goal);
    RUN_TEST(test_the_summary_knows_what_is_good);
    RUN_TEST(test_a_second_check_changes_no_verdict);
    RUN_TEST(test_certificates_share_what_they_have_in_common);
    RUN_TEST(test_certificates_of_every_length_come_back);
    RUN_TEST(test_pieces_go_with_the_last_certificate);
    return UNITY_END();
}
