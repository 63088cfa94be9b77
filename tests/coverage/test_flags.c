/* Flags of a project: what makes a compiler load, run or write something is refused by name. */
#include "coverage/flags.h"

#include "unity.h"

#include <string.h>

static struct err err;

void setUp(void) {
}
void tearDown(void) {
    err_clear(&err);
}

static bool check(const char *a, const char *b) {
    struct texts flags = {0};
    vec_push(&flags, a);
    if (b)
        vec_push(&flags, b);
    err_clear(&err);
    bool good = flags_check(&flags, &err);
    vec_free(&flags);
    return good;
}

static void test_what_says_what_the_c_means(void) {
    static const char *const good[] = {"-std=c99", "-DX=1",         "-Iinc",   "-Wall",
                                       "-O2",      "-fshort-enums", "-g",      "-include=a.h",
                                       "-w",       "-fsigned-char", "-Wextra", "-isystem/x"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        TEST_ASSERT_TRUE_MESSAGE(check(good[i], NULL), good[i]);
    TEST_ASSERT_TRUE(check("-D", "X=1"));
    TEST_ASSERT_TRUE(check("-include", "types.h"));
}

static void test_what_loads_runs_or_writes(void) {
    static const char *const bad[] = {"-fplugin=x.so",
                                      "-Xclang",
                                      "-load",
                                      "@flags",
                                      "-o",
                                      "-oout",
                                      "-MF",
                                      "-MD",
                                      "-MMD",
                                      "-B.",
                                      "-specs=x",
                                      "-wrapper",
                                      "-Wl,-z",
                                      "-Wp,-MD,x",
                                      "-Wa,-o,x",
                                      "-save-temps",
                                      "-gsplit-dwarf",
                                      "-dumpdir",
                                      "-fpass-plugin=x",
                                      "-mllvm",
                                      "-x",
                                      "-E",
                                      "x.c",
                                      "",
                                      "-fprofile-generate=x",
                                      "--config=x",
                                      "-ivfsoverlay",
                                      "-fmodules",
                                      "-ftime-trace",
                                      "--serialize-diagnostics",
                                      "-print-file-name=x",
                                      "-isysroot=x",
                                      "-resource-dir=x",
                                      "-fuse-ld=x",
                                      "-rpath"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        TEST_ASSERT_FALSE_MESSAGE(check(bad[i], NULL), bad[i]);
        TEST_ASSERT_EQUAL_INT(ERR_USAGE, err.code);
        TEST_ASSERT_TRUE_MESSAGE(strstr(str_text(&err.message), bad[i]), bad[i]);
    }
}

static void test_values_are_no_flags(void) {
    TEST_ASSERT_FALSE(check("-D", NULL));
    TEST_ASSERT_FALSE(check("-D", "-fplugin=x.so"));
    TEST_ASSERT_FALSE(check("-I", "@flags"));
    TEST_ASSERT_FALSE(check("-DX", "-fplugin=x.so"));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_what_says_what_the_c_means);
    RUN_TEST(test_what_loads_runs_or_writes);
    RUN_TEST(test_values_are_no_flags);
    return UNITY_END();
}
