/* What reports are made of: escaped text, numbers, days, truth tables, signals, comparisons; and
 * that a database which was tampered with is refused. */
#include "valve.h"

#include "base/child.h"
#include "base/line_markers.h"
#include "report/baseline.h"
#include "report/damage.h"
#include "report/date.h"
#include "report/escape.h"
#include "report/number.h"
#include "report/plot.h"
#include "report/truth.h"

#include "unity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct arena arena;

void setUp(void) {
}

void tearDown(void) {
    test_folder_remove();
    arena_free(&arena);
}

/* ---- texts ---- */

static void expect(void (*add)(struct str *, const char *), const char *text, const char *wanted) {
    struct str out = {0};
    add(&out, text);
    TEST_ASSERT_EQUAL_STRING(wanted, str_text(&out));
    str_free(&out);
}

/* ---- a preprocessed source ---- */

static void expect_original(const char *text, const char *file, const char *wanted) {
    struct str out = {0};
    bool found = line_markers_file(text, strlen(text), file, report_same_file, &out);
    TEST_ASSERT_EQUAL_INT(wanted != NULL, found);
    TEST_ASSERT_EQUAL_STRING(wanted ? wanted : "", str_text(&out));
    str_free(&out);
}

static void test_lines_are_those_of_the_markers(void) {
    static const char text[] = "typedef int t;\n"
                               "# 1 \"C:\\\\My\\\\inc/t.h\" 1\nint h;\n"
                               "#line 3 \"C:\\\\My\\\\x.c\"\nint a;\nint b;\n"
                               "# 2 \"/home/u/inc/t.h\" 2\nint g;\n"
                               "  #  7 \"C:\\\\My\\\\x.c\"\nint c;";
    expect_original(text, "C:\\My\\x.c", "\n\nint a;\nint b;\n\n\nint c;\n");
    expect_original(text, "x.c", "\n\nint a;\nint b;\n\n\nint c;\n"); /* the project's own name */
    expect_original(text, "C:\\My\\inc/t.h", "int h;\n");
    expect_original(text, "y.c", NULL);
    expect_original("int x; // # 3 \"y.c\"\n", "y.c", NULL);
}

#define BAD "\xef\xbf\xbd"

