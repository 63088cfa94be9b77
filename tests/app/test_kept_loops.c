/* Loops kept in the automaton: the same verdicts as with loops unrolled, and verdicts where they
 * cannot be unrolled. */
#include "engines/engine.h"
#include "engines/invariant/trim.h"
#include "instrument/lower/lower.h"
#include "model/system/machine.h"

#include "cfa_text.h"
#include "unity.h"

#define HARNESS                                                                                    \
    "extern void gk_hit(unsigned); extern void gk_assume(int);\n"                                  \
    "extern int gk_input_i32(unsigned); extern unsigned char gk_input_u8(unsigned);\n"

enum { GOALS = 2, ROUNDS = 6 };

static struct terms terms;
static struct system sys, located;
static struct cfa cfa;
static struct lowered lowered;
static struct module module;
static struct err err;
static bool has_cfa;

void setUp(void) {
    module = (struct module){.ilp32 = true, .char_is_signed = true, .name = "case"};
    terms_init(&terms);
    has_cfa = false;
}

static void close_model(void) {
    system_free(&sys);
    lowered_free(&lowered);
    if (has_cfa) {
        cfa_free(&cfa);
        system_free(&located);
    }
    has_cfa = false;
}

void tearDown(void) {
    close_model();
    terms_free(&terms);
    err_clear(&err);
}

static void open_unrolled(const char *text, uint32_t unroll) {
    struct lower_options options = {.n_probes = GOALS, .unroll = unroll};
    system_init(&sys, &terms);
    TEST_ASSERT_TRUE_MESSAGE(lower(text, &module, &options, &sys, &lowered, &err),
                             str_text(&err.message));
}

static void open_kept(const char *text, uint32_t unroll) {
    struct lower_options options = {.n_probes = GOALS, .unroll = unroll};
    system_init(&located, &terms);
    has_cfa = lower_cfa(text, &module, &options, &located, &cfa, &lowered, &err);
    TEST_ASSERT_TRUE_MESSAGE(has_cfa, str_text(&err.message));
    cfa_to_system(&cfa, &sys);
}

struct found {
    uint32_t goal;
    enum fact_kind kind; /* FACT_BOUND: nothing yet */
    struct invariant lemmas;
};

static void take(void *context, const struct fact *fact) {
    struct found *f = context;
    if (fact->kind == FACT_LEMMA)
        for (size_t i = 0; i < fact->invariant.clauses.len; i++)
            invariant_add(&f->lemmas, fact->invariant.clauses.data[i].data,
                          fact->invariant.clauses.data[i].len);
    if (fact->kind == FACT_HIT && fact->target == f->goal &&
        trace_hits(&sys, &fact->trace, f->goal))
        f->kind = FACT_HIT;
    if (fact->kind == FACT_DEAD && f->kind == FACT_BOUND &&
        invariant_check(&sys, &fact->invariant, 0, NULL) == SOLVER_UNSAT)
        f->kind = FACT_DEAD;
}

/* The engines in turn, each round with four times the effort. */
static enum fact_kind decide(uint32_t goal) {
    static const char *const names[] = {"houdini", "kind", "ic3", "itp", "bmc"};
    struct found f = {.goal = goal, .kind = FACT_BOUND};
    invariant_init(&f.lemmas);
    for (size_t turn = 0; f.kind == FACT_BOUND && turn < 5 * ROUNDS; turn++) {
        const struct engine_row *row = engine_find(names[turn % 5]);
        struct engine_input input = {.sys = &sys,
                                     .targets = &goal,
                                     .n_targets = 1,
                                     .lemmas = &f.lemmas,
                                     .options = {.seed = 1, .knobs = knobs_default},
                                     .report = take,
                                     .context = &f};
        void *run = row->engine->open(&input);
        (void)row->engine->step(run, row->start_ticks << 2 * (turn / 5));
        row->engine->close(run);
    }
    invariant_free(&f.lemmas);
    return f.kind;
}

