/* What a command may change: little, even when a library that reads sources is not ours any more.
 */
#include "folder.h"

#include "base/sandbox/layers.h"
#include "base/sandbox/sandbox.h"

#include "unity.h"

#include <linux/landlock.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *victim; /* a folder that is none of the program's */

void setUp(void) {
    char name[] = "/tmp/goalkeeper-victim-XXXXXX";
    folder_open();
    TEST_ASSERT_NOT_NULL(mkdtemp(name));
    victim = arena_strdup(&arena, name);
    put("p/m.c", "unsigned char in, out; static unsigned char n;\n"
                 "void step(void) { if (in > 1 && n < 3) n++; if (n > 5) out = 1; }\n");
    put("p/goalkeeper.json", "{ \"sources\": [\"m.c\"], \"step\": \"step\",\n"
                             "  \"inputs\": [{\"name\": \"in\"}] }\n");
}

void tearDown(void) {
    file_remove_tree(victim);
    folder_close();
}

/* Of this kernel: whether Landlock keeps signals in. */
static bool scopes_signals(void) {
    return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) >= 6;
}

/* Taken over when it calls this function first. */
static void make_library_at(const char *function) {
    const char *argv[] = {"cc",
                          arena_printf(&arena, "-DFIRST=%s", function),
                          "-shared",
                          "-fPIC",
                          "-O1",
                          "-o",
                          path("taken.so"),
                          GK_SOURCE_DIR "/tests/app/data/run/taken_over.c",
                          NULL};
    struct child_spec spec = {.argv = argv, .wall_seconds = 120};
    struct child_result made;
    TEST_ASSERT_TRUE(child_run(&spec, &made, &err));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, made.code, str_text(&made.err));
    child_result_free(&made);
}

static void make_library(void) {
    make_library_at("clang_createIndex");
}

static const char *in_victim(const char *name) {
    return path_join(&arena, victim, name);
}

/* The command, taken over at its first call of the library. */
static void take_over(const char *line) {
    const char *environment[] = {
        arena_printf(&arena, "LD_PRELOAD=%s", path("taken.so")),
        arena_printf(&arena, "VICTIM=%s", victim),
        "ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0",
        scopes_signals() ? "SIGNALS=1" : "SIGNALS",
        arena_printf(&arena, "TMPDIR=%s", path("tmp")), /* empty folders below it may go */
        NULL,
    };
    mkdir(in_victim("empty"), 0700);
    TEST_ASSERT_TRUE(file_make_dirs(path("tmp"), &err));
    TEST_ASSERT_TRUE(file_write(in_victim("kept"), "mine\n", 5, &err));
    run_tool(line, environment);
    TEST_ASSERT_EQUAL_INT_MESSAGE(99, r.code, str_text(&r.err));
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "tried all"), str_text(&r.err));
    TEST_ASSERT_FALSE_MESSAGE(says(&r.err, "did: "), str_text(&r.err));
}

static void test_taken_over(void) {
    const unsigned both = SANDBOX_CALLS | SANDBOX_FILES;
    if ((sandbox_layers() & both) != both)
        TEST_IGNORE_MESSAGE("no Landlock or no seccomp");
    make_library();
    run_tool("run p --seconds 20 -j 1", NULL);
    expect_end(0, NULL);
    take_over("run p --seconds 20 -j 1");
    take_over("run p --goals-only");
    take_over("run p/m.c --step step --db x.db --cache c");
    take_over("audit p/goalkeeper.db");
    take_over("init -o q.json p/m.c");
}

/* Commands that only ask, of a database of somebody else. */
static void test_taken_over_by_a_database(void) {
    static const char *const lines[] = {
        "status p",
        "status p/goalkeeper.db",
        "query p/goalkeeper.db",
        "report p/goalkeeper.db -o out",
        "gate p/goalkeeper.db --max-open 0",
        "justify p/goalkeeper.db 1 --reason r --author a",
        "overlay p/goalkeeper.db x.info",
    };
    const unsigned both = SANDBOX_CALLS | SANDBOX_FILES;
    if ((sandbox_layers() & both) != both)
        TEST_IGNORE_MESSAGE("no Landlock or no seccomp");
    make_library_at("sqlite3_open_v2");
    put("x.info", "TN:\n");
    run_tool("run p --goals-only", NULL);
    expect_end(0, NULL);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        take_over(lines[i]);
}

/* A log that is a link would be written where it leads. */
static void test_a_link_beside_the_database(void) {
    const unsigned both = SANDBOX_CALLS | SANDBOX_FILES;
    if ((sandbox_layers() & both) != both)
        TEST_IGNORE_MESSAGE("no Landlock or no seccomp");
    make_library();
    run_tool("run p --seconds 20 -j 1", NULL);
    expect_end(0, NULL);
    TEST_ASSERT_EQUAL_INT(0, symlink(in_victim("kept"), path("p/goalkeeper.db-shm")));
    take_over("audit p/goalkeeper.db");
}

