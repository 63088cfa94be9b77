/* run --verify on tasks whose answer is known (data/verify/<name>.<answer>.c), what it says of
 * programs that cannot be analysed, and run --dump-model. */
#include "base/file.h"
#include "base/tool.h"
#include "model/system/system.h"
#include "folder.h"

#include "system_read.h"
#include "unity.h"

#include <dirent.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TASKS GK_SOURCE_DIR "/tests/app/data/verify"

void setUp(void) {
    folder_open();
}
void tearDown(void) {
    folder_close();
}

static void run(const char *line) {
    run_tool(line, NULL);
}

static void verify(const char *name, const char *options) {
    run(arena_printf(&arena, "run --verify %s/%s %s", TASKS, name, options));
}

static const char *write_task(const char *text) {
    put("task.c", text);
    return path("task.c");
}

static void check_task(const char *name, const char *answer) {
    bool open = str_same(answer, "open");
    verify(name, open ? "--seconds 2" : "--seconds 100");
    const char *said = arena_printf(&arena, "%s: %s%s", name, str_text(&r.out), str_text(&r.err));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, said);
    const char *verdict = open                       ? "verdict: open\n"
                          : str_same(answer, "safe") ? "verdict: dead\n"
                                                     : "verdict: reachable";
    const char *by = open                       ? "reason: "
                     : str_same(answer, "safe") ? "checked by: "
                                                : "checked by: replay\n";
    TEST_ASSERT_TRUE_MESSAGE(str_starts(str_text(&r.out), verdict), said);
    TEST_ASSERT_TRUE_MESSAGE(says(&r.out, by), said);
}

static void check_all(const char *answer) {
    DIR *d = opendir(TASKS);
    const char *suffix = arena_printf(&arena, ".%s.c", answer);
    size_t n = 0;
    TEST_ASSERT_NOT_NULL(d);
    for (struct dirent *e; (e = readdir(d));)
        if (str_ends(e->d_name, suffix)) {
            check_task(e->d_name, answer);
            n++;
        }
    closedir(d);
    TEST_ASSERT_TRUE_MESSAGE(n >= 5, answer);
}

static void test_errors_that_cannot_be_reached(void) {
    check_all("safe");
}

static void test_errors_that_can_be_reached(void) {
    check_all("unsafe");
}

static void test_what_cannot_be_analysed_is_open(void) {
    check_all("open");
}

static void test_a_limitation_is_named_with_its_place(void) {
    verify("assembly.open.c", "--seconds 1");
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "assembly.open.c:12: in 'main': inline assembly"),
                             str_text(&r.err));
    verify("threads.open.c", "--seconds 1");
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "'pthread_create' has no body"), str_text(&r.err));
}

static void test_an_open_task_is_incomplete(void) {
    verify("heap_many.open.c", "--seconds 1 --require-complete");
    TEST_ASSERT_EQUAL_INT(4, r.code);
}

static void test_the_data_model_matters(void) {
    const char *file = write_task("extern void reach_error(void);\n"
                                  "int main(void) { if (sizeof(long) == 8) reach_error(); }\n");
    run(arena_printf(&arena, "run --verify %s --target ilp32", file));
    TEST_ASSERT_TRUE_MESSAGE(says(&r.out, "verdict: dead\n"), str_text(&r.err));
    run(arena_printf(&arena, "run --verify %s --target lp64", file));
    TEST_ASSERT_TRUE_MESSAGE(says(&r.out, "verdict: reachable\n"), str_text(&r.err));
}

/* Counters of 32 bits, and places of 64. */
static void test_large_arrays_have_places_of_any_width(void) {
    verify("large_array_loop.safe.c", "--target lp64 --seconds 60");
    TEST_ASSERT_TRUE_MESSAGE(says(&r.out, "verdict: dead\n"), str_text(&r.out));
    verify("large_array_index.safe.c", "--target lp64 --seconds 60");
    TEST_ASSERT_TRUE_MESSAGE(says(&r.out, "verdict: dead\n"), str_text(&r.out));
}

