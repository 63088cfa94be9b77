/* Rounding modes of SMT-LIB: what we say an operation gives, Z3 has to confirm. */
#include "engines/smtlib/smt.h"

#include "base/rng.h"

#include "unity.h"

#include <string.h>
#include <z3.h>

enum { SCRIPTS = 250 };

void setUp(void) {
}
void tearDown(void) {
}

static const char *const modes[] = {"RNE", "RNA", "RTP", "RTN", "RTZ"};

static bool wide_format(struct rng *rng) {
    return rng_below(rng, 2);
}

/* Corners, values near 1 with few digits, and any. */
static void some_float(struct str *out, struct rng *rng, bool wide) {
    static const char *const names[] = {"+zero", "-zero", "+oo", "-oo", "NaN"};
    uint64_t bits = rng_next(rng), one = wide ? 0x3ff0000000000000 : 0x3f800000;
    if (rng_below(rng, 8) == 0) {
        str_addf(out, "(_ %s %s)", names[rng_below(rng, 5)], wide ? "11 53" : "8 24");
        return;
    }
    if (rng_below(rng, 2))
        bits = one + (bits & ~(uint64_t)0 << rng_below(rng, wide ? 52 : 23)) % (one / 16);
    else if (rng_below(rng, 3) == 0)
        bits %= 5000; /* subnormal */
    bits ^= (uint64_t)rng_below(rng, 2) << (wide ? 63 : 31);
    if (wide)
        str_addf(out, "((_ to_fp 11 53) #x%016llx)", (unsigned long long)bits);
    else
        str_addf(out, "((_ to_fp 8 24) #x%08x)", (unsigned)bits);
}

/* An operation that rounds; its sort is a float of the format, or `bits` bits. */
static void some_operation(struct str *out, struct rng *rng, bool wide, unsigned *bits) {
    static const char *const names[] = {
        "add", "sub", "mul", "div", "fma", "sqrt", "roundToIntegral"};
    static const int arity[] = {2, 2, 2, 2, 3, 1, 1};
    static const unsigned widths[] = {8, 24, 25, 32, 53, 54, 61, 64};
    uint64_t kind = rng_below(rng, 10);
    *bits = 0;
    if (kind == 7) { /* between the formats */
        str_addf(out, "((_ to_fp %s) m ", wide ? "11 53" : "8 24");
        some_float(out, rng, !wide);
    } else if (kind == 8) { /* an integer */
        unsigned width = widths[rng_below(rng, 8)];
        uint64_t value = rng_next(rng) >> rng_below(rng, 64);
        str_addf(out, "((_ to_fp%s %s) m (_ bv%llu %u)", rng_below(rng, 2) ? "" : "_unsigned",
                 wide ? "11 53" : "8 24",
                 (unsigned long long)(value & ~(uint64_t)0 >> (64 - width)), width);
    } else if (kind == 9) {
        *bits = widths[rng_below(rng, 8)];
        str_addf(out, "((_ fp.to_%s %u) m ", rng_below(rng, 2) ? "sbv" : "ubv", *bits);
        some_float(out, rng, wide);
    } else {
        str_addf(out, "(fp.%s m", names[kind]);
        for (int i = 0; i < arity[kind]; i++) {
            str_addc(out, ' ');
            some_float(out, rng, wide);
        }
    }
    str_addc(out, ')');
}

static void answer(const char *script, struct str *out) {
    struct err err = {0};
    struct smt *smt = smt_new(&(struct smt_options){.file = "t.smt2"}, script, strlen(script));
    enum smt_step step;
    do
        step = smt_step(smt, out, &err);
    while (step == SMT_MORE);
    TEST_ASSERT_EQUAL_STRING_MESSAGE("", str_text(&err.message), script);
    err_clear(&err);
    smt_free(smt);
}

static bool z3_says_sat(const char *script) {
    Z3_config config = Z3_mk_config();
    Z3_context context = Z3_mk_context(config);
    Z3_del_config(config);
    const char *said = Z3_eval_smtlib2_string(context, script);
    bool sat = strncmp(said, "sat", 3) == 0;
    Z3_del_context(context);
    return sat;
}

/* A mode and an operation: the value that we find for it, for Z3 to agree with. A
 * conversion to an integer that does not fit may be anything, also for Z3. */
static void check_one(struct rng *rng) {
    struct str script = {0}, said = {0}, sort = {0};
    unsigned bits;
    bool wide = wide_format(rng);
    str_addf(&script, "(define-fun m () RoundingMode %s)\n", modes[rng_below(rng, 5)]);
    struct str operation = {0};
    some_operation(&operation, rng, wide, &bits);
    str_addf(&sort, bits ? "(_ BitVec %u)" : "(_ FloatingPoint %u %u)",
             bits   ? bits
             : wide ? 11u
                    : 8u,
             wide ? 53u : 24u);
    str_addf(&script, "(declare-const r %s)\n(assert (= r %s))\n", str_text(&sort),
             str_text(&operation));
    struct str asked = {0}, checked = {0};
    str_addf(&asked, "%s(check-sat)(get-value (r))", str_text(&script));
    answer(str_text(&asked), &said);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, strncmp(str_text(&said), "sat\n((r ", 8), str_text(&asked));
    const char *value = str_text(&said) + 8;
    str_addf(&checked, "%s(assert (= r %.*s))(check-sat)", str_text(&script),
             (int)(strrchr(value, ')') - value - 1), value);
    TEST_ASSERT_TRUE_MESSAGE(z3_says_sat(str_text(&checked)), str_text(&checked));
    str_free(&script);
    str_free(&said);
    str_free(&asked);
    str_free(&checked);
    str_free(&sort);
    str_free(&operation);
}

static void test_values_are_those_of_z3(void) {
    struct rng rng;
    rng_init(&rng, 12);
    for (int i = 0; i < SCRIPTS; i++)
        check_one(&rng);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_values_are_those_of_z3);
    return UNITY_END();
}
