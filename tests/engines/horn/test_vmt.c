/* VMT: systems, the same one as Horn clauses, what is refused and where. */
#include "engines/horn/run.h"

#include "unity.h"

#include <stdio.h>
#include <string.h>

void setUp(void) {
}
void tearDown(void) {
}

static enum horn_verdict decide(const char *text) {
    struct horn horn;
    struct err err = {0};
    struct horn_run_options options = {.knobs = &knobs_default, .seed = 1};
    enum horn_verdict said = HORN_OPEN;
    const char *what = "";
    TEST_ASSERT_EQUAL(HORN_VMT, horn_form(text, strlen(text)));
    TEST_ASSERT_TRUE_MESSAGE(horn_read(&horn, "t.vmt", text, strlen(text), &err),
                             str_text(&err.message));
    struct horn_run *run = horn_run_open(&horn, &options);
    for (int i = 0; i < 100 && said == HORN_OPEN; i++)
        said = horn_run_step(run, 200000);
    if (said != HORN_OPEN)
        TEST_ASSERT_TRUE_MESSAGE(horn_check(&horn, horn_run_answer(run), &what), what);
    horn_run_close(run);
    horn_free(&horn);
    return said;
}

#define SYSTEM(sort, init, step, property)                                                         \
    "(declare-fun x () " sort ")(declare-const y " sort ")(declare-fun in () Bool)\n"              \
    "(define-fun .x () " sort " (! x :next y))\n"                                                  \
    "(define-fun .i () Bool (! " init " :init true))\n"                                            \
    "(define-fun .t () Bool (! " step " :trans true))\n"                                           \
    "(define-fun .p () Bool (! " property " :invar-property 0))\n(assert true)\n"

static void test_systems(void) {
    TEST_ASSERT_EQUAL(
        HORN_SAFE, decide(SYSTEM("Int", "(= x 0)", "(= y (ite in x (+ x 2)))", "(not (= x 7))")));
    TEST_ASSERT_EQUAL(
        HORN_UNSAFE, decide(SYSTEM("Int", "(= x 0)", "(= y (ite in x (+ x 2)))", "(not (= x 8))")));
    TEST_ASSERT_EQUAL(HORN_SAFE,
                      decide(SYSTEM("(_ BitVec 8)", "(= x #x00)", "(bvule y x)", "(= x #x00)")));
    TEST_ASSERT_EQUAL(
        HORN_UNSAFE, decide(SYSTEM("(_ BitVec 8)", "(= x #x00)", "(bvule x y)", "(bvult x #xff)")));
    TEST_ASSERT_EQUAL(HORN_SAFE,
                      decide(SYSTEM("Real", "(= x 0.5)", "(= y (/ (+ x 1.0) 2))", "(< x 1.0)")));
}

/* An input that the start speaks of has that value there, and any later; one in the property. */
static void test_inputs(void) {
    TEST_ASSERT_EQUAL(HORN_SAFE, decide(SYSTEM("Int", "(and in (= x 0))",
                                               "(= y (ite in (+ x 1) (- 1)))", "(>= x (- 1))")));
    TEST_ASSERT_EQUAL(HORN_UNSAFE,
                      decide(SYSTEM("Int", "(and in (= x 0))", "(= y (ite in 1 (- 1)))",
                                    "(not (and (= x 1) in))")));
    TEST_ASSERT_EQUAL(HORN_SAFE,
                      decide(SYSTEM("Int", "(and in (= x 0))", "(= y 1)", "(or in (= x 1))")));
    TEST_ASSERT_EQUAL(HORN_UNSAFE, decide(SYSTEM("Int", "(= x 0)", "(= y 1)", "(or in (= x 1))")));
}

