/* Whatever happens to a run from outside (children killed, no memory, no disk, a locked database,
 * a clock that jumps, output that nobody reads), it ends with correct verdicts or says what is
 * wrong, and the next run goes on from what was stored. */
#include "app/cli/command.h"
#include "base/rng.h"
#include "folder.h"

#include "unity.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define DATA GK_SOURCE_DIR "/tests/app/data/run/"
#define PROGRAM GK_BINARY_DIR "/goalkeeper"

void setUp(void) {
    folder_open();
}
void tearDown(void) {
    folder_close();
}

static void shell(const char *command) {
    const char *argv[] = {"sh", "-c", command, NULL};
    struct child_spec spec = {.argv = argv, .dir = str_text(&dir), .wall_seconds = 600};
    child_result_free(&r);
    TEST_ASSERT_TRUE_MESSAGE(child_run(&spec, &r, &err), str_text(&err.message));
    TEST_ASSERT_EQUAL_INT_MESSAGE(CHILD_EXITED, r.end, command);
}

static const char *run_machine(const char *options) {
    return arena_printf(&arena, PROGRAM " run " DATA "machine.json --db m.db %s", options);
}

/* machine.c: four statements are dead, everything that is decided otherwise is wrong. */
static void expect_no_wrong_verdict(void) {
    TEST_ASSERT_EQUAL_INT64(
        0,
        number_in("m.db",
                  "SELECT count(*) FROM goal_status WHERE kind = 'statement' AND status <> 'open' "
                  "AND (status = 'dead') <> (text IN ('out = 1;', 'mode = 0;', 'out = 2;', "
                  "'out = 4;'))"));
}

static void expect_decided(void) {
    TEST_ASSERT_EQUAL_INT64(
        0, number_in("m.db", "SELECT count(*) FROM goal_status WHERE status = 'open'"));
    expect_no_wrong_verdict();
}

/* ---- children killed ---- */

/* The fields of /proc/<pid>/stat that are wanted here. */
static bool read_stat(const char *pid, int *parent, char name[32]) {
    char line[512] = "";
    FILE *f = fopen(arena_printf(&arena, "/proc/%s/stat", pid), "r");
    if (!f)
        return false;
    bool ok =
        fgets(line, sizeof line, f) && sscanf(line, "%*d (%31[^)]) %*c %d", name, parent) == 2;
    fclose(f);
    return ok;
}

/* Compilers are left alone: a run without a build goes on without it, and says so. */
static bool is_prey(const char *name) {
    return strncmp(name, "clang", 5) != 0 && strcmp(name, "ld") != 0 && strcmp(name, "cc") != 0;
}

static pid_t random_child(pid_t of, struct rng *rng) {
    DIR *proc = opendir("/proc");
    pid_t chosen = 0;
    unsigned seen = 0;
    for (struct dirent *entry; (entry = readdir(proc));) {
        int parent;
        char name[32];
        if (isdigit((unsigned char)entry->d_name[0]) && read_stat(entry->d_name, &parent, name) &&
            parent == of && is_prey(name) && rng_below(rng, ++seen) == 0)
            chosen = (pid_t)strtol(entry->d_name, NULL, 10);
    }
    closedir(proc);
    return chosen;
}

/* The builds are made, the search is on. */
static bool is_under_way(void) {
    struct store *store = NULL;
    if (!file_exists(path("m.db")) || !store_open(&store, path("m.db"), STORE_READ, &err)) {
        err_clear(&err);
        return false;
    }
    int64_t n = rows_single_int(store, "SELECT count(*) FROM goal WHERE status <> 'open'");
    store_close(store);
    return n > 0;
}

/* Without the search for leaks at the end: it waits for ever for its own helper process when that
 * is the child that is killed. */
static pid_t start_machine(void) {
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
    const char *argv[] = {
        PROGRAM, "run", DATA "machine.json", "--db", path("m.db"), "--require-complete", NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, path("out"), O_WRONLY | O_CREAT, 0666);
    posix_spawn_file_actions_addopen(&actions, 2, path("err"), O_WRONLY | O_CREAT, 0666);
    pid_t pid = 0;
    extern char **environ;
    TEST_ASSERT_EQUAL_INT(
        0, posix_spawn(&pid, PROGRAM, &actions, NULL, (char **)(uintptr_t)argv, environ));
    posix_spawn_file_actions_destroy(&actions);
    unsetenv("ASAN_OPTIONS");
    return pid;
}

