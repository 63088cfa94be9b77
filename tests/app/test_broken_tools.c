/* Compilers that are missing, killed, or give nothing or garbage: no wrong verdict, a message that
 * names what happened, the exit code of the manual, and a run that goes on when they work again. */
#include "folder.h"

#include "unity.h"

#include <string.h>
#include <sys/stat.h>

#define DATA GK_SOURCE_DIR "/tests/app/data/run/"

void setUp(void) {
    folder_open();
}
void tearDown(void) {
    folder_close();
}

/* "CLANG=…" for a compiler that does `harm` when it is called for one of its jobs. */
enum job { PREPROCESS, MODEL, NATIVE, FIRST_NATIVE, LAST_NATIVE };

static const char *harmed(enum job job, const char *harm) {
    static const char *const patterns[] = {[PREPROCESS] = "*' -E '*",
                                           [MODEL] = "*' -emit-llvm -c -o - '*",
                                           [NATIVE] = "*' -o /'*",
                                           [FIRST_NATIVE] = "*' -o /'*fast*",
                                           [LAST_NATIVE] = "*'.bc '"};
    const char *text = arena_printf(&arena,
                                    "#!/bin/sh\n"
                                    "case \" $* \" in %s)\n"
                                    "    for w; do [ \"$p\" = -o ] && o=$w; p=$w; done\n"
                                    "    %s;;\nesac\nexec clang-19 \"$@\"\n",
                                    patterns[job], harm);
    TEST_ASSERT_TRUE(file_write(path("clang"), text, strlen(text), &err));
    TEST_ASSERT_EQUAL_INT(0, chmod(path("clang"), 0755));
    return arena_printf(&arena, "GOALKEEPER_CLANG=%s", path("clang"));
}

static void run_with(const char *setting, const char *options) {
    const char *environment[] = {setting, NULL};
    run_tool(arena_printf(&arena, "run " DATA "machine.json --db %s %s", path("m.db"), options),
             environment);
}

static int64_t in_status(const char *status) {
    return number_in(
        "m.db",
        arena_printf(&arena,
                     "SELECT count(*) FROM goal_status WHERE kind = 'statement' AND status = '%s'",
                     status));
}

/* machine.c: four statements are dead, twelve are not. */
static void expect_statements(int64_t reachable, int64_t dead) {
    TEST_ASSERT_EQUAL_INT64(reachable, in_status("reachable"));
    TEST_ASSERT_EQUAL_INT64(dead, in_status("dead"));
    TEST_ASSERT_EQUAL_INT64(
        0,
        number_in("m.db",
                  "SELECT count(*) FROM goal_status WHERE kind = 'statement' AND status <> 'open' "
                  "AND (status = 'dead') <> (text IN ('out = 1;', 'mode = 0;', 'out = 2;', "
                  "'out = 4;'))"));
}

static void expect_whole_again(void) {
    run_with("GOALKEEPER_CLANG", "--require-complete");
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.err));
    expect_statements(12, 4);
}

/* ---- before there are goals ---- */

static void test_no_compiler(void) {
    run_with("GOALKEEPER_CLANG=/no/such/clang", "");
    expect_end(2, "clang-19 was not found");
    TEST_ASSERT_TRUE(says(&r.err, "goalkeeper doctor"));
}

static void test_the_reader_of_sources_fails(void) {
    run_with(harmed(PREPROCESS, "kill -KILL $$"), "");
    expect_end(2, "killed by signal 9");
    run_with(harmed(PREPROCESS, "echo it is broken >&2; exit 3"), "");
    expect_end(3, "it is broken");
    run_with(harmed(PREPROCESS, "exit 0"), "");
    expect_end(2, "there is no function 'machine'");
    run_with(harmed(PREPROCESS, "echo 'nonsense ('; exit 0"), "");
    expect_end(3, "machine.c:1:");
}

/* ---- no model ---- */

static void expect_no_model(const char *harm, const char *words) {
    run_with(harmed(MODEL, harm), "--engines simulate,kind --seconds 20");
    expect_end(0, "no model, so nothing can be proved dead");
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, words), str_text(&r.err));
    expect_statements(in_status("reachable"), 0);
}

static void test_the_compiler_of_the_model_fails(void) {
    expect_no_model("kill -KILL $$", "killed by signal 9");
    expect_no_model("echo garbage; exit 0", "bitcode cannot be read");
    expect_no_model("exit 0", "bitcode cannot be read");
    expect_no_model("exit 5", "clang failed");
    expect_whole_again();
}

/* ---- no native program ---- */

static void expect_no_native(enum job job, const char *harm, const char *words) {
    run_with(harmed(job, harm), "--engines simulate,houdini,kind --seconds 60");
    expect_end(0, "no native build, so nothing can be shown to be reachable");
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, words), str_text(&r.err));
    expect_statements(0, in_status("dead"));
}

static void test_the_native_compiler_fails(void) {
    expect_no_native(FIRST_NATIVE, "exit 5", "compiling the woven program failed");
    expect_no_native(NATIVE, "kill -KILL $$", "killed by signal 9");
    expect_no_native(NATIVE, "exit 0", "cannot start the program");
    expect_no_native(NATIVE, "echo garbage >\"$o\"; chmod +x \"$o\"; exit 0",
                     "cannot start the program");
    TEST_ASSERT_EQUAL_INT64(4, in_status("dead"));
    expect_whole_again();
}

/* The bitcode of the build that is made when the first hit is to be confirmed. */
static void test_the_build_that_is_made_last_fails(void) {
    run_with(harmed(LAST_NATIVE, "echo garbage >\"$o\"; exit 0"), "--seconds 60");
    expect_end(0, "no run can be replayed, so nothing more can be shown to be reachable");
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "bitcode cannot be read"), str_text(&r.err));
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "goalkeeper doctor"), str_text(&r.err));
    expect_statements(0, 4);
}

/* ---- it hangs ---- */

static void expect_hang(enum job job, const char *options, int code, const char *words) {
    run_with(harmed(job, "exec sleep 1000"), options);
    expect_end(code, words);
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "time limit of "), str_text(&r.err));
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "shows whether clang hangs"), str_text(&r.err));
}

/* Each has half of the run: the rest is for what does not need it. */
static void test_a_compiler_that_hangs_leaves_time_for_the_rest(void) {
    expect_hang(PREPROCESS, "--seconds 4", 2, "clang did not end by itself while it made one text");
    expect_hang(MODEL, "--engines simulate --seconds 60", 0, "no model, so nothing can be proved");
    expect_statements(12, 0);
    expect_hang(NATIVE, "--engines houdini,kind --seconds 40", 0, "no native build, so nothing");
    expect_statements(12, 4);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_no_compiler);
    RUN_TEST(test_the_reader_of_sources_fails);
    RUN_TEST(test_the_compiler_of_the_model_fails);
    RUN_TEST(test_the_native_compiler_fails);
    RUN_TEST(test_the_build_that_is_made_last_fails);
    RUN_TEST(test_a_compiler_that_hangs_leaves_time_for_the_rest);
    return UNITY_END();
}