/* Then the argument has the type that the call gives it. */
static void test_assert_without_a_declaration(void) {
    static const struct {
        const char *condition, *verdict;
    } rows[] = {{"p", "reachable"}, {"&x", "dead"}, {"d", "reachable"}, {"d + 2", "dead"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *file =
            write_task(arena_printf(&arena,
                                    "int nondet_int(void);\n"
                                    "int main(void) { int x = nondet_int(), *p = x ? &x : 0;\n"
                                    "  double d = x > 0 ? 1 : -0.0; assert(%s); }\n",
                                    rows[i].condition));
        const char *expected = arena_printf(&arena, "verdict: %s\n", rows[i].verdict);
        run(arena_printf(&arena, "run --verify %s", file));
        TEST_ASSERT_TRUE_MESSAGE(says(&r.out, expected), rows[i].condition);
    }
}

/* ---- witnesses for other verifiers ---- */

static const char *witness_of(const char *text, const char *options) {
    static struct str witness;
    str_free(&witness);
    run(arena_printf(&arena, "run --verify %s --db task.db --seconds 60 %s", write_task(text),
                     options));
    run("export task.db -o out --evidence witness");
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.err));
    TEST_ASSERT_TRUE(file_read(path("out/witness/witness.yml"), &witness, &err));
    return arena_strdup(&arena, str_text(&witness));
}

static const char *const asks =
    "extern int __VERIFIER_nondet_int(void);\n"
    "extern unsigned char __VERIFIER_nondet_uchar(void);\n"
    "extern float __VERIFIER_nondet_float(void);\n"
    "extern void reach_error(void);\n"
    "#define ASK __VERIFIER_nondet_int()\n"
    "int main(void) {\n"
    "    unsigned char c = 0;\n"
    "    for (int i = 0; i < 2; i++)\n"
    "        c = __VERIFIER_nondet_uchar ( );\n"
    "    int far = __VERIFIER_nondet_int();\n"
    "    if (c == 200 && far == -2147483647 - 1 && __VERIFIER_nondet_float() == 2.5f && ASK == 3)\n"
    "        reach_error();\n"
    "    return 0;\n"
    "}\n";

/* The n-th waypoint: type, constraint, line and column, as they follow each other in the file. */
static const char *expect_next(const char *at, const char *const *texts) {
    for (; *texts; texts++) {
        const char *found = strstr(at, *texts);
        TEST_ASSERT_NOT_NULL_MESSAGE(found, arena_printf(&arena, "%s\n%s", *texts, at));
        at = found + strlen(*texts);
    }
    return at;
}

static void test_a_violation_witness_has_the_values(void) {
    const char *w = witness_of(asks, "--engines kind");
    w = expect_next(w, (const char *[]){"- entry_type: \"violation_sequence\"\n",
                                        "format_version: \"2.0\"\n", "  content:\n", NULL});
    TEST_ASSERT_NULL(strstr(w, "\\\\result == 3\"")); /* of a macro */
    w = expect_next(w, (const char *[]){"\"function_return\"", "line: 9\n", "column: 39\n",
                                        "\"function_return\"", "\\\\result == 200\"", "line: 9\n",
                                        "\"function_return\"", "\\\\result == (-2147483647 - 1)\"",
                                        "line: 10\n", "column: 37\n", "\"function_return\"",
                                        "\\\\result == 0x1.4p+1f\"", "line: 11\n", "\"target\"",
                                        "line: 12\n", "column: 9\n", NULL});
    TEST_ASSERT_NULL(strstr(w, "waypoint"));
    put("task.c", "int main(void) { return 0; }\n");
    run("export task.db -o out --evidence witness");
    TEST_ASSERT_TRUE_MESSAGE(r.code != 0 && says(&r.err, "is not what it was"), str_text(&r.err));
}

/* What is sure of globals, and nothing of a name that a local has, too. */
static void test_a_correctness_witness_has_invariants(void) {
    static const char *const text = "extern int __VERIFIER_nondet_int(void);\n"
                                    "extern void reach_error(void);\n"
                                    "unsigned total; int %s;\n"
                                    "int main(void) {\n"
                                    "    int n = __VERIFIER_nondet_int();\n"
                                    "    for (int i = 0; i < n; i++) {\n"
                                    "        if (total < 7)\n"
                                    "            total++;\n"
                                    "        int hidden = i;\n"
                                    "        other = hidden;\n"
                                    "    }\n"
                                    "    if (total > 7)\n"
                                    "        reach_error();\n"
                                    "}\n";
    const char *w = witness_of(arena_printf(&arena, text, "other"), "");
    expect_next(w, (const char *[]){"- entry_type: \"invariant_set\"\n", "type: \"loop_invariant\"",
                                    "line: 6\n", "column: 5\n", "function: \"main\"\n",
                                    "total <= 7ll", NULL});
    w = witness_of(arena_printf(&arena, text, "other, f(int total)"), "");
    expect_next(w, (const char *[]){"- entry_type: \"invariant_set\"\n", "content: []\n", NULL});
}

