/* The SMT-LIB front end: answers and messages of small scripts, and every operator against
 * arithmetic done here. */
#include "engines/smtlib/smt.h"

#include "base/rng.h"
#include "model/term/ordinal.h"

#include "unity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {
}
void tearDown(void) {
}

/* Runs a script; `out` gets what it prints, `message` the error if there is one. */
static enum smt_step run(const char *text, struct str *out, struct str *message) {
    struct err err = {0};
    struct smt *smt = smt_new(&(struct smt_options){.file = "t.smt2"}, text, strlen(text));
    enum smt_step step;
    do
        step = smt_step(smt, out, &err);
    while (step == SMT_MORE);
    if (err.code != ERR_NONE)
        str_addf(message, "%d:%d: %s", err.line, err.col, str_text(&err.message));
    err_clear(&err);
    smt_free(smt);
    return step;
}

static void expect(const char *text, const char *wanted) {
    struct str out = {0}, message = {0};
    run(text, &out, &message);
    TEST_ASSERT_EQUAL_STRING_MESSAGE("", str_text(&message), text);
    TEST_ASSERT_EQUAL_STRING_MESSAGE(wanted, str_text(&out), text);
    str_free(&out);
    str_free(&message);
}

static void expect_error(const char *text, const char *wanted) {
    struct str out = {0}, message = {0};
    TEST_ASSERT_EQUAL_INT_MESSAGE(SMT_FAILED, run(text, &out, &message), text);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&message), wanted), str_text(&message));
    str_free(&out);
    str_free(&message);
}

/* ---- scripts ---- */

static void test_answers(void) {
    expect("(check-sat)", "sat\n");
    expect("(assert false)(check-sat)", "unsat\n");
    expect("(declare-const p Bool)(assert p)(check-sat)(get-value (p (not p)))",
           "sat\n((p true)\n ((not p) false))\n");
    expect("(declare-const x (_ BitVec 8))(assert (= (bvadd x #x01) #x00))(check-sat)(get-model)",
           "sat\n(\n  (define-fun x () (_ BitVec 8) #xff)\n)\n");
    expect("(declare-const |a b| Float32)(assert (= |a b| (_ -zero 8 24)))(check-sat)(get-model)",
           "sat\n(\n  (define-fun |a b| () (_ FloatingPoint 8 24) (_ -zero 8 24))\n)\n");
    expect("(echo \"a \"\"b\"\"\")(set-option :print-success true)(set-logic QF_FP)(exit)(nonsense",
           "a \"b\"\nsuccess\nsuccess\n");
}

static void test_levels_and_assumptions(void) {
    expect("(declare-const p Bool)(declare-const q Bool)(assert (or p q))"
           "(push 1)(assert (not p))(check-sat)(push 2)(assert (not q))(check-sat)(pop 2)"
           "(check-sat)(pop)(check-sat-assuming ((not p) (not q)))(check-sat)",
           "sat\nunsat\nsat\nunsat\nsat\n");
    expect("(push)(declare-const x Bool)(assert x)(pop)(declare-const x (_ BitVec 2))"
           "(assert (= x #b11))(check-sat)(get-value (x))",
           "sat\n((x #b11))\n");
    expect("(declare-const p Bool)(assert p)(reset-assertions)(declare-const p Bool)"
           "(assert (not p))(check-sat)",
           "sat\n");
    expect("(assert false)(reset)(check-sat)", "sat\n");
}

/* Equations that are asserted for good define; under a level, in a circle or in a core they do not.
 */
static void test_equations_define_variables(void) {
    static const char *const one = "((_ to_fp 11 53) RNE 1.0)";
    struct str text = {0};
    str_addf(&text,
             "(declare-const x Float64)(declare-const y Float64)(declare-const z Float64)"
             "(assert (and (= x (fp.add RNE y y)) (= (fp.mul RNE z z) y) (= z %s)))"
             "(check-sat)(get-value ((= x (fp.add RNE z z)) (= y z)))(assert (= x y))(check-sat)",
             one);
    expect(str_text(&text), "sat\n(((= x (fp.add RNE z z)) true)\n ((= y z) true))\nunsat\n");
    str_clear(&text);
    str_addf(&text,
             "(declare-const x Float64)(declare-const y Float64)"
             "(assert (and (= x (fp.add RNE y %s)) (= y (fp.sub RNE x %s)) (= x x)"
             " (fp.lt x %s)))(check-sat)(push)(assert (= x y))(assert (not (fp.isInfinite x)))"
             "(assert (fp.lt (fp.neg %s) x))(check-sat)(pop)(check-sat)"
             "(push)(assert (= y (_ -zero 11 53)))(check-sat)(pop)(check-sat)",
             one, one, one, one);
    expect(str_text(&text), "sat\nunsat\nsat\nunsat\nsat\n");
    str_free(&text);
    expect("(declare-const x Float32)(declare-const y Float32)"
           "(assert (and (= x (fp.div RNE y y)) (= y (_ +zero 8 24))))(check-sat)"
           "(assert (not (fp.isNaN x)))(check-sat)",
           "sat\nunsat\n");
}

