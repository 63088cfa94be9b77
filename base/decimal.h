/* decimal: floating-point numbers as people write them: the fewest digits that read back as the
 * same value, and an exponent only where there would be many zeros.
 *
 *     decimal_add(0.1F, true, &out);        // "0.1", not "0.10000000149"
 *     decimal_add(70.0, false, &out);       // "70"
 *     decimal_constant(70.0, false, &out);  // "70.0"
 */
#ifndef BASE_DECIMAL_H
#define BASE_DECIMAL_H

#include "base/arena.h"
#include "base/str.h"

#include <stdbool.h>

/* Of a finite value; `single`: it is a float, and need only read back as one. */
void decimal_add(double value, bool single, struct str *out);
const char *decimal_text(struct arena *arena, double value, bool single);
/* raw * lsb + offset in 15 digits, which is what a double has: 0.3 of 3 times 0.1. */
void decimal_physical(double raw, double lsb, double offset, struct str *out);
void decimal_constant(double value, bool single, struct str *out); /* that is no integer in C */

#endif
