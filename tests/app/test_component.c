/* Several modules at once: status, query, report and gate over databases and folders of them. */
#include "folder.h"

#include "unity.h"

#include <string.h>

void setUp(void) {
    folder_open();
}
void tearDown(void) {
    folder_close();
}

static void make_module(const char *name, const char *source, const char *options) {
    put(arena_printf(&arena, "%s/m.c", name), source);
    put(arena_printf(&arena, "%s/goalkeeper.json", name),
        arena_printf(&arena, "{\"name\": \"%s\", \"sources\": [\"m.c\"], \"step\": \"step\"}\n",
                     name));
    run_tool(arena_printf(&arena, "run --quiet --db results/%s.db %s %s", name, options, name),
             NULL);
    expect_end(0, NULL);
}

static const char left[] = "int in, out;\nvoid step(void) { if (in > 3) out = 1; }\n";
static const char right[] =
    "int in, out;\nvoid step(void) { if (in > 4) out = 2; else out = 3; }\n";

/* Goals without verdicts are enough, and cheap. */
static void make_two(void) {
    put("results/.keep", "");
    make_module("left", left, "--goals-only");
    make_module("right", right, "--goals-only");
}

static void test_status_begins_with_the_component(void) {
    make_two();
    run_tool("status results", NULL);
    expect_end(0, NULL);
    expect_out("module  goals  reachable  dead  open");
    expect_out("\nleft (");
    expect_out("\nright (");
    TEST_ASSERT_TRUE(strstr(str_text(&r.out), "\nall ") < strstr(str_text(&r.out), "\nleft ("));
    run_tool("status results/left.db results/right.db --format json", NULL);
    expect_end(0, NULL);
    expect_out("{\"module\": \"right\", \"database\": \"results/right.db\", \"goals\": 8,");
    run_tool("status results --format csv", NULL);
    expect_out("\"left\",\"results/left.db\",7,0,0,7,");
}

static void test_queries_see_all_modules(void) {
    make_two();
    run_tool("query results --kind branch --format csv", NULL);
    expect_end(0, NULL);
    expect_out("module,goal,file,");
    expect_out("left,3,m.c,2,step,branch,in > 3,1,open,");
    expect_out("right,3,m.c,2,step,branch,in > 4,1,open,");
    run_tool("query results --format csv --sql "
             "SELECT\tmodule,count(*)\tFROM\tgoal_status\tGROUP\tBY\tmodule",
             NULL);
    expect_end(0, NULL);
    expect_out("left,7");
    expect_out("right,8");
    run_tool("query results --sql DELETE\tFROM\tgoal_status", NULL);
    expect_end(2, NULL);
}

static void test_reports_are_one_for_servers_and_one_each(void) {
    make_two();
    for (int again = 0; again < 2; again++) { /* what we wrote may be replaced */
        run_tool("report results -o out --format html --format sarif --format junit --format "
                 "cobertura --format lcov --format gitlab --format sonarqube --format json "
                 "--format markdown --root .",
                 NULL);
        expect_end(0, NULL);
    }
    expect_file("out/index.html", "<a href=\"left/index.html\">left</a>");
    expect_file("out/left/index.html", "<!DOCTYPE html>");
    expect_file("out/summary.md", "| `right` | 8 | 0 | 0 | 8 |");
    expect_file("out/goalkeeper.sarif", "{\"id\": \"goalkeeper/left/\"}");
    expect_file("out/goalkeeper.sarif", "{\"id\": \"goalkeeper/right/\"}");
    expect_file("out/junit.xml", "<testsuites name=\"Goalkeeper\" tests=\"15\" failures=\"0\" "
                                 "errors=\"15\" time=");
    expect_file("out/junit.xml", "<testsuite name=\"left.step\"");
    expect_file("out/junit.xml", "classname=\"right.step\" file=\"right/m.c\"");
    expect_file("out/cobertura.xml", "<package name=\"right\"");
    expect_file("out/cobertura.xml", "filename=\"left/m.c\"");
    expect_file("out/lcov.info", "SF:left/m.c\n");
    expect_file("out/lcov.info", "SF:right/m.c\n");
    expect_file("out/gl-code-quality.json", "\"fingerprint\": \"left:");
    expect_file("out/gl-code-quality.json", "\"path\": \"right/m.c\"");
    expect_file("out/sonarqube.xml", "<file path=\"right/m.c\">");
    expect_file("out/goalkeeper.json", "{\"module\": \"left\", \"report\": {");
    run_tool("report results -o - --format lcov --root .", NULL);
    expect_end(0, NULL);
    expect_out("SF:left/m.c\n");
}

