/* What CBMC is asked before its answers count holds for gcc and clang, and what it gets wrong keeps
 * it from programs that contain such a thing, and from no others. */
#include "base/file.h"
#include "base/tool.h"
#include "instrument/cbmc/meaning.h"
#include "woven_case.h"

#include <sys/stat.h>

static struct woven_case c;
static struct str why;
static struct module module;

void setUp(void) {
    case_open(&c);
    module = (struct module){.name = "m", .ilp32 = true, .char_is_signed = true};
}
void tearDown(void) {
    case_close(&c);
    str_free(&why);
}

static const char *put(const char *name, const char *text) {
    const char *path = arena_printf(&c.arena, "%s/%s", str_text(&c.dir), name);
    TEST_ASSERT_TRUE(file_write(path, text, strlen(text), &c.err));
    return path;
}

/* ---- compilers ---- */

static void compile(const char *compiler, const char *model, const char *chars, const char *level) {
    const char *build[] = {compiler,
                           model,
                           chars,
                           level,
                           "-w",
                           "-msse2",
                           "-fwrapv",
                           "-mfpmath=sse",
                           "-fno-strict-aliasing",
                           "-ffp-contract=off",
                           "-o",
                           "host",
                           "host.c",
                           "-frounding-math",
                           "-lm",
                           NULL};
    const char *run[] = {"./host", "", NULL};
    case_runs_well(&c, build);
    case_runs_well(&c, run);
}

static void test_compilers(void) {
    static const char head[] = "#include <stdio.h>\n#include <stdlib.h>\n#define GK_HOST_MEANING\n"
                               "#define GK_ROUNDING_MODES\n"
                               "#define GK_MEANS(row, condition) \\\n"
                               "    ((condition) ? (void)0 : (fprintf(stderr, \"%s: %s\\n\", #row, "
                               "#condition), exit(1)))\n";
    put("host.c", arena_printf(&c.arena, "%s%s", head, meaning_c));
    const char *compilers[] = {tool_cc(&c.arena), tool_clang(&c.arena)};
    for (size_t i = 0; i < 2; i++) {
        compile(compilers[i], "-m32", "-fsigned-char", "-O0");
        compile(compilers[i], "-m32", "-funsigned-char", "-O2");
        compile(compilers[i], "-m64", "-funsigned-char", "-O0");
        compile(compilers[i], "-m64", "-fsigned-char", "-O2");
    }
}

/* Each row of the table has its question. */
static void test_rows(void) {
#define MEANING(name, what, words)                                                                 \
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(meaning_c, "GK_MEANS(" #name ", "), #name);
#include "instrument/cbmc/meaning.def"
#undef MEANING
}

/* ---- answers ---- */

static bool understands(const char *body, const char *woven) {
    const char *path = put("cbmc", arena_printf(&c.arena, "#!/bin/sh\n%s\n", body));
    struct cbmc fake = {.program = path, .major = 6};
    TEST_ASSERT_EQUAL_INT(0, chmod(path, 0755));
    str_clear(&why);
    return cbmc_understands(&fake, &module, woven, &why);
}

static bool wrong(const char *row, const char *woven) {
    return !understands(arena_printf(&c.arena,
                                     "echo '[main.assertion.7] line 3 %s: FAILURE'\n"
                                     "echo '[main.assertion.8] line 4 other: SUCCESS'\n"
                                     "echo VERIFICATION FAILED; exit 10",
                                     row),
                        woven);
}

static void test_answers(void) {
    TEST_ASSERT_TRUE(understands("echo VERIFICATION SUCCESSFUL", "int x;"));
    TEST_ASSERT_FALSE(understands("echo CONVERSION ERROR; exit 6", "int x;"));
    TEST_ASSERT_NOT_NULL(strstr(str_text(&why), "does not say what C means to it"));
    TEST_ASSERT_TRUE(wrong("nobody_knows", "int x;")); /* it failed, and nobody knows at what */
    TEST_ASSERT_TRUE(wrong("shift", "int x;"));
    TEST_ASSERT_EQUAL_STRING("it takes for something else than gcc and clang: shifts",
                             str_text(&why));
    TEST_ASSERT_FALSE(wrong("overlay", "struct s { int onion; } /* union */;"));
    TEST_ASSERT_TRUE(wrong("overlay", "union u { int a; };"));
    TEST_ASSERT_NOT_NULL(strstr(str_text(&why), "members of unions"));
    TEST_ASSERT_TRUE(wrong("packed", "struct __attribute__((__packed__)) s { int a; };"));
    TEST_ASSERT_FALSE(wrong("long_double", "double x; long y;"));
    TEST_ASSERT_TRUE(wrong("long_double", "static long\ndouble x;"));
    TEST_ASSERT_FALSE(wrong("character_constant", "char c = 'x', d = '\\n', *t = \"'\\xff\";"));
    TEST_ASSERT_TRUE(wrong("character_constant", "char c = '\\xff';"));
    TEST_ASSERT_TRUE(wrong("character_constant", "char c = '\\377';"));
}

/* What a header of the system declares is not used. */
static void test_system_header(void) {
    static const char header[] = "# 1 \"a.c\"\n# 1 \"/usr/include/math.h\" 1 3 4\n"
                                 "extern long double sinl(long double x);\n"
                                 "# 3 \"a.c\" 2\n";
    TEST_ASSERT_FALSE(wrong("long_double", header));
    TEST_ASSERT_TRUE(wrong("long_double", arena_printf(&c.arena, "%slong double x;", header)));
}

/* The one that is here, with what its documentation says of it. */
static void test_cbmc(void) {
    struct cbmc cbmc;
    const char *program = tool_cbmc(&c.arena);
    if (!program)
        TEST_IGNORE_MESSAGE("no CBMC");
    TEST_ASSERT_TRUE_MESSAGE(cbmc_open(&cbmc, program, &why), str_text(&why));
    for (int i = 0; i < 4; i++) {
        module.ilp32 = i & 1;
        module.char_is_signed = i & 2;
        TEST_ASSERT_TRUE_MESSAGE(cbmc_understands(&cbmc, &module, "enum { A } x; char c;", &why),
                                 str_text(&why));
    }
    TEST_ASSERT_FALSE(cbmc_understands(&cbmc, &module, "long double x;", &why));
    TEST_ASSERT_NOT_NULL(strstr(str_text(&why), "long double"));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_compilers);
    RUN_TEST(test_rows);
    RUN_TEST(test_answers);
    RUN_TEST(test_system_header);
    RUN_TEST(test_cbmc);
    return UNITY_END();
}
