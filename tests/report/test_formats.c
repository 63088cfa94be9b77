/* Each format is what its readers expect: judged by the reader itself where there is one (lcov,
 * genhtml), by rules for its structure (xmllint), or by looking at every part (JSON). With names
 * that do harm, too. What is not installed is left out, and the test says so. */
#include "valve.h"

#include "base/child.h"
#include "base/file.h"
#include "report/gate/gate.h"
#include "report/report.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#include "unity.h"

static struct arena arena;

/* Ends what it can end: elements, attributes, texts, lines, comments; not UTF-8; right to left. */
#define HOSTILE "a'\"<&>]]>--></script><!--|`\\\r\n\t\x01\xff\xc3\x28\xe2\x80\xae%s{{x}}"
static const struct valve hostile = {
    .file = "src/" HOSTILE ".c", .function = HOSTILE, .condition = HOSTILE, .reason = HOSTILE};

void setUp(void) {
}

void tearDown(void) {
    test_folder_remove();
    arena_free(&arena);
}

static const char *render_file(const char *format, bool compat, const struct valve *v) {
    struct err err = {0};
    struct str text = {0};
    const char *path = test_file(arena_printf(&arena, "%s%d%d", format, compat, v != NULL));
    valve_render(format, compat, v, NULL, &text);
    TEST_ASSERT_TRUE(file_write(path, text.data, text.len, &err));
    str_free(&text);
    return path;
}

/* ---- XML ---- */

static void check_xml(const char *format, const struct valve *v) {
    const char *rules = arena_printf(&arena, GK_SOURCE_DIR "/tests/report/rules/%s.xsd", format);
    const char *argv[] = {
        "xmllint", "--nonet", "--noout", "--schema", rules, render_file(format, false, v), NULL};
    test_run(argv);
}

static void test_xml_follows_the_rules(void) {
    static const char *const formats[] = {"junit", "cobertura", "sonarqube"};
    if (!test_has_program("xmllint"))
        TEST_IGNORE_MESSAGE("xmllint is not installed");
    for (size_t i = 0; i < 3; i++) {
        check_xml(formats[i], NULL);
        check_xml(formats[i], &hostile);
    }
}

/* Only what makes the gate fail does; what it does not mind is told, and skipped. */
static void test_junit_judges_by_the_gate(void) {
    struct gate gate = {.max_open = GATE_ANY,
                        .max_dead = GATE_ANY,
                        .unjustified_dead = GATE_ANY,
                        .max_defects = GATE_ANY,
                        .max_dead_causes = GATE_ANY};
    const struct report_options options = {.gate = &gate};
    static const struct {
        uint64_t open, dead;
        const char *words;
    } rows[] = {{0, GATE_ANY, "failures=\"0\" errors=\"4\" skipped=\"3\""},
                {4, GATE_ANY, "failures=\"0\" errors=\"0\" skipped=\"7\""},
                {4, 0, "failures=\"1\" errors=\"0\" skipped=\"6\""}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct store *db;
        struct report_data d;
        struct str text = {0};
        gate.max_open = rows[i].open;
        gate.unjustified_dead = rows[i].dead;
        valve_open(NULL, NULL, &db, &d);
        report_junit(&d, &options, &text);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&text), rows[i].words), str_text(&text));
        TEST_ASSERT_EQUAL(rows[i].dead == 0,
                          strstr(str_text(&text),
                                 "dead goals without justification: 1, at most 0\" "
                                 "type=\"dead\"") != NULL);
        TEST_ASSERT_NOT_NULL(strstr(str_text(&text), " The gate does not mind.\"/>"));
        str_free(&text);
        valve_close(db, &d);
    }
}

