/* Ranges: generator comments, project limits, exactness of the scaling. */
#include "instrument/inputs/ranges.h"

#include "model/term/ordinal.h"

#include "unity.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct scalar S8 = {TYPE_SIGNED, 8}, S16 = {TYPE_SIGNED, 16}, S32 = {TYPE_SIGNED, 32},
                           S64 = {TYPE_SIGNED, 64};
static const struct scalar U8 = {TYPE_UNSIGNED, 8}, U16 = {TYPE_UNSIGNED, 16},
                           U64 = {TYPE_UNSIGNED, 64}, BOOL = {TYPE_BOOL, 1};
static const struct scalar F32 = {TYPE_FLOAT, 32}, F64 = {TYPE_FLOAT, 64};
static struct arena arena;

void setUp(void) {
}
void tearDown(void) {
    arena_free(&arena);
}

static int64_t as_signed(struct scalar s, uint64_t bits) {
    return (int64_t)(bits << (64 - s.bits)) >> (64 - s.bits);
}

static struct range_note note_of(const char *comment) {
    struct range_note note;
    TEST_ASSERT_TRUE_MESSAGE(range_note_parse(comment, strlen(comment), &arena, &note), comment);
    return note;
}

static struct range scaled(const char *comment, struct scalar scalar) {
    struct range_note note = note_of(comment);
    struct range range;
    TEST_ASSERT_TRUE_MESSAGE(range_scale(&note, scalar, &range), comment);
    return range;
}

static void test_one_line(void) {
    const char *c = "/* LSB: 2^-7 OFF: 0 MIN/MAX: -256 .. 255.9921875 */";
    struct range r = scaled(c, S16);
    TEST_ASSERT_EQUAL_INT64(-32768, as_signed(S16, r.min));
    TEST_ASSERT_EQUAL_INT64(32767, as_signed(S16, r.max));
    TEST_ASSERT_FALSE(r.narrower);
    TEST_ASSERT_TRUE(r.lsb == 0.0078125 && r.offset == 0);
    TEST_ASSERT_TRUE(scaled(c, S32).narrower);
    r = scaled(c, F32); /* floats hold physical values */
    TEST_ASSERT_TRUE(bits_f32(r.min) == -256.0F && bits_f32(r.max) == 255.9921875F && r.lsb == 1);
}

static void test_layouts(void) {
    static const char *const same[] = {
        "/* LSB: 1 OFF: 0 MIN/MAX: -10 .. 20 */",
        "/* Description: torque\n * LSB:   1\n * OFF:   0\n * MIN/MAX: -10 ..\n *    20\n */",
        "// LSB: 2^0 OFF:  0 MIN/MAX:  -10 .. 20",
        "/* lsb:1 off:0 min/max:-10..20*/",
        "/**** LSB: 2^0 OFF:  0 MIN/MAX:  -1.0e+001 .. 20.0 ****/",
        "/*\r\n   LSB: 1\r\n   OFF: 0\r\n   MIN/MAX: -10 .. 20\r\n*/",
        "/* Min: -10 Max: 20 */",
        "/* Range: [-10, 20] */",
        "/* SLLocal: Default storage class | Width: 8 | LSB: 1 OFF: 0 MIN/MAX: -10 .. 20 */",
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        struct range r = scaled(same[i], S8);
        TEST_ASSERT_EQUAL_INT64_MESSAGE(-10, as_signed(S8, r.min), same[i]);
        TEST_ASSERT_EQUAL_INT64_MESSAGE(20, as_signed(S8, r.max), same[i]);
        TEST_ASSERT_TRUE(r.narrower);
    }
}

static void test_no_note(void) {
    static const char *const nothing[] = {
        "/* the range is limited by MAX_SPEED */",
        "/* MIN/MAX: see document */",
        "/* minimum: 3 */",
        "/* ALSB: 7 */",
        "/* \xe4\xf6\xfc Drehmoment in Nm */",
        "/**/",
    };
    struct range_note note;
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
        TEST_ASSERT_FALSE_MESSAGE(range_note_parse(nothing[i], strlen(nothing[i]), &arena, &note),
                                  nothing[i]);
}