static void test_modules_have_no_witness(void) {
    put("goalkeeper.json", "{\"name\": \"m\", \"sources\": [\"m.c\"], \"step\": \"step\"}\n");
    put("m.c", "int in, out; void step(void) { if (in > 3) out = 1; }\n");
    run("run --engines simulate --seconds 5 --db m.db");
    run("export m.db -o out --evidence witness");
    TEST_ASSERT_TRUE_MESSAGE(r.code != 0 && says(&r.err, "for verification tasks"),
                             str_text(&r.err));
}

static void test_bad_tasks_are_refused(void) {
    run(arena_printf(&arena, "run --verify %s", write_task("int main(void) { return x; }\n")));
    TEST_ASSERT_EQUAL_INT(3, r.code);
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "task.c:1:25: error: "), str_text(&r.err));
    run(arena_printf(&arena, "run --verify %s", write_task("int f(void) { return 1; }\n")));
    TEST_ASSERT_EQUAL_INT(3, r.code);
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "no function main"), str_text(&r.err));
    run("run --verify nothing.c");
    TEST_ASSERT_EQUAL_INT(2, r.code);
    run("run --verify a.c b.c");
    TEST_ASSERT_EQUAL_INT(2, r.code);
    TEST_ASSERT_TRUE(says(&r.err, "one C file"));
}

/* ---- the same way as a module ---- */

static void verify_text(const char *text, const char *options) {
    run(arena_printf(&arena, "run --verify %s %s", write_task(text), options));
}

static void expect_verdict(const char *verdict) {
    const char *said = arena_printf(&arena, "%s%s", str_text(&r.out), str_text(&r.err));
    TEST_ASSERT_TRUE_MESSAGE(says(&r.out, arena_printf(&arena, "verdict: %s\n", verdict)), said);
}

static const char bounded[] =
    "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n"
    "int main(void) { int x = __VERIFIER_nondet_int(), n = 0;\n"
    "  for (int i = 0; i < 9; i++) if (x > i) n++;\n"
    "  if (n %s 9) reach_error(); return 0; }\n";

/* What was given back may hold anything, and its address may come again: with glibc both happen. */
static void test_memory_that_was_given_back(void) {
    static const char *const ways[] = {
        "long *p = malloc(100); if (!p) return 0; *p = 1; free(p); if (*p != 1) reach_error();",
        "int *p = malloc(100); free(p); int *q = malloc(100); if (p && p == q) reach_error();",
        "int *p = malloc(100), *r = realloc(p, 9999), *q = malloc(100);"
        " if (p && r && p == q) reach_error();"};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const char *text = arena_printf(&arena,
                                        "#include <stdlib.h>\nextern void reach_error(void);\n"
                                        "int main(void) { %s return 0; }\n",
                                        ways[i]);
        verify_text(text, "--seconds 2");
        TEST_ASSERT_FALSE_MESSAGE(says(&r.out, "verdict: dead"), ways[i]);
        TEST_ASSERT_TRUE_MESSAGE(says(&r.out, "verdict: "), ways[i]);
    }
}

/* Database, audit, a second run that has nothing to do, replay and reports are those of modules. */
static void test_a_task_leaves_a_database(void) {
    static const char *const rows[][2] = {{">", "dead"}, {"==", "reachable"}};
    for (size_t i = 0; i < 2; i++) {
        const char *db = path(i ? "reachable.db" : "dead.db");
        const char *options = arena_printf(&arena, "--db %s", db);
        verify_text(arena_printf(&arena, bounded, rows[i][0]), options);
        expect_verdict(rows[i][1]);
        TEST_ASSERT_EQUAL_INT64(1, number_in(db, "SELECT count(*) FROM goal_status"));
        int64_t attempts = number_in(db, "SELECT count(*) FROM attempt_log");
        verify_text(arena_printf(&arena, bounded, rows[i][0]), options);
        expect_verdict(rows[i][1]);
        TEST_ASSERT_EQUAL_INT64(attempts, number_in(db, "SELECT count(*) FROM attempt_log"));
        run(arena_printf(&arena, "audit %s", db));
        expect_end(0, NULL);
        TEST_ASSERT_TRUE_MESSAGE(says(&r.out, "1 verdicts re-checked, 0 failed, 0 not"),
                                 str_text(&r.out));
        run(arena_printf(&arena, "report %s -o %s --format html,sarif,junit", db, path("out")));
        expect_end(0, NULL);
        run(arena_printf(&arena, "export %s -o %s --tests plain", db, path("tests")));
        expect_end(2, "verification task");
    }
    run(arena_printf(&arena, "replay %s 1", path("reachable.db")));
    expect_end(0, NULL);
    TEST_ASSERT_TRUE(says(&r.out, "The goal is hit in step 1"));
}