/* Whether a dead goal is wrong, only a gate can say. */
static void test_junit_without_a_gate_fails_nothing_that_is_dead(void) {
    struct store *db;
    struct report_data d;
    struct str text = {0};
    valve_open(NULL, NULL, &db, &d);
    report_junit(&d, &(struct report_options){0}, &text);
    TEST_ASSERT_NULL(strstr(str_text(&text), "type=\"dead\""));
    TEST_ASSERT_NOT_NULL(strstr(str_text(&text), " No gate was asked for.\"/>"));
    TEST_ASSERT_NOT_NULL(strstr(str_text(&text), "failures=\"1\" errors=\"4\" skipped=\"2\""));
    TEST_ASSERT_NOT_NULL(strstr(str_text(&text), "type=\"defect\""));
    str_free(&text);
    valve_close(db, &d);
}

/* What docs/reports.md says of gcovr; older ones read nothing but what gcovr has written. */
static void test_gcovr_reads_it(void) {
    const char *script = arena_printf(
        &arena,
        "gcovr --help 2>&1 | grep -q -e --cobertura-add-tracefile || exit 77\ncd '%s' && "
        "sed \"s|<source>.</source>|<source>$PWD</source>|\" '%s' >gcovr.xml && "
        "gcovr -r . --cobertura-add-tracefile gcovr.xml --txt - --txt-metric \"$0\" 2>&1",
        test_folder(), render_file("cobertura", false, NULL));
    static const char *const rows[][2] = {{"line", "TOTAL 9 8 "}, {"branch", "TOTAL 6 4 "}};
    for (size_t i = 0; i < 2; i++) {
        const char *argv[] = {"sh", "-c", script, rows[i][0], NULL};
        struct child_spec spec = {.argv = argv, .wall_seconds = 60};
        struct child_result r;
        struct err err = {0};
        struct str text = {0};
        TEST_ASSERT_TRUE(child_run(&spec, &r, &err));
        if (r.code == 77)
            TEST_IGNORE_MESSAGE("no gcovr that reads Cobertura is installed");
        for (const char *p = str_text(&r.out); *p; p++) /* columns are filled with blanks */
            if (*p != ' ' || p[1] != ' ')
                str_addc(&text, *p);
        TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&text));
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&text), rows[i][1]), str_text(&text));
        str_free(&text);
        child_result_free(&r);
    }
}

/* ---- LCOV ---- */

/* How each version wants to be asked for branches, and for MC/DC where it knows it (2.3 and later);
 * what came before refuses a file with MC/DC unless it is told to go on. */
static const char lcov_options[] =
    "if lcov --mcdc-coverage --version; then o='--branch-coverage --mcdc-coverage'\n"
    "elif lcov --branch-coverage --version; then o='--branch-coverage --ignore-errors "
    "format,corrupt'\n"
    "else o='--rc lcov_branch_coverage=1'; fi >/dev/null 2>&1\n";

/* What `lcov --summary` says of the file; version 1 and 2 word it alike. */
static void expect_summary(const char *file, const char *const *words, size_t n) {
    const char *argv[] = {"sh", "-c",
                          arena_printf(&arena, "%slcov $o --summary \"$0\" 2>&1", lcov_options),
                          file, NULL};
    struct child_spec spec = {.argv = argv, .wall_seconds = 60};
    struct child_result r;
    struct err err = {0};
    TEST_ASSERT_TRUE(child_run(&spec, &r, &err));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.out));
    for (size_t i = 0; i < n; i++)
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&r.out), words[i]), str_text(&r.out));
    if (n > 0 && strstr(str_text(&r.out), "conditions.."))
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&r.out), "(3 of 4 condition"),
                                     str_text(&r.out));
    child_result_free(&r);
}

static void test_lcov_reads_it(void) {
    static const char *const words[] = {"(8 of 9 lines)", "(1 of 1 function", "(4 of 6 branches)"};
    if (!test_has_program("lcov"))
        TEST_IGNORE_MESSAGE("lcov is not installed");
    expect_summary(render_file("lcov", false, NULL), words, 3);
    expect_summary(render_file("lcov", false, &hostile), NULL, 0);
}

/* Two decisions of two conditions on line 5 and one of four on the same: lcov would take them for
 * one. */
