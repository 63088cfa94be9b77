/* The self-test of the floating-point environment accepts this one and notices broken ones
 * (x86-64: the modes are bits of MXCSR), whether modes were changed or the compiler was told to. */
#include "base/arena.h"
#include "base/child.h"
#include "base/file.h"
#include "base/tool.h"
#include "model/contract/selftest.h"

#include "unity.h"

#include <fenv.h>
#include <string.h>
#include <xmmintrin.h>

static unsigned modes;

static void save_modes(void) {
    modes = _mm_getcsr();
}
static void restore_modes(void) {
    _mm_setcsr(modes);
}
static void flush_to_zero(unsigned bits) {
    _mm_setcsr(modes | bits);
}

void setUp(void) {
    save_modes();
}
void tearDown(void) {
    restore_modes();
    fesetround(FE_TONEAREST);
}

static void expect_failure(const char *what) {
    struct err err = {0};
    bool ok = selftest_float(&err);
    restore_modes();
    fesetround(FE_TONEAREST);
    TEST_ASSERT_FALSE(ok);
    TEST_ASSERT_NOT_NULL(strstr(str_text(&err.message), what));
    TEST_ASSERT_EQUAL_INT(ERR_INTERNAL, err.code);
    err_clear(&err);
}

static void test_this_environment_is_right(void) {
    struct err err = {0};
    TEST_ASSERT_TRUE(selftest_float(&err));
    TEST_ASSERT_EQUAL_INT(ERR_NONE, err.code);
}

static void test_other_rounding_modes_are_noticed(void) {
    const int other[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    for (int i = 0; i < 3; i++) {
        fesetround(other[i]);
        expect_failure("rounding mode");
    }
}

static void test_flushing_to_zero_is_noticed(void) {
    flush_to_zero(0x8000); /* results */
    expect_failure("subnormal");
    flush_to_zero(0x0040); /* operands */
    expect_failure("subnormal");
}

/* ---- hostile builds ---- */

/* Says what is wrong and fails with it; so the self-test needs nothing else of this project. */
static const char main_text[] =
    "#include \"model/contract/selftest.h\"\n#include <stdarg.h>\n#include <stdio.h>\n"
    "bool err_set(struct err *err, enum err_code code, const char *format, ...)\n{\n"
    "    va_list args;\n    va_start(args, format);\n    vprintf(format, args);\n"
    "    va_end(args);\n    return err && code == ERR_NONE;\n}\n"
    "bool err_remedy(struct err *err, const char *format, ...)\n{\n"
    "    return err && !format;\n}\n"
    "int main(void)\n{\n    struct err err = {0};\n    return !selftest_float(&err);\n}\n";

static struct child_result run(const char *const *argv) {
    struct child_spec spec = {.argv = argv, .wall_seconds = 60};
    struct child_result result;
    struct err err = {0};
    TEST_ASSERT_TRUE_MESSAGE(child_run(&spec, &result, &err), str_text(&err.message));
    return result;
}

/* The self-test built with two more options: what it says, NULL when it does not compile. */
static char *said_when_built_with(struct arena *arena, const char *one, const char *two) {
    struct str dir = {0};
    struct err err = {0};
    char *said = NULL;
    TEST_ASSERT_TRUE(file_temp_dir(&dir, &err));
    const char *source = path_join(arena, str_text(&dir), "main.c");
    const char *program = path_join(arena, str_text(&dir), "selftest");
    TEST_ASSERT_TRUE(file_write(source, main_text, sizeof main_text - 1, &err));
    const char *build[] = {
        tool_cc(arena), "-std=c11",    "-D_GNU_SOURCE",
        "-O2",          one,           two,
        "-I",           GK_SOURCE_DIR, GK_SOURCE_DIR "/model/contract/selftest.c",
        source,         "-o",          program,
        "-lm",          NULL};
    struct child_result built = run(build);
    if (built.end == CHILD_EXITED && built.code == 0) {
        struct child_result r = run((const char *[]){program, NULL});
        said = arena_printf(arena, "%s", str_text(&r.out));
        TEST_ASSERT_EQUAL_INT(said[0] != 0, r.code);
        child_result_free(&r);
    }
    child_result_free(&built);
    file_remove_tree(str_text(&dir));
    str_free(&dir);
    return said;
}

/* What the build of this project tells GCC; clang takes it for its own option of that meaning. */
#define UNPAIRED "-fno-tree-slp-vectorize"

/* GCC 12 is known to drop roundings of neighbours when nobody forbids it. */
static void test_a_build_that_drops_roundings_is_noticed(void) {
#if defined __GNUC__ && !defined __clang__ && __GNUC__ == 12
    struct arena arena = {0};
    char *said = said_when_built_with(&arena, "-O2", "-ftree-slp-vectorize");
    TEST_ASSERT_NOT_NULL(strstr(said, "two neighbours"));
    said = said_when_built_with(&arena, "-O2", UNPAIRED);
    TEST_ASSERT_EQUAL_STRING("", said);
    arena_free(&arena);
#else
    TEST_IGNORE_MESSAGE("only GCC 12 is known to do so");
#endif
}

static void test_hostile_builds_are_noticed(void) {
    static const struct {
        const char *options[2], *said;
    } rows[] = {
        {{"-O0", "-ffp-contract=off"}, ""},
        {{UNPAIRED, "-ffp-contract=off"}, ""},
        {{UNPAIRED, "-O3"}, ""},
        {{"-march=native", UNPAIRED}, ""},
        {{"-O3", "-ffast-math"}, "floating-point self-test"},
        {{"-mfpmath=387", "-ffp-contract=off"}, "floating-point self-test"},
        {{"-mfma", "-ffp-contract=fast"}, "contracted"},
    };
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool fused = strcmp(rows[i].options[0], "-mfma") == 0;
        if (fused && !__builtin_cpu_supports("fma"))
            continue;
        char *said = said_when_built_with(&arena, rows[i].options[0], rows[i].options[1]);
        TEST_ASSERT_NOT_NULL_MESSAGE(said, rows[i].options[0]);
        if (rows[i].said[0])
            TEST_ASSERT_NOT_NULL_MESSAGE(strstr(said, rows[i].said), said);
        else
            TEST_ASSERT_EQUAL_STRING_MESSAGE("", said, rows[i].options[0]);
    }
    arena_free(&arena);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_this_environment_is_right);
    RUN_TEST(test_other_rounding_modes_are_noticed);
    RUN_TEST(test_flushing_to_zero_is_noticed);
    RUN_TEST(test_a_build_that_drops_roundings_is_noticed);
    RUN_TEST(test_hostile_builds_are_noticed);
    return UNITY_END();
}
