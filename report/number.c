#include "report/number.h"

#include "base/decimal.h"
#include "model/term/ordinal.h"

#include <assert.h>
#include <math.h>

static int64_t signed_value(int bits, uint64_t value) {
    assert(bits >= 1 && bits <= 64);
    return (int64_t)(value << (64 - bits)) >> (64 - bits);
}

double number_value(enum var_type type, int bits, uint64_t value) {
    if (type == TYPE_FLOAT)
        return bits == 32 ? (double)bits_f32(value) : bits_f64(value);
    return type == TYPE_SIGNED ? (double)signed_value(bits, value) : (double)value;
}

static const char *float_text(struct arena *arena, int bits, uint64_t value) {
    assert(bits == 32 || bits == 64);
    double number = number_value(TYPE_FLOAT, bits, value);
    if (!isfinite(number))
        return isnan(number) ? "nan" : number > 0 ? "inf" : "-inf";
    return decimal_text(arena, number, bits == 32);
}

const char *number_text(struct arena *arena, enum var_type type, int bits, uint64_t value) {
    if (type == TYPE_FLOAT)
        return float_text(arena, bits, value);
    if (type == TYPE_SIGNED)
        return arena_printf(arena, "%lld", (long long)signed_value(bits, value));
    return arena_printf(arena, "%llu", (unsigned long long)value);
}
