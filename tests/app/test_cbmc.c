/* Programs that only look like CBMC: they crash, hang, print garbage, stop in the middle, are too
 * old, or lie. Each is named for what it is, and none brings about a wrong verdict. Those that
 * answer the two questions of the start as CBMC does show their other face later. */
#include "db/rows.h"
#include "instrument/cbmc/goals.h"
#include "run_program.h"

#include "scratch.h"
#include "unity.h"

#include <string.h>
#include <sys/stat.h>

static struct str detail;
static struct child_result r;

void setUp(void) {
    scratch_open();
}
void tearDown(void) {
    str_free(&detail);
    child_result_free(&r);
    scratch_close();
}

static const char *fake(const char *body) {
    return put_program("cbmc", arena_printf(&arena, "#!/bin/sh\n%s\n", body));
}

/* Does as CBMC does until it is asked for more than it is asked at the start. */
static const char *two_faced(const char *body) {
    return fake(arena_printf(
        &arena,
        "case \"$1\" in --version) echo '6.6.0 (fake)'; exit 0;; esac\n"
        "for a; do case \"$a\" in *.c) f=$a;; esac; done\n"
        "case \"$f\" in */question.c)\n"
        "    if grep -q 'x > 2' \"$f\"; then echo VERIFICATION SUCCESSFUL; exit 0; fi\n"
        "    echo VERIFICATION FAILED; exit 10;;\n"
        "*/meaning.c) echo VERIFICATION SUCCESSFUL; exit 0;;\n"
        "esac\n%s",
        body));
}

/* ---- at the start ---- */

static void refuse(const char *body, const char *reason) {
    struct cbmc cbmc;
    str_clear(&detail);
    TEST_ASSERT_FALSE_MESSAGE(cbmc_open(&cbmc, fake(body), &detail), body);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&detail), reason), str_text(&detail));
}

static void test_start(void) {
    struct cbmc cbmc;
    TEST_ASSERT_FALSE(cbmc_open(&cbmc, NULL, &detail));
    TEST_ASSERT_EQUAL_STRING("CBMC is not installed", str_text(&detail));
    refuse("echo 5.11", "version 5.11 is too old: 5.12 or newer");
    refuse("echo 4.99", "too old");
    refuse("echo hello", "says no version, but \"hello\"");
    refuse("exit 3", "exit code 3");
    refuse("kill -SEGV $$", "signal 11");
    refuse("case \"$1\" in --version) echo 6.6.0;; *) echo VERIFICATION SUCCESSFUL;; esac",
           "does not refute a false assertion");
    refuse("case \"$1\" in --version) echo 6.6.0;; *) echo VERIFICATION FAILED; exit 10;; esac",
           "does not confirm a true assertion");
    refuse("case \"$1\" in --version) echo 6.6.0;; *) kill -SEGV $$;; esac", "signal 11");
    refuse("case \"$1\" in --version) echo 6.6.0;; *) echo VERIFICATION SUCCESSFUL; exit 7;; esac",
           "does not confirm a true assertion: no answer: exit code 7");
    str_clear(&detail);
    TEST_ASSERT_TRUE_MESSAGE(cbmc_open(&cbmc, two_faced("exit 1"), &detail), str_text(&detail));
    TEST_ASSERT_EQUAL_INT(6, cbmc.major);
    TEST_ASSERT_EQUAL_STRING("6.6.0", cbmc.version);
}

/* Options follow the version: checks are off by themselves before version 6. */
static void test_arguments(void) {
    struct cbmc cbmc = {.program = "cbmc", .major = 5, .minor = 12};
    struct cbmc_run run = {.cbmc = &cbmc, .file = "x.c", .unwind = 3};
    char number[16];
    const char *argv[CBMC_ARGUMENTS];
    for (int major = 5; major <= 6; major++) {
        bool has = false;
        cbmc.major = major;
        int n = cbmc_arguments(&run, argv, number);
        for (int i = 0; i < n; i++)
            has |= str_same(argv[i], "--no-standard-checks");
        TEST_ASSERT_EQUAL_INT(major >= 6, has);
        TEST_ASSERT_EQUAL_STRING("x.c", argv[n - 1]);
    }
}

/* ---- single answers ---- */

static enum cbmc_answer verify(const char *body) {
    struct cbmc cbmc = {.program = two_faced(body), .major = 6};
    struct cbmc_run run = {.cbmc = &cbmc, .file = path("x.c"), .unwind = 3, .seconds = 1};
    str_clear(&detail);
    return cbmc_verify(&run, &detail);
}

