/* Programs a statement at a time: places found, gone through in large steps, and back; invariants
 * that are guessed; proofs in large steps that are none. */
#include "engines/horn/guess.h"
#include "engines/horn/large.h"
#include "engines/horn/run.h"
#include "model/term/number.h"
#include "model/term/simplify.h"

#include "unity.h"

#include <string.h>

void setUp(void) {
}
void tearDown(void) {
}

/* while (*) { x += 2; y++; if (*) z = x; }  assert PROPERTY, with two bits for the statement: 0 the
 * loop's head, 1 x += 2, 2 y++, 3 the branch. The error is a fifth place. */
#define FRAME(a, b, e, x, y, z)                                                                    \
    "(= a1 " a ") (= b1 " b ") (= e1 " e ") (= x1 " x ") (= y1 " y ") (= z1 " z ")"
#define PROGRAM(property)                                                                          \
    "(set-logic HORN)(declare-fun s (Bool Bool Bool Int Int Int) Bool)"                            \
    "(assert (forall ((a Bool) (b Bool) (e Bool) (x Int) (y Int) (z Int)) (=> (and (not a) "       \
    "(not b) (not e) (= x 0) (= y 0) (= z 0)) (s a b e x y z))))"                                  \
    "(assert (forall ((a Bool) (b Bool) (e Bool) (x Int) (y Int) (z Int) (a1 Bool) (b1 Bool) "     \
    "(e1 Bool) (x1 Int) (y1 Int) (z1 Int) (go Bool)) (=> (and (s a b e x y z) (or "                \
    "(and (not a) (not b) (not e) " property                                                       \
    " " FRAME("true", "false", "false", "x", "y",                                                  \
              "z") ") "                                                                            \
                   "(and (not a) (not b) (not e) (not " property ") " FRAME(                       \
                       "true", "true", "true", "x", "y",                                           \
                       "z") ") "                                                                   \
                            "(and a (not b) (not e) " FRAME(                                       \
                                "false", "true", "false", "(+ x 2)", "y",                          \
                                "z") ") "                                                          \
                                     "(and (not a) b (not e) " FRAME(                              \
                                         "true", "true", "false", "x", "(+ y 1)",                  \
                                         "z") ") "                                                 \
                                              "(and a b (not e) go " FRAME(                        \
                                                  "false", "false", "false", "x", "y",             \
                                                  "x") ") "                                        \
                                                       "(and a b (not e) (not go) " FRAME(         \
                                                           "false", "false", "false", "x", "y",    \
                                                           "z") "))) "                             \
                                                                "(s a1 b1 e1 x1 y1 z1))))"         \
                                                                "(assert (forall ((a Bool) (b "    \
                                                                "Bool) (e Bool) (x Int) (y Int) "  \
                                                                "(z Int)) (=> (s a b e x y z) "    \
                                                                "(not e))))(check-sat)"

static const struct query_options how = {.back_end = QUERY_Z3, .seed = 1};

static void read_horn(struct horn *horn, const char *text) {
    struct err err = {0};
    TEST_ASSERT_TRUE_MESSAGE(horn_read(horn, "t.smt2", text, strlen(text), &err),
                             str_text(&err.message));
}

static void test_statements_become_a_step(void) {
    struct horn horn;
    struct core core;
    struct large large;
    read_horn(&horn, PROGRAM("(<= z x)"));
    core_make(&core, &horn.sys);
    TEST_ASSERT_TRUE(large_make(&large, &core.sys, &how));
    TEST_ASSERT_EQUAL(4, large.span);
    TEST_ASSERT_EQUAL(2, large.at.len); /* the head and the error */
    large_free(&large);
    core_free(&core);
    horn_free(&horn);
}

static struct horn_run *decide(struct horn *horn, const char *text, enum horn_verdict expected) {
    struct horn_run_options options = {.knobs = &knobs_default, .seed = 1};
    const char *what = "";
    read_horn(horn, text);
    struct horn_run *run = horn_run_open(horn, &options);
    for (int i = 0; i < 100 && horn_run_step(run, 200000) == HORN_OPEN; i++)
        ;
    TEST_ASSERT_EQUAL(expected, horn_run_answer(run)->verdict);
    TEST_ASSERT_TRUE_MESSAGE(horn_check(horn, horn_run_answer(run), &what), what);
    return run;
}

/* Five times round, four statements each, and out: 21 states and the error. */
static void test_runs_have_all_statements(void) {
    struct horn horn;
    struct str text = {0};
    struct horn_run *run = decide(&horn, PROGRAM("(< (+ y z) 15)"), HORN_UNSAFE);
    TEST_ASSERT_EQUAL(22, horn_run_answer(run)->states);
    horn_print_answer(&horn, horn_run_answer(run), &text);
    TEST_ASSERT_NOT_NULL(strstr(str_text(&text), "; 20: a=false b=false e=false x=10 y=5 z=10"));
    str_free(&text);
    horn_run_close(run);
    horn_free(&horn);
}

