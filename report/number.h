/* number: values of variables as people read them.
 *
 *     number_text(&arena, TYPE_SIGNED, 16, 0xfffe)     // "-2"
 *     number_text(&arena, TYPE_FLOAT, 32, bits)       // "0.1": as few digits as give the same
 * float
 */
#ifndef REPORT_NUMBER_H
#define REPORT_NUMBER_H

#include "base/arena.h"
#include "coverage/module.h"

#include <stdint.h>

const char *number_text(struct arena *arena, enum var_type type, int bits, uint64_t value);
double number_value(enum var_type type, int bits, uint64_t value);

#endif
