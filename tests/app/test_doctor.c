/* The doctor: takes each piece away and looks whether it is named, with a remedy. */
#include "run_program.h"

#include "scratch.h"
#include "unity.h"

#include <string.h>
#include <unistd.h>

static struct child_result result;

void setUp(void) {
    scratch_open();
}
void tearDown(void) {
    child_result_free(&result);
    scratch_close();
}

/* The line of a piece in the output, NULL when it is not there. */
static const char *line_of(const char *piece) {
    for (char *line = result.out.data; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strlen(line) > 9 && str_starts(line + 9, piece))
            return arena_strndup(&arena, line, strcspn(line, "\n"));
    }
    return NULL;
}

/* With `setting` in the environment exactly the pieces of the list are missing. */
static void expect_missing(const char *setting, const char *piece, const char *reason) {
    const char *environment[] = {setting, NULL};
    child_result_free(&result);
    result = run_program("doctor", environment, NULL);
    const char *line = line_of(piece);
    TEST_ASSERT_NOT_NULL_MESSAGE(line, str_text(&result.out));
    TEST_ASSERT_TRUE_MESSAGE(str_starts(line, "missing "), line);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(line, reason), line);
    TEST_ASSERT_EQUAL_INT(2, result.code);
    TEST_ASSERT_TRUE(says(&result.err, "something is missing"));
}

static void test_complete_machine(void) {
    result = run_program("doctor", NULL, NULL);
    static const char *const pieces[] = {"libclang", "LLVM",       "SQLite",           "MPFR",
                                         "GMP",      "C compiler", "32-bit libraries", "clang 19"};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        TEST_ASSERT_TRUE_MESSAGE(str_starts(line_of(pieces[i]), "ok "), line_of(pieces[i]));
}

static void test_limits_of_processes(void) {
    result = run_program("doctor", NULL, str_text(&dir));
    const char *line = line_of("sandbox");
    TEST_ASSERT_NOT_NULL(line);
    const char *words = geteuid() == 0 ? "no limit of processes: root's are not counted"
                        : strstr(line, "not here: namespaces")
                            ? "no limit of processes: no namespaces of users here"
                            : "at most 64 processes";
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(line, words), line);
}

static void test_missing_programs(void) {
    expect_missing("GOALKEEPER_CC=/no/such/cc", "C compiler", "no C compiler");
    expect_missing("GOALKEEPER_CC=/no/such/cc", "32-bit libraries", "no C compiler");
    expect_missing("GOALKEEPER_CLANG=/no/such/clang", "clang 19", "no clang-19");
    expect_missing("GOALKEEPER_CBMC=/no/such/cbmc", "CBMC", "no cbmc");
}

static void test_an_empty_path_lacks_the_compiler(void) {
    expect_missing("PATH=/no/such/folder", "C compiler", "no C compiler");
}

static void test_missing_32_bit_libraries(void) {
    const char *cc = put_program("cc", "#!/bin/sh\n"
                                       "for word; do [ \"$word\" != -m32 ] || {\n"
                                       "echo 'cannot find -lgcc' >&2; exit 1; }; done\n"
                                       "exec cc \"$@\"\n");
    const char *setting = arena_printf(&arena, "GOALKEEPER_CC=%s", cc);
    expect_missing(setting, "32-bit libraries", "cannot find -lgcc");
    TEST_ASSERT_TRUE(str_starts(line_of("C compiler"), "ok "));
}

static void test_wrong_versions(void) {
    const char *clang = put_program("clang", "#!/bin/sh\necho Debian clang version 14.0.6\n");
    expect_missing(arena_printf(&arena, "GOALKEEPER_CLANG=%s", clang), "clang 19", "14.0.6");
    const char *cbmc = put_program("cbmc", "#!/bin/sh\necho 5.11 '(cbmc-5.11)'\n");
    expect_missing(arena_printf(&arena, "GOALKEEPER_CBMC=%s", cbmc), "CBMC", "5.11");
    cbmc = put_program("cbmc", "#!/bin/sh\ncase $1 in --version) echo 6.6.0;;\n"
                               "*) echo VERIFICATION SUCCESSFUL;; esac\n");
    expect_missing(arena_printf(&arena, "GOALKEEPER_CBMC=%s", cbmc), "CBMC",
                   "does not refute a false assertion");
}

