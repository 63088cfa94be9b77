/* Why goals are dead: one module with a goal of every class, then without what the reason names. */
#include "folder.h"

#include "base/file.h"
#include "base/json_events.h"
#include "base/tool.h"

#include "unity.h"

#include <sqlite3.h>
#include <string.h>

void setUp(void) {
    folder_open();
}
void tearDown(void) {
    folder_close();
}

static const char *const module =
    "const unsigned char Cal_Mode = %d;\n"
    "int in, idle; static int count, out, seen;\n"
    "static void orphan(void) { seen = 9; }\n"
    "void (*keep)(void);\n"
    "void step(void) {\n"
    "    if (in > 5 && in < 3) seen = 1;\n"                    /* constant, line 6 */
    "    if (in > 100) { seen = 2; if (out > 1) seen = 7; }\n" /* range, line 7; upstream */
    "    if (Cal_Mode == 3) seen = 3;\n"                       /* calibration, line 8 */
    "    if (in > 50 && count < 21) count++;\n"
    "    if (count > 30) seen = 4;\n" /* state, line 10 */
    "    out = in + idle;\n"
    "}\n";

static void decide(int calibration, int most) {
    put("m.c", arena_printf(&arena, module, calibration));
    put("goalkeeper.json",
        arena_printf(&arena,
                     "{\"name\": \"m\", \"sources\": [\"m.c\"], \"step\": \"step\", "
                     "\"inputs\": [{\"name\": \"in\", \"min\": 0, \"max\": %d}, "
                     "{\"name\": \"idle\", \"min\": 0, \"max\": 7}], "
                     "\"criteria\": [\"function\", \"statement\", \"branch\"]}\n",
                     most));
    run_tool("run --engines simulate,houdini,kind --seconds 60 --db m.db --trace m.jsonl", NULL);
    expect_end(0, NULL);
}

static void change(const char *database, const char *sql) {
    sqlite3 *db = NULL;
    TEST_ASSERT_EQUAL_INT(SQLITE_OK, sqlite3_open(path(database), &db));
    TEST_ASSERT_EQUAL_INT(SQLITE_OK, sqlite3_exec(db, sql, NULL, NULL, NULL));
    TEST_ASSERT_GREATER_THAN_INT(0, sqlite3_total_changes(db));
    sqlite3_close(db);
}

static int64_t dead(const char *class, int line, const char *text) {
    return number_in("m.db",
                     arena_printf(&arena,
                                  "SELECT count(*) FROM goal_status WHERE status = 'dead' AND "
                                  "class = '%s' AND line = %d AND because LIKE '%%%s%%'",
                                  class, line, text));
}

/* Each phase has its seconds, and together they are those of the run; each engine its attempts. */
static void expect_times(void) {
    TEST_ASSERT_EQUAL_INT64(8, number_in("m.db", "SELECT count(*) FROM run_info WHERE key GLOB "
                                                 "'wall:*' AND CAST(value AS REAL) >= 0"));
    TEST_ASSERT_EQUAL_INT64(
        1, number_in("m.db", "SELECT abs(sum(CAST(value AS REAL)) - (SELECT value FROM run_info "
                             "WHERE key = 'seconds')) <= 0.2 FROM run_info WHERE key GLOB "
                             "'wall:*'"));
    TEST_ASSERT_EQUAL_INT64(1, number_in("m.db", "SELECT sum(CAST(value AS REAL)) > 0.05 FROM "
                                                 "run_info WHERE key GLOB 'cpu:*'"));
    run_tool("status m.db --times --format csv", NULL);
    expect_end(0, NULL);
    const char *list = strstr(str_text(&r.out), "phase,list,"),
               *decided = strstr(str_text(&r.out), "phase,decide,"),
               *houdini = strstr(str_text(&r.out), "engine,houdini,");
    TEST_ASSERT_TRUE_MESSAGE(list && decided > list && houdini > decided, str_text(&r.out));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(houdini, " candidates, "), houdini);
}

/* What an attempt has counted is in the database, and fits what it says of itself. */
static void expect_counted(void) {
    TEST_ASSERT_EQUAL_INT64(
        0, number_in("m.db", "SELECT count(*) FROM effort WHERE NOT json_valid(stats)"));
    TEST_ASSERT_EQUAL_INT64(
        1, number_in("m.db", "SELECT sum(ticks) BETWEEN 0.9 * stats ->> '$.solver_ticks' AND "
                             "stats ->> '$.solver_ticks' FROM attempt_log a JOIN effort e ON e.id "
                             "= a.effort WHERE engine = 'houdini' GROUP BY e.id LIMIT 1"));
    TEST_ASSERT_GREATER_THAN_INT64(
        0, number_in("m.db", "SELECT count(*) FROM attempt WHERE engine = 'houdini' AND stats ->> "
                             "'$.candidates' > 0"));
    TEST_ASSERT_GREATER_THAN_INT64(
        0, number_in("m.db", "SELECT value FROM run_info WHERE key = 'simulate:steps'"));
}