/* x = 2 * y at the head needs no predicate: it is guessed. A proof must fit its steps. */
static void test_proofs_in_large_steps(void) {
    struct horn horn;
    struct str text = {0};
    const char *what = "";
    struct horn_run *run = decide(&horn, PROGRAM("(= x (* 2 y))"), HORN_SAFE);
    struct horn_answer a = *horn_run_answer(run);
    TEST_ASSERT_EQUAL(4, a.span);
    horn_print_answer(&horn, &a, &text);
    TEST_ASSERT_NOT_NULL(strstr(str_text(&text), "(define-fun s ("));
    TEST_ASSERT_NOT_NULL(strstr(str_text(&text), "(forall ("));
    a.span = 3;
    TEST_ASSERT_FALSE(horn_check(&horn, &a, &what));
    TEST_ASSERT_EQUAL_STRING("consecution", what);
    a.span = 4;
    a.invariant = term_bool(horn.sys.terms, true);
    TEST_ASSERT_FALSE(horn_check(&horn, &a, &what));
    a = *horn_run_answer(run);
    a.k = 2;
    TEST_ASSERT_FALSE(horn_check(&horn, &a, &what));
    str_free(&text);
    horn_run_close(run);
    horn_free(&horn);
}

/* Of three conditions, one fails at the start, one after a step, and one falls with it. */
static void test_settling(void) {
    struct horn horn;
    struct horn_terms all = {0};
    read_horn(&horn, "(set-logic HORN)(declare-fun s (Int Int) Bool)(assert (s 0 0))"
                     "(assert (forall ((x Int) (y Int)) (=> (s x y) (s (+ x 1) x))))"
                     "(assert (forall ((x Int) (y Int)) (=> (s x y) (>= y 0))))(check-sat)");
    struct terms *ts = horn.sys.terms;
    term_t x = horn.sys.cells.data[0].var, y = horn.sys.cells.data[1].var;
    vec_push(&all, term_op2(ts, OP_NLE, x, term_number(ts, SORT_INTEGER, "7")));
    vec_push(&all, term_op2(ts, OP_NLE, y, term_number(ts, SORT_INTEGER, "7")));
    vec_push(&all, term_op2(ts, OP_NLE, term_number(ts, SORT_INTEGER, "0"), x));
    vec_push(&all, term_op2(ts, OP_NLE, term_number(ts, SORT_INTEGER, "0"), y));
    vec_push(&all, term_op2(ts, OP_NLE, term_number(ts, SORT_INTEGER, "1"), y));
    TEST_ASSERT_TRUE(guess_settle(&horn.sys, &all, &how, 1000000));
    TEST_ASSERT_EQUAL(2, all.len);
    vec_free(&all);
    horn_free(&horn);
}

/* What one place says of three numbers: x + 2 * y - z = 4, found from runs. */
static void test_equations_are_guessed(void) {
    struct horn horn;
    struct horn_terms places = {0};
    read_horn(&horn,
              "(set-logic HORN)(declare-fun s (Int Int Int) Bool)(assert (s 4 0 0))"
              "(assert (forall ((x Int) (y Int) (z Int) (b Bool)) (=> (s x y z) (s (ite b (+ "
              "x 3) x) (ite b y (+ y 1)) (ite b (+ z 3) (+ z 2))))))"
              "(assert (forall ((x Int) (y Int) (z Int)) (=> (s x y z) (= (+ x (* 2 y)) "
              "(+ z 4)))))(check-sat)");
    vec_push(&places, term_bool(horn.sys.terms, true));
    term_t found = guess_invariant(&horn.sys, &places, &how, 10000000);
    term_t bad = term_and(horn.sys.terms, found, horn.sys.targets.data[0].hit);
    struct horn_answer a = {.verdict = HORN_SAFE, .invariant = found};
    const char *what = "";
    TEST_ASSERT_TRUE_MESSAGE(horn_check(&horn, &a, &what), what);
    TEST_ASSERT_FALSE(term_is_true(horn.sys.terms, bad));
    vec_free(&places);
    horn_free(&horn);
}

/* x goes up by four and stays a multiple of four, whatever it is multiplied by. */
static void test_last_bits_are_guessed(void) {
    struct horn horn;
    struct horn_terms places = {0};
    const char *what = "";
    read_horn(&horn, "(set-logic HORN)(declare-fun s ((_ BitVec 16)) Bool)(assert (s #x0000))"
                     "(assert (forall ((x (_ BitVec 16)) (f (_ BitVec 16))) (=> (s x) (s (bvmul f "
                     "(bvadd x #x0004))))))(assert (forall ((x (_ BitVec 16))) (=> (s x) "
                     "(not (= x #x0122)))))(check-sat)");
    vec_push(&places, term_bool(horn.sys.terms, true));
    struct horn_answer a = {.verdict = HORN_SAFE};
    a.invariant = guess_invariant(&horn.sys, &places, &how, 10000000);
    TEST_ASSERT_TRUE_MESSAGE(horn_check(&horn, &a, &what), what);
    vec_free(&places);
    horn_free(&horn);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_statements_become_a_step);
    RUN_TEST(test_runs_have_all_statements);
    RUN_TEST(test_proofs_in_large_steps);
    RUN_TEST(test_settling);
    RUN_TEST(test_equations_are_guessed);
    RUN_TEST(test_last_bits_are_guessed);
    return UNITY_END();
}