static void test_groups_of_mcdc_differ(void) {
    struct str text = {0};
    struct report_data d = {0};
    struct report_options options = {0};
    vec_push(&d.files, (struct report_file){.path = "a.c"});
    for (int decision = 1, id = 1; decision <= 3; decision++)
        for (int i = 0; i < (decision == 3 ? 8 : 4); i++)
            vec_push(&d.goals, (struct report_goal){.id = id++,
                                                    .kind = "mcdc",
                                                    .criterion = GOAL_mcdc,
                                                    .text = arena_printf(&d.arena, "c%d", i / 2),
                                                    .function = "f",
                                                    .line = 5,
                                                    .value = i % 2,
                                                    .status = STATUS_REACHABLE,
                                                    .decision = decision,
                                                    .condition = i / 2});
    report_lcov(&d, &options, &text);
    int sizes[16] = {0};
    for (const char *at = str_text(&text); (at = strstr(at, "\nMCDC:5,")); at++) {
        int size, taken, index;
        char sense;
        TEST_ASSERT_EQUAL_INT(4,
                              sscanf(at, "\nMCDC:5,%d,%c,%d,%d,", &size, &sense, &taken, &index));
        TEST_ASSERT_TRUE(size > 0 && size < 16);
        TEST_ASSERT_EQUAL_INT(sizes[size]++ / 2, index); /* true and false of each, in order */
        TEST_ASSERT_TRUE(index < size);
    }
    for (int size = 1; size < 16; size++)
        TEST_ASSERT_TRUE_MESSAGE(sizes[size] == 0 || sizes[size] == 2 * size, str_text(&text));
    TEST_ASSERT_EQUAL_INT(16, sizes[8]); /* 2 and 2 make 4, which meets the 4 */
    TEST_ASSERT_NOT_NULL(strstr(str_text(&text), "\nDA:5,1\n"));
    str_free(&text);
    vec_free(&d.goals);
    vec_free(&d.files);
    arena_free(&d.arena);
}

/* genhtml reads the source beside the tracefile. */
static void test_genhtml_makes_pages_of_it(void) {
    if (!test_has_program("genhtml"))
        TEST_IGNORE_MESSAGE("genhtml is not installed");
    struct err err = {0};
    const char *source = test_file("valve.c");
    const struct valve here = {.file = source};
    struct str text = {0};
    for (int i = 0; i < 19; i++)
        str_add(&text, "x;\n");
    TEST_ASSERT_TRUE(file_write(source, text.data, text.len, &err));
    str_free(&text);
    const char *argv[] = {
        "sh",
        "-c",
        arena_printf(&arena, "%sgenhtml --quiet $o -o \"$1\" \"$0\"", lcov_options),
        render_file("lcov", false, &here),
        test_file("pages"),
        NULL};
    test_run(argv);
    TEST_ASSERT_TRUE(file_exists(test_file("pages/index.html")));
}

/* The unreachable flag of lcov 2.5 is there only when it is asked for. */
static void test_lcov_flags_what_is_dead(void) {
    struct str text = {0}, flagged = {0};
    valve_render("lcov", false, NULL, NULL, &text);
    valve_render("lcov", true, NULL, NULL, &flagged);
    TEST_ASSERT_NOT_NULL(strstr(str_text(&flagged), "\nBRDA:17,U0,0,0\nBRDA:17,0,1,1\n"));
    TEST_ASSERT_NOT_NULL(strstr(str_text(&text), "\nBRDA:17,0,0,0\nBRDA:17,0,1,1\n"));
    TEST_ASSERT_NOT_NULL(strstr(str_text(&text), "\nMCDC:9,2,t,1,0,In_Temp > 80\n"));
    TEST_ASSERT_NOT_NULL(strstr(str_text(&text), "\nDA:17,1\n"));
    str_free(&text);
    str_free(&flagged);
}

/* ---- JSON ---- */

static const cJSON *member(const cJSON *object, const char *name) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    TEST_ASSERT_NOT_NULL_MESSAGE(item, name);
    return item;
}

static const char *text_of(const cJSON *object, const char *name) {
    const cJSON *item = member(object, name);
    TEST_ASSERT_TRUE_MESSAGE(cJSON_IsString(item) && *item->valuestring, name);
    return item->valuestring;
}