/* A next value that is declared nowhere is any. */
static void test_undeclared(void) {
    static const char rest[] = "(define-fun .z () Int (! z :next z1))(declare-fun x () Int)"
                               "(define-fun .i () Bool (! (= z 1) :init true))"
                               "(define-fun .t () Bool (! (> z 0) :trans true))";
    struct str text = {0};
    str_addf(&text,
             "(declare-fun z () Int)%s"
             "(define-fun .p () Bool (! (= z 1) :invar-property 0))",
             rest);
    TEST_ASSERT_EQUAL(HORN_UNSAFE, decide(str_text(&text)));
    str_free(&text);
}

/* Several of a kind hold together. */
static void test_several(void) {
    static const char more[] = "(define-fun q () Bool (! (<= x 4) :invar-property 1))\n"
                               "(define-fun r () Bool (! (< x 5) :trans true))\n";
    struct str text = {0};
    str_add(&text, SYSTEM("Int", "(= x 0)", "(= y (+ x 1))", "(<= x 5)"));
    TEST_ASSERT_EQUAL(HORN_UNSAFE, decide(str_text(&text)));
    str_add(&text, strchr(more, '\n') + 1);
    TEST_ASSERT_EQUAL(HORN_SAFE, decide(str_text(&text)));
    str_clear(&text);
    str_add(&text, SYSTEM("Int", "(= x 0)", "(= y (+ x 1))", "(<= x 5)"));
    str_add(&text, more);
    TEST_ASSERT_EQUAL(HORN_UNSAFE, decide(str_text(&text)));
    str_free(&text);
}

static void refuse(const char *text, int line, int col, const char *part) {
    struct horn horn;
    struct err err = {0};
    TEST_ASSERT_EQUAL(HORN_VMT, horn_form(text, strlen(text)));
    TEST_ASSERT_FALSE_MESSAGE(horn_read(&horn, "t.vmt", text, strlen(text), &err), text);
    TEST_ASSERT_EQUAL_MESSAGE(ERR_USAGE, err.code, text);
    TEST_ASSERT_EQUAL_STRING("t.vmt", str_text(&err.file));
    TEST_ASSERT_EQUAL_MESSAGE(line, err.line, text);
    TEST_ASSERT_EQUAL_MESSAGE(col, err.col, text);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&err.message), part), str_text(&err.message));
    err_clear(&err);
    horn_free(&horn);
}

#define VARS "(declare-fun x () Int)(declare-fun y () Int)(define-fun .x () Int (! x :next y))\n"

static void test_refused(void) {
    refuse(VARS "(define-fun p () Bool (! (< x 3) :live-property 0))", 2, 34, "only safety");
    refuse(VARS "(define-fun p () Int (! x :init true))", 2, 25, "formula");
    refuse(VARS "(define-fun p () Bool (not (! (< x 3) :init true)))", 2, 39, "part");
    refuse(VARS "(define-fun p () Int (! (+ x 1) :next y))", 2, 39, "one variable");
    refuse(VARS "(define-fun p () Int (! x :next y))", 2, 33, "already");
    refuse(VARS "(define-fun p () Int (! x :next))", 2, 27, "next value");
    refuse(VARS "(define-fun p () Bool (! (< (* x y) 3) :trans true))", 2, 26, "products");
    refuse(VARS "(define-fun p () Bool (! (< z 3) :trans true))", 2, 29, "'z'");
    refuse(VARS "(define-fun .z () Int (! y :next z))(declare-fun z () Int)", 2, 50, "already");
    refuse(VARS "(assert (< x 3))", 2, 1, "not known");
    refuse(VARS "(declare-fun f (Int) Int)(define-fun p () Bool (! (< (f x) 3) :trans true))", 2,
           51, "functions");
    refuse(VARS "(define-fun p () Bool (! (< x 3) :trans true)", 2, 1, "never closed");
    refuse(VARS "(define-fun p () Bool (! (< y 3) :invar-property 0))", 2, 53, "next value 'y'");
    refuse(VARS "", 2, 1, ":invar-property");
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_systems);
    RUN_TEST(test_inputs);
    RUN_TEST(test_undeclared);
    RUN_TEST(test_several);
    RUN_TEST(test_refused);
    return UNITY_END();
}
