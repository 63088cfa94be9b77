/* Limits in the raw values of a type. Rationals are exact; only the last step, to a float, rounds.
 */
#include "instrument/inputs/ranges.h"

#include "instrument/syntax/sort.h"

#include <assert.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static sort_t sort_of(struct scalar scalar) {
    sort_t sort = type_sort(scalar.type, scalar.bits);
    assert(sort != SORT_NONE);
    return sort;
}

static uint64_t low_bits(unsigned bits) {
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

struct range range_of_type(struct scalar scalar) {
    struct range range = {.lsb = 1};
    bool is_signed = scalar.type == TYPE_SIGNED;
    sort_t sort = sort_of(scalar);
    range.min = ordinal_bits(sort, is_signed, ordinal_min(sort, is_signed));
    range.max = ordinal_bits(sort, is_signed, ordinal_max(sort, is_signed));
    return range;
}

int range_compare(struct scalar scalar, uint64_t a, uint64_t b) {
    int64_t x = ordinal_of(sort_of(scalar), scalar.type == TYPE_SIGNED, a);
    int64_t y = ordinal_of(sort_of(scalar), scalar.type == TYPE_SIGNED, b);
    return (x > y) - (x < y);
}

/* The exact integer value of bits, for types that have one. */
static void set_bits(mpz_t value, struct scalar scalar, uint64_t bits) {
    bool negative = scalar.type == TYPE_SIGNED && (bits >> (scalar.bits - 1) & 1);
    uint64_t magnitude = negative ? (~bits + 1) & low_bits(scalar.bits) : bits;
    mpz_import(value, 1, -1, sizeof magnitude, 0, 0, &magnitude);
    if (negative)
        mpz_neg(value, value);
}

static uint64_t get_bits(const mpz_t value, struct scalar scalar) {
    assert(mpz_sizeinbase(value, 2) <= 64);
    uint64_t magnitude = 0;
    mpz_export(&magnitude, NULL, -1, sizeof magnitude, 0, 0, value);
    return (mpz_sgn(value) < 0 ? ~magnitude + 1 : magnitude) & low_bits(scalar.bits);
}

/* -1, 0, 1: below, within, above the type; bits is the nearest legal value. */
static int integer_limit(const mpq_t wanted, bool up, struct scalar scalar, uint64_t *bits) {
    struct range type = range_of_type(scalar);
    mpz_t value, edge;
    mpz_inits(value, edge, NULL);
    if (up)
        mpz_cdiv_q(value, mpq_numref(wanted), mpq_denref(wanted));
    else
        mpz_fdiv_q(value, mpq_numref(wanted), mpq_denref(wanted));
    int status = 0;
    set_bits(edge, scalar, type.min);
    if (mpz_cmp(value, edge) < 0)
        status = -1;
    set_bits(edge, scalar, type.max);
    if (mpz_cmp(value, edge) > 0)
        status = 1;
    *bits = status < 0 ? type.min : status > 0 ? type.max : get_bits(value, scalar);
    mpz_clears(value, edge, NULL);
    return status;
}

/* The neighbour of `value` on the other side of `wanted`, or the next one away from zero. */
static double other_side(double value, const mpq_t wanted, bool single) {
    mpq_t exact;
    mpq_init(exact);
    mpq_set_d(exact, value);
    double towards = mpq_cmp(exact, wanted) < 0 ? (double)INFINITY : -(double)INFINITY;
    mpq_clear(exact);
    return single ? (double)nextafterf((float)value, (float)towards) : nextafter(value, towards);
}

static void distance(mpq_t result, double value, const mpq_t wanted) {
    mpq_set_d(result, value);
    mpq_sub(result, result, wanted);
    mpq_abs(result, result);
}

static bool is_even(double value, bool single) {
    return !((single ? f32_bits((float)value) : f64_bits(value)) & 1);
}

/* Round to nearest, ties to even. mpq_get_d truncates, so the nearest is that or its neighbour. */
static double nearest_float(const mpq_t wanted, bool single) {
    double low = mpq_get_d(wanted);
    if (single)
        low = fabs(low) > (double)FLT_MAX ? copysign((double)FLT_MAX, low) : (double)(float)low;
    double high = other_side(low, wanted, single);
    assert(!isnan(high));
    if (isinf(high))
        return low;
    mpq_t a, b;
    mpq_inits(a, b, NULL);
    distance(a, low, wanted);
    distance(b, high, wanted);
    int order = mpq_cmp(a, b);
    mpq_clears(a, b, NULL);
    return order < 0 || (order == 0 && is_even(low, single)) ? low : high;
}

/* Values from here on round to infinity: 2^e - 2^(e-p-1). Half an ulp beyond the largest value
 * still rounds to it, and generators print 3.402823467e+38. */
static void overflow_edge(mpq_t edge, bool single) {
    mpz_t ulp;
    mpz_init(ulp);
    mpz_ui_pow_ui(ulp, 2, single ? 103 : 970);
    mpz_ui_pow_ui(mpq_numref(edge), 2, single ? 128 : 1024);
    mpz_sub(mpq_numref(edge), mpq_numref(edge), ulp);
    mpz_set_ui(mpq_denref(edge), 1);
    mpz_clear(ulp);
}

static int float_limit(const mpq_t wanted, struct scalar scalar, uint64_t *bits) {
    bool single = scalar.bits == 32;
    mpq_t edge;
    mpq_init(edge);
    overflow_edge(edge, single);
    int status = mpq_cmp(wanted, edge) >= 0;
    mpq_neg(edge, edge);
    if (mpq_cmp(wanted, edge) <= 0)
        status = -1;
    mpq_clear(edge);
    double largest = single ? (double)FLT_MAX : DBL_MAX;
    double value = status ? status * largest : nearest_float(wanted, single);
    *bits = single ? f32_bits((float)value) : f64_bits(value);
    return status;
}

static int limit_bits(const mpq_t wanted, bool is_min, struct scalar scalar, uint64_t *bits) {
    if (scalar.type == TYPE_FLOAT)
        return float_limit(wanted, scalar, bits);
    return integer_limit(wanted, is_min, scalar, bits);
}

static enum range_status finish(struct scalar scalar, struct range *range) {
    assert(range->lsb > 0);
    struct range type = range_of_type(scalar);
    range->narrower = range->min != type.min || range->max != type.max;
    return range_compare(scalar, range->min, range->max) > 0 ? RANGE_EMPTY : RANGE_OK;
}

enum range_status range_limits(const char *min, const char *max, struct scalar scalar,
                               struct range *range) {
    mpq_t low, high;
    mpq_inits(low, high, NULL);
    enum range_status status = RANGE_OK;
    if ((min && !range_number(min, low)) || (max && !range_number(max, high)))
        status = RANGE_BAD_NUMBER;
    else if (min && max && mpq_cmp(low, high) > 0)
        status = RANGE_EMPTY;
    if (status == RANGE_OK && min && limit_bits(low, true, scalar, &range->min) != 0)
        status = RANGE_BELOW;
    if (status == RANGE_OK && max && limit_bits(high, false, scalar, &range->max) != 0)
        status = RANGE_ABOVE;
    mpq_clears(low, high, NULL);
    enum range_status order = finish(scalar, range);
    return status == RANGE_OK ? order : status;
}

/* A generator prints an LSB like 0.392156862745098 with as many digits as a double has; a raw value
 * that misses an integer by no more than that was meant to be the integer. */
static void snap(mpq_t value) {
    mpq_t nearest, error;
    mpq_inits(nearest, error, NULL);
    mpq_set_ui(error, 1, 2);
    mpq_add(nearest, value, error);
    mpz_fdiv_q(mpq_numref(nearest), mpq_numref(nearest), mpq_denref(nearest));
    mpz_set_ui(mpq_denref(nearest), 1);
    mpq_sub(error, nearest, value);
    mpq_abs(error, error);
    if (fabs(mpq_get_d(error)) <= 1e-10 * (1 + fabs(mpq_get_d(value))))
        mpq_set(value, nearest);
    mpq_clears(nearest, error, NULL);
}

/* value := (value - offset) / lsb */
static void to_raw(mpq_t value, const mpq_t lsb, const mpq_t offset, struct scalar scalar) {
    mpq_sub(value, value, offset);
    assert(mpq_sgn(lsb) > 0);
    mpq_div(value, value, lsb);
    if (scalar.type != TYPE_FLOAT)
        snap(value);
}

/* Reports show them as doubles: what is none, such as 10^-400, is not meant. */
static void read_scaling(const struct range_note *note, mpq_t lsb, mpq_t offset) {
    if (!note->lsb || !range_number(note->lsb, lsb) || mpq_get_d(lsb) <= 0 || isinf(mpq_get_d(lsb)))
        mpq_set_ui(lsb, 1, 1);
    if (!note->offset || !range_number(note->offset, offset) || isinf(mpq_get_d(offset)))
        mpq_set_ui(offset, 0, 1);
}

bool range_scale(const struct range_note *note, struct scalar scalar, struct range *range) {
    *range = range_of_type(scalar);
    mpq_t lsb, offset, value;
    mpq_inits(lsb, offset, value, NULL);
    if (scalar.type == TYPE_FLOAT)
        mpq_set_ui(lsb, 1, 1);
    else
        read_scaling(note, lsb, offset);
    range->lsb = nearest_float(lsb, false);
    range->offset = nearest_float(offset, false);
    bool usable = false, outside = false; /* all of it beyond the type: a mistake, no promise */
    if (note->min && range_number(note->min, value)) {
        to_raw(value, lsb, offset, scalar);
        outside |= limit_bits(value, true, scalar, &range->min) > 0;
        usable = true;
    }
    if (note->max && range_number(note->max, value)) {
        to_raw(value, lsb, offset, scalar);
        outside |= limit_bits(value, false, scalar, &range->max) < 0;
        usable = true;
    }
    mpq_clears(lsb, offset, value, NULL);
    if (finish(scalar, range) == RANGE_OK && !outside)
        return usable;
    struct range type = range_of_type(scalar);
    range->min = type.min;
    range->max = type.max;
    range->narrower = false;
    return false;
}

static int64_t sign_extend(struct scalar scalar, uint64_t bits) {
    unsigned shift = 64u - scalar.bits;
    return (int64_t)(bits << shift) >> shift;
}

static void float_constant(struct scalar scalar, uint64_t bits, struct str *text) {
    assert(scalar.type == TYPE_FLOAT && !bits_are_nan(sort_of(scalar), bits));
    double value = scalar.bits == 32 ? (double)bits_f32(bits) : bits_f64(bits);
    const char *suffix = scalar.bits == 32 ? "F" : "";
    if (isinf(value))
        str_addf(text, "(%s1.0%s / 0.0%s)", value < 0 ? "-" : "", suffix, suffix);
    else
        str_addf(text, "%a%s", value, suffix);
}

void range_constant(struct scalar scalar, uint64_t bits, struct str *text) {
    const char *wide = scalar.bits > 32 ? "LL" : "";
    if (scalar.type == TYPE_FLOAT) {
        float_constant(scalar, bits, text);
        return;
    }
    if (scalar.type != TYPE_SIGNED) {
        str_addf(text, "%" PRIu64 "U%s", bits, wide);
        return;
    }
    int64_t value = sign_extend(scalar, bits);
    bool lowest = value == INT64_MIN || value == INT32_MIN; /* -N is no constant of the type */
    if (lowest)
        str_addf(text, "(%" PRId64 "%s - 1)", value + 1, wide);
    else
        str_addf(text, "%" PRId64 "%s", value, wide);
}

void range_show(struct scalar scalar, uint64_t bits, struct str *text) {
    if (scalar.type == TYPE_FLOAT && scalar.bits == 32)
        str_addf(text, "%.9g", (double)bits_f32(bits));
    else if (scalar.type == TYPE_FLOAT)
        str_addf(text, "%.17g", bits_f64(bits));
    else if (scalar.type == TYPE_SIGNED)
        str_addf(text, "%" PRId64, sign_extend(scalar, bits));
    else
        str_addf(text, "%" PRIu64, bits);
}
