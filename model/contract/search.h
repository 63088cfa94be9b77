/* search: inverting a non-decreasing function of ordinals.
 *
 *     struct rising f = {int_to_float, p};
 *     out = rising_back(f, z, x, guess_lo, guess_hi);   // the x with f(x) in z
 *
 * The function must be defined on all of x and never fall. Numbers only; NaN is the caller's.
 */
#ifndef MODEL_CONTRACT_SEARCH_H
#define MODEL_CONTRACT_SEARCH_H

#include "model/contract/contract.h"

struct rising {
    int64_t (*at)(const void *context, int64_t x);
    const void *context;
};

/* {f(x)}: its hull. */
struct range rising_forward(struct rising f, struct range x);

/* {x : f(x) in z}: exact. The guesses are where f is expected to reach z.lo and to leave z.hi. */
struct range rising_back(struct rising f, struct range z, struct range x, int64_t guess_lo,
                         int64_t guess_hi);

#endif
