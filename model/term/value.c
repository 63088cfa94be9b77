#include "model/term/value.h"

#include "base/decimal.h"
#include "model/term/eval_op.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_float(sort_t sort, uint64_t bits, struct str *out) {
    assert(sort_is_float(sort));
    double value = sort == SORT_F32 ? (double)bits_f32(bits) : bits_f64(bits);
    if (isnan(value) || isinf(value)) {
        str_add(out, isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
        return;
    }
    decimal_constant(value, sort == SORT_F32, out);
}

void value_print(sort_t sort, bool is_signed, uint64_t bits, struct str *out) {
    if (sort == SORT_BOOL)
        str_add(out, bits ? "true" : "false");
    else if (sort_is_float(sort))
        print_float(sort, bits_canonical(sort, bits), out);
    else if (is_signed)
        str_addf(out, "%lld", (long long)int_signed(sort, bits));
    else
        str_addf(out, "%llu", (unsigned long long)bits);
}

static bool parse_int(sort_t width, const char *text, uint64_t *bits) {
    assert(sort_is_int(width));
    bool negative = *text == '-';
    const char *digits = text + negative;
    int base = strncmp(digits, "0x", 2) == 0 ? 16 : 10;
    if (*digits < '0' || *digits > '9')
        return false;
    char *end;
    errno = 0;
    unsigned long long magnitude = strtoull(digits, &end, base);
    uint64_t most = negative ? (uint64_t)1 << (width - 1) : int_mask(width);
    if (errno || *end || end == digits || magnitude > most)
        return false;
    *bits = (negative ? 0 - magnitude : magnitude) & int_mask(width);
    return true;
}

static bool parse_float(sort_t sort, const char *text, uint64_t *bits) {
    const char *digits = text + (*text == '-');
    bool special = str_same(digits, "inf") || str_same(text, "nan");
    if (!special && !(*digits >= '0' && *digits <= '9'))
        return false;
    char *end;
    if (sort == SORT_F32)
        *bits = bits_canonical(sort, f32_bits(strtof(text, &end)));
    else
        *bits = bits_canonical(sort, f64_bits(strtod(text, &end)));
    return *end == '\0';
}

bool value_parse(sort_t sort, const char *text, uint64_t *bits) {
    if (sort == SORT_BOOL) {
        *bits = str_same(text, "true");
        return *bits || str_same(text, "false");
    }
    if (sort_is_float(sort))
        return parse_float(sort, text, bits);
    assert(sort_is_int(sort));
    return parse_int(sort, text, bits);
}

sort_t sort_parse(const char *text) {
    for (sort_t sort = 1; sort <= SORT_F64; sort++)
        if (str_same(text, sort_name(sort)))
            return sort;
    return SORT_NONE;
}