static void test_cores_name_what_contradicts(void) {
    expect("(set-option :produce-unsat-cores true)(declare-const x Float64)"
           "(assert (! (fp.lt x ((_ to_fp 11 53) RNE 1.0)) :named small))"
           "(assert (! (fp.isNormal x) :named normal))"
           "(assert (! (fp.gt x ((_ to_fp 11 53) RNE 2.0)) :named large))"
           "(check-sat)(get-unsat-core)",
           "unsat\n(small large)\n");
}

static void test_failed_assumptions_are_named(void) {
    expect("(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)(assert (=> p q))"
           "(check-sat-assuming (r p (not q)))(get-unsat-assumptions)"
           "(push)(assert (not p))(check-sat-assuming (r p))(get-unsat-assumptions)",
           "unsat\n(p (not q))\nunsat\n(p)\n");
    expect_error("(check-sat)(get-unsat-assumptions)", "needs a check that answered unsat");
}

static void test_assumptions_that_cannot_be_represented(void) {
    expect("(declare-const p Bool)(declare-const h Float16)(check-sat-assuming (p (fp.lt h h)))"
           "(get-info :reason-unknown)(check-sat-assuming (p (not p) (fp.lt h h)))(check-sat)",
           "unknown\n(:reason-unknown \"floating-point formats other than Float32 and Float64\")\n"
           "unsat\nsat\n");
}

static void test_global_declarations_outlive_levels(void) {
    expect("(set-option :global-declarations true)(push)(declare-const x (_ BitVec 2))"
           "(define-fun f ((a (_ BitVec 2))) (_ BitVec 2) (bvnot a))(assert (= x #b01))(pop)"
           "(assert (= (f x) #b11))(check-sat)(get-model)(reset-assertions)(assert (= x #b10))"
           "(check-sat)(get-value (x))",
           "sat\n(\n  (define-fun x () (_ BitVec 2) #b00)\n)\nsat\n((x #b10))\n");
    expect_error("(declare-const x Bool)(set-option :global-declarations true)",
                 "before the first declaration");
}

static void test_proofs_are_checked(void) {
    expect("(set-option :produce-proofs true)(declare-const x Float32)(declare-const p Bool)"
           "(declare-const y (_ BitVec 8))(assert (fp.lt x ((_ to_fp 8 24) RNE 2.0)))"
           "(push)(assert (fp.gt (fp.add RNE x x) ((_ to_fp 8 24) RNE 4.0)))(check-sat)(pop)"
           "(assert (=> p (= (bvmul y y) #x03)))(check-sat-assuming (p))(check-sat)(get-proof)",
           "unsat\nunsat\nsat\nunsupported\n");
    expect_error("(assert true)(set-option :produce-proofs true)", "before the first assertion");
}

static void test_scopes(void) {
    expect(
        "(declare-const y (_ BitVec 4))(define-fun f ((x (_ BitVec 4))) (_ BitVec 4) (bvadd x y))"
        "(assert (= y #x1))(assert (= (let ((y #x5)) (f y)) #x6))(check-sat)",
        "sat\n");
    expect("(assert (= (let ((a #x1)) (let ((a #x2) (b a)) (bvadd a b))) #x3))(check-sat)",
           "sat\n");
    expect("(define-sort W () (_ BitVec 4))(define-const k W #x7)(declare-fun v () W)"
           "(assert (! (= v k) :named same))(assert same)(check-sat)(get-value (v))",
           "sat\n((v #x7))\n");
}