static const char *const small[] = {
    HARNESS "static int n; void gk_step(void) { int u = gk_input_i32(0);\n"
            " gk_assume(u >= 0 && u < 4);\n"
            " for (int i = 0; i < u; i++) if (n < 7) n++;\n"
            " if (n == 7) gk_hit(0); if (n > 7) gk_hit(1); }\n",
    HARNESS "static unsigned char t[4]; static int top;\n"
            "void gk_step(void) { unsigned char u = gk_input_u8(0); int best = 0;\n"
            " t[u & 3] = u; for (int i = 1; i < 4; i++) if (t[i] > t[best]) best = i;\n"
            " top = best; if (top == 3 && t[0] == 8) gk_hit(0); if (t[top] < t[0]) gk_hit(1); }\n",
    HARNESS "static int sum; static int add(int x) { int s = 0;\n"
            " do { s += 2; x--; } while (x > 0); return s; }\n"
            "void gk_init(void) { sum = add(2); }\n"
            "void gk_step(void) { int u = gk_input_i32(0); if (u < 0 || u > 3) return;\n"
            " sum = add(u) + add(1); if (sum == 8) gk_hit(0); if (sum > 8) gk_hit(1); }\n",
};

static void test_the_same_verdicts_as_unrolled(void) {
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        open_unrolled(small[i], 0);
        TEST_ASSERT_EQUAL_size_t(0, sys.overruns.len);
        TEST_ASSERT_EQUAL(FACT_HIT, decide(0));
        TEST_ASSERT_EQUAL(FACT_DEAD, decide(1));
        close_model();
        open_kept(small[i], 1);
        TEST_ASSERT_TRUE(cfa.locations.len > 2);
        TEST_ASSERT_EQUAL_size_t(0, sys.overruns.len);
        TEST_ASSERT_EQUAL(FACT_HIT, decide(0));
        TEST_ASSERT_EQUAL(FACT_DEAD, decide(1));
        close_model();
    }
    open_unrolled(small[0], 0); /* for tearDown */
}

static const char long_loop[] =
    HARNESS "static int last, limit; void gk_step(void) { int i = 0; int u = gk_input_i32(0);\n"
            " gk_assume(u >= 0 && u <= 50000);\n"
            " while (i < u) { i++; if (i == 3 && u == 40) gk_hit(0); }\n"
            " last = i; if (last > 50000) gk_hit(1); }\n";

static void test_long_loops_are_kept(void) {
    open_unrolled(long_loop, 100);
    TEST_ASSERT_EQUAL_size_t(1, sys.overruns.len);
    close_model();
    open_kept(long_loop, 0);
    TEST_ASSERT_EQUAL_size_t(0, sys.overruns.len);
    TEST_ASSERT_EQUAL_size_t(3, cfa.locations.len);
    TEST_ASSERT_EQUAL(CFA_STEP, cfa.locations.data[1].kind);
    TEST_ASSERT_EQUAL(CFA_LOOP, cfa.locations.data[2].kind);
    TEST_ASSERT_EQUAL(FACT_HIT, decide(0));
    TEST_ASSERT_EQUAL(FACT_DEAD, decide(1));
}

static void test_short_loops_are_unrolled(void) {
    open_kept(small[1], 0);
    TEST_ASSERT_EQUAL_size_t(2, cfa.locations.len);
    TEST_ASSERT_EQUAL_size_t(2, cfa.edges.len);
}

static void test_each_location_has_edges_of_its_own(void) {
    struct str text = {0};
    struct cfa again;
    struct terms fresh;
    open_kept(small[0], 1);
    for (size_t e = 0; e < cfa.edges.len; e++)
        TEST_ASSERT_FALSE(term_is_false(&terms, cfa.edges.data[e].guard));
    for (size_t i = 0; i < cfa.inputs.len; i++)
        if (cfa.inputs.data[i].module_input == 0)
            TEST_ASSERT_EQUAL(CFA_STEP, cfa.locations.data[cfa.inputs.data[i].location].kind);
    cfa_write(&cfa, &text);
    terms_init(&fresh);
    TEST_ASSERT_TRUE_MESSAGE(cfa_read(&again, &fresh, str_text(&text), "text", &err),
                             str_text(&err.message));
    TEST_ASSERT_EQUAL_size_t(cfa.edges.len, again.edges.len);
    cfa_free(&again);
    terms_free(&fresh);
    str_free(&text);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_the_same_verdicts_as_unrolled);
    RUN_TEST(test_long_loops_are_kept);
    RUN_TEST(test_short_loops_are_unrolled);
    RUN_TEST(test_each_location_has_edges_of_its_own);
    return UNITY_END();
}