static void test_programs_that_do_not_work(void) {
    const char *bad = put_program("bad", "#!/bin/sh\necho 'it is broken' >&2\nexit 3\n");
    expect_missing(arena_printf(&arena, "GOALKEEPER_CBMC=%s", bad), "CBMC", "it is broken");
    expect_missing(arena_printf(&arena, "GOALKEEPER_CC=%s", bad), "C compiler", "exit code 3");
    expect_missing(arena_printf(&arena, "GOALKEEPER_CLANG=%s", bad), "clang 19", "it is broken");
}

/* A file that is no library stands in front of the real one. */
static void expect_missing_library(const char *file, const char *piece) {
    put_program(file, "not a library");
    const char *setting = arena_printf(&arena, "LD_LIBRARY_PATH=%s", str_text(&dir));
    expect_missing(setting, piece, file);
    TEST_ASSERT_TRUE(says(&result.out, "apt install lib"));
    file_remove_tree(path(file));
}

static void test_missing_libraries(void) {
    expect_missing_library("libclang-19.so.19", "libclang");
    expect_missing_library("libLLVM.so.19.1", "LLVM");
    expect_missing_library("libsqlite3.so.0", "SQLite");
    expect_missing_library("libmpfr.so.6", "MPFR");
    expect_missing_library("libgmp.so.10", "GMP");
    expect_missing_library("libz3.so.4", "Z3");
}

static void test_other_commands_explain_a_missing_library(void) {
    put_program("libgmp.so.10", "not a library");
    const char *environment[] = {arena_printf(&arena, "LD_LIBRARY_PATH=%s", str_text(&dir)), NULL};
    result = run_program("status x.db", environment, NULL);
    TEST_ASSERT_EQUAL_INT(2, result.code);
    TEST_ASSERT_TRUE_MESSAGE(says(&result.err, "libgmp.so.10"), str_text(&result.err));
    TEST_ASSERT_TRUE(says(&result.err, "goalkeeper doctor"));
    child_result_free(&result);
    result = run_program("status --help", environment, NULL);
    child_result_free(&result);
    result = run_program("help status", environment, NULL);
    TEST_ASSERT_EQUAL_INT(0, result.code);
}

static void test_missing_temporary_folder(void) {
    expect_missing("TMPDIR=/no/such/folder", "temporary folder", "no temporary folder");
}

/* Without it nothing is missing. */
static void test_what_is_optional(void) {
    const char *bad = put_program("bitwuzla", "#!/bin/sh\necho 'it is broken'\n");
    const char *const settings[] = {"GOALKEEPER_BITWUZLA=/no/such/bitwuzla",
                                    arena_printf(&arena, "GOALKEEPER_BITWUZLA=%s", bad)};
    const char *const reasons[] = {"is not installed", "it is broken"};
    for (size_t i = 0; i < 2; i++) {
        const char *environment[] = {settings[i], NULL};
        child_result_free(&result);
        result = run_program("doctor", environment, NULL);
        const char *line = line_of("Bitwuzla");
        TEST_ASSERT_TRUE_MESSAGE(line && str_starts(line, "optional "), str_text(&result.out));
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(line, reasons[i]), line);
        TEST_ASSERT_EQUAL_INT(strstr(str_text(&result.out), "missing ") ? 2 : 0, result.code);
    }
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_complete_machine);
    RUN_TEST(test_limits_of_processes);
    RUN_TEST(test_missing_programs);
    RUN_TEST(test_an_empty_path_lacks_the_compiler);
    RUN_TEST(test_missing_32_bit_libraries);
    RUN_TEST(test_wrong_versions);
    RUN_TEST(test_programs_that_do_not_work);
    RUN_TEST(test_missing_libraries);
    RUN_TEST(test_other_commands_explain_a_missing_library);
    RUN_TEST(test_missing_temporary_folder);
    RUN_TEST(test_what_is_optional);
    return UNITY_END();
}