static void ignore(void *context, enum json_event event, const char *text) {
    (void)context, (void)event, (void)text;
}

static int words(const char *text, const char *word) {
    int n = 0;
    for (; (text = strstr(text, word)); text += strlen(word))
        n++;
    return n;
}

/* The trace: each line is an object, each attempt has its end, each goal that was decided a
 * verdict.
 */
static void expect_trace(void) {
    struct str text = {0};
    TEST_ASSERT_TRUE(file_read(path("m.jsonl"), &text, &err));
    int begins = words(str_text(&text), "\"event\":\"begin\",\"goals\""),
        ends = words(str_text(&text), "\"event\":\"end\",\"outcome\":\""),
        verdicts = words(str_text(&text), "\"event\":\"verdict\"");
    TEST_ASSERT_EQUAL_INT(begins, ends);
    TEST_ASSERT_GREATER_THAN_INT(1, begins);
    TEST_ASSERT_TRUE(verdicts >= number_in("m.db", "SELECT count(DISTINCT probe) FROM goal WHERE "
                                                   "status <> 'open' AND implied_by IS NULL"));
    TEST_ASSERT_NOT_NULL(strstr(str_text(&text), "\"event\":\"candidates\",\"phase\""));
    for (char *line = text.data, *end; line < text.data + text.len; line = end + 1) {
        struct json_events j;
        end = strchr(line, '\n');
        TEST_ASSERT_NOT_NULL_MESSAGE(end, line);
        json_events_init(&j, ignore, NULL);
        TEST_ASSERT_TRUE(json_events_feed(&j, line, (size_t)(end - line)) && json_events_end(&j));
        json_events_free(&j);
    }
    str_free(&text);
}

/* CBMC is shown the proofs of reasons first, and no other where these exclude the goal. */
static void expect_reasons_confirm(void) {
    struct str text = {0};
    TEST_ASSERT_TRUE(file_read(path("m.jsonl"), &text, &err));
    const char *because = strstr(str_text(&text), "\"because\",\"event\":\"begin\""),
               *trial = strstr(str_text(&text), "\"trial\",\"event\":\"begin\"");
    TEST_ASSERT_TRUE_MESSAGE(because && trial && because < trial, str_text(&text));
    TEST_ASSERT_NULL_MESSAGE(strstr(because, "\"outcome\":\"confirmed\""), because);
    TEST_ASSERT_EQUAL_INT64(0, number_in("m.db", "SELECT count(*) FROM goal_status WHERE status = "
                                                 "'dead' AND checked_by NOT LIKE '%cbmc%'"));
    TEST_ASSERT_EQUAL_INT64(3, number_in("m.db", "SELECT count(*) FROM reason_proof r JOIN because "
                                                 "b USING (goal) WHERE b.class = 'upstream' AND "
                                                 "r.checked_by = 'cbmc'"));
    str_free(&text);
}

static void test_every_class_is_told(void) {
    decide(0, 100);
    if (tool_cbmc(&arena))
        expect_reasons_confirm();
    expect_times();
    expect_counted();
    expect_trace();
    TEST_ASSERT_EQUAL_INT64(2, dead("uncalled", 3, "nothing that can run calls `%"));
    TEST_ASSERT_EQUAL_INT64(2, dead("constant", 6, "no values of inputs and state"));
    TEST_ASSERT_EQUAL_INT64(3, dead("range", 7, "`in` is within 0 .. 100"));
    TEST_ASSERT_EQUAL_INT64(3, dead("upstream", 7, "`in > 100` in line 7 is never true: `in` is"));
    TEST_ASSERT_EQUAL_INT64(2, dead("calibration", 8, "`Cal_Mode` is 0 (m.c:1)"));
    TEST_ASSERT_GREATER_THAN_INT64(
        0, dead("calibration", 8, "; with `Cal_Mode` = 3 it is reachable (replayed)"));
    TEST_ASSERT_EQUAL_INT64(2, dead("state", 10, "`count` never exceeds "));
    TEST_ASSERT_EQUAL_INT64(0, number_in("m.db", "SELECT count(*) FROM goal_status WHERE status = "
                                                 "'dead' AND because IS NULL"));
    /* what a verdict rests on is what its reason names */
    TEST_ASSERT_EQUAL_INT64(
        2, number_in("m.db", "SELECT count(*) FROM goal_status WHERE class = 'calibration' AND "
                             "assumes = 'Cal_Mode = 0'"));
    TEST_ASSERT_EQUAL_INT64(
        0,
        number_in("m.db", "SELECT count(*) FROM goal_status WHERE class IN ('constant', 'state', "
                          "'uncalled') AND assumes <> ''"));
    /* its range makes nothing dead */
    TEST_ASSERT_EQUAL_INT64(1, number_in("m.db", "SELECT path = 'idle' AND (SELECT count(*) FROM "
                                                 "idle_range) = 1 FROM idle_range"));
    /* five causes; that of the range has six goals */
    TEST_ASSERT_EQUAL_INT64(5, number_in("m.db", "SELECT count(*) FROM cause"));
    TEST_ASSERT_EQUAL_INT64(6, number_in("m.db", "SELECT goals FROM cause WHERE class = 'range'"));
    run_tool("audit m.db", NULL);
    expect_end(0, NULL);
    int64_t cause = number_in("m.db", "SELECT cause FROM cause WHERE class = 'range'");
    run_tool(arena_printf(&arena, "justify m.db --cause %lld --reason wide --author me",
                          (long long)cause),
             NULL);
    expect_end(0, NULL);
    TEST_ASSERT_EQUAL_INT64(6, number_in("m.db", "SELECT sum(justified) FROM goal_status"));
    run_tool("justify m.db --cause 99 --reason wide --author me", NULL);
    expect_end(2, "no goal");
}