static void test_what_is_outside_is_unknown(void) {
    expect("(declare-const x Float16)(assert (fp.lt x x))(check-sat)", "unknown\n");
    expect("(declare-const x Float16)(assert (fp.lt x x))(assert false)(check-sat)", "unsat\n");
    expect("(declare-const x (_ BitVec 65))(push)(assert (= x x))(check-sat)(pop)(check-sat)",
           "unknown\nsat\n");
    expect("(declare-fun f ((_ BitVec 8)) Bool)(assert (f #x00))(check-sat)", "unknown\n");
    expect("(assert (forall ((x Bool)) x))(check-sat)(get-info :reason-unknown)",
           "unknown\n(:reason-unknown \"quantifiers\")\n");
}

/* 1 + 2^-30 in each mode; a mode that is not constant is one of the five. */
static void test_modes(void) {
#define SUM " ((_ to_fp 8 24) #x3f800000) ((_ to_fp 8 24) #x30800000))"
    expect("(assert (= (fp.add RTZ" SUM " ((_ to_fp 8 24) #x3f800000)))"
           "(assert (= (fp.add RTN" SUM " ((_ to_fp 8 24) #x3f800000)))"
           "(assert (= (fp.add RNA" SUM " ((_ to_fp 8 24) #x3f800000)))"
           "(assert (= (fp.add RTP" SUM " ((_ to_fp 8 24) #x3f800001)))(check-sat)",
           "sat\n");
    expect("(declare-const m RoundingMode)(assert (= (fp.add m" SUM
           " ((_ to_fp 8 24) #x3f800001)))(check-sat)(get-value (m))(get-model)"
           "(assert (not (= m RTP)))(check-sat)",
           "sat\n((m RTP))\n(\n  (define-fun m () RoundingMode RTP)\n)\nunsat\n");
#undef SUM
    expect("(declare-const m RoundingMode)(assert (distinct m RNE RNA RTP RTN RTZ))(check-sat)",
           "unsat\n");
    expect("(declare-const m RoundingMode)(declare-const p Bool)"
           "(assert (= m (ite p RTP RTN)))(assert (= m RTN))(check-sat)(get-value (p))",
           "sat\n((p false))\n");
    expect("(declare-const x Float32)(assert (not (fp.isNaN x)))(assert (not (fp.isInfinite x)))"
           "(assert (= (fp.sub RTN x x) (_ +zero 8 24)))(check-sat)",
           "unsat\n");
    expect("(declare-const x Float32)(assert (fp.lt (fp.mul RTP x x) (_ +zero 8 24)))(check-sat)",
           "unsat\n");
    expect("(declare-const x Float64)(assert (fp.gt ((_ to_fp 8 24) RTZ x) ((_ to_fp 8 24) RTP x)))"
           "(assert (fp.lt x ((_ to_fp 11 53) RNE 99.0001)))"
           "(assert (fp.gt x ((_ to_fp 11 53) RNE 99.0)))(check-sat)",
           "unsat\n");
}

static void test_errors_have_a_place(void) {
    expect_error("(assert true", "1:1: this '(' is never closed");
    expect_error("\n (assert true))", "2:15: ')' without '('");
    expect_error("(assert\n  (= #x1 #x12))", "2:3: =: arguments have different sorts");
    expect_error("(assert (foo true))", "1:10: unknown function 'foo'");
    expect_error("(assert foo)", "1:9: unknown symbol 'foo'");
    expect_error("(declare-const x Foo)", "1:18: unknown sort 'Foo'");
    expect_error("(declare-const x Bool)(declare-const x Bool)", "1:38: 'x' is already defined");
    expect_error("(assert #x1)", "an assertion must be Bool");
    expect_error("(assert (not true false))", "wrong number of arguments: 2");
    expect_error("(assert (= ((_ extract 9 0) #x12) #b1))", "extract: bits 9 to 0");
    expect_error("(pop)", "only 0 levels");
    expect_error("(get-model)", "needs a check that answered sat");
    expect_error("(assert \"x", "string without closing");
    expect_error("(assert |x", "quoted symbol without closing");
    expect_error("(assert #q1)", "neither a symbol nor a number");
    expect_error("(set-info :status unsat)(check-sat)", "contradicts the status");
    expect_error("foo", "expected a command");
    expect_error("(define-fun f () Bool #x1)", "has another sort");
    expect_error("(define-fun f ((x Bool)) Bool x)(assert (f #x1))", "argument 1 has another sort");
}