static void change(const char *database, const char *sql) {
    sqlite3 *db;
    TEST_ASSERT_EQUAL_INT(SQLITE_OK, sqlite3_open(database, &db));
    TEST_ASSERT_EQUAL_INT(SQLITE_OK, sqlite3_exec(db, sql, NULL, NULL, NULL));
    sqlite3_close(db);
}

/* A forged witness is found out. */
static void test_audit_believes_no_database_of_a_task(void) {
    const char *db = path("reachable.db");
    struct store *store;
    verify_text(arena_printf(&arena, bounded, "=="), arena_printf(&arena, "--db %s", db));
    expect_verdict("reachable");
    TEST_ASSERT_TRUE(store_open(&store, db, STORE_WRITE, &err));
    struct witness w = {.steps = 1, .engine = "simulate"};
    vec_push(&w.events, (struct input_event){0, 0, 0});
    int64_t id = store_witness(store, &w, &err);
    witness_free(&w);
    store_close(store);
    change(db, arena_printf(&arena, "UPDATE goal SET witness = %lld", (long long)id));
    run(arena_printf(&arena, "audit %s", db));
    expect_end(5, NULL);
}

/* CBMC sees the whole program where its loops end soon, and nothing where they do not. */
static void test_cbmc_confirms_what_it_sees(void) {
    if (!tool_cbmc(&arena))
        TEST_IGNORE_MESSAGE("CBMC is not installed");
    verify_text(arena_printf(&arena, bounded, ">"), "");
    TEST_ASSERT_TRUE_MESSAGE(says(&r.out, "checked by: cbmc"), str_text(&r.out));
    verify("endless_flags.safe.c", "");
    TEST_ASSERT_FALSE_MESSAGE(says(&r.out, "cbmc"), str_text(&r.out));
    verify("bounded_counter.unsafe.c", "--engines cbmc-bmc");
    TEST_ASSERT_TRUE_MESSAGE(says(&r.out, "engine: cbmc-bmc\n"), str_text(&r.out));
}

/* Its bound counts iterations, and the replay counts values. */
static void test_a_bound_is_no_depth(void) {
    verify("count_up_deep.unsafe.c", "--engines bmc --seconds 100");
    expect_end(0, NULL);
    TEST_ASSERT_TRUE_MESSAGE(str_starts(str_text(&r.out), "verdict: reachable"), str_text(&r.out));
}

static void test_names_of_other_tools(void) {
    static const char *const rows[][2] = {
        {"__ESBMC_assume(x > 3); __ESBMC_assert(x > 2, \"two\");", "dead"},
        {"__ESBMC_assume(x > 3); __ESBMC_assert(x > 4, \"four\");", "reachable"},
        {"__CPROVER_assume(x > 3); __CPROVER_assert(x > 2, \"two\");", "dead"},
        {"__CPROVER_assume(x > 3); __CPROVER_assert(x > 4, \"four\");", "reachable"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        verify_text(arena_printf(&arena,
                                 "int nondet_int(void);\nint main(void) {\n"
                                 "int x = nondet_int(); %s return 0; }\n",
                                 rows[i][0]),
                    "");
        expect_verdict(rows[i][1]);
    }
}

static void test_what_is_declared_and_not_defined_has_any_value(void) {
    static const char head[] = "extern void reach_error(void); extern int errno, v;\n"
                               "int main(void) { if (";
    verify_text(arena_printf(&arena, "%s errno == 77 && v == 1234567) reach_error(); }\n", head),
                "");
    expect_verdict("reachable");
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "variable 'v' is not defined"), str_text(&r.err));
    verify_text(arena_printf(&arena, "%s v != v) reach_error(); }\n", head), "");
    expect_verdict("dead");
}

/* Such a task is decided by nobody, and least of all safe. */
/* Provers alone, for simulation finds the run at once. */
static void test_places_that_are_not_followed_prove_nothing(void) {
    verify("large_array_pointers.unsafe.c", "--engines houdini,domains,kind,ic3 --seconds 10");
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.err));
    TEST_ASSERT_FALSE_MESSAGE(says(&r.out, "verdict: dead"), str_text(&r.out));
    TEST_ASSERT_TRUE_MESSAGE(says(&r.out, "verdict: "), str_text(&r.out));
}