/* What each reason names is a proof for CBMC, and nothing of it can be left out. */
static void test_reasons_are_minimal_certificates(void) {
    char *cbmc = tool_cbmc(&arena);
    decide(0, 100);
    run_tool("export m.db -o out --certificates", NULL);
    expect_end(0, NULL);
    /* what needs nothing, the range, the value, the state */
    TEST_ASSERT_EQUAL_INT64(4, number_in("m.db", "SELECT count(DISTINCT proof) FROM reason_proof"));
    TEST_ASSERT_EQUAL_INT64(1, number_in("m.db", "SELECT count(*) FROM invariant_clause v JOIN "
                                                 "goal_status g USING (goal_id) WHERE line = 10 "
                                                 "AND kind = 'statement'"));
    TEST_ASSERT_EQUAL_INT64(
        0, number_in("m.db", "SELECT count(*) FROM invariant_clause v JOIN goal_status g USING "
                             "(goal_id) WHERE class IN ('range', 'constant')"));
    const char *define = arena_printf(&arena, "CBMC=%s", cbmc ? cbmc : "");
    const char *const argv[] = {"make",  "-s",      "-C",   path("out/certificates"),
                                "check", "minimal", define, NULL};
    if (!cbmc || !tool_find(&arena, "", argv, 1))
        TEST_IGNORE_MESSAGE("no CBMC or no make");
    TEST_ASSERT_EQUAL_INT64(0, number_in("m.db", "SELECT count(*) FROM reason_proof WHERE "
                                                 "checked_by <> 'cbmc'"));
    run_tool("audit m.db", NULL);
    expect_end(0, NULL);
    TEST_ASSERT_TRUE_MESSAGE(says(&r.out, "4 reasons of dead goals confirmed, 0 failed"),
                             str_text(&r.out));
    /* nothing is assumed of the state any more: behind a checksum that would fit, too */
    change("m.db", "UPDATE piece SET text = replace(text, '(gk_kept(', '(1 || gk_kept(')");
    run_tool("audit m.db", NULL);
    expect_end(5, NULL);
    TEST_ASSERT_TRUE_MESSAGE(says(&r.out, "CBMC refutes the certificate of its reason"),
                             str_text(&r.out));
    struct child_result made = {0};
    TEST_ASSERT_TRUE(
        child_run(&(struct child_spec){.argv = argv, .wall_seconds = 120}, &made, &err));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, made.code, str_text(&made.err));
    child_result_free(&made);
}

static void ask_smt(int64_t proof, const char *question, const char *from, const char *to) {
    const char *name =
        arena_printf(&arena, "out/smt2/proof_%lld_%s.smt2", (long long)proof, question);
    if (from) {
        struct str text = {0};
        TEST_ASSERT_TRUE(file_read(path(name), &text, &err));
        char *at = strstr(str_text(&text), from);
        TEST_ASSERT_NOT_NULL_MESSAGE(at, str_text(&text));
        memcpy(at, to, strlen(to));
        TEST_ASSERT_TRUE(file_write(path("changed.smt2"), text.data, text.len, &err));
        str_free(&text);
        name = "changed.smt2";
    }
    run_tool(arena_printf(&arena, "solve %s", name), NULL);
    expect_end(from ? 5 : 0, from ? "the answer sat contradicts the status" : NULL);
    TEST_ASSERT_TRUE_MESSAGE(from || str_starts(str_text(&r.out), "unsat"), str_text(&r.out));
}