static void test_nesting_is_not_limited(void) {
    enum { DEPTH = 200000 };
    struct str text = {0};
    str_add(&text, "(declare-const p Bool)(assert ");
    for (int i = 0; i < DEPTH; i++)
        str_add(&text, "(not ");
    str_add(&text, "p");
    for (int i = 0; i < DEPTH; i++)
        str_addc(&text, ')');
    str_add(&text, ")(check-sat)(get-value (p))");
    expect(str_text(&text), "sat\n((p true))\n");
    str_free(&text);
}

/* ---- operators ---- */

static int signed4(int x) {
    return x >= 8 ? x - 16 : x;
}

static int smod4(int x, int y) {
    int a = signed4(x), b = signed4(y), r;
    if (b == 0)
        return x;
    r = a % b;
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

/* The value of `op` on 4-bit vectors, written down from the standard. */
static int vector_value(const char *op, int x, int y) {
    int a = signed4(x), b = signed4(y);
    bool is[] = {str_same(op, "bvadd"),  str_same(op, "bvsub"),  str_same(op, "bvmul"),
                 str_same(op, "bvudiv"), str_same(op, "bvurem"), str_same(op, "bvsdiv"),
                 str_same(op, "bvsrem"), str_same(op, "bvsmod"), str_same(op, "bvshl"),
                 str_same(op, "bvlshr"), str_same(op, "bvashr"), str_same(op, "bvand"),
                 str_same(op, "bvor"),   str_same(op, "bvxor"),  str_same(op, "bvnand"),
                 str_same(op, "bvnor"),  str_same(op, "bvxnor")};
    int values[] = {
        x + y,
        x - y,
        x * y,
        y ? x / y : 15,
        y ? x % y : x,
        b ? a / b
          : a<0 ? 1 : 15, b ? a % b : x, smod4(x, y), y<4 ? x << y : 0, y < 4 ? x >> y : 0, a>>(
                y < 4 ? y : 3),
        x & y,
        x | y,
        x ^ y,
        ~(x & y),
        ~(x | y),
        ~(x ^ y)};
    for (size_t i = 0; i < sizeof is / sizeof *is; i++)
        if (is[i])
            return values[i] & 15;
    TEST_FAIL_MESSAGE(op);
    return 0;
}

static bool vector_relation(const char *op, int x, int y) {
    bool is_signed = op[2] == 's';
    int a = is_signed ? signed4(x) : x, b = is_signed ? signed4(y) : y;
    bool greater = op[3] == 'g', or_equal = op[4] == 'e';
    return a == b ? or_equal : greater ? a > b : a < b;
}

static void test_all_binary_vector_operators(void) {
    static const char *const ops[] = {"bvadd",  "bvsub",  "bvmul",  "bvudiv", "bvurem", "bvsdiv",
                                      "bvsrem", "bvsmod", "bvshl",  "bvlshr", "bvashr", "bvand",
                                      "bvor",   "bvxor",  "bvnand", "bvnor",  "bvxnor"};
    static const char *const relations[] = {"bvult", "bvule", "bvugt", "bvuge",
                                            "bvslt", "bvsle", "bvsgt", "bvsge"};
    struct str text = {0}, wanted = {0};
    str_add(&text, "(check-sat)");
    str_add(&wanted, "sat\n");
    for (int xy = 0; xy < 256; xy++) {
        int x = xy & 15, y = xy >> 4;
        for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
            str_addf(&text, "(get-value ((%s #x%x #x%x)))", ops[i], x, y);
            str_addf(&wanted, "(((%s #x%x #x%x) #x%x))\n", ops[i], x, y,
                     vector_value(ops[i], x, y));
        }
        for (size_t i = 0; i < sizeof relations / sizeof *relations; i++) {
            str_addf(&text, "(get-value ((%s #x%x #x%x)))", relations[i], x, y);
            str_addf(&wanted, "(((%s #x%x #x%x) %s))\n", relations[i], x, y,
                     vector_relation(relations[i], x, y) ? "true" : "false");
        }
    }
    expect(str_text(&text), str_text(&wanted));
    str_free(&text);
    str_free(&wanted);
}

/* Does the exact result leave the range? */
static bool overflows(const char *op, int x, int y) {
    bool is_signed = op[2] == 's';
    int a = is_signed ? signed4(x) : x, b = is_signed ? signed4(y) : y;
    int z = strstr(op, "add") ? a + b : strstr(op, "sub") ? a - b : strstr(op, "mul") ? a * b : 0;
    if (strstr(op, "div"))
        z = b ? a / b : 0;
    return z < (is_signed ? -8 : 0) || z > (is_signed ? 7 : 15);
}