/* The attempts themselves work where nothing forbids them. */
static void test_the_thief_is_one(void) {
    const char *environment[] = {"GOALKEEPER_STOP=SANDBOX_FILES:2=fail", NULL};
    if (!(sandbox_layers() & SANDBOX_FILES))
        TEST_IGNORE_MESSAGE("no Landlock");
    make_library();
    const char *all[] = {arena_printf(&arena, "LD_PRELOAD=%s", path("taken.so")),
                         arena_printf(&arena, "VICTIM=%s", victim),
                         "ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0", environment[0],
                         NULL};
    mkdir(in_victim("empty"), 0700);
    TEST_ASSERT_TRUE(file_write(in_victim("kept"), "mine\n", 5, &err));
    run_tool("run p --goals-only", all);
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "did: make a file"), str_text(&r.err));
#ifndef __SANITIZE_ADDRESS__ /* a shell does not start with what is preloaded for that */
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "did: let a shell make a file"), str_text(&r.err));
#endif
}

/* ---- what has to go on working ---- */

static void expect_no_files_beside(const char *database) {
    static const char *const suffixes[] = {"-wal", "-shm", "-lock", "-journal"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        TEST_ASSERT_FALSE_MESSAGE(
            file_exists(path(arena_printf(&arena, "%s%s", database, suffixes[i]))), suffixes[i]);
}

/* Databases elsewhere, behind links, in folders that cannot be written; all outputs. */
static void test_results_elsewhere(void) {
    const char *line = "run p --seconds 20 -j 1 --db far/away/x.db --trace far/t.jsonl";
    TEST_ASSERT_TRUE(file_make_dirs(path("far/away"), &err));
    run_tool(line, NULL);
    expect_end(0, NULL);
    TEST_ASSERT_TRUE(file_exists(path("far/t.jsonl")));
    TEST_ASSERT_EQUAL_INT(0, symlink("far/away/x.db", path("near.db")));
    run_tool("audit near.db", NULL);
    expect_end(0, NULL);
    run_tool("run p --seconds 20 -j 1 --db near.db", NULL);
    expect_end(0, NULL);
    run_tool("run p --dump-model far/model", NULL);
    expect_end(0, NULL);
    run_tool("export near.db -o new/tests --certificates --evidence smt2,acsl,mcdc --tests plain",
             NULL);
    expect_end(0, NULL);
    TEST_ASSERT_TRUE(file_exists(path("new/tests/plain/Makefile")));
    run_tool("merge far/both.db far/away/x.db near.db --audit", NULL);
    expect_end(0, NULL);
    run_tool("audit far/both.db --record", NULL);
    expect_end(0, NULL);
    expect_no_files_beside("far/away/x.db");
    expect_no_files_beside("far/both.db");
}

/* What was made for SQLite goes also when the command ends before. */
static void test_nothing_stays(void) {
    TEST_ASSERT_TRUE(file_make_dirs(path("tmp"), &err));
    const char *environment[] = {arena_printf(&arena, "TMPDIR=%s", path("tmp")), NULL};
    run_tool("run p --seconds 20 -j 1", environment);
    expect_end(0, NULL);
    run_tool("audit p/goalkeeper.db --signature x", environment);
    expect_end(2, "belong together");
    expect_no_files_beside("p/goalkeeper.db");
    run_tool("replay p/goalkeeper.db 1", environment);
    expect_end(0, NULL);
    run_tool("export p/goalkeeper.db -o tests", environment);
    expect_end(0, NULL);
    expect_no_files_beside("p/goalkeeper.db");
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, rmdir(path("tmp")), "temporary files are left");
}

/* Nothing can be decided without temporary files: that is no warning. */
static void test_no_folder_for_temporary_files(void) {
    const char *nowhere[] = {"TMPDIR=/nonexistent", NULL};
    run_tool("run p --seconds 20", nowhere);
    expect_end(2, "set TMPDIR");
    TEST_ASSERT_FALSE(file_exists(path("p/goalkeeper.db")));
    run_tool("run p --goals-only", nowhere);
    expect_end(0, NULL);
    run_tool("audit p/goalkeeper.db", nowhere);
    expect_end(2, "set TMPDIR");
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_taken_over);
    RUN_TEST(test_taken_over_by_a_database);
    RUN_TEST(test_a_link_beside_the_database);
    RUN_TEST(test_the_thief_is_one);
    RUN_TEST(test_results_elsewhere);
    RUN_TEST(test_nothing_stays);
    RUN_TEST(test_no_folder_for_temporary_files);
    return UNITY_END();
}
