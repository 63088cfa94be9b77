/* Loops whose end only the solver sees: searches by halves in tables of calibration values. */
#include "app/run/loops.h"

#include "unity.h"

static struct terms terms;
static struct system sys;
static struct lowered lowered;
static struct module module;
static struct err err;

void setUp(void) {
    terms_init(&terms);
    system_init(&sys, &terms);
    module = (struct module){.ilp32 = true, .char_is_signed = true, .name = "search"};
}

void tearDown(void) {
    lowered_free(&lowered);
    system_free(&sys);
    terms_free(&terms);
    module_free(&module);
    err_clear(&err);
}

static const char search[] =
    "extern void gk_hit(unsigned); extern float gk_input_f32(unsigned);\n"
    "float x_table[9]; unsigned char low;\n"
    "#define SET(i) x_table[i] = gk_input_f32(i)\n"
    "void gk_init(void) { SET(0); SET(1); SET(2); SET(3); SET(4); SET(5); SET(6); SET(7); SET(8); "
    "}\n"
    "void gk_step(void) {\n"
    "  float x = gk_input_f32(9); unsigned char high = 8; low = 0;\n"
    "  do {\n"
    "    unsigned char mid = (unsigned char)((unsigned short)(low + high) >> 1);\n"
    "    if (x < x_table[mid]) high = mid; else low = mid;\n"
    "  } while ((short)low < (short)((short)high - 1));\n"
    "  if (low < 8) gk_hit(0); }\n";

static void lower_search(bool ask) {
    struct lower_options options = {.unroll = 40};
    if (ask)
        loops_ask(&options);
    TEST_ASSERT_TRUE_MESSAGE(lower(search, &module, &options, &sys, &lowered, &err),
                             str_text(&err.message));
}

static void test_search_by_halves_ends(void) {
    lower_search(true);
    TEST_ASSERT_LESS_OR_EQUAL_UINT32(4, lowered.iterations);
    TEST_ASSERT_EQUAL_size_t(0, lowered.limitations.len);
    TEST_ASSERT_EQUAL_size_t(1, sys.overruns.len); /* for the engines to prove */
}

static void test_nobody_is_asked(void) {
    lower_search(false);
    TEST_ASSERT_EQUAL_size_t(1, lowered.limitations.len);
    TEST_ASSERT_EQUAL_size_t(1, sys.overruns.len);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_search_by_halves_ends);
    RUN_TEST(test_nobody_is_asked);
    return UNITY_END();
}