static void test_children_may_be_killed(void) {
    enum { KILLS = 25 };
    struct rng rng;
    struct str messages = {0};
    const struct timespec pause = {0, 100000000};
    int status = 0, kills = 0;
    bool started = false;
    rng_init(&rng, 11);
    pid_t pid = start_machine();
    while (waitpid(pid, &status, WNOHANG) == 0) {
        started = started || is_under_way();
        pid_t child = started && kills < KILLS ? random_child(pid, &rng) : 0;
        if (child > 0 && kill(child, SIGKILL) == 0)
            kills++;
        nanosleep(&pause, NULL);
    }
    TEST_ASSERT_TRUE(file_read(path("err"), &messages, &err));
    TEST_ASSERT_TRUE_MESSAGE(WIFEXITED(status), str_text(&messages));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, WEXITSTATUS(status), str_text(&messages));
    TEST_ASSERT_FALSE_MESSAGE(says(&messages, "ended with"), str_text(&messages));
    TEST_ASSERT_GREATER_THAN_INT(0, kills);
    expect_decided();
    str_free(&messages);
}

/* ---- no room ---- */

static void test_attempts_without_memory_cost_only_themselves(void) {
    shell(run_machine("--memory-mb 1 --engines houdini,kind --seconds 120"));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.err));
    expect_no_wrong_verdict();
    TEST_ASSERT_GREATER_THAN_INT64(
        0, number_in("m.db",
                     "SELECT count(*) FROM attempt WHERE detail LIKE '%memory limit of 1 MB%'"));
    shell(run_machine("--require-complete"));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.err));
    expect_decided();
}

/* Files may not grow beyond so many blocks; then they may, and the run goes on. */
static void test_a_full_disk_is_told_and_loses_nothing(void) {
    static const int blocks[] = {16, 300, 1200};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        shell(arena_printf(&arena, "ulimit -f %d; exec %s", blocks[i], run_machine("")));
        TEST_ASSERT_TRUE_MESSAGE(r.code == 0 || r.code == 2, str_text(&r.err));
        if (r.code == 2)
            TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "error: ") && says(&r.err, "m.db"),
                                     str_text(&r.err));
    }
    shell(run_machine("--require-complete"));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.err));
    expect_decided();
}

static void test_results_that_cannot_be_written_are_no_success(void) {
    shell(arena_printf(&arena, "%s >/dev/full", run_machine("")));
    TEST_ASSERT_EQUAL_INT_MESSAGE(2, r.code, str_text(&r.err));
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "cannot write the output"), str_text(&r.err));
    expect_decided();
}

static void test_nobody_has_to_read_the_output(void) {
    shell(arena_printf(&arena, "{ %s --verbose 2>&1; echo $? >code; } | head -c 1",
                       run_machine("--require-complete")));
    expect_decided();
}

/* ---- the database ---- */

static void test_a_database_that_is_in_use_is_refused(void) {
    struct store *store = NULL;
    TEST_ASSERT_TRUE(store_open(&store, path("m.db"), STORE_CREATE, &err));
    shell(run_machine(""));
    TEST_ASSERT_EQUAL_INT(2, r.code);
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "m.db"), str_text(&r.err));
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "another"), str_text(&r.err));
    store_close(store);
}

/* What an SQLite shell or a backup does: a transaction of its own on our file. */
static sqlite3 *lock_database(void) {
    sqlite3 *other = NULL;
    TEST_ASSERT_EQUAL_INT(SQLITE_OK, sqlite3_open(path("m.db"), &other));
    sqlite3_busy_timeout(other, 60000);
    TEST_ASSERT_EQUAL_INT_MESSAGE(
        SQLITE_OK, sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), sqlite3_errmsg(other));
    return other;
}

static void expect_locked(const struct str *messages) {
    TEST_ASSERT_TRUE_MESSAGE(says(messages, "m.db: cannot "), str_text(messages));
    TEST_ASSERT_TRUE_MESSAGE(says(messages, "another program holds the database locked"),
                             str_text(messages));
}

static void expect_resumes(void) {
    shell(run_machine("--require-complete"));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.err));
    expect_decided();
}

static void test_a_foreign_lock_that_stays_is_told(void) {
    shell(run_machine("--goals-only"));
    sqlite3 *other = lock_database();
    shell(run_machine(""));
    TEST_ASSERT_EQUAL_INT_MESSAGE(2, r.code, str_text(&r.err));
    expect_locked(&r.err);
    shell(PROGRAM " status m.db");
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.err));
    sqlite3_close(other);
    expect_resumes();
}

