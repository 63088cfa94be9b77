/* Programs that only look like Bitwuzla: they crash, hang, print garbage or lie, at the start or
 * only when it matters. None costs a verdict; what one of them refutes is an alarm that keeps what
 * the others have said. */
#include "folder.h"

#include "app/audit/bitwuzla.h"

#include "unity.h"

#include <string.h>

static struct str detail;

void setUp(void) {
    folder_open();
}
void tearDown(void) {
    str_free(&detail);
    folder_close();
}

static const char *fake(const char *body) {
    return put_program("bitwuzla", arena_printf(&arena, "#!/bin/sh\n%s\n", body));
}

/* Answers the questions of the start as it should. */
static const char *two_faced(const char *body) {
    return fake(arena_printf(&arena,
                             "case \"$1\" in --version) echo 0.8.2; exit 0;; esac\n"
                             "text=$(cat)\n"
                             "case \"$text\" in\n"
                             "*'RNE #x00000001'*) echo sat; exit 0;;\n"
                             "*'RNE #x00000004'*) echo unsat; exit 0;;\n"
                             "esac\n%s",
                             body));
}

/* ---- at the start ---- */

static void refuse(const char *body, const char *reason) {
    struct bitwuzla b;
    str_clear(&detail);
    TEST_ASSERT_FALSE_MESSAGE(bitwuzla_open(&b, fake(body), &detail), body);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&detail), reason), str_text(&detail));
}

static void test_start(void) {
    struct bitwuzla b;
    TEST_ASSERT_FALSE(bitwuzla_open(&b, NULL, &detail));
    TEST_ASSERT_EQUAL_STRING("Bitwuzla is not installed", str_text(&detail));
    refuse("echo hello", "says no version, but \"hello\"");
    refuse("exit 3", "exit code 3");
    refuse("kill -SEGV $$", "signal 11");
    refuse("case \"$1\" in --version) echo 0.8.2;; *) echo unsat;; esac",
           "does not find a solution that there is");
    refuse("case \"$1\" in --version) echo 0.8.2;; *) echo sat;; esac",
           "finds a solution where there is none");
    str_clear(&detail);
    TEST_ASSERT_TRUE_MESSAGE(bitwuzla_open(&b, two_faced("exit 1"), &detail), str_text(&detail));
    TEST_ASSERT_EQUAL_STRING("0.8.2", b.version);
}

/* ---- single answers ---- */

static enum bitwuzla_answer ask(const char *body, double seconds) {
    struct bitwuzla b = {.program = two_faced(body)};
    struct bitwuzla_limits limits = {.seconds = seconds};
    struct str text = {0};
    str_add(&text, "(check-sat)\n");
    str_clear(&detail);
    enum bitwuzla_answer answer = bitwuzla_ask(&b, &text, &limits, &detail);
    str_free(&text);
    return answer;
}

static void no_answer(const char *body, const char *reason) {
    TEST_ASSERT_EQUAL_INT_MESSAGE(BITWUZLA_NO_ANSWER, ask(body, 600), body);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&detail), reason), str_text(&detail));
}

static void test_answers(void) {
    TEST_ASSERT_EQUAL_INT(BITWUZLA_NO_ANSWER, ask("exec sleep 1000", 1));
    TEST_ASSERT_EQUAL_STRING("time limit of 1 s", str_text(&detail));
    no_answer("kill -ABRT $$", "signal 6");
    no_answer("echo nonsense", "exit code 0, \"nonsense\"");
    no_answer("echo '[error] no such sort' >&2; exit 1", "exit code 1, \"[error] no such sort\"");
    no_answer("echo unsat; exit 1", "exit code 1");
    no_answer("echo unsat; echo sat", "exit code 0");
    no_answer("echo unsatisfiable", "exit code 0");
    no_answer("echo unsat; kill -KILL $$", "signal 9");
    no_answer(":", "exit code 0");
    struct bitwuzla b = {.program = two_faced("test \"$text\" = '(check-sat)' && echo unsat")};
    struct bitwuzla_limits no_limits = {0};
    struct str text = {0};
    str_add(&text, "(check-sat)\n");
    TEST_ASSERT_EQUAL_INT(BITWUZLA_UNSAT, bitwuzla_ask(&b, &text, &no_limits, &detail));
    b.program = two_faced("echo sat");
    TEST_ASSERT_EQUAL_INT(BITWUZLA_SAT, bitwuzla_ask(&b, &text, &no_limits, &detail));
    b.program = path("nothing");
    TEST_ASSERT_EQUAL_INT(BITWUZLA_NO_ANSWER, bitwuzla_ask(&b, &text, &no_limits, &detail));
    str_free(&text);
}

/* ---- runs ---- */

/* Without CBMC, of which nothing here depends. */
static void tool(const char *line, const char *bitwuzla) {
    child_result_free(&r);
    const char *environment[] = {"GOALKEEPER_CBMC=/nonexistent",
                                 arena_printf(&arena, "GOALKEEPER_BITWUZLA=%s", bitwuzla), NULL};
    run_tool(line, environment);
}

