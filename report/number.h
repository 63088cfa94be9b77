/* number: values of variables as people read them.
 *
 *     number_text(&arena, 'i', 16, 0xfffe)     // "-2"
 *     number_text(&arena, 'f', 32, bits)       // "0.1": as few digits as give the same float
 */
#ifndef REPORT_NUMBER_H
#define REPORT_NUMBER_H

#include "base/arena.h"

#include <stdint.h>

/* type and bits as in the table `variable`: b, i, u, f, p. */
const char *number_text(struct arena *arena, char type, int bits, uint64_t value);
double number_value(char type, int bits, uint64_t value);

#endif
