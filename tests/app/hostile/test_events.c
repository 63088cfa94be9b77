/* Whatever happens at any event of a run (killed, the disk full, a tool gone), the database is
 * whole, nobody is left behind, and the next run ends with the verdicts of one that was left alone.
 * Events are counted, not timed (data/run/faults.c): a busy machine tests the same.
 *
 *     build/tests/app_test_events 200        with so many kills, as in the night
 *     build/tests/app_test_events 200 3 8    every eighth of them, from the third on
 *     build/tests/app_test_events 200 3 8 killed    of these, the kills alone (or full, gone) */
#include "folder.h"

#include "base/mem.h"
#include "base/sandbox/layers.h"
#include "base/tool.h"

#include "unity.h"

#include <errno.h>
#include <linux/landlock.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROGRAM GK_BINARY_DIR "/goalkeeper"

static long kills = 10, first = 0, every = 1, n_events;
static const char *only;   /* "killed", "full", "gone"; NULL: all */
static const char *wanted; /* the verdicts of a run that is left alone */

/* With goals that are reached at once and late, and one that is dead. */
static const char source[] = "unsigned char in, out; static unsigned char n;\n"
                             "void step(void) {\n"
                             "    if (in > 1 && n < 3) n++;\n"
                             "    if (n > 5) out = 1;\n"
                             "}\n";

void setUp(void) {
    folder_open();
    put("m.c", source);
}

void tearDown(void) {
    folder_close();
}

/* ---- a run, and what is left of it ---- */

struct run {
    const char *fault, *file, *clang, *cbmc; /* or NULL */
    bool read_only;                          /* it may write to `tmp` only */
};

static void forbid_writing(void) {
    const uint64_t read =
        LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_EXECUTE;
    int rules = layers_rules();
    layers_allow_path(rules, "/", read);
    layers_allow_path(rules, path("tmp"), (UINT64_C(1) << 13) - 1);
    layers_allow_path(rules, "/dev/null", LANDLOCK_ACCESS_FS_WRITE_FILE);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || syscall(SYS_landlock_restrict_self, rules, 0))
        _exit(99);
}

static void set(const char *name, const char *value) {
    if (value)
        setenv(name, value, 1);
}

/* Without the search for leaks: the library that is preloaded comes before the sanitizer's. */
_Noreturn static void become(const struct run *run) {
    if (chdir(str_text(&dir)) || !freopen("out", "w", stdout) || !freopen("err", "w", stderr))
        _exit(98);
    set("ASAN_OPTIONS", "detect_leaks=0:verify_asan_link_order=0");
    set("LD_PRELOAD", run->fault ? path("faults.so") : NULL);
    set("FAULT", run->fault);
    set("FAULT_FILE", run->file);
    set("GOALKEEPER_CLANG", run->clang);
    set("GOALKEEPER_CBMC", run->cbmc);
    set("TMPDIR", path("tmp"));
    if (run->read_only)
        forbid_writing();
    execl(PROGRAM, PROGRAM, "run", "m.c", "--step", "step", "--deterministic", "-j", "2", "--quiet",
          "--no-cache", NULL);
    _exit(97);
}

/* All of its descendants become ours when their parents end, and have to end by themselves. */
static void expect_nobody_left(void) {
    for (int tries = 0; tries < 600; tries++) {
        pid_t pid;
        while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
            ;
        if (pid < 0 && errno == ECHILD)
            return;
        usleep(100000);
    }
    TEST_FAIL_MESSAGE("a process is left behind");
}

/* The status of waitpid(). */
static int run(struct run run) {
    int status = 0;
    file_make_dirs(path("tmp"), &err);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        become(&run);
    TEST_ASSERT_EQUAL_INT(pid, waitpid(pid, &status, 0));
    expect_nobody_left();
    return status;
}

static const char *messages(void) {
    struct str text = {0};
    TEST_ASSERT_TRUE(file_read(path("err"), &text, &err));
    const char *copy = arena_strdup(&arena, str_text(&text));
    str_free(&text);
    return copy;
}

static const char *verdicts(void) {
    struct store *db = NULL;
    struct str text = {0};
    TEST_ASSERT_TRUE_MESSAGE(store_open(&db, path("goalkeeper.db"), STORE_READ, &err),
                             str_text(&err.message));
    struct rows *rows = rows_open(db, "SELECT key, status FROM goal_status ORDER BY 1", &err);
    while (rows_next(rows))
        str_addf(&text, "%s %s\n", rows_text(rows, 0), rows_text(rows, 1));
    TEST_ASSERT_TRUE_MESSAGE(rows_close(rows, &err), str_text(&err.message));
    TEST_ASSERT_EQUAL_INT64(1, rows_single_int(db, "SELECT count(*) = 1 AND max(integrity_check) = "
                                                   "'ok' FROM pragma_integrity_check"));
    store_close(db);
    return str_detach(&text);
}

static void forget(void) {
    static const char *const files[] = {"goalkeeper.db", "goalkeeper.db-wal", "goalkeeper.db-shm",
                                        "goalkeeper.db-lock", "tmp"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        file_remove_tree(path(files[i]));
}

/* The next run comes to the end of one that was left alone. */
static void expect_same_end(const char *what) {
    int status = run((struct run){0});
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, status, arena_printf(&arena, "%s: %s", what, messages()));
    const char *now = verdicts();
    TEST_ASSERT_EQUAL_STRING_MESSAGE(wanted, now, what);
    mem_free((void *)(uintptr_t)now);
    forget();
}