static int number_of(const cJSON *object, const char *name) {
    const cJSON *item = member(object, name);
    TEST_ASSERT_TRUE_MESSAGE(cJSON_IsNumber(item), name);
    return item->valueint;
}

static cJSON *parse(const char *format, const struct valve *v) {
    struct str text = {0};
    valve_render(format, false, v, NULL, &text);
    cJSON *root = cJSON_ParseWithOpts(str_text(&text), NULL, true);
    TEST_ASSERT_NOT_NULL_MESSAGE(root, format);
    str_free(&text);
    return root;
}

static void check_location(const cJSON *location) {
    const cJSON *place = member(location, "physicalLocation"), *region = member(place, "region");
    const char *uri = text_of(member(place, "artifactLocation"), "uri");
    TEST_ASSERT_TRUE_MESSAGE(uri[0] != '/' && !strchr(uri, ':') && !strchr(uri, '\\'), uri);
    TEST_ASSERT_EQUAL_size_t_MESSAGE(strlen(uri), strcspn(uri, " \"<>`{}|^\r\n"), uri);
    TEST_ASSERT_GREATER_THAN(0, number_of(region, "startLine"));
    TEST_ASSERT_GREATER_THAN(0, number_of(region, "startColumn"));
    TEST_ASSERT_GREATER_OR_EQUAL(number_of(region, "startLine"), number_of(region, "endLine"));
    TEST_ASSERT_GREATER_THAN(number_of(region, "startColumn"), number_of(region, "endColumn"));
}

static bool has_rule(const cJSON *rules, const char *id) {
    const cJSON *rule;
    cJSON_ArrayForEach(rule, rules) {
        if (strcmp(text_of(rule, "id"), id) == 0)
            return true;
    }
    return false;
}

static void check_rules(const cJSON *rules) {
    const cJSON *rule, *other;
    cJSON_ArrayForEach(rule, rules) {
        text_of(member(rule, "shortDescription"), "text");
        text_of(member(rule, "fullDescription"), "text");
        text_of(member(rule, "help"), "text");
        for (other = rule->next; other; other = other->next)
            TEST_ASSERT_TRUE(strcmp(text_of(rule, "id"), text_of(other, "id")) != 0);
    }
}

static int check_flow(const cJSON *result) {
    const cJSON *flows = cJSON_GetObjectItemCaseSensitive(result, "codeFlows"), *step;
    if (!flows)
        return 0;
    const cJSON *threads = member(cJSON_GetArrayItem(flows, 0), "threadFlows");
    const cJSON *steps = member(cJSON_GetArrayItem(threads, 0), "locations");
    cJSON_ArrayForEach(step, steps) {
        const cJSON *location = member(step, "location");
        check_location(location);
        text_of(member(location, "message"), "text");
    }
    return cJSON_GetArraySize(steps);
}

/* Gives the number of steps of all flows together. */
static int check_results(const cJSON *run) {
    const cJSON *rules = member(member(member(run, "tool"), "driver"), "rules"), *result;
    int steps = 0;
    check_rules(rules);
    cJSON_ArrayForEach(result, member(run, "results")) {
        TEST_ASSERT_TRUE(has_rule(rules, text_of(result, "ruleId")));
        text_of(member(result, "message"), "text");
        const char *level = text_of(result, "level");
        TEST_ASSERT_TRUE(!strcmp(level, "note") || !strcmp(level, "warning") ||
                         !strcmp(level, "error"));
        check_location(cJSON_GetArrayItem(member(result, "locations"), 0));
        text_of(member(result, "partialFingerprints"), "primaryLocationLineHash");
        steps += check_flow(result);
    }
    return steps;
}

static void check_sarif(const struct valve *v) {
    cJSON *root = parse("sarif", v);
    TEST_ASSERT_EQUAL_STRING("2.1.0", text_of(root, "version"));
    TEST_ASSERT_NOT_NULL(strstr(text_of(root, "$schema"), "sarif"));
    const cJSON *run = cJSON_GetArrayItem(member(root, "runs"), 0);
    TEST_ASSERT_EQUAL_STRING("Goalkeeper", text_of(member(member(run, "tool"), "driver"), "name"));
    /* four open, two dead, one event that can happen: after a start and three changes of input */
    TEST_ASSERT_EQUAL_INT(7, cJSON_GetArraySize(member(run, "results")));
    TEST_ASSERT_EQUAL_INT(5, check_results(run));
    cJSON_Delete(root);
}

