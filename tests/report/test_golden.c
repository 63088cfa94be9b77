/* Every format against a file that was looked at by a person. With GK_UPDATE_GOLDEN=1 in the
 * environment the files are written anew; look at the difference before committing it. */
#include "valve.h"

#include "base/file.h"

#include "unity.h"

#include <stdlib.h>

static struct arena arena;

void setUp(void) {
}

void tearDown(void) {
    test_folder_remove();
    arena_free(&arena);
}

static void compare(const char *name, const struct str *text) {
    struct err err = {0};
    struct str wanted = {0};
    const char *path = arena_printf(&arena, GK_SOURCE_DIR "/tests/report/golden/%s", name);
    if (getenv("GK_UPDATE_GOLDEN"))
        TEST_ASSERT_TRUE(file_write(path, text->data, text->len, &err));
    TEST_ASSERT_TRUE_MESSAGE(file_read(path, &wanted, &err), str_text(&err.message));
    TEST_ASSERT_EQUAL_STRING_MESSAGE(str_text(&wanted), str_text(text), name);
    TEST_ASSERT_EQUAL_size_t(wanted.len, text->len);
    str_free(&wanted);
}

static void check(const char *format, bool lcov_unreachable, const char *name) {
    struct str text = {0};
    valve_render(format, lcov_unreachable, NULL, NULL, &text);
    compare(name, &text);
    str_free(&text);
}

static void test_formats(void) {
    check("sarif", false, "valve.sarif");
    check("junit", false, "junit.xml");
    check("cobertura", false, "cobertura.xml");
    check("lcov", false, "lcov.info");
    check("lcov", true, "lcov-unreachable.info");
    check("gitlab", false, "gitlab.json");
    check("sonarqube", false, "sonarqube.xml");
    check("json", false, "valve.json");
    check("markdown", false, "summary.md");
}

static void test_formats_with_a_baseline(void) {
    const struct valve later = {.later = true};
    const char *old = GK_SOURCE_DIR "/tests/report/golden/valve.json";
    struct str text = {0};
    valve_render("markdown", false, &later, old, &text);
    /* The path of the baseline depends on where the sources are. */
    const char *at = strstr(str_text(&text), GK_SOURCE_DIR);
    TEST_ASSERT_NOT_NULL(at);
    struct str cut = {0};
    str_addn(&cut, text.data, (size_t)(at - text.data));
    str_add(&cut, at + strlen(GK_SOURCE_DIR));
    compare("summary-compared.md", &cut);
    str_free(&text);
    str_free(&cut);
}

static void check_page(const char *dir, const char *page, const char *name) {
    struct err err = {0};
    struct str text = {0};
    TEST_ASSERT_TRUE(file_read(path_join(&arena, dir, page), &text, &err));
    compare(name, &text);
    str_free(&text);
}

static void test_html(void) {
    const char *dir = test_file("html");
    valve_html(NULL, NULL, dir);
    check_page(dir, "index.html", "index.html");
    check_page(dir, "goals.html", "goals.html");
    check_page(dir, "goals.js", "goals.js");
    check_page(dir, "decision/1.html", "decision.html");
    check_page(dir, "source/0.html", "source.html");
    check_page(dir, "function/1.html", "function.html");
    check_page(dir, "cause/1.html", "cause.html");
    check_page(dir, "run/1.html", "run.html");
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_formats);
    RUN_TEST(test_formats_with_a_baseline);
    RUN_TEST(test_html);
    return UNITY_END();
}
