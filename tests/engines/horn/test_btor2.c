/* BTOR2: every operator against C, constants, states without a start or a next value, what is
 * refused and where. */
#include "engines/horn/run.h"

#include "unity.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void setUp(void) {
}
void tearDown(void) {
}

static void read_text(struct horn *horn, const char *text) {
    struct err err = {0};
    TEST_ASSERT_EQUAL(HORN_BTOR2, horn_form(text, strlen(text)));
    if (!horn_read(horn, "t.btor2", text, strlen(text), &err)) {
        fprintf(stderr, "%s:%d: %s\n", text, err.line, str_text(&err.message));
        TEST_FAIL();
    }
}

/* ---- operators ---- */

enum { W = 4, MASK = 15, SIGN = 8 };

static int64_t s4(uint32_t x) {
    return x & SIGN ? (int64_t)x - 16 : (int64_t)x;
}

static uint32_t out_of_range(int64_t x) {
    return x < -8 || x > 7;
}

static uint32_t f_sdiv(uint32_t a, uint32_t b) {
    return b == 0 ? (a & SIGN ? 1 : MASK) : (uint32_t)(s4(a) / s4(b)) & MASK;
}
static uint32_t f_srem(uint32_t a, uint32_t b) {
    return b == 0 ? a : (uint32_t)(s4(a) % s4(b)) & MASK;
}
static uint32_t f_smod(uint32_t a, uint32_t b) {
    int64_t rem = b == 0 ? s4(a) : s4(a) % s4(b);
    return (uint32_t)(b != 0 && rem != 0 && (rem < 0) != (s4(b) < 0) ? rem + s4(b) : rem) & MASK;
}
static uint32_t f_rol(uint32_t a, uint32_t b) {
    return (a << b % W | a >> (W - b % W)) & MASK;
}
static uint32_t f_ror(uint32_t a, uint32_t b) {
    return (a >> b % W | a << (W - b % W)) & MASK;
}

#define BINARY(X)                                                                                  \
    X(eq, 1, a == b)                                                                               \
    X(neq, 1, a != b)                                                                              \
    X(sgt, 1, s4(a) > s4(b))                                                                       \
    X(ugt, 1, a > b)                                                                               \
    X(sgte, 1, s4(a) >= s4(b))                                                                     \
    X(ugte, 1, a >= b)                                                                             \
    X(slt, 1, s4(a) < s4(b))                                                                       \
    X(ult, 1, a < b)                                                                               \
    X(slte, 1, s4(a) <= s4(b))                                                                     \
    X(ulte, 1, a <= b)                                                                             \
    X(and, W, a &b)                                                                                \
    X(nand, W, ~(a & b))                                                                           \
    X(nor, W, ~(a | b))                                                                            \
    X(or, W, a | b)                                                                                \
    X(xnor, W, ~(a ^ b))                                                                           \
    X(xor, W, a ^ b)                                                                               \
    X(rol, W, f_rol(a, b))                                                                         \
    X(ror, W, f_ror(a, b))                                                                         \
    X(sll, W, b < W ? a << b : 0)                                                                  \
    X(sra, W, (uint32_t)(s4(a) >> (b < W ? b : W)))                                                \
    X(srl, W, b < W ? a >> b : 0)                                                                  \
    X(add, W, a + b)                                                                               \
    X(mul, W, a *b)                                                                                \
    X(udiv, W, b ? a / b : MASK)                                                                   \
    X(sdiv, W, f_sdiv(a, b))                                                                       \
    X(urem, W, b ? a % b : a)                                                                      \
    X(srem, W, f_srem(a, b))                                                                       \
    X(smod, W, f_smod(a, b))                                                                       \
    X(sub, W, a - b)                                                                               \
    X(uaddo, 1, a + b > MASK)                                                                      \
    X(saddo, 1, out_of_range(s4(a) + s4(b)))                                                       \
    X(usubo, 1, a < b)                                                                             \
    X(ssubo, 1, out_of_range(s4(a) - s4(b)))                                                       \
    X(umulo, 1, a *b > MASK)                                                                       \
    X(smulo, 1, out_of_range(s4(a) * s4(b)))                                                       \
    X(sdivo, 1, a == SIGN && b == MASK)                                                            \
    X(concat, 2 * W, a << W | b)

