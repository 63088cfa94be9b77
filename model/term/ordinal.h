/* ordinal: every value of every sort as an int64, so that order of values is order of integers.
 *
 *   bool        0, 1
 *   int, signed     its value
 *   int, unsigned   its value; 64 bit wide: value - 2^63
 *   float32/64      the order-preserving image of the bit pattern (-0 is -1, +0 is 0), widened;
 *                   -inf and +inf are the ends of the range
 *
 * NaN has no place in that order: it is a separate flag beside the ordinal. Wherever a *concrete*
 * NaN needs an ordinal (evaluation of bound literals, printed invariants) that ordinal is 0.
 * So a bound literal and its negation are complementary on every value, NaN included.
 *
 * Values travel as `uint64_t` bit patterns ("bits"): bool 0/1, int zero-extended, float its
 * pattern.
 */
#ifndef MODEL_TERM_ORDINAL_H
#define MODEL_TERM_ORDINAL_H

#include <stdbool.h>
#include <stdint.h>

/* A sort is one byte: 1..64 is an integer of that width (signedness is in the operators). */
typedef uint8_t sort_t;
enum { SORT_NONE = 0, SORT_INT_MAX = 64, SORT_BOOL = 65, SORT_F32 = 66, SORT_F64 = 67 };
/* Unbounded numbers (number.h): they have neither bits nor ordinals. */
enum { SORT_INTEGER = 68, SORT_REAL = 69 };

static inline bool sort_is_int(sort_t s) {
    return s >= 1 && s <= SORT_INT_MAX;
}
static inline bool sort_is_float(sort_t s) {
    return s == SORT_F32 || s == SORT_F64;
}
static inline bool sort_is_number(sort_t s) {
    return s == SORT_INTEGER || s == SORT_REAL;
}
int sort_width(sort_t sort);        /* bits of a value: 1 for bool, 32, 64 for floats */
const char *sort_name(sort_t sort); /* "bool", "i16", "f32", "f64" */

int64_t ordinal_of(sort_t sort, bool is_signed, uint64_t bits); /* 0 for NaN */
uint64_t ordinal_bits(sort_t sort, bool is_signed, int64_t ordinal);
int64_t ordinal_min(sort_t sort, bool is_signed); /* floats: the ordinal of -inf */
int64_t ordinal_max(sort_t sort, bool is_signed);
bool bits_are_nan(sort_t sort, uint64_t bits);

float bits_f32(uint64_t bits);
double bits_f64(uint64_t bits);
uint64_t f32_bits(float value);
uint64_t f64_bits(double value);

#endif