static void test_escaping(void) {
    expect(add_xml, "", "");
    expect(add_xml, "a < b && c > \"d\" 'e'",
           "a &lt; b &amp;&amp; c &gt; &quot;d&quot; &#39;e&#39;");
    expect(add_xml, "\x01\x1f\x7f\t\n", BAD BAD BAD "\t\n");
    expect(add_xml, "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
    /* what is not UTF-8 is Latin-1: "Ger\xe4t", what ends too early, is longer than needed, a
     * surrogate, too large */
    expect(add_xml, "Ger\xe4t \xb1 2", "Ger\xc3\xa4t \xc2\xb1 2");
    expect(add_xml, "\xc3", "\xc3\x83");
    expect(add_xml, "\xc0\xaf\xe0\x80\xaf", "\xc3\x80\xc2\xaf\xc3\xa0" BAD "\xc2\xaf");
    expect(add_xml, "\xed\xa0\x80", "\xc3\xad\xc2\xa0" BAD);
    expect(add_xml, "\xf4\x90\x80\x80\xff", "\xc3\xb4" BAD BAD BAD "\xc3\xbf");
    expect(add_xml,
           "a\xe2\x80\xae"
           "b\xe2\x81\xa6"
           "c\xe2\x80\x8f",
           "a" BAD "b" BAD "c" BAD);
    expect(add_json, "", "\"\"");
    expect(add_json, "</script>\"\\\n\x01", "\"\\u003c/script>\\\"\\\\\\u000a\\u0001\"");
    expect(add_json, "\xff'", "\"\xc3\xbf'\"");
    expect(add_markdown, "a|b`c\nd", "`a\\|b'c d`");
    expect(add_one_line, "a\r\nb\tc", "a  b c");
    expect(add_uri, "C:\\a b\\c%.c", "a%20b/c%25.c");
    expect(add_uri, "//./a/../\xc3\xa4.c", "a/../%C3%A4.c");
}

static void test_numbers(void) {
    TEST_ASSERT_EQUAL_STRING("-2", number_text(&arena, 'i', 16, 0xfffe));
    TEST_ASSERT_EQUAL_STRING("65534", number_text(&arena, 'u', 16, 0xfffe));
    TEST_ASSERT_EQUAL_STRING("-9223372036854775808", number_text(&arena, 'i', 64, 1ull << 63));
    TEST_ASSERT_EQUAL_STRING("18446744073709551615", number_text(&arena, 'u', 64, UINT64_MAX));
    TEST_ASSERT_EQUAL_STRING("-1", number_text(&arena, 'i', 1, 1)); /* a field of one bit */
    TEST_ASSERT_EQUAL_STRING("1", number_text(&arena, 'b', 1, 1));
    TEST_ASSERT_EQUAL_STRING("0.1", number_text(&arena, 'f', 32, 0x3dcccccd));
    TEST_ASSERT_EQUAL_STRING("1e-06", number_text(&arena, 'f', 32, 0x358637bd));
    TEST_ASSERT_EQUAL_STRING("1.0000001", number_text(&arena, 'f', 32, 0x3f800001));
    TEST_ASSERT_EQUAL_STRING("0.1", number_text(&arena, 'f', 64, 0x3fb999999999999a));
    TEST_ASSERT_EQUAL_STRING("nan", number_text(&arena, 'f', 32, 0x7fc00000));
    TEST_ASSERT_EQUAL_STRING("-inf", number_text(&arena, 'f', 32, 0xff800000));
    TEST_ASSERT_EQUAL_STRING("-0", number_text(&arena, 'f', 64, 1ull << 63));
}

static void test_days(void) {
    static const char *const days[] = {"2024-02-29", "2000-02-29", "2030-12-31", "0001-01-01"};
    static const char *const none[] = {
        "",         "2023-02-29", "1900-02-29",  "2030-00-10", "2030-13-01", "2030-04-31",
        "2030-4-3", "2030-01-00", "2030-01-011", "x030-01-01", "2030/01/01"};
    for (size_t i = 0; i < sizeof days / sizeof *days; i++)
        TEST_ASSERT_TRUE_MESSAGE(date_is(days[i]), days[i]);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        TEST_ASSERT_FALSE_MESSAGE(date_is(none[i]), none[i]);
    TEST_ASSERT_TRUE(date_is(date_today(&arena)));
}

static void test_names_of_files(void) {
    TEST_ASSERT_TRUE(report_same_file("a.c", "a.c"));
    TEST_ASSERT_TRUE(report_same_file("/home/x/src/a.c", "src/a.c"));
    TEST_ASSERT_TRUE(report_same_file("a.c", "C:\\src\\a.c"));
    TEST_ASSERT_FALSE(report_same_file("ba.c", "a.c"));
    TEST_ASSERT_FALSE(report_same_file("src/a.c", "lib/a.c"));
    TEST_ASSERT_FALSE(report_same_file("a.c", "a.h"));
}

/* ---- decisions ---- */

static void check_truth(bool later, enum row_status fault) {
    const struct valve valve = {.later = later};
    struct store *db;
    struct report_data data = {0};
    struct truth t = {0};
    valve_open(&valve, NULL, &db, &data);
    TEST_ASSERT_EQUAL_size_t(1, data.decisions.len);
    truth_of(&data.decisions.data[0], &t);
    TEST_ASSERT_EQUAL_size_t(3, t.rows.len);
    static const bool credited[3][2] = {{false, true}, {true, true}, {true, false}};
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 2; c++)
            TEST_ASSERT_EQUAL(credited[r][c], t.rows.data[r].credited[c]);
    const struct truth_condition *c = t.conditions.data;
    TEST_ASSERT_EQUAL(ROW_REACHABLE, c[0].unique);
    TEST_ASSERT_EQUAL_UINT(1, c[0].pair.t);
    TEST_ASSERT_EQUAL_UINT(2, c[0].pair.f);
    TEST_ASSERT_EQUAL(fault, c[1].unique);
    TEST_ASSERT_EQUAL_STRING("In_Fault", c[1].text);
    TEST_ASSERT_EQUAL_INT64(11, c[1].mcdc[1]->id);
    TEST_ASSERT_EQUAL_INT64(8, c[1].outcome[0]->id);
    struct report_count count = truth_unique_count(&data);
    TEST_ASSERT_EQUAL_size_t(2, count.total);
    TEST_ASSERT_EQUAL_size_t(fault == ROW_REACHABLE ? 2 : 1, count.reachable);
    truth_free(&t);
    valve_close(db, &data);
}