#define UNARY(X)                                                                                   \
    X("not", W, "", ~a)                                                                            \
    X("inc", W, "", a + 1)                                                                         \
    X("dec", W, "", a - 1)                                                                         \
    X("neg", W, "", 0 - a)                                                                         \
    X("redand", 1, "", a == MASK)                                                                  \
    X("redor", 1, "", a != 0)                                                                      \
    X("redxor", 1, "", (uint32_t)__builtin_popcount(a))                                            \
    X("sext", 8, " 4", (uint32_t)s4(a))                                                            \
    X("uext", 8, " 4", a)                                                                          \
    X("uext", W, " 0", a)                                                                          \
    X("slice", 2, " 2 1", a >> 1)                                                                  \
    X("slice", 1, " 3 3", a >> 3)

struct calls {
    struct str text;
    uint32_t line, bad; /* the last, and the one that is true where a result is wrong */
    bool wrong;         /* the results expected are all another one */
};

/* Sorts have their width as number. */
static void begin(struct calls *c) {
    for (int w = 1; w <= 8; w++)
        str_addf(&c->text, "%d sort bitvec %d\n", w, w);
    str_add(&c->text, "9 zero 1\n");
    c->line = c->bad = 9;
}

static void add(struct calls *c, const char *call, uint32_t width, uint32_t result) {
    uint32_t mask = (1u << width) - 1;
    str_addf(&c->text, "%u %s\n%u constd %u %u\n%u neq 1 %u %u\n", c->line + 1, call, c->line + 2,
             width, (result ^ c->wrong) & mask, c->line + 3, c->line + 1, c->line + 2);
    str_addf(&c->text, "%u or 1 %u %u\n", c->line + 4, c->bad, c->line + 3);
    c->line += 4;
    c->bad = c->line;
}

static void check(struct calls *c) {
    struct horn horn;
    str_addf(&c->text, "%u bad %u\n", c->line + 1, c->bad);
    read_text(&horn, str_text(&c->text));
    term_t hit = horn.sys.targets.data[0].hit;
    TEST_ASSERT_TRUE(c->wrong ? term_is_true(horn.sys.terms, hit)
                              : term_is_false(horn.sys.terms, hit));
    horn_free(&horn);
    str_free(&c->text);
}

static uint32_t constant(struct calls *c, uint32_t value) {
    str_addf(&c->text, "%u constd %d %u\n", ++c->line, W, value);
    return c->line;
}

static void call_all(bool wrong) {
    struct calls c = {.wrong = wrong};
    char call[64];
    begin(&c);
    for (uint32_t a = 0; a <= MASK; a++) {
        uint32_t x = constant(&c, a);
#define X(name, width, more, result)                                                               \
    snprintf(call, sizeof call, "%s %d %u%s", name, width, x, more);                               \
    add(&c, call, width, result);
        UNARY(X)
#undef X
        for (uint32_t b = 0; b <= MASK; b++) {
            uint32_t y = constant(&c, b);
#define X(name, width, result)                                                                     \
    snprintf(call, sizeof call, "%s %d %u %u", #name, width, x, y);                                \
    add(&c, call, width, result);
            BINARY(X)
#undef X
        }
    }
    check(&c);
}

static void test_operators(void) {
    call_all(false);
    call_all(true);
}

/* Of one bit, where operators are those of formulas. */
static void test_bits(void) {
    for (int wrong = 0; wrong < 2; wrong++) {
        struct calls c = {.wrong = wrong};
        char call[64];
        begin(&c);
        str_add(&c.text, "10 one 1\n");
        c.line = 10;
        for (uint32_t a = 0; a < 2; a++)
            for (uint32_t b = 0; b < 2; b++) {
                uint32_t results[] = {a & b,  !(a & b),   a | b,   !(a | b), a ^ b, a == b,
                                      a == b, a != b,     !a || b, a ^ b,    a & b, a > b,
                                      a < b,  a << 1 | b, a & b,   a > b,    a,     a};
                static const char *const names[] = {
                    "and", "nand", "or",  "nor", "xor",    "xnor",  "iff", "neq", "implies",
                    "add", "mul",  "ugt", "ult", "concat", "uaddo", "sll", "rol", "ror"};

                for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
                    int width = strcmp(names[i], "concat") == 0 ? 2 : 1;
                    snprintf(call, sizeof call, "%s %d %u %u", names[i], width, 9 + a, 9 + b);
                    add(&c, call, (uint32_t)width, results[i]);
                }
                snprintf(call, sizeof call, "ite 1 %u -%u %u", 9 + a, 9 + b, 9 + b);
                add(&c, call, 1, a ^ b);
            }
        check(&c);
    }
}