/* Our own solver reads what Z3 has written; with another bound in the invariant it is no proof. */
static void test_obligations_are_smt_lib(void) {
    static const char *const questions[] = {"initiation", "consecution", "safety", "base_case"};
    decide(0, 100);
    run_tool("export m.db -o out --evidence smt2", NULL);
    expect_end(0, NULL);
    int64_t last = number_in("m.db", "SELECT max(proof) FROM goal"), asked = 0;
    for (int64_t p = 1; p <= last; p++) {
        bool any =
            number_in("m.db", arena_printf(&arena, "SELECT count(*) FROM goal WHERE proof = %lld",
                                           (long long)p)) > 0;
        for (size_t i = 0; any && i < 4; i++, asked++)
            ask_smt(p, questions[i], NULL, NULL);
    }
    TEST_ASSERT_GREATER_THAN_INT64(3, asked);
    int64_t state =
        number_in("m.db", "SELECT proof FROM goal WHERE line = 10 AND kind = 'statement'");
    ask_smt(state, "safety", "bv21 32", "bv31 32");
}

static void expect_system(const char *file, const char *answer) {
    run_tool(arena_printf(&arena, "solve %s", file), NULL);
    TEST_ASSERT_TRUE_MESSAGE(str_starts(str_text(&r.out), answer), str_text(&r.out));
}

/* What is about integers alone is read back and found safe, clauses and targets alike. */
static void test_proofs_are_transition_systems(void) {
    put("m.c",
        "unsigned char in; static unsigned char count; static signed char table[4] = {-3, 1, 5, "
        "7}; static int out;\n"
        "void step(void) {\n"
        "    if (in > 7 && count < 3) count++;\n"
        "    if (count > 9) out = 1;\n"
        "    if (table[in & 3] / (count + 1) > 7) out = 2;\n"
        "}\n");
    put("goalkeeper.json", "{\"name\": \"m\", \"sources\": [\"m.c\"], \"step\": \"step\", "
                           "\"criteria\": [\"statement\"]}\n");
    run_tool("run --engines simulate,houdini,kind --seconds 60 --db m.db", NULL);
    expect_end(0, NULL);
    TEST_ASSERT_EQUAL_INT64(2,
                            number_in("m.db", "SELECT count(*) FROM goal WHERE status = 'dead'"));
    run_tool("export m.db -o out --evidence btor2", NULL);
    expect_end(0, NULL);
    int64_t last = number_in("m.db", "SELECT max(proof) FROM goal"), n = 0, changed = 0;
    for (int64_t p = 1; p <= last; p++) {
        const char *name = arena_printf(&arena, "out/btor2/proof_%lld.btor2", (long long)p);
        if (!file_exists(path(name)))
            continue;
        n++;
        expect_system(name, "safe");
        struct str text = {0};
        TEST_ASSERT_TRUE(file_read(path(name), &text, &err));
        char *bound = strstr(str_text(&text), "count") ? strstr(text.data, " 10\n") : NULL;
        if (bound) {
            memcpy(bound, " 02", 3);
            put("changed.btor2", str_text(&text));
            expect_system("changed.btor2", "unsafe");
            changed++;
        }
        str_free(&text);
    }
    TEST_ASSERT_GREATER_THAN_INT64(0, n);
    TEST_ASSERT_EQUAL_INT64(1, changed);
}

static size_t times(const char *text, const char *word) {
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, word)); at += strlen(word))
        n++;
    return n;
}

/* A result a cause; the other goals of it are related. */
static void test_sarif_has_a_result_a_cause(void) {
    decide(0, 100);
    run_tool("report m.db -o out --format sarif", NULL);
    expect_end(0, NULL);
    struct str text = {0};
    const char *file = path("out/goalkeeper.sarif");
    TEST_ASSERT_TRUE_MESSAGE(file_read(file, &text, &err), str_text(&err.message));
    size_t goals =
        (size_t)number_in("m.db", "SELECT count(*) FROM goal_status WHERE status = 'dead'");
    size_t causes = (size_t)number_in("m.db", "SELECT count(*) FROM cause");
    TEST_ASSERT_EQUAL_size_t(causes, times(str_text(&text), "\"ruleId\": \"goalkeeper/dead-"));
    TEST_ASSERT_EQUAL_size_t(goals - causes, times(str_text(&text), "{\"id\": ") -
                                                 times(str_text(&text), "{\"id\": \"goalkeeper/"));
    str_free(&text);
}

