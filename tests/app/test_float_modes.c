/* Nothing is computed in a floating-point environment that is not the one programs are analysed
 * for: a library that is loaded before the program changes its modes. */
#include "run_program.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/tool.h"

#include "unity.h"

#include <string.h>

static struct arena arena;
static struct str dir;

void setUp(void) {
    struct err err = {0};
    str_clear(&dir);
    TEST_ASSERT_TRUE(file_temp_dir(&dir, &err));
}
void tearDown(void) {
    file_remove_tree(str_text(&dir));
    arena_free(&arena);
}

static const char *put(const char *name, const char *text) {
    struct err err = {0};
    const char *path = path_join(&arena, str_text(&dir), name);
    TEST_ASSERT_TRUE(file_write(path, text, strlen(text), &err));
    return path;
}

/* A library whose constructor has this body. */
static const char *library(const char *body) {
    const char *out = path_join(&arena, str_text(&dir), "modes.so");
    const char *source = put("modes.c", arena_printf(&arena,
                                                     "#include <fenv.h>\n#include <xmmintrin.h>\n"
                                                     "__attribute__((constructor)) static void "
                                                     "set(void)\n{\n%s\n}\n",
                                                     body));
    const char *argv[] = {tool_cc(&arena), "-shared", "-fPIC", "-o", out, source, "-lm", NULL};
    struct child_spec spec = {.argv = argv, .wall_seconds = 60};
    struct child_result result;
    struct err err = {0};
    TEST_ASSERT_TRUE(child_run(&spec, &result, &err));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, result.code, str_text(&result.err));
    child_result_free(&result);
    return out;
}

static struct child_result solve(const char *preload) {
    const char *file = put("a.smt2", "(declare-const x Float32)(assert (fp.lt x x))(check-sat)\n");
    const char *environment[] = {arena_printf(&arena, "LD_PRELOAD=%s", preload),
                                 "ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0", NULL};
    return run_program(arena_printf(&arena, "solve %s", file), environment, NULL);
}

static void expect_refusal(const char *body, const char *what) {
    struct child_result r = solve(library(body));
    TEST_ASSERT_EQUAL_INT_MESSAGE(ERR_INTERNAL, r.code, str_text(&r.err));
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, what), str_text(&r.err));
    TEST_ASSERT_EQUAL_STRING("", str_text(&r.out));
    child_result_free(&r);
}

static void test_usual_modes_are_accepted(void) {
    struct child_result r = solve(library("fesetround(FE_TONEAREST);"));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.err));
    TEST_ASSERT_EQUAL_STRING("unsat\n", str_text(&r.out));
    child_result_free(&r);
}

static void test_other_modes_are_refused(void) {
    expect_refusal("fesetround(FE_UPWARD);", "rounding mode");
    expect_refusal("_mm_setcsr(_mm_getcsr() | 0x8000);", "subnormal");
    expect_refusal("_mm_setcsr(_mm_getcsr() | 0x0040);", "subnormal");
}

/* Whatever the command is. */
static void test_every_command_is_stopped(void) {
    static const char *const lines[] = {"run nowhere", "audit nowhere", "status nowhere"};
    const char *environment[] = {
        arena_printf(&arena, "LD_PRELOAD=%s", library("fesetround(FE_DOWNWARD);")),
        "ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0", NULL};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct child_result r = run_program(lines[i], environment, NULL);
        TEST_ASSERT_EQUAL_INT_MESSAGE(ERR_INTERNAL, r.code, lines[i]);
        TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "floating-point self-test"), str_text(&r.err));
        child_result_free(&r);
    }
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_usual_modes_are_accepted);
    RUN_TEST(test_other_modes_are_refused);
    RUN_TEST(test_every_command_is_stopped);
    int failures = UNITY_END();
    str_free(&dir);
    return failures;
}
