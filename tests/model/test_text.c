/* Text forms: golden texts, round trips, and malformed text that must end in an error with a line.
 */
#include "base/mem.h"
#include "model/system/machine.h"
#include "model/system/fact.h"
#include "model/term/reader.h"
#include "model/term/value.h"
#include "random_system.h"

#include "system_read.h"
#include "unity.h"

#include <float.h>
#include <math.h>

enum { SYSTEMS = 150, MUTANTS = 60 };

static const char golden[] = "system 1 \"counter\"\n"
                             "b1 table i16 10 -20 30\n"
                             "t1 const bool true\n"
                             "t2 const bool false\n"
                             "t3 var i16 signed \"n\"\n"
                             "t4 var bool unsigned \"go \\\"now\\\"\"\n"
                             "t5 const i16 0\n"
                             "t6 const i16 1\n"
                             "t7 add i16 t3 t6\n"
                             "t8 ite i16 t4 t7 t3\n"
                             "t9 table i16 b1 t3\n"
                             "t10 const i16 -20\n"
                             "t11 = bool t9 t10\n"
                             "t12 var f32 signed \"k\"\n"
                             "t13 const f32 0.1\n"
                             "t14 flt bool t12 t13\n"
                             "t15 var i8 unsigned \"c\"\n"
                             "cell \"n\" t3 init t5 next t8\n"
                             "input \"go \\\"now\\\"\" t4 step id 3\n"
                             "input \"k\" t12 init unspecified\n"
                             "target \"hit\" goal 12 hit t11 init t14\n"
                             "target \"loop\" overrun 0 hit t2\n"
                             "folded \"c\" t15 value 200\n"
                             "init-ok t1\n"
                             "step-ok t1\n"
                             "unspecified t2\n"
                             "init-unspecified t14\n"
                             "end\n";

static struct terms ts;
static struct system sys;
static struct err err;

void setUp(void) {
    terms_init(&ts);
    system_init(&sys, &ts);
}
void tearDown(void) {
    system_free(&sys);
    terms_free(&ts);
    err_clear(&err);
}

static void read_golden(void) {
    bool ok = system_read(&sys, golden, "golden", &err);
    TEST_ASSERT_TRUE_MESSAGE(ok, str_text(&err.message));
}

/* ---- values ---- */

static void expect_value(sort_t sort, bool is_signed, uint64_t bits, const char *text) {
    struct str out = {0};
    value_print(sort, is_signed, bits, &out);
    TEST_ASSERT_EQUAL_STRING(text, str_text(&out));
    uint64_t back = 0;
    TEST_ASSERT_TRUE(value_parse(sort, text, &back));
    TEST_ASSERT_EQUAL_HEX64(bits, back);
    str_free(&out);
}

static void test_values_as_people_write_them(void) {
    expect_value(SORT_BOOL, false, 1, "true");
    expect_value(8, true, 0xff, "-1");
    expect_value(8, false, 0xff, "255");
    expect_value(64, true, (uint64_t)1 << 63, "-9223372036854775808");
    expect_value(64, false, UINT64_MAX, "18446744073709551615");
    expect_value(SORT_F32, true, f32_bits(0.5f), "0.5");
    expect_value(SORT_F32, true, f32_bits(0.1f), "0.1");
    expect_value(SORT_F32, true, f32_bits(3.0f), "3.0");
    expect_value(SORT_F32, true, f32_bits(-0.0f), "-0.0");
    expect_value(SORT_F32, true, f32_bits(0.1f) + 1, "0.10000001");
    expect_value(SORT_F64, true, f64_bits(1e300), "1e+300");
    expect_value(SORT_F64, true, f64_bits(1.0 / 3), "0.3333333333333333");
    expect_value(SORT_F64, true, f64_bits(-INFINITY), "-inf");
    expect_value(SORT_F64, true, 0x7ff8000000000000u, "nan");
    expect_value(SORT_F64, true, f64_bits(DBL_TRUE_MIN), "5e-324");
}

static void test_random_values_survive(void) {
    static const sort_t sorts[] = {SORT_BOOL, 1, 7, 32, 64, SORT_F32, SORT_F64};
    struct rng rng;
    rng_init(&rng, 3);
    for (int i = 0; i < 20000; i++) {
        sort_t sort = sorts[rng_below(&rng, 7)];
        uint64_t bits = rng_next(&rng) >> (64 - sort_width(sort)), back = 0;
        if (bits_are_nan(sort, bits))
            continue;
        struct str out = {0};
        value_print(sort, i & 1, bits, &out);
        TEST_ASSERT_TRUE(value_parse(sort, str_text(&out), &back));
        TEST_ASSERT_EQUAL_HEX64(bits, back);
        str_free(&out);
    }
}