static void test_the_gate_passes_when_all_modules_pass(void) {
    make_two();
    run_tool("gate results --max-open 7", NULL);
    expect_end(1, NULL);
    expect_out("2 modules: 1 passed, 1 failed");
    run_tool("gate results --max-open 9", NULL);
    expect_end(0, NULL);
    run_tool("gate results --max-open 7 --format junit", NULL);
    expect_end(1, NULL);
    expect_out("tests=\"2\" failures=\"1\"");
    expect_out("<testsuite name=\"right.gate\"");
    run_tool("gate results --max-open 7 --format json", NULL);
    expect_out("{\"module\": \"right\", \"report\": {\"tool\": \"Goalkeeper\", \"passed\": false");
    put("left/m.c", "int other; void step(void) { other = 1; }\n");
    run_tool("gate results --max-open 9", NULL); /* no verdict on what is not the code any more */
    expect_end(2, "changed since the run: m.c");
    expect_out("left\nnot judged");
}

/* The trend: an earlier folder of databases, or an earlier report with JSON. */
static void test_modules_are_compared_by_name(void) {
    make_two();
    run_tool("report results -o before --format json", NULL);
    expect_end(0, NULL);
    run_tool("gate results --baseline before", NULL);
    expect_end(0, NULL);
    expect_out("worse  better");
    make_module("third", left, "--define NEW=1 --goals-only");
    run_tool("gate results/left.db results/right.db --baseline before", NULL);
    expect_end(0, NULL);
    TEST_ASSERT_TRUE(file_make_dirs(path("old"), &err));
    TEST_ASSERT_EQUAL_INT(0, rename(path("results/third.db"), path("old/third.db")));
    make_module("third", right, "--goals-only");
    put("third/m.c", right);
    run_tool("gate results/left.db results/third.db --baseline before", NULL);
    expect_end(1, "third: not in the baseline, so all of it is new");
    expect_out("2 modules: 1 passed, 1 failed");
}

static void test_what_would_count_twice_is_refused(void) {
    make_two();
    struct str bytes = {0};
    TEST_ASSERT_TRUE(file_read(path("results/left.db"), &bytes, &err) &&
                     file_write(path("results/copy.db"), bytes.data, bytes.len, &err));
    str_free(&bytes);
    run_tool("status results", NULL);
    expect_end(2, "of the same program");
}

static void test_what_is_no_database_is_left_out_of_a_folder(void) {
    make_two();
    put("results/notes.db", "not at all");
    run_tool("status results --format csv", NULL);
    expect_end(0, "left out: ");
    expect_out("\"left\"");
    run_tool("status results/left.db results/notes.db", NULL);
    expect_end(2, "not a Goalkeeper database");
    put("empty/.keep", "");
    run_tool("status empty", NULL);
    expect_end(2, "no databases in this folder");
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_status_begins_with_the_component);
    RUN_TEST(test_queries_see_all_modules);
    RUN_TEST(test_reports_are_one_for_servers_and_one_each);
    RUN_TEST(test_the_gate_passes_when_all_modules_pass);
    RUN_TEST(test_modules_are_compared_by_name);
    RUN_TEST(test_what_would_count_twice_is_refused);
    RUN_TEST(test_what_is_no_database_is_left_out_of_a_folder);
    return UNITY_END();
}