static void no_answer(const char *body, const char *reason) {
    TEST_ASSERT_EQUAL_INT_MESSAGE(CBMC_NO_ANSWER, verify(body), body);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&detail), reason), str_text(&detail));
}

static void test_answers(void) {
    no_answer("kill -ABRT $$", "signal 6");
    no_answer("exec sleep 1000", "time limit of 1 s");
    no_answer("echo nonsense; exit 0", "exit code 0");
    no_answer("echo VERIFICATION SUCCESSFUL; exit 10", "exit code 10");
    no_answer("echo VERIFICATION FAILED; exit 0", "exit code 0");
    no_answer("echo VERIFICATION SUCCESSFUL; echo VERIFICATION FAILED; exit 0", "exit code 0");
    no_answer("echo VERIFICATION SUCCESSFUL; kill -KILL $$", "signal 9");
    no_answer("echo out of memory >&2; exit 6", "out of memory");
    TEST_ASSERT_EQUAL_INT(CBMC_SUCCESSFUL, verify("echo VERIFICATION SUCCESSFUL"));
    TEST_ASSERT_EQUAL_INT(CBMC_FAILED, verify("echo '[main.1] line 3 c: FAILURE'\n"
                                              "echo VERIFICATION FAILED; exit 10"));
    TEST_ASSERT_NOT_NULL(strstr(str_text(&detail), "[main.1] line 3 c: FAILURE"));
    no_answer("echo '[f.no-body.hypot] line 3 no body for callee hypot: FAILURE'\n"
              "echo '[main.1] line 3 c: FAILURE'\necho VERIFICATION FAILED; exit 10",
              "lacks a function");
    TEST_ASSERT_EQUAL_INT(CBMC_UNWIND,
                          verify("echo '[f.unwind.0] line 3 unwinding assertion loop 0: FAILURE'\n"
                                 "echo VERIFICATION FAILED; exit 10"));
}

/* ---- many goals ---- */

static bool ask(const char *body, struct cbmc_output *answer) {
    static const uint32_t probes[] = {0, 1};
    struct module module = {.name = "m"};
    struct cbmc cbmc = {.program = two_faced(body), .major = 6};
    struct cbmc_question q = {
        .run = {.cbmc = &cbmc, .seconds = 1},
        .base = {.woven = "void gk_init(void) {}\nvoid gk_step(void) {}\n", .module = &module},
        .n_probes = 2,
        .probes = probes,
        .n_asked = 2,
        .steps = 1};
    str_clear(&detail);
    return cbmc_ask(&q, answer, &detail);
}

static void no_json(const char *body, const char *reason) {
    struct cbmc_output answer;
    TEST_ASSERT_FALSE_MESSAGE(ask(body, &answer), body);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&detail), reason), str_text(&detail));
    cbmc_output_free(&answer);
}

#define RESULT(n, status) "{\"description\":\"gk " n "\",\"status\":\"" status "\"}"
#define DOCUMENT(results, status) "[{\"result\":[" results "]},{\"cProverStatus\":\"" status "\"}]"

static void test_goals(void) {
    no_json("kill -ABRT $$", "signal 6");
    no_json("exec sleep 1000", "time limit of 1 s");
    no_json("echo nonsense", "CBMC");
    no_json("echo '[{\"result\":[{\"descri'", "cannot be understood");
    no_json("echo '[]'", "cannot be understood");
    no_json("echo '" DOCUMENT(RESULT("0", "SUCCESS"), "success") "'; exit 10", "exit code 10");
    no_json("echo '" DOCUMENT(RESULT("0", "SUCCESS"), "maybe") "'", "cannot be understood");
    no_json("echo '[{\"messageType\":\"ERROR\",\"messageText\":\"no such file\"}]'; exit 6",
            "CBMC: no such file");
    struct cbmc_output answer;
    TEST_ASSERT_TRUE(ask("echo '" DOCUMENT(RESULT("0", "SUCCESS") "," RESULT("1", "FAILURE"),
                                           "failure") "'; exit 10",
                         &answer));
    TEST_ASSERT_EQUAL_INT(CBMC_SUCCESS, cbmc_output_find(&answer, 0)->status);
    TEST_ASSERT_EQUAL_INT(CBMC_FAILURE, cbmc_output_find(&answer, 1)->status);
    TEST_ASSERT_NULL(cbmc_output_find(&answer, 2));
    cbmc_output_free(&answer);
}

