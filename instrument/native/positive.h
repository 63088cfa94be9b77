/* positive: bitcode in which locals without an initialiser hold large positive numbers.
 *
 * clang fills such locals with a pattern (-ftrivial-auto-var-init=pattern) of negative integers and
 * NaNs, and marks what it has added. Here the pattern becomes 0x5555…, so that a program runs with
 * values that neither zeros nor the pattern of clang are. The low bits differ each time: a local of
 * a block in a loop does not hold what it held before, nor what another one holds.
 *
 *     if (positive_locals("/tmp/x.bc", err))          // changed in place
 */
#ifndef INSTRUMENT_NATIVE_POSITIVE_H
#define INSTRUMENT_NATIVE_POSITIVE_H

#include "base/err.h"

/* The bitcode is unoptimised. */
bool positive_locals(const char *path, struct err *err);

#endif
