/* Readers that no package brings: what they make of our reports. GK_READERS names a folder with the
 * npm packages @microsoft/sarif-multitool, lcov-parse and cobertura-parse (`npm install`), with
 * Cobertura's coverage-04.dtd and with junit-10.xsd of the xUnit plug-in of Jenkins; what is not
 * there is left out, and the test says so. `./dev night readers` gets the packages. lcov, gcovr and
 * xmllint are asked in test_formats.c, a browser with axe-core in test_browser.c. */
#include "valve.h"

#include "base/child.h"
#include "base/file.h"

#include "unity.h"

#include <stdlib.h>
#include <string.h>

static struct arena arena;

void setUp(void) {
    if (!getenv("GK_READERS"))
        TEST_IGNORE_MESSAGE("GK_READERS names no folder with readers");
}

void tearDown(void) {
    test_folder_remove();
    arena_free(&arena);
}

/* A file in that folder; the test is left out when it is not there. */
static const char *reader(const char *name) {
    const char *path = path_join(&arena, getenv("GK_READERS"), name);
    if (!file_exists(path))
        TEST_IGNORE_MESSAGE(arena_printf(&arena, "GK_READERS has no %s", name));
    return path;
}

static const char *render_file(const char *format, const struct valve *valve) {
    struct err err = {0};
    struct str text = {0};
    const char *path = test_file(arena_printf(&arena, "%s%d.%s", format, valve != NULL, format));
    valve_render(format, false, valve, NULL, &text);
    TEST_ASSERT_TRUE(file_write(path, text.data, text.len, &err));
    str_free(&text);
    return path;
}

/* What a program says in the end; it must succeed. */
static void ask(const char *const *argv, const char *const *env, struct str *out) {
    struct child_spec spec = {.argv = argv, .environment = env, .wall_seconds = 120};
    struct child_result result;
    struct err err = {0};
    TEST_ASSERT_TRUE_MESSAGE(child_run(&spec, &result, &err), str_text(&err.message));
    str_addn(out, str_text(&result.out), result.out.len);
    str_addn(out, str_text(&result.err), result.err.len);
    TEST_ASSERT_EQUAL_INT_MESSAGE(CHILD_EXITED, result.end, str_text(out));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, result.code, str_text(out));
    child_result_free(&result);
}

#define HOSTILE "a'\"<&>]]>|`\\\t%s{{x}}"
static const struct valve hostile = {
    .file = "src/" HOSTILE ".c", .function = HOSTILE, .condition = HOSTILE, .reason = HOSTILE};

/* ---- SARIF ---- */

/* The schema and the rules of the format's editors: no error; its other advice is not ours to take,
 * for Goalkeeper has no home page. */
static void test_sarif_multitool(void) {
    const struct valve *const valves[] = {NULL, &hostile};
    const char *tool = reader("node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool");
    static const char *const env[] = {"DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1", NULL};
    for (size_t i = 0; i < sizeof valves / sizeof *valves; i++) {
        struct str out = {0};
        const char *file = render_file("sarif", valves[i]);
        const char *argv[] = {tool,    "validate",       file, "-o", test_file("found.sarif"),
                              "--log", "ForceOverwrite", NULL};
        ask(argv, env, &out);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&out), "Analysis completed successfully"),
                                     str_text(&out));
        TEST_ASSERT_NULL_MESSAGE(strstr(str_text(&out), ": error "), str_text(&out));
        str_free(&out);
    }
}

/* ---- schemas of others ---- */

static void test_cobertura_follows_its_own_document_type(void) {
    const char *rules = reader("coverage-04.dtd");
    if (!test_has_program("xmllint"))
        TEST_IGNORE_MESSAGE("xmllint is not installed");
    const struct valve *const valves[] = {NULL, &hostile};
    for (size_t i = 0; i < sizeof valves / sizeof *valves; i++) {
        const char *argv[] = {"xmllint",    "--nonet", "--noout",
                              "--dtdvalid", rules,     render_file("cobertura", valves[i]),
                              NULL};
        test_run(argv);
    }
}

/* But for the file of a case, which GitLab reads and that schema does not know. */
static void test_junit_of_jenkins(void) {
    const char *rules = reader("junit-10.xsd");
    if (!test_has_program("xmllint"))
        TEST_IGNORE_MESSAGE("xmllint is not installed");
    const struct valve *const valves[] = {NULL, &hostile};
    for (size_t i = 0; i < sizeof valves / sizeof *valves; i++) {
        struct err err = {0};
        struct str text = {0}, cut = {0};
        const char *path = render_file("junit", valves[i]), *at, *file;
        TEST_ASSERT_TRUE(file_read(path, &text, &err));
        for (at = str_text(&text); (file = strstr(at, " file=\""));
             at = strchr(file + strlen(" file=\""), '"') + 1)
            str_addn(&cut, at, (size_t)(file - at));
        str_add(&cut, at);
        TEST_ASSERT_TRUE(file_write(path, cut.data, cut.len, &err));
        const char *argv[] = {"xmllint", "--nonet", "--noout", "--schema", rules, path, NULL};
        test_run(argv);
        str_free(&text);
        str_free(&cut);
    }
}

/* ---- readers of coverage ---- */

/* Lines, branches and functions, found and hit, as a program in JavaScript reads them. */
static void expect_counts(const char *package, const char *how, const char *format) {
    reader(arena_printf(&arena, "node_modules/%s", package));
    if (!test_has_program("node"))
        TEST_IGNORE_MESSAGE("node is not installed");
    struct str out = {0};
    const char *const env[] = {
        arena_printf(&arena, "NODE_PATH=%s/node_modules", getenv("GK_READERS")), NULL};
    const char *script = arena_printf(
        &arena,
        "%s(process.argv[1], function (e, r) { if (e) throw e; r.forEach(function (f) {\n"
        "console.log(f.file, [f.lines, f.branches, f.functions].map(function (x) {\n"
        "return x.hit + ' of ' + x.found; }).join(', ')); }); });",
        how);
    const char *argv[] = {"node", "-e", script, render_file(format, NULL), NULL};
    ask(argv, env, &out);
    TEST_ASSERT_EQUAL_STRING("src/valve.c 8 of 9, 4 of 6, 1 of 1\n", str_text(&out));
    str_free(&out);
}

static void test_lcov_parse(void) {
    expect_counts("lcov-parse", "require('lcov-parse')", "lcov");
}

static void test_cobertura_parse(void) {
    expect_counts("cobertura-parse", "require('cobertura-parse').parseFile", "cobertura");
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_sarif_multitool);
    RUN_TEST(test_cobertura_follows_its_own_document_type);
    RUN_TEST(test_junit_of_jenkins);
    RUN_TEST(test_lcov_parse);
    RUN_TEST(test_cobertura_parse);
    return UNITY_END();
}