static void test_sarif(void) {
    check_sarif(NULL);
    check_sarif(&hostile);
}

static void test_gitlab(void) {
    const struct valve *const valves[] = {NULL, &hostile};
    for (int i = 0; i < 2; i++) {
        cJSON *root = parse("gitlab", valves[i]);
        const cJSON *item;
        TEST_ASSERT_EQUAL_INT(6, cJSON_GetArraySize(root)); /* the justified one is left out */
        cJSON_ArrayForEach(item, root) {
            text_of(item, "description");
            text_of(item, "check_name");
            text_of(item, "fingerprint");
            const char *severity = text_of(item, "severity");
            TEST_ASSERT_TRUE(!strcmp(severity, "minor") || !strcmp(severity, "major") ||
                             !strcmp(severity, "critical"));
            text_of(member(item, "location"), "path");
            TEST_ASSERT_GREATER_THAN(0,
                                     number_of(member(member(item, "location"), "lines"), "begin"));
        }
        cJSON_Delete(root);
    }
}

static void test_json(void) {
    const struct valve *const valves[] = {NULL, &hostile};
    for (int i = 0; i < 2; i++) {
        cJSON *root = parse("json", valves[i]);
        TEST_ASSERT_EQUAL_INT(27, cJSON_GetArraySize(member(root, "goals")));
        TEST_ASSERT_EQUAL_INT(8, cJSON_GetArraySize(member(root, "summary")));
        cJSON_Delete(root);
    }
}

static void test_json_with_a_baseline(void) {
    const struct valve later = {.later = true};
    const char *old = test_file("old.db");
    struct str text = {0};
    valve_make(old, NULL);
    valve_render("json", false, &later, old, &text);
    cJSON *root = cJSON_ParseWithOpts(str_text(&text), NULL, true);
    TEST_ASSERT_NOT_NULL(root);
    const cJSON *c = member(root, "comparison");
    TEST_ASSERT_EQUAL_STRING(old, text_of(c, "baseline"));
    TEST_ASSERT_EQUAL_INT(1, cJSON_GetArraySize(member(c, "new")));
    TEST_ASSERT_EQUAL_STRING("abc0000000000019",
                             text_of(cJSON_GetArrayItem(member(c, "gone"), 0), "key"));
    TEST_ASSERT_EQUAL_INT(6, cJSON_GetArraySize(member(c, "changed")));
    const cJSON *first = cJSON_GetArrayItem(member(c, "changed"), 0);
    TEST_ASSERT_EQUAL_STRING("open", text_of(first, "before"));
    TEST_ASSERT_EQUAL_STRING("reachable", text_of(first, "now"));
    cJSON_Delete(root);
    str_free(&text);
}

static void test_markdown_keeps_its_tables(void) {
    struct str text = {0};
    valve_render("markdown", false, &hostile, NULL, &text);
    const char *line = str_text(&text);
    bool in_table = false;
    int bars = 0, rows = 0;
    for (; *line; line += strcspn(line, "\n") + 1) {
        if (*line != '|') {
            in_table = false;
            continue;
        }
        int n = 0;
        for (size_t i = 0; line[i] != '\n'; i++)
            n += line[i] == '|' && (i == 0 || line[i - 1] != '\\');
        if (in_table)
            TEST_ASSERT_EQUAL_INT(bars, n);
        bars = n;
        in_table = true;
        rows++;
    }
    TEST_ASSERT_EQUAL_INT(10 + 3 + 3 + 6 + 3, rows);
    str_free(&text);
}

/* ---- HTML ---- */

/* No page has an element that the report does not make itself, and none opens one it leaves open
 * inside an attribute. */