/* Few ticks: simulation is not asked, and k-induction does not count that far. */
static void test_open_goals_name_what_they_wait_for(void) {
    put("m.c", "unsigned char in; static unsigned laps, a = 1, b = 2, out;\n"
               "void step(void) {\n"
               "    if (in > 3 && laps < 900000) laps++;\n"
               "    if (laps == 800000) out = 1;\n"
               "    a = (a ^ b) * (in | 1u); b = (b + a) * 3u;\n"
               "    if (a * a * b == 77 && b * a == 1234567) out = 2;\n"
               "}\n");
    put("goalkeeper.json",
        "{\"name\": \"m\", \"sources\": [\"m.c\"], \"step\": \"step\", \"inputs\": [{\"name\": "
        "\"in\", \"min\": 0, \"max\": 9}], \"criteria\": [\"statement\"]}\n");
    run_tool("run --engines kind --goal-ticks 20000 --goal-seconds 5 --seconds 60 --db m.db", NULL);
    expect_end(0, NULL);
    TEST_ASSERT_EQUAL_INT64(1,
                            number_in("m.db", "SELECT count(*) FROM open_goal WHERE line = 4 AND "
                                              "class = 'counter' AND text LIKE '% laps'"));
    TEST_ASSERT_EQUAL_INT64(1,
                            number_in("m.db", "SELECT count(*) FROM open_goal WHERE line = 6 AND "
                                              "class = 'relation' AND text LIKE '% a, b'"));
    TEST_ASSERT_EQUAL_INT64(
        2, number_in("m.db", "SELECT count(*) FROM cause WHERE class LIKE 'waits for: %'"));
    run_tool("report m.db -o html --format html", NULL);
    expect_end(0, NULL);
    struct str page = {0};
    TEST_ASSERT_TRUE(file_read(path("html/index.html"), &page, &err));
    TEST_ASSERT_NOT_NULL(strstr(str_text(&page), "What open goals wait for"));
    str_free(&page);
    run_tool("status m.db", NULL);
    expect_end(0, NULL);
    TEST_ASSERT_EQUAL_INT(1, words(str_text(&r.out), "waits for: counter, goals: 1\n"));
    TEST_ASSERT_EQUAL_INT(1, words(str_text(&r.out), "waits for: relation, goals: 1\n"));
    run_tool("report m.db -o - --format markdown", NULL);
    expect_end(0, NULL);
    TEST_ASSERT_EQUAL_INT(1, words(str_text(&r.out), "| `m.c:4` | 1 | waits for: counter | "));
}

static void open_after(const char *engines, const char *class, const char *text) {
    put("m.c", "unsigned char in; static unsigned laps, out; unsigned lib_check(unsigned a);\n"
               "void step(void) {\n"
               "    if (in > 3 && laps < 5) laps++;\n"
               "    if (laps == 800000) out = 1;\n"
               "    if (lib_check(in) == 3u) out = 2;\n"
               "}\n");
    put("goalkeeper.json",
        "{\"name\": \"m\", \"sources\": [\"m.c\"], \"step\": \"step\", \"inputs\": [{\"name\": "
        "\"in\", \"min\": 0, \"max\": 9}], \"criteria\": [\"statement\"]}\n");
    file_remove_tree(path("m.db"));
    run_tool(arena_printf(&arena, "run --engines %s --seconds 1200 --db m.db", engines), NULL);
    expect_end(0, NULL);
    TEST_ASSERT_EQUAL_INT64(
        1, number_in("m.db", arena_printf(&arena,
                                          "SELECT count(*) FROM open_goal o JOIN goal g ON g.id = "
                                          "o.id WHERE g.text LIKE 'out = %%' AND o.class = "
                                          "'%s' AND o.text LIKE '%s'",
                                          class, text)));
}

/* Where nobody has tried it that is what would help most; nobody can give a range to what the
 * program defines nowhere. */
static void test_open_goals_that_wait_for_somebody(void) {
    open_after("simulate", "budget", "%more engines%none has come to it");
    open_after("kind --goal-ticks 1 --goal-seconds 5", "missing body", "the sources%: lib_check()");
}

static void test_status_tells_causes(void) {
    decide(0, 100);
    int64_t causes = number_in("m.db", "SELECT count(DISTINCT cause) FROM goal_status WHERE status "
                                       "= 'dead' AND cause NOT NULL");
    TEST_ASSERT_GREATER_THAN_INT64(3, causes);
    run_tool("status m.db", NULL);
    expect_end(0, NULL);
    TEST_ASSERT_EQUAL_INT(1, words(str_text(&r.out), "Dead goals, by cause:\n"));
    TEST_ASSERT_EQUAL_INT64(causes, words(str_text(&r.out), "  cause "));
    TEST_ASSERT_EQUAL_INT(1,
                          words(str_text(&r.out), "\n    dead for this calibration: `Cal_Mode`"));
    run_tool("status m.db --format csv", NULL);
    expect_end(0, NULL);
    TEST_ASSERT_EQUAL_INT(0, words(str_text(&r.out), "cause"));
}

