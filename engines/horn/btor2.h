/* btor2: a transition system in BTOR2, as bit-vector model checkers read it.
 *
 *     1 sort bitvec 8
 *     2 zero 1
 *     3 state 1 x
 *     4 init 1 3 2            ; x starts at 0
 *     5 constd 1 2
 *     6 add 1 3 5
 *     7 next 1 3 6            ; and grows by 2
 *     8 sort bitvec 1
 *     9 constd 1 7
 *     10 eq 8 3 9
 *     11 bad 10               ; never x = 7
 *
 * The target is hit where some `bad` is true and every `constraint` is. Bit-vectors of 1 to 64
 * bits, safety: arrays, fairness and liveness are errors with their places.
 */
#ifndef ENGINES_HORN_BTOR2_H
#define ENGINES_HORN_BTOR2_H

#include "engines/horn/horn.h"

/* `horn` has its terms and an empty system. */
bool btor2_read(struct horn *horn, const char *file, const char *text, size_t len, struct err *err);

#endif