static void check_page(const char *page) {
    struct str text = {0};
    struct err err = {0};
    TEST_ASSERT_TRUE_MESSAGE(file_read(page, &text, &err), page);
    for (const char *p = str_text(&text); (p = strstr(p, "</script>")); p++)
        TEST_ASSERT_TRUE_MESSAGE(p[-1] == '>', page); /* ours are empty */
    TEST_ASSERT_NULL_MESSAGE(strstr(str_text(&text), "a'\""), page);
    TEST_ASSERT_NULL_MESSAGE(strstr(str_text(&text), "\xe2\x80\xae"), page);
    TEST_ASSERT_NULL_MESSAGE(strstr(str_text(&text), "\xff"), page);
    TEST_ASSERT_NULL_MESSAGE(strstr(str_text(&text), "http:"), page);
    TEST_ASSERT_NULL_MESSAGE(strstr(str_text(&text), "https:"), page);
    str_free(&text);
}

/* All pages that goals and runs are told on. */
static void check_groups(const char *dir, void (*check)(const char *page)) {
    static const char *const kinds[] = {"decision", "function", "cause", "run"};
    size_t n = 0;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int i = 1;; i++, n++) {
            const char *page =
                path_join(&arena, dir, arena_printf(&arena, "%s/%d.html", kinds[k], i));
            if (!file_exists(page))
                break;
            check(page);
        }
    TEST_ASSERT_TRUE(n >= 4);
}

static void check_html(const struct valve *v, const char *baseline, const char *dir) {
    valve_html(v, baseline, dir);
    static const char *const pages[] = {"index.html",     "goals.html",      "goals.js",
                                        "decisions.html", "decision/1.html", "source/0.html"};
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
        check_page(path_join(&arena, dir, pages[i]));
    check_groups(dir, check_page);
    if (baseline)
        check_page(path_join(&arena, dir, "changes.html"));
}

static void test_html(void) {
    const char *old = test_file("old.db");
    const struct valve later = {.file = hostile.file,
                                .function = hostile.function,
                                .condition = hostile.condition,
                                .reason = hostile.reason,
                                .later = true};
    valve_make(old, &hostile);
    check_html(NULL, NULL, test_file("plain"));
    check_html(&hostile, NULL, test_file("hostile"));
    check_html(&later, old, test_file("compared"));
}

/* Reads a tag behind its '<': its name, and whether it ends in "/>". Attributes are quoted. */
static const char *read_tag(const char *p, const char *page, char name[16], bool *empty) {
    size_t len = strcspn(p, " \n/>");
    TEST_ASSERT_TRUE_MESSAGE(len > 0 && len < 16, page);
    memcpy(name, p, len);
    name[len] = '\0';
    for (p += len; *p != '>'; p++) {
        TEST_ASSERT_TRUE_MESSAGE(*p && *p != '<', page);
        if (*p != '=')
            continue;
        TEST_ASSERT_EQUAL_CHAR_MESSAGE('"', p[1], page);
        p = strchr(p + 2, '"');
        TEST_ASSERT_NOT_NULL_MESSAGE(p, page);
    }
    *empty = p[-1] == '/';
    return p + 1;
}

static bool never_ends(const char *name) {
    return !strcmp(name, "meta") || !strcmp(name, "link") || !strcmp(name, "input");
}

/* Every element ends, in the right order. */
static void check_balance(const char *page) {
    struct str text = {0};
    struct err err = {0};
    char open[64][16];
    int depth = 0;
    TEST_ASSERT_TRUE(file_read(page, &text, &err));
    for (const char *p = str_text(&text); (p = strchr(p, '<'));) {
        char name[16];
        bool empty, end = p[1] == '/';
        if (p[1] == '!') {
            p = strchr(p, '>');
            continue;
        }
        p = read_tag(p + 1 + end, page, name, &empty);
        if (end) {
            TEST_ASSERT_TRUE_MESSAGE(depth > 0, page);
            TEST_ASSERT_EQUAL_STRING_MESSAGE(open[--depth], name, page);
        } else if (!empty && !never_ends(name)) {
            TEST_ASSERT_TRUE(depth < 64);
            memcpy(open[depth++], name, sizeof name);
        }
    }
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, depth, page);
    str_free(&text);
}