/* The goals come back to life when what their reason names is another. */
static void test_without_the_reason_the_goal_lives(void) {
    decide(3, 101);
    TEST_ASSERT_EQUAL_INT64(3, number_in("m.db", "SELECT count(*) FROM goal_status WHERE line = 8 "
                                                 "AND status = 'reachable' AND value IS NOT 0"));
    TEST_ASSERT_EQUAL_INT64(0, dead("range", 7, ""));
    TEST_ASSERT_EQUAL_INT64(1, dead("calibration", 8, "`Cal_Mode` is 3"));
}

static const char *const kept_by =
    "int in; static int level, count, mode, out;\n"
    "static int clamp(int v) {\n"
    "    if (v > 40)\n"
    "        return 40;\n"
    "    return v;\n"
    "}\n"
    "void step(void) {\n"
    "    level = level + in;\n"
    "    %s\n" /* line 9 */
    "    if (level > 120) out = 1;\n"
    "    if (in > 7 &&\n" /* line 11 */
    "        %s)\n"
    "        count++;\n"
    "    if (count > 30) out = 2;\n"
    "    if (mode > 41) out = 3;\n"
    "    mode = clamp(in);\n"
    "    if (mode == 6) mode = 2;\n" /* a constant within the bounds */
    "}\n";

static void decide_kept(const char *line9, const char *line12) {
    put("m.c", arena_printf(&arena, kept_by, line9, line12));
    put("goalkeeper.json",
        "{\"name\": \"m\", \"sources\": [\"m.c\"], \"step\": \"step\", \"inputs\": [{\"name\": "
        "\"in\", \"min\": 0, \"max\": 100}], \"criteria\": [\"statement\"]}\n");
    run_tool("run --engines simulate,houdini,kind --seconds 60 --db m.db", NULL);
    expect_end(0, NULL);
}

/* In the units of the generator's comments, beside what the program computes with. */
static void test_numbers_are_scaled(void) {
    put("m.c", "short in /* LSB: 2^-7 OFF: 0 MIN/MAX: -40 .. 140 */;\n"
               "static unsigned short level /* LSB: 2^-2 OFF: 0 MIN/MAX: 0 .. 100 */;\n"
               "int out;\n"
               "void step(void) {\n"
               "    if (in > 17920) out = 1;\n"
               "    if (level < 21) level++;\n"
               "    if (level > 21) out = 2;\n"
               "}\n");
    put("goalkeeper.json", "{\"name\": \"m\", \"sources\": [\"m.c\"], \"step\": \"step\", "
                           "\"inputs\": [{\"name\": \"in\"}], \"criteria\": [\"statement\"]}\n");
    run_tool("run --engines simulate,houdini,kind --seconds 60 --db m.db", NULL);
    expect_end(0, NULL);
    TEST_ASSERT_EQUAL_INT64(1,
                            dead("range", 5, "`in` is within -5120 .. 17920 (-40 .. 140 scaled)"));
    TEST_ASSERT_EQUAL_INT64(1, dead("state", 7, "`level` never exceeds 21 (5.25 scaled)"));
}

/* The lines without which the clause would not hold; without them the goals live. */
static void test_lines_that_keep_the_state_are_named(void) {
    decide_kept("if (level > 100) level = 100;", "count < 21");
    TEST_ASSERT_EQUAL_INT64(1, dead("state", 14, "; kept by m.c:11 and m.c:13"));
    TEST_ASSERT_EQUAL_INT64(1, dead("state", 15, "; kept by m.c:3 and m.c:16"));
    decide_kept("if (level > 200) level = 100;", "count < 210");
    TEST_ASSERT_EQUAL_INT64(4, number_in("m.db", "SELECT count(*) FROM goal_status WHERE line IN "
                                                 "(10, 14) AND status = 'reachable'"));
}

/* Read with another sign in C than in the model, a bound on one is refuted there. */
/* What the initialisation copies a parameter into has its value, and is not the parameter: with a
 * promise of what that cell starts with itself nothing could be told of either. A parameter that no
 * step reads has no cell of its own; its goals are counted without a name. */
static const char copies[] =
    "const unsigned char Boot = 2, Deep = 4, Lim = 9; unsigned char in; int out;\n"
    "static unsigned char start, far;\n"
    "void p_init(void) { start = Boot; far = Deep; }\n"
    "void p_step(void) { if (in == 1 && start == 2) out = 1;\n"
    "  if (Lim > 10) out = 2;\n"
    "  if (Boot == 3) out = 3;\n"
    "  if (far == 5) out = 4;%s }\n";

static void expect_boot_alone(void) {
    TEST_ASSERT_EQUAL_INT64(0, number_in("m.db", "SELECT count(*) FROM goal_status WHERE line = 4 "
                                                 "AND status = 'dead' AND assumes <> 'Boot = 2'"));
}

