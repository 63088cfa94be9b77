/* Horn clauses with one predicate: what is read, what is refused and where, and what is said of
 * small systems, with the checks of proofs and runs. */
#include "engines/horn/run.h"

#include "unity.h"

#include <string.h>

void setUp(void) {
}
void tearDown(void) {
}

static enum horn_verdict decide(struct horn *horn) {
    struct horn_run_options options = {.knobs = &knobs_default, .seed = 1};
    struct horn_run *run = horn_run_open(horn, &options);
    enum horn_verdict verdict = HORN_OPEN;
    const char *what = "";
    for (int i = 0; i < 100 && verdict == HORN_OPEN; i++)
        verdict = horn_run_step(run, 200000);
    struct str text = {0};
    if (verdict != HORN_OPEN) {
        TEST_ASSERT_TRUE_MESSAGE(horn_check(horn, horn_run_answer(run), &what), what);
        horn_print_answer(horn, horn_run_answer(run), &text);
    }
    if (verdict == HORN_SAFE)
        TEST_ASSERT_NOT_NULL(strstr(str_text(&text), "(define-fun "));
    str_free(&text);
    horn_run_close(run);
    return verdict;
}

static void expect(const char *text, enum horn_verdict expected) {
    struct horn horn;
    struct err err = {0};
    TEST_ASSERT_EQUAL(HORN_CLAUSES, horn_form(text, strlen(text)));
    TEST_ASSERT_TRUE_MESSAGE(horn_read(&horn, "t.smt2", text, strlen(text), &err),
                             str_text(&err.message));
    enum horn_verdict said = decide(&horn);
    TEST_ASSERT_EQUAL_MESSAGE(expected, said, text);
    horn_free(&horn);
}

#define COUNTER(sort, zero, step, property)                                                        \
    "(set-logic HORN)(declare-fun |s t| (" sort " Bool) Bool)"                                     \
    "(assert (forall ((x " sort ") (b Bool)) (=> (and (= x " zero ") b) (|s t| x b))))"            \
    "(assert (forall ((x " sort ") (y " sort ") (b Bool) (c Bool)) (=> (and (|s t| |x| b) (let "   \
    "((d " step ")) (and d (= c (not b))))) (|s t| y c))))"                                        \
    "(assert (forall ((x " sort ") (b Bool)) (=> (|s t| x b) " property ")))(check-sat)"

static void test_bit_vectors(void) {
    expect(COUNTER("(_ BitVec 4)", "#x0", "(= y (bvadd x #x2))", "(not (= x #x7))"), HORN_SAFE);
    expect(COUNTER("(_ BitVec 8)", "#x00", "(= y (bvadd x #x02))", "(not (= x #x0a))"),
           HORN_UNSAFE);
    expect(COUNTER("(_ BitVec 8)", "#x00", "(bvule y x)", "(= x #x00)"), HORN_SAFE);
    expect(COUNTER("(_ BitVec 8)", "#x01", "(bvule x y)", "(bvult x #xff)"), HORN_UNSAFE);
}

static void test_integers(void) {
    expect(COUNTER("Int", "0", "(= y (+ x 2))", "(=> b (>= x 0))"), HORN_SAFE);
    expect(COUNTER("Int", "0", "(= y (ite (< x 5) (+ x 1) x))", "(<= x 5)"), HORN_SAFE);
    expect(COUNTER("Int", "0", "(= y (ite (< x 5) (+ x 1) x))", "(< x 5)"), HORN_UNSAFE);
    expect(COUNTER("Int", "7", "(and (>= y (- x 3)) (> y 2))", "(> (* 2 x) 5)"), HORN_SAFE);
}

static void test_reals(void) {
    expect(COUNTER("Real", "0.5", "(= y (/ (+ x 1.0) 2))", "(< x 1.0)"), HORN_SAFE);
    expect(COUNTER("Real", "0.5", "(= y (* 2 x))", "(<= x 7.5)"), HORN_UNSAFE);
    expect(COUNTER("Real", "0.0", "(and (> y x) (< y (to_real 3)))", "(< x 3.0)"), HORN_SAFE);
}

/* Two predicates that have to be found: x <= y where the comparison is nowhere in the program. */
static const char race[] =
    "(set-logic HORN)(declare-fun inv (Int Int) Bool)"
    "(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (inv x y))))"
    "(assert (forall ((x Int) (y Int)) (=> (inv x y) (inv (+ x 1) (+ y 2)))))"
    "(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (> x y)) false)))(check-sat)";