static void test_what_is_no_value(void) {
    uint64_t bits;
    TEST_ASSERT_FALSE(value_parse(8, "256", &bits));
    TEST_ASSERT_FALSE(value_parse(8, "-129", &bits));
    TEST_ASSERT_FALSE(value_parse(8, "", &bits));
    TEST_ASSERT_FALSE(value_parse(8, "-", &bits));
    TEST_ASSERT_FALSE(value_parse(8, "1x", &bits));
    TEST_ASSERT_FALSE(value_parse(64, "18446744073709551616", &bits));
    TEST_ASSERT_FALSE(value_parse(SORT_BOOL, "1", &bits));
    TEST_ASSERT_FALSE(value_parse(SORT_F32, "", &bits));
    TEST_ASSERT_FALSE(value_parse(SORT_F32, "1.0x", &bits));
    TEST_ASSERT_FALSE(value_parse(SORT_F32, "infinity", &bits));
    TEST_ASSERT_FALSE(value_parse(SORT_F32, "--1", &bits));
}

/* ---- golden texts ---- */

static void test_golden_system(void) {
    read_golden();
    struct str out = {0};
    system_write(&sys, &out);
    TEST_ASSERT_EQUAL_STRING(golden, str_text(&out));
    TEST_ASSERT_EQUAL_size_t(1, sys.overruns.len);
    str_free(&out);
}

static const char golden_trace[] = "trace 1 steps 2\n"
                                   "init\n"
                                   "  i1 \"k\" nan\n"
                                   "step 0\n"
                                   "  i0 \"go \\\"now\\\"\" true\n"
                                   "step 1\n"
                                   "  i0 \"go \\\"now\\\"\" false\n"
                                   "end\n";

static void test_golden_trace(void) {
    read_golden();
    struct trace trace;
    struct str out = {0};
    TEST_ASSERT_TRUE_MESSAGE(trace_read(&trace, &sys, golden_trace, &err), str_text(&err.message));
    TEST_ASSERT_EQUAL_UINT32(2, trace.n_steps);
    TEST_ASSERT_EQUAL_UINT64(1, trace.values.data[0]);
    TEST_ASSERT_TRUE(trace_hits(&sys, &trace, 0));
    trace_write(&trace, &sys, &out);
    TEST_ASSERT_EQUAL_STRING(golden_trace, str_text(&out));
    str_free(&out);
    trace_free(&trace);
}

static const char golden_fact[] = "fact 1 dead\n"
                                  "invariant 1 k 1\n"
                                  "target t0 \"hit\"\n"
                                  "clause c0 \"n\" >= -3 | c0 \"n\" <= -10\n"
                                  "clause\n"
                                  "end\n";

static void test_golden_invariant(void) {
    read_golden();
    struct fact fact;
    struct str out = {0};
    TEST_ASSERT_TRUE_MESSAGE(fact_read(&fact, &sys, golden_fact, &err), str_text(&err.message));
    fact_write(&fact, &sys, &out);
    TEST_ASSERT_EQUAL_STRING(golden_fact, str_text(&out));
    str_clear(&out);
    clause_print(&fact.invariant.clauses.data[0], &sys, &out);
    clause_print(&fact.invariant.clauses.data[1], &sys, &out);
    TEST_ASSERT_EQUAL_STRING("n >= -3 || n <= -10false", str_text(&out));
    str_free(&out);
    fact_free(&fact);
}

static void test_bound_fact(void) {
    static const char text[] = "fact 1 bound t1 \"loop\" depth 7\n";
    read_golden();
    struct fact fact;
    struct str out = {0};
    TEST_ASSERT_TRUE(fact_read(&fact, &sys, text, &err));
    TEST_ASSERT_EQUAL_UINT32(7, fact.depth);
    fact_write(&fact, &sys, &out);
    TEST_ASSERT_EQUAL_STRING(text, str_text(&out));
    str_free(&out);
    fact_free(&fact);
}

/* ---- errors ---- */

