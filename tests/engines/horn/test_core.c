/* What is left of a system of Horn clauses when relations are solved, and answers that do not hold.
 */
#include "engines/horn/guess.h"
#include "engines/horn/run.h"
#include "model/term/number.h"
#include "model/term/simplify.h"

#include "unity.h"

#include <string.h>

void setUp(void) {
}
void tearDown(void) {
}

static void read_horn(struct horn *horn, const char *text) {
    struct err err = {0};
    TEST_ASSERT_TRUE_MESSAGE(horn_read(horn, "t.smt2", text, strlen(text), &err),
                             str_text(&err.message));
}

/* A stream in the manner of Lustre: y is 2 * x in every state, z one of two things by cases, w is
 * read by nothing. Only x and up are needed. */
#define STREAM(property)                                                                           \
    "(set-logic HORN)(declare-fun s (Int Int Int Int Bool) Bool)"                                  \
    "(assert (forall ((x Int) (y Int) (z Int) (w Int) (up Bool)) (=> (and (= x 0) (= y (* 2 x)) "  \
    "(or up (= z y)) (or (not up) (= z (+ y 1)))) (s x y z w up))))"                               \
    "(assert (forall ((x Int) (y Int) (z Int) (w Int) (up Bool) (x1 Int) (y1 Int) (z1 Int) "       \
    "(w1 Int) (up1 Bool)) (=> (and (s x y z w up) (= y (* 2 x)) (or up (= z y)) "                  \
    "(or (not up) (= z (+ y 1))) (= (+ x 1) x1) (= y1 (* 2 x1)) (or up1 (= z1 y1)) "               \
    "(or (not up1) (= z1 (+ y1 1)))) (s x1 y1 z1 w1 up1))))"                                       \
    "(assert (forall ((x Int) (y Int) (z Int) (w Int) (up Bool)) (=> (s x y z w up) " property     \
    ")))(check-sat)"

static void test_relations_are_solved(void) {
    struct horn horn;
    struct core core;
    read_horn(&horn, STREAM("(>= z 0)"));
    core_make(&core, &horn.sys);
    TEST_ASSERT_EQUAL(2, core.sys.cells.len);
    TEST_ASSERT_TRUE(term_is_true(horn.sys.terms, core.sys.step_ok));
    TEST_ASSERT_EQUAL_STRING("x", core.sys.cells.data[0].name);
    TEST_ASSERT_EQUAL_STRING("up", core.sys.cells.data[1].name);
    core_free(&core);
    horn_free(&horn);
}