static void test_constants(void) {
    struct calls c = {0};
    begin(&c);
    add(&c, "const 4 1010", 4, 10);
    add(&c, "consth 8 aF", 8, 0xaf);
    add(&c, "constd 4 -8", 4, 8);
    add(&c, "constd 1 -1", 1, 1);
    add(&c, "ones 3", 3, 7);
    add(&c, "one 3", 3, 1);
    check(&c);
}

/* ---- systems ---- */

static void expect(const char *text, enum horn_verdict expected) {
    struct horn horn;
    read_text(&horn, text);
    struct horn_run_options options = {.knobs = &knobs_default, .seed = 1};
    struct horn_run *run = horn_run_open(&horn, &options);
    enum horn_verdict said = HORN_OPEN;
    const char *what = "";
    for (int i = 0; i < 100 && said == HORN_OPEN; i++)
        said = horn_run_step(run, 200000);
    TEST_ASSERT_EQUAL_MESSAGE(expected, said, text);
    TEST_ASSERT_TRUE_MESSAGE(horn_check(&horn, horn_run_answer(run), &what), what);
    horn_run_close(run);
    horn_free(&horn);
}

#define SORTS "1 sort bitvec 8\n2 sort bitvec 1\n3 zero 1\n4 constd 1 2\n5 constd 1 7\n"

static void test_systems(void) {
    static const char by_two[] = SORTS "6 state 1 x\n7 init 1 6 3\n8 add 1 6 4\n9 next 1 6 8\n";
    struct str text = {0};
    str_addf(&text, "%s10 eq 2 6 5\n11 bad 10\n", by_two);
    expect(str_text(&text), HORN_SAFE);
    str_clear(&text);
    str_addf(&text, "%s10 constd 1 8\n11 eq 2 6 10\n12 bad 11 ; comment\n", by_two);
    expect(str_text(&text), HORN_UNSAFE);
    /* what a constraint forbids is not reached, nor hit in the same step */
    str_addf(&text, "13 neq 2 6 4\n14 constraint 13\n");
    expect(str_text(&text), HORN_SAFE);
    str_clear(&text);
    str_addf(&text, "%s10 eq 2 6 4\n11 bad 10\n12 constraint -10\n", by_two);
    expect(str_text(&text), HORN_SAFE);
    str_free(&text);
    /* any start; any next value; the start of a state before it */
    expect(SORTS "6 state 1\n7 next 1 6 6\n8 eq 2 6 5\n9 bad 8\n", HORN_UNSAFE);
    expect(SORTS "6 state 1\n7 init 1 6 3\n8 eq 2 6 5\n9 bad 8\n", HORN_UNSAFE);
    expect(SORTS "6 state 1\n7 state 1\n8 init 1 7 6\n9 next 1 6 6\n10 next 1 7 7\n"
                 "11 neq 2 6 7\n12 bad 11\n",
           HORN_SAFE);
    /* either property */
    expect(SORTS "6 state 1\n7 init 1 6 3\n8 next 1 6 6\n9 eq 2 6 5\n10 bad 9\n11 eq 2 6 3\n"
                 "12 bad 11\n",
           HORN_UNSAFE);
}

