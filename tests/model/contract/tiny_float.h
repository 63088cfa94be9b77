/* tiny_float: binary floating-point formats small enough to enumerate, rounded from doubles.
 *
 * A value of the format is the double of the same value; ordinals are those of model/term/ordinal.h
 * on the small bit pattern. Arguments have so few bits that the double result of + - * is exact and
 * that of / and sqrt is never near enough to a midpoint for rounding twice to matter.
 */
#ifndef TESTS_MODEL_CONTRACT_TINY_FLOAT_H
#define TESTS_MODEL_CONTRACT_TINY_FLOAT_H

#include <math.h>
#include <stdint.h>
#include <string.h>

struct format {
    int exponent_bits, fraction_bits;
};

static inline int tiny_bias(struct format f) {
    return (1 << (f.exponent_bits - 1)) - 1;
}
static inline int64_t tiny_inf(struct format f) {
    return (int64_t)((1 << f.exponent_bits) - 1) << f.fraction_bits;
}

static inline double power_of_2(int exponent) {
    int64_t bits = (int64_t)(exponent + 1023) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline int binary_exponent(double value) {
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (int)(bits >> 52 & 0x7ff) - 1023;
}

static inline double tiny_of(struct format f, int64_t ordinal) {
    int64_t bits = ordinal < 0 ? ~ordinal : ordinal;
    int exponent = (int)(bits >> f.fraction_bits);
    int64_t fraction = bits & ((1 << f.fraction_bits) - 1);
    int normal = exponent > 0;
    double value = (double)(fraction + (normal << f.fraction_bits)) *
                   power_of_2((normal ? exponent : 1) - tiny_bias(f) - f.fraction_bits);
    if (bits == tiny_inf(f))
        value = INFINITY;
    return ordinal < 0 ? -value : value;
}

static inline int64_t tiny_ordinal(struct format f, double value) {
    double magnitude = fabs(value);
    int64_t bits, least_normal = (int64_t)1 << f.fraction_bits;
    memcpy(&bits, &magnitude, sizeof bits);
    if (magnitude == INFINITY)
        bits = tiny_inf(f);
    else /* the exponent of the double with another bias, the upper bits of its fraction */
        bits =
            (bits >> (52 - f.fraction_bits)) - ((int64_t)(1023 - tiny_bias(f)) << f.fraction_bits);
    if (bits < least_normal)
        bits = (int64_t)(magnitude * power_of_2(tiny_bias(f) + f.fraction_bits - 1));
    return signbit(value) ? ~bits : bits;
}

/* to nearest even */
static inline double tiny_round(struct format f, double value) {
    if (isnan(value) || isinf(value) || value == 0)
        return value;
    int least = 1 - tiny_bias(f), exponent = binary_exponent(value);
    double grain = 1.5 * power_of_2(52 - f.fraction_bits + (exponent > least ? exponent : least));
    double shifted = fabs(value) + grain; /* drops what is below the last place */
    double rounded = shifted - grain;
    if (rounded >= power_of_2(tiny_bias(f) + 1))
        rounded = INFINITY;
    return copysign(rounded, value);
}

#endif
