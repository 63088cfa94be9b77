/* Automata: checks, text, and their systems run like the original. */
#include "base/mem.h"
#include "explicit.h"
#include "model/system/cfa.h"
#include "model/system/machine.h"

#include "cfa_text.h"
#include "unity.h"

enum { SYSTEMS = 200, STEPS = 20 };

void setUp(void) {
}
void tearDown(void) {
}

static struct random_options options_of(uint64_t seed) {
    return (struct random_options){
        .seed = seed, .floats = seed % 2, .unspecified = seed % 3 == 0, .overruns = seed % 5 == 0};
}

static void check_same_runs(const struct random_system *r, const struct system *other,
                            struct rng *rng) {
    struct machine a, b;
    uint64_t *in = mem_zalloc(r->sys.inputs.len, sizeof *in);
    machine_init(&a, &r->sys);
    machine_init(&b, other);
    random_inputs(r, rng, in);
    machine_reset(&a, in);
    machine_reset(&b, in);
    for (int step = 0; step <= STEPS; step++) {
        TEST_ASSERT_EQUAL(a.ended, b.ended);
        TEST_ASSERT_EQUAL(a.unspecified, b.unspecified);
        for (uint32_t t = 0; t < r->sys.targets.len; t++)
            TEST_ASSERT_EQUAL(machine_hit(&a, t), machine_hit(&b, t));
        if (a.ended)
            break;
        TEST_ASSERT_EQUAL_UINT64_ARRAY(a.cells.data, b.cells.data, a.cells.len);
        random_inputs(r, rng, in);
        machine_step(&a, in);
        machine_step(&b, in);
    }
    machine_free(&a);
    machine_free(&b);
    mem_free(in);
}

static void test_there_and_back(void) {
    struct rng rng;
    rng_init(&rng, 1);
    for (uint64_t seed = 0; seed < SYSTEMS; seed++) {
        struct random_system r;
        struct random_options options = options_of(seed);
        struct cfa cfa, again;
        struct system back;
        struct str first = {0}, second = {0};
        struct err err = {0};
        random_system_make(&r, &options);
        cfa_from_system(&cfa, &r.sys);
        cfa_to_system(&cfa, &back);
        for (int run = 0; run < 5; run++)
            check_same_runs(&r, &back, &rng);
        cfa_write(&cfa, &first);
        struct terms fresh;
        terms_init(&fresh);
        bool ok = cfa_read(&again, &fresh, str_text(&first), "text", &err);
        TEST_ASSERT_TRUE_MESSAGE(ok, str_text(&err.message));
        cfa_write(&again, &second);
        TEST_ASSERT_EQUAL_STRING(str_text(&first), str_text(&second));
        str_free(&first);
        str_free(&second);
        cfa_free(&again);
        terms_free(&fresh);
        system_free(&back);
        cfa_free(&cfa);
        random_system_free(&r);
    }
}

/* step: for (i = 0, sum = 0; i < n; i++) sum += i;  with the input n read at the boundary */
static const char loop[] = "cfa 1 \"triangle\"\n"
                           "t1 var i4 unsigned \"i\"\n"
                           "t2 var i4 unsigned \"limit\"\n"
                           "t3 var i8 unsigned \"sum\"\n"
                           "t4 var i4 unsigned \"n\"\n"
                           "t5 const i4 0\n"
                           "t6 const i8 0\n"
                           "t7 const bool true\n"
                           "t8 ult bool t1 t2\n"
                           "t9 not bool t8\n"
                           "t10 const i4 1\n"
                           "t11 add i4 t1 t10\n"
                           "t12 zext i8 t1\n"
                           "t13 add i8 t3 t12\n"
                           "t14 const i8 105\n"
                           "t15 = bool t3 t14\n"
                           "t16 and bool t9 t15\n"
                           "t17 const i8 4\n"
                           "t18 = bool t3 t17\n"
                           "t19 and bool t9 t18\n"
                           "location \"step\" step\n"
                           "location \"for\" loop\n"
                           "cell \"i\" t1\n"
                           "cell \"limit\" t2\n"
                           "cell \"sum\" t3\n"
                           "input \"n\" t4 at l1 id 0\n"
                           "target \"sum is 105\" goal 0\n"
                           "target \"sum is 4\" goal 1\n"
                           "edge l0 l1 guard t7\n"
                           "set c0 t5\n"
                           "set c1 t5\n"
                           "set c2 t6\n"
                           "edge l1 l2 guard t7\n"
                           "set c0 t5\n"
                           "set c1 t4\n"
                           "set c2 t6\n"
                           "edge l2 l2 guard t8\n"
                           "set c0 t11\n"
                           "set c2 t13\n"
                           "edge l2 l1 guard t9\n"
                           "hit l2 g0 t16\n"
                           "hit l2 g1 t19\n"
                           "end\n";