static void test_copies_of_parameters(void) {
    put("p.c", arena_printf(&arena, copies, " out++;"));
    run_tool("init p.c", NULL);
    expect_end(0, NULL);
    run_tool("run --require-complete --seconds 60 --db m.db", NULL);
    expect_end(0, NULL);
    TEST_ASSERT_EQUAL_INT64(0, dead("constant", 4, ""));
    TEST_ASSERT_TRUE(dead("calibration", 4, "`Boot` is 2") > 0);
    TEST_ASSERT_TRUE(dead("calibration", 5, "`Lim` is 9 (p.c:1); with `Lim` = ") > 0);
    TEST_ASSERT_TRUE(dead("calibration", 6, "with `Boot` = 3 it is reachable") > 0);
    expect_boot_alone();
    put("p.c", arena_printf(&arena, copies, ""));
    run_tool("run --require-complete --seconds 60 --db m.db", NULL);
    expect_end(0, NULL);
    expect_boot_alone(); /* though the verdict of the first run named it, too */
    run_tool("report m.db -o out", NULL);
    expect_end(0, NULL);
    struct str page = {0};
    TEST_ASSERT_TRUE(file_read(path("out/index.html"), &page, &err));
    const char *deep = strstr(str_text(&page), "not told apart");
    TEST_ASSERT_NOT_NULL(deep);
    TEST_ASSERT_NOT_NULL(strstr(deep, "all constants as they are"));
    str_free(&page);
}

static void test_parameters_have_the_sign_of_their_types(void) {
    put("m.c", "typedef unsigned char u8;\nu8 Cal_Most = 150; u8 in; static u8 level; int out;\n"
               "void step(void) {\n"
               "    if (in > 10 && level < Cal_Most) level++;\n"
               "    if (level > 210) out = 1;\n"
               "}\n");
    put("goalkeeper.json",
        "{\"name\": \"m\", \"sources\": [\"m.c\"], \"step\": \"step\", \"inputs\": [{\"name\": "
        "\"in\", \"min\": 0, \"max\": 100}], \"parameters\": [{\"name\": \"Cal_Most\", \"mode\": "
        "\"range\", \"min\": 100, \"max\": 200}], \"criteria\": [\"statement\"]}\n");
    run_tool("run --engines simulate,ic3 --seconds 60 --db m.db", NULL);
    expect_end(0, NULL);
    TEST_ASSERT_EQUAL_INT64(0, number_in("m.db", "SELECT count(*) FROM alarm"));
    TEST_ASSERT_EQUAL_INT64(1, number_in("m.db", "SELECT count(*) FROM goal WHERE line = 5 AND "
                                                 "status = 'dead' AND kind = 'statement' AND "
                                                 "text = 'out = 1;'"));
}

static const char *const ending =
    "#include <stdlib.h>\n"
    "int in, by; static int out, seen; static int tab[4];\n"
    "void step(void) {\n"
    "    if (in > 10) exit(1);\n"
    "    if (in > 20) seen = 1;\n"
    "    out = 100 / by;\n"
    "    if (by == 0) seen = 2;\n"
    "    out = tab[in];\n"
    "    if (in > 3) seen = 3;\n"
    "    if (in < 3 && out == 9) seen = 4;\n"
    "    if (in > 5 && in < 3) seen = 5;\n" /* whatever happens before */
    "    if (by > 50) seen = 6;\n"          /* because of its range */
    "}\n";

static int64_t rests(int line, const char *on) {
    return number_in("m.db", arena_printf(&arena,
                                          "SELECT count(*) FROM goal_status WHERE status = 'dead' "
                                          "AND line = %d AND assumes IS '%s'",
                                          line, on));
}

/* Dead for nothing goes on behind a call of exit(), a division by zero, an access outside. */
static void test_that_runs_end_is_told(void) {
    put("m.c", ending);
    put("goalkeeper.json",
        "{\"name\": \"m\", \"sources\": [\"m.c\"], \"step\": \"step\", \"inputs\": "
        "[{\"name\": \"in\", \"min\": -5, \"max\": 30}, {\"name\": \"by\", \"min\": "
        "-50, \"max\": 50}], \"criteria\": [\"statement\"]}\n");
    run_tool("run --engines simulate,houdini,kind --seconds 60 --db m.db", NULL);
    expect_end(0, NULL);
    TEST_ASSERT_EQUAL_INT64(1, rests(5, "runs end at m.c:4 (exit)"));
    TEST_ASSERT_EQUAL_INT64(1, rests(7, "runs end at m.c:6 (division)"));
    TEST_ASSERT_EQUAL_INT64(1, rests(9, "runs end at m.c:8 (access)"));
    TEST_ASSERT_EQUAL_INT64(1, rests(10, "runs end at m.c:8 (access)"));
    TEST_ASSERT_EQUAL_INT64(1, rests(11, ""));
    TEST_ASSERT_EQUAL_INT64(1, rests(12, "by in [-50, 50]"));
    TEST_ASSERT_EQUAL_INT64(1, dead("range", 9, "runs end at m.c:8 (access)"));
}