static void test_pages_are_well_formed(void) {
    const char *old = test_file("old.db"), *dir = test_file("pages");
    const struct valve later = {.later = true};
    static const char *const pages[] = {"index.html",   "goals.html",    "decisions.html",
                                        "changes.html", "source/0.html", "decision/1.html"};
    valve_make(old, &hostile);
    valve_html(&later, old, dir);
    valve_html(&hostile, old, dir);
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
        check_balance(path_join(&arena, dir, pages[i]));
    check_groups(dir, check_balance);
}

/* One file with all that is needed: each link leads to something in it. */
static void test_one_document(void) {
    static const char *const formats[] = {"document"};
    const char *path = test_file("one.db"), *dir = test_file("one");
    struct store *db;
    struct err err = {0};
    struct str text = {0};
    valve_make(path, &hostile);
    TEST_ASSERT_TRUE(store_open(&db, path, STORE_READ, &err));
    const struct report_options options = {.dir = dir, .formats = formats, .n_formats = 1};
    TEST_ASSERT_TRUE_MESSAGE(report_write(db, &options, &err), str_text(&err.message));
    store_close(db);
    const char *page = path_join(&arena, dir, "report.html");
    check_page(page);
    check_balance(page);
    TEST_ASSERT_TRUE(file_read(page, &text, &err));
    static const char *const parts[] = {"id=\"contents\"", "id=\"iso\"",        "id=\"dead\"",
                                        "id=\"open\"",     "id=\"g27\"",        "<h3>Cause 1</h3>",
                                        "id=\"versions\"", "id=\"signatures\"", "Not complete: "};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&text), parts[i]), parts[i]);
    size_t links = 0;
    for (const char *at = str_text(&text); (at = strstr(at, "<a href=\"")); links++) {
        at += strlen("<a href=\"");
        TEST_ASSERT_EQUAL_INT('#', *at);
        const char *id = arena_printf(&arena, "id=\"%.*s\"", (int)strcspn(at, "\"") - 1, at + 1);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&text), id), id);
    }
    TEST_ASSERT_TRUE(links > 10);
    str_free(&text);
}

/* A second report into the same folder leaves no page of the first; a foreign file stays. */
static void test_old_pages_go_foreign_files_stay(void) {
    struct err err = {0};
    const char *dir = test_file("again");
    valve_html(NULL, NULL, dir);
    const char *stale = path_join(&arena, dir, "goal/1.html"); /* of an older version */
    const char *foreign = path_join(&arena, dir, "goal/2.html");
    TEST_ASSERT_TRUE(file_make_dirs(path_join(&arena, dir, "goal"), &err));
    TEST_ASSERT_TRUE(file_write(stale, FILE_MARK, strlen(FILE_MARK), &err));
    TEST_ASSERT_TRUE(file_write(foreign, "mine", 4, &err));
    valve_html(NULL, NULL, dir);
    TEST_ASSERT_FALSE(file_exists(stale));
    TEST_ASSERT_TRUE(file_exists(foreign));
}

/* What somebody else wrote is in the way, and stays as it is. */
static void test_foreign_files_are_not_overwritten(void) {
    static const char *const formats[] = {"html",      "sarif", "junit", "cobertura", "gitlab",
                                          "sonarqube", "json",  "lcov",  "markdown"};
    static const char *const files[] = {
        "goals.js",      "goalkeeper.sarif", "junit.xml", "cobertura.xml", "gl-code-quality.json",
        "sonarqube.xml", "goalkeeper.json",  "lcov.info", "summary.md"};
    const char *path = test_file("valve.db"), *dir = test_file("foreign");
    struct store *db;
    struct err err = {0};
    valve_make(path, NULL);
    TEST_ASSERT_TRUE(store_open(&db, path, STORE_READ, &err));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const struct report_options options = {.dir = dir, .formats = &formats[i], .n_formats = 1};
        const char *file = path_join(&arena, dir, files[i]);
        struct str text = {0};
        TEST_ASSERT_TRUE(file_make_dirs(dir, &err));
        TEST_ASSERT_TRUE(file_write(file, "mine", 4, &err));
        TEST_ASSERT_FALSE_MESSAGE(report_write(db, &options, &err), files[i]);
        TEST_ASSERT_EQUAL_INT(ERR_USAGE, err.code);
        err_clear(&err);
        err = (struct err){0};
        TEST_ASSERT_TRUE(file_read(file, &text, &err));
        TEST_ASSERT_EQUAL_STRING("mine", str_text(&text));
        str_free(&text);
        TEST_ASSERT_EQUAL_INT(0, remove(file));
        TEST_ASSERT_TRUE_MESSAGE(report_write(db, &options, &err), str_text(&err.message));
        TEST_ASSERT_TRUE_MESSAGE(report_write(db, &options, &err), files[i]); /* ours: replaced */
    }
    store_close(db);
}