/* ---- whole runs ---- */

/* Half of the goals of this program are dead, some only by an invariant. */
static const char program[] = "static unsigned char n;\nunsigned char up;\nunsigned char out;\n"
                              "void step(void)\n{\n"
                              "    if (up && (n < 20)) {\n        n = n + 2;\n    }\n"
                              "    if (n == 18) {\n        out = 1;\n    }\n"
                              "    if (n > 20) {\n        out = 2;\n    }\n"
                              "    if ((n & 1) != 0) {\n        out = 3;\n    }\n}\n";

/* All of these are dead by folding alone: one proof has them all. */
static const char folded[] = "unsigned char up;\nunsigned char out;\nvoid step(void)\n{\n"
                             "    if (up > 300) {\n        out = 1;\n    }\n"
                             "    if (up > 400) {\n        out = 2;\n    }\n"
                             "    if (up > 500) {\n        out = 3;\n    }\n}\n";

static const char *preload = ""; /* a library in front of all others */

static void run_on(const char *text, const char *engines, const char *cbmc) {
    const char *environment[] = {arena_printf(&arena, "GOALKEEPER_CBMC=%s", cbmc),
                                 arena_printf(&arena, "LD_PRELOAD=%s", preload),
                                 "ASAN_OPTIONS=verify_asan_link_order=0:intercept_tls_get_addr=0",
                                 NULL};
    put("t.c", text);
    child_result_free(&r);
    r = run_program(arena_printf(&arena,
                                 "run --db %s --engines simulate,%s --goal-ticks 300000 --seconds "
                                 "60 --step step %s",
                                 path("t.db"), engines, path("t.c")),
                    environment, NULL);
}

static void run(const char *engines, const char *cbmc) {
    run_on(program, engines, cbmc);
}

static int64_t count(const char *sql) {
    struct store *db = NULL;
    TEST_ASSERT_TRUE(store_open(&db, path("t.db"), STORE_READ, &err));
    int64_t n = rows_single_int(db, sql);
    store_close(db);
    return n;
}

static const char dead_sql[] = "SELECT count(*) FROM goal WHERE status = 'dead'";
static const char reachable_sql[] = "SELECT count(*) FROM goal WHERE status = 'reachable'";
/* what a run may say of this program: these are dead, and nothing else */
#define DEAD "(line IN (13, 16) OR (value IS 1 AND line IN (12, 15)))"
static const char wrong_sql[] = "SELECT count(*) FROM goal WHERE (status = 'dead' AND NOT " DEAD
                                ") OR (status = 'reachable' AND " DEAD ")";

static void no_wrong_verdict(void) {
    TEST_ASSERT_EQUAL_INT64(0, count(wrong_sql));
}

static void test_runs_without_answers(void) {
    static const char *const bodies[] = {"kill -SEGV $$", "echo nonsense",
                                         "echo '[{\"result\":[{'; echo VERIFICATION"};
    run("houdini,kind,ic3", "/nonexistent");
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.err));
    TEST_ASSERT_TRUE(says(&r.err, "without CBMC"));
    int64_t dead = count(dead_sql), reachable = count(reachable_sql);
    TEST_ASSERT_GREATER_THAN_INT64(0, dead);
    no_wrong_verdict();
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        file_remove_tree(path("t.db"));
        run("houdini,kind,ic3,cbmc-bmc,cbmc-kind", two_faced(bodies[i]));
        TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.err));
        TEST_ASSERT_EQUAL_INT64_MESSAGE(dead, count(dead_sql), bodies[i]);
        TEST_ASSERT_EQUAL_INT64(reachable, count(reachable_sql));
        TEST_ASSERT_EQUAL_INT64(
            0, count("SELECT count(*) FROM goal WHERE status = 'dead' AND checked_by NOT IN "
                     "('solver', 'z3,solver')"));
        no_wrong_verdict();
    }
}

static void test_untrusted(void) {
    run("houdini,kind", fake("case \"$1\" in --version) echo 6.6.0;; *) echo VERIFICATION "
                             "SUCCESSFUL;; esac"));
    TEST_ASSERT_EQUAL_INT(0, r.code);
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "CBMC is not used"), str_text(&r.err));
    TEST_ASSERT_TRUE(says(&r.err, "does not refute a false assertion"));
    no_wrong_verdict();
}