static void test_offset_and_inward_rounding(void) {
    struct range r = scaled("/* LSB: 0.5 OFF: -40 MIN/MAX: -40 .. 87.5 */", U8);
    TEST_ASSERT_EQUAL_UINT64(0, r.min);
    TEST_ASSERT_EQUAL_UINT64(255, r.max);
    TEST_ASSERT_TRUE(r.offset == -40 && r.lsb == 0.5);
    r = scaled("/* LSB: 0.1 OFF: 0.3 MIN/MAX: 0 .. 1 */", U8);
    TEST_ASSERT_TRUE(r.offset == 0.3 && r.lsb == 0.1);
    r = scaled("/* LSB: 3 OFF: 0 MIN/MAX: -10 .. 10 */", S8);
    TEST_ASSERT_EQUAL_INT64(-3, as_signed(S8, r.min));
    TEST_ASSERT_EQUAL_INT64(3, as_signed(S8, r.max));
    r = scaled("/* LSB: 0.1 OFF: 0 MIN/MAX: 0 .. 25.5 */", U16); /* 25.5/0.1 is 255 exactly */
    TEST_ASSERT_EQUAL_UINT64(255, r.max);
    r = scaled("/* LSB: 2^0 * 0.3921568627451 OFF:  0 MIN/MAX:  0 .. 100 */", U8);
    TEST_ASSERT_EQUAL_UINT64(255, r.max); /* 254.99999999 by the printed digits */
}

static void test_comment_beyond_the_type_is_clamped(void) {
    struct range r = scaled("/* LSB: 2^-7 OFF: 0 MIN/MAX: -300 .. 100 */", S16);
    TEST_ASSERT_EQUAL_INT64(-32768, as_signed(S16, r.min));
    TEST_ASSERT_EQUAL_INT64(12800, as_signed(S16, r.max));
    struct range_note note = note_of("/* LSB: 1 OFF: 0 MIN/MAX: 5 .. 4 */");
    TEST_ASSERT_FALSE(range_scale(&note, S8, &r));
    TEST_ASSERT_EQUAL_UINT64(0x80, r.min);
    note = note_of("/* LSB: 1 OFF: 0 MIN/MAX: 300 .. 400 */"); /* no promise of 127 */
    TEST_ASSERT_FALSE(range_scale(&note, S8, &r));
    TEST_ASSERT_FALSE(r.narrower);
}

static enum range_status limits(const char *min, const char *max, struct scalar s,
                                struct range *r) {
    *r = range_of_type(s);
    return range_limits(min, max, s, r);
}

static void test_project_limits(void) {
    struct range r;
    TEST_ASSERT_EQUAL_INT(RANGE_OK, limits("-128", "127", S8, &r));
    TEST_ASSERT_FALSE(r.narrower);
    TEST_ASSERT_EQUAL_INT(RANGE_BELOW, limits("-129", "127", S8, &r));
    TEST_ASSERT_EQUAL_INT64(-128, as_signed(S8, r.min));
    TEST_ASSERT_EQUAL_INT(RANGE_ABOVE, limits("0", "256", U8, &r));
    TEST_ASSERT_EQUAL_UINT64(255, r.max);
    TEST_ASSERT_EQUAL_INT(RANGE_EMPTY, limits("2", "1", U8, &r));
    TEST_ASSERT_EQUAL_INT(RANGE_EMPTY, limits("0.2", "0.8", U8, &r));
    TEST_ASSERT_EQUAL_INT(RANGE_BAD_NUMBER, limits("one", NULL, U8, &r));
    TEST_ASSERT_EQUAL_INT(RANGE_OK, limits("0", "18446744073709551615", U64, &r));
    TEST_ASSERT_EQUAL_UINT64(UINT64_MAX, r.max);
    TEST_ASSERT_EQUAL_INT(RANGE_OK, limits("-9223372036854775808", "9007199254740993", S64, &r));
    TEST_ASSERT_EQUAL_INT64(INT64_MIN, (int64_t)r.min);
    TEST_ASSERT_EQUAL_INT64(9007199254740993, (int64_t)r.max);
    TEST_ASSERT_EQUAL_INT(RANGE_ABOVE, limits(NULL, "2", BOOL, &r));
    TEST_ASSERT_EQUAL_UINT64(1, r.max);
    TEST_ASSERT_EQUAL_INT(RANGE_ABOVE, limits(NULL, "3.5e38", F32, &r));
    TEST_ASSERT_TRUE(bits_f32(r.max) == FLT_MAX);
    TEST_ASSERT_EQUAL_INT(RANGE_OK, limits("-3.402823467e+38", "3.402823467e+038", F32, &r));
    TEST_ASSERT_TRUE(bits_f32(r.max) == FLT_MAX && bits_f32(r.min) == -FLT_MAX);
    TEST_ASSERT_EQUAL_INT(RANGE_BELOW, limits("-1e400", NULL, F64, &r));
}

