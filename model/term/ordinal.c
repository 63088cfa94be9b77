/* Floats: for negative ones the bits below the sign are turned around, so that they count upwards.
 */
#include "model/term/ordinal.h"

#include "base/bug.h"

#include <assert.h>
#include <string.h>

#define F32_SIGN 0x80000000u
#define F32_INF 0x7f800000u
#define F64_SIGN 0x8000000000000000u
#define F64_INF 0x7ff0000000000000u

float bits_f32(uint64_t bits) {
    uint32_t pattern = (uint32_t)bits;
    float value;
    memcpy(&value, &pattern, sizeof value);
    return value;
}

double bits_f64(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The pattern as it is: a NaN keeps its payload here, evaluation makes NaNs canonical. */
uint64_t f32_bits(float value) {
    uint32_t pattern;
    memcpy(&pattern, &value, sizeof pattern);
    return pattern;
}

uint64_t f64_bits(double value) {
    uint64_t pattern;
    memcpy(&pattern, &value, sizeof pattern);
    return pattern;
}

int sort_width(sort_t sort) {
    switch (sort) {
    case SORT_BOOL:
        return 1;
    case SORT_F32:
        return 32;
    case SORT_F64:
        return 64;
    default:
        assert(sort_is_int(sort));
        return sort;
    }
}

static const char *const int_names[SORT_INT_MAX + 1] = {
    "none", "i1",  "i2",  "i3",  "i4",  "i5",  "i6",  "i7",  "i8",  "i9",  "i10", "i11", "i12",
    "i13",  "i14", "i15", "i16", "i17", "i18", "i19", "i20", "i21", "i22", "i23", "i24", "i25",
    "i26",  "i27", "i28", "i29", "i30", "i31", "i32", "i33", "i34", "i35", "i36", "i37", "i38",
    "i39",  "i40", "i41", "i42", "i43", "i44", "i45", "i46", "i47", "i48", "i49", "i50", "i51",
    "i52",  "i53", "i54", "i55", "i56", "i57", "i58", "i59", "i60", "i61", "i62", "i63", "i64",
};

const char *sort_name(sort_t sort) {
    switch (sort) {
    case SORT_BOOL:
        return "bool";
    case SORT_F32:
        return "f32";
    case SORT_F64:
        return "f64";
    case SORT_INTEGER:
        return "int";
    case SORT_REAL:
        return "real";
    default:
        if (sort > SORT_INT_MAX)
            bug("no sort has the number %d", sort);
        return int_names[sort];
    }
}

bool bits_are_nan(sort_t sort, uint64_t bits) {
    if (sort == SORT_F32)
        return (bits & ~(uint64_t)F32_SIGN) > F32_INF;
    return sort == SORT_F64 && (bits & ~F64_SIGN) > F64_INF;
}

static int64_t int_ordinal(sort_t width, bool is_signed, uint64_t bits) {
    unsigned spare = 64u - width;
    assert(spare == 0 || bits >> width == 0);
    if (is_signed)
        return (int64_t)(bits << spare) >> spare;
    return width == 64 ? (int64_t)(bits ^ F64_SIGN) : (int64_t)bits;
}

int64_t ordinal_of(sort_t sort, bool is_signed, uint64_t bits) {
    if (sort == SORT_BOOL)
        return (int64_t)(bits & 1);
    if (sort_is_int(sort))
        return int_ordinal(sort, is_signed, bits);
    if (bits_are_nan(sort, bits))
        return 0;
    /* negative patterns count downwards from -1, which is -0.0 */
    if (sort == SORT_F32)
        return bits & F32_SIGN ? -(int64_t)(bits & ~(uint64_t)F32_SIGN) - 1 : (int64_t)bits;
    assert(sort == SORT_F64);
    return bits & F64_SIGN ? -(int64_t)(bits & ~F64_SIGN) - 1 : (int64_t)bits;
}

uint64_t ordinal_bits(sort_t sort, bool is_signed, int64_t ordinal) {
    assert(ordinal >= ordinal_min(sort, is_signed) && ordinal <= ordinal_max(sort, is_signed));
    if (sort == SORT_BOOL)
        return (uint64_t)ordinal;
    if (sort == SORT_F32)
        return ordinal < 0 ? (uint64_t)(-(ordinal + 1)) | F32_SIGN : (uint64_t)ordinal;
    if (sort == SORT_F64)
        return ordinal < 0 ? (uint64_t)(-(ordinal + 1)) | F64_SIGN : (uint64_t)ordinal;
    if (sort == 64)
        return is_signed ? (uint64_t)ordinal : (uint64_t)ordinal ^ F64_SIGN;
    return (uint64_t)ordinal & (((uint64_t)1 << sort) - 1);
}

int64_t ordinal_min(sort_t sort, bool is_signed) {
    switch (sort) {
    case SORT_BOOL:
        return 0;
    case SORT_F32:
        return -(int64_t)F32_INF - 1;
    case SORT_F64:
        return -(int64_t)F64_INF - 1;
    default:
        assert(sort_is_int(sort));
        if (sort == 64)
            return INT64_MIN;
        return is_signed ? -((int64_t)1 << (sort - 1)) : 0;
    }
}

int64_t ordinal_max(sort_t sort, bool is_signed) {
    switch (sort) {
    case SORT_BOOL:
        return 1;
    case SORT_F32:
        return F32_INF;
    case SORT_F64:
        return (int64_t)F64_INF;
    default:
        assert(sort_is_int(sort));
        if (sort == 64)
            return INT64_MAX;
        return (int64_t)(((uint64_t)1 << (is_signed ? sort - 1 : sort)) - 1);
    }
}