static void test_overflow_predicates(void) {
    static const char *const ops[] = {"bvuaddo", "bvsaddo", "bvusubo", "bvssubo",
                                      "bvumulo", "bvsmulo", "bvsdivo"};
    struct str text = {0}, wanted = {0};
    str_add(&text, "(check-sat)");
    str_add(&wanted, "sat\n");
    for (int xy = 0; xy < 256; xy++)
        for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
            str_addf(&text, "(get-value ((%s #x%x #x%x)))", ops[i], xy & 15, xy >> 4);
            str_addf(&wanted, "(((%s #x%x #x%x) %s))\n", ops[i], xy & 15, xy >> 4,
                     overflows(ops[i], xy & 15, xy >> 4) ? "true" : "false");
        }
    for (int x = 0; x < 16; x++) {
        str_addf(&text,
                 "(get-value ((bvnego #x%x) (bvredor #x%x) (bvredand #x%x) (bvredxor #x%x)))", x, x,
                 x, x);
        str_addf(&wanted, "(((bvnego #x%x) %s)\n ((bvredor #x%x) #b%d)\n", x,
                 x == 8 ? "true" : "false", x, x != 0);
        str_addf(&wanted, " ((bvredand #x%x) #b%d)\n ((bvredxor #x%x) #b%d))\n", x, x == 15, x,
                 __builtin_parity((unsigned)x));
    }
    expect(str_text(&text), str_text(&wanted));
    str_free(&text);
    str_free(&wanted);
}

static void expect_value(const char *term, const char *value) {
    struct str text = {0}, wanted = {0};
    str_addf(&text, "(define-const v %s %s)(check-sat)(get-value (v))",
             value[0] == 't' || value[0] == 'f'   ? "Bool"
             : value[0] == '#' && value[1] == 'b' ? "(_ BitVec 1)"
             : value[0] == '#'                    ? "(_ BitVec 8)"
                                                  : "Float32",
             term);
    str_addf(&wanted, "sat\n((v %s))\n", value);
    expect(str_text(&text), str_text(&wanted));
    str_free(&text);
    str_free(&wanted);
}

static void test_other_vector_operators(void) {
    expect_value("(bvnot #x5a)", "#xa5");
    expect_value("(bvneg #x01)", "#xff");
    expect_value("(concat #xa #b01 #b11)", "#xa7");
    expect_value("((_ extract 9 2) #xabcd)", "#xf3");
    expect_value("((_ zero_extend 4) #x9)", "#x09");
    expect_value("((_ sign_extend 4) #x9)", "#xf9");
    expect_value("((_ rotate_left 3) #x81)", "#x0c");
    expect_value("((_ rotate_right 9) #x81)", "#xc0");
    expect_value("((_ repeat 2) #xa)", "#xaa");
    expect_value("(bvcomp #x12 #x12)", "#b1");
    expect_value("(bvadd #x01 #x02 #xff)", "#x02");
    expect_value("(_ bv300 8)", "#x2c");
    expect_value("(=> true false true)", "true");
    expect_value("(xor true true true)", "true");
    expect_value("(distinct #x1 #x2 #x1)", "false");
    expect_value("(= #x1 #x1 #x2)", "false");
}