/* What is required of states but does not follow stays a constraint. */
static void test_constraints_stay(void) {
    struct horn horn;
    struct core core;
    read_horn(&horn, "(set-logic HORN)(declare-fun s (Int Int) Bool)"
                     "(assert (forall ((x Int) (y Int)) (=> (= x 0) (s x y))))"
                     "(assert (forall ((x Int) (y Int) (a Int) (b Int)) (=> (and (s x y) (= x y) "
                     "(= a (+ x 1))) (s a b))))"
                     "(assert (forall ((x Int) (y Int)) (=> (s x y) (< x 3))))(check-sat)");
    core_make(&core, &horn.sys);
    TEST_ASSERT_EQUAL(2, core.sys.cells.len);
    TEST_ASSERT_FALSE(term_is_true(horn.sys.terms, core.sys.step_ok));
    TEST_ASSERT_TRUE(term_is_true(horn.sys.terms, core.equations));
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

/* Inputs that left the core are computed: the run is one of the system. */
static void test_runs_are_lifted(void) {
    struct horn horn;
    const char *what = "";
    struct str text = {0};
    struct horn_run *run = decide(&horn, STREAM("(< z 7)"), HORN_UNSAFE);
    struct horn_answer a = *horn_run_answer(run);
    horn_print_answer(&horn, &a, &text);
    TEST_ASSERT_NOT_NULL(strstr(str_text(&text), "x=3 y=6 z=7"));
    a.states--;
    TEST_ASSERT_FALSE(horn_check(&horn, &a, &what));
    TEST_ASSERT_EQUAL_STRING("the trace", what);
    str_free(&text);
    horn_run_close(run);
    horn_free(&horn);
}

/* x goes round 0, 1, 2, 3: from 4 it would come to 5, so two clean steps are needed. */
static const char circle[] =
    "(set-logic HORN)(declare-fun s (Int) Bool)(assert (s 0))"
    "(assert (forall ((x Int) (y Int)) (=> (and (s x) (= y (ite (= x 3) 0 (+ x 1)))) (s y))))"
    "(assert (forall ((x Int)) (=> (s x) (not (= x 6)))))(check-sat)";

static void test_induction_is_checked(void) {
    struct horn horn;
    const char *what = "";
    struct str text = {0};
    read_horn(&horn, circle);
    struct horn_answer a = {
        .verdict = HORN_SAFE, .invariant = term_bool(horn.sys.terms, true), .k = 3};
    TEST_ASSERT_TRUE_MESSAGE(horn_check(&horn, &a, &what), what);
    horn_print_answer(&horn, &a, &text);
    TEST_ASSERT_NOT_NULL(strstr(str_text(&text), "(define-fun s ((v"));
    a.k = 2;
    TEST_ASSERT_FALSE(horn_check(&horn, &a, &what));
    TEST_ASSERT_EQUAL_STRING("safety", what);
    a.invariant = term_eq(horn.sys.terms, horn.sys.cells.data[0].var,
                          term_number(horn.sys.terms, SORT_INTEGER, "0"));
    TEST_ASSERT_FALSE(horn_check(&horn, &a, &what));
    TEST_ASSERT_EQUAL_STRING("consecution", what);
    str_free(&text);
    horn_free(&horn);
}

/* A program that keeps its state in m: 1, 5, 9 in turns; done says so, and free is anything. */
#define STATES(property)                                                                           \
    "(set-logic HORN)(declare-fun s (Int Int Int) Bool)"                                           \
    "(assert (forall ((free Int)) (s 1 0 free)))"                                                  \
    "(assert (forall ((m Int) (done Int) (free Int) (n Int) (d Int) (other Int)) (=> (and "        \
    "(s m done free) (= n (ite (= m 1) 5 (ite (= m 5) (ite (< free 0) 5 9) 1))) "                  \
    "(= d (ite (= m 5) (ite (< free 0) done 2) (ite (= m 1) 1 0)))) (s n d other))))"              \
    "(assert (forall ((m Int) (done Int) (free Int)) (=> (s m done free) " property                \
    ")))(check-sat)"

static enum solver_result hit_within_guess(const char *text) {
    struct horn horn;
    struct horn_terms places = {0};
    struct query_options how = {.back_end = QUERY_Z3};
    read_horn(&horn, text);
    vec_push(&places, term_bool(horn.sys.terms, true));
    term_t guess = guess_invariant(&horn.sys, &places, &how, 10000000);
    struct query *q = query_open(horn.sys.terms, &how);
    uint32_t now = query_frame(q);
    query_assert(q, now, guess, 0);
    query_assert(q, now, horn.sys.targets.data[0].hit, 0);
    enum solver_result said = query_solve(q, NULL, 0, 0);
    query_close(q);
    vec_free(&places);
    horn_free(&horn);
    return said;
}

/* What holds in one state of the program only; what does not hold is not guessed. */
static void test_states_of_a_program_are_told_apart(void) {
    TEST_ASSERT_EQUAL(SOLVER_UNSAT, hit_within_guess(STATES("(=> (= m 9) (= done 2))")));
    TEST_ASSERT_EQUAL(SOLVER_UNSAT, hit_within_guess(STATES("(=> (< m 5) (= done 0))")));
    TEST_ASSERT_EQUAL(SOLVER_UNSAT, hit_within_guess(STATES("(not (= m 7))")));
    TEST_ASSERT_EQUAL(SOLVER_SAT, hit_within_guess(STATES("(=> (= m 9) (= done 1))")));
    TEST_ASSERT_EQUAL(SOLVER_SAT, hit_within_guess(STATES("(not (= m 9))")));
    TEST_ASSERT_EQUAL(SOLVER_SAT, hit_within_guess(STATES("(< free 100000)")));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_relations_are_solved);
    RUN_TEST(test_constraints_stay);
    RUN_TEST(test_runs_are_lifted);
    RUN_TEST(test_induction_is_checked);
    RUN_TEST(test_states_of_a_program_are_told_apart);
    return UNITY_END();
}