static void test_a_foreign_lock_that_goes_is_waited_for(void) {
    shell(run_machine("--goals-only"));
    pid_t holder = fork();
    if (holder == 0) {
        lock_database();
        sleep(3);
        _exit(0);
    }
    expect_resumes();
    TEST_ASSERT_EQUAL_INT(holder, waitpid(holder, NULL, 0));
}

/* In the middle of the search: what was stored before stays, what was found since is found again.
 */
static void test_a_foreign_lock_under_way_loses_nothing_stored(void) {
    const struct timespec pause = {0, 50000000};
    struct str messages = {0};
    int status = 0;
    pid_t pid = start_machine();
    while (!is_under_way() && waitpid(pid, &status, WNOHANG) == 0)
        nanosleep(&pause, NULL);
    sqlite3 *other = lock_database();
    int64_t before = number_in("m.db", "SELECT count(*) FROM goal WHERE status <> 'open'");
    TEST_ASSERT_EQUAL_INT(pid, waitpid(pid, &status, 0));
    sqlite3_close(other);
    TEST_ASSERT_TRUE(file_read(path("err"), &messages, &err));
    TEST_ASSERT_TRUE_MESSAGE(WIFEXITED(status), str_text(&messages));
    if (WEXITSTATUS(status) != 0) { /* 0: it had ended before */
        TEST_ASSERT_EQUAL_INT_MESSAGE(2, WEXITSTATUS(status), str_text(&messages));
        expect_locked(&messages);
    }
    TEST_ASSERT_GREATER_OR_EQUAL_INT64(
        before, number_in("m.db", "SELECT count(*) FROM goal WHERE status <> 'open'"));
    str_free(&messages);
    expect_resumes();
}

/* Two at a time, each a process of its own, over and over while a whole run writes: none is ever
 * locked out, and what they see only grows. */
static void test_readers_read_while_a_run_writes(void) {
    int64_t seen = 0;
    int status = 0, readings = 0;
    shell(run_machine("--goals-only"));
    pid_t pid = start_machine();
    for (bool ended = false; !ended;) {
        ended = waitpid(pid, &status, WNOHANG) != 0;
        shell(PROGRAM " query m.db --format csv --sql \"SELECT count(*) FROM goal_status WHERE "
                      "status <> 'open'\" & " PROGRAM " status m.db >table || exit 9; wait $!");
        TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.err));
        TEST_ASSERT_EQUAL_STRING("", str_text(&r.err));
        const char *line = strchr(str_text(&r.out), '\n');
        int64_t now = strtoll(line ? line : "-1", NULL, 10);
        TEST_ASSERT_GREATER_OR_EQUAL_INT64(seen, now);
        seen = now;
        readings++;
    }
    TEST_ASSERT_TRUE(WIFEXITED(status));
    TEST_ASSERT_EQUAL_INT(0, WEXITSTATUS(status));
    TEST_ASSERT_GREATER_THAN_INT(1, readings);
    TEST_ASSERT_EQUAL_INT64(seen, number_in("m.db", "SELECT count(*) FROM goal_status"));
    expect_decided();
}

/* ---- the clock ---- */

static void test_a_clock_that_jumps_changes_nothing(void) {
    shell("cc -shared -fPIC -O1 -o jump.so " DATA "jump.c");
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.err));
    shell(arena_printf(&arena, "ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD=./jump.so exec %s",
                       run_machine("--require-complete --seconds 600")));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.err));
    expect_decided();
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_children_may_be_killed);
    RUN_TEST(test_attempts_without_memory_cost_only_themselves);
    RUN_TEST(test_a_full_disk_is_told_and_loses_nothing);
    RUN_TEST(test_results_that_cannot_be_written_are_no_success);
    RUN_TEST(test_nobody_has_to_read_the_output);
    RUN_TEST(test_a_database_that_is_in_use_is_refused);
    RUN_TEST(test_a_foreign_lock_that_stays_is_told);
    RUN_TEST(test_a_foreign_lock_that_goes_is_waited_for);
    RUN_TEST(test_a_foreign_lock_under_way_loses_nothing_stored);
    RUN_TEST(test_readers_read_while_a_run_writes);
    RUN_TEST(test_a_clock_that_jumps_changes_nothing);
    return UNITY_END();
}