/* Several clauses of each kind; the start itself breaks the property; nothing ever starts. */
static void test_forms(void) {
    expect(race, HORN_SAFE);
    expect("(set-logic HORN)(declare-fun p (Bool) Bool)(assert (p false))"
           "(assert (forall ((b Bool)) (=> (p b) (p b))))"
           "(assert (forall ((b Bool)) (=> (and (p b) (not b)) (p (not b)))))"
           "(assert (forall ((b Bool)) (=> (p b) (not b))))",
           HORN_UNSAFE);
    expect("(set-logic HORN)(declare-fun p (Bool) Bool)"
           "(assert (forall ((b Bool)) (=> (p b) (p (not b)))))"
           "(assert (forall ((b Bool)) (=> (p b) false)))",
           HORN_SAFE);
    expect("(set-logic HORN)(declare-fun p (Bool) Bool)(assert (p false))(assert (=> true false))",
           HORN_UNSAFE);
}

/* ---- what is refused ---- */

static void refuse(const char *text, int line, int col, const char *part) {
    struct horn horn;
    struct err err = {0};
    TEST_ASSERT_FALSE_MESSAGE(horn_read(&horn, "t.smt2", text, strlen(text), &err), text);
    TEST_ASSERT_EQUAL_MESSAGE(ERR_USAGE, err.code, text);
    TEST_ASSERT_EQUAL_STRING("t.smt2", str_text(&err.file));
    TEST_ASSERT_EQUAL_MESSAGE(line, err.line, text);
    TEST_ASSERT_EQUAL_MESSAGE(col, err.col, text);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&err.message), part), str_text(&err.message));
    err_clear(&err);
    horn_free(&horn);
}

#define HEAD "(set-logic HORN)(declare-fun p (Int) Bool)\n"

static void test_refused(void) {
    refuse(HEAD "(assert (forall ((x Int)) (=> (= x 0) (p x)))", 2, 1, "never closed");
    refuse(HEAD "(declare-fun q (Int) Bool)", 2, 1, "second predicate");
    refuse(HEAD "(assert (forall ((x Int)) (=> (and (p x) (p x)) false)))", 2, 42, "twice");
    refuse(HEAD "(assert (forall ((x Int)) (=> (p x 1) false)))", 2, 31, "number of arguments");
    refuse(HEAD "(assert (forall ((x Int)) (=> (or (p x) (= x 0)) false)))", 2, 31, "connective");
    refuse(HEAD "(assert (forall ((x Int)) (=> (p x) (< (* x x) 3))))", 2, 37, "products");
    refuse(HEAD "(assert (forall ((x Int)) (=> (= y 0) (p x))))", 2, 34, "'y'");
    refuse(HEAD "(assert (forall ((x Int) (b Bool)) (=> b (p b))))", 2, 45, "another sort");
    refuse(HEAD "(assert (forall ((x (Array Int Int))) (p 0)))", 2, 18, "other theories");
    refuse(HEAD "(define-fun f () Int 3)", 2, 1, "not known");
    refuse("(set-logic HORN)(declare-fun p ((_ BitVec 65)) Bool)", 1, 33, "64 bits");
    refuse("(set-logic HORN)\n(assert (forall ((x Int)) (=> true false)))", 2, 9, "before");
    refuse("(set-logic HORN)", 1, 17, "no predicate");
    refuse("(set-logic HORN)(declare-fun p (Float32) Bool)\n(assert (forall ((x Float32)) "
           "(=> (= ((_ fp.to_ubv 8) RNE x) #x03) (p x))))\n",
           3, 1, "not specified");
}

/* As deep as the benchmarks of others, and deeper. */
static void test_deep(void) {
    enum { DEPTH = 20000 };
    struct str text = {0};
    str_add(&text, HEAD "(assert (forall ((x Int)) (=> (= x 0) (p x))))"
                        "(assert (forall ((x Int) (y Int)) (=> (and (p x) ");
    for (int i = 0; i < DEPTH; i++)
        str_addf(&text, "(let ((d%d (<= x y))) ", i);
    str_add(&text, "d0");
    for (int i = 0; i < DEPTH; i++)
        str_addc(&text, ')');
    str_add(&text, ") (p y))))(assert (forall ((x Int)) (=> (p x) (<= 0 x))))");
    expect(str_text(&text), HORN_SAFE);
    str_free(&text);
}

static void test_other_scripts(void) {
    static const char other[] = "(set-logic QF_BV)(check-sat)";
    TEST_ASSERT_EQUAL(HORN_NONE, horn_form(other, sizeof other - 1));
    TEST_ASSERT_EQUAL(HORN_NONE, horn_form("(check-sat)", 11));
    TEST_ASSERT_EQUAL(HORN_NONE, horn_form("(((", 3));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_bit_vectors);
    RUN_TEST(test_integers);
    RUN_TEST(test_reals);
    RUN_TEST(test_forms);
    RUN_TEST(test_refused);
    RUN_TEST(test_deep);
    RUN_TEST(test_other_scripts);
    return UNITY_END();
}