/* It calls everything impossible and every proof right: what it finds is checked by the solver. */
static void test_yes_sayer(void) {
    struct str all = {0};
    for (int p = 0; p < 40; p++)
        str_addf(&all, "%s{\"description\":\"gk %d\",\"status\":\"SUCCESS\"}", p ? "," : "", p);
    const char *body = arena_printf(&arena,
                                    "case \"$*\" in *json*) echo '[{\"result\":[%s]},"
                                    "{\"cProverStatus\":\"success\"}]';;\n"
                                    "*) echo VERIFICATION SUCCESSFUL;; esac",
                                    str_text(&all));
    run("cbmc-bmc,cbmc-kind", two_faced(body));
    no_wrong_verdict();
    TEST_ASSERT_TRUE(r.code == 0 || r.code == ERR_EVIDENCE);
    str_free(&all);
}

/* It calls every proof wrong: nothing is dead, both sides are kept, the run says so. */
static void test_no_sayer(void) {
    run("houdini,kind", two_faced("echo '[a.1] line 1 x: FAILURE'; echo VERIFICATION FAILED; "
                                  "exit 10"));
    TEST_ASSERT_EQUAL_INT_MESSAGE(ERR_EVIDENCE, r.code, str_text(&r.err));
    TEST_ASSERT_EQUAL_INT64(0, count(dead_sql));
    TEST_ASSERT_GREATER_THAN_INT64(0, count("SELECT count(*) FROM alarm WHERE proof NOT NULL"));
    TEST_ASSERT_GREATER_THAN_INT64(0, count("SELECT count(*) FROM proof"));
    TEST_ASSERT_TRUE(says(&r.err, "failed its check"));
    no_wrong_verdict();
}

/* It calls one claim wrong: its goals go, those that were proved together with them stay. */
static void test_one_claim_is_refuted(void) {
    run_on(folded, "houdini",
           two_faced("if grep -q 't.c:9 statement' \"$f\"; then\n"
                     "    echo '[a.1] line 1 x: FAILURE'; echo VERIFICATION FAILED; exit 10\n"
                     "fi; echo VERIFICATION SUCCESSFUL"));
    TEST_ASSERT_EQUAL_INT_MESSAGE(ERR_EVIDENCE, r.code, str_text(&r.err));
    TEST_ASSERT_EQUAL_INT64(0, count("SELECT count(*) FROM goal WHERE status = 'open' AND NOT "
                                     "line IN (8, 9)"));
    TEST_ASSERT_EQUAL_INT64(1, count("SELECT count(*) FROM goal WHERE status = 'open' AND "
                                     "kind = 'statement'"));
    TEST_ASSERT_GREATER_THAN_INT64(3, count("SELECT count(*) FROM goal WHERE status = 'dead' AND "
                                            "checked_by LIKE 'cbmc%'"));
    TEST_ASSERT_GREATER_THAN_INT64(
        0, count("SELECT count(*) FROM alarm JOIN certificate_piece USING (proof)"));
}

/* The program with another text in place of a part of it. */
static const char *edited(const char *part, const char *other) {
    const char *at = strstr(program, part);
    return arena_printf(&arena, "%.*s%s%s", (int)(at - program), program, other, at + strlen(part));
}

/* What CBMC has accepted of reasons is asked again where what it depends on has changed. */
static void test_an_edit_elsewhere_asks_nothing_again(void) {
    static const char asked[] = "SELECT count(*) FROM reason_proof WHERE checked_by = 'cbmc'";
#ifdef __SANITIZE_ADDRESS__
    TEST_IGNORE_MESSAGE("reasons are not found in the time that a sanitized run has for them here");
#endif
    run("houdini,kind,ic3", two_faced("echo VERIFICATION SUCCESSFUL"));
    int64_t reasons = count(asked), dead = count(dead_sql);
    TEST_ASSERT_GREATER_THAN_INT64_MESSAGE(3, reasons, str_text(&r.err));
    run_on(edited("out = 1;", "/* seen */ out = 9;"), "houdini,kind,ic3",
           two_faced("echo nonsense"));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.err));
    TEST_ASSERT_EQUAL_INT64(reasons, count(asked));
    TEST_ASSERT_EQUAL_INT64(dead, count(dead_sql));
    no_wrong_verdict();
    run_on(edited("n < 20", "n < 18"), "houdini,kind,ic3", two_faced("echo nonsense"));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.err));
    TEST_ASSERT_EQUAL_INT64(0, count(asked));
    TEST_ASSERT_GREATER_THAN_INT64(3, count(dead_sql));
}