static void expect_system_error(const char *text, int line, const char *part) {
    struct system broken;
    struct err e = {0};
    system_init(&broken, &ts);
    TEST_ASSERT_FALSE(system_read(&broken, text, "file.txt", &e));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&e.message), part), str_text(&e.message));
    TEST_ASSERT_EQUAL_STRING("file.txt", str_text(&e.file));
    TEST_ASSERT_EQUAL_INT(line, e.line);
    system_free(&broken);
    err_clear(&e);
}

static void test_errors_have_their_line(void) {
    expect_system_error("", 0, "expected 'system 1'");
    expect_system_error("system 2 \"x\"\n", 1, "version 2");
    expect_system_error("system 1 \"x\n", 1, "does not end");
    expect_system_error("system 1 \"x\"\n\n# note\nt1 add i8 t2 t3\n", 4,
                        "t2 is not defined above");
    expect_system_error("system 1 \"x\"\nt1 const i8 300\n", 2, "'300' is no value of sort i8");
    expect_system_error("system 1 \"x\"\nt1 const i8 3\nt2 not bool t1\n", 3, "must be bool");
    expect_system_error("system 1 \"x\"\nt1 const i8 3\nt1 const i8 3\n", 3, "defined twice");
    expect_system_error("system 1 \"x\"\nt1 const i8 3\nt2 const i9 3\nt3 add i8 t1 t2\n", 4,
                        "differ in sort");
    expect_system_error("system 1 \"x\"\nt1 const i8 3\nt2 zext i4 t1\n", 3,
                        "cannot have that sort");
    expect_system_error("system 1 \"x\"\nt1 frob i8\n", 2, "'frob' is no operator");
    expect_system_error("system 1 \"x\"\nt1 const i65 1\n", 2, "'i65' is no sort");
    expect_system_error("system 1 \"x\"\nhello\n", 2, "unknown item");
    expect_system_error("system 1 \"x\"\nt1 var bool signed \"a\"\nstep-ok t1\nend\n", 4,
                        "step_ok reads 'a'");
    expect_system_error("system 1 \"x\"\n", 1, "no 'end'");
    expect_system_error("system 1 \"x\"\nend\nmore\n", 3, "after the end");
}

static void expect_trace_error(const char *text, int line, const char *part) {
    struct trace trace;
    struct err e = {0};
    TEST_ASSERT_FALSE(trace_read(&trace, &sys, text, &e));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&e.message), part), str_text(&e.message));
    TEST_ASSERT_EQUAL_INT(line, e.line);
    err_clear(&e);
}

static void test_trace_errors(void) {
    read_golden();
    expect_trace_error("trace 1 steps 1\nend\n", 2, "ends after 0 of 1 steps");
    expect_trace_error("trace 1 steps 1\nstep 1\n", 2, "step 0 is missing");
    expect_trace_error("trace 1 steps 1\nstep 0\ni0 \"went\" true\n", 3, "another system");
    expect_trace_error("trace 1 steps 1\nstep 0\ni1 \"k\" 0.5\n", 3, "at the start only");
    expect_trace_error("trace 1 steps 0\ni7 \"k\" 0.5\n", 2, "there are only 2");
    expect_trace_error("trace 1 steps 9", 1, "ends after");
}

/* ---- round trips and mutants of random systems ---- */

static void write_again(const char *text, struct str *out) {
    struct terms fresh;
    struct system s;
    struct err e = {0};
    terms_init(&fresh);
    system_init(&s, &fresh);
    bool ok = system_read(&s, text, "text", &e);
    TEST_ASSERT_TRUE_MESSAGE(ok, str_text(&e.message));
    system_write(&s, out);
    system_free(&s);
    terms_free(&fresh);
    err_clear(&e);
}

static struct random_options options_of(uint64_t seed) {
    return (struct random_options){
        .seed = seed, .floats = seed % 2, .unspecified = seed % 3 == 0, .overruns = seed % 5 == 0};
}

static void test_random_systems_survive(void) {
    for (uint64_t seed = 0; seed < SYSTEMS; seed++) {
        struct random_system r;
        struct random_options options = options_of(seed);
        random_system_make(&r, &options);
        system_fold_constants(&r.sys);
        struct str first = {0}, second = {0};
        system_write(&r.sys, &first);
        write_again(str_text(&first), &second);
        TEST_ASSERT_EQUAL_STRING(str_text(&first), str_text(&second));
        str_free(&first);
        str_free(&second);
        random_system_free(&r);
    }
}