static void test_a_loop_stays_a_loop(void) {
    struct random_system r = {0};
    struct cfa cfa;
    struct err err = {0};
    terms_init(&r.terms);
    bool ok = cfa_read(&cfa, &r.terms, loop, "loop", &err);
    TEST_ASSERT_TRUE_MESSAGE(ok, str_text(&err.message));
    cfa_to_system(&cfa, &r.sys);
    TEST_ASSERT_EQUAL_STRING("pc", r.sys.cells.data[3].name);
    struct domain n = {.len = 16};
    for (uint64_t i = 0; i < 16; i++)
        n.values[i] = i;
    vec_push(&r.domains, n);
    struct explicit_result result;
    explicit_search(&r, 100000, &result);
    TEST_ASSERT_TRUE(result.complete);
    /* one edge into the loop, 15 rounds, and the hit is seen on leaving: 0 + 1 + … + 14 */
    TEST_ASSERT_EQUAL_UINT32(17, result.depth.data[0]);
    TEST_ASSERT_EQUAL_UINT32(NONE, result.depth.data[1]);
    explicit_free(&result);
    struct input_events events = {0};
    struct trace trace;
    trace_init(&trace, &r.sys, 3);
    trace.values.data[0] = 1;
    trace_events(&r.sys, &trace, &events);
    TEST_ASSERT_EQUAL_size_t(1, events.len); /* read at the boundary only */
    vec_free(&events);
    trace_free(&trace);
    cfa_free(&cfa);
    random_system_free(&r);
}

/* Each line of the automaton above, damaged in turn. */
static void expect_error(const char *from, const char *to, const char *part) {
    const char *at = strstr(loop, from);
    TEST_ASSERT_NOT_NULL(at);
    struct str text = {0};
    struct terms ts;
    struct cfa cfa;
    struct err err = {0};
    str_addn(&text, loop, (size_t)(at - loop));
    str_addf(&text, "%s%s", to, at + strlen(from));
    terms_init(&ts);
    TEST_ASSERT_FALSE(cfa_read(&cfa, &ts, str_text(&text), "text", &err));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(str_text(&err.message), part), str_text(&err.message));
    TEST_ASSERT_TRUE(err.line > 0);
    err_clear(&err);
    terms_free(&ts);
    str_free(&text);
}

static void test_broken_automata_are_refused(void) {
    expect_error("edge l0 l1", "edge l0 l7", "there are only 3");
    expect_error("edge l0 l1", "edge l0 l0", "leads to the start");
    expect_error("edge l0 l1 guard t7", "edge l0 l1 guard t8", "no value at 'init'");
    expect_error("set c1 t5\n", "", "does not assign every cell");
    expect_error("set c1 t4", "set c1 t3", "no term of sort i4");
    expect_error("edge l2 l2 guard t8\nset c0 t11", "edge l2 l2 guard t8\nset c0 t4", "'n'");
    expect_error("set c0 t11", "set c2 t13", "twice");
    expect_error("hit l2 g1", "hit l2 g2", "there are only 2");
    expect_error("cell \"limit\" t2", "cell \"limit\" t1", "used twice");
    expect_error("end\n", "", "no 'end'");
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_there_and_back);
    RUN_TEST(test_a_loop_stays_a_loop);
    RUN_TEST(test_broken_automata_are_refused);
    return UNITY_END();
}