/* ---- Z3 ---- */

static void run_beside_z3(const char *text, const char *cbmc) {
    const char *library = path("z3.so");
    put("z3.c", text);
    const char *argv[] = {"cc", "-shared", "-fPIC", "-o", library, path("z3.c"), NULL};
    struct child_spec spec = {.argv = argv, .wall_seconds = 60};
    child_result_free(&r);
    TEST_ASSERT_TRUE(child_run(&spec, &r, &err));
    TEST_ASSERT_EQUAL_INT(0, r.code);
    preload = library;
    file_remove_tree(path("t.db"));
    run("houdini,kind", cbmc);
    preload = "";
}

/* One whose answers are always the same. */
static void run_with_z3(const char *body) {
    run_beside_z3(arena_printf(&arena,
                               "#include <stdlib.h>\n"
                               "int Z3_solver_check(void *c, void *s) { %s }\n",
                               body),
                  "/nonexistent");
}

/* It says no to what the solver has confirmed: both answers are kept, and the run says so. */
static void test_checkers_that_disagree(void) {
    run_with_z3("return 1;");
    TEST_ASSERT_EQUAL_INT_MESSAGE(ERR_EVIDENCE, r.code, str_text(&r.err));
    TEST_ASSERT_EQUAL_INT64(0, count(dead_sql));
    TEST_ASSERT_GREATER_THAN_INT64(0, count("SELECT count(*) FROM alarm WHERE proof NOT NULL"));
    TEST_ASSERT_TRUE_MESSAGE(says(&r.err, "the solver confirms it, Z3 refutes the initiation"),
                             str_text(&r.err));
}

/* What it does not say, or says of everything, costs no verdict and makes none. */
static void test_z3_alone_decides_nothing(void) {
    static const char by[] = "SELECT count(*) FROM goal WHERE status = 'dead' AND checked_by = ";
    run_with_z3("abort();");
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.err));
    int64_t dead = count(dead_sql);
    TEST_ASSERT_GREATER_THAN_INT64(0, dead);
    TEST_ASSERT_EQUAL_INT64(dead, count(arena_printf(&arena, "%s'solver'", by)));
    no_wrong_verdict();
    run_with_z3("return -1;");
    TEST_ASSERT_EQUAL_INT64(dead, count(arena_printf(&arena, "%s'z3,solver'", by)));
    no_wrong_verdict();
}

/* It answers with much effort only: that it gets for proofs that CBMC does not answer, and where
 * there is no CBMC. */
static void test_z3_has_patience_where_cbmc_fails(void) {
    static const char by[] = "SELECT count(*) FROM goal WHERE status = 'dead' AND checked_by = ";
    static const char hasty[] = "static unsigned effort;\n"
                                "void Z3_params_set_uint(void *c, void *p, void *k, unsigned v) "
                                "{ effort = v; }\n"
                                "int Z3_solver_check(void *c, void *s) "
                                "{ return effort < 1000000 ? 0 : -1; }\n";
    run_beside_z3(hasty, two_faced("exit 1"));
    int64_t dead = count(dead_sql);
    TEST_ASSERT_GREATER_THAN_INT64(0, dead);
    TEST_ASSERT_EQUAL_INT64(dead, count(arena_printf(&arena, "%s'z3,solver'", by)));
    run_beside_z3(hasty, two_faced("echo VERIFICATION SUCCESSFUL"));
    TEST_ASSERT_EQUAL_INT64(dead, count(arena_printf(&arena, "%s'cbmc,solver'", by)));
    no_wrong_verdict();
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_start);
    RUN_TEST(test_arguments);
    RUN_TEST(test_answers);
    RUN_TEST(test_goals);
    RUN_TEST(test_runs_without_answers);
    RUN_TEST(test_untrusted);
    RUN_TEST(test_yes_sayer);
    RUN_TEST(test_no_sayer);
    RUN_TEST(test_one_claim_is_refuted);
    RUN_TEST(test_an_edit_elsewhere_asks_nothing_again);
    RUN_TEST(test_checkers_that_disagree);
    RUN_TEST(test_z3_alone_decides_nothing);
    RUN_TEST(test_z3_has_patience_where_cbmc_fails);
    return UNITY_END();
}