/* What holds in a loop is said of that loop, and what is promised of inputs as elsewhere. */
static void test_reasons_in_loops(void) {
    put("goalkeeper.json", "{\"sources\": [\"l.c\"], \"step\": \"step\", \"inputs\": [{\"name\": "
                           "\"N\", \"min\": 0, \"max\": 9000}, {\"name\": \"In\"}]}\n");
    put("l.c", "unsigned char In; unsigned short N, out;\n"
               "void step(void) {\n"
               "    unsigned short i = 0, odd = 0;\n"
               "    while (i < N && (unsigned char)(i * 7) != In) {\n"
               "        i += 2;\n"
               "        if (i & 1) out = 1;\n"
               "    }\n"
               "    if (i > 9002) out = 2;\n"
               "}\n");
    run_tool("run --require-complete --seconds 60 --db m.db", NULL);
    expect_end(0, NULL);
    TEST_ASSERT_EQUAL_INT64(0, number_in("m.db", "SELECT count(*) FROM goal_status WHERE status = "
                                                 "'dead' AND (class IS NULL OR because LIKE "
                                                 "'%(place)%')"));
    TEST_ASSERT_TRUE(dead("state", 6, "in the loop step:4: ") > 0);
    TEST_ASSERT_TRUE(dead("state", 8, "`N` is within 0 .. 9000") > 0);
}

/* CBMC unrolls loops; any other solver is asked about the same model. */
static void export_proofs_about_loops(void) {
    int64_t proof = number_in("m.db", "SELECT proof FROM goal WHERE line = 11 AND kind = 'branch' "
                                      "AND status = 'dead'");
    run_tool("export m.db -o out --certificates --evidence smt2,btor2", NULL);
    expect_end(0, "has no certificate: it is about loops that the model keeps");
    ask_smt(proof, "initiation", NULL, NULL);
    ask_smt(proof, "consecution", NULL, NULL);
    ask_smt(proof, "safety", NULL, NULL);
    expect_system(arena_printf(&arena, "out/btor2/proof_%lld.btor2", (long long)proof), "safe");
}

/* Local variables by their names, other values that a loop keeps by their lines. */
static void test_names_in_loops(void) {
    put("goalkeeper.json", "{\"sources\": [\"l.c\"], \"step\": \"step\", \"inputs\": [{\"name\": "
                           "\"n\", \"min\": 2, \"max\": 2000}, {\"name\": \"in\"}]}\n");
    put("l.c", "typedef unsigned short u16; u16 n, in, out;\n"
               "static u16 find(u16 value, u16 count) {\n"
               "    u16 i = 0, p = 4;\n"
               "    while (i < (u16)(count - 1) && p <= value) { p = (u16)(p + 4); i++; }\n"
               "    if (i >= count) i = 0;\n"
               "    return i;\n"
               "}\n"
               "void step(void) {\n"
               "    u16 at = in & 0xff;\n"
               "    u16 k = find(in, n);\n"
               "    if (at > 300) out = 1;\n"
               "    out = (u16)(at + k);\n"
               "}\n");
    run_tool("run --require-complete --seconds 60 --db m.db", NULL);
    expect_end(0, NULL);
    TEST_ASSERT_EQUAL_INT64(
        3, dead("state", 5, "`(unsigned short)(find::i) < (unsigned short)(find::count)`"));
    TEST_ASSERT_EQUAL_INT64(
        3, dead("state", 11, "in the loop find:4: `step::line9` stays within 0 .. 300"));
    export_proofs_about_loops();
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_numbers_are_scaled);
    RUN_TEST(test_copies_of_parameters);
    RUN_TEST(test_reasons_in_loops);
    RUN_TEST(test_names_in_loops);
    RUN_TEST(test_parameters_have_the_sign_of_their_types);
    RUN_TEST(test_that_runs_end_is_told);
    RUN_TEST(test_lines_that_keep_the_state_are_named);
    RUN_TEST(test_every_class_is_told);
    RUN_TEST(test_reasons_are_minimal_certificates);
    RUN_TEST(test_obligations_are_smt_lib);
    RUN_TEST(test_proofs_are_transition_systems);
    RUN_TEST(test_open_goals_name_what_they_wait_for);
    RUN_TEST(test_open_goals_that_wait_for_somebody);
    RUN_TEST(test_status_tells_causes);
    RUN_TEST(test_sarif_has_a_result_a_cause);
    RUN_TEST(test_without_the_reason_the_goal_lives);
    return UNITY_END();
}