static void test_a_task_without_an_error_says_so(void) {
    verify_text("int main(void) { return 0; }\n", "--seconds 20");
    expect_verdict("open");
    TEST_ASSERT_TRUE_MESSAGE(says(&r.out, "calls neither reach_error() nor an assertion"),
                             str_text(&r.out));
    verify_text("extern void reach_error(void); static void assert(int c) { (void)c; }\n"
                "int main(void) { assert(0); return 0; }\n",
                "--seconds 20");
    expect_verdict("open");
}

/* Options mean what they mean for modules. */
static void test_options_of_a_run_apply(void) {
    for (int i = 0; i < 2; i++) {
        const char *db = path(i ? "b.db" : "a.db");
        verify_text(arena_printf(&arena, bounded, ">"),
                    arena_printf(&arena,
                                 "--deterministic --engine-option ic3.gentr=off --seed 7 --db %s",
                                 db));
        expect_verdict("dead");
    }
    TEST_ASSERT_EQUAL_INT64(number_in(path("a.db"), "SELECT sum(ticks) FROM attempt_log"),
                            number_in(path("b.db"), "SELECT sum(ticks) FROM attempt_log"));
}

/* ---- models as text ---- */

static void check_survives(const char *text) {
    struct terms terms;
    struct system sys;
    struct str again = {0};
    terms_init(&terms);
    system_init(&sys, &terms);
    bool ok = system_read(&sys, text, "model", &err);
    TEST_ASSERT_TRUE_MESSAGE(ok, str_text(&err.message));
    TEST_ASSERT_TRUE(sys.targets.len > 0);
    system_write(&sys, &again);
    TEST_ASSERT_EQUAL_STRING(text, str_text(&again));
    str_free(&again);
    system_free(&sys);
    terms_free(&terms);
}

static void test_a_dumped_model_can_be_read_again(void) {
    run("run --dump-model - " GK_SOURCE_DIR "/samples/door_debounce");
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.err));
    check_survives(str_text(&r.out));
    verify("float_filter.safe.c", "--dump-model -");
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.err));
    check_survives(str_text(&r.out));
}

static void test_a_dump_replaces_only_a_dump(void) {
    struct str text = {0};
    const char *file = path_join(&arena, str_text(&dir), "model.txt");
    const char *dump =
        arena_printf(&arena, "run --dump-model %s %s/samples/door_debounce", file, GK_SOURCE_DIR);
    run(dump);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.err));
    run(dump);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.err));
    TEST_ASSERT_TRUE(file_write(file, "mine\n", 5, &err));
    run(dump);
    TEST_ASSERT_EQUAL_INT(2, r.code);
    TEST_ASSERT_TRUE(file_read(file, &text, &err));
    TEST_ASSERT_EQUAL_STRING("mine\n", str_text(&text));
    str_free(&text);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_errors_that_cannot_be_reached);
    RUN_TEST(test_errors_that_can_be_reached);
    RUN_TEST(test_what_cannot_be_analysed_is_open);
    RUN_TEST(test_a_limitation_is_named_with_its_place);
    RUN_TEST(test_an_open_task_is_incomplete);
    RUN_TEST(test_the_data_model_matters);
    RUN_TEST(test_large_arrays_have_places_of_any_width);
    RUN_TEST(test_assert_without_a_declaration);
    RUN_TEST(test_a_violation_witness_has_the_values);
    RUN_TEST(test_a_correctness_witness_has_invariants);
    RUN_TEST(test_modules_have_no_witness);
    RUN_TEST(test_bad_tasks_are_refused);
    RUN_TEST(test_memory_that_was_given_back);
    RUN_TEST(test_a_task_leaves_a_database);
    RUN_TEST(test_audit_believes_no_database_of_a_task);
    RUN_TEST(test_cbmc_confirms_what_it_sees);
    RUN_TEST(test_a_bound_is_no_depth);
    RUN_TEST(test_names_of_other_tools);
    RUN_TEST(test_what_is_declared_and_not_defined_has_any_value);
    RUN_TEST(test_places_that_are_not_followed_prove_nothing);
    RUN_TEST(test_a_task_without_an_error_says_so);
    RUN_TEST(test_options_of_a_run_apply);
    RUN_TEST(test_a_dumped_model_can_be_read_again);
    RUN_TEST(test_a_dump_replaces_only_a_dump);
    return UNITY_END();
}
