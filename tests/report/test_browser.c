/* The HTML report in a real browser, without a screen: Chromium, where it is installed. */
#include "valve.h"

#include "base/child.h"
#include "base/file.h"

#include "unity.h"

#include <stdlib.h>
#include <string.h>

static struct arena arena;

void setUp(void) {
    if (!test_has_program("chromium"))
        TEST_IGNORE_MESSAGE("chromium is not installed");
}

void tearDown(void) {
    test_folder_remove();
    arena_free(&arena);
}

/* Runs Chromium on a page with two more options (or NULL); `out` is the document in the end. */
static void browse(const char *page, const char *option, const char *other, struct str *out) {
    const char *argv[] = {"chromium",
                          "--headless",
                          "--no-sandbox",
                          "--disable-gpu",
                          "--disable-dev-shm-usage",
                          "--no-first-run",
                          "--disable-extensions",
                          "--disable-background-networking",
                          "--disable-component-update",
                          "--allow-file-access-from-files",
                          "--enable-logging=stderr",
                          "--virtual-time-budget=60000",
                          arena_printf(&arena, "--user-data-dir=%s", test_file("profile")),
                          option,
                          arena_printf(&arena, "file://%s", page),
                          other,
                          NULL};
    struct child_spec spec = {.argv = argv, .wall_seconds = 120};
    struct child_result result;
    struct err err = {0};
    TEST_ASSERT_TRUE_MESSAGE(child_run(&spec, &result, &err), str_text(&err.message));
    if (result.end != CHILD_EXITED || result.code != 0)
        TEST_IGNORE_MESSAGE("chromium does not run on this machine");
    /* Whatever a page says to the console is an error or a warning: they say nothing themselves. */
    const char *console = strstr(str_text(&result.err), "CONSOLE");
    TEST_ASSERT_NULL_MESSAGE(console, console);
    str_addn(out, str_text(&result.out), result.out.len);
    child_result_free(&result);
}

static const char *make_report(void) {
    const char *old = test_file("old.db"), *dir = test_file("html");
    const struct valve later = {.later = true};
    valve_make(old, &later);
    valve_html(NULL, old, dir);
    return dir;
}

static void probe(const char *scheme) {
    struct str text = {0}, out = {0};
    struct err err = {0};
    const char *dir = make_report(), *page = path_join(&arena, dir, "probe.html");
    TEST_ASSERT_TRUE(file_read(GK_SOURCE_DIR "/tests/report/probe.html", &text, &err));
    TEST_ASSERT_TRUE(file_write(page, text.data, text.len, &err));
    browse(page, scheme, "--dump-dom", &out);
    const char *result = strstr(str_text(&out), "<pre id=\"result\">");
    TEST_ASSERT_NOT_NULL(result);
    TEST_ASSERT_TRUE_MESSAGE(str_starts(result, "<pre id=\"result\">fine: "), result);
    TEST_ASSERT_GREATER_THAN(500, atol(strchr(result, ':') + 1)); /* it has looked at something */
    str_free(&text);
    str_free(&out);
}

/* The rules of axe-core, where somebody has it: GK_AXE_CORE=…/axe.min.js (npm pack axe-core), or
 * the folder of test_readers.c has. */
static const char *axe_core(void) {
    const char *readers = getenv("GK_READERS");
    const char *path =
        readers ? path_join(&arena, readers, "node_modules/axe-core/axe.min.js") : NULL;
    return getenv("GK_AXE_CORE") ? getenv("GK_AXE_CORE") : path && file_exists(path) ? path : NULL;
}

static void axe(const char *dir, const char *page, const char *width) {
    static const char run[] =
        "<script>addEventListener('load', function () { setTimeout(function () {\n"
        "axe.run().then(function (r) { var e = document.createElement('pre'); e.id = 'axe';\n"
        "e.textContent = 'violations: ' + r.violations.map(function (v) {\n"
        "return v.id + ' ' + v.nodes[0].html; }).join('; '); document.body.append(e); }); }, 300); "
        "});"
        "</script></body>";
    struct str text = {0}, out = {0}, probe = {0};
    struct err err = {0};
    const char *file = path_join(&arena, dir, page), *policy, *end;
    TEST_ASSERT_TRUE(file_read(file, &text, &err));
    policy = strstr(str_text(&text), "<meta http-equiv"); /* it forbids the scripts of others */
    end = strstr(str_text(&text), "</body>");
    TEST_ASSERT_TRUE(policy && end);
    str_addn(&probe, text.data, (size_t)(policy - text.data));
    policy = strchr(policy, '\n');
    str_addn(&probe, policy, (size_t)(end - policy));
    str_addf(&probe, "<script src=\"file://%s\"></script>%s</html>", axe_core(), run);
    file = arena_printf(&arena, "%.*s-axe.html", (int)strlen(file) - 5, file);
    TEST_ASSERT_TRUE(file_write(file, probe.data, probe.len, &err));
    browse(file, arena_printf(&arena, "--window-size=%s,1000", width), "--dump-dom", &out);
    const char *result = strstr(str_text(&out), "<pre id=\"axe\">violations: ");
    TEST_ASSERT_NOT_NULL_MESSAGE(result, page);
    TEST_ASSERT_TRUE_MESSAGE(str_starts(result, "<pre id=\"axe\">violations: </pre>"), result);
    str_free(&text);
    str_free(&out);
    str_free(&probe);
}