static void test_truth_tables(void) {
    check_truth(false, ROW_OPEN);
    check_truth(true, ROW_REACHABLE);
}

static void test_structures(void) {
    static const struct {
        const char *text;
        size_t n;
        bool fits;
    } cases[] = {
        {"0", 1, true},
        {"!0", 1, true},
        {"0&&1", 2, true},
        {"(0&&1)||!2", 3, true},
        {"!(0||!(1&&2))", 3, true},
        {"((0))", 1, true},
        {"0&&1&&2||3", 4, true},
        {"", 0, false},
        {"0", 2, false},
        {"1&&0", 2, false},
        {"0&&", 1, false},
        {"&&0", 1, false},
        {"(0", 1, false},
        {"0)", 1, false},
        {"0&1", 2, false},
        {"0 1", 2, false},
        {"0!1", 2, false},
        {"()", 0, false},
        {"0&&x", 2, false},
        {"!", 0, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].fits, damage_structure_fits(cases[i].text, cases[i].n),
                                  cases[i].text);
}

/* ---- witnesses ---- */

static void test_signals(void) {
    struct store *db;
    struct report_data data = {0};
    struct signals s = {0};
    struct err err = {0};
    valve_open(NULL, NULL, &db, &data);
    TEST_ASSERT_TRUE(signals_of(&data, &data.goals.data[26], &s, &err));
    TEST_ASSERT_EQUAL_INT64(5, s.last);
    TEST_ASSERT_EQUAL_size_t(5, s.list.len);
    const struct signal *temp = &s.list.data[0], *flow = &s.list.data[2];
    TEST_ASSERT_EQUAL_STRING("In_Temp", temp->path);
    TEST_ASSERT_TRUE(temp->changes && temp->is_input);
    TEST_ASSERT_EQUAL_size_t(4, temp->points.len);
    TEST_ASSERT_EQUAL_INT64(1, temp->points.data[0].step);
    TEST_ASSERT_EQUAL_STRING("-40", temp->points.data[0].text);
    TEST_ASSERT_EQUAL_DOUBLE(-40, temp->min);
    TEST_ASSERT_EQUAL_DOUBLE(200, temp->max);
    TEST_ASSERT_FALSE(flow->changes);
    TEST_ASSERT_EQUAL_STRING("0.1", flow->points.data[0].text);
    TEST_ASSERT_EQUAL_STRING("output", s.list.data[3].role);
    TEST_ASSERT_EQUAL_INT64(0, s.list.data[4].points.data[0].step); /* the initialisation */
    signals_free(&s);
    /* a goal that is hit earlier knows nothing of what comes later */
    s = (struct signals){0};
    TEST_ASSERT_TRUE(signals_of(&data, &data.goals.data[0], &s, &err));
    TEST_ASSERT_EQUAL_INT64(2, s.last);
    TEST_ASSERT_EQUAL_size_t(2, s.list.data[0].points.len);
    signals_free(&s);
    valve_close(db, &data);
}

