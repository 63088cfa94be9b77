#include "base/decimal.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { F32_DIGITS = 9, F64_DIGITS = 17 };   /* always enough */
enum { LEAST_FIXED = -5, MOST_FIXED = 15 }; /* exponents of ten that are written out */
enum { DECIMAL_MAX = 40 };

static bool reads_back(const char *text, double value, bool single) {
    return single ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value;
}

/* The longest are those written out: 16 digits, or 5 zeros and 17 digits. */
static void print(double value, bool single, char text[static DECIMAL_MAX]) {
    int digits = 0, most = single ? F32_DIGITS : F64_DIGITS;
    assert(isfinite(value));
    do
        snprintf(text, DECIMAL_MAX, "%.*e", digits, value);
    while (!reads_back(text, value, single) && ++digits < most);
    long exponent = strtol(strchr(text, 'e') + 1, NULL, 10);
    if (exponent >= LEAST_FIXED && exponent <= MOST_FIXED)
        snprintf(text, DECIMAL_MAX, "%.*f", digits > exponent ? digits - (int)exponent : 0, value);
}

void decimal_add(double value, bool single, struct str *out) {
    char text[DECIMAL_MAX];
    print(value, single, text);
    str_add(out, text);
}

const char *decimal_text(struct arena *arena, double value, bool single) {
    char text[DECIMAL_MAX];
    print(value, single, text);
    return arena_strdup(arena, text);
}

void decimal_physical(double raw, double lsb, double offset, struct str *out) {
    char text[DECIMAL_MAX];
    snprintf(text, sizeof text, "%.15g", raw * lsb + offset);
    decimal_add(strtod(text, NULL), false, out);
}

void decimal_constant(double value, bool single, struct str *out) {
    size_t begin = out->len;
    decimal_add(value, single, out);
    if (!strpbrk(str_text(out) + begin, ".e"))
        str_add(out, ".0");
}