static void make_library(void) {
    const char *argv[] = {"cc",
                          "-shared",
                          "-fPIC",
                          "-O1",
                          "-o",
                          path("faults.so"),
                          GK_SOURCE_DIR "/tests/app/data/run/faults.c",
                          NULL};
    struct child_spec spec = {.argv = argv, .wall_seconds = 120};
    TEST_ASSERT_TRUE(child_run(&spec, &r, &err));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.err));
}

/* ---- tests ---- */

static void test_a_run_that_is_left_alone(void) {
    struct str count = {0};
    make_library();
    TEST_ASSERT_EQUAL_INT(0, run((struct run){.fault = "count", .file = path("count")}));
    TEST_ASSERT_TRUE(file_read(path("count"), &count, &err));
    n_events = strtol(str_text(&count), NULL, 10);
    str_free(&count);
    TEST_ASSERT_GREATER_THAN_INT(200, n_events);
    wanted = verdicts();
    TEST_ASSERT_NOT_NULL(strstr(wanted, " dead\n"));
    TEST_ASSERT_NOT_NULL(strstr(wanted, " reachable\n"));
    TEST_ASSERT_NULL(strstr(wanted, " open\n"));
    forget();
    expect_same_end("again");
}

/* Event i of n, over all of the run. */
static const char *fault(const char *what, long i, long n) {
    return arena_printf(&arena, "%s:%ld", what, 1 + (2 * i + 1) * n_events / (2 * n));
}

static void test_killed(void) {
    long killed = 0, tried = 0;
    make_library();
    for (long i = first; i < kills; i += every, tried++) {
        const char *when = fault("kill", i, kills);
        int status = run((struct run){.fault = when});
        killed += WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
        expect_same_end(when);
    }
    TEST_ASSERT_GREATER_OR_EQUAL_INT(tried - 1 - tried / 20, killed); /* the last may be too late */
}

static void expect_told(int status, const char *when) {
    const char *said = messages();
    const char *all = arena_printf(&arena, "%s: %s", when, said);
    TEST_ASSERT_TRUE_MESSAGE(WIFEXITED(status), all);
    TEST_ASSERT_TRUE_MESSAGE(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 2, all);
    TEST_ASSERT_TRUE_MESSAGE(WEXITSTATUS(status) == 0 || strstr(said, "error: "), all);
}

static void test_full_disk(void) {
    long n = kills / 2, told = 0, tried = 0;
    make_library();
    for (long i = first; i < 2 * n; i += every, tried++) {
        const char *when = fault(i < n ? "full" : "once", i % n, n);
        int status = run((struct run){.fault = when});
        expect_told(status, when);
        told += status != 0;
        expect_same_end(when);
    }
    TEST_ASSERT_GREATER_THAN_INT(tried / 4, told);
}

/* A tool that starts the real one, until it is removed. What is in PATH may be started. */
static const char *put_tool(const char *name, const char *real) {
    const char *text = arena_printf(&arena, "#!/bin/sh\nexec %s \"$@\"\n", real);
    setenv("PATH", arena_printf(&arena, "%s:/usr/local/bin:/usr/bin:/bin", path_dir(&arena, real)),
           1);
    put(name, text);
    TEST_ASSERT_EQUAL_INT(0, chmod(path(name), 0755));
    return path(name);
}

/* In the middle: what needs it is not done after that, and what was decided stays. */
static void test_tools_vanish(void) {
    long n = kills / 3;
    const char *clang = tool_clang(&arena), *cbmc = tool_cbmc(&arena);
    make_library();
    TEST_ASSERT_TRUE(clang && cbmc);
    for (long i = first; i < 2 * n; i += every) {
        const char *when = fault("gone", i % n, n);
        const char *tool = i < n ? put_tool("cbmc", cbmc) : put_tool("clang", clang);
        int status = run((struct run){.fault = when,
                                      .file = tool,
                                      .clang = i < n ? NULL : tool,
                                      .cbmc = i < n ? tool : NULL});
        TEST_ASSERT_FALSE(file_exists(tool));
        expect_told(status, when);
        expect_same_end(when);
    }
}

static void test_a_folder_that_cannot_be_written(void) {
    int rules = layers_rules();
    if (rules < 0)
        TEST_IGNORE_MESSAGE("no Landlock");
    close(rules);
    int status = run((struct run){.read_only = true});
    TEST_ASSERT_TRUE(WIFEXITED(status));
    TEST_ASSERT_EQUAL_INT_MESSAGE(2, WEXITSTATUS(status), messages());
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(messages(), "goalkeeper.db"), messages());
    expect_same_end("read-only");
}

static bool wants(const char *what) {
    return !only || strcmp(only, what) == 0;
}

int main(int argc, char **argv) {
    if (argc > 1)
        kills = strtol(argv[1], NULL, 10);
    if (argc > 3) {
        first = strtol(argv[2], NULL, 10) - 1;
        every = strtol(argv[3], NULL, 10);
    }
    only = argc > 4 ? argv[4] : NULL;
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    UNITY_BEGIN();
    RUN_TEST(test_a_run_that_is_left_alone);
    if (wants("killed"))
        RUN_TEST(test_killed);
    if (wants("full"))
        RUN_TEST(test_full_disk);
    if (wants("gone"))
        RUN_TEST(test_tools_vanish);
    RUN_TEST(test_a_folder_that_cannot_be_written);
    return UNITY_END();
}