/* Every command of the path stays inside the drawing, however many points fall on one column. */
static void check_path(const char *svg) {
    const char *p = strstr(svg, " d=\"");
    TEST_ASSERT_NOT_NULL(p);
    int x = -1, commands = 0;
    for (p += 4; *p != '"'; commands++) {
        char command = *p++;
        char *end;
        double value = strtod(p, &end);
        if (command == 'H' || command == 'M' || command == 'L') {
            TEST_ASSERT_GREATER_OR_EQUAL(x, value);
            x = (int)value;
        } else {
            TEST_ASSERT_TRUE(command == 'V' && value >= 0 && value <= 40);
        }
        if (command == 'M' || command == 'L') {
            value = strtod(end, &end);
            TEST_ASSERT_TRUE(value >= 0 && value <= 40);
        }
        p = end;
    }
    TEST_ASSERT_EQUAL_INT(712, x);
    TEST_ASSERT_LESS_THAN(4 * 720, commands);
}

static void test_plots(void) {
    static const int64_t lasts[] = {1, 2, 7, 100, 631, 632, 633, 100000};
    for (size_t i = 0; i < sizeof lasts / sizeof *lasts; i++) {
        struct signal s = {.path = "x<y", .role = "state", .changes = true, .min = -1, .max = 1};
        struct str out = {0};
        for (int64_t step = 0; step <= lasts[i]; step++)
            vec_push(&s.points, (struct signal_point){step,
                                                      step % 3 == 2 ? NAN
                                                      : step % 2    ? 1
                                                                    : -1,
                                                      "0"});
        plot_signal(&s, lasts[i], &out);
        check_path(str_text(&out));
        TEST_ASSERT_NOT_NULL(strstr(str_text(&out), "<title>x&lt;y: between -1 and 1"));
        str_clear(&out);
        plot_axis(lasts[i], &out);
        TEST_ASSERT_NOT_NULL(
            strstr(str_text(&out), arena_printf(&arena, ">%lld hit<", (long long)lasts[i])));
        str_free(&out);
        vec_free(&s.points);
    }
}

/* A value that grows by a little in each step is a line, no staircase; one that waits is none. */
static void test_a_ramp_is_drawn_as_one(void) {
    struct signal s = {.path = "x", .role = "state", .changes = true, .min = 0, .max = 10000};
    struct str out = {0};
    for (int64_t step = 0; step <= 10000; step++)
        vec_push(&s.points, (struct signal_point){step, (double)step, "0"});
    plot_signal(&s, 10000, &out);
    TEST_ASSERT_NOT_NULL(strstr(str_text(&out), "L396 20"));
    size_t lines = 0;
    for (const char *p = str_text(&out); (p = strchr(p, 'L')); p++)
        lines++;
    TEST_ASSERT_GREATER_THAN(600, lines);
    str_clear(&out);
    s.points.len = 0;
    vec_push(&s.points, (struct signal_point){0, 0, "0"});
    vec_push(&s.points, (struct signal_point){50, 10000, "0"});
    plot_signal(&s, 100, &out);
    TEST_ASSERT_NULL(strchr(str_text(&out), 'L'));
    TEST_ASSERT_NOT_NULL(strstr(str_text(&out), "M80 33H393V7H712"));
    str_free(&out);
    vec_free(&s.points);
}

/* ---- comparisons ---- */

static void test_comparison(void) {
    struct store *db;
    struct report_data data = {0};
    struct baseline old = {0};
    struct comparison c = {0};
    struct err err = {0};
    const struct valve later = {.later = true};
    const char *path = test_file("old.db");
    valve_make(path, NULL);
    TEST_ASSERT_TRUE(baseline_read(&old, path, NULL, &err));
    valve_open(&later, NULL, &db, &data);
    baseline_compare(&old, &data, &c);
    TEST_ASSERT_EQUAL_size_t(1, c.added.len);
    TEST_ASSERT_EQUAL_INT64(26, c.added.data[0]->id);
    TEST_ASSERT_EQUAL_size_t(1, c.gone.len);
    TEST_ASSERT_EQUAL_STRING("abc0000000000019", c.gone.data[0]->key);
    TEST_ASSERT_EQUAL_size_t(6, c.changed.len);
    TEST_ASSERT_EQUAL(STATUS_OPEN, c.changed.data[0].before->status);
    TEST_ASSERT_EQUAL(STATUS_REACHABLE, c.changed.data[0].now->status);
    comparison_free(&c);
    baseline_free(&old);
    valve_close(db, &data);
}