/* A file that merely names the program is not ours: a project file, for example. */
static void test_a_project_file_is_foreign(void) {
    static const char project[] = "{\"$schema\": \"goalkeeper.schema.json\", \"step\": \"f\"}";
    const char *path = test_file("valve.db"), *file = test_file("goalkeeper.json");
    const char *format = "json";
    const struct report_options options = {
        .dir = test_folder(), .formats = &format, .n_formats = 1};
    struct store *db;
    struct err err = {0};
    valve_make(path, NULL);
    TEST_ASSERT_TRUE(file_write(file, project, sizeof project - 1, &err));
    TEST_ASSERT_TRUE(store_open(&db, path, STORE_READ, &err));
    TEST_ASSERT_FALSE(report_write(db, &options, &err));
    err_clear(&err);
    store_close(db);
}

/* Every format copes with a database without goals, and with one without findings, over what it
 * wrote when there were some. */
static void test_nothing_to_report(void) {
    static const char *const formats[] = {"html",   "sarif",     "junit", "cobertura", "lcov",
                                          "gitlab", "sonarqube", "json",  "markdown"};
    static const struct valve valves[] = {{.goals = VALVE_NONE, .no_ledger = true},
                                          {0},
                                          {.goals = VALVE_REACHABLE, .no_ledger = true},
                                          {.goals = VALVE_NONE, .no_ledger = true},
                                          {.goals = VALVE_DEAD}};
    const char *dir = test_file("out");
    for (size_t v = 0; v < sizeof valves / sizeof *valves; v++) {
        const struct report_options options = {.dir = dir, .formats = formats, .n_formats = 9};
        const char *path = test_file(arena_printf(&arena, "nothing%zu.db", v));
        struct store *db;
        struct err err = {0};
        valve_make(path, &valves[v]);
        TEST_ASSERT_TRUE(store_open(&db, path, STORE_READ, &err));
        TEST_ASSERT_TRUE_MESSAGE(report_write(db, &options, &err), str_text(&err.message));
        store_close(db);
    }
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_xml_follows_the_rules);
    RUN_TEST(test_junit_judges_by_the_gate);
    RUN_TEST(test_junit_without_a_gate_fails_nothing_that_is_dead);
    RUN_TEST(test_gcovr_reads_it);
    RUN_TEST(test_lcov_reads_it);
    RUN_TEST(test_groups_of_mcdc_differ);
    RUN_TEST(test_genhtml_makes_pages_of_it);
    RUN_TEST(test_lcov_flags_what_is_dead);
    RUN_TEST(test_sarif);
    RUN_TEST(test_gitlab);
    RUN_TEST(test_json);
    RUN_TEST(test_json_with_a_baseline);
    RUN_TEST(test_markdown_keeps_its_tables);
    RUN_TEST(test_html);
    RUN_TEST(test_pages_are_well_formed);
    RUN_TEST(test_one_document);
    RUN_TEST(test_old_pages_go_foreign_files_stay);
    RUN_TEST(test_a_project_file_is_foreign);
    RUN_TEST(test_nothing_to_report);
    RUN_TEST(test_foreign_files_are_not_overwritten);
    return UNITY_END();
}