static void decide(const char *bitwuzla) {
    put("m.c", "int in, out; static int count;\n"
               "void step(void) {\n"
               "    if (in > 5 && count < 21) count++;\n"
               "    if (in > 100) out = 1;\n"              /* dead */
               "    if (in > 50 && count > 21) out = 2;\n" /* dead */
               "}\n");
    put("goalkeeper.json", "{\"name\": \"m\", \"sources\": [\"m.c\"], \"step\": \"step\", "
                           "\"inputs\": [{\"name\": \"in\", \"min\": 0, \"max\": 100}], "
                           "\"criteria\": [\"statement\", \"branch\"]}\n");
    tool("run --engines simulate,houdini,kind --seconds 1200 --db m.db", bitwuzla);
}

static int64_t dead_by(const char *set) {
    return number_in("m.db", arena_printf(&arena,
                                          "SELECT count(*) FROM goal WHERE status = 'dead' AND "
                                          "checked_by = '%s'",
                                          set));
}

enum { DEAD = 4 };

/* Nor is it told what it is to answer. */
static void test_it_is_one_of_the_set(void) {
    decide(two_faced("case \"$text\" in *'status unsat'*) echo sat;; *) echo unsat;; esac"));
    expect_end(0, NULL);
    TEST_ASSERT_EQUAL_INT64(DEAD, dead_by("z3,bitwuzla,solver"));
    tool("gate m.db --require-checked-by z3,bitwuzla,3", "");
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.out));
    expect_out("4 dead verdicts: 4 checked by Z3, Bitwuzla and a fresh solver");
}

/* One that comes later is asked about what there is. */
static void test_a_further_run_asks_it(void) {
    decide("/nonexistent");
    expect_end(0, NULL);
    TEST_ASSERT_EQUAL_INT64(DEAD, dead_by("z3,solver"));
    tool("gate m.db --require-checked-by bitwuzla", "");
    TEST_ASSERT_EQUAL_INT_MESSAGE(ERR_GATE, r.code, str_text(&r.out));
    decide(two_faced("echo unsat"));
    expect_end(0, NULL);
    TEST_ASSERT_EQUAL_INT64(DEAD, dead_by("z3,bitwuzla,solver"));
}

/* Nothing is missing but its word, and that is said once. */
static void test_it_is_not_needed(void) {
    static const char *const bodies[] = {"echo nonsense", "kill -SEGV $$"};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        file_remove_tree(path("m.db"));
        decide(two_faced(bodies[i]));
        expect_end(0, "Bitwuzla has no answer to a proof");
        const char *first = strstr(str_text(&r.err), "Bitwuzla has no answer");
        TEST_ASSERT_NULL(strstr(first + 1, "Bitwuzla has no answer"));
        TEST_ASSERT_EQUAL_INT64(DEAD, dead_by("z3,solver"));
    }
    file_remove_tree(path("m.db"));
    decide(fake("echo 0.8.2"));
    expect_end(0, "Bitwuzla is not used");
    TEST_ASSERT_EQUAL_INT64(DEAD, dead_by("z3,solver"));
}

static void test_what_it_refutes_is_an_alarm(void) {
    decide(two_faced("echo sat"));
    expect_end(ERR_EVIDENCE, "Bitwuzla refutes the initiation; accepted by z3,solver");
    TEST_ASSERT_EQUAL_INT64(0, number_in("m.db", "SELECT count(*) FROM goal WHERE status='dead'"));
    TEST_ASSERT_EQUAL_INT64(
        DEAD, number_in("m.db", "SELECT count(*) FROM alarm WHERE proof NOT NULL AND text LIKE "
                                "'%Bitwuzla refutes the initiation; accepted by z3,solver'"));
}

/* The proof of one goal: the others stay. */
static void test_only_what_it_refutes(void) {
    decide(two_faced("case \"$text\" in *21*|*'#x00000015'*) echo sat;; *) echo unsat;; esac"));
    expect_end(ERR_EVIDENCE, "Bitwuzla refutes the");
    TEST_ASSERT_EQUAL_INT64(2, dead_by("z3,bitwuzla,solver"));
    TEST_ASSERT_EQUAL_INT64(2, number_in("m.db", "SELECT count(*) FROM alarm JOIN goal ON goal.id "
                                                 "= alarm.goal WHERE line = 5"));
}

static void test_audit(void) {
    decide("/nonexistent");
    expect_end(0, NULL);
    tool("audit m.db", two_faced("echo unsat"));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.out));
    const char *said = strstr(str_text(&r.out), "Bitwuzla confirms ");
    TEST_ASSERT_TRUE(said && strstr(said, ", 0 it leaves open"));
    tool("audit m.db", two_faced("echo sat"));
    TEST_ASSERT_EQUAL_INT_MESSAGE(ERR_EVIDENCE, r.code, str_text(&r.out));
    expect_out("its proof is confirmed by solver, and Bitwuzla refutes the initiation");
    tool("audit m.db", two_faced("echo nonsense"));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.out));
    expect_out("Bitwuzla confirms 0 of");
    tool("audit m.db", fake("exit 1"));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r.code, str_text(&r.out));
    expect_out("without Bitwuzla: ");
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_start);
    RUN_TEST(test_answers);
    RUN_TEST(test_it_is_one_of_the_set);
    RUN_TEST(test_a_further_run_asks_it);
    RUN_TEST(test_it_is_not_needed);
    RUN_TEST(test_what_it_refutes_is_an_alarm);
    RUN_TEST(test_only_what_it_refutes);
    RUN_TEST(test_audit);
    return UNITY_END();
}