static void test_float_operators(void) {
    expect_value("(fp #b0 #x7f (_ bv0 23))", "(fp #b0 #b01111111 #b00000000000000000000000)");
    expect_value("(fp.add RNE (_ +oo 8 24) (_ -oo 8 24))", "(_ NaN 8 24)");
    expect_value("(fp.sub RNE (_ -zero 8 24) (_ +zero 8 24))", "(_ -zero 8 24)");
    expect_value("(fp.sqrt RNE (_ -zero 8 24))", "(_ -zero 8 24)");
    expect_value("(fp.neg ((_ to_fp 8 24) #x80000000))", "(_ +zero 8 24)");
    expect_value("(fp.isNegative (_ -zero 8 24))", "true");
    expect_value("(fp.isPositive (_ NaN 8 24))", "false");
    expect_value("(fp.isSubnormal ((_ to_fp 8 24) #x007fffff))", "true");
    expect_value("(fp.isNormal ((_ to_fp 8 24) #x00800000))", "true");
    expect_value("(fp.isNormal (_ +oo 8 24))", "false");
    expect_value("(= (_ +zero 8 24) (_ -zero 8 24))", "false");
    expect_value("(fp.eq (_ +zero 8 24) (_ -zero 8 24))", "true");
    expect_value("(= (_ NaN 8 24) (fp.div RNE (_ +zero 8 24) (_ +zero 8 24)))", "true");
    expect_value("(fp.lt ((_ to_fp 8 24) RNE 1.0) ((_ to_fp 8 24) RNE 2.0) (_ +oo 8 24))", "true");
    expect_value("((_ fp.to_sbv 8) RTZ ((_ to_fp 8 24) RNE (- 3.7)))", "#xfd");
    expect_value("((_ fp.to_sbv 8) RNE ((_ to_fp 8 24) RNE 2.5))", "#x02");
    expect_value("((_ fp.to_sbv 8) RNA ((_ to_fp 8 24) RNE 2.5))", "#x03");
    expect_value("((_ fp.to_ubv 8) RTP ((_ to_fp 8 24) RNE 254.5))", "#xff");
    expect_value("((_ fp.to_ubv 8) RTN ((_ to_fp 8 24) RNE 0.5))", "#x00");
    expect_value("((_ to_fp 8 24) RTZ #x81)", "(fp #b1 #b10000101 #b11111100000000000000000)");
    expect_value("((_ to_fp_unsigned 8 24) RNE #x81)",
                 "(fp #b0 #b10000110 #b00000010000000000000000)");
    expect_value("(fp.rem ((_ to_fp 8 24) RNE 5.0) ((_ to_fp 8 24) RNE 3.0))",
                 "(fp #b1 #b01111111 #b00000000000000000000000)");
    expect_value("(fp.roundToIntegral RNA ((_ to_fp 8 24) RNE 0.5))",
                 "(fp #b0 #b01111111 #b00000000000000000000000)");
}

/* Unspecified results are free, but a function of the arguments. */
static void test_unspecified_results(void) {
    /* those of two functions have nothing to do with each other */
    expect("(declare-const x Float32)(declare-const y Float32)(assert (fp.isNaN x))"
           "(assert (fp.isNaN y))(assert (= ((_ fp.to_ubv 8) RTZ x) #x01))"
           "(assert (= ((_ fp.to_sbv 8) RTZ y) #x02))(check-sat)",
           "sat\n");
    expect("(declare-const x Float32)(declare-const y Float32)"
           "(define-const z Float32 (fp.min x y))(assert (fp.isZero x))(assert (fp.isZero y))"
           "(assert (fp.isNegative x))(assert (fp.isPositive y))"
           "(push)(assert (fp.isNegative z))(check-sat)(pop)"
           "(push)(assert (fp.isPositive z))(check-sat)(pop)"
           "(assert (distinct z (fp.min (_ -zero 8 24) (_ +zero 8 24))))(check-sat)",
           "sat\nsat\nunsat\n");
    expect("(declare-const x Float32)(declare-const y Float32)"
           "(define-const a (_ BitVec 8) ((_ fp.to_ubv 8) RTZ x))"
           "(define-const b (_ BitVec 8) ((_ fp.to_ubv 8) RTZ y))"
           "(assert (fp.isNaN x))(assert (fp.isNaN y))"
           "(push)(assert (= a #x17))(check-sat)(pop)(assert (distinct a b))(check-sat)",
           "sat\nunsat\n");
    expect("(declare-const x Float32)(assert (fp.isNaN x))"
           "(assert (= (fp.to_ieee_bv x) #x7fc00001))(check-sat)"
           "(assert (= (fp.to_ieee_bv x) #x7f800000))(check-sat)",
           "sat\nunsat\n");
}

/* ---- rounding of reals ---- */

static uint64_t rounded(const char *mode, const char *decimal) {
    struct str text = {0}, out = {0}, message = {0};
    str_addf(&text,
             "(declare-const b (_ BitVec 32))(assert (= ((_ to_fp 8 24) b) "
             "((_ to_fp 8 24) %s %s)))(check-sat)(get-value (b))",
             mode, decimal);
    run(str_text(&text), &out, &message);
    TEST_ASSERT_EQUAL_STRING("", str_text(&message));
    const char *at = strstr(str_text(&out), "#x");
    TEST_ASSERT_NOT_NULL_MESSAGE(at, str_text(&out));
    uint64_t bits = strtoull(at + 2, NULL, 16);
    str_free(&text);
    str_free(&out);
    return bits;
}