/* Damages a text: a byte, a number, a line lost, doubled or cut. */
static void mutate(struct str *text, struct rng *rng) {
    static const char bytes[] = "t019-\" \n#ibx.\\e\x80";
    size_t at = rng_below(rng, text->len);
    char *line = text->data + at;
    size_t rest = strcspn(line, "\n");
    switch (rng_below(rng, 5)) {
    case 0:
        memmove(line, line + rest, text->len - at - rest + 1);
        text->len -= rest;
        break;
    case 1: {
        struct str copy = {0};
        str_addn(&copy, line, rest);
        str_addc(&copy, '\n');
        str_add(&copy, str_text(text));
        str_free(text);
        *text = copy;
        break;
    }
    default:
        text->data[at] = bytes[rng_below(rng, sizeof bytes - 1)];
    }
}

static void check_error(bool ok, struct err *e) {
    TEST_ASSERT_TRUE(ok == (e->code == ERR_NONE));
    if (!ok)
        TEST_ASSERT_TRUE(e->line >= 0 && e->message.len > 0 && e->file.len > 0);
    err_clear(e);
}

static void read_mutant(const struct random_system *r, const char *text, struct rng *rng) {
    struct terms fresh;
    struct system s;
    struct err e = {0};
    terms_init(&fresh);
    system_init(&s, &fresh);
    bool ok = system_read(&s, text, "mutant", &e);
    if (ok) {
        struct machine m;
        uint64_t *in = mem_zalloc(s.inputs.len + r->sys.inputs.len, sizeof *in);
        random_inputs(r, rng, in);
        check_system(&s);
        machine_init(&m, &s);
        machine_reset(&m, in);
        if (!m.ended)
            machine_step(&m, in);
        machine_free(&m);
        mem_free(in);
    }
    check_error(ok, &e);
    system_free(&s);
    terms_free(&fresh);
}

static void read_fact_mutant(struct random_system *r, const char *text) {
    struct fact fact;
    struct err e = {0};
    bool ok = fact_read(&fact, &r->sys, text, &e);
    if (ok) { /* what was read can be used */
        struct str again = {0};
        fact_write(&fact, &r->sys, &again);
        for (size_t i = 0; i < fact.invariant.clauses.len; i++)
            clause_print(&fact.invariant.clauses.data[i], &r->sys, &again);
        invariant_tidy(&fact.invariant, &r->sys);
        fact_write(&fact, &r->sys, &again);
        str_free(&again);
        fact_free(&fact);
    }
    check_error(ok, &e);
}

static void write_some_fact(const struct random_system *r, struct rng *rng, struct str *out) {
    struct fact fact;
    fact_init(&fact, (enum fact_kind)rng_below(rng, 4));
    fact.target = 0;
    trace_init(&fact.trace, &r->sys, 2);
    for (uint32_t c = 0; c < r->sys.cells.len; c++) {
        struct bound b = {c, (uint8_t)rng_below(rng, 4), (int64_t)rng_below(rng, 3)};
        invariant_add(&fact.invariant, &b, 1);
    }
    vec_push(&fact.invariant.targets, 0);
    fact_write(&fact, &r->sys, out);
    fact_free(&fact);
}

static void test_mutants_never_crash(void) {
    struct rng rng;
    rng_init(&rng, 4);
    for (uint64_t seed = 0; seed < SYSTEMS; seed++) {
        struct random_system r;
        struct random_options options = options_of(seed);
        random_system_make(&r, &options);
        for (int i = 0; i < MUTANTS; i++) {
            struct str text = {0};
            bool whole = rng_below(&rng, 2);
            if (whole)
                system_write(&r.sys, &text);
            else
                write_some_fact(&r, &rng, &text);
            for (uint64_t n = 1 + rng_below(&rng, 3); n > 0; n--)
                mutate(&text, &rng);
            if (whole)
                read_mutant(&r, str_text(&text), &rng);
            else
                read_fact_mutant(&r, str_text(&text));
            str_free(&text);
        }
        random_system_free(&r);
    }
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_values_as_people_write_them);
    RUN_TEST(test_random_values_survive);
    RUN_TEST(test_what_is_no_value);
    RUN_TEST(test_golden_system);
    RUN_TEST(test_golden_trace);
    RUN_TEST(test_golden_invariant);
    RUN_TEST(test_bound_fact);
    RUN_TEST(test_errors_have_their_line);
    RUN_TEST(test_trace_errors);
    RUN_TEST(test_random_systems_survive);
    RUN_TEST(test_mutants_never_crash);
    return UNITY_END();
}