/* ---- what is refused ---- */

static void refuse(const char *text, int line, int col, const char *part) {
    struct horn horn;
    struct err err = {0};
    TEST_ASSERT_FALSE_MESSAGE(horn_read(&horn, "t.btor2", text, strlen(text), &err), text);
    TEST_ASSERT_EQUAL_MESSAGE(ERR_USAGE, err.code, text);
    TEST_ASSERT_EQUAL_STRING("t.btor2", str_text(&err.file));
    TEST_ASSERT_EQUAL_MESSAGE(line, err.line, text);
    TEST_ASSERT_EQUAL_MESSAGE(col, err.col, text);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&err.message), part), str_text(&err.message));
    err_clear(&err);
    horn_free(&horn);
}

static void test_refused(void) {
    refuse("1 sort bitvec 65\n", 1, 15, "64 bits");
    refuse("1 sort bitvec 0\n", 1, 15, "at least one");
    refuse("1 sort bitvec 9999999999\n", 1, 15, "no number");
    refuse("1 sort bitvec 8\n2 sort array 1 1\n", 2, 8, "arrays");
    refuse("1 sort\n", 1, 3, "sort bitvec");
    refuse("1\n", 1, 1, "a line is");
    refuse("1 sort bitvec 8\n1 zero 1\n", 2, 1, "not above");
    refuse("1 sort bitvec 8\n2 zero 3\n", 2, 8, "number of a sort");
    refuse("1 sort bitvec 8\n2 zero 1\n3 zero 2\n", 3, 8, "no sort");
    refuse("1 sort bitvec 8\n2 zero 1\n3 add 1 2\n", 3, 1, "needs more");
    refuse("1 sort bitvec 8\n2 zero 1\n3 add 1 2 x\n", 3, 11, "no number");
    refuse("1 sort bitvec 8\n2 zero 1\n3 add 1 2 1\n", 3, 11, "no node with a value");
    refuse("1 sort bitvec 8\n2 zero 1\n3 frob 1 2\n", 3, 3, "no operator");
    refuse("1 sort bitvec 8\n2 zero 1\n3 not 1 2 name more\n", 3, 16, "more than the line");
    refuse("1 sort bitvec 8\n2 zero 1\n3 eq 1 2 2\n", 3, 6, "one bit");
    refuse("1 sort bitvec 8\n2 constd 1 256\n", 2, 12, "no constant");
    refuse("1 sort bitvec 8\n2 constd 1 -129\n", 2, 12, "no constant");
    refuse("1 sort bitvec 8\n2 const 1 12\n", 2, 11, "no constant");
    refuse("1 sort bitvec 8\n2 zero 1\n3 slice 1 2 8 1\n", 3, 13, "range of bits");
    refuse("1 sort bitvec 8\n2 zero 1\n3 uext 1 2 1\n", 3, 12, "width of the sort");
    refuse("1 sort bitvec 8\n2 zero 1\n3 concat 1 2 2\n", 3, 10, "width of the sort");
    refuse("1 sort bitvec 8\n2 zero 1\n3 next 1 2 2\n", 3, 10, "no state");
    refuse("1 sort bitvec 8\n2 state 1 x\n3 next 1 2 2\n4 next 1 2 2\n", 4, 10, "already");
    refuse("1 sort bitvec 8\n2 state 1 x\n3 bad 2\n", 3, 7, "another width");
    refuse("1 sort bitvec 1\n2 state 1 x\n3 justice 1 2\n", 3, 3, "only safety");
    refuse("1 sort bitvec 1\n2 state 1 x\n", 2, 1, "no property");
    refuse("1 sort bitvec 1\n2 state 1 x\n3 input 1\n4 init 1 2 3\n5 bad 2\n", 4, 1,
           "states before it");
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_operators);
    RUN_TEST(test_bits);
    RUN_TEST(test_constants);
    RUN_TEST(test_systems);
    RUN_TEST(test_refused);
    return UNITY_END();
}