static void test_decimals_round_like_strtof(void) {
    struct rng rng;
    rng_init(&rng, 8);
    for (int i = 0; i < 300; i++) {
        char decimal[200];
        int digits = snprintf(decimal, sizeof decimal, "%llu.",
                              (unsigned long long)(rng_next(&rng) >> rng_below(&rng, 64)));
        int zeros = (int)rng_below(&rng, 50);
        for (int k = 0; k < zeros; k++)
            decimal[digits++] = i % 3 ? '0' : (char)('0' + rng_below(&rng, 10));
        snprintf(decimal + digits, sizeof decimal - (size_t)digits, "%llu",
                 (unsigned long long)rng_below(&rng, 1000000));
        TEST_ASSERT_EQUAL_HEX64(f32_bits(strtof(decimal, NULL)), rounded("RNE", decimal));
    }
}

static void test_rounding_modes_of_reals(void) {
    TEST_ASSERT_EQUAL_HEX64(0x3dcccccd, rounded("RNE", "0.1"));
    TEST_ASSERT_EQUAL_HEX64(0x3dcccccc, rounded("RTZ", "0.1"));
    TEST_ASSERT_EQUAL_HEX64(0x3dcccccc, rounded("RTN", "0.1"));
    TEST_ASSERT_EQUAL_HEX64(0x3dcccccd, rounded("RTP", "0.1"));
    TEST_ASSERT_EQUAL_HEX64(0xbdcccccd, rounded("RTN", "(- 0.1)"));
    TEST_ASSERT_EQUAL_HEX64(0x3eaaaaab, rounded("RNE", "(/ 1 3)"));
    /* halfway between 2^24 and its neighbour: to even, and away */
    TEST_ASSERT_EQUAL_HEX64(0x4b800000, rounded("RNE", "16777217"));
    TEST_ASSERT_EQUAL_HEX64(0x4b800001, rounded("RNA", "16777217"));
    TEST_ASSERT_EQUAL_HEX64(0xcb800001, rounded("RNA", "(- 16777217.0)"));
    TEST_ASSERT_EQUAL_HEX64(0x4b800000, rounded("RNA", "16777216.999"));
    /* half of the least subnormal, and the overflow threshold */
    TEST_ASSERT_EQUAL_HEX64(0,
                            rounded("RNE", "(/ 1 1427247692705959881058285969449495136382746624)"));
    TEST_ASSERT_EQUAL_HEX64(0,
                            rounded("RNE", "(/ 1 2854495385411919762116571938898990272765493248)"));
    TEST_ASSERT_EQUAL_HEX64(1,
                            rounded("RNA", "(/ 1 1427247692705959881058285969449495136382746624)"));
    TEST_ASSERT_EQUAL_HEX64(0x7f800000, rounded("RNE", "340282356779733661637539395458142568448"));
    TEST_ASSERT_EQUAL_HEX64(0x7f7fffff,
                            rounded("RNE", "340282356779733661637539395458142568447.9"));
    TEST_ASSERT_EQUAL_HEX64(0x7f800000, rounded("RNA", "340282356779733661637539395458142568448"));
    TEST_ASSERT_EQUAL_HEX64(0x7f7fffff,
                            rounded("RTZ", "999999999999999999999999999999999999999999"));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_answers);
    RUN_TEST(test_levels_and_assumptions);
    RUN_TEST(test_equations_define_variables);
    RUN_TEST(test_cores_name_what_contradicts);
    RUN_TEST(test_failed_assumptions_are_named);
    RUN_TEST(test_assumptions_that_cannot_be_represented);
    RUN_TEST(test_global_declarations_outlive_levels);
    RUN_TEST(test_proofs_are_checked);
    RUN_TEST(test_scopes);
    RUN_TEST(test_overflow_predicates);
    RUN_TEST(test_what_is_outside_is_unknown);
    RUN_TEST(test_modes);
    RUN_TEST(test_errors_have_a_place);
    RUN_TEST(test_nesting_is_not_limited);
    RUN_TEST(test_all_binary_vector_operators);
    RUN_TEST(test_other_vector_operators);
    RUN_TEST(test_float_operators);
    RUN_TEST(test_unspecified_results);
    RUN_TEST(test_decimals_round_like_strtof);
    RUN_TEST(test_rounding_modes_of_reals);
    return UNITY_END();
}