static void test_axe(void) {
    static const char *const pages[] = {"index.html",      "goals.html",    "decisions.html",
                                        "decision/1.html", "source/0.html", "function/1.html",
                                        "cause/1.html",    "run/1.html",    "changes.html"};
    if (!axe_core())
        TEST_IGNORE_MESSAGE("neither GK_AXE_CORE nor GK_READERS names axe-core");
    const char *dir = make_report();
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        axe(dir, pages[i], "1280");
        axe(dir, pages[i], "390");
    }
}

static void test_light(void) {
    probe("--blink-settings=preferredColorScheme=1");
}

static void test_dark(void) {
    probe("--blink-settings=preferredColorScheme=0");
}

/* The words on paper, as they stand beside each other. */
static void print_page(const char *page, struct str *out) {
    struct str said = {0}, pdf = {0};
    struct err err = {0};
    const char *file = test_file("report.pdf"), *text = test_file("text");
    browse(page, arena_printf(&arena, "--print-to-pdf=%s", file), "--no-pdf-header-footer", &said);
    TEST_ASSERT_TRUE(file_read(file, &pdf, &err));
    TEST_ASSERT_TRUE(str_starts(str_text(&pdf), "%PDF-"));
    str_free(&pdf);
    str_free(&said);
    if (!test_has_program("pdftotext"))
        TEST_IGNORE_MESSAGE("pdftotext is not installed: what is on paper is not looked at");
    const char *argv[] = {"pdftotext", "-layout", file, text, NULL};
    test_run(argv);
    TEST_ASSERT_TRUE(file_read(text, out, &err));
}

static void test_print(void) {
    struct str out = {0};
    print_page(path_join(&arena, make_report(), "index.html"), &out);
    TEST_ASSERT_NOT_NULL(strstr(str_text(&out), "page 1 of "));
    TEST_ASSERT_NOT_NULL(strstr(str_text(&out), "page 2 of "));
    str_free(&out);
}

static size_t count_of(const char *text, const char *words) {
    size_t n = 0;
    for (; (text = strstr(text, words)); text++)
        n++;
    return n;
}

/* Each sheet names its file, 100 columns fit in a line, and goals have the numbers by which they
 * are told of elsewhere: paper has no links. */
static void test_print_of_a_source(void) {
    enum { LINES = 150, COLUMNS = 100 };
    struct str out = {0}, text = {0}, longer = {0};
    struct err err = {0};
    const char *page = path_join(&arena, make_report(), "source/0.html"), *end;
    TEST_ASSERT_TRUE(file_read(page, &text, &err));
    end = strstr(str_text(&text), "</tbody>");
    TEST_ASSERT_NOT_NULL(end);
    str_addn(&longer, text.data, (size_t)(end - text.data));
    for (int i = 0; i < LINES; i++)
        str_addf(&longer,
                 "<tr><td class=\"n\">%d</td><td class=\"marks\"></td><td><code>%0*d</code></td>"
                 "</tr>\n",
                 1000 + i, COLUMNS, 0);
    str_add(&longer, end);
    TEST_ASSERT_TRUE(file_write(page, longer.data, longer.len, &err));
    print_page(page, &out);
    size_t sheets = count_of(str_text(&out), "\f");
    TEST_ASSERT_TRUE(sheets >= 2);
    TEST_ASSERT_TRUE(count_of(str_text(&out), "src/valve.c") >= sheets);
    TEST_ASSERT_EQUAL_size_t(LINES,
                             count_of(str_text(&out), arena_printf(&arena, " %0*d\n", COLUMNS, 0)));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&out), "dead 24 branch X_Timer > 200"),
                                 str_text(&out));
    str_free(&out);
    str_free(&text);
    str_free(&longer);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_light);
    RUN_TEST(test_dark);
    RUN_TEST(test_print);
    RUN_TEST(test_print_of_a_source);
    RUN_TEST(test_axe);
    return UNITY_END();
}