/* ---- one moment ---- */

static void test_a_report_sees_one_moment(void) {
    struct store *db, *writer;
    struct report_data data = {0};
    struct err err = {0};
    const char *path = test_file("moving.db");
    valve_make(path, NULL);
    TEST_ASSERT_TRUE(store_open(&db, path, STORE_READ, &err));
    TEST_ASSERT_TRUE(report_load(&data, db, NULL, &err));
    TEST_ASSERT_TRUE(store_open(&writer, path, STORE_WRITE, &err));
    TEST_ASSERT_TRUE(store_info(writer, "name", "another", &err));
    TEST_ASSERT_TRUE(store_alarm(writer, 0, "it was not so", 0, 0, &err));
    TEST_ASSERT_TRUE(store_prune(writer, &err));
    TEST_ASSERT_EQUAL_STRING("valve", report_info(&data, "name"));
    TEST_ASSERT_EQUAL_INT64(0, rows_single_int(db, "SELECT count(*) FROM alarm"));
    report_unload(&data);
    TEST_ASSERT_EQUAL_INT64(1, rows_single_int(db, "SELECT count(*) FROM alarm"));
    store_close(writer);
    store_close(db);
}

/* ---- tampering ---- */

static void test_damaged_databases_are_refused(void) {
    static const char *const harm[] = {
        "UPDATE goal SET value = 7 WHERE id = 3",
        "UPDATE goal SET value = NULL WHERE kind = 'vector'",
        "UPDATE goal SET depth = NULL WHERE id = 1",
        "UPDATE goal SET id = 1000 WHERE id = 27",
        "UPDATE variable SET bits = 65 WHERE number = 0",
        "UPDATE variable SET type = 'f', bits = 16 WHERE number = 0",
        "UPDATE witness_event SET step = -3 WHERE number = 2",
        "UPDATE decision SET structure = '0&&'",
        "DELETE FROM decision_condition WHERE position = 1",
    };
    if (!test_has_program("sqlite3"))
        TEST_IGNORE_MESSAGE("sqlite3 is not installed");
    for (size_t i = 0; i < sizeof harm / sizeof *harm; i++) {
        const char *path = test_file(arena_printf(&arena, "harm%zu.db", i));
        const char *argv[] = {"sqlite3", path, harm[i], NULL};
        struct store *db;
        struct report_data data = {0};
        struct err err = {0};
        valve_make(path, NULL);
        test_run(argv);
        TEST_ASSERT_TRUE(store_open(&db, path, STORE_READ, &err));
        TEST_ASSERT_FALSE_MESSAGE(report_load(&data, db, NULL, &err), harm[i]);
        TEST_ASSERT_NOT_NULL(strstr(str_text(&err.message), "damaged"));
        err_clear(&err);
        report_unload(&data);
        store_close(db);
    }
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_lines_are_those_of_the_markers);
    RUN_TEST(test_escaping);
    RUN_TEST(test_numbers);
    RUN_TEST(test_days);
    RUN_TEST(test_names_of_files);
    RUN_TEST(test_truth_tables);
    RUN_TEST(test_structures);
    RUN_TEST(test_signals);
    RUN_TEST(test_plots);
    RUN_TEST(test_a_ramp_is_drawn_as_one);
    RUN_TEST(test_comparison);
    RUN_TEST(test_a_report_sees_one_moment);
    RUN_TEST(test_damaged_databases_are_refused);
    return UNITY_END();
}
