/* ranges: what values a variable can take, and how raw values become physical ones.
 *
 * A generator writes the scaling beside each declaration:
 *
 *     sint16 Sa1_In;    with the comment   LSB: 2^-7 OFF: 0 MIN/MAX: -256 .. 255.9921875
 *
 * on one line or on several, with LSB as power, fraction or decimal. MIN/MAX are physical values;
 * raw = (physical - OFF) / LSB. All of it is computed with exact rationals. Integers are rounded
 * inward, to the raw values that lie in the range. Floats are stored unscaled; a limit is the float
 * nearest to what was written, as in `0.1F`.
 *
 *     struct range_note note;
 *     if (range_note_parse(comment, len, &arena, &note)) {
 *         struct range range = range_of_type(scalar);
 *         range_scale(&note, scalar, &range);
 *     }
 */
#ifndef INSTRUMENT_INPUTS_RANGES_H
#define INSTRUMENT_INPUTS_RANGES_H

#include "base/arena.h"
#include "base/str.h"
#include "coverage/module.h"

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

/* A scalar type, in the words of struct module_var. */
struct scalar {
    enum var_type type;
    uint8_t bits; /* 1..64 */
};

struct range {
    bool narrower;     /* than the type */
    uint64_t min, max; /* bits in the variable's type */
    double lsb, offset;
};

/* Numbers as written in the comment; NULL when absent. */
struct range_note {
    const char *lsb, *offset, *min, *max;
};

enum range_status {
    RANGE_OK,
    RANGE_BAD_NUMBER, /* not a number */
    RANGE_BELOW,      /* min is below the type: range->min is the nearest legal value */
    RANGE_ABOVE,      /* max is above the type: range->max is the nearest legal value */
    RANGE_EMPTY,      /* min > max, or no raw value in between */
};

/* False when the comment declares nothing about values. */
bool range_note_parse(const char *comment, size_t len, struct arena *arena,
                      struct range_note *note);

/* "-256", "2^-7", "1/128", "3*2^-4", "0x10", "-3.4028235e+038": exactly. False: not a number, or an
 * exponent too large to be meant. `value` is initialised by the caller. */
bool range_number(const char *text, mpq_t value);

struct range range_of_type(struct scalar scalar); /* floats: -inf .. +inf */

/* What the comment says, limits clamped to the type: a generator rounds. False: nothing usable, the
 * range is that of the type (the scaling may still be set). */
bool range_scale(const struct range_note *note, struct scalar scalar, struct range *range);

/* Raw limits as the user wrote them; NULL keeps the limit of the type. On RANGE_BELOW and
 * RANGE_ABOVE the range holds the nearest legal limits. */
enum range_status range_limits(const char *min, const char *max, struct scalar scalar,
                               struct range *range);

/* Values as C constants of the type, valid for every compiler of the data model: "-128", "255U",
 * "0x1.8p+1F", "(-9223372036854775807LL - 1)". */
void range_constant(struct scalar scalar, uint64_t bits, struct str *text);
/* For people: "-128", "0.1". */
void range_show(struct scalar scalar, uint64_t bits, struct str *text);

/* Order of two values of the type (NaN excluded). */
int range_compare(struct scalar scalar, uint64_t a, uint64_t b);

#endif