/* A float limit is what strtof, which rounds correctly, makes of the text. */
static void test_floats_round_like_the_compiler(void) {
    static const char *const texts[] = {
        "0.1",      "1e-6",       "9.9999999747524271e-07", "16777217",       "33554433",
        "33554435", "1.0000001",  "7.0064923216240854e-46", "7.1e-46",        "1e-45",
        "-0.3",     "123456.789", "3.4028235e38",           "1.17549429e-38", "0",
        "1e-60"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct range r;
        TEST_ASSERT_NOT_EQUAL(RANGE_BAD_NUMBER, limits(texts[i], texts[i], F32, &r));
        TEST_ASSERT_TRUE_MESSAGE(bits_f32(r.min) == strtof(texts[i], NULL), texts[i]);
        TEST_ASSERT_NOT_EQUAL(RANGE_BAD_NUMBER, limits(texts[i], texts[i], F64, &r));
        TEST_ASSERT_TRUE_MESSAGE(bits_f64(r.max) == strtod(texts[i], NULL), texts[i]);
    }
}

static void test_numbers(void) {
    static const char *const bad[] = {"",       "-",       "1e", "2^",  "1..2", "0^-1", "1/0",
                                      "1e9999", "2^99999", "0x", "--1", "1 2",  ".",    "nan"};
    static const char *const good[] = {"1",    "-1.5", "+3",     "2^-7",  "1/128", "5*2^-3",
                                       "0x1F", ".5",   "1.e-3F", "3 * 4", "255U",  "1e+005"};
    mpq_t value;
    mpq_init(value);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        TEST_ASSERT_FALSE_MESSAGE(range_number(bad[i], value), bad[i]);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        TEST_ASSERT_TRUE_MESSAGE(range_number(good[i], value), good[i]);
    TEST_ASSERT_TRUE(range_number("5*2^-3", value));
    TEST_ASSERT_EQUAL_DOUBLE(0.625, mpq_get_d(value));
    mpq_clear(value);
}

static const char *constant(struct scalar s, uint64_t bits) {
    struct str text = {0};
    range_constant(s, bits, &text);
    const char *copy = arena_strdup(&arena, str_text(&text));
    str_free(&text);
    return copy;
}

static void test_constants(void) {
    TEST_ASSERT_EQUAL_STRING("-128", constant(S8, 0x80));
    TEST_ASSERT_EQUAL_STRING("(-2147483647 - 1)", constant(S32, 0x80000000u));
    TEST_ASSERT_EQUAL_STRING("(-9223372036854775807LL - 1)", constant(S64, (uint64_t)INT64_MIN));
    TEST_ASSERT_EQUAL_STRING("255U", constant(U8, 255));
    TEST_ASSERT_EQUAL_STRING("0x1.8p+0F", constant(F32, f32_bits(1.5F)));
    TEST_ASSERT_EQUAL_STRING("(-1.0 / 0.0)", constant(F64, f64_bits(-(double)INFINITY)));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_one_line);
    RUN_TEST(test_layouts);
    RUN_TEST(test_no_note);
    RUN_TEST(test_offset_and_inward_rounding);
    RUN_TEST(test_comment_beyond_the_type_is_clamped);
    RUN_TEST(test_project_limits);
    RUN_TEST(test_floats_round_like_the_compiler);
    RUN_TEST(test_numbers);
    RUN_TEST(test_constants);
    return UNITY_END();
}
