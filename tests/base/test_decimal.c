/* Decimal numbers: what they look like, and that each reads back as itself. */
#include "base/decimal.h"

#include "base/rng.h"

#include "unity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct arena arena;

void setUp(void) {
}
void tearDown(void) {
    arena_free(&arena);
}

static void expect(const char *text, double value, bool single) {
    TEST_ASSERT_EQUAL_STRING(text, decimal_text(&arena, value, single));
}

static void test_numbers_look_as_people_write_them(void) {
    expect("70", 70.0, false);
    expect("0", 0.0, false);
    expect("-0", -0.0, false);
    expect("0.1", 0.1, false);
    expect("0.1", (double)0.1F, true);
    expect("-401.00037", (double)-401.00037F, true);
    expect("1000000", 1e6, false);
    expect("1000000000000000", 1e15, false);
    expect("1e+16", 1e16, false);
    expect("0.00001", 1e-5, false);
    expect("1e-06", 1e-6, false);
    expect("3.4028235e+38", (double)0x1.fffffep127F, true);
    expect("0.30000000000000004", 0.1 + 0.2, false);
}

static void test_physical_values(void) {
    static const struct {
        double raw, lsb, offset;
        const char *text;
    } cases[] = {{3, 0.1, 0, "0.3"},
                 {500, 0.1, 0, "50"},
                 {-5120, 0.0078125, 0, "-40"},
                 {7, 0.1, -40, "-39.3"},
                 {1, 0.392156862745098, 0, "0.392156862745098"},
                 {4294967295.0, 1, 0.5, "4294967295.5"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str out = {0};
        decimal_physical(cases[i].raw, cases[i].lsb, cases[i].offset, &out);
        TEST_ASSERT_EQUAL_STRING(cases[i].text, str_text(&out));
        str_free(&out);
    }
}

static void test_constants_are_no_integers(void) {
    static const double values[] = {70.0, 0.5, 1e20, -3.0};
    static const char *const texts[] = {"70.0", "0.5", "1e+20", "-3.0"};
    for (size_t i = 0; i < 4; i++) {
        struct str out = {0};
        str_add(&out, "1.5, ");
        decimal_constant(values[i], false, &out);
        TEST_ASSERT_EQUAL_STRING(texts[i], str_text(&out) + 5);
        str_free(&out);
    }
}

/* All patterns of bits, thus all exponents, and the neighbours of round numbers. */
static void test_every_number_reads_back(void) {
    struct rng rng;
    rng_init(&rng, 1);
    for (int i = 0; i < 40000; i++) {
        uint64_t bits = rng_next(&rng);
        uint32_t few = (uint32_t)(bits >> 32);
        double value;
        float small;
        memcpy(&value, &bits, sizeof value);
        memcpy(&small, &few, sizeof small);
        if (i % 4 == 0) {
            value = nextafter(round(fmod(value, 1e6)) / 100, i % 8 ? 1e9 : -1e9);
            small = nextafterf((float)value, i % 8 ? 1e9F : -1e9F);
        }
        if (isfinite(value))
            TEST_ASSERT_TRUE(strtod(decimal_text(&arena, value, false), NULL) == value);
        if (isfinite(small))
            TEST_ASSERT_TRUE(strtof(decimal_text(&arena, (double)small, true), NULL) == small);
        if (i % 1000 == 0)
            arena_free(&arena);
    }
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_numbers_look_as_people_write_them);
    RUN_TEST(test_physical_values);
    RUN_TEST(test_constants_are_no_integers);
    RUN_TEST(test_every_number_reads_back);
    return UNITY_END();
}
