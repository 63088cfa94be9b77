/* enclose: what a libm may return for a transcendental function.
 *
 * MPFR gives the correctly rounded value below and above; a libm is allowed to miss the exact
 * value by ENCLOSE_ULPS units in the last place more. glibc documents at most 4 for the functions
 * here in binary32 and binary64 (its manual, "Errors in Math Functions"); the library of the target
 * must keep to that bound too. Two things are required on top, and glibc and newlib give them:
 * odd functions keep the sign of the argument, and the bounds that the exact function has (1 for
 * the sine, 0 for the exponential …) are not overstepped.
 *
 * Both envelopes are monotone wherever the function is.
 */
#ifndef MODEL_CONTRACT_ENCLOSE_H
#define MODEL_CONTRACT_ENCLOSE_H

#include "model/contract/parts.h"

enum { ENCLOSE_ULPS = 4 };

/* The ordinal above (below) which no libm returns anything for f(args); the result is a number. */
int64_t enclose(const struct prim *p, const int64_t *args, bool above);

/* How often the cosine (or sine) turns in the finite range x: 0, 1, or 2 for more. `rises`: for 0,
 * the function does on x; for 1, it rises before it turns. Decided exactly. */
int enclose_turns(sort_t sort, struct range x, bool sine, bool *rises);

#endif
