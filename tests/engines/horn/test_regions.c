/* Cells that are only compared with constants become small words; answers become those of the
 * system that was read. */
#include "engines/horn/core.h"
#include "engines/horn/regions.h"
#include "engines/horn/run.h"
#include "model/term/simplify.h"

#include "unity.h"

#include <string.h>

void setUp(void) {
}
void tearDown(void) {
}

/* A state s of SORT that goes 5, 17, 40 and back while an input u, kept in k, is more than 9; n is
 * counted. */
#define MACHINE(sort, number, more, property)                                                      \
    "(set-logic HORN)(declare-fun p (" sort " " sort " " sort ") Bool)"                            \
    "(assert (forall ((s " sort ") (k " sort ") (n " sort                                          \
    ")) (=> (and (= s " number(5) ") (= n " number(                                                \
        0) ")) (p s k n))))"                                                                       \
           "(assert (forall ((s " sort ") (k " sort ") (n " sort ") (u " sort                      \
           ")) (=> (p s k n) (p "                                                                  \
           "(ite (= s " number(5) ") " number(17) " (ite (and (= s " number(                       \
               17) ") (" more                                                                      \
                   " k " number(9) ")) " number(40) " " number(5) ")) u n))))"                     \
                                                                  "(assert (forall ((s " sort      \
                                                                  ") (k " sort ") (n " sort        \
                                                                  ")) (=> (p s k n) " property     \
                                                                  ")))"                            \
                                                                  "(check-sat)"
#define INT(n) #n
#define REAL(n) #n ".0"
#define BV(n) "(_ bv" #n " 32)"

static void read_horn(struct horn *horn, const char *text) {
    struct err err = {0};
    TEST_ASSERT_TRUE_MESSAGE(horn_read(horn, "t.smt2", text, strlen(text), &err),
                             str_text(&err.message));
}

static void check_widths(const char *text, size_t words) {
    struct horn horn;
    struct core core;
    struct regions r;
    read_horn(&horn, text);
    core_make(&core, &horn.sys);
    TEST_ASSERT_TRUE(regions_make(&r, &core.sys));
    TEST_ASSERT_EQUAL(words, r.sys.cells.len);
    for (size_t i = 0; i < r.sys.cells.len; i++)
        TEST_ASSERT_LESS_OR_EQUAL(2, term_sort(r.sys.terms, r.sys.cells.data[i].var));
    regions_free(&r);
    core_free(&core);
    horn_free(&horn);
}

static void test_cells_become_small(void) {
    check_widths(MACHINE("Int", INT, ">", "(not (= s 41))"), 2);
    check_widths(MACHINE("Real", REAL, ">", "(not (= s 41.0))"), 2);
    check_widths(MACHINE("(_ BitVec 32)", BV, "bvugt", "(not (= s (_ bv41 32)))"), 2);
    check_widths(MACHINE("(_ BitVec 32)", BV, "bvsgt", "(not (= s (_ bv41 32)))"), 2);
}

static void test_what_is_added_to_stays(void) {
    struct horn horn;
    struct core core;
    struct regions r;
    read_horn(&horn, "(set-logic HORN)(declare-fun p (Int) Bool)"
                     "(assert (forall ((x Int)) (=> (= x 0) (p x))))"
                     "(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))"
                     "(assert (forall ((x Int)) (=> (p x) (>= x 0))))(check-sat)");
    core_make(&core, &horn.sys);
    TEST_ASSERT_FALSE(regions_make(&r, &core.sys));
    core_free(&core);
    horn_free(&horn);
}

static uint32_t decide(const char *text, enum horn_verdict expected) {
    struct horn_run_options options = {.knobs = &knobs_default, .seed = 1};
    struct horn horn;
    const char *what = "";
    read_horn(&horn, text);
    struct horn_run *run = horn_run_open(&horn, &options);
    for (int i = 0; i < 100 && horn_run_step(run, 200000) == HORN_OPEN; i++)
        ;
    TEST_ASSERT_EQUAL(expected, horn_run_answer(run)->verdict);
    TEST_ASSERT_TRUE_MESSAGE(horn_check(&horn, horn_run_answer(run), &what), what);
    uint32_t states = horn_run_answer(run)->states;
    horn_run_close(run);
    horn_free(&horn);
    return states;
}

static void test_answers_are_of_the_whole(void) {
    decide(MACHINE("Int", INT, ">", "(not (= s 41))"), HORN_SAFE);
    decide(MACHINE("Real", REAL, ">", "(not (= s 41.0))"), HORN_SAFE);
    decide(MACHINE("(_ BitVec 32)", BV, "bvsgt", "(not (= s (_ bv41 32)))"), HORN_SAFE);
    TEST_ASSERT_EQUAL(3, decide(MACHINE("Int", INT, ">", "(not (= s 40))"), HORN_UNSAFE));
    TEST_ASSERT_EQUAL(3, decide(MACHINE("Real", REAL, ">", "(not (= s 40.0))"), HORN_UNSAFE));
    TEST_ASSERT_EQUAL(
        3, decide(MACHINE("(_ BitVec 32)", BV, "bvsgt", "(not (= s (_ bv40 32)))"), HORN_UNSAFE));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_cells_become_small);
    RUN_TEST(test_what_is_added_to_stays);
    RUN_TEST(test_answers_are_of_the_whole);
    return UNITY_END();
}
